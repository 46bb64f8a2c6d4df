use crate::world::{Stream, World, read};
use palanca_core::ports::{Answer, Questions as _, wait};
use palanca_testkit::Turn;
use serde_json::json;
use std::io::{Read as _, Write as _};

fn listen(world: &World, more: &str) -> Stream {
    Stream::of(world.begin(&format!("{}{more}\r\n", world.head("GET", "/api/events"))))
}

fn say(world: &World, chat: &str) {
    let said = world.post(&format!("/api/bots/ana/chats/{chat}/messages"), &json!({"text": "hello"}));
    assert!(said.body.contains("success"), "{}", said.body);
}

/// The kinds of a session's events up to its end, and the places.
fn until_the_end(stream: &mut Stream) -> (Vec<String>, Vec<u64>) {
    let (mut kinds, mut places) = (Vec::new(), Vec::new());
    loop {
        let (id, kind, data) = stream.next();
        if kind == "session" {
            kinds.push(data["kind"].as_str().unwrap().to_owned());
            places.push(id.unwrap());
            if data["kind"] == "ended" {
                return (kinds, places);
            }
        }
    }
}

pub fn whoever_comes_back_misses_nothing() {
    let world = World::new(["A", "B"].into_iter().map(Turn::text).collect());
    let mut live = listen(&world, "");
    assert_eq!(live.until("approvals")["open"], json!([]));
    say(&world, "1");
    let (first, places) = until_the_end(&mut live);
    assert!(first.first().is_some_and(|kind| kind == "began") && places.is_sorted(), "{first:?} {places:?}");
    // Gone meanwhile.
    drop(live);
    say(&world, "2");
    let last = places.last().unwrap();
    let (second, later) = until_the_end(&mut listen(&world, &format!("Last-Event-ID: {last}\r\n")));
    assert!(second == first && later.iter().all(|place| place > last), "{second:?} {later:?}");
    let (again, all) = until_the_end(&mut listen(&world, "Last-Event-ID: 0\r\n"));
    assert_eq!((again, all), (first, places), "from the beginning");
    // The number of another database.
    let (id, kind, data) = listen(&world, "Last-Event-ID: 4000000\r\n").next();
    assert_eq!((id, &*kind), (later.last().copied(), "gap"), "{data}");
    let bad = world.send(&format!("{}Last-Event-ID: x\r\n\r\n", world.head("GET", "/api/events")));
    assert!(bad.json(400)["detail"].as_str().unwrap().contains("number"));
}

pub fn questions_come_and_go() {
    let world = World::new(Vec::new());
    let mut live = listen(&world, "");
    assert_eq!(live.until("approvals")["open"], json!([]));
    let asked = world.asked(1);
    assert_eq!(live.until("approvals")["open"], json!([asked.id]));
    wait(world.desk().settle(&asked, Answer::No)).unwrap();
    assert_eq!(live.until("approvals")["open"], json!([]), "answered in another process");
}

pub fn a_stream_ends_with_the_key_that_opened_it() {
    let world = World::new(Vec::new());
    let mut live = listen(&world, "");
    assert_eq!(live.until("approvals")["open"], json!([]));
    let token = world.keys().tokens(palanca_store::Which::Active).unwrap().remove(0);
    wait(world.keys().end(&token.id, "test")).unwrap();
    let asked = world.asked(1);
    let told = live.rest();
    assert!(!told.contains(asked.id.as_str()), "{told}");
}

/// Places are gone through once, wanted or not.
pub fn what_is_of_others_is_not_told() {
    let world = World::new(["A", "B"].into_iter().map(Turn::text).collect());
    let mut of_eva = Stream::of(world.begin(&format!("{}\r\n", world.head("GET", "/api/events?bot=eva&after=0"))));
    assert_eq!(of_eva.until("approvals")["open"], json!([]));
    say(&world, "1");
    let said = world.post("/api/bots/eva/chats/1/messages", &json!({"text": "hello"}));
    assert!(said.body.contains("success"), "{}", said.body);
    let (kinds, _) = until_the_end(&mut of_eva);
    assert_eq!((kinds.first(), kinds.last()), (Some(&"began".to_owned()), Some(&"ended".to_owned())), "{kinds:?}");
}

pub fn the_same_by_websocket() {
    let world = World::new(Vec::new());
    let upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
        Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
    let head = world.head("GET", "/ws").replace("Connection: close\r\n", "");
    let mut socket = world.begin(&format!("{head}{upgrade}"));
    let (mut bytes, wanted) = (Vec::new(), br#"{"id":null,"event":"approvals","data":{"open":[]}}"#);
    while !bytes.windows(wanted.len()).any(|window| window == wanted) {
        let mut piece = [0; 1024];
        let count = socket.read(&mut piece).unwrap();
        assert!(count > 0, "{}", String::from_utf8_lossy(&bytes));
        bytes.extend_from_slice(&piece[..count]);
    }
    assert!(bytes.starts_with(b"HTTP/1.1 101"));
    socket.flush().unwrap();
    let plain = read(world.begin(&format!("{}\r\n", world.head("GET", "/ws"))));
    assert!(plain.json(426)["detail"].as_str().unwrap().contains("/api/events"));
}
