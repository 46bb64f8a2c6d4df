//! Telephone calls of a process that is killed: placed once or never, and what is kept says what is known of it.

use crate::harness::Bench;
use palanca_testkit::until;
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// When the process is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    /// A hook of the operator holds the call.
    BeforeTheRequest,
    /// The service has the request and has not answered.
    DuringIt,
    /// The answer was sent, and it is killed at once.
    AfterTheAnswer,
    /// The answer was sent, and the store takes no rows.
    BeforeTheRow,
}

/// In place of Twilio's service, it answers when it is let.
struct Carrier {
    port: u16,
    asked: Arc<AtomicUsize>,
    answers: mpsc::Sender<()>,
    answered: Arc<AtomicUsize>,
}

impl Carrier {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (asked, answered) = <(Arc<AtomicUsize>, Arc<AtomicUsize>)>::default();
        let (answers, let_answer) = mpsc::channel();
        let (own_asked, own_answered) = (Arc::clone(&asked), Arc::clone(&answered));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                answer(stream, &own_asked, &let_answer);
                own_answered.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { port, asked, answers, answered }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    fn lets_answer(&self) {
        self.answers.send(()).unwrap();
    }
}

/// Takes one request, and waits until it may be answered.
fn answer(mut stream: TcpStream, asked: &AtomicUsize, let_answer: &mpsc::Receiver<()>) {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
        head.push(byte[0]);
    }
    let lower = String::from_utf8_lossy(&head).to_ascii_lowercase();
    let length = lower.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    if length == 0 || stream.read_exact(&mut body).is_err() {
        return;
    }
    asked.fetch_add(1, Ordering::SeqCst);
    let _ = let_answer.recv();
    let body = r#"{"sid": "CA0123456789abcdef", "status": "queued"}"#;
    let head = "HTTP/1.1 201 X\r\nContent-Type: application/json\r\nContent-Length: ";
    // ignored: whoever asked may have been killed.
    let _ = stream.write_all(format!("{head}{}\r\n\r\n{body}", body.len()).as_bytes());
}

/// What is kept of the call, after the process was killed then and the session was taken up.
fn killed(moment: Moment) -> (usize, Value) {
    let carrier = Carrier::start();
    let bench = Bench::new(&[("data/contacts.json", r#"{"Ana": "+5491155550000"}"#)]);
    let hook = "touch at-hook; while test -e hold; do sleep 0.02; done";
    let config = bench.home().with_file_name("phone.yaml");
    let own = "accountSid: AC1, authToken: token-of-the-account, fromNumber: '+15550001111'";
    let phone = format!("phoneCall: {{enabled: true, {own}, baseUrl: 'http://127.0.0.1:{}'}}", carrier.port);
    let hooks = format!("hooks: {{pre_tool_use: [{{name: hold, command: \"{hook}\", timeout: 300}}]}}");
    std::fs::write(&config, format!("bots: [{{id: ana, name: Ana}}]\n{phone}\n{hooks}\n")).unwrap();
    let call = json!({"content": "", "tool_calls": [
        {"id": "c", "name": "phone_call", "arguments": {"action": "call", "contact": "ana", "message": "Hello"}},
    ]});
    let model = |name: &str, answers: &[Value]| {
        let lines: String = answers.iter().map(|answer| format!("{answer}\n")).collect();
        let file = bench.home().with_file_name(name);
        std::fs::write(&file, lines).unwrap();
        format!("replay:{}", file.display())
    };
    let config = config.display().to_string();
    let with = |arguments: &[&str]| bench.command(&[&["-c", &config, "--bot", "ana"], arguments].concat());
    if moment == Moment::BeforeTheRequest {
        bench.write("hold", "");
    }
    let first = model("m.jsonl", &[call, json!({"content": "Done."})]);
    let mut command = with(&["run", "Call Ana", "--model", &first, "--mode", "yolo"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let database = rusqlite::Connection::open(bench.home().join("palanca.db"));
    match moment {
        Moment::BeforeTheRequest => until("the hook holds it", || bench.workspace().join("at-hook").exists()),
        _ => until("the service is asked", || carrier.asked() == 1),
    }
    match moment {
        Moment::BeforeTheRequest | Moment::DuringIt => {}
        Moment::AfterTheAnswer | Moment::BeforeTheRow => {
            let database = database.unwrap();
            if moment == Moment::BeforeTheRow {
                database.busy_timeout(palanca_testkit::PATIENCE).unwrap();
                database.execute_batch("BEGIN IMMEDIATE").unwrap();
            }
            carrier.lets_answer();
            until("it was answered", || carrier.answered.load(Ordering::SeqCst) == 1);
            if moment == Moment::BeforeTheRow {
                // Time to hand in the row, which is not stored.
                std::thread::sleep(Duration::from_millis(200));
            }
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let _ = std::fs::remove_file(bench.workspace().join("hold"));
    // Whoever is asked from now on is answered.
    (0..4).for_each(|_| carrier.lets_answer());
    let again = model("again.jsonl", &[json!({"content": "Done."})]);
    let resumed = crate::harness::ended(
        with(&["sessions", "resume", "latest", "--model", &again, "--mode", "yolo"]).output().unwrap(),
    );
    let resumed = resumed.expect(0);
    let export = crate::harness::ended(with(&["sessions", "export", "latest"]).output().unwrap()).expect(0).stdout;
    let rows: Vec<Value> = export.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut results = rows.into_iter().filter(|row| row["kind"] == "result");
    let result = results.next().unwrap_or_else(|| panic!("{moment:?}: {} {export}", resumed.stderr));
    assert!(results.next().is_none(), "{moment:?}: {export}");
    (carrier.asked(), result)
}

#[test]
fn a_call_that_is_killed_is_placed_once_or_never_and_the_record_says_which() {
    for moment in [Moment::BeforeTheRequest, Moment::DuringIt, Moment::AfterTheAnswer, Moment::BeforeTheRow] {
        let (placed, result) = killed(moment);
        let (outcome, said) = (result["outcome"].as_str().unwrap(), result["content"].as_str().unwrap());
        assert_eq!(placed, 1, "{moment:?}: {result}");
        match (moment, outcome) {
            // It had not begun, so it was done when the session was taken up; or it ended, and its row was stored.
            (Moment::BeforeTheRequest | Moment::AfterTheAnswer, "done") => {
                assert!(said.contains("Calling +5491155550000"), "{moment:?}: {result}");
            }
            (Moment::DuringIt | Moment::AfterTheAnswer | Moment::BeforeTheRow, "interrupted") => {
                assert!(said.contains("may have been done"), "{moment:?}: {result}");
            }
            _ => panic!("{moment:?}: {result}"),
        }
    }
}
