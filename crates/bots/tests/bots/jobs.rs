use crate::house::{House, block_on};
use palanca_bots::{JobEvent, JobEvents, JobsOf};
use palanca_core::tool::Cancel;
use palanca_host::agent::jobs::glance;
use parking_lot::Mutex;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

fn job(id: &str) -> String {
    let schedule = json!({"kind": "at", "at": "2026-01-01T00:00:00Z"});
    let payload = json!({"kind": "message", "text": format!("I am {id}")});
    json!({"id": id, "name": id, "schedule": schedule, "payload": payload}).to_string()
}

fn write(house: &House, text: &str) {
    std::fs::create_dir_all(house.path("data/cron/ana")).unwrap();
    std::fs::write(house.path("data/cron/ana/jobs.json"), text).unwrap();
}

/// What is heard until `enough`.
fn heard(house: &House, meanwhile: impl Fn(&palanca_bots::Bots, &[JobEvent]), enough: usize) -> Vec<JobEvent> {
    let bots = Arc::new(house.bots());
    let events: Arc<Mutex<Vec<JobEvent>>> = Arc::default();
    let hears: JobEvents = Arc::new({
        let events = Arc::clone(&events);
        move |event| events.lock().push(event)
    });
    let (cancel, cut) = (Cancel::new(), Cancel::new());
    block_on(async {
        let of = JobsOf::default();
        let keeping = bots.keep_time(of, hears, (&cancel, &cut));
        let watching = async {
            while events.lock().len() < enough {
                meanwhile(&bots, &events.lock().clone());
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            cancel.cancel();
        };
        tokio::time::timeout(Duration::from_secs(300), async { tokio::join!(keeping, watching) }).await.unwrap();
    });
    std::mem::take(&mut *events.lock())
}

pub fn a_damaged_file_is_put_aside_once_and_what_is_readable_goes_on() {
    for (text, kept) in
        [(format!("{{\"version\": 1, \"jobs\": [{}, {{\"id\": \"b", job("a")), true), ("\0\0\0".to_owned(), false)]
    {
        let house = House::new("[{id: ana}]", Vec::new());
        write(&house, &text);
        let events = heard(&house, |_, _| {}, if kept { 2 } else { 1 });
        let JobEvent::Wrong(said) = &events[0] else { panic!("{events:?}") };
        assert_eq!(said.key(), "cron-file-mended");
        assert!(!kept || matches!(&events[1], JobEvent::Said(said) if said.words.text == "I am a"), "{events:?}");
        let names = std::fs::read_dir(house.path("data/cron/ana")).unwrap().map(|entry| entry.unwrap());
        let aside: Vec<_> = names.filter(|entry| entry.file_name() != "jobs.json").collect();
        assert_eq!(std::fs::read_to_string(aside[0].path()).unwrap(), text, "nothing is lost");
        assert_eq!(aside.len(), 1);
    }
}

pub fn a_reload_keeps_time_going() {
    let house = House::new("[{id: ana}, {id: eva}]", Vec::new());
    let reloads = Mutex::new(0);
    let reload = |bots: &palanca_bots::Bots, _: &[JobEvent]| {
        bots.reload().unwrap();
        *reloads.lock() += 1;
        if *reloads.lock() == 20 {
            write(&house, &format!("{{\"version\": 1, \"jobs\": [{}]}}", job("a")));
        }
    };
    let events = heard(&house, reload, 1);
    let [JobEvent::Said(said)] = &events[..] else { panic!("{events:?}") };
    assert_eq!(said.words.text, "I am a");
}

pub fn a_change_is_seen_after_a_time_without_any() {
    let house = House::new("[{id: ana}]", Vec::new());
    let file = |id: &str| write(&house, &format!("{{\"version\": 1, \"jobs\": [{}]}}", job(id)));
    file("a");
    let change = |bots: &palanca_bots::Bots, events: &[JobEvent]| {
        // Now it is not read again unless it shows a change.
        if events.len() == 1 && glance(&bots.bot("ana").unwrap().agent).is_some() {
            file("b");
        }
    };
    let said = heard(&house, change, 2).into_iter().map(|event| match event {
        JobEvent::Said(said) => said.words.text,
        other => panic!("{other:?}"),
    });
    assert_eq!(said.collect::<Vec<_>>(), ["I am a", "I am b"]);
}
