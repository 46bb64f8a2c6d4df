//! The console of `palanca serve`: people with tokens, and a run that waits for an answer in it.

use crate::harness::Bench;
use crate::serve::Serving;
use palanca_testkit::waiting::some;
use palanca_testkit::{PATIENCE, until};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

/// The model's side: a write, then its last words.
const WRITES: &str = concat!(
    r#"{"content": "", "tool_calls": [{"id": "w", "name": "write_file", "arguments": "{\"path\": \"a.txt\", \"content\": \"x\\n\"}"}]}"#,
    "\n{\"content\": \"written\"}\n"
);

/// Where the console of this server listens.
fn address(serving: &Serving) -> String {
    some("it says where", || {
        let said = serving.stderr();
        let (_, rest) = said.split_once("Console: http://")?;
        Some(rest.split(". ").next()?.to_owned()).filter(|address| address.starts_with("127.0.0.1:"))
    })
}

fn ask(address: &str, token: &str, (method, path): (&str, &str), body: Option<&Value>) -> (u16, Value) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let body = body.map(Value::to_string).unwrap_or_default();
    let head = format!(
        "Host: {address}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\nContent-Type: application/json"
    );
    write!(stream, "{method} {path} HTTP/1.1\r\n{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}")))
}

fn token(bench: &Bench, name: &str) -> String {
    let made = bench.run(&["tokens", "create", name]).expect(0);
    assert!(made.stderr.contains(name) && made.stderr.contains("shown this once"), "{}", made.stderr);
    made.stdout.trim_end().to_owned()
}

#[test]
fn a_run_waits_for_an_answer_in_the_console_of_another_process() {
    let bench = Bench::new(&[("r.jsonl", WRITES), ("wait.yaml", "approvals: {when_absent: wait}\n")]);
    let serving = Serving::begin(&mut bench.command(&["serve", "--listen", "127.0.0.1:0"]));
    let (address, token) = (address(&serving), token(&bench, "berta"));
    assert!(!serving.stderr().contains("plnc_"), "no key is written to a file: {}", serving.stderr());
    let run = ["run", "write it", "--model", "replay:r.jsonl", "-c", "wait.yaml"];
    let running = Serving::spawn(&mut bench.command(&run));
    let question = some("it asks", || {
        let open = ask(&address, &token, ("GET", "/api/approvals"), None).1;
        Some(open["items"][0].clone()).filter(|question| question.is_object())
    });
    until("it says that it waits", || running.stderr().contains("waiting for its answer"));
    assert!(!bench.workspace().join("a.txt").exists());
    let path = format!("/api/approvals/{}/approve", question["id"].as_str().unwrap());
    let body = json!({"decision": "approve", "digest": question["digest"]});
    let (status, answered) = ask(&address, &token, ("POST", &path), Some(&body));
    assert_eq!((status, &answered["question"]["answered_by"]), (200, &json!("berta (console)")), "{answered}");
    let ran = running.wait().expect(0);
    assert!(ran.stdout.ends_with("written\n"), "{} {}", ran.stdout, ran.stderr);
    assert_eq!(bench.read("a.txt"), "x\n");
    serving.end().expect(0);
}

#[test]
fn who_is_let_in() {
    let bench = Bench::new(&[]);
    assert!(bench.run(&["tokens", "list"]).expect(0).stderr.contains("There are no tokens"));
    let (one, two) = (token(&bench, "ana"), token(&bench, "José"));
    assert!(one.starts_with("plnc_token_") && one != two);
    let list = bench.run(&["tokens", "list"]).expect(0).stdout;
    assert!(list.contains("José  until ") && !list.contains(&one), "{list}");
    let rows = bench.run(&["tokens", "list", "--json"]).expect(0).json();
    let id = rows.as_array().unwrap().iter().find(|row| row["person"] == "ana").unwrap()["id"].as_str().unwrap();
    let serving = Serving::begin(&mut bench.command(&["serve", "--listen", "127.0.0.1:0"]));
    let address = address(&serving);
    assert_eq!(ask(&address, &one, ("GET", "/api/health"), None).1["person"], "ana");
    assert!(bench.run(&["tokens", "revoke", id]).expect(0).stdout.contains("of ana is revoked"));
    assert!(bench.run(&["tokens", "revoke", id]).expect(1).stderr.contains("was revoked before"));
    assert!(bench.run(&["tokens", "revoke", "zzz"]).expect(1).stderr.contains("no token 'zzz'"));
    assert_eq!(ask(&address, &one, ("GET", "/api/health"), None).0, 401);
    assert_eq!(ask(&address, &two, ("GET", "/api/health"), None).0, 200);
    for name in ["", " a", "a\nb", &"x".repeat(65)] {
        assert!(bench.run(&["tokens", "create", name]).expect(3).stderr.contains("characters that it may have: 64"));
    }
}

#[test]
fn where_it_may_not_listen_is_said() {
    let bench = Bench::new(&[]);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    for (address, words) in [("0.0.0.0:0", "0.0.0.0"), (&*taken, &*taken), ("nonsense", "nonsense")] {
        let listener = (address == taken).then(|| std::net::TcpListener::bind(&taken).unwrap());
        let refused = bench.run(&["serve", "--listen", address]).expect(3);
        assert!(refused.stderr.contains(words) && !refused.stderr.contains("panicked"), "{}", refused.stderr);
        assert!(!refused.stderr.contains("Ready."), "{}", refused.stderr);
        drop(listener);
    }
    let serving = Serving::begin(&mut bench.command(&["serve", "--no-console"]));
    until("it is ready", || serving.stderr().contains("Ready."));
    assert!(!serving.end().expect(0).stderr.contains("Console"));
}

#[test]
fn beyond_this_machine_it_needs_encryption_and_a_name() {
    let bench = Bench::new(&[("chain.pem", "nonsense"), ("key.pem", "nonsense")]);
    let open = ["serve", "--listen", "0.0.0.0:0"];
    let certificate = ["--tls-cert", "chain.pem", "--tls-key", "key.pem"];
    for (more, words) in [
        (&[][..], "--tls-cert"),
        (&["--host", "console.example"], "--trusted-proxy"),
        (&["--trusted-proxy", "10.0.0.0/8"], "--host"),
        (&["--trusted-proxy", "10.0.0.5", "--host", "a/b"], "'a/b' is not a host"),
        (&["--trusted-proxy", "elsewhere"], "10.0.0.5"),
        (&["--tls-cert", "chain.pem"], "--tls-key"),
        (&[&certificate[..], &["--host", "console.example"]].concat(), "The certificate"),
        (&["--tls-cert", "none.pem", "--tls-key", "key.pem", "--host", "console.example"], "none.pem"),
    ] {
        let refused = bench.run(&[&open[..], more].concat());
        assert!([2, 3].contains(&refused.code) && refused.stderr.contains(words), "{words}: {}", refused.stderr);
        assert!(!refused.stderr.contains("Ready."), "{}", refused.stderr);
    }
}

#[test]
fn behind_a_proxy_it_has_the_name_that_it_is_given() {
    let bench = Bench::new(&[]);
    let listen = ["serve", "--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1", "--host", "console.example"];
    let serving = Serving::begin(&mut bench.command(&listen));
    assert!(serving.stderr().contains("https://console.example. "), "{}", serving.stderr());
    serving.end().expect(0);
}

/// In a browser of Debian, driven by packages of npm.
mod peers {
    use super::{address, token};
    use crate::harness::Bench;
    use crate::serve::Serving;
    use palanca_testkit::{Manner, ScriptedServer, Turn, npm_installed};
    use serde_json::json;
    use std::path::Path;
    use std::process::Command;

    const CHROMIUM: &str = "/usr/bin/chromium";

    #[test]
    #[ignore = "cargo xtask peers"]
    fn a_person_in_a_browser() {
        let packages = ["puppeteer-core@24", "axe-core@4"];
        let below = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let Some(axe) = npm_installed(below, "browser", &packages, "axe-core/axe.min.js") else { return };
        if !Path::new(CHROMIUM).exists() {
            eprintln!("there is no {CHROMIUM}: apt-get install chromium");
            return;
        }
        let write =
            |chat: usize| Turn::calls([("file_write", json!({"path": format!("{chat}.txt"), "content": "x\n"}))]);
        // Each chat: a write, then the last words.
        let turns = (0..4).flat_map(|chat| [write(chat), Turn::text("written")]).collect();
        let server = ScriptedServer::spawn(turns, Manner::default());
        let llm = format!("llm: {{model: 'openai:a', api_base: '{}', api_key_env: PATH}}", server.openai_url());
        let bots = format!("{llm}\nfileTools: {{enabled: true}}\nbots: [{{id: ana, name: Ana}}]\n");
        let bench = Bench::new(&[("bots.yaml", &bots)]);
        let serving = Serving::begin(&mut bench.command(&["-c", "bots.yaml", "serve", "--listen", "127.0.0.1:0"]));
        let (base, token) = (format!("http://{}", address(&serving)), token(&bench, "ana"));
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/console/browser.mjs");
        let modules = axe.ancestors().nth(2).unwrap();
        let ran = Command::new("node").args([script]).arg(modules).args([CHROMIUM, &base, &token]).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stdout);
        assert!(ran.status.success() && said.contains("all holds"), "{said}\n{}", String::from_utf8_lossy(&ran.stderr));
        serving.end().expect(0);
    }
}
