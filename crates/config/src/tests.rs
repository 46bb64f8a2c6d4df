#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
//! What the crate promises as a whole. Each test reads as: these layers, this result.

mod joined;
mod restrict;

use serde_json::{Value, json};

use crate::schema;
use crate::*;

const UNTRUSTED: Source = Source::Project(Trust::Untrusted);
const TRUSTED: Source = Source::Project(Trust::Trusted);

fn environment(pairs: &[(&str, &str)]) -> Layers {
    Layers::new().with_environment(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
}

fn errors(layers: Layers) -> Vec<String> {
    layers.resolve().unwrap_err().0.iter().map(ToString::to_string).collect()
}

fn warnings(loaded: &Loaded) -> Vec<String> {
    loaded.warnings.iter().map(ToString::to_string).collect()
}

fn yaml(text: &str) -> Layers {
    Layers::new().file(Source::User, "u.yaml", text)
}

#[test]
fn nothing_gives_the_defaults() {
    let loaded = Layers::new().resolve().unwrap();
    assert_eq!(loaded.config, Config::default());
    assert_eq!(loaded.warnings, []);
    assert_eq!(loaded.config.context.max_context_tokens, 80_000);
    assert!(loaded.entries().iter().all(|entry| entry.place.origin == Origin::Default));
}

#[test]
fn a_key_of_the_bots_document_without_a_meaning_here_is_told_what_to_write_instead() {
    let text = "{\"skills\": {\"enabled\": [\"notes\"], \"config\": {\"notes\": {}}},\n\"paths\": {\"data\": \"./data\", \"logs\": \"./logs\"}}";
    let loaded = Layers::new().file(TRUSTED, "config.json", text).resolve().unwrap();
    assert_eq!(loaded.config, Config::default());
    let told = warnings(&loaded);
    assert!(
        told.len() == 3
            && told[0].starts_with("config.json:1: skills.enabled: has no effect: ")
            && told[1].contains("skills.config")
            && told[2].starts_with("config.json:2: paths: has no effect: ")
            && told[2].contains("soul.dir"),
        "{told:?}"
    );
    assert!(errors(yaml("skills: {enable: []}\n"))[0].contains("unknown key"));
}

#[test]
fn each_layer_beats_the_one_below_whatever_the_order_they_were_added_in() {
    let all = |take: usize| {
        let mut layers = Layers::new();
        if take > 4 {
            layers = layers.flag("--model", "llm.model", "flag");
        }
        if take > 3 {
            layers = layers.with_environment([("PALANCA_MODEL".to_owned(), "env".to_owned())]);
        }
        if take > 2 {
            layers = layers.file(Source::Named, "n.toml", "[llm]\nmodel = 'named'\n");
        }
        if take > 1 {
            layers = layers.file(TRUSTED, "p.json", "{\"llm\": {\"model\": \"project\"}}");
        }
        if take > 0 {
            layers = layers.file(Source::User, "u.yaml", "llm: {model: user, retries: 7}\n");
        }
        layers.resolve().unwrap()
    };
    for (take, expected) in
        [None, Some("user"), Some("project"), Some("named"), Some("env"), Some("flag")].into_iter().enumerate()
    {
        let loaded = all(take);
        assert_eq!(loaded.config.llm.model.as_deref(), expected);
        assert_eq!(loaded.config.llm.retries, if take > 0 { 7 } else { 2 }, "sections merge");
    }
    let steps = all(5).explain("llm.model").unwrap().steps;
    let told: Vec<_> = steps.iter().map(|step| format!("{} {}", step.place, step.value)).collect();
    assert_eq!(
        told,
        [
            "default null",
            "u.yaml:1 \"user\"",
            "p.json:1 \"project\"",
            "n.toml:2 \"named\"",
            "environment variable PALANCA_MODEL \"env\"",
            "--model \"flag\""
        ]
    );
}

#[test]
fn lists_replace_and_tables_merge() {
    let loaded = Layers::new()
        .file(
            Source::User,
            "u.yaml",
            "secrets: {deny: [a, b]}\nagents:\n  build: {max_steps: 10, confirm_mode: confirm-all}\n",
        )
        .file(
            Source::Named,
            "n.yaml",
            "secrets: {deny: [c]}\nagents:\n  build: {max_steps: 20}\n  mine: {system_prompt: hi}\n",
        )
        .resolve()
        .unwrap();
    assert_eq!(loaded.config.secrets.deny, ["c"]);
    let build = &loaded.config.agents["build"];
    assert_eq!((build.max_steps, build.confirm_mode), (Some(20), Some(ConfirmMode::ConfirmAll)));
    assert_eq!(loaded.config.agents["mine"].system_prompt.as_deref(), Some("hi"));
}

#[test]
fn all_mistakes_are_told_at_once_with_place_and_remedy() {
    let told = errors(
        Layers::new()
            .file(
                Source::User,
                "u.yaml",
                "llm:\n  modle: x\n  timeout: 0\n  stream: maybe\n  retries: 1.5\nlanguage: fr\nmodel: y\n",
            )
            .file(TRUSTED, "p.toml", "[contxt]\nx = 1\n")
            .file(Source::Named, "n.json", "{\"secrets\": {\"deny\": [1, null]}, \"agents\": []}")
            .file(Source::Named, "broken.json", "{")
            .with_environment([("PALANCA_LLM_TIMEOUT".to_owned(), "soon".to_owned())])
            .flag("--lang", "language", "e")
            .flag("--nonsense", "no.such", "1"),
    );
    let expected = [
        "u.yaml:2: llm.modle: unknown key; did you mean \"llm.model\"?",
        "u.yaml:3: llm.timeout: expected a whole number from 1 to 3600, found 0",
        "u.yaml:4: llm.stream: expected true or false, found text",
        "u.yaml:5: llm.retries: expected a whole number from 0 to 10, found 1.5",
        "u.yaml:6: language: expected one of en, es, found \"fr\"",
        "u.yaml:7: model: unknown key; did you mean \"llm.model\"?",
        "p.toml:1: contxt: unknown key; did you mean \"context\"?",
        "n.json:1: secrets.deny[0]: expected text, found a number",
        "n.json:1: secrets.deny[1]: expected text, found nothing",
        "n.json:1: agents: expected a section of keys, found a list",
        "broken.json:1: is not valid JSON: Unterminated object",
        "environment variable PALANCA_LLM_TIMEOUT: llm.timeout: expected a whole number from 1 to 3600, found \"soon\"",
        "--lang: language: expected one of en, es, found \"e\"; did you mean \"en\"?",
        "--nonsense: no: unknown key; known here: mode, ",
    ];
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    for (told, expected) in told.iter().zip(expected) {
        assert!(told.starts_with(expected), "{told}\nexpected {expected}");
    }
}

#[test]
fn nearest_names_cover_case_and_separators() {
    for (text, near) in [
        ("llm: {apiBase: x}", "llm.api_base"),
        ("web_tools: {}", "webTools"),
        ("webTools: {max_tool_rounds: 3}", "webTools.maxToolRounds"),
        ("allow_delete: true", "workspace.allow_delete"),
        ("agents: {build: {max_step: 3}}", "agents.build.max_steps"),
        ("hooks: {pre_tool_use: [{command: x, machter: y}]}", "hooks.pre_tool_use[0].matcher"),
        ("confirm_mode: yolo", "mode"),
    ] {
        let told = errors(yaml(text));
        let hint =
            if text.starts_with("confirm") { "unknown key".to_owned() } else { format!("did you mean \"{near}\"?") };
        assert!(told[0].contains(&hint), "{told:?}");
    }
}

#[test]
fn a_new_agent_needs_instructions() {
    assert_eq!(
        errors(yaml("agents:\n  build: {max_steps: 5}\n  mine: {max_steps: 5}\n")),
        [
            "default: agents.mine: has no system_prompt; only build, plan, resume, review have instructions of their own, a new \
          agent needs them"
        ]
    );
}

#[test]
fn list_items_name_what_they_need() {
    assert_eq!(
        errors(yaml("hooks:\n  session_end:\n    - name: x\n")),
        ["u.yaml:3: hooks.session_end[0]: needs the key \"command\""]
    );
    assert_eq!(errors(yaml("bots:\n  - {name: x}\n")), ["u.yaml:2: bots[0]: needs the key \"id\""]);
}

#[test]
fn friendly_forms_are_accepted() {
    let loaded = Layers::new()
        .file(Source::User, "u.json", "{\"$schema\": \"https://example.org/s.json\", \"evaluation\": {\"mode\": false}, \"llm\": {\"timeout\": 30.0}}")
        .file(TRUSTED, "p.yaml", "commands:\nagents:\ncosts:\n  budget_usd:\n")
        .resolve()
        .unwrap();
    assert_eq!(loaded.config.evaluation.mode, SelfCheck::Off);
    assert_eq!(loaded.config.llm.timeout, 30);
    let loaded = yaml("evaluation: {mode: off}").resolve().unwrap();
    assert_eq!(loaded.config.evaluation.mode, SelfCheck::Off);
    assert_eq!(
        errors(yaml("llm:\n  timeout:\n")),
        ["u.yaml:2: llm.timeout: expected a whole number from 1 to 3600, found nothing"]
    );
}

#[test]
fn null_unsets_what_a_lower_layer_set() {
    let loaded = Layers::new()
        .file(Source::User, "u.yaml", "costs: {budget_usd: 5}")
        .file(Source::Named, "n.yaml", "costs: {budget_usd: null}")
        .resolve()
        .unwrap();
    assert_eq!(loaded.config.costs.budget_usd, None);
}

#[test]
fn environment_variables_mirror_the_keys() {
    let loaded = environment(&[
        ("PALANCA_LLM_API_BASE", "http://a"),
        ("PALANCA_WEBTOOLS_MAXTOOLROUNDS", "7"),
        ("PALANCA_WEB_TOOLS_ENABLED", "yes"),
        ("PALANCA_SECRETS_DENY", "*.a, *.b"),
        ("PALANCA_SECRETS_ALLOW", "[\"x,y\"]"),
        ("PALANCA_COSTS__BUDGET_USD", "0.5"),
        ("PALANCA_MODE", "confirm-all"),
        ("PALANCA_AGENTS", "{\"mine\": {\"system_prompt\": \"p\", \"max_steps\": 3}}"),
        ("PALANCA_HOME", "/h"),
        ("PALANCA_LLM_MODEL", ""),
        ("OTHER", "x"),
    ])
    .resolve()
    .unwrap();
    let config = &loaded.config;
    assert_eq!(config.llm.api_base.as_deref(), Some("http://a"));
    assert_eq!((config.web_tools.max_tool_rounds, config.web_tools.enabled), (7, true));
    assert_eq!(config.secrets.deny, ["*.a", "*.b"]);
    assert_eq!(config.secrets.allow, ["x,y"]);
    assert_eq!(config.costs.budget_usd, Some(0.5));
    assert_eq!(config.mode, Some(ConfirmMode::ConfirmAll));
    assert_eq!(config.agents["mine"].max_steps, Some(3));
    assert_eq!(config.llm.model, None, "an empty variable is an unset one");
}

#[test]
fn architect_variables_work_and_ours_win() {
    let loaded = environment(&[
        ("ARCHITECT_MODEL", "a"),
        ("ARCHITECT_LANGUAGE", "es"),
        ("ARCHITECT_LOG_LEVEL", "debug"),
        ("ARCHITECT_API_BASE", "http://x"),
        ("ARCHITECT_WORKSPACE", "/w"),
        ("PALANCA_MODEL", "b"),
    ])
    .resolve()
    .unwrap();
    assert_eq!(loaded.config.llm.model.as_deref(), Some("b"));
    assert_eq!(loaded.config.language, Language::Es);
    assert_eq!(loaded.config.logging.level, LogLevel::Debug);
    assert_eq!(loaded.config.workspace.root, "/w");
}

#[test]
fn variables_that_mean_nothing_are_told() {
    let loaded = environment(&[("PALANCA_LLM_MODLE", "x"), ("PALANCA_QUUX", "x")]).resolve().unwrap();
    let told = warnings(&loaded);
    assert_eq!(told.len(), 2);
    assert!(told[0].ends_with("environment variable PALANCA_LLM_MODLE: is no configuration key and changes nothing; did you mean PALANCA_LLM_MODEL (llm.model)?"), "{told:?}");
    assert!(told[1].contains("palanca config schema"), "{told:?}");
}

#[test]
fn placeholders_are_filled_in_with_the_type_of_the_key() {
    let layers = |text: &str| {
        environment(&[("KEY", "s3cret"), ("N", "12"), ("LIST", "a,b"), ("YES", "true")]).file(
            Source::User,
            "u.yaml",
            text,
        )
    };
    let loaded = layers("webTools: {search: {apiKey: '${KEY}'}}\nllm: {timeout: '${N}', model: 'p:${N}', stream: '${YES}'}\nsecrets: {deny: '${LIST}'}\n").resolve().unwrap();
    assert_eq!(loaded.config.web_tools.search.api_key, Some(SecretText::new("s3cret")));
    assert_eq!((loaded.config.llm.timeout, loaded.config.llm.model.as_deref()), (12, Some("p:12")));
    assert_eq!(loaded.config.secrets.deny, ["a", "b"]);
    assert_eq!(
        errors(layers("llm:\n  model: ${MISSING}\n")),
        ["u.yaml:2: llm.model: the environment variable MISSING is not defined; set it, or write ${MISSING:-DEFAULT}"]
    );
    let loaded = layers("hooks: {session_end: [{command: 'echo ${HOME}'}]}\nguardrails: {code_rules: [{pattern: '${x}', message: 'm ${N}'}]}").resolve().unwrap();
    assert_eq!(loaded.config.hooks.session_end[0].command, "echo ${HOME}", "shell text is the shell's");
    assert_eq!(loaded.config.guardrails.code_rules[0].message, "m 12");
}

#[test]
fn keys_without_effect_are_told_once_each() {
    let loaded = yaml("llm: {retries: 1}\nparallel: {workers: 2}\nmemory:\n  enabled: true\n").resolve().unwrap();
    assert_eq!(
        warnings(&loaded),
        [
            "u.yaml:2: parallel.workers: not implemented yet; ignored",
            "u.yaml:4: memory.enabled: not implemented yet; ignored"
        ]
    );
}

#[test]
fn contradictions_are_told() {
    assert_eq!(
        errors(yaml("llm:\n  mode: proxy\n")),
        ["u.yaml:2: llm.mode: is proxy, which needs the proxy's address; set llm.api_base"]
    );
    assert!(errors(yaml("costs: {budget_usd: 1, warn_at_usd: 2}"))[0].contains("never be reached"));
}

#[test]
fn secrets_are_never_shown() {
    let loaded = environment(&[("PALANCA_WEBTOOLS_SEARCH_APIKEY", "SECRETMARK")])
        .file(Source::User, "u.yaml", "mcp: {servers: [{name: a, url: 'https://u:SECRETMARK@h/p', token: SECRETMARK}]}\nphoneCall: {authToken: SECRETMARK}\nbots: [{id: a, token: SECRETMARK}]\nllm: {api_base: 'http://me:SECRETMARK@host:1/v1'}\n")
        .resolve()
        .unwrap();
    let mut shown = format!("{}\n{:?}\n{:?}", loaded.show(), loaded.entries(), loaded.config.bots);
    for key in ["webTools.search.apiKey", "mcp.servers", "mcp", "bots", "phoneCall", "llm.api_base"] {
        shown.push_str(&format!("{:?}", loaded.explain(key).unwrap()));
    }
    assert!(!shown.replace("http://me:SECRETMARK", "").contains("SECRETMARK"), "{shown}");
    assert_eq!(loaded.show()["llm"]["api_base"], "http://me:***@host:1/v1");
    assert_eq!(loaded.show()["mcp"]["servers"][0]["token"], "***");
    assert_eq!(loaded.show()["bots"][0]["id"], "a");
    assert_eq!(loaded.config.web_tools.search.api_key.as_ref().map(SecretText::reveal), Some("SECRETMARK"));
}

#[test]
fn addresses_are_shown_without_credentials() {
    let loaded = environment(&[])
        .file(Source::User, "u.yaml", "channels: {ops: {kind: webhook, url: 'https://u:p@hooks.example.com/services/T0/SECRETMARK', secret: x}}\nllm: {api_base: 'https://host/v1?key=SECRETMARK&SECRETMARK'}\n")
        .resolve()
        .unwrap();
    let mut shown = format!("{}\n{:?}", loaded.show(), loaded.entries());
    for key in ["channels", "channels.ops.url", "llm.api_base"] {
        shown.push_str(&format!("{:?}", loaded.explain(key).unwrap()));
    }
    assert!(!shown.contains("SECRETMARK"), "{shown}");
    assert_eq!(loaded.show()["channels"]["ops"]["url"], "https://hooks.example.com/***");
    assert_eq!(loaded.show()["llm"]["api_base"], "https://host/v1?key=***&***");
}

#[test]
fn explain_tells_documentation_type_and_refusals() {
    let loaded = restrict::before_project("costs:\n  budget_usd: 50\n").resolve().unwrap();
    let told = loaded.explain("costs.budget_usd").unwrap();
    assert_eq!(told.value, json!(5));
    assert!(told.documentation.is_some_and(|words| words.starts_with("Maximum cost of a run and its subagents.")));
    assert_eq!(told.expected, "a number of at least 0");
    assert_eq!(told.steps.len(), 3);
    assert!(told.steps[2].not_applied.as_deref().is_some_and(|why| why.contains("raises a limit")), "{told:?}");
    let section = loaded.explain("costs").unwrap();
    assert!(section.steps.is_empty());
    let entry = section.entries.iter().find(|entry| entry.key == "costs.budget_usd").unwrap();
    assert_eq!((entry.place.to_string().as_str(), &entry.value), ("u.yaml:2", &json!(5)));
    assert_eq!(
        loaded.explain("costs.budget").unwrap_err(),
        "there is no key \"costs.budget\"; did you mean \"costs.budget_usd\"?"
    );
    assert_eq!(loaded.explain("modle").unwrap_err(), "there is no key \"modle\"; did you mean \"mode\"?");
    assert!(loaded.explain("llm.model.x").is_err());
}

#[test]
fn the_schema_documents_every_key() {
    let schema = Config::schema();
    assert_eq!(schema["additionalProperties"], false);
    schema::visit_keys(&mut |key, _| {
        assert!(schema::documentation(key).is_some_and(|text| !text.is_empty()), "{key} has no documentation");
    });
    assert!(schema.to_string().len() < 100_000);
}

/// The tree must survive its own round trip, or a default would be an unknown key.
#[test]
fn the_defaults_pass_their_own_check() {
    let text = serde_json::to_string(&Config::default()).unwrap();
    let loaded = Layers::new().file(Source::Named, "d.json", text).resolve().unwrap();
    assert_eq!(loaded.config, Config::default());
    let documented: Value = Config::schema()["properties"]["llm"].clone();
    assert!(documented["description"].is_string());
}

/// Files name few keys, so the rest of a section must have the defaults that the whole tree has.
#[test]
fn a_key_alone_changes_nothing_else() {
    let defaults = serde_json::to_value(Config::default()).unwrap();
    schema::visit_keys(&mut |key, _| {
        let value = defaults.pointer(&format!("/{}", key.replace('.', "/"))).unwrap();
        let alone = key.rsplit('.').fold(value.clone(), |below, part| json!({ part: below }));
        assert_eq!(serde_json::from_value::<Config>(alone).unwrap(), Config::default(), "{key}");
    });
}

#[test]
fn parts_of_the_schema_are_those_of_the_whole() {
    let whole = Config::schema();
    let names: Vec<&str> = schema::root().keys().map(|(name, _)| name).collect();
    assert!(whole["properties"].as_object().unwrap().keys().eq(names));
    assert_eq!(whole.get("required"), None);
    let whole = whole.to_string();
    schema::visit_keys(&mut |key, shape| {
        let documentation = schema::documentation(key).unwrap();
        assert!(whole.contains(&json!(documentation).to_string()), "{key}");
        assert!(!format!("{shape:?}").contains("$ref"), "{key}");
    });
}
