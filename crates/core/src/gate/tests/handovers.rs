//! How often the recorder is called on: as seldom as possible, and before everything that a call may not outlive.

use super::*;
use crate::ports::StageRecord;

/// How many stages came at once, and whether the end came with them.
#[derive(Default)]
struct Handovers(Mutex<Vec<String>>);

impl Recorder for Handovers {
    fn stages(&self, records: &[StageRecord<'_>]) {
        self.0.lock().unwrap().push(format!("{} stages", records.len()));
    }

    fn record(&self, _record: &Record<'_>) {
        unreachable!("the gate ends every call with its last stages");
    }

    fn ended(&self, stages: &[StageRecord<'_>], record: &Record<'_>) {
        self.0.lock().unwrap().push(format!("{} stages, {}", stages.len(), record.outcome.name()));
    }
}

/// Notes how much was handed over when it runs.
struct Looks(Arc<Handovers>);

impl Hook for Looks {
    fn name(&self) -> &str {
        "looks"
    }

    fn before<'a>(&'a self, _call: &'a CheckedCall) -> BoxFuture<'a, HookReply> {
        self.0.0.lock().unwrap().push("hook before".to_owned());
        Box::pin(async { HookReply::Continue })
    }

    fn after<'a>(&'a self, _call: &'a CheckedCall, _result: &'a ToolResult) -> BoxFuture<'a, Option<String>> {
        self.0.0.lock().unwrap().push("hook after".to_owned());
        Box::pin(async { None })
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Hooked {
    Yes,
    No,
}

#[tokio::test]
async fn a_read_is_handed_over_once_and_everything_else_before_it_has_an_effect() {
    let reads: fn(Spec) -> Spec = |spec| spec;
    let open_world: fn(Spec) -> Spec = |spec| {
        let annotations = Annotations { open_world: true, ..spec.annotations };
        Spec { annotations, ..spec }
    };
    for (kind, hooked, act, expected) in [
        (reads, Hooked::No, "hello", &["5 stages, done"] as &[&str]),
        (reads, Hooked::No, "fail", &["5 stages, failed"]),
        (open_world, Hooked::No, "hello", &["5 stages", "0 stages, done"]),
        (reads, Hooked::Yes, "hello", &["3 stages", "hook before", "2 stages", "hook after", "0 stages, done"]),
        (open_world, Hooked::Yes, "hello", &["3 stages", "hook before", "2 stages", "hook after", "0 stages, done"]),
    ] {
        let handovers = Arc::new(Handovers::default());
        let gate = Gate::builder(registry(kind)).recorder(handovers.clone());
        let gate = if hooked == Hooked::Yes { gate.hook(Arc::new(Looks(handovers.clone()))) } else { gate };
        run(&gate.build(), act).await;
        assert_eq!(*handovers.0.lock().unwrap(), expected, "{act}");
    }
}
