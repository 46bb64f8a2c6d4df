//! Runs that are killed while tools work or the model thinks, and taken up again: nothing that was acknowledged is lost or
//! doubled.
//!
//! The model is a server that answers by what it is sent and not by how often: its n-th answer follows n answers. So it does
//! not matter how many requests a killed process made.

use crate::harness::{Bench, until_gone};
use palanca_testkit::until;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// Answers before the last one.
const STEPS: usize = 5;

/// A model that knows where a conversation stands.
struct Server {
    address: String,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    marker: String,
    /// Every request's messages.
    received: Mutex<Vec<Vec<Value>>>,
    /// The answer that is held back, and whether somebody waits for it.
    held: Mutex<Option<(usize, bool)>>,
    released: Condvar,
}

impl Server {
    fn start(marker: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let state = Arc::new(State { marker, ..State::default() });
        let served = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let state = Arc::clone(&served);
                // A client that was killed is an ordinary end.
                std::thread::spawn(move || serve(&stream.unwrap(), &state).unwrap_or_default());
            }
        });
        Self { address, state }
    }

    /// Holds the answer back that follows so many, or none.
    fn hold(&self, answer: Option<usize>) {
        *self.state.held.lock().unwrap() = answer.map(|before| (before, false));
        self.state.released.notify_all();
    }

    fn is_waited_for(&self) -> bool {
        self.state.held.lock().unwrap().is_some_and(|(_, waits)| waits)
    }
}

impl State {
    fn wait_for(&self, answer: usize) {
        let mut held = self.held.lock().unwrap();
        while let Some((before, waits)) = &mut *held
            && *before == answer
        {
            *waits = true;
            held = self.released.wait(held).unwrap();
        }
    }
}

fn serve(stream: &TcpStream, state: &State) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let body: Value = serde_json::from_slice(&body).unwrap();
        let messages = body["messages"].as_array().unwrap().clone();
        let before = messages.iter().filter(|message| message["role"] == "assistant").count();
        state.received.lock().unwrap().push(messages);
        state.wait_for(before);
        let answer = answer(before, &state.marker).to_string();
        let mut stream = stream;
        write!(
            stream,
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{answer}",
            answer.len()
        )?;
    }
}

/// What the answer that follows `before` others is billed with.
fn billed(before: usize) -> (u64, u64) {
    (1000 + before as u64, 10 + before as u64)
}

fn answer(before: usize, marker: &str) -> Value {
    let call = |id: String, name: &str, arguments: Value| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments.to_string()}});
    let mut message = json!({"role": "assistant", "content": format!("Answer {before}.")});
    if before < STEPS {
        // One that goes on in the background beyond its shell, one that takes a while, one that writes, one that reads.
        let slow = format!(
            "(setsid sleep {marker} &) ; touch at{before}; sleep 0.0{before}; \
             while test -e hold{before}; do sleep 0.02; done; echo {before} >> log.txt"
        );
        message["tool_calls"] = json!([
            call(format!("w{before}"), "write_file", json!({"path": format!("f{before}.txt"), "content": "x\n"})),
            call(format!("r{before}"), "run_command", json!({"command": slow})),
            call(format!("l{before}"), "read_file", json!({"path": "a.txt"})),
        ]);
    }
    let (input, output) = billed(before);
    json!({
        "id": "c", "object": "chat.completion", "created": 1, "model": "gpt-4o",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output},
    })
}

/// Every call has one result right behind it, and nothing else has.
fn assert_whole(messages: &[Value]) {
    let mut open: Vec<&str> = Vec::new();
    for message in messages {
        match message["role"].as_str().unwrap() {
            "tool" => {
                let id = message["tool_call_id"].as_str().unwrap();
                assert_eq!(open.first(), Some(&id), "a result without its call, or out of order: {messages:#?}");
                open.remove(0);
            }
            role => {
                assert!(open.is_empty(), "calls without results before {role}: {open:?}");
                let calls = message["tool_calls"].as_array().into_iter().flatten();
                open.extend(calls.map(|call| call["id"].as_str().unwrap()));
            }
        }
    }
    assert!(open.is_empty(), "calls without results: {open:?}");
}

fn files_below(folder: &Path) -> Vec<String> {
    crate::sessions::tree(folder).into_iter().map(|(name, _, _)| name).collect()
}

fn exported(bench: &Bench, id: &str) -> Vec<Value> {
    let lines = bench.run(&["sessions", "export", id]).expect(0).stdout;
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The session that a run was begun with.
fn session(bench: &Bench) -> Option<String> {
    let listed = bench.run(&["sessions", "list", "--json"]).expect(0).json();
    let row = listed.as_array().unwrap().iter().find(|row| row["status"].is_string())?;
    Some(row["id"].as_str().unwrap().to_owned())
}

fn stored_results(bench: &Bench) -> usize {
    let rows = session(bench).map(|id| exported(bench, &id)).unwrap_or_default();
    rows.iter().filter(|row| row["kind"] == "result").count()
}

/// When a run is killed.
#[derive(Clone, Copy)]
enum Moment {
    /// It waits for the answer that follows so many.
    Answer(usize),
    /// The command of this step runs.
    Command(usize),
    /// So long after its start.
    After(Duration),
}

impl Moment {
    fn prepare(self, bench: &Bench, server: &Server) {
        match self {
            Self::Answer(step) => server.hold(Some(step)),
            Self::Command(step) => bench.write(&format!("hold{step}"), ""),
            Self::After(_) => {}
        }
    }

    fn wait(self, bench: &Bench, server: &Server) {
        match self {
            Self::Answer(step) => {
                until("the model is asked", || server.is_waited_for());
                // The results of the last step are stored beside the request.
                until("what it is asked with is stored", || stored_results(bench) == step * 3);
            }
            Self::Command(step) => until("the command runs", || bench.workspace().join(format!("at{step}")).exists()),
            Self::After(time) => std::thread::sleep(time),
        }
    }

    fn over(self, bench: &Bench, server: &Server) {
        match self {
            Self::Answer(_) => server.hold(None),
            Self::Command(step) => std::fs::remove_file(bench.workspace().join(format!("hold{step}"))).unwrap(),
            Self::After(_) => {}
        }
    }
}

/// Kills of one round.
struct Round {
    killed: usize,
    interrupted: usize,
}

/// Killed at these moments, then left to end.
fn round(seed: u64, moments: &[Moment]) -> Round {
    let mut moments = moments.iter();
    let marker = format!("31.{}{seed}", std::process::id());
    let server = Server::start(marker.clone());
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let mut acknowledged: Vec<Value> = Vec::new();
    let mut killed = 0;
    let id = loop {
        let id = session(&bench);
        let mut arguments = vec!["--json", "--quiet"];
        match &id {
            None => arguments.extend(["run", "go", "--mode", "yolo", "--model", "openai:gpt-4o"]),
            Some(id) => arguments.extend(["sessions", "resume", id]),
        }
        arguments.rotate_left(2);
        let moment = moments.next();
        moment.iter().for_each(|moment| moment.prepare(&bench, &server));
        let mut command = bench.command(&arguments);
        command.env("OPENAI_BASE_URL", &server.address).env("OPENAI_API_KEY", "sk-x");
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        if let Some(moment) = moment {
            moment.wait(&bench, &server);
            if child.try_wait().unwrap().is_none() {
                child.kill().unwrap();
                killed += 1;
            }
        }
        let ended = crate::harness::ended(child.wait_with_output().unwrap());
        moment.iter().for_each(|moment| moment.over(&bench, &server));
        until_gone(&format!("sleep {marker}"));
        if let Some(id) = &id {
            let now = exported(&bench, id);
            assert_eq!(now[..acknowledged.len()], acknowledged[..], "{seed}: what was kept is still there, as it was");
            acknowledged = now;
        }
        if ended.code >= 0 {
            let ended = ended.expect(0).json();
            assert_eq!(ended["status"], "success", "{seed}: {ended}");
            break ended["session"].as_str().unwrap().to_owned();
        }
    };
    Round { killed, interrupted: check(seed, (&bench, &server), &id) }
}

/// The end of a round, whatever happened before.
fn check(seed: u64, (bench, server): (&Bench, &Server), id: &str) -> usize {
    let rows = exported(bench, id);
    let numbers: Vec<u64> = rows.iter().map(|row| row["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=rows.len() as u64).collect::<Vec<_>>(), "{seed}");
    let of = |kind: &str| rows.iter().filter(|row| row["kind"] == kind).cloned().collect::<Vec<_>>();

    // Each answer once, with what it was billed.
    let answers = of("answered");
    let usage = |row: &Value| (row["usage"]["input"].as_u64().unwrap(), row["usage"]["output"].as_u64().unwrap());
    let paid: Vec<(u64, u64)> = answers.iter().map(usage).collect();
    assert_eq!(paid, (0..=STEPS).map(billed).collect::<Vec<_>>(), "{seed}");
    let row = bench.run(&["sessions", "list", "--json"]).expect(0).json();
    let row = row.as_array().unwrap().iter().find(|row| row["id"] == id).unwrap().clone();
    assert_eq!(row["tokens"], paid.iter().map(|(input, output)| input + output).sum::<u64>(), "{seed}");
    let dollars: f64 = paid.iter().map(|(input, output)| *input as f64 * 2.5e-6 + *output as f64 * 1e-5).sum();
    assert!((row["cost"].as_f64().unwrap() - dollars).abs() < 1e-9, "{seed}: {row} is not {dollars}");

    // Each call once, with one result.
    let results = of("result");
    let mut outcomes: BTreeMap<String, String> = BTreeMap::new();
    for result in &results {
        let call = result["call"].as_str().unwrap().to_owned();
        let before = outcomes.insert(call.clone(), result["outcome"].as_str().unwrap().to_owned());
        assert_eq!(before, None, "{seed}: {call} has two results");
    }
    assert_eq!(outcomes.len(), STEPS * 3, "{seed}: {outcomes:?}");

    // What was sent was whole, and holds what is kept and nothing else.
    let received = server.state.received.lock().unwrap();
    received.iter().for_each(|messages| assert_whole(messages));
    let kept: HashMap<&str, &str> =
        results.iter().map(|row| (row["call"].as_str().unwrap(), row["content"].as_str().unwrap())).collect();
    let last = received.iter().max_by_key(|messages| messages.len()).unwrap();
    for message in last.iter().filter(|message| message["role"] == "tool") {
        let call = message["tool_call_id"].as_str().unwrap();
        assert_eq!(message["content"].as_str(), kept.get(call).copied(), "{seed}: {call}");
    }

    // What began is not done again, what is said to be done was done once.
    let log = std::fs::read_to_string(bench.workspace().join("log.txt")).unwrap_or_default();
    for step in 0..STEPS {
        let times = log.lines().filter(|line| *line == step.to_string()).count();
        match outcomes[&format!("r{step}")].as_str() {
            "done" => assert_eq!(times, 1, "{seed}: step {step} in {log:?}"),
            outcome => assert!(times <= 1, "{seed}: step {step}, {outcome}, in {log:?}"),
        }
    }

    // Nothing is left over.
    let usual = |name: &String| name == "a.txt" || name == "log.txt" || name.starts_with('f') || name.starts_with("at");
    until("nothing is left in the workspace", || files_below(&bench.workspace()).iter().all(usual));
    let left: Vec<String> = files_below(&bench.home())
        .into_iter()
        .filter(|name| name.contains(".tmp") || (name.starts_with("claims/") && name.len() > 7))
        .collect();
    assert_eq!(left, [] as [String; 0], "{seed}");
    outcomes.values().filter(|outcome| *outcome == "interrupted").count()
}

#[test]
fn killed_between_and_within_its_steps_every_run_goes_on_and_nothing_is_lost_or_doubled() {
    use Moment::{Answer, Command};
    let rounds = [
        [Answer(0), Answer(0)],
        [Command(0), Command(2)],
        [Answer(1), Command(STEPS - 1)],
        [Command(STEPS - 1), Answer(STEPS)],
        [Answer(3), Answer(STEPS)],
    ];
    for (seed, moments) in (0..).zip(rounds) {
        let Round { killed, interrupted } = round(seed, &moments);
        let in_commands = moments.iter().filter(|moment| matches!(moment, Command(_))).count();
        assert_eq!(killed, moments.len(), "{seed}");
        assert!(interrupted >= in_commands && (interrupted == 0) == (in_commands == 0), "{seed}: {interrupted}");
    }
}

mod stress {
    use super::*;
    use std::time::Instant;

    /// A number that looks random.
    struct Dice(u64);

    impl Dice {
        fn roll(&mut self, below: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % below.max(1)
        }
    }

    #[test]
    #[ignore = "cargo xtask stress"]
    fn killed_at_any_moment_every_run_goes_on_and_nothing_is_lost_or_doubled() {
        let rounds: u64 = std::env::var("PALANCA_TEST_REPEAT").ok().and_then(|text| text.parse().ok()).unwrap_or(40);
        let calm = Server::start("31.calm".to_owned());
        let bench = Bench::new(&[("a.txt", "one\n")]);
        let begun = Instant::now();
        let mut command = bench.command(&["run", "go", "--mode", "yolo", "--model", "openai:gpt-4o", "--json"]);
        let ended = command.env("OPENAI_BASE_URL", &calm.address).env("OPENAI_API_KEY", "sk-x").output().unwrap();
        let whole = begun.elapsed();
        let report = crate::harness::ended(ended).expect(0).json();
        assert_eq!(check(u64::MAX, (&bench, &calm), report["session"].as_str().unwrap()), 0);

        let (mut killed, mut interrupted) = (0, 0);
        for seed in 0..rounds {
            // Another process has other moments: the failing one is named by what it leaves, not by its number.
            let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(std::process::id()));
            let mut moment = || Moment::After(Duration::from_micros(dice.roll(whole.as_micros() as u64)));
            let round = round(seed, &[moment(), moment()]);
            killed += round.killed;
            interrupted += round.interrupted;
            if seed % 100 == 99 {
                eprintln!("{} rounds, {killed} kills, {interrupted} calls cut off", seed + 1);
            }
        }
        eprintln!("{rounds} rounds, {killed} kills, {interrupted} calls cut off, one run takes {whole:?}");
        // Not by chance: most rounds must have been killed, and some calls in the middle of their work.
        assert!(killed as u64 * 2 > rounds && interrupted > 0, "{killed} kills, {interrupted} interrupted calls");
    }
}
