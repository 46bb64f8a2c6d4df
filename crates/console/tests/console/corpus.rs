//! Every row of the corpus of requests to a console, over real connections.

use crate::world::{World, read};
use palanca_core::ports::{Answer, Question, Questions as _, wait};
use palanca_store::KeyKind;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::time::Duration;

const ROWS: &str = include_str!("../data/webui.jsonl");

/// What stands for `$…` in a row.
struct Words {
    world: World,
    revoked: String,
    other: String,
    used: BTreeMap<String, usize>,
}

impl Words {
    fn new() -> Self {
        let world = World::new(Vec::new());
        let keys = world.keys();
        let hour = Duration::from_secs(3600);
        let revoked = wait(keys.make((KeyKind::Token, "old"), hour, None)).unwrap();
        wait(keys.end(&revoked.kept.id, "test")).unwrap();
        let other = wait(keys.make((KeyKind::Link, "berta"), hour, None)).unwrap();
        Self { world, revoked: revoked.secret, other: other.secret, used: BTreeMap::new() }
    }

    fn put(&self, text: &str, question: &Question) -> String {
        let token = &self.world.token;
        text.replace("$PORT", &self.world.address.port().to_string())
            .replace("$TOKEN_PREFIX", &token[..token.len() - 3])
            .replace("$MCP_TOKEN", &self.other)
            .replace("$REVOKED", &self.revoked)
            .replace("$TOKEN", token)
            .replace("$OTHER_DIGEST", &"1".repeat(64))
            .replace("$DIGEST", &question.digest.to_hex())
            .replace("$ID", question.id.as_str())
    }

    fn body(&self, row: &Value, question: &Question) -> Option<String> {
        Some(match &row["body"] {
            Value::Null => return None,
            Value::String(word) if word == "$20MB" => "a".repeat(20 << 20),
            Value::String(word) if word == "$DEEPJSON" => "[".repeat(100_000),
            Value::String(text) => self.put(text, question),
            other => self.put(&other.to_string(), question),
        })
    }

    fn request(&self, row: &Value, question: &Question) -> String {
        let (method, path) = (row["method"].as_str().unwrap(), self.put(row["path"].as_str().unwrap(), question));
        let mut request = format!("{method} {path} HTTP/1.1\r\n");
        let body = self.body(row, question);
        let headers = row["headers"].as_object().unwrap();
        for (name, value) in headers {
            request += &format!("{name}: {}\r\n", self.put(value.as_str().unwrap(), question));
        }
        if !headers.contains_key("Content-Length") && (body.is_some() || method == "POST") {
            request += &format!("Content-Length: {}\r\n", body.as_deref().unwrap_or_default().len());
        }
        if !headers.contains_key("Connection") {
            request += "Connection: close\r\n";
        }
        format!("{request}\r\n{}", body.unwrap_or_default())
    }
}

fn statuses(row: &Value) -> Vec<u16> {
    let also = row["also_ok"].as_array().into_iter().flatten().chain([&row["expect"]]);
    also.map(|status| u16::try_from(status.as_u64().unwrap()).unwrap()).collect()
}

/// The question that a row is about, as the row wants it.
fn question(words: &Words, row: &Value) -> Question {
    match row["before"].as_str() {
        Some("deny") => {
            let asked = words.world.asked(1);
            wait(words.world.desk().settle(&asked, Answer::No)).unwrap();
            asked
        }
        Some("timeout") => {
            let mut asked = palanca_testkit::questions::question(1);
            wait(words.world.desk_for(Duration::ZERO).open(&mut asked)).unwrap();
            asked
        }
        Some(other) => panic!("{other}: an unknown beginning"),
        None => words.world.asked(1),
    }
}

pub fn every_row_as_labelled() {
    let mut words = Words::new();
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in ROWS.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        count += 1;
        // A crowd has a test of its own; ten thousand connections are for the stress tests of the listener.
        if row["concurrent"].is_number() || row["slowloris"].is_number() {
            *words.used.entry("elsewhere".to_owned()).or_default() += 1;
            continue;
        }
        let asked = question(&words, &row);
        let mut stream = words.world.begin(&words.request(&row, &asked));
        let answer = if row["expect"] == 101 {
            let mut start = [0; 12];
            stream.read_exact(&mut start).unwrap();
            stream.flush().unwrap();
            String::from_utf8_lossy(&start)[9..].parse().unwrap()
        } else {
            let answer = read(stream);
            if let Some(headers) = row["must_have"].as_object() {
                for name in headers.keys() {
                    let value = answer.header(name).unwrap_or_default();
                    let ok = match &**name {
                        "Content-Security-Policy" => {
                            value.contains("default-src 'self'")
                                && value.contains("frame-ancestors 'none'")
                                && !value.contains("unsafe")
                        }
                        name => value == headers[name],
                    };
                    if !ok {
                        wrong.push(format!("{}: {name}: {value}", row["id"]));
                    }
                }
            }
            assert!(answer.header("access-control-allow-origin").is_none(), "{row}");
            answer.status
        };
        // A row that is not strict says that it is refused, not how.
        let is_refused_otherwise = row["strict"] == false && row["outcome"] == "refuse" && (400..500).contains(&answer);
        if !statuses(&row).contains(&answer) && !is_refused_otherwise {
            wrong.push(format!("{}: {answer}, {:?} wanted: {}", row["id"], statuses(&row), row["why"]));
        }
        // What was refused decided nothing.
        let is_refused = row["outcome"] == "refuse" && answer != 200 && row["before"].is_null();
        if is_refused && wait(words.world.desk().ruled(&asked)).unwrap().is_some() {
            wrong.push(format!("{}: refused, but it counted", row["id"]));
        }
        *words.used.entry(answer.to_string()).or_default() += 1;
    }
    eprintln!("{count} rows: {:?}", words.used);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

pub fn every_route_wants_a_key() {
    let world = World::new(Vec::new());
    let address = world.address;
    for path in [
        "/api",
        "/api/health",
        "/api/events",
        "/api/approvals",
        "/api/approvals/1",
        "/api/sessions",
        "/api/sessions/1",
        "/api/sessions/1/events",
        "/api/bots",
        "/api/tools",
        "/api/tools/1",
        "/api/anything",
        "/ws",
    ] {
        let answer = world.send(&format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"));
        let problem = answer.json(401);
        assert_eq!((answer.header("www-authenticate"), &problem["status"]), (Some("Bearer"), &json!(401)), "{path}");
    }
    for path in ["/api", "/api/anything"] {
        assert!(world.get(path).json(404)["detail"].as_str().unwrap().contains(path));
    }
    for path in ["/api/bots/ana/chats/1/messages", "/api/bots/ana/chats/1/stop", "/api/approvals/1/approve"] {
        let head = format!("POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
        let answer = world.send(&format!("{head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}"));
        assert_eq!(answer.json(401)["status"], 401, "{path}");
    }
    // A token ends with its person's word.
    let token = world.keys().tokens(palanca_store::Which::Active).unwrap();
    wait(world.keys().end(&token[0].id, "test")).unwrap();
    world.get("/api/health").json(401);
}
