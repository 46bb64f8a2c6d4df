//! Several calls in one answer.

use crate::script::{Answer, Scripted, Stage, assert_whole, call, one, results};
use palanca_agent::StopReason;
use serde_json::json;
use std::sync::atomic::Ordering;

#[tokio::test(start_paused = true)]
async fn calls_run_side_by_side_at_most_four_and_results_keep_their_order() {
    let stage = Stage::new();
    let calls = (0..10).map(|number| call(&number.to_string(), "slow", json!({"ms": 100 - number * 10}))).collect();
    let model = Scripted::new([Answer::Call("", calls), Answer::Say("done")]);
    let start = tokio::time::Instant::now();
    let (_, history) = stage.run(&model).await;
    assert_eq!(stage.most.load(Ordering::SeqCst), 4);
    assert!(start.elapsed().as_millis() < 300, "{:?}", start.elapsed());
    let expected: Vec<String> = (0..10).map(|number| format!("waited {}", 100 - number * 10)).collect();
    assert_eq!(results(history.messages()), expected);
}

#[tokio::test(start_paused = true)]
async fn one_after_another_when_parallel_is_one() {
    let stage = Stage::new().limits(|limits| limits.parallel = 1);
    let calls = (0..5).map(|number| call(&number.to_string(), "slow", json!({}))).collect();
    stage.run(&Scripted::new([Answer::Call("", calls), Answer::Say("done")])).await;
    assert_eq!(stage.most.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn fifty_calls_in_one_answer() {
    let stage = Stage::new();
    let calls =
        (0..50).map(|number| call(&number.to_string(), "read_file", json!({"path": number.to_string()}))).collect();
    let (ended, history) = stage.run(&Scripted::new([Answer::Call("", calls), Answer::Say("done")])).await;
    assert_eq!(ended.report.tools_used.len(), 50);
    assert!(ended.report.tools_used.iter().all(|used| used.success));
    assert_whole(history.messages());
}

#[tokio::test]
async fn ids_that_come_twice_are_made_unique() {
    let stage = Stage::new();
    let batch = || {
        Answer::Call(
            "",
            ["x", "x", "", "x-2", ""].iter().map(|id| call(id, "read_file", json!({"path": id}))).collect(),
        )
    };
    let (ended, history) = stage.run(&Scripted::new([batch(), batch(), Answer::Say("done")])).await;
    assert_eq!(ended.report.tools_used.len(), 10);
    assert_whole(history.messages());
}

#[tokio::test]
async fn an_agent_cannot_use_what_is_not_on_its_list() {
    for agent in ["plan", "review", "resume"] {
        let stage = Stage::new().agent(agent);
        let model = Scripted::new([one("1", "write_file", json!({"path": "a", "content": "b"})), Answer::Say("done")]);
        let (ended, history) = stage.run(&model).await;
        assert!(stage.ran.lock().unwrap().is_empty(), "{agent} wrote");
        assert_eq!(model.asked()[0].tools, ["read_file"]);
        assert!(results(history.messages())[0].contains("tool-not-listed"));
        assert!(!ended.report.tools_used[0].success);
        assert_eq!(stage.watch.notices(), Vec::<String>::new(), "nobody asked for the usual tools by name");
    }
}

#[tokio::test]
async fn the_model_reads_the_error_and_the_output() {
    let stage = Stage::new();
    let model = Scripted::new([one("1", "fail", json!({})), Answer::Say("done")]);
    let (ended, _) = stage.run(&model).await;
    let asked = model.asked();
    assert_eq!(results(&asked[1].messages), ["Error: tool-failed(reason=3 tests fail)\ntest a: expected 1, got 2"]);
    assert_eq!(ended.report.stop_reason, StopReason::LlmDone);
    assert_eq!(ended.report.tools_used[0].error.as_deref(), Some("tool-failed(reason=3 tests fail)"));
}

#[tokio::test]
async fn broken_arguments_and_unknown_tools_are_results() {
    let stage = Stage::new();
    let model = Scripted::new([
        Answer::Call(
            "",
            vec![("1".into(), "read_file".into(), "{\"path\": ".into()), ("2".into(), "raed_file".into(), "{}".into())],
        ),
        Answer::Say("done"),
    ]);
    let (ended, history) = stage.run(&model).await;
    let texts = results(history.messages());
    assert!(texts[0].contains("arguments-not-json") && texts[0].contains("column"), "{texts:?}");
    assert!(texts[1].contains("tool-not-found") && texts[1].contains("read_file"), "{texts:?}");
    assert_eq!(ended.report.stop_reason, StopReason::LlmDone);
}
