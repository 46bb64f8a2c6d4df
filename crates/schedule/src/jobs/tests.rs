#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use crate::{Agenda, Start};

const FILE: &str = r#"{"version":1,"jobs":[{"id":"3f","name":"tea","enabled":true,"deleteAfterRun":true,
    "createdAtMs":1771840500000,"updatedAtMs":1771840500000,"color":"green",
    "schedule":{"kind":"at","at":"2026-02-23T18:00:00-03:00"},
    "payload":{"kind":"message","text":"Tea","chatId":42,"botId":"default"},
    "state":{"nextRunAtMs":1771880400000,"consecutiveErrors":0}},
    {"id":"b","schedule":{"kind":"every","everyMs":60000},"payload":{"kind":"skillJob","skillId":"x"}}]}"#;

#[test]
fn a_file_is_kept_as_it_is() {
    let jobs = Jobs::parse(FILE).unwrap();
    let (before, after): (Value, Value) =
        (serde_json::from_str(FILE).unwrap(), serde_json::from_str(&jobs.text()).unwrap());
    assert_eq!(after["jobs"][0], before["jobs"][0]);
    assert_eq!(after["jobs"][1]["payload"]["skillId"], "x");
    assert_eq!((jobs.jobs[0].due("UTC"), jobs.jobs[1].due("UTC")), (Some(1_771_880_400_000), Some(60_000)));
    assert_eq!((jobs.find("TEA"), jobs.find("b"), jobs.find("")), (Some(0), Some(1), None));
    for broken in ["", "{", "[]", r#"{"version":1,"jobs":[{}]}"#, "{\"version\":1,\"jobs\":[\n{\"id\":1}]}"] {
        assert!(Jobs::parse(broken).unwrap_err().0.contains("line"), "{broken}");
    }
}

#[test]
fn a_run_moves_a_job_on_or_away() {
    let now = Timestamp::from_millisecond(1_771_880_400_000).unwrap();
    let mut jobs = Jobs::parse(FILE).unwrap();
    assert_eq!(jobs.ran(1, now, "UTC").unwrap().id, "b");
    assert_eq!(jobs.jobs[1].due("UTC"), Some(1_771_880_460_000));
    assert_eq!(jobs.ran(0, now, "UTC").unwrap().payload.text, "Tea");
    assert_eq!((jobs.jobs.len(), jobs.ran(7, now, "UTC")), (1, None));
    let mut kept = Jobs::parse(FILE).unwrap();
    kept.jobs[0].delete_after_run = Some(false);
    kept.ran(0, now, "UTC");
    assert_eq!((kept.jobs[0].enabled, kept.jobs[0].due("UTC")), (false, None));
}

/// What is due of some jobs: their ids, with moments and what becomes of them.
fn due_of(jobs: Jobs, now: Timestamp) -> Vec<(String, i64, Start)> {
    Agenda::new(jobs, "UTC").due(now).map(|(job, due, start)| (job.id.clone(), due, start)).collect()
}

/// A job like this one, and what is due at that time.
fn due(schedule: &str, next: i64, now: &str) -> Vec<(String, i64, Start)> {
    let text = format!(
        r#"{{"version":1,"jobs":[{{"id":"a","schedule":{schedule},"payload":{{"kind":"message"}},"state":{{"nextRunAtMs":{next}}}}}]}}"#
    );
    due_of(Jobs::parse(&text).unwrap(), now.parse().unwrap())
}

#[test]
fn what_was_missed_runs_once_or_is_skipped() {
    let (hour, nine) = (r#"{"kind":"every","everyMs":3600000}"#, r#"{"kind":"cron","expr":"0 9 * * *"}"#);
    let once = r#"{"kind":"at","at":"2026-11-28T09:00:00Z"}"#;
    let at = |text: &str| text.parse::<Timestamp>().unwrap().as_millisecond();
    let due_at = at("2026-11-28T09:00:00Z");
    for (schedule, now, expected) in [
        (nine, "2026-11-28T08:59:59Z", None),
        (nine, "2026-11-28T09:00:00Z", Some(Start::Runs)),
        (nine, "2026-11-28T09:10:00Z", Some(Start::Runs)),
        (nine, "2026-11-28T09:10:01Z", Some(Start::Skips)),
        // Another of its moments is recent.
        (nine, "2026-12-01T09:05:00Z", Some(Start::Runs)),
        (hour, "2026-12-01T11:05:00Z", Some(Start::Runs)),
        (hour, "2026-12-01T11:15:00Z", Some(Start::Skips)),
        (once, "2027-11-28T09:00:00Z", Some(Start::Runs)),
    ] {
        let found = due(schedule, due_at, now);
        assert_eq!(found, Vec::from_iter(expected.map(|start| ("a".to_owned(), due_at, start))), "{schedule} {now}");
    }
}

#[test]
fn a_failure_puts_off_the_next_try_and_what_is_due_once_rests_in_the_end() {
    let fails = Outcome::Error("no model".to_owned());
    let mut jobs = Jobs::parse(FILE).unwrap();
    let mut now = Timestamp::from_millisecond(1_771_880_400_000).unwrap();
    for seconds in [30, 60, 300, 900, 3600] {
        let due = jobs.jobs[0].due("UTC").unwrap();
        assert_eq!(jobs.noted(("3f", due + 1), &fails, now, "UTC"), None, "another moment");
        jobs.noted(("3f", due), &fails, now, "UTC").unwrap();
        assert_eq!(jobs.jobs[0].due("UTC"), Some(now.as_millisecond() + seconds * 1_000));
        now = Timestamp::from_millisecond(now.as_millisecond() + seconds * 1_000).unwrap();
    }
    let due = jobs.jobs[0].due("UTC").unwrap();
    jobs.noted(("3f", due), &fails, now, "UTC").unwrap();
    let State { last_error, last_status, consecutive_errors, .. } = &jobs.jobs[0].state;
    assert_eq!((jobs.jobs[0].enabled, last_error.as_deref(), *consecutive_errors), (false, Some("no model"), 6));
    assert_eq!(last_status.as_deref(), Some("error"));
    // What recurs goes on.
    let due = jobs.jobs[1].due("UTC").unwrap();
    jobs.noted(("b", due), &fails, now, "UTC").unwrap();
    assert_eq!(jobs.jobs[1].due("UTC"), Some(now.as_millisecond() + 60_000 - now.as_millisecond() % 60_000));
    let due = jobs.jobs[1].due("UTC").unwrap();
    jobs.noted(("b", due), &Outcome::Ok, now, "UTC").unwrap();
    assert_eq!((jobs.jobs[1].state.consecutive_errors, jobs.jobs[1].state.last_error.clone()), (0, None));
}

#[test]
fn a_job_belongs_to_the_chat_that_it_names() {
    let chat = |payload: &str| serde_json::from_str::<Payload>(payload).unwrap().chat();
    let pair = |channel: &str, name: &str| (channel.to_owned(), name.to_owned());
    assert_eq!(chat(r#"{"kind":"message"}"#), pair("terminal", "operator"));
    assert_eq!(chat(r#"{"kind":"message","chatId":42}"#), pair("terminal", "42"));
    assert_eq!(chat(r#"{"kind":"message","chatId":"j1","channel":"schedule"}"#), pair("terminal", "operator"));
    assert_eq!(Payload::new(MESSAGE, "x", Some((CHANNEL, "j1"))), Payload::new(MESSAGE, "x", None));
    for (channel, name) in [("terminal", "operator"), ("terminal", "work"), ("http", "operator"), ("http", "7")] {
        assert_eq!(Payload::new(MESSAGE, "x", Some((channel, name))).chat(), pair(channel, name));
    }
    let plain = serde_json::to_string(&Payload::new(MESSAGE, "x", Some(("terminal", "operator")))).unwrap();
    assert_eq!(plain, r#"{"kind":"message","text":"x"}"#);
}

/// A hundred thousand jobs.
#[test]
fn what_is_next_of_many_is_found() {
    let mut jobs = Jobs::parse(FILE).unwrap();
    let one = jobs.jobs[0].clone();
    jobs.jobs = (0..100_000)
        .map(|number| {
            let mut job = Job { id: number.to_string(), ..one.clone() };
            job.state.next_run_at_ms = Some(2_000_000_000_000 - number);
            job
        })
        .collect();
    let now = Timestamp::from_millisecond(2_000_000_000_000 - 99_998).unwrap();
    let expected = [("99999", 1_999_999_900_001), ("99998", 1_999_999_900_002)];
    assert_eq!(due_of(jobs, now), expected.map(|(id, due)| (id.to_owned(), due, Start::Runs)), "the first one first");
}

#[test]
fn of_a_damaged_file_what_can_be_read_is_kept() {
    let job = |id: &str| {
        format!(
            "{{\"id\": \"{id}\", \"schedule\": {{\"kind\": \"every\", \"everyMs\": 1000}}, \"payload\": {{\"kind\": \"message\"}}}}"
        )
    };
    let (a, b) = (job("a"), job("b"));
    for (text, ids) in [
        (format!("{{\"version\": 1, \"jobs\": [{a}, {b},]}}"), &["a", "b"][..]),
        (format!("{{\"jobs\" : [\n{a},\n{{\"id\": 7}}, {b}, {{\"id\": \"c\", \"sched"), &["a", "b"]),
        (format!("{{\"version\": \"x\", \"jobs\": [{a}]}}"), &["a"]),
        (format!("{{\"jobs\": [{a} broken {b}]}}"), &["a"]),
        ("\u{0}\u{0}".to_owned(), &[]),
        ("{\"jobs\": 7}".to_owned(), &[]),
        (String::new(), &[]),
    ] {
        let kept: Vec<String> = Jobs::readable(&text).jobs.into_iter().map(|job| job.id).collect();
        assert_eq!(kept, ids, "{text}");
        assert!(Jobs::parse(&text).is_err());
    }
}
