//! What a front end sees, and the report as JSON.

use crate::script::{Answer, Scripted, Stage, call, one};
use crate::sessions::NoHunter2;
use palanca_agent::summary_line;
use palanca_core::message::Keys;
use palanca_core::ports::{LogLevel, NoReply, Progress};
use palanca_core::{Output, Spec};
use palanca_text::{FluentCatalogue, Locale};
use serde_json::json;
use std::sync::Arc;

#[tokio::test]
async fn events_come_in_the_order_of_things() {
    let stage = Stage::new().limits(|limits| limits.parallel = 1);
    let model = Scripted::new([
        Answer::Call("Look.", vec![call("1", "read_file", json!({"path": "a"})), call("2", "fail", json!({}))]),
        Answer::Say("All done."),
    ]);
    stage.run(&model).await;
    assert_eq!(
        stage.watch.lines(),
        [
            "+ user",
            "step 1",
            "text Look.",
            "usage 1000 100",
            "+ assistant",
            "> 1 read_file",
            "< 1 done",
            "+ tool 1",
            "> 2 fail",
            "< 2 failed",
            "+ tool 2",
            "step 2",
            "text All ",
            "text done.",
            "usage 1000 100",
            "+ assistant",
            "ended llm_done 2",
        ]
    );
}

#[tokio::test]
async fn the_report_is_as_documented() {
    let stage = Stage::new();
    let model = Scripted::new([
        one("1", "read_file", json!({"path": "a.rs"})),
        one("2", "fail", json!({})),
        Answer::Say("done"),
    ]);
    let (ended, _) = stage.run(&model).await;
    let mut report = serde_json::to_value(&ended.report).unwrap();
    assert!(report["duration_seconds"].as_f64().unwrap() < 10.0);
    report["duration_seconds"] = json!(0);
    let round = |value: &mut serde_json::Value| *value = json!((value.as_f64().unwrap() * 1e6).round());
    round(&mut report["cost"]);
    round(&mut report["costs"]["total_cost_usd"]);
    round(&mut report["costs"]["by_source"]["agent"]);
    assert_eq!(
        report,
        json!({
            "status": "success",
            "stop_reason": "llm_done",
            "output": "done",
            "steps": 3,
            "tools_used": [
                {"name": "read_file", "success": true, "path": "a.rs"},
                {"name": "fail", "success": false, "error": "tool-failed(reason=3 tests fail)", "code": "conflict"},
            ],
            "duration_seconds": 0,
            "model": "openai:gpt-4o",
            "costs": {
                "total_input_tokens": 3000,
                "total_output_tokens": 300,
                "total_cached_tokens": 1200,
                "total_tokens": 3300,
                "total_cost_usd": 9000.0,
                "by_source": {"agent": 9000.0},
            },
            "cost": 9000.0,
        })
    );
    let costs = ended.report.costs.unwrap();
    for (locale, expected) in [
        (Locale::En, "$0.0090 (3,000 in / 300 out / 1,200 cached)"),
        (Locale::Es, "$0.0090 (3\u{a0}000 de entrada / 300 de salida / 1\u{a0}200 en caché)"),
    ] {
        assert_eq!(summary_line(&costs, &FluentCatalogue::new(locale)), expected);
    }
}

/// A catalogue that tests may clone.
#[derive(Clone)]
struct Spoken(Arc<FluentCatalogue>);

impl palanca_core::Catalogue for Spoken {
    fn render(&self, message: &palanca_core::Message) -> String {
        self.0.render(message)
    }
}

/// Whatever a model calls its calls is told and kept as it is.
#[tokio::test]
async fn a_secret_in_a_name_or_id_is_nowhere() {
    let mut stage = Stage::new();
    stage.redactor = Arc::new(NoHunter2);
    let calls = vec![call("id-hun\"ter2", "read_file", json!({"path": "a"})), call("2", "hun\"ter2", json!({}))];
    let model = Scripted::new([Answer::Call("", calls), Answer::Say("done")]);
    let (ended, history) = stage.run(&model).await;
    assert_eq!(ended.report.output, "done");
    let lines = stage.watch.lines();
    assert!(
        lines.contains(&"> hidden-1-0 read_file".to_owned()) && lines.contains(&"> 2 hidden".to_owned()),
        "{lines:#?}"
    );
    let told = format!("{lines:?} {:?} {:?}", history.messages(), ended.report);
    assert!(!told.contains("ter2"), "{told}");
}

#[tokio::test]
async fn sentences_are_the_catalogues() {
    for (locale, expected) in [
        (Locale::En, "This call was not run: the token limit of this run is reached."),
        (Locale::Es, "Esta llamada no se ejecutó: se alcanzó el límite de tokens de esta ejecución."),
    ] {
        let catalogue: &'static Spoken = Box::leak(Box::new(Spoken(Arc::new(FluentCatalogue::new(locale)))));
        let stage = Stage::new().limits(|limits| limits.max_total_tokens = Some(1000));
        let model = Scripted::new([one("1", "read_file", json!({}))]);
        let (ended, _) = stage.run_in(catalogue, &model).await;
        assert_eq!(ended.report.tools_used[0].error.as_deref(), Some(expected));
    }
}

#[tokio::test]
async fn a_model_that_costs_nothing_has_no_remarks() {
    let stage = Stage::new();
    let model = Scripted::new([Answer::Say("done")]).named("replay:a.jsonl");
    let mut history = palanca_agent::History::new(palanca_agent::ContextLimits::default());
    let ended = stage.go_on(&Keys, &model, &mut history, "task").await;
    assert!(stage.watch.notices().is_empty());
    assert_eq!(ended.report.cost, Some(0.0));
}

#[tokio::test]
async fn what_a_running_tool_says_and_asks_is_told_and_replied_to() {
    let stage = Stage::new();
    stage.add(Spec::new("talks", "scripted"), |_, cx| {
        Box::pin(async move {
            cx.voice().log(LogLevel::Info, "begins");
            cx.voice().progress(Progress { done: 1.0, of: Some(2.0), text: None });
            assert_eq!(cx.voice().ask("which?", json!({})).await, Ok(json!("this one")));
            assert_eq!(cx.voice().ask("who?", json!({})).await, Err(NoReply::Declined));
            Ok(Output::from("said"))
        })
    });
    let (ended, _) = stage.run(&Scripted::new([one("1", "talks", json!({})), Answer::Say("done")])).await;
    assert_eq!(ended.report.output, "done");
    let lines = stage.watch.lines();
    for said in ["log 1 begins", "% 1 1", "? 1 which?", "? 1 who?"] {
        assert!(lines.iter().any(|line| line == said), "{said}: {lines:#?}");
    }
}
