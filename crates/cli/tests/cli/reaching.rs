//! What the gate says to a call that would reach a host, from the configuration to the screen. Nothing is sent.

use crate::harness::{Bench, ended};

const RULES: &str = r#"
[[rule]]
id = "closed"
decision = "deny"
effect = "reach"
hosts = ["closed.example"]
reason = "not for us"
matches = [{ reach = "https://a.closed.example/x" }]
not_matches = [{ reach = "https://notclosed.example/" }]

[[rule]]
id = "asked"
decision = "ask"
effect = "reach"
hosts = ["asked.example"]
matches = [{ reach = "https://asked.example/" }]
not_matches = [{ reach = "https://docs.example/" }]
"#;

fn bench() -> (Bench, String) {
    let bench = Bench::new(&[]);
    let rules = bench.home().join("rules.toml");
    std::fs::write(&rules, RULES).unwrap();
    let config = bench.home().join("own.yaml");
    let text = format!("webTools:\n  enabled: true\napprovals:\n  rules_file: {}\n", rules.display());
    std::fs::write(&config, text).unwrap();
    (bench, config.display().to_string())
}

#[test]
fn explain_shows_the_address_and_every_verdict() {
    let (bench, config) = bench();
    for (url, effect, verdict) in [
        ("HTTPS://Docs.Example:443/a/../b#c", "https://docs.example/b", "confirm     allow"),
        ("https://asked.example/x", "https://asked.example/x", "[asked]"),
        ("https://a.closed.example/", "https://a.closed.example/", "[closed]"),
        ("https://docs.example/?k=pk%5flive7Qm2Xv9Rb4Tz6Wn1Kd8", "docs.example", "[secrets.sent]"),
        ("http://169.254.169.254/latest", "", "[net.private]"),
    ] {
        let arguments = serde_json::json!({"url": url}).to_string();
        let mut command = bench.command(&["-c", &config, "explain", "web_fetch", &arguments]);
        let explained = ended(command.env("OUR_SECRET", "pk_live7Qm2Xv9Rb4Tz6Wn1Kd8").output().unwrap()).expect(0);
        assert!(explained.stdout.contains(effect) && explained.stdout.contains(verdict), "{url}: {}", explained.stdout);
    }
}

#[test]
fn what_is_explained_is_what_a_call_meets() {
    let (bench, config) = bench();
    for (url, rule) in [("https://a.closed.example/", "closed"), ("http://10.0.0.1/", "net.private")] {
        for mode in ["yolo", "confirm-sensitive"] {
            let arguments = serde_json::json!({"url": url}).to_string();
            let call = bench.run(&["-c", &config, "--mode", mode, "call", "--json", "web_fetch", &arguments]).expect(6);
            assert!(call.stdout.contains(rule), "{url}: {}", call.stdout);
        }
    }
}

#[test]
fn a_hook_is_told_the_address_and_the_host() {
    let (bench, config) = bench();
    let hook = "hooks:\n  pre_tool_use:\n    - {name: watch, matcher: \"web_.*\", command: 'grep -o \"\\\"host\\\": *\\\"[a-z.:0-9]*\\\"\" >&2; echo \"$PALANCA_URL $ARCHITECT_HOST\" >&2; exit 2'}\n";
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{text}{hook}")).unwrap();
    let arguments = serde_json::json!({"url": "https://Docs.example:8443/a?b"}).to_string();
    let call = bench.run(&["-c", &config, "--mode", "yolo", "call", "web_fetch", &arguments]).expect(6);
    let said = format!("{}{}", call.stdout, call.stderr);
    assert!(said.contains("https://docs.example:8443/a?b docs.example:8443"), "{said}");
    assert!(
        said.contains("\"host\":\"docs.example:8443\"") || said.contains("\"host\": \"docs.example:8443\""),
        "{said}"
    );
}
