#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use parking_lot::Mutex;
use tracing::field::Empty;
use tracing::{debug_span, info, info_span};

const TOKEN: &str = "tok-8e1c0d7b52f94a36";

/// As JSON, what the receivers of a level are told of while `work` runs.
fn told(level: Level, work: impl FnOnce()) -> Vec<Value> {
    let all = Arc::new(Mutex::new(Vec::new()));
    let receiver = Arc::clone(&all);
    let traces = Traces::default().to(level, Arc::new(move |traced| receiver.lock().push(as_json(traced))));
    let host = Host::new(crate::Places::default(), Arc::new(crate::Silent));
    host.learn("token", TOKEN);
    let secrets = words::secrets(&Config::default()).sharing(host.learned());
    tracing::subscriber::with_default(Registry::default().with(traces.layer(Arc::new(secrets))), work);
    let all = all.lock();
    all.clone()
}

#[test]
fn nobody_is_told_of_a_secret() {
    let lines = told(Level::DEBUG, || {
        let host = format!("{TOKEN}.example");
        debug_span!("http", server.address = host.as_str(), "error.type" = ?host)
            .in_scope(|| info!(palanca.process = TOKEN, "{TOKEN} has ended"));
    });
    let (event, span) = (&lines[0], &lines[1]);
    assert_eq!(event["message"], "[REDACTED:token] has ended");
    assert_eq!(event["attributes"]["palanca.process"], "[REDACTED:token]");
    assert_eq!(span["attributes"]["server.address"], "[REDACTED:token].example");
    assert!(!serde_json::to_string(&lines).unwrap().contains(TOKEN), "{lines:?}");
}

#[test]
fn a_span_is_told_once_and_when_it_says_its_outcome() {
    let lines = told(Level::INFO, || {
        let span = info_span!("execute_tool", gen_ai.tool.name = "echo", palanca.outcome = Empty);
        span.in_scope(|| debug_span!("process").in_scope(|| info!("inside")));
        span.record("palanca.outcome", "done");
        info!("afterwards");
        drop(span);
    });
    let named = |line: &Value| line.get("name").or_else(|| line.get("message")).cloned();
    let names: Vec<_> = lines.iter().filter_map(named).collect();
    assert_eq!(names, ["inside", "execute_tool echo", "afterwards"]);
    assert_eq!(lines[1]["attributes"]["palanca.outcome"], "done");
}
