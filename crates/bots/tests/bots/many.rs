//! Hundreds of bots in one process.

use crate::house::{House, block_on, chat};
use palanca_core::ports::NoAsker;
use serde_json::json;
use std::sync::Arc;
use std::time::Instant;

const BOTS: usize = 500;
const CHATS: usize = 4;
/// Bytes that a bot takes which has been built, and that may be left of all calls.
const BUILT: usize = 1 << 20;
const LEFT: usize = 16 << 20;

/// Bytes of this process that are resident.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() << 10
}

/// In full: `cargo xtask stress`. The time is told, not judged.
pub fn five_hundred_bots() {
    let ids: Vec<String> = (0..BOTS).map(|number| format!("bot{number}")).collect();
    let list = ids.iter().map(|id| format!("{{id: {id}}}")).collect::<Vec<_>>().join(", ");
    let house = House::new(&format!("[{list}]"), Vec::new());
    std::fs::write(house.path("a.txt"), "a\n").unwrap();
    let bots = house.bots();
    bots.bot("bot0").unwrap();
    let before = resident();
    let begun = Instant::now();
    for id in &ids {
        bots.bot(id).unwrap();
    }
    let built = begun.elapsed() / u32::try_from(BOTS).unwrap();
    let one = resident().saturating_sub(before) / BOTS;
    let call = async |id: &str, number: usize| {
        let executor = bots.executor(&chat(&format!("chat {number}")), id, Arc::new(NoAsker)).unwrap();
        let result = executor.execute("file_read", json!({"path": "a.txt"})).await;
        executor.end().await;
        assert!(result.success, "{}", result.output);
    };
    block_on(async {
        for number in 0..CHATS {
            call("bot0", number).await;
        }
        let before = resident();
        let begun = Instant::now();
        for number in 0..CHATS {
            for id in &ids {
                call(id, number).await;
            }
        }
        let each = begun.elapsed() / u32::try_from(BOTS * CHATS).unwrap();
        let left = resident().abs_diff(before);
        eprintln!(
            "{BOTS} bots: {built:.1?} and {} KB each; {CHATS} chats of each, one call: {each:.1?}, {} KB more or less afterwards",
            one >> 10,
            left >> 10
        );
        assert!(one <= BUILT && left <= LEFT, "{one} bytes of a bot, {left} left");
    });
}
