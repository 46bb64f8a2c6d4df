use crate::house::{House, block_on, chat, say};
use palanca_bots::Bots;
use palanca_core::ToolResult;
use palanca_core::ports::NoAsker;
use palanca_core::tool::Cancel;
use palanca_testkit::Turn;
use serde_json::{Value, json};
use std::sync::Arc;

async fn called(bots: &Bots, bot: &str, tool: &str, arguments: Value) -> ToolResult {
    let executor = bots.executor(&chat("other"), bot, Arc::new(NoAsker)).unwrap();
    let result = executor.execute(tool, arguments).await;
    executor.end().await;
    assert!(result.success, "{}", result.output);
    result
}

/// Ids that begin alike, letters that are patterns elsewhere, and one folder for two.
pub fn a_bot_finds_its_own_conversations_alone() {
    let ids = ["an", "ana", "ana_b", "ana-b", "anaxb"];
    let house = House::new(
        "[{id: an, soulDir: people/both}, {id: ana, soulDir: people/both}, {id: ana_b}, {id: ana-b}, {id: anaxb}]",
        ids.map(|id| Turn::text(&format!("The dog of {id} is called R{id}."))).into(),
    );
    let bots = house.bots();
    block_on(async {
        for id in ids {
            say(&bots, id, &chat("1"), "What is my dog called?", Cancel::new()).await.unwrap();
        }
        for id in ids {
            let found = called(&bots, id, "memory_search", json!({"query": "dog", "minScore": 0})).await;
            let data = found.data.unwrap();
            let [hit] = &data["results"].as_array().unwrap()[..] else { panic!("{}", found.output) };
            let text = hit["text"].as_str().unwrap();
            assert_eq!(text, format!("user: What is my dog called?\nassistant: The dog of {id} is called R{id}."));
            assert!(hit["path"].as_str().unwrap().starts_with("sessions/") && !found.foreign);
        }
    });
}

pub fn what_another_bot_said_stays_foreign() {
    let bots = "[{id: ana}, {id: eva}]";
    let asks = Turn::calls([("delegate_to_bot", json!({"targetBotId": "eva", "message": "Where is Bilbao?"}))]);
    let answers = [Turn::text("Bilbao is in the north."), Turn::text("Eva says: Bilbao is in the north.")];
    let house = House::new(bots, [asks].into_iter().chain(answers).collect());
    let bots = house.bots();
    block_on(async {
        say(&bots, "ana", &chat("1"), "Ask Eva where Bilbao is.", Cancel::new()).await.unwrap();
        let found = called(&bots, "ana", "memory_search", json!({"query": "north"})).await;
        assert!(found.foreign && found.output.contains("Eva says"), "{}", found.output);
        // One pair of marks, of now.
        assert_eq!(found.output.matches("<<<EXTERNAL").count(), 1, "{}", found.output);
    });
}
