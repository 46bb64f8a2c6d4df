//! What a call of a foreign tool costs through the gate, with its audit record, beside the same call by a bare client of the same library:
//! `cargo test --release --package palanca-mcp --test served -- --measure`.
#![allow(clippy::disallowed_types, clippy::print_stdout)]

use crate::bench::{block_on, request, text};
use crate::fixture;
use crate::foreign::{bench, free, server};
use palanca_core::CallId;
use palanca_core::call::RawArguments;
use rmcp::service::serve_client;
use serde_json::json;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::process::Command;

pub const ARGUMENT: &str = "--measure";
/// In turns, so that whatever else the machine does meets both.
const TURNS: usize = 10;
const CALLS: usize = 300;

pub fn measure() {
    let bench = bench([server("s", "usual")]);
    let (session, _servers) = free(&bench);
    block_on(async {
        let mut other = Command::new(std::env::current_exe().unwrap());
        other.args([fixture::ARGUMENT, "usual"]).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut other = other.spawn().unwrap();
        let pipes = (other.stdout.take().unwrap(), other.stdin.take().unwrap());
        let bare = serve_client((), pipes).await.unwrap();
        let toolset = session.gate().registry().snapshot();
        let (given, expected) = (json!({"a": 1}), r#"{"a":1}"#);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..TURNS {
            for _ in 0..CALLS {
                let begun = Instant::now();
                let call =
                    session.call(CallId::new("1"), "mcp_s_arguments".to_owned(), RawArguments::Json(given.clone()));
                let result = session.gate().submit(&toolset, call).await;
                ours.push(begun.elapsed());
                assert!(result.output.contains(expected), "{result:?}");
            }
            for _ in 0..CALLS {
                let begun = Instant::now();
                let result = bare.call_tool(request("arguments", given.clone())).await.unwrap();
                theirs.push(begun.elapsed());
                assert_eq!(text(&result), expected);
            }
        }
        let [ours, theirs] = [ours, theirs].map(|mut times: Vec<Duration>| {
            times.sort_unstable();
            [times[times.len() / 2], times[times.len() / 10], times[times.len() * 99 / 100]]
        });
        println!("median, tenth, 99 of 100: through the gate {ours:?}; a bare client {theirs:?}");
        println!(
            "more: {:?} at the median, {:?} at the tenth",
            ours[0].saturating_sub(theirs[0]),
            ours[1].saturating_sub(theirs[1])
        );
        bare.cancel().await.unwrap();
    });
}
