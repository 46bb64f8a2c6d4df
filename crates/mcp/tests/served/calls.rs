//! Requests for tools, from the list to the end of the connection.

use crate::bench::{Bench, Person, block_on, filled, request, text, until};
use futures_util::future::join_all;
use palanca_testkit::PATIENCE;
use rmcp::ServiceError;
use rmcp::model::{CallToolResult, ClientRequest, ErrorCode, Request};
use rmcp::service::{ClientLifecycleMode, PeerRequestOptions};
use serde_json::json;

fn anything() -> Person {
    Person::saying(|_| filled(json!({"decision": "yes"})))
}

pub fn tools_are_listed_and_called() {
    let bench = Bench::new();
    block_on(async {
        for lifecycle in [
            ClientLifecycleMode::Initialize,
            ClientLifecycleMode::Auto {
                preferred_versions: vec![rmcp::model::ProtocolVersion::V_2026_07_28],
                legacy_version: None,
            },
        ] {
            let client = bench.connected(anything(), lifecycle).await;
            let tools = client.client.list_all_tools().await.unwrap();
            let named = |name: &str| tools.iter().find(|tool| tool.name == name).unwrap();
            let (read, write) = (named("read_file"), named("write_file"));
            assert!(read.input_schema["properties"]["path"].is_object(), "{read:?}");
            let hints = |tool: &rmcp::model::Tool| tool.annotations.clone().unwrap().read_only_hint;
            assert_eq!((hints(read), hints(write)), (Some(true), Some(false)));
            let result = client.call("read_file", json!({"path": "a.txt"})).await;
            assert!(text(&result).contains("one") && result.is_error == Some(false), "{result:?}");
            assert_eq!(result.structured_content.unwrap()["path"], "a.txt");
            client.ends().await;
        }
    });
    assert_eq!(bench.recorded(), ["done", "done"]);
}

pub fn what_fails_is_a_result() {
    let bench = Bench::new();
    block_on(async {
        let client = bench.connected(anything(), ClientLifecycleMode::Initialize).await;
        for (tool, arguments, told) in [
            ("read_file", json!({"path": "none.txt"}), "none.txt"),
            ("read_file", json!({"file": 1}), "path"),
            ("read_file", json!({"path": "../state/audit.jsonl"}), "escapes"),
        ] {
            let result = client.call(tool, arguments).await;
            assert!(result.is_error == Some(true) && text(&result).contains(told), "{told}: {result:?}");
        }
        // A name that is none is a mistake of the client.
        let Err(ServiceError::McpError(error)) = client.try_call("no_such_tool", json!({})).await else { panic!() };
        assert!(error.code == ErrorCode::INVALID_PARAMS && error.message.contains("no_such_tool"), "{error:?}");
        client.ends().await;
    });
}

pub fn many_at_once_keep_their_own_results() {
    let bench = Bench::new();
    block_on(async {
        let client = bench.connected(anything(), ClientLifecycleMode::Initialize).await;
        let calls = (0..200).map(|number| {
            let client = &client;
            async move {
                let result = client.call("echo", json!({"message": format!("canary {number}")})).await;
                assert!(text(&result).ends_with(&format!("canary {number}")), "{result:?}");
            }
        });
        join_all(calls).await;
        client.ends().await;
    });
    assert_eq!(bench.recorded().len(), 200);
}

/// Begins a command that would go on for ever, and waits until it runs.
async fn begun(bench: &Bench, client: &crate::bench::Connected) -> rmcp::service::RequestHandle<rmcp::RoleClient> {
    let call = request("run_command", json!({"command": "touch begun; sleep 600"}));
    let call = ClientRequest::CallToolRequest(Request::new(call));
    let sent = client.client.send_cancellable_request(call, PeerRequestOptions::no_options()).await.unwrap();
    until("the command begins", || bench.read("begun").is_some()).await;
    sent
}

pub fn one_that_is_cancelled_ends_alone() {
    let bench = Bench::new();
    block_on(async {
        let client = bench.connected(anything(), ClientLifecycleMode::Initialize).await;
        let slow = begun(&bench, &client).await;
        slow.cancel(None).await.unwrap();
        // What waits for the command's lane can run only when that is over.
        let result = client.call("run_command", json!({"command": "echo over > over"})).await;
        assert_eq!((result.is_error, bench.read("over").as_deref()), (Some(false), Some("over\n")), "{result:?}");
        client.ends().await;
    });
    let mut recorded = bench.recorded();
    recorded.sort();
    assert_eq!(recorded, ["done", "stopped"]);
}

pub fn a_client_that_goes_leaves_nothing() {
    for stops in [false, true] {
        let bench = Bench::new();
        block_on(async {
            let client = bench.connected(anything(), ClientLifecycleMode::Initialize).await;
            let _slow = begun(&bench, &client).await;
            if stops {
                bench.stop.cancel();
            } else {
                drop(client.client);
            }
            tokio::time::timeout(PATIENCE, client.serving).await.unwrap().unwrap().unwrap();
        });
        assert_eq!(bench.recorded(), ["stopped"]);
    }
}

pub fn what_cannot_be_opened_is_said() {
    let bench = Bench::new();
    std::fs::remove_dir_all(bench.path("work")).unwrap();
    block_on(async {
        let client = bench.connected(anything(), ClientLifecycleMode::Initialize).await;
        let refused = client.client.list_all_tools().await.unwrap_err();
        assert!(refused.to_string().contains("work"), "{refused}");
        // It is tried again with the next request.
        std::fs::create_dir(bench.path("work")).unwrap();
        let result: CallToolResult = client.call("list_files", json!({})).await;
        assert_eq!(result.is_error, Some(false), "{result:?}");
        client.ends().await;
    });
}
