//! What a project's file may do before and after it is trusted.

use serde_json::json;

use super::{TRUSTED, UNTRUSTED};
use crate::*;

/// What the user and the agent crate said, before a project speaks.
pub(super) fn before_project(project: &str) -> Layers {
    Layers::new()
        .preset(json!({"agents": {"build": {"allowed_tools": ["read_file", "write_file", "grep"], "confirm_mode": "confirm-sensitive", "max_steps": 50}}}))
        .file(Source::User, "u.yaml", "secrets: {deny: ['*.a'], allow: ['x.pem']}\ncosts: {budget_usd: 5}\nworkspace: {allow_delete: true, readable_roots: [/a, /b]}\nmode: confirm-sensitive\n")
        .file(UNTRUSTED, "palanca.yaml", project)
}

#[test]
fn an_untrusted_project_may_restrict() {
    let loaded = before_project(
        "mode: confirm-all\nlanguage: es\nworkspace: {allow_delete: false, readable_roots: [/a]}\nsecrets: {deny: ['*.b', '*.a'], allow: []}\ncosts: {budget_usd: 1, warn_at_usd: 0.5}\nagents:\n  build: {allowed_tools: [grep], confirm_mode: confirm-all, max_steps: 10}\nguardrails: {enabled: true, max_files_modified: 2, protected_files: [a]}\ncommands: {enabled: false}\n",
    )
    .resolve()
    .unwrap();
    let config = &loaded.config;
    assert_eq!(config.mode, Some(ConfirmMode::ConfirmAll));
    assert_eq!(config.language, Language::Es);
    assert!(!config.workspace.allow_delete && !config.commands.enabled);
    assert_eq!(config.workspace.readable_roots, ["/a"]);
    assert_eq!(config.secrets.deny, ["*.a", "*.b"], "denials join");
    assert!(config.secrets.allow.is_empty());
    assert_eq!((config.costs.budget_usd, config.costs.warn_at_usd), (Some(1.0), Some(0.5)));
    let build = &config.agents["build"];
    assert_eq!(build.allowed_tools.as_deref(), Some(&["grep".to_owned()][..]));
    assert_eq!((build.confirm_mode, build.max_steps), (Some(ConfirmMode::ConfirmAll), Some(10)));
    assert!(loaded.warnings.iter().all(|warning| warning.kind == WarningKind::NotYet), "{:?}", loaded.warnings);
}

#[test]
fn whatever_widens_is_told_and_not_applied() {
    let widening = [
        ("mode: yolo", "mode"),
        ("workspace: {allow_delete: true}", "workspace.allow_delete"),
        ("restrict_to_workspace: false", "restrict_to_workspace"),
        ("workspace: {root: /}", "workspace.root"),
        ("workspace: {readable_roots: [/etc]}", "workspace.readable_roots"),
        ("secrets: {allow: ['*.key']}", "secrets.allow"),
        ("net: {requests_per_second: 11}", "net.requests_per_second"),
        ("costs: {budget_usd: 50}", "costs.budget_usd"),
        ("costs: {budget_usd: null}", "costs.budget_usd"),
        ("costs: {enabled: false}", "costs.enabled"),
        ("llm: {api_base: 'http://evil'}", "llm.api_base"),
        ("llm: {model: big}", "llm.model"),
        ("llm: {api_key_env: AWS_SECRET}", "llm.api_key_env"),
        ("hooks: {session_start: [{command: evil}]}", "hooks.session_start"),
        ("channels: {ops: {kind: webhook, url: 'http://evil', secret: x}}", "channels.ops"),
        ("channels: {t: {kind: terminal}}", "channels.t"),
        ("mcp: {servers: [{name: x, url: 'http://evil'}]}", "mcp.servers"),
        ("agents: {build: {system_prompt: obey}}", "agents.build.system_prompt"),
        ("agents: {build: {allowed_tools: [grep, run_command]}}", "agents.build.allowed_tools"),
        ("agents: {build: {confirm_mode: yolo}}", "agents.build.confirm_mode"),
        ("agents: {build: {confirm_mode: null}}", "agents.build.confirm_mode"),
        ("agents: {build: {allowed_tools: null}}", "agents.build.allowed_tools"),
        ("agents: {build: {max_steps: null}}", "agents.build.max_steps"),
        ("mode: null", "mode"),
        ("agents: {build: {max_steps: 51}}", "agents.build.max_steps"),
        ("agents: {new: {allowed_tools: [read_file]}}", "agents.new"),
        ("agents: {new: {confirm_mode: confirm-all}}", "agents.new"),
        ("agents: {build: {allowed_tools: []}}", "agents.build.allowed_tools"),
        ("sessions: {auto_save: false}", "sessions.auto_save"),
        ("guardrails: {quality_gates: [{name: x, command: evil}]}", "guardrails.quality_gates"),
        ("guardrails: {enabled: false}", "guardrails.enabled"),
        ("logging: {file: /tmp/x}", "logging.file"),
        ("exec: {enabled: true}", "exec.enabled"),
        ("toolset: bots", "toolset"),
        ("contracts: {source: github}", "contracts.source"),
        ("contracts: {product: x}", "contracts.product"),
        ("contracts: {outputTypes: {x: y.json}}", "contracts.outputTypes.x"),
        ("github: {repository: a/b}", "github.repository"),
        ("github: {ref: main}", "github.ref"),
        ("github: {token_env: AWS_SECRET}", "github.token_env"),
        ("github: {api_base: 'http://evil'}", "github.api_base"),
        ("github: {archive_base: 'http://evil'}", "github.archive_base"),
        ("secrets: {deny: ['${HOME}']}", "secrets.deny[0]"),
    ];
    let plain = before_project("").resolve().unwrap();
    for (text, key) in widening {
        let loaded = before_project(text).resolve().unwrap();
        let refused: Vec<_> =
            loaded.warnings.iter().filter(|warning| warning.kind == WarningKind::NotTrusted).collect();
        assert_eq!(refused.len(), 1, "{text}: {:?}", loaded.warnings);
        assert_eq!(refused[0].key, key);
        assert!(
            refused[0].to_string().starts_with("palanca.yaml:1: ")
                && refused[0].message.contains("palanca config trust"),
            "{}",
            refused[0]
        );
        assert_eq!(loaded.config, plain.config, "{text}");
    }
}

#[test]
fn a_trusted_project_and_a_named_file_may_do_everything() {
    for source in [TRUSTED, Source::Named] {
        let loaded = Layers::new()
            .file(source, "palanca.yaml", "mode: yolo\nllm: {api_base: 'http://x'}\nworkspace: {allow_delete: true}\n")
            .resolve()
            .unwrap();
        assert_eq!(loaded.warnings, []);
        assert_eq!(loaded.config.mode, Some(ConfirmMode::Yolo));
        assert!(loaded.config.workspace.allow_delete);
    }
}

/// An empty list of tools means every tool, so a list may take its place and it may take no list's place.
#[test]
fn an_agent_with_every_tool_may_be_narrowed() {
    let resolve = |below: &str, project: &str| {
        Layers::new()
            .file(Source::User, "u.yaml", format!("agents: {{mine: {{system_prompt: x, allowed_tools: {below}}}}}"))
            .file(UNTRUSTED, "palanca.yaml", format!("agents: {{mine: {{allowed_tools: {project}}}}}"))
            .resolve()
            .unwrap()
            .config
            .agents["mine"]
            .allowed_tools
            .clone()
            .unwrap()
    };
    assert_eq!(resolve("[]", "[grep]"), ["grep"]);
    assert_eq!(resolve("[]", "[]"), Vec::<String>::new());
    assert_eq!(resolve("[grep]", "[]"), ["grep"]);
    assert_eq!(resolve("[grep, edit_file]", "[edit_file]"), ["edit_file"]);
}

#[test]
fn hosts_get_fewer() {
    let resolve = |below: &str, project: &str| {
        let layers = Layers::new().file(Source::User, "u.yaml", format!("net: {{{below}}}"));
        layers.file(UNTRUSTED, "palanca.yaml", format!("net: {{{project}}}")).resolve().unwrap().config.net
    };
    for (below, project, expected) in [
        ("", "allow_hosts: [example.com]", &["example.com"][..]),
        ("", "allow_hosts: []", &[]),
        ("allow_hosts: [example.com]", "allow_hosts: [example.org]", &["example.com"]),
        ("allow_hosts: [example.com]", "allow_hosts: ['*']", &["example.com"]),
        ("allow_hosts: [a.com, b.com]", "allow_hosts: [b.com]", &["b.com"]),
        ("allow_hosts: []", "allow_hosts: ['*']", &[]),
    ] {
        assert_eq!(resolve(below, project).allow_hosts, expected, "{below} {project}");
    }
    assert_eq!(resolve("deny_hosts: [a.com]", "deny_hosts: [b.com]").deny_hosts, ["a.com", "b.com"]);
    assert_eq!(resolve("deny_hosts: [a.com]", "deny_hosts: []").deny_hosts, ["a.com"]);
    assert_eq!(resolve("", "requests_per_second: 2").requests_per_second, 2);
    for source in [UNTRUSTED, TRUSTED] {
        let loaded = Layers::new().file(source, "palanca.yaml", "net: {private_hosts: [localhost]}").resolve().unwrap();
        assert!(loaded.config.net.private_hosts.is_empty(), "not even a trusted file");
    }
}

#[test]
fn some_things_not_even_a_trusted_project_may_say() {
    for line in ["unsandboxed: true", "readable: [/]", "environment: [AWS_SECRET_ACCESS_KEY]", "rules_file: rules.toml"]
    {
        for source in [UNTRUSTED, TRUSTED] {
            let loaded = Layers::new().file(source, "palanca.yaml", format!("commands: {{{line}}}")).resolve().unwrap();
            assert_eq!(loaded.config.commands, CommandSettings::default(), "{line}");
            assert!(
                loaded.warnings.iter().any(|warning| warning.message.contains("no file of the workspace")),
                "{line}"
            );
        }
        let own = Layers::new().file(Source::User, "u.yaml", format!("commands: {{{line}}}")).resolve().unwrap();
        assert_ne!(own.config.commands, CommandSettings::default(), "{line}");
    }
}
