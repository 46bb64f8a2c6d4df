//! Answers that are not as they should be, and what a later run does with a history.

use crate::script::{Answer, Scripted, Stage, assert_whole, call, one, results};
use palanca_agent::{AnswerForm, ContextLimits, History, Status, StopReason};
use palanca_core::CallId;
use palanca_core::message::Keys;
use palanca_models::{Message, ModelErrorKind, ToolCall, Usage};
use serde_json::json;

fn empty() -> Answer {
    Answer::Call("", Vec::new())
}

#[tokio::test]
async fn an_empty_answer_is_asked_again_once() {
    let stage = Stage::new();
    let model = Scripted::new([empty(), Answer::Say("Here I am.")]);
    let (ended, history) = stage.run(&model).await;
    assert_eq!((ended.report.stop_reason, ended.report.output.as_str()), (StopReason::LlmDone, "Here I am."));
    assert_whole(history.messages());
    assert!(matches!(&model.asked()[1].messages[2], Message::User { text, .. } if text.contains("empty")));
}

#[tokio::test]
async fn two_empty_answers_in_a_row_fail_the_run() {
    let stage = Stage::new();
    let (ended, _) = stage.run(&Scripted::new([empty(), Answer::Say("  \n"), Answer::Say("never")])).await;
    assert_eq!((ended.report.status, ended.report.stop_reason), (Status::Failed, StopReason::LlmError));
    assert_eq!(ended.report.output, "agent-empty-reply");
}

#[tokio::test]
async fn empty_answers_apart_are_forgiven() {
    let stage = Stage::new();
    let read = || one("r", "read_file", json!({"path": "a"}));
    let (ended, _) = stage.run(&Scripted::new([empty(), read(), empty(), Answer::Say("done")])).await;
    assert_eq!(ended.report.stop_reason, StopReason::LlmDone);
}

#[tokio::test]
async fn a_call_that_cannot_be_read_is_mended_or_fails_the_run() {
    let broken = || Answer::Misread("I write. ", "<tool_call>{\"na");
    let stage = Stage::new();
    let model = Scripted::new([broken(), one("r", "read_file", json!({"path": "a"})), broken(), Answer::Say("done")]);
    let (ended, history) = stage.run(&model).await;
    assert_eq!((ended.report.stop_reason, ended.report.output.as_str()), (StopReason::LlmDone, "done"));
    assert_whole(history.messages());
    let asked = &model.asked()[1].messages;
    assert_eq!(asked[2], Message::assistant("I write. <tool_call>{\"na"));
    let Message::User { text, .. } = &asked[3] else { panic!("{asked:?}") };
    assert!(text.contains("it is incomplete") && text.contains("\n<tool_call>…</tool_call>\n"), "{text}");

    let stage = Stage::new();
    let (ended, _) = stage.run(&Scripted::new([broken(), broken(), Answer::Say("never")])).await;
    assert_eq!((ended.report.status, ended.report.stop_reason), (Status::Failed, StopReason::LlmError));
    assert_eq!(ended.report.output, "agent-misread(reason=model-misread-cut-off(form=Hermes))");
    assert_eq!(ended.answer, None);
}

#[tokio::test]
async fn a_cut_answer_is_said() {
    let stage = Stage::new();
    let (ended, _) = stage.run(&Scripted::new([Answer::Cut("The answer i")])).await;
    assert_eq!(ended.report.output, "The answer i");
    assert_eq!((ended.report.status, ended.report.stop_reason), (Status::Partial, StopReason::OutputLimit));
    assert_eq!(stage.watch.notices(), [""; 0], "the reason of the end says it");
}

#[tokio::test]
async fn a_call_that_was_cut_says_so_and_the_whole_ones_before_it_run() {
    let stage = Stage::new();
    let cut = Answer::CutCall(vec![
        call("1", "read_file", json!({"path": "a"})),
        ("2".into(), "read_file".into(), r#"{"path": "#.into()),
    ]);
    let model = Scripted::new([cut, Answer::Say("done")]);
    let (ended, history) = stage.run(&model).await;
    assert_eq!((ended.report.status, ended.report.stop_reason), (Status::Success, StopReason::LlmDone));
    assert_eq!(stage.watch.notices(), ["agent-reply-cut"]);
    let told = results(history.messages());
    assert_eq!(told[0], "content of a");
    assert!(told[1].contains("agent-call-cut("), "{told:?}");
}

#[tokio::test]
async fn missing_usage_is_estimated_and_reported() {
    let stage = Stage::new();
    let model = Scripted::new([Answer::Say("four letter word")]).usage(Usage::default());
    let (ended, _) = stage.run(&model).await;
    let costs = ended.report.costs.unwrap();
    assert!(costs.total_input_tokens > 10 && costs.total_output_tokens == 3, "{costs:?}");
    assert_eq!(stage.watch.notices(), ["agent-usage-estimated"]);
}

#[tokio::test]
async fn a_later_run_goes_on_with_the_history() {
    let stage = Stage::new();
    let model = Scripted::new([
        one("1", "read_file", json!({"path": "a"})),
        Answer::Say("first"),
        one("1", "read_file", json!({"path": "b"})),
        Answer::Say("second"),
    ]);
    let mut history = History::new(ContextLimits::default());
    stage.go_on(&Keys, &model, &mut history, "one").await;
    let ended = stage.go_on(&Keys, &model, &mut history, "two").await;
    assert_eq!(ended.report.output, "second");
    assert_eq!(ended.report.tools_used.len(), 1, "the report is this run's");
    assert_whole(history.messages());
    let systems = history.messages().iter().filter(|message| matches!(message, Message::System { .. }));
    assert_eq!(systems.count(), 1);
    assert_eq!(results(history.messages()), ["content of a", "content of b"]);
}

#[tokio::test]
async fn a_history_that_a_crash_cut_short_is_mended() {
    let call = |id: &str| ToolCall { id: CallId::new(id), name: "read_file".into(), arguments: "{}".into() };
    let result = |id: &str| Message::Tool {
        call_id: CallId::new(id),
        name: "read_file".into(),
        content: "x".into(),
        is_error: false,
        parts: Vec::new(),
    };
    let broken = vec![
        Message::user("task"),
        result("orphan"),
        Message::calling("", vec![call("1"), call("2")]),
        result("1"),
        result("1"),
        Message::user("go on"),
        Message::calling("", vec![call("3")]),
    ];
    let history = History::resumed(ContextLimits::default(), broken, &Keys);
    assert_whole(history.messages());
    assert_eq!(
        results(history.messages()),
        ["x", "agent-call-not-run(reason=agent-reason-lost)", "agent-call-not-run(reason=agent-reason-lost)",]
    );
}

#[tokio::test]
async fn a_provider_with_a_smaller_context_makes_half_of_it_leave() {
    let stage = Stage::new();
    let reads = (0..6).map(|number| one(&number.to_string(), "lines", json!({"count": 20})));
    let model = Scripted::new(reads.chain([Answer::Fail(ModelErrorKind::ContextTooLong), Answer::Say("done")]));
    let (ended, history) = stage.run(&model).await;
    assert_eq!(ended.report.stop_reason, StopReason::LlmDone);
    assert!(history.left_out() > 0);
    assert_whole(history.messages());
    let always_too_long = (0..50).map(|_| Answer::Fail(ModelErrorKind::ContextTooLong));
    let (ended, _) = Stage::new().run(&Scripted::new(always_too_long)).await;
    assert_eq!(ended.report.stop_reason, StopReason::ContextFull);
}

#[tokio::test]
async fn an_answer_in_json_is_cut_out_of_what_is_around_it() {
    for (answers, reason, output, asked) in [
        (vec![Answer::Say("Here: ```json\n{\"a\": 1}\n``` Bye.")], StopReason::LlmDone, "Here: ```json", 0),
        (vec![Answer::Say("Sure.\n```json\n{\"a\": 1}\n```\nBye.")], StopReason::LlmDone, "{\"a\": 1}", 1),
        (vec![Answer::Say("{\"a\": 1,}"), Answer::Say("[1, 2]")], StopReason::LlmDone, "[1, 2]", 2),
        (vec![Answer::Say("It is done."), Answer::Say("Done!")], StopReason::AnswerNotJson, "Done!", 2),
    ] {
        let mut stage = Stage::new();
        stage.agent.answer = AnswerForm::Json;
        let model = Scripted::new(answers);
        let (ended, _) = stage.run(&model).await;
        if asked == 0 {
            // A fence in the middle of a line is prose, but the object in it is found.
            assert_eq!((ended.report.output.as_str(), output), ("{\"a\": 1}", "Here: ```json"));
            continue;
        }
        assert_eq!((ended.report.stop_reason, ended.report.output.as_str()), (reason, output));
        assert_eq!(model.asked().len(), asked);
        assert_eq!(ended.report.status == Status::Success, reason == StopReason::LlmDone);
        let Message::System { text } = &model.asked()[0].messages[0] else { panic!() };
        assert!(text.ends_with("without words around it."), "{text}");
        if let Some(Message::User { text, .. }) = model.asked().get(1).and_then(|asked| asked.messages.last()) {
            assert!(text.starts_with("[SYSTEM] Your answer contains no valid JSON"), "{text}");
        }
    }
}
