//! The web tools through the binary and the real network door, on servers of this machine that the user's own configuration
//! allows by name.

use crate::harness::{Bench, Ended};
use palanca_testkit::skipped;
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

const PAGE: &str =
    "<html><head><title>Guide</title></head><body><main><h1>Guide</h1><p>Read <b>this</b>.</p></main></body></html>";

/// A web server that keeps what it was asked. It lives as long as the test's process.
#[derive(Clone)]
struct Server {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self { port: listener.local_addr().unwrap().port(), asked: Arc::default() };
        let own = server.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let own = own.clone();
                std::thread::spawn(move || own.answer(stream));
            }
        });
        server
    }

    fn url(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.port)
    }

    /// Method, address and headers of every request, in order.
    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    fn answer(&self, mut stream: TcpStream) {
        let mut request = Vec::new();
        let mut byte = [0];
        while !request.ends_with(b"\r\n\r\n") {
            match stream.read(&mut byte) {
                // Whoever speaks TLS here gets words that are none.
                Ok(1) if request.is_empty() && byte[0] == 0x16 => {
                    let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
                    return;
                }
                Ok(1) => request.push(byte[0]),
                _ => return,
            }
        }
        let request = String::from_utf8_lossy(&request).into_owned();
        let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
        self.asked.lock().unwrap().push(request);
        let found =
            |title: &str| json!({"title": title, "url": "https://a.example/", "description": "D", "content": "C"});
        let (head, body) = match path.split('?').next().unwrap_or_default() {
            "/guide" => ("200 OK\r\nContent-Type: text/html".to_owned(), PAGE.to_owned()),
            "/long" => ("200 OK\r\nContent-Type: text/plain".to_owned(), "ñandú ".repeat(20_000)),
            "/empty" => ("200 OK\r\nContent-Type: text/html".to_owned(), String::new()),
            "/image" => ("200 OK\r\nContent-Type: image/png".to_owned(), "\u{89}PNG\r\n\u{1a}\n\0\0\0\0".repeat(99)),
            "/missing" => ("404 Whatever I say\r\nContent-Type: text/html".to_owned(), "<p>Welcome!</p>".to_owned()),
            "/broken" => ("500 Oops\r\nContent-Type: text/plain".to_owned(), "trace".to_owned()),
            "/busy" => ("429 No\r\nRetry-After: 30".to_owned(), String::new()),
            "/loop" => (format!("302 Found\r\nLocation: {}", self.url("/loop")), String::new()),
            "/moved" => (format!("301 Moved\r\nLocation: {}", self.url("/guide")), String::new()),
            "/to" => {
                let to = path.split_once('?').map(|(_, to)| to).unwrap_or_default();
                (format!("302 Found\r\nLocation: {to}"), String::new())
            }
            "/inside" => ("302 Found\r\nLocation: http://169.254.169.254/latest/meta-data/".to_owned(), String::new()),
            "/search" => {
                ("200 OK\r\nContent-Type: application/json".to_owned(), json!({"results": [found("T")]}).to_string())
            }
            "/brave" => {
                // It says the key back, as a hostile one would.
                let answer = json!({"type": "search", "web": {"results": [found("the-key-of-brave-1234")]}});
                ("200 OK\r\nContent-Type: application/json".to_owned(), answer.to_string())
            }
            "/limited" => ("429 No\r\nRetry-After: 7".to_owned(), String::new()),
            "/endless" => {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n");
                while stream.write_all(&[b'a'; 1 << 16]).is_ok() {}
                return;
            }
            "/silent" => {
                // Until the other side gives up.
                let _ = stream.read(&mut byte);
                return;
            }
            _ => return,
        };
        let length = body.len();
        let _ = stream.write_all(format!("HTTP/1.1 {head}\r\nContent-Length: {length}\r\n\r\n{body}").as_bytes());
    }
}

/// A workspace, and the user's own configuration outside of it.
struct Place {
    bench: Bench,
    config: String,
    server: Server,
}

fn place(extra: &str) -> Place {
    let server = Server::start();
    let bench = Bench::new(&[]);
    let config = bench.home().join("own.yaml").display().to_string();
    let extra = extra.replace("PORT", &server.port.to_string());
    std::fs::write(&config, format!("webTools:\n  enabled: true\n{extra}\n")).unwrap();
    Place { bench, config, server }
}

fn allowed() -> Place {
    place("  fetch: {timeout: 3000}\nnet: {private_hosts: ['localhost:PORT']}")
}

impl Place {
    fn run(&self, arguments: &[&str]) -> Ended {
        let mut all = vec!["-c", &self.config];
        all.extend(arguments);
        self.bench.run(&all)
    }

    fn fetch(&self, path: &str, more: &[&str]) -> Ended {
        let arguments = json!({"url": self.server.url(path)}).to_string();
        self.run(&[&["call"], more, &["web_fetch", &arguments]].concat())
    }

    /// The whole result of a fetch that must end with this code.
    fn result(&self, path: &str, code: i32) -> Value {
        self.fetch(path, &["--json"]).expect(code).json()
    }
}

#[test]
fn a_page_is_read_marked_and_told_with_its_address() {
    let place = allowed();
    let shown = place.fetch("/guide", &[]).expect(0).stdout;
    let url = place.server.url("/guide");
    assert!(shown.starts_with("<<<EXTERNAL_UNTRUSTED_CONTENT id="), "{shown}");
    assert!(shown.contains(&format!("Source: web_fetch {url}\n")), "{shown}");
    assert!(shown.contains(&format!("Content from {url} (200 OK, text/html):\nTitle: Guide\n")), "{shown}");
    assert!(shown.contains("# Guide") && shown.contains("Read **this**."), "{shown}");
    let shown = place.fetch("/moved", &[]).expect(0).stdout;
    assert!(shown.contains(&format!("Redirected: {} → {url}", place.server.url("/moved"))), "{shown}");
}

#[test]
fn a_private_host_needs_the_word_of_the_user() {
    let place = place("");
    let workspace =
        format!("webTools: {{enabled: true}}\nnet: {{private_hosts: ['localhost:{}']}}\n", place.server.port);
    for project in ["", &workspace] {
        place.bench.write("palanca.yaml", project);
        let result = place.result("/guide", 6);
        assert_eq!(result["code"], "net.private", "{result}");
        assert!(result["error"].as_str().unwrap().contains("net.private_hosts"), "{result}");
        for url in [format!("http://127.0.0.1:{}/guide", place.server.port), "http://[::ffff:7f00:1]/".to_owned()] {
            place.run(&["call", "web_fetch", &json!({"url": url}).to_string()]).expect(6);
        }
    }
    assert!(place.server.asked().is_empty());
}

#[test]
fn a_redirect_does_not_lead_inside() {
    let place = allowed();
    let result = place.result("/inside", 6);
    assert_eq!(result["code"], "forbidden_host", "{result}");
    assert!(result["error"].as_str().unwrap().contains("Nothing was sent"), "{result}");
}

#[test]
fn a_body_without_end_is_cut_and_said_to_be() {
    let result = allowed().result("/endless", 0);
    assert_eq!((&result["truncated"], &result["data"]["total"]), (&json!(true), &json!(2 << 20)), "{}", result["data"]);
    assert!(result["output"].as_str().unwrap().contains("2097152 bytes"));
    assert!(result["output"].as_str().unwrap().len() < 60_000);
}

#[test]
fn the_parts_of_a_page_come_from_memory() {
    let place = allowed();
    let call = |offset: u64| {
        json!({"tool": "web_fetch", "args": {"url": place.server.url("/long"), "offset": offset}}).to_string()
    };
    let calls = [0, 50_000, 100_000, 200_000].map(call).join("\n");
    let ended = place.bench.run_with(&["-c", &place.config, "call", "--batch", "-", "--jobs", "1"], &calls);
    let results: Vec<Value> = ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let said = |number: usize| results[number].to_string();
    assert!(
        said(0).contains("offset=") && said(1).contains("offset=") && said(2).contains("this is the end"),
        "{results:?}"
    );
    assert!(said(3).contains("the page has 120000 characters"), "{}", said(3));
    assert_eq!(place.server.asked().len(), 1, "one request for all of them");
}

#[test]
fn a_page_cannot_speak_outside_of_its_marks() {
    let text = allowed().fetch("/missing", &["--json"]).expect(1).json()["output"].as_str().unwrap().to_owned();
    assert!(text.starts_with("<<<EXTERNAL_UNTRUSTED_CONTENT id=") && text.contains("Welcome!"), "{text}");
}

#[test]
fn what_goes_wrong_is_a_failure_that_says_what_to_do() {
    let place = allowed();
    for (path, exit, code, words) in [
        ("/missing", 1, "not_found", "404 Not Found: there is no such page"),
        ("/broken", 1, "unreachable", "500 Internal Server Error: the error is on the host's side"),
        ("/busy", 1, "rate_limited", "within 30 seconds"),
        ("/loop", 1, "failed", "redirect"),
        ("/silent", 1, "timeout", "in time"),
    ] {
        let result = place.result(path, exit);
        assert_eq!((&result["success"], &result["code"]), (&json!(false), &json!(code)), "{path}: {result}");
        assert!(result["error"].as_str().unwrap().contains(words), "{path}: {result}");
        assert!(!result.to_string().contains("Whatever I say"), "the host's own words for a status are not repeated");
    }
    for (path, words) in [("/empty", "empty"), ("/image", "image")] {
        let result = place.result(path, 0);
        assert!(result["output"].as_str().unwrap().contains(words), "{path}: {result}");
    }
}

#[test]
fn a_host_that_is_not_there_and_one_that_cannot_be_trusted() {
    let place = allowed();
    let encrypted = json!({"url": format!("https://localhost:{}/guide", place.server.port)}).to_string();
    let result = place.run(&["call", "--json", "web_fetch", &encrypted]).expect(1).json();
    assert_eq!(result["code"], "unreachable", "{result}");
    assert!(result["error"].as_str().unwrap().contains("encryption"), "{result}");
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    std::fs::write(&place.config, format!("webTools: {{enabled: true}}\nnet: {{private_hosts: ['localhost:{gone}']}}"))
        .unwrap();
    let url = json!({"url": format!("http://localhost:{gone}/")}).to_string();
    let result = place.run(&["call", "--json", "web_fetch", &url]).expect(1).json();
    assert_eq!(result["code"], "unreachable", "{result}");
    assert!(result["error"].as_str().unwrap().contains("cannot be reached"), "{result}");
}

#[test]
fn a_dry_run_reads_for_real_and_explain_sends_nothing() {
    let place = allowed();
    let arguments = json!({"url": place.server.url("/guide#part")}).to_string();
    let explained = place.run(&["explain", "web_fetch", &arguments]).expect(0).stdout;
    let effect = format!("effect  fetch {}\n", place.server.url("/guide"));
    assert!(explained.contains(&effect), "the address that would be sent to: {explained}");
    assert!(place.server.asked().is_empty());
    let shown = place.fetch("/guide", &["--dry-run"]).expect(0).stdout;
    assert!(shown.contains("# Guide") && !shown.contains("DRY-RUN"), "{shown}");
    assert_eq!(place.server.asked().len(), 1);
}

#[test]
fn the_tools_are_listed_where_they_are_switched_on() {
    let place = place("  search: {searxngUrl: 'http://localhost:PORT'}");
    // The document of picoclaw always offers them.
    for (toolset, always) in [("palanca", false), ("bots", false), ("picoclaw", true)] {
        let on = place.run(&["--toolset", toolset, "tools", "list"]).expect(0).stdout;
        let off = place.bench.run(&["--toolset", toolset, "tools", "list"]).expect(0).stdout;
        for tool in ["web_search", "web_fetch"] {
            assert!(on.contains(tool) && off.contains(tool) == always, "{toolset}: {on}\n{off}");
        }
    }
}

#[test]
fn a_search_asks_the_providers_that_the_user_has_chosen() {
    let searxng = place("  search: {searxngUrl: 'http://localhost:PORT'}");
    let search = ["call", "web_search", r#"{"query": "a&b"}"#];
    let shown = searxng.run(&search).expect(0).stdout;
    assert!(shown.contains("Search results for \"a&b\":\n\n1. T\n   URL: https://a.example/\n   C\n"), "{shown}");
    assert!(shown.contains("Found by SearXNG."), "{shown}");
    assert!(searxng.server.asked()[0].starts_with("GET /search?q=a%26b&format=json "), "{:?}", searxng.server.asked());

    let brave = place("  search: {braveUrl: 'http://localhost:PORT/brave', searxngUrl: 'http://localhost:PORT'}");
    let ended = brave
        .bench
        .command(&["-c", &brave.config, "call", "web_search", r#"{"query": "a b", "count": 3}"#])
        .env("BRAVE_API_KEY", "the-key-of-brave-1234")
        .output()
        .unwrap();
    let shown = crate::harness::ended(ended).expect(0).stdout;
    let asked = brave.server.asked();
    assert_eq!(asked.len(), 1);
    assert!(asked[0].starts_with("GET /brave?q=a%20b&count=3 "), "{asked:?}");
    assert!(asked[0].to_ascii_lowercase().contains("\r\nx-subscription-token: the-key-of-brave-1234\r\n"), "{asked:?}");
    assert!(shown.contains("Found by Brave Search.") && !shown.contains("the-key-of-brave"), "{shown}");

    let both =
        place("  search: {apiKey: k, braveUrl: 'http://localhost:PORT/limited', searxngUrl: 'http://localhost:PORT'}");
    let shown = both.run(&search).expect(0).stdout;
    assert!(shown.contains("Found by SearXNG.") && shown.contains("within 7 seconds"), "{shown}");
    assert_eq!(both.server.asked().len(), 2);
}

#[test]
fn a_search_without_a_provider_says_how_to_get_one() {
    let place = place("");
    let result = place.run(&["call", "--json", "web_search", r#"{"query": "x"}"#]).expect(6).json();
    for words in ["https://brave.com/search/api/", "BRAVE_API_KEY", "webTools.search.searxngUrl"] {
        assert!(result["error"].as_str().unwrap().contains(words), "{result}");
    }
    let port = place.server.port;
    let project = format!(
        "webTools: {{search: {{searxngUrl: 'http://localhost:{port}', braveUrl: 'http://localhost:{port}/brave', apiKey: k}}}}"
    );
    place.bench.write("palanca.yaml", &project);
    place.run(&["call", "web_search", r#"{"query": "x"}"#]).expect(6);
    assert!(place.server.asked().is_empty(), "a workspace does not choose who is asked");
}

/// The system's resolver, told by a hosts file of the test's own that a public name is this machine.
#[test]
fn a_resolver_that_answers_this_machine_leads_no_tool_to_it() {
    let place = allowed();
    let hosts = place.bench.home().join("hosts");
    std::fs::write(&hosts, "127.0.0.1 evil.example.com\n::1 evil6.example.com\n").unwrap();
    let in_there = |arguments: &[&str]| {
        let inner = place.bench.command(arguments);
        let mut command = std::process::Command::new("unshare");
        command.args(["--mount", "--map-root-user", "sh", "-c", "mount --bind \"$0\" /etc/hosts && exec \"$@\""]);
        command.arg(&hosts).arg(inner.get_program()).args(inner.get_args());
        command.env_clear().envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").current_dir(place.bench.workspace());
        command.output()
    };
    let port = place.server.port;
    let named = place.bench.home().join("named.yaml");
    let text = format!("webTools: {{enabled: true}}\nnet: {{private_hosts: ['evil.example.com:{port}']}}\n");
    std::fs::write(&named, text).unwrap();
    let arguments = |name: &str| json!({"url": format!("http://{name}.example.com:{port}/guide")}).to_string();
    let evil = arguments("evil");
    match in_there(&["-c", &named.display().to_string(), "call", "web_fetch", &evil]) {
        Ok(output) if String::from_utf8_lossy(&output.stdout).contains("Read") => {}
        other => {
            return skipped("a resolver that lies", &format!("no mount namespace here: {other:?}"));
        }
    }
    assert_eq!(place.server.asked().len(), 1, "the hosts file is in use, and the name leads here");
    for toolset in ["palanca", "bots", "picoclaw"] {
        for name in ["evil", "evil6"] {
            let all = ["-c", &place.config, "--toolset", toolset, "call", "web_fetch", &arguments(name)];
            let said = crate::harness::ended(in_there(&all).unwrap());
            assert!(said.code != 0 && said.stderr.contains("not a public host"), "{toolset} {name}: {}", said.stderr);
        }
    }
    assert_eq!(place.server.asked().len(), 1, "nothing more came");
}

#[test]
fn a_rule_on_hosts_holds_for_redirects_too() {
    for (decision, code) in [("deny", 6), ("ask", 6), ("allow", 0)] {
        let (place, other) = (place(""), Server::start());
        let rules = place.bench.home().join("rules.toml");
        let host = format!("localhost:{}", other.port);
        let text = format!(
            "[[rule]]\nid = \"elsewhere\"\ndecision = \"{decision}\"\neffect = \"reach\"\nhosts = [\"{host}\"]\n\
             matches = [{{ reach = \"http://{host}/guide\" }}]\nnot_matches = [{{ reach = \"https://docs.example/\" }}]\n"
        );
        std::fs::write(&rules, text).unwrap();
        let own = format!(
            "webTools: {{enabled: true}}\nnet: {{private_hosts: ['localhost:{}', '{host}']}}\napprovals: {{rules_file: '{}'}}\n",
            place.server.port,
            rules.display()
        );
        std::fs::write(&place.config, own).unwrap();
        let said = place.fetch(&format!("/to?http://{host}/guide"), &[]).expect(code);
        assert_eq!(other.asked().len(), usize::from(code == 0), "{decision}: {}", said.stderr);
        assert_eq!(said.stdout.contains("elsewhere"), code != 0, "{decision}: {}", said.stdout);
        assert_eq!(place.server.asked().len(), 1);
    }
}
