//! What an application adds, with `palanca` as its only dependency: a tool with state, a callback as a channel, the web
//! tools' door.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use palanca::call::{Claims, Outgoing};
use palanca::channels::ChannelSet;
use palanca::ports::{ChannelError, ChannelErrorKind};
use palanca::tools::{ToolOptions, ToolsetName, registry};
use palanca::{Args, ConfirmMode, Gate, Output, Registry, Scope, Spec, Tool, ToolCx, ToolError};
use serde_json::json;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Counts across calls.
struct Counter {
    total: Arc<AtomicU64>,
}

#[derive(Args)]
struct CounterArgs {
    /// How much more.
    #[arg(default = 1)]
    by: u64,
}

impl Tool for Counter {
    type Args = CounterArgs;

    fn spec(&self) -> Spec {
        Spec::new("count", "Counts up, and says how far.")
    }

    fn effects(&self, _args: &CounterArgs, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Claims::none())
    }

    async fn run(&self, args: CounterArgs, _cx: ToolCx) -> Result<Output, ToolError> {
        let total = self.total.fetch_add(args.by, Ordering::Relaxed) + args.by;
        Ok(Output::text(total.to_string()))
    }
}

#[tokio::test]
async fn a_tool_keeps_state_between_calls() {
    let total = Arc::new(AtomicU64::new(40));
    let registry = Registry::new();
    registry.register(Counter { total: Arc::clone(&total) }).unwrap();
    let gate = Gate::builder(registry.into()).build();
    assert_eq!(gate.execute("count", json!({})).await.output, "41");
    assert_eq!(gate.execute("count", json!({"by": 9})).await.output, "50");
    assert_eq!(total.load(Ordering::Relaxed), 50);
}

#[tokio::test]
async fn a_callback_is_a_channel() {
    let sent: Arc<Mutex<Vec<(String, String)>>> = Arc::default();
    let callback = {
        let sent = Arc::clone(&sent);
        move |message: &Outgoing| {
            if message.text.contains("secret") {
                return Err(ChannelError::new(ChannelErrorKind::Refused, &message.channel, "not that"));
            }
            sent.lock().unwrap().push((message.to.as_str().to_owned(), message.text.clone()));
            Ok(())
        }
    };
    let gate = Gate::builder(registry(ToolsetName::Picoclaw, &ToolOptions::default()).unwrap().into())
        .channels(Arc::new(ChannelSet::new().with("telegram", callback)))
        .mode(ConfirmMode::Yolo)
        .build();
    let say = async |text: &str| {
        gate.execute_with_context("message", json!({"content": text}), "telegram".into(), "123".into()).await
    };
    assert!(say("hello").await.success);
    let refused = say("a secret").await;
    assert!(!refused.success && refused.error.unwrap().contains("not that"));
    assert_eq!(*sent.lock().unwrap(), [("123".to_owned(), "hello".to_owned())]);
}

#[cfg(feature = "net")]
#[tokio::test]
async fn the_web_tools_have_a_door() {
    use palanca::net::{WebDoor, WebOptions};
    use std::io::{Read as _, Write as _};

    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        let read = stream.read(&mut request).unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\nfresh").unwrap();
        String::from_utf8_lossy(&request[..read]).into_owned()
    });
    let options = WebOptions {
        allow_hosts: vec![address.clone()],
        private_hosts: vec![address.clone()],
        ..WebOptions::default()
    };
    let gate = Gate::builder(registry(ToolsetName::Palanca, &ToolOptions::default()).unwrap().into())
        .web(Arc::new(WebDoor::system(options).unwrap()))
        .mode(ConfirmMode::Yolo)
        .build();
    let page = gate.execute("web_fetch", json!({"url": format!("http://{address}/news")})).await;
    assert!(page.success && page.output.contains("fresh"), "{:?}", page.error);
    assert!(server.join().unwrap().starts_with("GET /news "));
    let elsewhere = gate.execute("web_fetch", json!({"url": "http://example.invalid/"})).await;
    assert!(!elsewhere.success, "only the hosts that are allowed");
}
