//! The contracts toolset through the binary: on the workspace, and on a repository behind a server that plays GitHub's API.

use crate::harness::{Bench, Ended, ended};
use palanca_testkit::{FakeRepository, GitHubServer, Instead, Thing};
use serde_json::{Value, json};
use std::process::Command;

const TOKEN: &str = "ghp_7KU0eVduYDFOGxO780wTzy8FwpdKGt8Xyxqv";
const NOT_CONNECTED: &str = "No active GitHub connection found";

fn repository() -> FakeRepository {
    FakeRepository::with(
        "acme/app",
        &[
            ("apps/webapp/src/main.tsx", "export const main = 1\n"),
            ("apps/webapp/src/domains/auth.ts", "export function LoginForm() {\n"),
            ("apps/webapp/src/routes/index.ts", "export const routes = []\n"),
            (".env", "KEY=1\n"),
            ("README.md", "# app\n"),
        ],
    )
}

fn bench(server: &GitHubServer, more: &str) -> Bench {
    let bench = Bench::new(&[]);
    let yaml = format!(
        "toolset: contracts\ncontracts:\n  source: github\ngithub:\n  repository: acme/app\n  api_base: {}\n{more}",
        server.base()
    );
    std::fs::write(bench.workspace().join("../own.yaml"), yaml).unwrap();
    bench
}

fn command(bench: &Bench, tool: &str, arguments: &Value) -> Command {
    bench.command(&["-c", "../own.yaml", "call", tool, &arguments.to_string(), "--shape", "contracts"])
}

fn call(bench: &Bench, tool: &str, arguments: Value) -> Ended {
    ended(command(bench, tool, &arguments).env("GITHUB_TOKEN", TOKEN).output().unwrap())
}

#[test]
fn the_workspace_is_the_usual_source() {
    let bench = Bench::new(&[("src/a.ts", "const auth = 1\n"), ("src/deep/b.ts", "x\n")]);
    let call = |tool: &str, arguments: Value| {
        bench.run(&["--toolset", "contracts", "call", tool, &arguments.to_string(), "--json"]).expect(0).json()
    };
    for (tool, input, output) in [
        (
            "list_dirs",
            json!({"depth": 2}),
            json!({"dirs": [{"path": "src", "depth": 1}, {"path": "src/deep", "depth": 2}], "truncated": false}),
        ),
        (
            "list_files",
            json!({"path": "src"}),
            json!({"files": [{"path": "src/a.ts", "name": "a.ts", "size": 15}], "truncated": false}),
        ),
        (
            "read_file",
            json!({"path": "src/a.ts"}),
            json!({"path": "src/a.ts", "content": "const auth = 1\n", "size": 15}),
        ),
        ("search_code", json!({"query": "auth"}), json!([{"path": "src/a.ts", "snippet": "const auth = 1"}])),
    ] {
        assert_eq!(call(tool, input.clone()), json!({"name": tool, "input": input, "output": output}));
    }
    let refused = bench.run(&["--toolset", "contracts", "call", "list_dirs", "{\"depth\": 4}"]).expect(1);
    assert!((refused.stdout + &refused.stderr).contains("maximum of 3"));
}

#[test]
fn a_repository_is_read_over_the_api() {
    let server = GitHubServer::start(repository(), TOKEN);
    let bench = bench(&server, "");
    let input = json!({"path": "apps/webapp/src", "depth": 2, "limit": 50});
    let dirs = call(&bench, "list_dirs", input.clone()).expect(0).json();
    let found =
        json!([{"path": "apps/webapp/src/domains", "depth": 1}, {"path": "apps/webapp/src/routes", "depth": 1}]);
    let expected = json!({"name": "list_dirs", "input": input, "output": {"dirs": found, "truncated": false}});
    assert_eq!(dirs.to_string(), expected.to_string());
    let files = call(&bench, "list_files", json!({"path": "apps/webapp/src", "pattern": "*.tsx"})).expect(0).json();
    let expected =
        json!({"files": [{"path": "apps/webapp/src/main.tsx", "name": "main.tsx", "size": 22}], "truncated": false});
    assert_eq!(files["output"], expected);
    let read = call(&bench, "read_file", json!({"path": "README.md"})).expect(0).json();
    assert_eq!(read["output"], json!({"path": "README.md", "content": "# app\n", "size": 6}));
    let found = call(&bench, "search_code", json!({"query": "LoginForm"})).expect(0).json();
    let expected = json!([{"path": "apps/webapp/src/domains/auth.ts", "snippet": "export function LoginForm() {"}]);
    assert_eq!(found["output"], expected);
    let secret = call(&bench, "read_file", json!({"path": ".env"})).expect(6);
    assert!(secret.stdout.contains("holds secrets") && !secret.stdout.contains("KEY=1"), "{}", secret.stdout);
    let bearer = format!("Bearer {TOKEN}");
    assert!(server.asked().iter().all(|asked| asked.header("authorization") == Some(&bearer)));
}

#[test]
fn without_a_token_or_a_repository_there_is_no_connection() {
    let server = GitHubServer::start(repository(), TOKEN);
    let readers = [
        ("list_dirs", json!({})),
        ("list_files", json!({"path": "src"})),
        ("read_file", json!({"path": "README.md"})),
        ("search_code", json!({"query": "x"})),
    ];
    for language in ["en", "es"] {
        for (tool, input) in &readers {
            let bench = bench(&server, "");
            let mut without = command(&bench, tool, input);
            let told = ended(without.args(["--lang", language]).output().unwrap()).expect(1).json();
            assert_eq!(told, json!({"name": tool, "input": input, "error": NOT_CONNECTED}));
        }
    }
    let bench = bench(&server, "");
    let yaml = std::fs::read_to_string(bench.workspace().join("../own.yaml")).unwrap();
    let yaml = yaml.replace(
        "  source: github\n",
        "  source: github\n  product: shop\n  products: {crm: {repository: acme/crm}}\n",
    );
    std::fs::write(bench.workspace().join("../own.yaml"), yaml).unwrap();
    let told = call(&bench, "list_files", json!({})).expect(1).json();
    assert_eq!(told["error"], NOT_CONNECTED, "a product that is not there");
    let plan = json!({"items": [{"content": "Do", "activeForm": "Doing", "status": "pending"}]});
    call(&bench, "todo_manager", plan).expect(0);
    assert!(server.asked().is_empty());
}

#[test]
fn a_product_has_its_repository() {
    let server = GitHubServer::start(repository(), TOKEN);
    let bench = bench(&server, "");
    let own = bench.workspace().join("../own.yaml");
    let yaml = std::fs::read_to_string(&own).unwrap().replace("repository: acme/app", "repository: acme/none");
    let products = "  source: github\n  product: shop\n  products: {shop: {repository: acme/app, ref: main}}\n";
    std::fs::write(&own, yaml.replace("  source: github\n", products)).unwrap();
    let read = call(&bench, "read_file", json!({"path": "README.md"})).expect(0).json();
    assert_eq!(read["output"]["size"], 6);
}

#[test]
fn what_is_wrong_with_a_repository_is_said() {
    let server = GitHubServer::start(repository(), TOKEN);
    let told = |instead: Option<(u16, Vec<(&'static str, String)>)>, more: &str| {
        if let Some((status, headers)) = instead {
            // A server that fails is asked once more.
            for _ in 0..if status >= 500 { 2 } else { 1 } {
                server.instead("/repos", Instead::Status(status, headers.clone(), "{}".to_owned()));
            }
        }
        let told = call(&bench(&server, more), "list_files", json!({})).expect(1).json();
        told["error"].as_str().unwrap().to_owned()
    };
    assert!(told(Some((404, vec![])), "").contains("does not exist, or is not visible with this token"));
    assert!(told(Some((401, vec![])), "").contains("wrong, expired or revoked"));
    assert!(told(Some((429, vec![("retry-after", "60".to_owned())])), "").contains("rate limit"));
    assert!(told(Some((503, vec![])), "").contains("is not responding"));
    assert!(told(None, "  ref: nowhere\n").contains("no branch, tag or commit 'nowhere'"));
    server.change(|repository| repository.empty = true);
    assert!(told(None, "").contains("is empty"));
}

/// Links and submodules are not directories: each says what it is, and only what leads out is refused.
#[test]
fn links_are_followed_and_submodules_say_what_they_are() {
    let repository = repository()
        .thing("web", Thing::Link("apps/webapp/src".to_owned()))
        .thing("latest.md", Thing::Link("README.md".to_owned()))
        .thing("broken", Thing::Link("nowhere".to_owned()))
        .thing("out", Thing::Link("../../etc".to_owned()))
        .thing("keys", Thing::Link(".env".to_owned()))
        .thing("vendor/lib", Thing::Submodule);
    let server = GitHubServer::start(repository, TOKEN);
    let bench = bench(&server, "");
    let listed = call(&bench, "list_files", json!({"path": "web"})).expect(0).json();
    assert_eq!(listed["output"]["files"][0]["path"], "apps/webapp/src/main.tsx");
    let listed = call(&bench, "list_dirs", json!({"path": "web"})).expect(0).json();
    assert_eq!(listed["output"]["dirs"][1]["path"], "apps/webapp/src/routes");
    let read = call(&bench, "read_file", json!({"path": "latest.md"})).expect(0).json();
    assert_eq!(read["output"], json!({"path": "README.md", "content": "# app\n", "size": 6}));
    for (path, exit, words) in [
        ("vendor/lib", 1, "is a submodule"),
        ("vendor/lib/src", 1, "is a submodule"),
        ("broken", 1, "does not exist"),
        ("out", 6, "escapes"),
    ] {
        for tool in ["list_files", "list_dirs", "read_file"] {
            let told = call(&bench, tool, json!({"path": path})).expect(exit).json();
            assert!(told["error"].as_str().unwrap().contains(words), "{tool} {path}: {told}");
        }
    }
    let told = call(&bench, "read_file", json!({"path": "keys"})).expect(6);
    assert!(told.stdout.contains("holds secrets") && !told.stdout.contains("KEY=1"), "{}", told.stdout);
}

/// The tree says how large a file is, so one that is too large is never asked for, and costs the search nothing.
#[test]
fn a_file_above_the_limit_is_named_beside_the_hits() {
    let repository = repository().file("data/dump.sql", vec![b'x'; (32 << 20) + 1]).lfs("data/logo.psd", b"8BPS");
    let server = GitHubServer::start(repository, TOKEN);
    let bench = bench(&server, "");
    let found = call(&bench, "search_code", json!({"query": "LoginForm"})).expect(0).json();
    assert_eq!(found["output"][0]["path"], "apps/webapp/src/domains/auth.ts", "{found}");
    let notes = found["notes"].to_string();
    assert!(notes.contains("1 file was not searched: it is too large"), "{found}");
    assert!(notes.contains("holds secrets") && notes.contains("in Git LFS"), "{found}");
    let read = call(&bench, "read_file", json!({"path": "data/dump.sql"})).expect(1).json();
    assert!(read["error"].as_str().unwrap().contains("too large"), "{read}");
    let plain = call(&bench, "search_code", json!({"query": "LoginForm", "filePattern": "*.ts"})).expect(0).json();
    assert!(plain.get("notes").is_none(), "{plain}");
}

#[test]
fn a_search_finds_what_a_read_shows() {
    let repository = repository()
        .file("notas.txt", b"una l\xEDnea\n")
        .file("VERSION", "$Format:%H$\n")
        .export_subst("VERSION")
        .file("win.txt", "primera\nsegunda\n")
        .eol_crlf("win.txt")
        .file("tests/only-here.txt", "left out of archives\n")
        .export_ignore("tests/only-here.txt");
    let repository =
        (0..10).fold(repository, |repository, number| repository.file(&format!("a{number}.txt"), "filler\n"));
    let server = GitHubServer::start(repository, TOKEN);
    let bench = bench(&server, "");
    for (query, path) in [
        ("línea", "notas.txt"),
        ("$Format:%H$", "VERSION"),
        ("segunda", "win.txt"),
        ("left out of archives", "tests/only-here.txt"),
    ] {
        let found = call(&bench, "search_code", json!({"query": query})).expect(0).json();
        let read = call(&bench, "read_file", json!({"path": path})).expect(0).json();
        let snippet = found["output"][0]["snippet"].as_str().unwrap_or_else(|| panic!("{query}: {found}"));
        assert_eq!(found["output"][0]["path"], path);
        assert!(read["output"]["content"].as_str().unwrap().contains(snippet), "{found} {read}");
    }
}

#[test]
fn the_doctor_says_who_reaches_the_network() {
    let server = GitHubServer::start(repository(), TOKEN);
    let contracts = bench(&server, "");
    let page = |bench: &Bench, token: Option<&str>| {
        let mut command = bench.command(&["-c", "../own.yaml", "doctor", "--json"]);
        command.env_remove("OLLAMA_HOST");
        token.map(|token| command.env("GITHUB_TOKEN", token));
        let rows = ended(command.output().unwrap()).json();
        let rows = rows.as_array().unwrap().iter().filter(|row| row["what"] == "network");
        rows.map(|row| row["is"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let readers = "list_dirs, list_files, read_file, search_code";
    let lines = page(&contracts, Some(TOKEN));
    assert!(lines[0].starts_with("models: none is set"), "{lines:?}");
    let line = format!("{readers}: acme/app on GitHub, through the file door ({})", server.base());
    assert_eq!(lines[1..], [line]);
    let lines = page(&contracts, None);
    assert!(lines[1].starts_with(&format!("{readers}: nothing")), "{lines:?}");
    assert!(server.asked().is_empty());

    let usual = Bench::new(&[]);
    let own = "llm: {model: 'openai:gpt-4.1', api_base: 'https://models.example/v1'}\nwebTools: {enabled: true}\n\
               channels: {ops: {kind: webhook, url: 'https://hooks.example/secret-path', secret: 'abcdefgh12345678'}}\n";
    std::fs::write(usual.workspace().join("../own.yaml"), own).unwrap();
    let lines = page(&usual, None).join("\n");
    for expected in [
        "models: https://models.example:443, for openai:gpt-4.1",
        "web_fetch",
        "through the network door (net.allow_hosts: *)",
        "message: the webhook 'ops' at https://hooks.example:443",
        "no network inside the sandbox",
    ] {
        assert!(lines.contains(expected), "{expected}\n{lines}");
    }
    assert!(!lines.contains("secret-path"), "{lines}");
    std::fs::write(usual.workspace().join("../own.yaml"), "toolset: contracts\n").unwrap();
    assert_eq!(page(&usual, None)[1..], ["no tool reaches the network"]);
}

#[test]
fn the_token_is_never_shown_and_leaves_only_for_the_api() {
    let repository = repository().file("leak.txt", format!("token = {TOKEN}\n"));
    let server = GitHubServer::start(repository, TOKEN);
    let bench = bench(&server, "  token_env: OUR_GIT_THING\n");
    let mut reading = command(&bench, "read_file", &json!({"path": "leak.txt"}));
    let read = ended(reading.env("OUR_GIT_THING", TOKEN).output().unwrap()).expect(0);
    let shown = read.stdout + &read.stderr;
    assert!(!shown.contains(TOKEN), "{shown}");
    let mut plain = bench.command(&["-c", "../plain.yaml", "--toolset", "contracts", "call", "list_files", "{}"]);
    let yaml = "contracts: {source: github}\ngithub: {repository: acme/app, api_base: 'http://api.example'}\n";
    std::fs::write(bench.workspace().join("../plain.yaml"), yaml).unwrap();
    let refused = ended(plain.env("GITHUB_TOKEN", TOKEN).output().unwrap()).expect(3);
    assert!(refused.stderr.contains("github.api_base") && refused.stderr.contains("https"), "{}", refused.stderr);
}

#[test]
fn an_untrusted_workspace_sets_nothing_of_it() {
    let server = GitHubServer::start(repository(), TOKEN);
    let bench = Bench::new(&[("mine.txt", "mine\n")]);
    let yaml =
        format!("contracts: {{source: github}}\ngithub: {{repository: acme/app, api_base: '{}'}}\n", server.base());
    bench.write("palanca.yaml", &yaml);
    let mut reading = bench.command(&["--toolset", "contracts", "call", "list_files", "{}", "--json"]);
    let listed = ended(reading.env("GITHUB_TOKEN", TOKEN).output().unwrap()).expect(0);
    assert!(listed.stdout.contains("mine.txt"), "{}", listed.stdout);
    assert!(listed.stderr.contains("github.repository"), "{}", listed.stderr);
    assert!(server.asked().is_empty());
}

#[test]
fn answers_have_configured_types() {
    let bench = Bench::new(&[
        ("review.json", "{\"type\": \"object\", \"required\": [\"score\"]}"),
        ("odd.json", "{\"type\": 7}"),
    ]);
    let check = |types: &str, kind: &str| {
        std::fs::write(
            bench.workspace().join("../own.yaml"),
            format!("toolset: contracts\ncontracts: {{outputTypes: {types}}}\n"),
        )
        .unwrap();
        let input = json!({"outputType": kind, "data": {}}).to_string();
        bench.run(&["-c", "../own.yaml", "call", "validate_output", &input, "--json"])
    };
    let told = check("{review: review.json}", "review").expect(0).json();
    assert_eq!(told["output"], json!({"valid": false, "errors": ["\"score\" is a required property"], "warnings": []}));
    let told = check("{review: review.json}", "revue").expect(1).json();
    assert!(told["error"].as_str().unwrap().contains("domain_map, review"), "{told}");
    let odd = check("{odd: odd.json}", "odd").expect(3);
    assert!(odd.stderr.contains("'odd'") && odd.stderr.contains("odd.json"), "{}", odd.stderr);
    let none = check("{none: none.json}", "none").expect(3);
    assert!(none.stderr.contains("none.json"), "{}", none.stderr);
}

#[test]
fn an_output_above_10_kb_is_kept_and_the_log_refers_to_it() {
    let server = GitHubServer::start(repository().file("long.txt", "long line\n".repeat(2_000)), TOKEN);
    let bench = bench(&server, "");
    let read = call(&bench, "read_file", json!({"path": "long.txt"})).expect(0).json();
    assert_eq!(read["output"]["content"].as_str().unwrap().len(), 20_000, "it is shown whole");
    call(&bench, "read_file", json!({"path": "README.md"})).expect(0);
    let log = bench.run(&["audit", "show", "--json"]).expect(0).stdout;
    let lines: Vec<Value> = log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let ends: Vec<&Value> =
        lines.iter().filter(|line| line["tool"] == "read_file" && !line["outcome"].is_null()).collect();
    assert_eq!(ends.len(), 2, "{log}");
    assert!(ends[0]["artifact"].is_string(), "{log}");
    assert!(ends[1]["artifact"].is_null(), "{log}");
}
