//! Telegram brings what comes in, instead of being asked for it.

use super::*;
use palanca_testkit::PATIENCE;
use palanca_testkit::waiting::some;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

const URL: &str = "https://bots.example:8443";

/// A bot with a webhook.
fn hooked(url: &str, turns: Vec<Turn>) -> House {
    let bot = format!("[{{id: ana, name: Ana, token: '{TOKEN}', allowedUsers: ['{ANA}'], webhookUrl: '{url}'}}]");
    House::new(&bot, turns)
}

fn serve(house: &House) -> (Serving, String) {
    let serve = ["--config", "bots.yaml", "serve", "--listen", "127.0.0.1:0", "--drain", "1"];
    let serving = Serving::begin(&mut house.bench.command(&serve));
    let address = some("it says where", || {
        let said = serving.stderr();
        let (_, rest) = said.split_once("Console: http://")?;
        Some(rest.split(". ").next()?.trim().to_owned())
    });
    (serving, address)
}

/// Brings a body to this path with these words; returns the status.
fn bring(address: &str, path: &str, words: &[&str], body: &str) -> u16 {
    bring_of((address, path), words, (body.len(), body))
}

/// The same, with this much of a body that is said to be so long.
fn bring_of((address, path): (&str, &str), words: &[&str], (length, body): (usize, &str)) -> u16 {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let words: String = words.iter().map(|word| format!("X-Telegram-Bot-Api-Secret-Token: {word}\r\n")).collect();
    let head = format!("Host: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n{words}");
    write!(stream, "POST {path} HTTP/1.1\r\n{head}Content-Length: {length}\r\n\r\n").unwrap();
    // ignored: what is too large is refused before all of it was read.
    let _ = stream.write_all(body.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).split(' ').nth(1).unwrap_or_else(|| panic!("no answer")).parse().unwrap()
}

fn update(number: i64, text: &str) -> String {
    let from = json!({"id": ANA, "is_bot": false, "first_name": "Ana"});
    let message = json!({"message_id": number, "from": from, "chat": {"id": ANA, "type": "private"}, "text": text});
    json!({"update_id": number, "message": message}).to_string()
}

#[test]
fn what_is_brought_with_the_secret_is_taken_once_and_nothing_else_is() {
    let house = hooked(URL, vec![Turn::text("One."), Turn::text("Two."), Turn::text("Three.")]);
    let (serving, address) = serve(&house);
    until("it is set", || house.telegram.webhook(TOKEN).is_some());
    let hook = house.telegram.webhook(TOKEN).unwrap();
    assert_eq!((&hook["url"], &hook["max_connections"]), (&json!("https://bots.example:8443/telegram/ana"), &json!(1)));
    let secret = hook["secret_token"].as_str().unwrap().to_owned();
    assert!(secret.len() == 64 && !TOKEN.contains(&secret));
    let path = "/telegram/ana";
    for (path, words, body, status) in [
        (path, &[][..], update(1, "hi"), 401),
        (path, &["wrong"], update(1, "hi"), 401),
        (path, &[&secret[..63]], update(1, "hi"), 401),
        (path, &[&secret, &secret], update(1, "hi"), 401),
        ("/telegram/eva", &[&secret], update(1, "hi"), 404),
        (path, &[&secret], "{}".to_owned(), 400),
        (path, &[&secret], "x".to_owned(), 400),
        (path, &[&secret], "x".repeat((1 << 20) + 1), 413),
        (path, &[&secret], update(1, "one"), 200),
        (path, &[&secret], update(1, "one"), 200),
        (path, &[&secret], update(1, "another"), 200),
    ] {
        assert_eq!(bring(&address, path, words, &body), status, "{path} {words:?} {}", &body[..body.len().min(60)]);
    }
    assert_eq!(house.sends(1), ["One."]);
    // Killed, it knows what it has taken.
    serving.kill();
    let (serving, address) = serve(&house);
    until("it takes deliveries", || bring(&address, path, &[&secret], &update(1, "one")) == 200);
    assert_eq!(bring(&address, path, &[&secret], &update(2, "two")), 200);
    assert_eq!(house.said_up_to("Two."), ["One.", "Two."]);
    let ended = serving.end().expect(0);
    assert!(house.telegram.calls(TOKEN, "getUpdates").is_empty());
    // Without the key it asks again, and what was brought before is taken away.
    let config = std::fs::read_to_string(house.bench.workspace().join("bots.yaml")).unwrap();
    house.bench.write("bots.yaml", &config.replace(&format!(", webhookUrl: '{URL}'"), ""));
    let again = house.serve();
    house.says("three");
    assert_eq!(house.said_up_to("Three."), ["One.", "Two.", "Three."]);
    assert!(house.telegram.webhook(TOKEN).is_none());
    again.end().expect(0);
    assert_eq!(house.told().iter().filter(|told| *told == "one").count(), 1);
    is_secret(&house, &(ended.stdout + &ended.stderr));
}

#[test]
fn what_is_refused_is_recorded_and_a_flood_as_a_number() {
    let house = hooked(URL, vec![Turn::text("One.")]);
    let (serving, address) = serve(&house);
    until("it is set", || house.telegram.webhook(TOKEN).is_some());
    let secret = house.telegram.webhook(TOKEN).unwrap()["secret_token"].as_str().unwrap().to_owned();
    let path = "/telegram/ana";
    until("it takes deliveries", || bring(&address, path, &[&secret], &update(1, "one")) == 200);
    // Nothing of the body is waited for.
    assert_eq!(bring_of((&address, path), &["wrong"], (1 << 19, "")), 401);
    for _ in 0..30 {
        assert_eq!(bring(&address, path, &[], &update(2, "forged")), 401);
    }
    assert_eq!(bring(&address, path, &[&secret], &update(1, "again")), 200);
    let from = json!({"id": ANA, "is_bot": false, "first_name": "Ana"});
    let message = json!({"message_id": 9, "chat": {"id": ANA, "type": "private"}, "text": "?"});
    let press = json!({"id": "1", "from": from, "message": message, "data": "ask:yes:forged"});
    let press = json!({"update_id": 3, "callback_query": press}).to_string();
    assert_eq!(bring(&address, path, &[&secret], &press), 200);
    assert_eq!(house.said_up_to("One."), ["One."]);
    let ended = serving.end().expect(0);
    assert_eq!(ended.stderr.matches("as if from Telegram").count(), 2, "{}", ended.stderr);
    let audit = house.bench.run(&["audit", "show", "--stages", "--json", "--session", "telegram-ana"]).expect(0).stdout;
    let rows: Vec<Value> = audit.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told = |row: &Value| format!("{} {}", row["rule"].as_str().unwrap(), row["evidence"].as_str().unwrap());
    let mut told: Vec<String> = rows.iter().map(told).collect();
    told.sort();
    let count = "refused since the last record";
    let expected = [
        format!("confirm.old_button {count}: 1"),
        format!("delivery.repeated {count}: 1"),
        format!("delivery.unsigned {count}: 1"),
        format!("delivery.unsigned {count}: 30"),
    ];
    assert_eq!(told, expected, "{audit}");
    house.bench.run(&["audit", "verify"]).expect(0);
}

#[test]
fn somebody_elses_webhook_stays_and_a_wrong_address_is_told() {
    let house = House::of_ana(Vec::new());
    house.telegram.hooked(TOKEN, "https://another.example/hook");
    let serving = house.serve();
    until("it is off", || serving.stderr().contains("ana is not in its chats: Another program"));
    assert!(house.telegram.webhook(TOKEN).is_some());
    serving.end().expect(0);
    for (url, arguments, why) in [
        ("http://bots.example", &["--listen", "127.0.0.1:0"][..], "must be an address with https://"),
        ("https://me@bots.example", &["--listen", "127.0.0.1:0"], "must be an address with https://"),
        (URL, &["--no-console"], "serve without --no-console"),
    ] {
        let house = hooked(url, Vec::new());
        let all = [&["--config", "bots.yaml", "serve"][..], arguments].concat();
        let serving = Serving::begin(&mut house.bench.command(&all));
        until("it says why", || serving.stderr().contains(why));
        serving.end().expect(0);
        assert!(house.telegram.webhook(TOKEN).is_none());
    }
}

#[test]
fn an_address_that_telegram_refuses_is_told() {
    let house = hooked(URL, Vec::new());
    let refused =
        json!({"ok": false, "error_code": 400, "description": "Bad Request: bad webhook: port is not allowed"});
    house.telegram.instead("setWebhook", 400, &refused.to_string());
    let (serving, _) = serve(&house);
    until("it says why", || serving.stderr().contains("bad webhook: port is not allowed"));
    serving.end().expect(0);
}
