#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;

const TOOLS: [&str; 20] = [
    "web_search",
    "web_fetch",
    "save_memory",
    "update_soul",
    "update_identity",
    "manage_goals",
    "memory_search",
    "memory_get",
    "exec",
    "file_read",
    "file_write",
    "file_edit",
    "process",
    "get_datetime",
    "phone_call",
    "cron",
    "delegate_to_bot",
    "collaborate",
    "improve",
    "create_tool",
];
const HEADINGS: [&str; 13] = [
    "The Web",
    "Who You Are",
    "Shell Execution",
    "File Operations",
    "Process Management",
    "Memory Search",
    "Date & Time",
    "Phone Calls",
    "Scheduled Jobs & Reminders",
    "Bot Delegation",
    "Agent Collaboration",
    "Goal Management",
    "Dynamic Tool Creation",
];

fn prompt(mode: BotMode, language: BotLanguage, offered: &dyn Fn(&str) -> bool) -> String {
    BotPrompt { soul: Soul::default(), mode, language }.parts(offered).join("\n\n")
}

fn headings(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("## ")).collect()
}

#[test]
fn the_blocks_stand_in_the_documents_order_each_once() {
    let whole = |mode| prompt(mode, BotLanguage::English, &|_| true);
    let modes = [BotMode::Conversation, BotMode::Group, BotMode::Autonomous, BotMode::Collaboration];
    let [talk, group, alone, asked] = modes.map(whole);
    assert_eq!(headings(&group), [&HEADINGS[..], &["Group Chat", "Remember"]].concat());
    let aloud = &["Group Chat", "Another Bot Speaks to You", "Remember"];
    assert_eq!(headings(&whole(BotMode::Aloud)), [&HEADINGS[..], aloud].concat());
    assert_eq!(headings(&talk), [&HEADINGS[..], &["Remember"]].concat());
    assert_eq!(headings(&alone), [&["On your own"], &HEADINGS[..], &["Remember"]].concat());
    assert_eq!(headings(&asked), ["Asked by Another Bot", "Who You Are", "Memory Search", "Remember"]);
    assert_eq!(headings(&prompt(BotMode::Conversation, BotLanguage::Spanish, &|_| true)).len(), 14);
}

#[test]
fn no_subset_of_tools_names_a_tool_that_is_not_offered() {
    // Each alone, each missing, and pairs: a block depends on at most three.
    let bits = (0..20).map(|at| 1 << at);
    let pairs = (0..20).flat_map(|a| (0..a).map(move |b| 1 << a | 1 << b));
    let sets: Vec<u32> = bits.clone().chain(bits.map(|bit| !bit)).chain(pairs).chain([0]).collect();
    for (set, language) in sets.iter().flat_map(|set| [(set, BotLanguage::English), (set, BotLanguage::Spanish)]) {
        let offered = |name: &str| TOOLS.iter().position(|tool| *tool == name).is_some_and(|at| set >> at & 1 == 1);
        let text = prompt(BotMode::Conversation, language, &offered);
        for tool in TOOLS {
            assert!(offered(tool) || !text.contains(&format!("`{tool}`")), "{tool} is not offered:\n{text}");
        }
        // A heading without a sentence teaches nothing.
        assert!(!text.contains("##\n") && !text.ends_with('\n'), "{text}");
    }
    let bare = prompt(BotMode::Conversation, BotLanguage::English, &|_| false);
    assert!(headings(&bare).is_empty(), "{bare}");
}

#[test]
fn a_bot_is_what_its_files_say() {
    let soul = Soul {
        name: "Ana".to_owned(),
        emoji: "🌱".to_owned(),
        vibe: "calm".to_owned(),
        character: "Be kind.\n".to_owned(),
        goals: "- [ ] learn Basque\n".to_owned(),
        recent_memory: vec![("2026-11-27".to_owned(), "- [09:00] likes tea\n".to_owned())],
        ..Soul::default()
    };
    let bot = BotPrompt { soul, mode: BotMode::Conversation, language: BotLanguage::English };
    assert_eq!(
        bot.parts(&|_| false),
        [
            "You are Ana 🌱. Your vibe: calm.",
            "Be kind.",
            "## Goals\n- [ ] learn Basque",
            "## Recent Memory\n### 2026-11-27\n- [09:00] likes tea",
        ]
    );
    let spanish = BotPrompt { language: BotLanguage::Spanish, ..bot };
    assert!(spanish.parts(&|_| false).join("\n").contains("Eres Ana 🌱. Tu estilo: calm.\nBe kind.\n## Metas"));
}

#[test]
fn what_is_recalled_stands_near_the_end_and_changes_what_is_said_of_search() {
    for (language, above, plain) in [
        (BotLanguage::English, "## Relevant Memory\n", "Before you answer about people"),
        (BotLanguage::Spanish, "## Recuerdos relevantes\n", "Antes de responder sobre personas"),
    ] {
        let with = |recalled: &str| {
            let soul = Soul { recalled: recalled.to_owned(), ..Soul::default() };
            BotPrompt { soul, mode: BotMode::Conversation, language }.parts(&|_| true)
        };
        let (without, parts) = (with(" \n").join("\n\n"), with("<<<Rex>>>\n"));
        assert!(without.contains(plain) && !without.contains(above), "{without}");
        assert!(!parts.join("\n").contains(plain));
        let [.., recalled, _reminder] = &parts[..] else { panic!("{parts:?}") };
        assert!(recalled.starts_with(above) && recalled.ends_with("\n\n<<<Rex>>>"), "{recalled}");
        assert!(parts.iter().any(|part| part.contains("`memory_search`")
            && part.contains("Relevant Memory\"") | part.contains("relevantes\"")));
    }
}
