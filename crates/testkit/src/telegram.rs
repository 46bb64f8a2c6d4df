//! A server that speaks Telegram's Bot API on loopback: bots by token, updates with their numbers and confirmation, the documented limits, and
//! faults on demand.

use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a request for updates is held; the API holds it for most of a minute.
const HELD: Duration = Duration::from_millis(300);

/// The running server. It answers as long as the test process lives.
#[derive(Clone)]
pub struct FakeTelegram {
    address: SocketAddr,
    scene: Arc<Mutex<Scene>>,
}

#[derive(Default)]
struct Scene {
    bots: HashMap<String, Bot>,
    /// Answers that come first, by method.
    instead: HashMap<String, VecDeque<(u16, String)>>,
    is_away: bool,
    forgets: bool,
    next: i64,
}

#[derive(Default)]
struct Bot {
    me: Value,
    updates: VecDeque<Value>,
    calls: Vec<(String, Value)>,
    files: HashMap<String, Vec<u8>>,
    /// Files whose bytes were asked for.
    fetched: Vec<String>,
    /// What was set as its webhook.
    webhook: Option<Value>,
    is_away: bool,
}

impl Scene {
    fn comes(&mut self, token: &str, kind: &str, body: &Value) -> i64 {
        self.next += 1;
        let bot = self.bots.get_mut(token).expect("a known bot");
        bot.updates.push_back(json!({"update_id": self.next, kind: body}));
        self.next
    }
}

impl Default for FakeTelegram {
    fn default() -> Self {
        Self::start()
    }
}

impl FakeTelegram {
    /// Starts a server without bots.
    #[must_use]
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port");
        let address = listener.local_addr().expect("a bound socket");
        let scene = Arc::new(Mutex::new(Scene { next: 100, ..Scene::default() }));
        let served = Arc::clone(&scene);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let scene = Arc::clone(&served);
                // A client that disconnects is a normal end.
                std::thread::spawn(move || drop(connection(&stream, &scene)));
            }
        });
        Self { address, scene }
    }

    /// The value for `telegram.apiUrl`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Makes a bot known.
    pub fn bot(&self, token: &str, id: i64, username: &str) {
        let me = json!({"id": id, "is_bot": true, "first_name": username, "username": username});
        self.scene.lock().bots.insert(token.to_owned(), Bot { me, ..Bot::default() });
    }

    /// Something happens: `message` or `callback_query`, with this body. Returns the update's number.
    pub fn comes(&self, token: &str, kind: &str, body: &Value) -> i64 {
        self.scene.lock().comes(token, kind, body)
    }

    /// A file that can be fetched by this id, which is its name, too.
    pub fn file(&self, token: &str, id: &str, bytes: &[u8]) {
        self.scene.lock().bots.get_mut(token).expect("a known bot").files.insert(id.to_owned(), bytes.to_vec());
    }

    /// The files whose bytes were asked for.
    #[must_use]
    pub fn fetched(&self, token: &str) -> Vec<String> {
        self.scene.lock().bots.get(token).expect("a known bot").fetched.clone()
    }

    /// Somebody sends something in private: a message with these keys beside the usual ones.
    pub fn sends(&self, token: &str, person: i64, more: &Value) {
        let mut message = private(person);
        message.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        self.comes(token, "message", &message);
    }

    /// What was set as the bot's webhook.
    #[must_use]
    pub fn webhook(&self, token: &str) -> Option<Value> {
        self.scene.lock().bots.get(token).expect("a known bot").webhook.clone()
    }

    /// Somebody writes in private.
    pub fn says(&self, token: &str, person: i64, text: &str) {
        self.says_all(token, person, &[text]);
    }

    /// The same with several messages, which are delivered together.
    pub fn says_all(&self, token: &str, person: i64, texts: &[&str]) {
        let mut scene = self.scene.lock();
        for text in texts {
            let mut message = private(person);
            message["text"] = json!(text);
            scene.comes(token, "message", &message);
        }
    }

    /// Somebody presses a button of a message that was sent, by what stands on it.
    pub fn presses(&self, token: &str, person: i64, sent: &Value, label: &str) {
        let rows = sent["reply_markup"]["inline_keyboard"].as_array().expect("buttons").iter();
        let mut buttons = rows.flat_map(|row| row.as_array().expect("a row"));
        let button = buttons.find(|button| button["text"] == label).expect("a button with this label");
        self.presses_with(token, person, &sent["chat_id"], &button["callback_data"]);
    }

    /// Somebody sends what a button could hold.
    pub fn presses_with(&self, token: &str, person: i64, chat: &Value, holds: &Value) {
        let from = json!({"id": person, "is_bot": false, "first_name": format!("P{person}")});
        let message = json!({"message_id": 1, "chat": {"id": chat, "type": "private"}});
        self.comes(token, "callback_query", &json!({"id": "q", "from": from, "message": message, "data": holds}));
    }

    /// The next call of this method is answered so.
    pub fn instead(&self, method: &str, status: u16, body: &str) {
        let mut scene = self.scene.lock();
        scene.instead.entry(method.to_owned()).or_default().push_back((status, body.to_owned()));
    }

    /// The same for a call of one bot.
    pub fn instead_for(&self, token: &str, method: &str, status: u16, body: &str) {
        self.instead(&format!("{token}/{method}"), status, body);
    }

    /// Whether everything that was to be answered otherwise for this method was.
    #[must_use]
    pub fn is_played(&self, method: &str) -> bool {
        self.scene.lock().instead.get(method).is_none_or(VecDeque::is_empty)
    }

    /// Whether every call fails until this is said again.
    pub fn away(&self, is_away: bool) {
        self.scene.lock().is_away = is_away;
    }

    /// The same for one bot alone.
    pub fn away_for(&self, token: &str, is_away: bool) {
        self.scene.lock().bots.get_mut(token).expect("a known bot").is_away = is_away;
    }

    /// Another program has set a webhook for this bot.
    pub fn hooked(&self, token: &str, url: &str) {
        self.scene.lock().bots.get_mut(token).expect("a known bot").webhook = Some(json!({"url": url}));
    }

    /// From now on updates are delivered again although they were confirmed.
    pub fn forgets(&self) {
        self.scene.lock().forgets = true;
    }

    /// What a bot has called, by method.
    #[must_use]
    pub fn calls(&self, token: &str, method: &str) -> Vec<Value> {
        let scene = self.scene.lock();
        let calls = scene.bots.get(token).expect("a known bot").calls.iter();
        calls.filter(|(name, _)| name == method).map(|(_, body)| body.clone()).collect()
    }

    /// The texts that a bot has sent.
    #[must_use]
    pub fn sent(&self, token: &str) -> Vec<String> {
        self.calls(token, "sendMessage").iter().map(|sent| sent["text"].as_str().expect("a text").to_owned()).collect()
    }

    /// How many updates have not arrived yet.
    #[must_use]
    pub fn unconfirmed(&self, token: &str) -> usize {
        self.scene.lock().bots.get(token).expect("a known bot").updates.len()
    }
}

fn private(person: i64) -> Value {
    let from = json!({"id": person, "is_bot": false, "first_name": format!("P{person}")});
    json!({"message_id": 1, "from": from, "chat": {"id": person, "type": "private"}})
}

fn connection(stream: &TcpStream, scene: &Mutex<Scene>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
        let mut length = 0;
        loop {
            let mut header = String::new();
            reader.read_line(&mut header)?;
            if header.trim().is_empty() {
                break;
            }
            let (name, value) = header.split_once(':').unwrap_or_default();
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().unwrap_or_default();
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let (status, answer) = match path.strip_prefix("/file/bot") {
            Some(path) => bytes(path, scene),
            None => {
                let (status, text) = answer(&path, &serde_json::from_slice(&body).unwrap_or_default(), scene);
                (status, text.into_bytes())
            }
        };
        let head = format!(
            "HTTP/1.1 {status} x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            answer.len()
        );
        let mut stream = stream;
        stream.write_all(head.as_bytes())?;
        stream.write_all(&answer)?;
    }
}

/// The bytes of a file.
fn bytes(path: &str, scene: &Mutex<Scene>) -> (u16, Vec<u8>) {
    let mut scene = scene.lock();
    let (token, id) = path.split_once("/files/").unwrap_or_default();
    let Some(bot) = scene.bots.get_mut(token) else { return (404, Vec::new()) };
    bot.fetched.push(id.to_owned());
    bot.files.get(id).map_or_else(|| (404, Vec::new()), |bytes| (200, bytes.clone()))
}

fn fault(status: u16, description: &str) -> (u16, String) {
    (status, json!({"ok": false, "error_code": status, "description": description}).to_string())
}

fn answer(path: &str, body: &Value, scene: &Mutex<Scene>) -> (u16, String) {
    let Some((token, method)) = path.strip_prefix("/bot").and_then(|path| path.split_once('/')) else {
        return fault(404, "Not Found");
    };
    {
        let mut scene = scene.lock();
        if scene.is_away || scene.bots.get(token).is_some_and(|bot| bot.is_away) {
            return (502, "<html>Bad Gateway</html>".to_owned());
        }
        for of in [&format!("{token}/{method}"), method] {
            if let Some(instead) = scene.instead.get_mut(of).and_then(VecDeque::pop_front) {
                return instead;
            }
        }
        let Some(bot) = scene.bots.get_mut(token) else { return fault(401, "Unauthorized") };
        if method != "getUpdates" {
            if let Some(refused) = refused(method, body) {
                return refused;
            }
            bot.calls.push((method.to_owned(), body.clone()));
        }
        match method {
            "getUpdates" if bot.webhook.is_some() => {
                return fault(409, "Conflict: can't use getUpdates method while webhook is active");
            }
            "setWebhook" => bot.webhook = Some(body.clone()),
            "deleteWebhook" => bot.webhook = None,
            _ => {}
        }
    }
    let result = match method {
        "getMe" => scene.lock().bots[token].me.clone(),
        "getUpdates" => updates(token, body["offset"].as_i64(), scene),
        "sendMessage" | "editMessageText" => json!({"message_id": 77}),
        "sendChatAction" | "answerCallbackQuery" | "setWebhook" | "deleteWebhook" => json!(true),
        "getWebhookInfo" => {
            let scene = scene.lock();
            json!({"url": scene.bots[token].webhook.as_ref().map_or("", |hook| hook["url"].as_str().unwrap_or_default())})
        }
        "getFile" => {
            let id = body["file_id"].as_str().unwrap_or_default();
            let scene = scene.lock();
            let Some(bytes) = scene.bots[token].files.get(id) else {
                return fault(400, "Bad Request: invalid file_id");
            };
            json!({"file_id": id, "file_size": bytes.len(), "file_path": format!("files/{id}")})
        }
        _ => return fault(404, "Not Found"),
    };
    (200, json!({"ok": true, "result": result}).to_string())
}

/// What the API refuses.
fn refused(method: &str, body: &Value) -> Option<(u16, String)> {
    if !method.ends_with("Message") && !method.ends_with("MessageText") {
        return None;
    }
    let units = body["text"].as_str().unwrap_or_default().encode_utf16().count();
    let rows = body["reply_markup"]["inline_keyboard"].as_array().into_iter().flatten();
    let mut buttons = rows.flat_map(|row| row.as_array().into_iter().flatten());
    let is_long = |button: &Value| button["callback_data"].as_str().is_none_or(|holds| holds.len() > 64);
    match units {
        0 => Some(fault(400, "Bad Request: message text is empty")),
        4097.. => Some(fault(400, "Bad Request: message is too long")),
        _ if buttons.any(is_long) => Some(fault(400, "Bad Request: BUTTON_DATA_INVALID")),
        _ if !body["chat_id"].is_i64() => Some(fault(400, "Bad Request: chat not found")),
        _ => None,
    }
}

/// What comes after what has arrived.
fn updates(token: &str, offset: Option<i64>, scene: &Mutex<Scene>) -> Value {
    let began = Instant::now();
    loop {
        {
            let mut scene = scene.lock();
            let forgets = scene.forgets;
            let bot = scene.bots.get_mut(token).expect("a known bot");
            if let Some(offset) = offset.filter(|_| !forgets) {
                bot.updates.retain(|update| update["update_id"].as_i64() >= Some(offset));
            }
            if !bot.updates.is_empty() || began.elapsed() > HELD {
                return bot.updates.iter().take(100).cloned().collect();
            }
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
