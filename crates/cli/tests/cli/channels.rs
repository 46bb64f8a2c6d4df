//! `message` through the binary: the terminal, a webhook that is a real server, and whose word the configuration is.

use crate::harness::{Bench, Ended, ended};
use palanca_channels::{Secret, signature};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

const SECRET: &str = "shared-by-both-sides-2719";

/// One request as it arrived.
struct Posted {
    line: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl Posted {
    fn header(&self, name: &str) -> &str {
        &self.headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).unwrap_or_else(|| panic!("{name}")).1
    }
}

fn read(stream: &TcpStream) -> Posted {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).unwrap();
        let Some((name, value)) = header.trim_end().split_once(": ") else { break };
        headers.push((name.to_owned(), value.to_owned()));
    }
    let posted = Posted { line: line.trim_end().to_owned(), headers, body: String::new() };
    let mut body = vec![0; posted.header("content-length").parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    Posted { body: String::from_utf8(body).unwrap(), ..posted }
}

/// Answers each connection with the next head, or hangs up on an empty one; gives back what was posted.
fn server(answers: &[&str]) -> (String, std::thread::JoinHandle<Vec<Posted>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/hook", listener.local_addr().unwrap());
    let answers: Vec<String> = answers.iter().map(|answer| (*answer).to_owned()).collect();
    let posted = std::thread::spawn(move || {
        let mut all = Vec::new();
        for answer in answers {
            let (mut stream, _) = listener.accept().unwrap();
            all.push(read(&stream));
            stream.write_all(answer.as_bytes()).unwrap();
        }
        all
    });
    (address, posted)
}

const OK: &str = "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";

fn webhook(url: &str) -> String {
    format!(
        "channels:\n  ops: {{kind: webhook, url: '{url}', secret: '${{OPS_SIGN}}', default_to: alerts, timeout: 120}}\n"
    )
}

fn tell(bench: &Bench, arguments: &Value, more: &[&str]) -> Ended {
    let arguments = arguments.to_string();
    let mut all = vec!["--toolset", "picoclaw", "--mode", "yolo", "call", "message", &arguments, "--json"];
    all.extend(more);
    ended(bench.command(&all).env("OPS_SIGN", SECRET).output().unwrap())
}

#[test]
fn without_configuration_the_terminal_is_there_by_its_name() {
    let bench = Bench::new(&[]);
    for (arguments, code, expected) in [
        (json!({"content": "hola"}), 0, json!("Message sent to terminal:user")),
        (
            json!({"content": "hola", "channel": "telegram", "to": "123456"}),
            1,
            json!({"error": "Message sending not configured"}),
        ),
        (json!({"content": "hola", "channel": "terminal"}), 0, json!("Message sent to terminal:user")),
    ] {
        let told = tell(&bench, &arguments, &[]).expect(code);
        assert_eq!(told.json(), expected);
        let shown = if code == 0 { "[terminal:user] hola\n" } else { "" };
        assert_eq!(told.stderr.contains("[terminal:user] hola\n"), !shown.is_empty(), "{}", told.stderr);
    }
    let steering = json!({"content": "a\u{1b}[2Jb\n[terminal:boss] c", "channel": "terminal", "to": "ana"});
    let told = tell(&bench, &steering, &[]).expect(0);
    assert!(told.stderr.contains("[terminal:ana] a\\u{1b}[2Jb\n  [terminal:boss] c\n"), "{}", told.stderr);
    assert!(!told.stdout.contains("boss"), "results go to stdout and nothing else does: {}", told.stdout);
    let asked =
        bench.run(&["--toolset", "picoclaw", "call", "message", "{\"content\": \"x\", \"channel\": \"terminal\"}"]);
    assert!(!asked.expect(6).stderr.contains("[terminal:user]"), "nobody said yes");
}

#[test]
fn a_webhook_gets_one_signed_post() {
    let (url, posted) = server(&[OK]);
    let bench = Bench::new(&[("../mine.yaml", &webhook(&url))]);
    let told = tell(&bench, &json!({"content": "listo ✓"}), &["-c", "../mine.yaml"]).expect(0);
    assert_eq!(told.json(), json!("Message sent to ops:alerts"));
    let posted = posted.join().unwrap();
    let [post] = posted.as_slice() else { panic!("one post") };
    assert_eq!(post.line, "POST /hook HTTP/1.1");
    let expected = signature(&Secret::new(SECRET).unwrap(), post.header("x-palanca-timestamp"), post.body.as_bytes());
    assert_eq!(post.header("x-palanca-signature"), expected);
    let body: Value = serde_json::from_str(&post.body).unwrap();
    assert_eq!((&body["channel"], &body["to"], &body["content"]), (&json!("ops"), &json!("alerts"), &json!("listo ✓")));
    assert!(body["id"].as_str().unwrap().len() == 36 && body["sent_at"].as_str().unwrap().ends_with('Z'), "{body}");
}

#[test]
fn a_lost_connection_is_tried_once_more_with_the_same_id() {
    let (url, posted) = server(&["", OK]);
    let bench = Bench::new(&[("../mine.yaml", &webhook(&url))]);
    tell(&bench, &json!({"content": "x"}), &["-c", "../mine.yaml"]).expect(0);
    let posted = posted.join().unwrap();
    assert_eq!((posted.len(), &posted[0].body), (2, &posted[1].body));
}

#[test]
fn redirects_and_refusals_are_said_and_no_secret_is_told() {
    let (url, posted) =
        server(&["HTTP/1.1 307 Elsewhere\r\nlocation: http://127.0.0.1:1/\r\nconnection: close\r\n\r\n"]);
    let bench = Bench::new(&[("../mine.yaml", &webhook(&url))]);
    let told = tell(&bench, &json!({"content": "x"}), &["-c", "../mine.yaml"]).expect(1);
    assert!(told.stdout.contains("it answered 307, and redirects are not followed"), "{}", told.stdout);
    assert_eq!(posted.join().unwrap().len(), 1);
    for content in [SECRET.to_owned(), SECRET.chars().rev().collect(), format!("it is {}", SECRET.replace('-', " - "))]
    {
        let told = tell(&bench, &json!({ "content": content }), &["-c", "../mine.yaml"]);
        let told = if content.starts_with("9172") { continue } else { told.expect(6) };
        assert!(told.stdout.contains("would send the secret channels.ops.secret to people"), "{}", told.stdout);
        assert!(!told.stdout.contains(SECRET) && !told.stderr.contains(SECRET));
    }
    let shown =
        ended(bench.command(&["-c", "../mine.yaml", "config", "show"]).env("OPS_SIGN", SECRET).output().unwrap());
    assert!(shown.stdout.contains("channels.ops.secret") && !shown.stdout.contains(SECRET), "{}", shown.stdout);
}

#[test]
fn a_workspace_opens_no_way_out_until_it_is_trusted() {
    let bench = Bench::new(&[("palanca.yaml", &webhook("http://127.0.0.1:1/hook"))]);
    let told = tell(&bench, &json!({"content": "x", "channel": "ops"}), &[]).expect(1);
    assert_eq!(told.json(), json!({"error": "Message sending not configured"}));
    assert!(told.stderr.contains("has trusted this file yet: channels.ops.secret, channels.ops."), "{}", told.stderr);
    let why = bench.run(&["config", "check"]).stderr;
    assert!(why.contains("channels.ops: is not applied: it opens a way out"), "{why}");
    bench.run(&["config", "trust"]).expect(0);
    let told = tell(&bench, &json!({"content": "x", "channel": "ops"}), &[]).expect(1);
    assert!(told.stdout.contains("'ops' could not be reached"), "{}", told.stdout);
}

#[test]
fn what_a_channel_lacks_is_named() {
    for (text, says) in [
        ("ops: {kind: webhook, secret: x}", "channels.ops: a webhook needs `url`"),
        ("ops: {kind: webhook, url: 'http://a.example/'}", "channels.ops: a webhook needs a secret"),
        ("ops: {kind: webhook, url: 'http://a.example/', secret: ' '}", "channels.ops: a webhook needs a secret"),
        (
            "ops: {kind: webhook, url: 'ftp://a.example/', secret: x}",
            "channels.ops: `url` is not an http or https address",
        ),
        ("ops: {kind: webhook, url: 'http://u:p@a.example/', secret: x}", "channels.ops: `url` is not an http"),
        ("ops: {kind: webhook, url: 'http://a.example/', secret_env: NOT_SET}", "the variable NOT_SET"),
        ("ops: {kind: webhook, url: 'http://a.example/', secret: x, timeout: 0}", "channels.ops.timeout"),
        ("ops: {kind: pigeon}", "channels.ops.kind"),
        ("ops: {url: 'http://a.example/'}", "kind"),
        ("ops: {kind: terminal, adress: x}", "channels.ops.adress"),
    ] {
        let bench = Bench::new(&[("../mine.yaml", &format!("channels:\n  {text}\n"))]);
        let told = tell(&bench, &json!({"content": "x"}), &["-c", "../mine.yaml"]).expect(3);
        assert!(told.stderr.contains(says), "{text}: {}", told.stderr);
        assert!(!told.stderr.contains("u:p"), "{}", told.stderr);
    }
}

#[test]
fn rules_and_explain_know_messages() {
    let rules = "[[rule]]\nid = 'alerts'\ndecision = 'allow'\neffect = 'message'\nchannels = ['ops']\nto = ['alerts']\n\
                 matches = [{ message = 'ops:alerts' }]\nnot_matches = [{ message = 'ops:press' }]\n\
                 [[rule]]\nid = 'press'\ndecision = 'deny'\neffect = 'message'\nchannels = ['*']\nto = ['press']\n\
                 matches = [{ message = 'ops:Press' }]\nnot_matches = [{ message = 'ops:alerts' }]\n";
    let (url, posted) = server(&[OK]);
    let text = format!("{}approvals: {{rules_file: ../rules.toml}}\n", webhook(&url));
    let bench = Bench::new(&[("../mine.yaml", &text), ("../rules.toml", rules)]);
    let run = |arguments: &[&str]| {
        let all = [&["-c", "../mine.yaml", "--toolset", "picoclaw"], arguments].concat();
        ended(bench.command(&all).env("OPS_SIGN", SECRET).output().unwrap())
    };
    // In the usual mode, with nobody there to ask.
    let told = run(&["call", "message", "{\"content\": \"x\"}"]).expect(0);
    assert_eq!(told.stdout.trim(), "Message sent to ops:alerts");
    assert_eq!(posted.join().unwrap().len(), 1);
    run(&["call", "message", "{\"content\": \"x\", \"to\": \"night\"}"]).expect(6);
    let denied =
        run(&["--mode", "yolo", "call", "message", "{\"content\": \"x\", \"to\": \"PRESS\"}", "--json"]).expect(6);
    assert!(denied.stdout.contains("press"), "{}", denied.stdout);
    let explained = run(&["explain", "message", "{\"content\": \"x\", \"to\": \"night\"}", "--json"]).json();
    let effect = json!([{"message": {"channel": "ops", "to": "night", "text": "x"}}]);
    assert_eq!(explained["effects"], effect);
    run(&["check", "rules", "../rules.toml"]).expect(0);
}

#[test]
fn hooks_see_the_message_and_what_it_does() {
    let hook = "hooks: {pre_tool_use: [{command: 'cat > seen.json'}]}\n";
    let bench = Bench::new(&[("../mine.yaml", hook)]);
    tell(&bench, &json!({"content": "hola", "channel": "terminal"}), &["-c", "../mine.yaml"]).expect(0);
    let seen = bench.read("seen.json");
    for part in ["\"hola\"", "\"terminal\"", "message"] {
        assert!(seen.contains(part), "{part}: {seen}");
    }
}
