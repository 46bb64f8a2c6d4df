use crate::house::{House, block_on, chat, say};
use palanca_core::ports::NoAsker;
use palanca_core::tool::Cancel;
use palanca_testkit::Turn;
use serde_json::json;
use std::sync::Arc;

const BOTS: &str = "[{id: ana, name: Ana, confirmMode: yolo}, {id: off, enabled: false}, {id: bad, timezone: Madrid}, \
                    {id: therapist, soulDir: people/t, confirmMode: yolo, disabledTools: [exec, file_write, file_edit]}]";

pub fn each_has_its_own_tools() {
    let house = House::new(BOTS, Vec::new());
    let bots = house.bots();
    assert_eq!(bots.ids(), ["ana", "bad", "therapist"]);
    let names = |id: &str| bots.tools_for_bot(id).unwrap().names().map(str::to_owned).collect::<Vec<_>>();
    let (ana, therapist) = (names("ana"), names("therapist"));
    for name in ["exec", "file_write", "file_edit"] {
        assert!(ana.iter().any(|has| has == name) && !therapist.iter().any(|has| has == name), "{name}");
    }
    let definitions = bots.definitions_for_bot("therapist").unwrap();
    assert_eq!(definitions.len(), therapist.len());
    assert!(definitions.iter().all(|one| one["type"] == "function" && one["function"]["parameters"].is_object()));
    let asked = bots.collaboration_tools("ana").unwrap();
    assert!(!asked.offers("collaborate") && !asked.offers("delegate_to_bot") && asked.offers("save_memory"));
}

pub fn each_acts_as_itself() {
    let house = House::new(BOTS, Vec::new());
    let bots = house.bots();
    block_on(async {
        for (bot, own, others) in [("ana", "config/soul/ana", "people/t"), ("therapist", "people/t", "config/soul/ana")]
        {
            let executor = bots.executor(&chat("1"), bot, Arc::new(NoAsker)).unwrap();
            // Whoever the arguments say it is.
            let fact = json!({"fact": format!("{bot} was here"), "_botId": "ana", "_chatId": "2"});
            assert!(executor.execute("save_memory", fact).await.success);
            let soul = executor.execute("update_soul", json!({"content": format!("I am {bot}.")})).await;
            assert!(soul.success);
            assert_eq!(std::fs::read_to_string(house.path(own).join("SOUL.md")).unwrap(), format!("I am {bot}.\n"));
            std::fs::create_dir_all(house.path(others)).unwrap();
            std::fs::write(house.path(others).join("note.md"), "private").unwrap();
            let read = executor.execute("file_read", json!({"path": format!("{others}/note.md")})).await;
            assert!(!read.success, "{bot} reads what is another's");
            executor.end().await;
        }
        let therapist = bots.executor(&chat("1"), "therapist", Arc::new(NoAsker)).unwrap();
        assert!(!therapist.execute("exec", json!({"command": "true"})).await.success);
        assert!(!therapist.execute("file_write", json!({"path": "a", "content": "x"})).await.success);
    });
    assert!(!house.path("a").exists());
}

pub fn what_is_wrong_with_one_stops_no_other() {
    let house = House::new(BOTS, vec![Turn::text("Hello.")]);
    let bots = house.bots();
    for (id, key) in [("bad", "cli-time-zone"), ("off", "cli-bot-disabled"), ("therapst", "cli-bot-unknown")] {
        assert_eq!(bots.bot(id).err().unwrap().message.key(), key);
        let said = block_on(say(&bots, id, &chat("1"), "x", Cancel::new()));
        assert_eq!(said.unwrap_err().message.key(), key);
    }
    let said = block_on(say(&bots, "ana", &chat("1"), "Hi.", Cancel::new()));
    assert_eq!(said.unwrap().answer.as_deref(), Some("Hello."));
    assert!(house.instructions(0).starts_with("You are Ana.\n"));
}
