//! The tools of bots, as a program and its person see them.

use crate::harness::{Bench, Ended, ended};
use palanca_testkit::{EmbeddingServer, Manner, ScriptedServer, Turn};
use serde_json::{Value, json};
use std::io::{Seek as _, Write as _};

fn bench(more: &str) -> Bench {
    let bench = Bench::new(&[]);
    std::fs::write(bench.home().join("bots.yaml"), format!("toolset: bots\n{more}")).unwrap();
    bench
}

fn with(bench: &Bench, arguments: &[&str]) -> Ended {
    let own = bench.home().join("bots.yaml").display().to_string();
    bench.run(&[&["-c", &own], arguments].concat())
}

#[test]
fn a_bot_writes_its_own_folder_unasked_and_nothing_else() {
    let bench = bench("fileTools: {enabled: true}\nbots: [{id: off, enabled: false}, {id: ana}, {id: eva}]\n");
    with(&bench, &["call", "update_soul", "content=Be kind."]).expect(0);
    assert_eq!(bench.read("config/soul/ana/SOUL.md"), "Be kind.\n");
    let saved = with(&bench, &["call", "save_memory", "fact=likes tea", "--json"]).expect(0).json();
    assert_eq!(saved, serde_json::json!({"success": true, "content": "Saved to memory: likes tea"}));
    with(&bench, &["call", "manage_goals", "action=add", "goal=learn Basque"]).expect(0);
    for path in ["notes.md", "config/soul/eva/SOUL.md"] {
        with(&bench, &["call", "file_write", &format!("path={path}"), "content=x"]).expect(6);
        assert!(!bench.workspace().join(path).exists());
    }
}

#[test]
fn what_an_untrusted_file_says_too_early_is_told_once() {
    let config = "{\n\"exec\": {\"enabled\": true},\n\"cron\": {\"enabled\": true}\n}";
    let bench = Bench::new(&[("config/config.json", config), ("config/bots.json", "[{\"id\": \"ana\"}]")]);
    let early =
        "./config/config.json: not applied, because nobody has trusted this file yet: exec.enabled, cron.enabled.";
    for command in [&["bots", "list"][..], &["bots", "check"], &["tools", "list"]] {
        let told = bench.run(command).expect(0).stderr;
        assert_eq!(told.matches("config trust").count(), 2, "{told}");
        assert!(told.contains(early) && told.contains("./config/bots.json:1: bots: is not applied"), "{told}");
    }
    let each = bench.run(&["config", "check"]).stderr;
    assert!(each.contains("config.json:2: exec.enabled: is not applied: this turns a restriction off"), "{each}");
    bench.run(&["config", "trust"]).expect(0);
    let list = bench.run(&["bots", "list"]).expect(0);
    assert!(list.stderr.is_empty() && list.stdout.starts_with("ana"), "{}{}", list.stdout, list.stderr);
}

#[test]
fn where_a_bot_lives_and_what_it_has_is_configured() {
    let elsewhere = bench("bots: [{id: ana, soulDir: ./people/ana/}]\nsoul: {versioning: {enabled: false}}\n");
    for content in ["content=Be kind.", "content=Be brief."] {
        with(&elsewhere, &["call", "update_soul", content]).expect(0);
    }
    assert_eq!(elsewhere.read("people/ana/SOUL.md"), "Be brief.\n");
    assert!(!elsewhere.workspace().join("people/ana/.versions").exists());
    let told = bench("bots: [{id: ana, skills: [x], disabledTools: [update_soul, cron]}]\n");
    let listed = with(&told, &["tools", "list"]).expect(0);
    assert!(!listed.stdout.contains("update_soul") && listed.stdout.contains("save_memory"), "{}", listed.stdout);
    assert!(!listed.stderr.contains("bots[0]"), "{}", listed.stderr);
    with(&told, &["call", "update_soul", "content=x"]).expect(1);
    let off = bench("soul: {enabled: false}\n");
    assert!(with(&off, &["call", "update_soul", "content=x"]).expect(1).stderr.contains("soul.enabled"));
    for (settings, words) in [
        ("soul: {dir: /elsewhere}\n", "soul.dir"),
        ("soul: {dir: ../x}\n", "soul.dir"),
        ("bots: [{id: ana, soulDir: .}]\n", "soul.dir"),
        ("bots: [{id: ana, soulDir: ./}]\n", "soul.dir"),
        ("fileTools: {basePath: ../x}\n", "fileTools.basePath"),
        ("fileTools: {deniedPatterns: ['(']}\n", "fileTools.deniedPatterns"),
        ("datetime: {timezone: Madrid}\n", "datetime.timezone"),
    ] {
        let ended = with(&bench(settings), &["tools", "list"]).expect(3);
        assert!(ended.stderr.contains(words), "{}", ended.stderr);
    }
}

/// The example of the bots' document, with two bots.
const DOCUMENT: &str = r#"{
  // every group of tools has a flag
  "webTools": { "enabled": true, "maxToolRounds": 2 },
  "exec": { "enabled": true },
  "fileTools": { "enabled": true },
  "processTools": { "enabled": true },
  "datetime": { "enabled": true },
  "phoneCall": { "enabled": false },
  "cron": { "enabled": true },
  "soul": { "enabled": true },
  "bots": [
    { "id": "ana", "name": "Ana", "model": ["llama3", "openai:gpt-x"], "budgetUsd": 0.5, "description": "helps" },
    {
      "id": "therapist", "soulDir": "people/t", "confirmMode": "confirm-all", "language": "es", "folder": "./t",
      "timezone": "Europe/Madrid",
      "disabledTools": ["exec", "file_write", "file_edit", "phone_call", "improve", "process", "cron"],
    },
    { "id": "off", "enabled": false },
  ],
}"#;

/// A workspace with these files of the bots' document, trusted.
fn document(files: &[(&str, &str)]) -> Bench {
    let bench = Bench::new(files);
    bench.run(&["config", "trust"]).expect(0);
    bench
}

fn acting(bench: &Bench, bot: &str, arguments: &[&str]) -> Ended {
    bench.run(&[&["--bot", bot], arguments].concat())
}

#[test]
fn the_document_is_found_by_itself_and_widens_nothing_before_it_is_trusted() {
    let bench = Bench::new(&[("config/config.json", DOCUMENT)]);
    let offered = |bench: &Bench| {
        let listed = bench.run(&["--toolset", "bots", "tools", "list", "--json"]).expect(0).json();
        listed.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(!offered(&bench).iter().any(|name| name == "exec" || name == "file_write"));
    let listed = bench.run(&["bots", "list"]).expect(0);
    assert!(
        listed.stderr.contains("palanca config trust") && listed.stdout.starts_with("default"),
        "{}",
        listed.stderr
    );
    let unknown = bench.run(&["chat", "ana"]).expect(3);
    assert!(
        unknown.stderr.contains("config/config.json") && unknown.stderr.contains("config trust"),
        "{}",
        unknown.stderr
    );
    bench.run(&["config", "trust"]).expect(0);
    let all = offered(&bench);
    for name in ["exec", "process", "file_read", "file_write", "file_edit", "web_fetch", "save_memory", "get_datetime"]
    {
        assert!(all.iter().any(|offered| offered == name), "{name}: {all:?}");
    }
    let listed = bench.run(&["bots", "list"]).expect(0).stdout;
    assert!(
        listed.contains("ana            Ana · ollama:llama3 · helps\n") && listed.contains("switched off"),
        "{listed}"
    );
    let changed = DOCUMENT.replace("helps", "hurts");
    std::fs::write(bench.workspace().join("config/config.json"), changed).unwrap();
    assert!(!offered(&bench).iter().any(|name| name == "exec"));
}

#[test]
fn the_therapist_of_the_document_has_its_own_terms() {
    let bench = document(&[("config/config.json", DOCUMENT)]);
    let shown = bench.run(&["bots", "show", "therapist", "--json"]).expect(0).json();
    assert_eq!(
        [&shown["confirmMode"], &shown["language"], &shown["timezone"], &shown["soulDir"], &shown["folder"]],
        [&json!("confirm-all"), &json!("es"), &json!("Europe/Madrid"), &json!("people/t"), &json!("./t")]
    );
    let ana = bench.run(&["bots", "show", "ana", "--json"]).expect(0).json();
    assert_eq!(
        (&ana["fallbacks"], &ana["budgetUsd"], &ana["soulDir"]),
        (&json!(["openai:gpt-x"]), &json!(0.5), &json!("config/soul/ana"))
    );
    for name in ["exec", "file_write", "file_edit", "process"] {
        assert!(!shown["tools"].to_string().contains(&format!("\"{name}\"")), "{name}");
        assert!(!shown["prompt"].to_string().contains(&format!("`{name}`")), "{name}");
    }
    // For calls, not only for offers.
    acting(&bench, "therapist", &["call", "exec", "command=true", "--mode", "yolo"]).expect(1);
    acting(&bench, "therapist", &["call", "file_write", "path=a", "content=x", "--mode", "yolo"]).expect(1);
    acting(&bench, "ana", &["call", "file_write", "path=a.md", "content=x", "--mode", "yolo"]).expect(0);
    let explained = acting(&bench, "therapist", &["--lang", "en", "config", "explain", "mode"]).expect(0).stdout;
    assert!(explained.contains("the bot therapist: \"confirm-all\""), "{explained}");
}

#[test]
fn what_a_model_says_of_the_conversation_is_not_heard() {
    let bench = document(&[("config/config.json", DOCUMENT)]);
    let given = r#"{"fact": "likes tea", "_botId": "therapist", "_chatId": 7, "_tenantRoot": "/"}"#;
    acting(&bench, "ana", &["call", "save_memory", given]).expect(0);
    assert!(bench.workspace().join("config/soul/ana/memory").is_dir() && !bench.workspace().join("people").exists());
    acting(&bench, "ana", &["call", "save_memory", r#"{"fact": "x", "botId": 7}"#]).expect(1);
}

#[test]
fn no_bot_reads_or_changes_what_is_anothers_not_even_by_a_program() {
    let bots = r#"[{"id": "a"}, {"id": "ab"}, {"id": "a_b"}, {"id": "B"}, {"id": "home", "soulDir": "people/home"}]"#;
    let config = r#"{"fileTools": {"enabled": true}, "exec": {"enabled": true}}"#;
    let folders =
        [("a", "config/soul/a"), ("ab", "config/soul/ab"), ("a_b", "config/soul/a_b"), ("B", "config/soul/B")];
    let folders = [&folders[..], &[("home", "people/home")]].concat();
    let bench = document(&[("config/config.json", config), ("config/bots.json", bots)]);
    for (bot, folder) in &folders {
        acting(&bench, bot, &["call", "update_soul", &format!("content=I am {bot}.")]).expect(0);
        assert_eq!(bench.read(&format!("{folder}/SOUL.md")), format!("I am {bot}.\n"));
        std::fs::create_dir_all(bench.workspace().join("data/cron").join(bot)).unwrap();
        std::fs::write(bench.workspace().join("data/cron").join(bot).join("jobs.json"), "{}").unwrap();
    }
    for (bot, own) in &folders {
        let foreign = folders.iter().filter(|(other, _)| other != bot);
        let places =
            foreign.flat_map(|(other, folder)| [format!("{folder}/SOUL.md"), format!("data/cron/{other}/jobs.json")]);
        let places: Vec<String> = places.collect();
        for place in &places {
            let path = format!("path={place}");
            acting(&bench, bot, &["-m", "yolo", "call", "file_read", &path]).expect(6);
            acting(&bench, bot, &["-m", "yolo", "call", "file_write", &path, "content=x"]).expect(6);
        }
        let command = format!("command=cat {own}/SOUL.md {} ; rm -rf {0} ; true", places.join(" "));
        let command = command.replace("{0}", &places.join(" "));
        let said = acting(&bench, bot, &["-m", "yolo", "call", "exec", &command]);
        assert!(said.stdout.contains(&format!("I am {bot}.")), "{}{}", said.stdout, said.stderr);
        assert_eq!(said.stdout.matches("I am ").count(), 1, "{bot} reads another's: {}", said.stdout);
    }
    for (bot, folder) in &folders {
        assert_eq!(bench.read(&format!("{folder}/SOUL.md")), format!("I am {bot}.\n"));
    }
}

#[test]
fn a_configuration_that_is_wrong_names_the_place_and_the_others_go_on() {
    let two = |config: &str, bots: &str| {
        let bench = Bench::new(&[("config/config.json", config), ("config/bots.json", bots)]);
        // What is not trusted says nothing of bots.
        std::fs::write(bench.home().join("own.json"), "{}").unwrap();
        bench.run(&["--toolset", "bots", "config", "trust"])
    };
    for (config, bots, words) in [
        ("{\"exec\": {\"enabled\": tru}}", "[]", "config/config.json:1"),
        ("{\"exec\": {\"enable\": true}}", "[]", "did you mean \"exec.enabled\"?"),
        ("{\"bots\": [{\"id\": \"a\"}]}", "[{\"id\": \"b\"}]", "keep one of the two lists"),
    ] {
        let ended = two(config, bots).expect(3);
        assert!(ended.stderr.contains(words), "{words}: {}", ended.stderr);
    }
    let both = Bench::new(&[("palanca.yaml", "mode: yolo\n"), ("config/config.json", "{\"exec\": {}}")]);
    let ended = both.run(&["tools", "list"]).expect(3);
    assert!(ended.stderr.contains("palanca.yaml") && ended.stderr.contains("config/config.json"), "{}", ended.stderr);
    // Another program's file of that name is nothing of ours.
    let other = Bench::new(&[("palanca.yaml", "mode: yolo\n"), ("config/config.json", "{\"development\": {}}")]);
    other.run(&["tools", "list"]).expect(0);
    for (bots, words) in [
        ("[{id: a}, {id: A}]", "bots[1].id: \"A\" is the id of another bot"),
        ("[{id: a/b}]", "bots[0].id: \"a/b\" is no id"),
        ("[{id: a, model: '${NO_SUCH_MODEL}'}]", "NO_SUCH_MODEL"),
        ("[{id: a, timezone: Madrid}]", "datetime.timezone"),
        ("[{id: a, soulDir: /elsewhere}]", "soul.dir"),
        ("[{id: a, enabled: false}]\nbot: a", "switched off"),
        ("[{id: anabel}]\nbot: anabell", "no bot is called 'anabell': use anabel"),
    ] {
        let ended = with(&bench(&format!("bots: {bots}\n")), &["tools", "list"]).expect(3);
        assert!(ended.stderr.contains(words), "{words}: {}", ended.stderr);
    }
    let models = "{id: mute, model: 'claude-cli:sonnet'}, {id: pair, model: ['claude-cli:sonnet', 'ollama:a']}";
    let mixed =
        bench(&format!("bots: [{{id: bad, timezone: Madrid}}, {{id: good}}, {{id: off, enabled: false}}, {models}]\n"));
    std::fs::create_dir_all(mixed.workspace().join("config/soul/good/SOUL.md")).unwrap();
    let checked = with(&mixed, &["bots", "check"]).expect(3);
    assert_eq!(checked.stdout, "good: ready\noff: switched off\npair: ready\n");
    for told in ["bad: datetime.timezone", "good/SOUL.md", "mute: claude-cli:sonnet cannot call tools"] {
        assert!(checked.stderr.contains(told), "{told}: {}", checked.stderr);
    }
}

/// What these lines to a bot come to, with a model that gives these answers; and what it was sent.
fn chat(bench: &Bench, arguments: &[&str], lines: &str, turns: Vec<Turn>) -> (Ended, Vec<Value>) {
    let server = ScriptedServer::spawn(turns, Manner::default());
    let mut stdin = tempfile::tempfile().unwrap();
    stdin.write_all(lines.as_bytes()).unwrap();
    stdin.rewind().unwrap();
    let mut command = bench.command(&["chat"]);
    command.args(arguments).stdin(stdin).env("OPENAI_BASE_URL", server.openai_url()).env("OPENAI_API_KEY", "k");
    let ended = ended(command.output().unwrap());
    (ended, server.requests().into_iter().map(|request| request.body).collect())
}

fn contents(request: &Value) -> Vec<&str> {
    request["messages"].as_array().unwrap().iter().filter_map(|said| said["content"].as_str()).collect()
}

#[test]
fn two_bots_have_two_chats_each_and_take_them_up() {
    let bots = "[{id: ana, name: Ana, model: 'openai:a'}, {id: eva, language: es, model: ['openai:e', 'openai:f']}]";
    let bench = bench(&format!("fileTools: {{enabled: true}}\nwebTools: {{maxToolRounds: 2}}\nbots: {bots}\n"));
    let own = bench.home().join("bots.yaml").display().to_string();
    let say = |arguments: &[&str], lines: &str, turns: &[&str]| {
        let turns = turns.iter().map(|text| Turn::text(text)).collect();
        let (ended, requests) = chat(&bench, &[&["-c", &own], arguments].concat(), lines, turns);
        ended.expect(0);
        requests
    };
    with(&bench, &["--bot", "ana", "call", "update_soul", "content=Be kind."]).expect(0);
    let first = say(&["ana"], "I am Leo.\n", &["Hello, Leo."]);
    let system = contents(&first[0])[0];
    assert!(system.starts_with("You are Ana.\n\nBe kind.\n\n## Who You Are\n"), "{system}");
    assert_eq!(first[0]["model"], "a");
    say(&["ana", "--chat", "work"], "Ship it.\n", &["Shipped."]);
    let eva = say(&["eva"], "Hola.\n", &["Buenas."]);
    assert!(contents(&eva[0])[0].starts_with("Eres eva.\n") && eva[0]["model"] == "e", "{}", eva[0]);
    // Each goes on where it was left, and knows nothing of the others.
    let again = say(&["ana"], "Who am I?\n", &["Leo."]);
    assert_eq!(contents(&again[0])[1..], ["I am Leo.", "Hello, Leo.", "Who am I?"]);
    let work = say(&["ana", "--chat", "work"], "Done?\n", &["Yes."]);
    assert_eq!(contents(&work[0])[1..], ["Ship it.", "Shipped.", "Done?"]);
    let new = say(&["ana", "--new"], "Who am I?\n", &["I do not know."]);
    assert_eq!(contents(&new[0])[1..], ["Who am I?"]);
    let after = say(&["ana"], "And now?\n", &["Still not."]);
    assert_eq!(contents(&after[0])[1..], ["Who am I?", "I do not know.", "And now?"]);
    // By either name it is the same chat.
    let same = say(&["--bot", "ana"], "Really?\n", &["Really."]);
    assert_eq!(contents(&same[0])[1..], [&contents(&after[0])[1..], &["Still not.", "Really?"]].concat());
    let work = say(&["--bot", "ana", "--chat", "work"], "Sure?\n", &["Yes."]);
    assert!(contents(&work[0]).contains(&"Ship it."), "{}", work[0]);
    let listed = bench.run(&["sessions", "list"]).expect(0).stdout;
    assert_eq!(
        (
            listed.matches("  ana/terminal:work  Ship it.\n").count(),
            listed.matches("  eva/terminal:operator  Hola.\n").count()
        ),
        (1, 1),
        "{listed}"
    );
    let listed = with(&bench, &["--bot", "eva", "sessions", "list", "--json"]).expect(0).json();
    let of = |row: &Value| [&row["bot"], &row["chat"], &row["task"]].map(Value::to_string).join(" ");
    assert_eq!(listed.as_array().unwrap().iter().map(of).collect::<Vec<_>>(), [r#""eva" "operator" "Hola.""#]);
    let none = with(&bench, &["--bot", "anna", "sessions", "list"]).expect(0).stdout;
    assert!(none.contains("a bot called anna") && none.contains("palanca bots list"), "{none}");
    for (wrong, words) in [
        (&["anna"][..], "use ana"),
        (&["ana", "--bot", "eva"], "two bots are named: ana, and eva by --bot"),
        (&["--chat", "work"], "need a bot: palanca chat BOT"),
        (&["--new"], "need a bot: palanca chat BOT"),
    ] {
        let (ended, requests) = chat(&bench, &[&["-c", &own], wrong].concat(), "x\n", vec![]);
        let stderr = ended.expect(3).stderr;
        assert!(stderr.contains(words) && requests.is_empty(), "{wrong:?}: {stderr}");
    }
}

#[test]
fn a_bot_acts_as_itself_and_has_a_last_word_after_its_rounds() {
    let bench = bench("webTools: {maxToolRounds: 2}\nbots: [{id: ana, model: 'openai:a'}]\n");
    let own = bench.home().join("bots.yaml").display().to_string();
    let save = |fact: &str| Turn::calls([("save_memory", json!({"fact": fact, "_botId": "eva"}))]);
    let turns = vec![save("likes tea"), save("likes cake"), Turn::text("Noted."), Turn::text("Tea.")];
    let (ended, requests) = chat(&bench, &["-c", &own, "ana"], "Note it.\nWhat do I like?\n", turns);
    assert_eq!(ended.expect(0).stdout, "Noted.\nTea.\n");
    assert!(requests[2]["tools"].as_array().is_none_or(|tools| tools.is_empty()), "{}", requests[2]["tools"]);
    // What it noted is in its prompt from then on.
    assert!(!contents(&requests[0])[0].contains("likes") && contents(&requests[3])[0].contains("likes cake"));
    assert!(contents(&requests[3])[0].contains("## Recent Memory\n### "), "{}", contents(&requests[3])[0]);
}

#[test]
fn a_bot_asks_another_which_answers_as_itself() {
    let bots = "[{id: ana, name: Ana, model: 'openai:a'}, {id: eva, name: Eva, model: 'openai:e', description: knows Basque}, \
                {id: off, enabled: false}]";
    let bench = bench(&format!("exec: {{enabled: true}}\nbots: {bots}\n"));
    let own = bench.home().join("bots.yaml").display().to_string();
    with(&bench, &["--bot", "eva", "call", "update_soul", "content=Speak Basque."]).expect(0);
    let ask = |target: &str| {
        Turn::calls([("delegate_to_bot", json!({"targetBotId": target, "message": "Hello in Basque?"}))])
    };
    let turns = vec![ask("ana"), ask("evaa"), ask("off"), ask("eva"), Turn::text("Kaixo!"), Turn::text("It is kaixo.")];
    let (ended, requests) = chat(&bench, &["-c", &own, "ana"], "How do Basques greet?\n", turns);
    assert_eq!(ended.expect(0).stdout, "It is kaixo.\n");
    let offered = requests[0]["tools"].to_string();
    assert!(offered.contains("Bots: eva (Eva, knows Basque)."), "{offered}");
    assert!(contents(&requests[0])[0].contains("`delegate_to_bot`"));
    let told = |request: usize| contents(&requests[request]).last().unwrap().to_string();
    assert!(
        told(1).contains("is you") && told(2).contains("use eva") && told(3).contains("No bot is called"),
        "{}",
        told(1)
    );
    // Eva: her own files and model, no tools, and a message that is not her user's.
    assert_eq!(requests[4]["model"], "e");
    assert!(contents(&requests[4])[0].starts_with("You are Eva.\n\nSpeak Basque."), "{}", requests[4]);
    assert!(requests[4]["tools"].as_array().is_none_or(Vec::is_empty), "{}", requests[4]["tools"]);
    assert!(told(4).contains("EXTERNAL_UNTRUSTED_CONTENT") && told(4).contains("Hello in Basque?"), "{}", told(4));
    assert!(told(5).contains("Kaixo!") && told(5).contains("EXTERNAL_UNTRUSTED_CONTENT"), "{}", told(5));
}

#[test]
fn notes_are_found_by_meaning_where_a_model_for_it_is_configured() {
    let server = EmbeddingServer::start();
    let settings = |form: &str, path: &str| {
        let url = server.url();
        let key = "sk-7KU0eVduYDFOGxO780wTzy8FwpdKGt8Xyxqv";
        bench(&format!(
            "bots: [{{id: ana}}]\nsoul: {{search: {{embeddings: {{model: {form}m, baseUrl: {url}{path}, apiKey: {key}}}}}}}\n"
        ))
    };
    for (form, base, path) in
        [("openai:", "/v1", "/v1/embeddings"), ("ollama:", "", "/api/embed"), ("", "", "/api/embed")]
    {
        let bench = settings(form, base);
        let search = ["memory", "search", "automobile"];
        with(&bench, &["call", "save_memory", "fact=the coche is red"]).expect(0);
        bench.write(
            "config/soul/ana/memory/legacy.md",
            "The perro: sk-7KU0eVduYDFOGxO780wTzy8FwpdKGt8Xyxqv ghp_7KU0eVduYDFOGxO780wTzy8FwpdKGt8Xyxqv\n",
        );
        with(&bench, &[&["--dry-run"], &["call", "memory_search", "query=automobile"][..]].concat()).expect(0);
        assert_eq!(server.asked(), [], "a rehearsal sends nothing");
        let found = with(&bench, &search).expect(0).stdout;
        assert!(found.contains("via: vector") && found.contains("the coche is red"), "{found}");
        let asked = server.asked();
        let told = asked.iter().flat_map(|one| one.texts.clone()).collect::<String>();
        assert!(asked.iter().all(|one| one.path == path && one.model == "m"), "{asked:?}");
        assert!(asked.iter().all(|one| one.key.as_deref() == Some("Bearer sk-7KU0eVduYDFOGxO780wTzy8FwpdKGt8Xyxqv")));
        assert!(told.contains("The perro: ") && !told.contains("sk-7KU") && !told.contains("ghp_"), "{told}");
        server.instead(Some((500, r#"{"error": {"message": "no, sk-7KU0eVduYDFOGxO780wTzy8FwpdKGt8Xyxqv"}}"#)));
        let away = with(&bench, &["memory", "search", "coche"]).expect(0).stdout;
        assert!(away.contains("via: keyword") && away.contains("Only words were searched, not meaning: "), "{away}");
        assert!(!away.contains("sk-7KU") && server.asked().len() == 1, "{away}");
        server.instead(None);
    }
    let no_vectors = bench("bots: [{id: ana}]\nsoul: {search: {embeddings: {model: 'anthropic:m', apiKey: k}}}\n");
    let refused = with(&no_vectors, &["memory", "search", "x"]).expect(3).stderr;
    assert!(refused.contains("'anthropic:m' makes no vectors"), "{refused}");
    // Whoever connects waits.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let slow = format!("{{model: m, baseUrl: 'http://{}', timeout: 50}}", silent.local_addr().unwrap());
    let slow = bench(&format!("bots: [{{id: ana}}]\nsoul: {{search: {{embeddings: {slow}}}}}\n"));
    let said = with(&slow, &["memory", "search", "coche"]).expect(0).stdout;
    assert!(said.contains("Raise soul.search.embeddings.timeout"), "{said}");
}

#[test]
fn what_a_bot_notes_it_finds_again() {
    let bench = bench("bots: [{id: ana}]\n");
    let indexes = || bench.home().join("memory").read_dir().map_or(0, Iterator::count);
    let search = ["call", "memory_search", "query=¿qué té prefiere?"];
    with(&bench, &["call", "save_memory", "fact=prefiere té verde"]).expect(0);
    let rehearsed = with(&bench, &[&["--dry-run"], &search[..]].concat()).expect(0);
    assert!(rehearsed.stdout.contains("té verde") && indexes() == 0, "{}", rehearsed.stdout);
    let found = with(&bench, &search).expect(0).stdout;
    assert!(found.starts_with("[1] memory/") && found.contains("prefiere té verde") && indexes() > 0, "{found}");
    let path = found["[1] ".len()..].split_once(" (").unwrap().0.to_owned();
    let lines = with(&bench, &["call", "memory_get", &format!("path={path}")]).expect(0).stdout;
    assert!(lines.starts_with("1: - [") && lines.contains("té verde"), "{lines}");
    let off = self::bench("soul: {search: {enabled: false}}\n");
    for tool in ["memory_search", "memory_get"] {
        let refused = with(&off, &["call", tool, "query=x"]).expect(1).stderr;
        assert!(refused.contains("soul.search.enabled: true"), "{refused}");
    }
}

#[test]
fn a_pattern_that_is_none_is_named_with_its_file_and_key() {
    let bench = bench("bots: [{id: ana}, {id: eva, mentionPatterns: ['ok', '(']}]\n");
    for check in [["config", "check"], ["bots", "check"]] {
        let checked = with(&bench, &check).expect(3);
        assert!(checked.stderr.contains("bots.yaml: bots[1].mentionPatterns: '('"), "{}", checked.stderr);
    }
    assert!(with(&bench, &["bots", "check"]).expect(3).stdout.contains("ana: ready"));
}

#[test]
fn a_person_sees_runs_and_removes_jobs_and_searches_memory() {
    let bench = bench("bots: [{id: ana}]\n");
    let job = r#"{"action": "add", "text": "Water the plants", "kind": "every", "everyMs": 3600000}"#;
    let add = ["call", "cron", job];
    with(&bench, &add).expect(6);
    with(&bench, &[&["-m", "yolo"], &add[..]].concat()).expect(0);
    let kept: Value = serde_json::from_str(&bench.read("data/cron/ana/jobs.json")).unwrap();
    let id = kept["jobs"][0]["id"].as_str().unwrap();
    let listed = with(&bench, &["cron", "list"]).expect(0).stdout;
    assert!(listed.ends_with("Water the plants\n") && listed.lines().count() == 1, "{listed}");
    assert!(listed.contains(id) && listed.contains("  every 1h  "), "{listed}");
    let content = with(&bench, &["cron", "list", "--json"]).expect(0).json()["content"].as_str().unwrap().to_owned();
    assert_eq!(serde_json::from_str::<Value>(&content).unwrap()[0]["id"], id);
    with(&bench, &["cron", "remove", id]).expect(6);
    let ran = with(&bench, &["-m", "yolo", "cron", "run", "water the plants"]).expect(0).stdout;
    assert!(ran.contains("It says:\nWater the plants"), "{ran}");
    with(&bench, &["-m", "yolo", "cron", "remove", id]).expect(0);
    let none = with(&bench, &["cron", "list", "--all"]).expect(0);
    assert_eq!((&*none.stdout, none.stderr.contains("There are no jobs.")), ("", true));
    let gone = with(&bench, &["-m", "yolo", "cron", "remove", id]).expect(1).stderr;
    assert!(gone.contains("No job is"), "{gone}");
    with(&bench, &["call", "save_memory", "fact=Ana lives in Bilbao"]).expect(0);
    let found = with(&bench, &["memory", "search", "where does Ana live?", "--max", "1"]).expect(0).stdout;
    assert!(found.contains("Ana lives in Bilbao") && !found.contains("[2]"), "{found}");
    let elsewhere = self::bench("cron: {storePath: ../x}\n");
    assert!(with(&elsewhere, &["cron", "list"]).expect(3).stderr.contains("cron.storePath"));
}

#[test]
fn a_person_sees_a_bots_files_and_puts_an_earlier_one_back() {
    let bench = bench("bots: [{id: ana}, {id: eva}]\n");
    let memory = |arguments: &[&str]| with(&bench, &[&["--bot", "ana", "-m", "yolo", "memory"], arguments].concat());
    assert_eq!(memory(&["show"]).expect(0).stdout, "config/soul/ana has no files yet.\n");
    for content in ["content=First.", "content=Second.", "content=Third."] {
        with(&bench, &["--bot", "ana", "call", "update_soul", content]).expect(0);
    }
    with(&bench, &["--bot", "ana", "call", "save_memory", "fact=likes tea"]).expect(0);
    let listed = memory(&["show"]).expect(0).stdout;
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!((lines[0], lines.len()), ("config/soul/ana/SOUL.md", 4), "{listed}");
    assert!(lines[3].starts_with("config/soul/ana/memory/20"), "{listed}");
    assert_eq!(memory(&["show", "SOUL.md"]).expect(0).stdout, "Third.\n");
    memory(&["restore", "SOUL.md"]).expect(0);
    assert_eq!(bench.read("config/soul/ana/SOUL.md"), "Second.\n");
    // What it replaced is a version now, the newest.
    memory(&["restore", "SOUL.md"]).expect(0);
    assert_eq!(bench.read("config/soul/ana/SOUL.md"), "Third.\n");
    for again in [false, true] {
        let said = memory(&["restore", "SOUL.md", lines[2].trim()]).expect(0).stderr;
        assert_eq!(bench.read("config/soul/ana/SOUL.md"), "First.\n");
        assert_eq!(said.contains("SOUL.md is already as it was until"), again, "{said}");
    }
    assert_eq!(memory(&["show"]).expect(0).stdout.lines().count(), 7, "three more versions");
    // A damaged file is no reason not to put an earlier one back.
    std::fs::write(bench.workspace().join("config/soul/ana/SOUL.md"), b"\xff\xfe\0").unwrap();
    memory(&["restore", "SOUL.md", lines[2].trim()]).expect(0);
    assert_eq!(bench.read("config/soul/ana/SOUL.md"), "First.\n");
    // As `improve` leaves them.
    bench.write("config/soul/ana/memory/legacy.md", "Now.\n");
    bench.write("config/soul/ana/.versions/memory/legacy.md.2026-01-02T03-04-05.000000000Z.bak", "Before.\n");
    assert!(memory(&["show"]).expect(0).stdout.contains("memory/legacy.md\n  2026-01-02T03-04-05"));
    memory(&["restore", "memory/legacy.md"]).expect(0);
    assert_eq!(bench.read("config/soul/ana/memory/legacy.md"), "Before.\n");
    for (arguments, words) in [
        (&["restore", "SOUL.md", "1999"][..], "whose time begins so; it has 20"),
        (&["restore", "IDENTITY.md"], "IDENTITY.md has no earlier versions"),
        (&["show", "GOALS.md"], "config/soul/ana/GOALS.md"),
        (&["show", "../eva/SOUL.md"], "eva"),
    ] {
        let ended = memory(arguments).expect(3);
        assert!(ended.stderr.contains(words), "{words}: {}", ended.stderr);
    }
}
