//! What a person decides, asked through the client.

use crate::bench::{Bench, Person, block_on, filled, request, text};
use rmcp::model::{CallToolResponse, ElicitResult, ElicitationAction, ProtocolVersion};
use rmcp::service::ClientLifecycleMode;
use serde_json::json;

fn write() -> serde_json::Value {
    json!({"path": "b.txt", "content": "new\n"})
}

/// The revision in which nothing is asked while a call waits.
fn stateless() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
}

pub fn a_form_decides() {
    let no: fn(&str) -> ElicitResult = |_| filled(json!({"decision": "no", "reason": "use c.txt"}));
    for (says, written, told) in [
        ((|_: &str| filled(json!({"decision": "yes"}))) as fn(&str) -> ElicitResult, true, "created"),
        (no, false, "use c.txt"),
        (|_| ElicitResult::new(ElicitationAction::Decline), false, "declined"),
        (|_| ElicitResult::new(ElicitationAction::Cancel), false, "declined"),
        // Nothing but a clear yes is one.
        (|_| filled(json!({"decision": "perhaps"})), false, "declined"),
        (|_| filled(json!({"decision": "always-9"})), false, "declined"),
        (|_| filled(json!({})), false, "declined"),
    ] {
        let bench = Bench::new();
        block_on(async {
            let person = Person::saying(says);
            let client = bench.connected(person.clone(), ClientLifecycleMode::Initialize).await;
            let result = client.call("write_file", write()).await;
            assert_eq!((result.is_error, bench.read("b.txt").is_some()), (Some(!written), written), "{result:?}");
            assert!(text(&result).contains(told), "{told}: {result:?}");
            let shown = person.shown();
            assert!(shown.len() == 1 && shown[0].contains("b.txt") && shown[0].contains("+new"), "{shown:?}");
            client.ends().await;
        });
    }
}

pub fn a_rule_made_in_a_form_holds() {
    let bench = Bench::new();
    block_on(async {
        let person = Person::saying(|_| filled(json!({"decision": "always-1"})));
        let client = bench.connected(person.clone(), ClientLifecycleMode::Initialize).await;
        for content in ["first\n", "second\n"] {
            let result = client.call("write_file", json!({"path": "b.txt", "content": content})).await;
            assert_eq!(result.is_error, Some(false), "{result:?}");
        }
        assert_eq!((person.shown().len(), bench.read("b.txt").as_deref()), (1, Some("second\n")));
        client.ends().await;
    });
}

pub fn who_has_no_forms_is_refused() {
    let bench = Bench::new();
    block_on(async {
        for lifecycle in [ClientLifecycleMode::Initialize, stateless()] {
            let client = bench.connected(Person::default(), lifecycle).await;
            let result = client.call("write_file", write()).await;
            assert!(result.is_error == Some(true) && bench.read("b.txt").is_none(), "{result:?}");
            client.ends().await;
        }
    });
}

pub fn without_a_handshake_the_call_comes_again() {
    for (decision, written) in [("yes", true), ("no", false)] {
        let bench = Bench::new();
        block_on(async {
            let says: fn(&str) -> ElicitResult = match decision {
                "yes" => |_| filled(json!({"decision": "yes"})),
                _ => |_| filled(json!({"decision": "no"})),
            };
            let person = Person::saying(says);
            let client = bench.connected(person.clone(), stateless()).await;
            let result = client.call("write_file", write()).await;
            assert_eq!((result.is_error, bench.read("b.txt").is_some()), (Some(!written), written), "{result:?}");
            assert_eq!(person.shown().len(), 1);
            client.ends().await;
        });
    }
}

pub fn an_answer_is_for_its_own_call() {
    let bench = Bench::new();
    block_on(async {
        let client = bench.connected(Person::saying(|_| panic!("by hand")), stateless()).await;
        let asked = client.client.peer().call_tool_once(request("write_file", write())).await.unwrap();
        let CallToolResponse::InputRequired(asked) = asked else { panic!("{asked:?}") };
        let state = asked.request_state.unwrap();
        let name = asked.input_requests.unwrap().into_keys().next().unwrap();
        let yes =
            || [(name.clone(), json!({"action": "accept", "content": {"decision": "yes"}}))].into_iter().collect();
        let forged = request("write_file", write()).with_input_responses(yes()).with_request_state("another");
        client.client.peer().call_tool_once(forged).await.unwrap_err();
        // The same answer with other arguments is spent on nothing.
        let other = request("write_file", json!({"path": "a.txt", "content": "gone\n"}));
        let other = other.with_input_responses(yes()).with_request_state(&state);
        let refused = client.client.peer().call_tool_once(other).await.unwrap();
        let CallToolResponse::Complete(refused) = refused else { panic!("{refused:?}") };
        assert!(refused.is_error == Some(true) && bench.read("a.txt").as_deref() == Some("one\n"), "{refused:?}");
        // It was given once: a second time it is none.
        let again = request("write_file", write()).with_input_responses(yes()).with_request_state(&state);
        client.client.peer().call_tool_once(again).await.unwrap_err();
        assert_eq!(bench.read("b.txt"), None);
        client.ends().await;
    });
}
