//! A console of bots in temporary folders, with a scripted model, on a port of its own; and a client that sends what it is told.

use palanca_bots::Bots;
use palanca_console::{Console, ConsoleParts, Reach};
use palanca_core::Message;
use palanca_core::ports::{Lasts, Question, Questions as _, Reason, RuleDraft, wait};
use palanca_core::tool::Cancel;
use palanca_host::{Host, Notices, Places, configuration};
use palanca_net::listen::{ListenOptions, Listener};
use palanca_store::{Database, Desk, KeyKind, KeyRing};
use palanca_testkit::{Manner, PATIENCE, ScriptedServer, Turn};
use palanca_text::Locale;
use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::runtime::Runtime;

struct Deaf;

impl Notices for Deaf {
    fn warn(&self, _: &Message) {}
}

pub struct World {
    pub server: ScriptedServer,
    pub address: SocketAddr,
    pub database: Arc<Database>,
    pub token: String,
    stop: Cancel,
    folder: TempDir,
    // Last: everything else ends before it.
    _runtime: Runtime,
}

impl World {
    /// With a bot called ana, and a model that gives these answers.
    pub fn new(turns: Vec<Turn>) -> Self {
        let (folder, server) = (tempfile::tempdir().unwrap(), ScriptedServer::spawn(turns, Manner::default()));
        std::fs::create_dir(folder.path().join("work")).unwrap();
        // Any value is a key to the scripted server.
        let llm = format!("llm: {{model: 'openai:a', api_base: '{}', api_key_env: PATH}}", server.openai_url());
        let bots = "[{id: ana, name: Ana, description: 'helps'}, {id: eva}]";
        let text = format!("{llm}\nfileTools: {{enabled: true}}\nbots: {bots}\n");
        std::fs::write(folder.path().join("bots.yaml"), text).unwrap();
        let places = Places {
            state: Some(folder.path().join("state")),
            named: Some(folder.path().join("bots.yaml")),
            ..Places::default()
        };
        let host = Host::new(places, Arc::new(Deaf));
        let work = folder.path().join("work");
        let root = ("test", "workspace.root", work.display().to_string());
        let config = configuration::resolve(host.places(), &work, std::slice::from_ref(&root)).unwrap().config;
        let database = Arc::clone(host.database(&config).unwrap());
        let bots = Arc::new(Bots::open(&host, &work, &[root]).unwrap());
        let keys = KeyRing::new(Arc::clone(&database));
        let made = wait(keys.make((KeyKind::Token, "berta"), Duration::from_secs(3600), None)).unwrap();
        let (stop, locale) = (Cancel::new(), Locale::En);
        let parts =
            ConsoleParts { host, bots, config: Arc::new(config), locale, reach: Reach::Plain, cancel: stop.clone() };
        let console = Console::new(parts).unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let listener = runtime.block_on(Listener::bind(ListenOptions::local(0))).unwrap();
        let address = listener.address().unwrap();
        let until = stop.clone();
        runtime.spawn(async move { console.serve(listener, until).await });
        Self { server, address, database, token: made.secret, stop, folder, _runtime: runtime }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("work").join(name)
    }

    /// The file of the configuration.
    pub fn configuration(&self) -> PathBuf {
        self.folder.path().join("bots.yaml")
    }

    pub fn keys(&self) -> KeyRing {
        KeyRing::new(Arc::clone(&self.database))
    }

    /// A desk, as another process has it.
    pub fn desk(&self) -> Desk {
        self.desk_for(Duration::from_secs(3600))
    }

    pub fn desk_for(&self, ttl: Duration) -> Desk {
        let elsewhere = Database::lazy(self.database.path().parent().unwrap());
        Desk::new(Arc::new(elsewhere), ttl).person("carla (terminal)")
    }

    /// A question that somebody waits for.
    pub fn asked(&self, number: u32) -> Question {
        let mut question = palanca_testkit::questions::question(number);
        question.reasons =
            vec![Reason { rule: "confirm.sensitive".to_owned(), words: Message::new("confirm-why-sensitive") }];
        question.drafts = vec![RuleDraft {
            rule: "allow act".to_owned(),
            words: "act, whatever the number".to_owned().into(),
            lasts: Lasts::Session,
        }];
        wait(self.desk().open(&mut question)).unwrap();
        question
    }

    pub fn send(&self, request: &str) -> Answered {
        read(self.begin(request))
    }

    /// Sends it; the answer is to come.
    pub fn begin(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // ignored: whoever is refused early may be told before everything is sent.
        let _ = stream.write_all(request.as_bytes());
        stream
    }

    /// A request with a token.
    pub fn head(&self, method: &str, path: &str) -> String {
        let (address, token) = (self.address, &self.token);
        format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n")
    }

    pub fn get(&self, path: &str) -> Answered {
        self.send(&format!("{}\r\n", self.head("GET", path)))
    }

    pub fn post(&self, path: &str, body: &Value) -> Answered {
        self.send(&self.posting(path, body))
    }

    pub fn posting(&self, path: &str, body: &Value) -> String {
        let (head, body) = (self.head("POST", path), body.to_string());
        format!("{head}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len())
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

pub struct Answered {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answered {
    /// With this status, as JSON.
    #[track_caller]
    pub fn json(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{} {}", self.head, self.body);
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

/// Reads an answer to the end of the connection.
pub fn read(mut stream: TcpStream) -> Answered {
    let mut bytes = Vec::new();
    // ignored: a peer that closes hard has said what it had to say.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    let body = if chunked { unchunked(body) } else { body.to_owned() };
    Answered { status, head: head.to_owned(), body }
}

/// The pieces of a chunked body, put together.
pub fn unchunked(body: &str) -> String {
    let (mut rest, mut whole) = (body, String::new());
    while let Some((size, more)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap_or(0);
        if size == 0 || more.len() < size {
            break;
        }
        whole.push_str(&more[..size]);
        rest = more[size..].trim_start_matches("\r\n");
    }
    whole
}

/// Server-sent events as they come.
pub struct Stream {
    stream: TcpStream,
    bytes: Vec<u8>,
    seen: usize,
}

impl Stream {
    pub fn of(stream: TcpStream) -> Self {
        Self { stream, bytes: Vec::new(), seen: 0 }
    }

    /// Waits until the answer begins.
    pub fn begun(mut self) -> Self {
        while !String::from_utf8_lossy(&self.bytes).contains("\r\n\r\n") {
            let mut piece = [0; 4096];
            let count = self.stream.read(&mut piece).unwrap();
            assert!(count > 0, "the stream ended");
            self.bytes.extend_from_slice(&piece[..count]);
        }
        self
    }

    /// The next event that is none of life: its id, kind and data.
    pub fn next(&mut self) -> (Option<u64>, String, Value) {
        loop {
            let text = String::from_utf8_lossy(&self.bytes).into_owned();
            let body = text.split_once("\r\n\r\n").map(|(_, body)| unchunked(body)).unwrap_or_default();
            let frames: Vec<&str> = body.split("\n\n").collect();
            if frames.len() > self.seen + 1 {
                let frame = frames[self.seen];
                self.seen += 1;
                let field = |name: &str| frame.lines().find_map(|line| line.strip_prefix(name));
                let kind = field("event: ").unwrap_or_default().to_owned();
                if kind != "alive" {
                    let data = serde_json::from_str(field("data: ").unwrap()).unwrap();
                    return (field("id: ").map(|id| id.parse().unwrap()), kind, data);
                }
                continue;
            }
            let mut piece = [0; 4096];
            let count = self.stream.read(&mut piece).unwrap();
            assert!(count > 0, "the stream ended: {text}");
            self.bytes.extend_from_slice(&piece[..count]);
        }
    }

    /// What comes until the stream ends.
    pub fn rest(&mut self) -> String {
        self.stream.read_to_end(&mut self.bytes).unwrap();
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// The next event of this kind.
    pub fn until(&mut self, wanted: &str) -> Value {
        loop {
            let (_, kind, data) = self.next();
            if kind == wanted {
                return data;
            }
            assert_ne!(kind, "ended", "{data}");
        }
    }
}
