//! One chat that sends more than can be answered.

use super::{ANA, House, TOKEN};
use palanca_testkit::{Turn, until};

const BEN: i64 = 8;
/// The messages of a chat that may wait.
const SHARE: usize = 500;

#[test]
fn a_flooded_chat_is_refused_alone() {
    let bot = format!("[{{id: ana, name: Ana, token: '{TOKEN}', allowedUsers: ['{ANA}', '{BEN}']}}]");
    let house = House::new(&bot, vec![House::write_down(), Turn::text("Hi Ben."), Turn::text("Hi again.")]);
    let serving = house.serve();
    // Ana's chat waits for its answer.
    house.says("write it down");
    house.question();
    let flood: Vec<String> = (0..SHARE + 50).map(|number| format!("and {number}")).collect();
    let flood: Vec<&str> = flood.iter().map(String::as_str).collect();
    house.telegram.says_all(TOKEN, ANA, &flood);
    until("it has arrived", || house.telegram.unconfirmed(TOKEN) == 0);
    until("it is refused", || house.sent().iter().any(|said| said.contains("(the limit: 500)")));
    house.telegram.says(TOKEN, BEN, "hello");
    until("Ben is answered", || house.sent().contains(&"Hi Ben.".to_owned()));
    house.telegram.says(TOKEN, BEN, "again");
    until("and again", || house.sent().contains(&"Hi again.".to_owned()));
    let refused = house.telegram.calls(TOKEN, "sendMessage").into_iter();
    let refused: Vec<_> = refused.filter(|sent| sent["text"].to_string().contains("(the limit: ")).collect();
    assert_eq!(refused.iter().map(|sent| sent["chat_id"].clone()).collect::<Vec<_>>(), [ANA], "{refused:?}");
    serving.kill();
    // What was within the share waits still, over the kill; what was beyond it does not come back.
    let kept = house.bench.home().join("chats/telegram-111.jsonl");
    let kept = std::fs::read_to_string(kept).unwrap();
    let texts = kept.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let of_ana: usize = texts
        .flat_map(|line| line["took"]["messages"].as_array().cloned().unwrap_or_default())
        .filter(|heard| heard["from"]["id"] == ANA)
        .count();
    assert_eq!(of_ana, SHARE);
}
