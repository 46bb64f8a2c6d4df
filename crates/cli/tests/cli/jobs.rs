//! Jobs that start by themselves: in a server, in an open chat, and after either was killed.

use crate::harness::{Bench, Ended, ended};
use crate::serve::Serving;
use palanca_testkit::{Manner, ScriptedServer, Turn, until};
use serde_json::{Value, json};
use std::io::{Seek as _, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const JOBS: &str = "data/cron/ana/jobs.json";

/// A bot and its scripted model.
struct House {
    bench: Bench,
    model: ScriptedServer,
}

impl House {
    fn new(turns: Vec<Turn>) -> Self {
        let model = ScriptedServer::spawn(turns, Manner::default());
        // Any value is a key to the scripted server.
        let llm = format!("llm: {{model: 'openai:scripted', api_base: '{}', api_key_env: PATH}}", model.openai_url());
        Self { bench: Bench::new(&[("bots.yaml", &format!("{llm}\nbots: [{{id: ana, name: Ana}}]\n"))]), model }
    }

    /// Of these jobs, as a person writes them.
    fn with_jobs(turns: Vec<Turn>, jobs: &Value) -> Self {
        let house = Self::new(turns);
        house.bench.write(JOBS, &json!({"version": 1, "jobs": jobs}).to_string());
        house
    }

    fn command(&self, arguments: &[&str]) -> Command {
        self.bench.command(&[&["--config", "bots.yaml"], arguments].concat())
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        ended(self.command(arguments).output().unwrap())
    }

    fn serve(&self) -> Serving {
        Serving::begin(&mut self.command(&["serve"]))
    }

    /// What these lines come to in a chat with the bot.
    fn chat(&self, arguments: &[&str], lines: &str) -> Ended {
        let mut stdin = tempfile::tempfile().unwrap();
        stdin.write_all(lines.as_bytes()).unwrap();
        stdin.rewind().unwrap();
        let mut command = self.command(&[&["chat", "ana"], arguments].concat());
        ended(command.stdin(stdin).output().unwrap()).expect(0)
    }

    fn history(&self) -> Vec<Value> {
        self.run(&["cron", "history", "--json"]).expect(0).json().as_array().unwrap().clone()
    }

    fn jobs(&self) -> Value {
        serde_json::from_str(&self.bench.read(JOBS)).unwrap()
    }

    /// What the model was sent last.
    fn last_request(&self) -> String {
        self.model.requests().last().unwrap().body["messages"].to_string()
    }
}

fn now_ms() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

/// In ISO 8601.
fn in_seconds(seconds: u64) -> String {
    humantime::format_rfc3339_millis(SystemTime::now() + Duration::from_secs(seconds)).to_string()
}

fn every_hour_but_due(kind: &str, text: &str) -> Value {
    json!([{
        "id": "j1", "name": "tea", "schedule": {"kind": "every", "everyMs": 3_600_000}, "payload": {"kind": kind, "text": text},
        "state": {"nextRunAtMs": now_ms() - 1_000}
    }])
}

#[test]
fn a_reminder_is_said_in_its_chat() {
    let add = json!({"action": "add", "name": "tea", "text": "Tea is ready", "kind": "at", "at": in_seconds(3)});
    let turns = vec![Turn::calls([("cron", add)]), Turn::text("I will."), Turn::text("About tea.")];
    let house = House::new(turns);
    let ended = house.chat(&["--mode", "yolo"], "remind me of the tea\n");
    assert_eq!(ended.stdout, "I will.\n");
    assert_eq!(house.jobs()["jobs"][0]["payload"], json!({"kind": "message", "text": "Tea is ready"}));
    // Killed before it was due.
    house.serve().kill();
    let serving = house.serve();
    until("it is said", || serving.stdout().contains("[ana · tea] Tea is ready"));
    until("it went with its run", || house.jobs()["jobs"] == json!([]));
    serving.end().expect(0);
    let history = house.history();
    assert_eq!((history.len(), &history[0]["state"], &history[0]["attempt"]), (1, &json!("ok"), &json!(1)));

    let ended = house.chat(&[], "what did you remind me of?\n");
    assert!(ended.stderr.contains("⏰ tea: Tea is ready"), "{}", ended.stderr);
    let sent = house.last_request();
    assert!(sent.contains("remind me of the tea") && sent.matches("Tea is ready").count() >= 2, "{sent}");
    let sessions = house.run(&["sessions", "list", "--json"]).expect(0).json();
    let chats = sessions.as_array().unwrap().iter().filter(|session| session["task"].is_string());
    assert_eq!(chats.count(), 1, "{sessions}");
    // It was seen.
    assert!(!house.chat(&[], "").stderr.contains('⏰'));
}

#[test]
fn an_open_chat_runs_jobs_and_shows_what_they_say() {
    let house = House::with_jobs(Vec::new(), &every_hour_but_due("message", "Tea\u{1b}[2J is ready"));
    let shown = house.bench.run_at_a_terminal(&["--config", "bots.yaml", "chat", "ana"], &[("⏰ tea: Tea", "/quit\n")]);
    let shown = shown.expect(0).stderr;
    assert!(shown.contains("is ready") && !shown.contains("\u{1b}[2J"), "{shown}");
    assert_eq!(house.jobs()["jobs"][0]["state"]["lastStatus"], "ok");
}

#[test]
fn an_instruction_is_a_turn_of_the_bot_and_its_answer_is_said() {
    let more = json!({"action": "add", "name": "more", "text": "x", "kind": "every", "everyMs": 1000});
    let write = Turn::calls([
        ("update_soul", json!({"content": "Be on time."})),
        ("exec", json!({"command": "touch x"})),
        ("cron", more),
        ("file_write", json!({"path": JOBS, "content": "{}"})),
    ]);
    let house = House::with_jobs(
        vec![write, Turn::text("Five errands today."), Turn::text("Yes.")],
        &every_hour_but_due("instruction", "Sum up the errands"),
    );
    let serving = house.serve();
    until("it is said", || serving.stdout().contains("[ana · tea] Five errands today."));
    until("it is noted", || house.jobs()["jobs"][0]["state"]["lastStatus"] == "ok");
    serving.end().expect(0);
    assert_eq!(house.bench.read("config/soul/ana/SOUL.md"), "Be on time.\n");
    let jobs = house.jobs();
    assert_eq!(
        (jobs["jobs"].as_array().unwrap().len(), &jobs["jobs"][0]["name"]),
        (1, &json!("tea")),
        "unasked: {jobs}"
    );
    let asked = house.model.requests()[0].body["messages"].to_string();
    assert!(asked.contains("Sum up the errands") && asked.contains("Nobody is waiting"), "{asked}");
    let log = house.run(&["audit", "show", "--json"]).expect(0).stdout;
    assert!(log.contains("schedule"), "{log}");
    house.chat(&[], "done?\n");
    assert!(house.last_request().contains("Five errands today."), "{}", house.last_request());
}

#[test]
fn a_failure_is_said_and_tried_again_later() {
    let house = House::with_jobs(vec![Turn::status(401, "no")], &every_hour_but_due("instruction", "Sum up"));
    let serving = house.serve();
    until("it is said", || serving.stderr().contains("'tea' of ana failed"));
    until("it is noted", || house.jobs()["jobs"][0]["state"]["consecutiveErrors"] == 1);
    serving.end().expect(0);
    let state = house.jobs()["jobs"][0]["state"].clone();
    assert!(state["lastError"].is_string() && state["nextRunAtMs"].as_i64().unwrap() > now_ms(), "{state}");
    assert_eq!(house.history()[0]["state"], "error");
}

/// A process that is killed while it follows an instruction leaves it to the next one, which says that it was begun before.
#[test]
fn what_a_killed_process_had_begun_is_begun_again_and_recorded_so() {
    let turns = vec![Turn::hang(), Turn::text("All done.")];
    let house = House::with_jobs(turns, &every_hour_but_due("instruction", "Sum up"));
    let serving = house.serve();
    until("the model was asked", || house.model.requests().len() == 1);
    assert_eq!(house.history()[0]["state"], "running");
    serving.kill();
    let serving = house.serve();
    until("it is said", || serving.stdout().contains("All done."));
    serving.end().expect(0);
    let history = house.history();
    assert_eq!((history.len(), &history[0]["state"], &history[0]["attempt"]), (1, &json!("ok"), &json!(2)));
    let told = house.run(&["cron", "history"]).expect(0).stdout;
    assert!(told.contains("-03:00  ana  j1") && told.contains("begun 2 times"), "as `cron list` writes times: {told}");
}

#[test]
fn two_servers_say_it_once() {
    let house = House::with_jobs(Vec::new(), &every_hour_but_due("message", "Tea is ready"));
    let (one, two) = (house.serve(), house.serve());
    let said = || one.stdout().matches("Tea is ready").count() + two.stdout().matches("Tea is ready").count();
    until("it is said", || said() > 0);
    until("it is noted", || house.jobs()["jobs"][0]["state"]["lastStatus"] == "ok");
    assert_eq!((said(), house.history().len()), (1, 1));
    one.end().expect(0);
    two.end().expect(0);
    assert_eq!(house.chat(&[], "").stderr.matches('⏰').count(), 1);
}

#[test]
fn a_rule_of_the_person_goes_before_ours_and_nothing_runs_twice() {
    let rules = "[[rule]]\nid = \"no\"\ndecision = \"deny\"\neffect = \"write\"\npaths = [\"data/**\"]\nmatches = [{ write = \"data/a\" }]\nnot_matches = [{ write = \"b\" }]\n";
    let house = House::with_jobs(Vec::new(), &every_hour_but_due("message", "Tea is ready"));
    house.bench.write("rules.toml", rules);
    let bots = format!("{}approvals: {{rules_file: rules.toml}}\n", house.bench.read("bots.yaml"));
    house.bench.write("bots.yaml", &bots);
    let serving = house.serve();
    until("it is said", || serving.stderr().contains("could not be noted"));
    let ended = serving.end().expect(0);
    assert_eq!(ended.stdout.matches("Tea is ready").count(), 1, "{}", ended.stdout);
    assert!(house.jobs()["jobs"][0]["state"]["lastStatus"].is_null());
}

mod stress {
    use super::*;
    use std::collections::HashMap;
    use std::time::Instant;

    /// Jobs that are due once, half of them instructions, all within the time of the kills.
    const JOBS_DUE: usize = 400;

    /// Killed while jobs come due: none is lost, and none runs twice unless its run says so.
    #[test]
    #[ignore = "cargo xtask stress"]
    fn a_server_that_is_killed_loses_no_job_and_doubles_none_silently() {
        let kills: usize = std::env::var("PALANCA_TEST_REPEAT").ok().and_then(|text| text.parse().ok()).unwrap_or(200);
        let begun = Instant::now();
        // What it takes until the first job is served is the unit of the kills.
        let due = |number: usize| now_ms() + 1_000 + i64::try_from(number * kills * 500 / JOBS_DUE).unwrap();
        let at = |ms: i64| {
            humantime::format_rfc3339_millis(UNIX_EPOCH + Duration::from_millis(ms.unsigned_abs())).to_string()
        };
        let jobs: Vec<Value> = (0..JOBS_DUE)
            .map(|number| {
                let kind = if number % 2 == 0 { "message" } else { "instruction" };
                let at = at(due(number));
                json!({
                    "id": format!("j{number}"), "name": format!("job {number}"), "deleteAfterRun": false,
                    "createdAtMs": now_ms() - 1_000, "schedule": {"kind": "at", "at": at},
                    "payload": {"kind": kind, "text": format!("do number {number}.")}
                })
            })
            .collect();
        let answers = (0..JOBS_DUE * 4).map(|number| Turn::text(&format!("answer {number}"))).collect();
        let house = House::with_jobs(answers, &json!(jobs));
        let mut dice = u64::from(std::process::id());
        for _ in 0..kills {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mut command = house.command(&["serve"]);
            let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = quiet.spawn().unwrap();
            // Until it is ready takes about half of that.
            std::thread::sleep(Duration::from_millis((dice >> 33) % 1_000));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let serving = house.serve();
        let is_over = |job: &Value| !job["enabled"].as_bool().unwrap_or(true);
        until("every job is over", || house.jobs()["jobs"].as_array().unwrap().iter().all(is_over));
        serving.end().expect(0);

        let history = house.run(&["cron", "history", "--max", "2000", "--json"]).expect(0).json();
        let history = history.as_array().unwrap();
        let mut runs = HashMap::<&str, Vec<&Value>>::new();
        for run in history {
            runs.entry(run["job"].as_str().unwrap()).or_default().push(run);
        }
        assert_eq!(runs.len(), JOBS_DUE, "lost");
        let (mut repeated, mut given_up) = (0, 0);
        let asked = house.model.requests();
        for number in 0..JOBS_DUE {
            let runs = &runs[&*format!("j{number}")];
            let attempts: u64 = runs.iter().map(|run| run["attempt"].as_u64().unwrap()).sum();
            let failed = runs.iter().filter(|run| run["state"] != "ok");
            // Begun three times and never ended, it is given up, says so, and is due again after a pause.
            let unclear: Vec<_> = failed.clone().filter(|run| run["attempt"].as_u64() <= Some(3)).collect();
            assert!(runs.iter().filter(|run| run["state"] == "ok").count() == 1 && unclear.is_empty(), "{runs:?}");
            given_up += failed.count();
            repeated += runs.iter().filter(|run| run["attempt"].as_u64() > Some(1)).count();
            // The model was asked once for an instruction, and again only where its run says so.
            let text = format!("do number {number}.");
            let count = asked.iter().filter(|request| request.body["messages"].to_string().contains(&text)).count();
            assert!(count as u64 <= attempts, "job {number} was followed {count} times: {runs:?}");
        }
        eprintln!(
            "{kills} kills, {JOBS_DUE} jobs: {repeated} runs begun again and recorded so, {given_up} of them given up, {:?}",
            begun.elapsed()
        );
        assert!(repeated > 0, "no kill met an instruction");
    }
}
