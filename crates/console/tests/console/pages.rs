use crate::world::{Answered, World};
use palanca_core::Message;
use palanca_core::ports::{Answer, Questions as _, Reason, Ruling, wait};
use palanca_store::KeyKind;
use palanca_testkit::{Turn, until};
use serde_json::json;
use std::time::Duration;

/// A browser: it keeps a cookie, and sends forms as its pages have them.
pub struct Browser<'w> {
    world: &'w World,
    cookie: String,
}

impl<'w> Browser<'w> {
    pub fn new(world: &'w World) -> Self {
        Self { world, cookie: String::new() }
    }

    pub fn logged_in(world: &'w World) -> Self {
        let mut browser = Self::new(world);
        let token = world.token.clone();
        assert_eq!(browser.post("/login", &[("key", &token), ("back", "/")]).header("location"), Some("/"));
        browser
    }

    pub fn get(&self, path: &str) -> Answered {
        self.get_with(path, "")
    }

    fn get_with(&self, path: &str, more: &str) -> Answered {
        let (address, cookie) = (self.world.address, &self.cookie);
        let head =
            format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nCookie: {cookie}\r\n{more}\r\n");
        self.world.send(&head)
    }

    pub fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answered {
        let encoded = |text: &str| text.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>();
        let body: Vec<String> = fields.iter().map(|(key, value)| format!("{key}={}", encoded(value))).collect();
        let (body, address, cookie) = (body.join("&"), self.world.address, &self.cookie);
        let answer = self.world.send(&format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nConnection: close\r\nCookie: {cookie}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ));
        if let Some(set) = answer.header("set-cookie") {
            self.cookie = set.split(';').next().unwrap().to_owned();
        }
        answer
    }

    /// The word of its pages.
    pub fn word(&self) -> String {
        let page = self.get("/").body;
        let (_, rest) = page.split_once("name=\"palanca-word\" content=\"").unwrap();
        rest.split('"').next().unwrap().to_owned()
    }
}

pub fn one_logs_in_and_out() {
    let world = World::new(Vec::new());
    let mut browser = Browser::new(&world);
    for path in ["/", "/sessions", "/sessions/x", "/bots", "/bots/ana", "/tools", "/questions/1", "/nowhere"] {
        let page = browser.get(path);
        assert!(page.status == 401 && page.body.contains("action=\"/login\""), "{path}: {}", page.body);
        assert!(page.body.contains(&format!("value=\"{}\"", path.replace('/', "&#x2f;"))), "{path}: {}", page.body);
    }
    let wrong = browser.post("/login", &[("key", "plnc_token_0"), ("back", "/bots")]);
    assert!(wrong.status == 401 && wrong.body.contains("opens nothing"), "{}", wrong.body);
    let link = wait(world.keys().make((KeyKind::Link, "ana"), Duration::from_secs(60), None)).unwrap();
    for elsewhere in ["//evil.example", "https://evil.example", "/\\evil.example", "/logout"] {
        let mut other = Browser::new(&world);
        let token = world.token.clone();
        let answer = other.post("/login", &[("key", &token), ("back", elsewhere)]);
        assert_eq!(answer.header("location"), Some("/"), "{elsewhere}");
    }
    let entered = browser.post("/login", &[("key", &link.secret), ("back", "/bots")]);
    assert_eq!((entered.status, entered.header("location")), (303, Some("/bots")));
    let cookie = entered.header("set-cookie").unwrap();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(browser.get("/").status == 200 && browser.get("/").body.contains("Nothing waits for you"));
    let again = Browser::new(&world).post("/login", &[("key", &link.secret)]);
    assert_eq!(again.status, 401, "a link is used once");
    let session = browser.cookie.clone();
    let word = browser.word();
    assert_eq!(browser.post("/logout", &[("word", "guess")]).status, 403);
    assert_eq!(browser.get("/").status, 200);
    browser.post("/logout", &[("word", &word)]);
    browser.cookie = session;
    assert_eq!(browser.get("/").status, 401, "its session is over");
}

pub fn whoever_is_let_in_by_a_token_leaves_with_it() {
    let world = World::new(Vec::new());
    let browser = Browser::logged_in(&world);
    assert_eq!(browser.get("/").status, 200);
    let token = world.keys().tokens(palanca_store::Which::Active).unwrap().remove(0);
    wait(world.keys().end(&token.id, "test")).unwrap();
    assert_eq!(browser.get("/").status, 401);
}

pub fn a_question_is_answered_without_scripts() {
    let world = World::new(Vec::new());
    let mut browser = Browser::logged_in(&world);
    let asked = world.asked(1);
    let (path, digest) = (format!("/questions/{}", asked.id), asked.digest.to_hex());
    let page = browser.get("/");
    for part in ["(1) Inbox", "Yes, this once", "act, whatever the number", &*digest, &*path] {
        assert!(page.body.contains(part), "{part}: {}", page.body);
    }
    let word = browser.word();
    for (fields, status) in [
        (vec![("digest", &*digest), ("decision", "yes")], 403),
        (vec![("word", "guess"), ("digest", &digest), ("decision", "yes")], 403),
        (vec![("word", &word), ("digest", "0"), ("decision", "yes")], 409),
        (vec![("word", &word), ("digest", &digest), ("decision", "maybe")], 400),
        (vec![("word", &word), ("digest", &digest), ("decision", "9")], 400),
    ] {
        assert_eq!(browser.post(&path, &fields).status, status, "{fields:?}");
    }
    assert_eq!(wait(world.desk().ruled(&asked)), Ok(None), "nothing counted");
    let no = [("word", &*word), ("digest", &digest), ("decision", "no"), ("note", "not now"), ("back", "/")];
    assert_eq!(browser.post(&path, &no).header("location"), Some("/"));
    let ruled = Ruling::Answered(Answer::NoBecause("not now".to_owned()));
    assert_eq!(wait(world.desk().ruled(&asked)), Ok(Some(ruled)));
    let late = browser.post(&path, &no);
    assert!(late.status == 409 && late.body.contains("berta (console)"), "{}", late.body);
    let page = browser.get("/").body;
    assert!(page.contains("Nothing waits for you") && page.contains("Earlier questions"), "{page}");
    let rule = world.asked(2);
    let fields = [("word", &*word), ("digest", &rule.digest.to_hex()), ("decision", "1")];
    browser.post(&format!("/questions/{}", rule.id), &fields);
    assert!(matches!(wait(world.desk().ruled(&rule)), Ok(Some(Ruling::Answered(Answer::Always(_))))));
}

const HOSTILE: &str = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>\u{202e}gnp.exe\u{7}";

/// What a page must not have in it.
#[track_caller]
fn harmless(page: &Answered) {
    assert!(page.status == 200 && page.body.contains("&lt;script&gt;"), "{}", page.body);
    for part in ["<script>alert", "<img", "\u{202e}", "\u{7}", "onerror=alert(2)>"] {
        assert!(!page.body.contains(part), "{part:?}: {}", page.body);
    }
    assert!(!page.body.contains(" style=") && !page.body.contains(" onclick="), "no inline code");
}

pub fn what_comes_from_elsewhere_is_text() {
    let world = World::new(vec![
        Turn::calls([("file_write", json!({"path": format!("{HOSTILE}.txt"), "content": HOSTILE}))]),
        Turn::text(HOSTILE),
    ]);
    let mut browser = Browser::logged_in(&world);
    let mut asked = palanca_testkit::questions::question(1);
    asked.tool = HOSTILE.to_owned();
    asked.arguments = json!({ "path": HOSTILE });
    asked.diff = Some(format!("--- a\n+++ b\n@@ -1 +1 @@\n-{HOSTILE}\n+{HOSTILE}\n"));
    asked.reasons =
        vec![Reason { rule: HOSTILE.to_owned(), words: Message::new("tool-failed").with("reason", HOSTILE) }];
    wait(world.desk().open(&mut asked)).unwrap();
    harmless(&browser.get("/"));
    harmless(&browser.get(&format!("/questions/{}", asked.id)));
    let word = browser.word();
    let fields = [("word", &*word), ("digest", &asked.digest.to_hex()), ("decision", "no"), ("note", HOSTILE)];
    browser.post(&format!("/questions/{}", asked.id), &fields);
    harmless(&browser.get("/"));
    let said = [("word", &*word), ("chat", "<b>1"), ("text", HOSTILE)];
    assert_eq!(browser.post("/bots/ana", &said).header("location"), Some("/bots/ana?chat=%3Cb%3E1"));
    until("it asks", || browser.get("/").body.contains("(1) Inbox"));
    harmless(&browser.get("/bots/ana?chat=%3Cb%3E1"));
    let open = world.get("/api/approvals").json(200)["items"][0].clone();
    let fields = [("word", &*word), ("digest", open["digest"].as_str().unwrap()), ("decision", "yes")];
    browser.post(&format!("/questions/{}", open["id"].as_str().unwrap()), &fields);
    until("it has answered", || !browser.get("/bots/ana?chat=%3Cb%3E1").body.contains("Answering"));
    let page = browser.get("/bots/ana?chat=%3Cb%3E1");
    harmless(&page);
    assert!(!page.body.contains("<b>1"), "{}", page.body);
    harmless(&browser.get("/sessions"));
    let id = world.get("/api/sessions").json(200)["items"][0]["id"].as_str().unwrap().to_owned();
    harmless(&browser.get(&format!("/sessions/{id}")));
    let search = browser.get("/sessions?text=%3Cscript%3Ealert(1)%3C/script%3E");
    harmless(&search);
    let none = browser.get("/sessions/%3Cscript%3Ealert(1)");
    assert!(none.status == 404 && !none.body.contains("<script>alert"), "{}", none.body);
}

pub fn every_page_in_both_languages() {
    let world = World::new(vec![Turn::text("Hello.")]);
    world.post("/api/bots/ana/chats/main/messages", &json!({"text": "hi"}));
    let asked = world.asked(1);
    let id = world.get("/api/sessions").json(200)["items"][0]["id"].as_str().unwrap().to_owned();
    std::fs::create_dir_all(world.path("soul/ana")).unwrap();
    let browser = Browser::logged_in(&world);
    let pages = [
        ("/".to_owned(), "Yes, this once", "Sí, esta vez"),
        (format!("/questions/{}", asked.id), "Everything that is known", "Todo lo que se sabe"),
        ("/sessions".to_owned(), "Search in tasks", "Buscar en las tareas"),
        (format!("/sessions/{id}"), "model calls: 1", "llamadas al modelo: 1"),
        ("/bots".to_owned(), "Bots", "Bots"),
        ("/bots/ana".to_owned(), "Say something", "Escribe algo"),
        ("/tools".to_owned(), "Tools", "Herramientas"),
        ("/bots/ana/files".to_owned(), "Search in its memory", "Buscar en su memoria"),
        ("/bots/ana/tools/file_write".to_owned(), "Try it", "Probarla"),
        ("/login".to_owned(), "Key or token", "Clave o token"),
        ("/nowhere".to_owned(), "nothing at", "No hay nada"),
    ];
    for (path, english, spanish) in pages {
        let (en, es) = (browser.get(&path), browser.get_with(&path, "Accept-Language: es\r\n"));
        assert!(en.body.contains(english) && en.body.contains("<html lang=\"en\">"), "{path}: {}", en.body);
        assert!(es.body.contains(spanish) && es.body.contains("<html lang=\"es\">"), "{path}: {}", es.body);
        assert!(!en.body.contains("page-") && en.body.len() < 100_000, "{path}: {}", en.body);
        assert_eq!(en.header("referrer-policy"), Some("no-referrer"));
    }
    assert!(browser.get("/tools?bot=ana").body.contains("file_write"));
    assert_eq!(browser.get("/tools?bot=nobody").status, 404, "no such bot");
    let script = browser.get("/assets/console.js");
    assert!(script.header("content-type") == Some("text/javascript; charset=utf-8") && script.body.len() < 40_000);
    assert_eq!(browser.get("/assets/console.css").status, 200);
}

pub fn a_page_of_a_browser_changes_nothing_without_its_word() {
    let world = World::new(Vec::new());
    let browser = Browser::logged_in(&world);
    let asked = world.asked(1);
    let (address, cookie, word) = (world.address, &browser.cookie, browser.word());
    let body = json!({"decision": "approve", "digest": asked.digest.to_hex()}).to_string();
    let send = |more: &str| {
        world.send(&format!(
            "POST /api/approvals/{}/approve HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nCookie: {cookie}\r\n{more}\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            asked.id,
            body.len()
        ))
    };
    assert_eq!(send("").json(403)["type"], "urn:palanca:problem:strange_page");
    send("X-Palanca-Word: guess\r\n").json(403);
    assert_eq!(wait(world.desk().ruled(&asked)), Ok(None));
    send(&format!("X-Palanca-Word: {word}\r\n")).json(200);
    // Two of one name are a trick, not a session.
    let double = world.send(&format!(
        "GET /api/health HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nCookie: {cookie}; palanca_session=x\r\n\r\n"
    ));
    assert_eq!(double.status, 401);
}

pub fn what_a_bot_has_written_is_shown_with_its_history() {
    let world = World::new(Vec::new());
    let browser = Browser::logged_in(&world);
    let secret = "ghp_7KU0eVduYDFOGxO780wTzy8FwpdKGt8Xyxqv";
    for (name, text) in [
        ("MEMORY.md", format!("# Facts\n\nThe heron nests near <b>Bilbao</b>.\n\n{secret}\n")),
        ("memory/2026-01-02.md", "Calm day.\n".to_owned()),
        (
            ".versions/MEMORY.md.2026-01-02T03-04-05.678Z.bak",
            format!("# Facts\n\nThe heron nests near Vigo.\n\n{secret}\n"),
        ),
    ] {
        let path = world.path("config/soul/ana").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let files = "/bots/ana/files";
    let list = browser.get(files).body;
    for part in ["MEMORY.md", "memory/2026-01-02.md", "Earlier versions: 1"] {
        assert!(list.contains(&part.replace('/', "&#x2f;")) || list.contains(part), "{part}: {list}");
    }
    assert!(browser.get("/bots/ana").body.contains("href=\"/bots/ana/files\""));
    let now = browser.get(&format!("{files}?file=MEMORY.md")).body;
    assert!(now.contains("&lt;b&gt;Bilbao") && now.contains("2026-01-02T03-04-05.678Z"), "{now}");
    let version = browser.get(&format!("{files}?file=MEMORY.md&until=2026-01-02T03-04-05.678Z")).body;
    for part in
        ["<b>Vigo.</b>", "&lt;b&gt;Bilbao", "palanca --bot ana memory restore MEMORY.md 2026-01-02T03-04-05.678Z"]
    {
        assert!(version.contains(part), "{part}: {version}");
    }
    let found = browser.get(&format!("{files}?search=heron")).body;
    assert!(found.contains("heron nests near &lt;b&gt;Bilbao"), "{found}");
    for page in [list, now, version, found] {
        assert!(!page.contains(secret) && !page.contains("<b>Bilbao") && !page.contains(" style="), "{page}");
    }
    for query in ["file=..%2F..%2F..%2Fbots.yaml", "file=.versions", "file=MEMORY.md&until=x", "file=%00"] {
        assert_eq!(browser.get(&format!("{files}?{query}")).status, 404, "{query}");
    }
}

pub fn a_version_of_a_bots_file_is_put_back_from_its_page() {
    let world = World::new(Vec::new());
    let mut browser = Browser::logged_in(&world);
    let soul = world.path("config/soul/ana");
    let until = "2026-01-02T03-04-05.678000000Z";
    std::fs::create_dir_all(soul.join(".versions")).unwrap();
    std::fs::write(soul.join("SOUL.md"), "Calm & curious.\n").unwrap();
    std::fs::write(soul.join(format!(".versions/SOUL.md.{until}.bak")), "Bold.\n").unwrap();
    let (files, page) = ("/bots/ana/files", format!("/bots/ana/files?file=SOUL.md&until={until}"));
    let shown = browser.get(&page).body;
    let field = |name: &str| {
        let (_, rest) = shown.split_once(&format!("name=\"{name}\" value=\"")).unwrap_or_else(|| panic!("{shown}"));
        rest.split('"').next().unwrap().to_owned()
    };
    let (word, digest) = (field("word"), field("digest"));
    let now = || std::fs::read_to_string(soul.join("SOUL.md")).unwrap();
    let form = |word: &str, file: &str, until: &str, digest: &str| {
        [("word", word), ("file", file), ("until", until), ("digest", digest)]
            .map(|(key, value)| (key, value.to_owned()))
    };
    let mut send = |fields: [(&'static str, String); 4]| {
        browser.post(files, &fields.each_ref().map(|(key, value)| (*key, value.as_str())))
    };
    for (fields, status) in [
        (form("guess", "SOUL.md", until, &digest), 403),
        (form(&word, "SOUL.md", "2026", &digest), 404),
        (form(&word, "../../../bots.yaml", until, &digest), 404),
        (form(&word, "SOUL.md", until, "0"), 409),
    ] {
        let refused = send(fields.clone());
        assert_eq!((refused.status, now().as_str()), (status, "Calm & curious.\n"), "{fields:?}: {}", refused.body);
    }
    // What changed since the page was shown is not lost.
    std::fs::write(soul.join("SOUL.md"), "Changed meanwhile.\n").unwrap();
    let stale = send(form(&word, "SOUL.md", until, &digest));
    assert!(stale.status == 409 && stale.body.contains("has changed since this page was shown"), "{}", stale.body);
    std::fs::write(soul.join("SOUL.md"), "Calm & curious.\n").unwrap();
    let done = send(form(&word, "SOUL.md", until, &digest));
    assert_eq!((done.status, done.header("location")), (303, Some("/bots/ana/files?file=SOUL%2Emd")), "{}", done.body);
    assert_eq!(now(), "Bold.\n");
    let kept: Vec<String> = std::fs::read_dir(soul.join(".versions"))
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    assert!(kept.len() == 2 && kept.iter().any(|text| text == "Calm & curious.\n"), "{kept:?}");
    // It is a call like any other, which the person has allowed.
    let audit = std::fs::read_to_string(world.path("../state/audit.jsonl")).unwrap_or_default();
    assert!(audit.contains("write_file") && audit.contains("config/soul/ana/SOUL.md"), "{audit}");
    let again = browser.get(&page).body;
    assert!(!again.contains("name=\"digest\""), "there is nothing to put back: {again}");
}
