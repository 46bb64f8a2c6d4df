//! Older steps become a summary.

use crate::script::{Answer, Scripted, Stage, assert_whole, one};
use palanca_agent::StopReason;
use palanca_models::{Message, ModelErrorKind};
use serde_json::json;

fn looks(from: u32, count: u32) -> impl Iterator<Item = Answer> {
    (from..from + count).map(|number| one(&number.to_string(), "lines", json!({"count": 100})))
}

fn users(messages: &[Message]) -> Vec<&str> {
    messages
        .iter()
        .filter_map(|said| if let Message::User { text, .. } = said { Some(text.as_str()) } else { None })
        .collect()
}

fn compactions(stage: &Stage) -> Vec<String> {
    stage.watch.lines().into_iter().filter(|line| line.starts_with("compacted")).collect()
}

#[tokio::test]
async fn a_model_sums_up_what_leaves_and_that_is_paid_for() {
    let stage = Stage::new().small(2500).max_steps(0);
    let script = looks(0, 9).chain([Answer::Say("SUMMARY ONE")]).chain(looks(20, 5));
    let model = Scripted::new(script.chain([Answer::Say("SUMMARY TWO"), Answer::Say("done")]));
    let (ended, history) = stage.run(&model).await;
    assert_eq!((ended.report.stop_reason, ended.report.output.as_str()), (StopReason::LlmDone, "done"));
    assert_eq!(compactions(&stage), ["compacted 10 SUMMARY ONE", "compacted 10 SUMMARY TWO"]);
    let asked = model.asked();
    let (first, second) = (&asked[9], &asked[15]);
    for request in [first, second] {
        assert!(request.tools.is_empty());
        let roles: Vec<bool> = request.messages.iter().map(|said| matches!(said, Message::User { .. })).collect();
        assert_eq!(roles, [false, true], "instructions, and a user's request");
    }
    assert!(
        users(&first.messages)[0].contains("(none)") && users(&first.messages)[0].contains("lines({\"count\":100})")
    );
    assert!(users(&second.messages)[0].starts_with("# The summary so far\nSUMMARY ONE\n"));
    for request in &asked {
        assert_whole(&request.messages);
    }
    let words = users(history.messages());
    assert_eq!(words[0], "do it");
    assert!(words[1].starts_with("[Summary of the earlier conversation") && words[1].ends_with("SUMMARY TWO"));
    assert_eq!((words.len(), history.summarised(), history.left_out()), (2, 20, 0));
    // Every call is paid for, and the summaries by their own name; they are no steps.
    let costs = ended.report.costs.unwrap();
    assert_eq!((ended.report.steps, costs.total_input_tokens), (15, 17 * 1000));
    assert!((costs.by_source.summary.unwrap() - 2.0 * 0.003).abs() < 1e-9);
    assert!((costs.by_source.agent.unwrap() - 15.0 * 0.003).abs() < 1e-9);
    assert!(!stage.watch.lines().iter().any(|line| line.contains("text SUMMARY")), "no summary is shown as an answer");
}

#[tokio::test]
async fn a_model_that_cannot_sum_up_ends_no_run() {
    for (answer, why) in [
        (Answer::Fail(ModelErrorKind::ServerError), "model-"),
        (Answer::Say("  "), "agent-empty-reply"),
        (one("x", "lines", json!({})), "agent-empty-reply"),
    ] {
        let stage = Stage::new().small(2500).max_steps(0);
        let model = Scripted::new(looks(0, 9).chain([answer, Answer::Say("done")]));
        let (ended, history) = stage.run(&model).await;
        assert_eq!((ended.report.stop_reason, ended.report.output.as_str()), (StopReason::LlmDone, "done"));
        let words = users(history.messages());
        assert!(words[1].contains("- lines({\"count\":100}): line 1 line 2 line 3"), "{}", words[1]);
        let notice = stage.watch.notices().into_iter().find(|line| line.contains("summarised-plainly")).unwrap();
        assert!(notice.contains(why), "{notice}");
    }
}

#[tokio::test]
async fn what_the_budget_does_not_pay_for_is_no_summary_by_a_model() {
    let mut found = false;
    // Somewhere between what nine steps cost and what a tenth request costs lies a limit that pays for no summary.
    for limit in (9000..14_000).step_by(100) {
        let stage = Stage::new().small(2500).max_steps(0).limits(|limits| limits.max_total_tokens = Some(limit));
        let model = Scripted::new(looks(0, 30));
        let (ended, history) = stage.run(&model).await;
        assert_eq!(ended.report.stop_reason, StopReason::TokenLimit, "{limit}");
        assert!(ended.report.costs.unwrap().total_tokens <= limit);
        assert_whole(history.messages());
        found |= stage.watch.notices().iter().any(|line| line.contains("reason=agent-over-tokens"));
    }
    assert!(found);
}

#[tokio::test]
async fn the_beginning_of_every_request_is_the_same_to_the_byte() {
    let stage = Stage::new().small(2500).max_steps(0);
    let script = looks(0, 9).chain([Answer::Say("SUMMARY")]).chain(looks(20, 3));
    let model = Scripted::new(script.chain([Answer::Say("done")]));
    stage.run(&model).await;
    let asked: Vec<_> = model.asked().into_iter().filter(|asked| !asked.tools.is_empty()).collect();
    let mut cut = 0;
    for pair in asked.windows(2) {
        assert_eq!(pair[0].tools, pair[1].tools);
        assert_eq!(pair[0].messages[..2], pair[1].messages[..2], "instructions and task");
        let grows = pair[1].messages.starts_with(&pair[0].messages);
        cut += usize::from(!grows);
    }
    assert_eq!((asked.len(), cut), (13, 1), "only the summary changes what was sent before");
}
