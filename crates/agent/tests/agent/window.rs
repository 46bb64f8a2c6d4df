//! What leaves a conversation that grows too long.

use crate::script::{Answer, Scripted, Stage, assert_whole, call, one, results};
use palanca_agent::StopReason;
use palanca_models::Message;
use serde_json::json;

#[tokio::test]
async fn the_oldest_groups_leave_and_the_task_stays() {
    let stage = Stage::new().context(1200, 0);
    let reads = (0..12).map(|number| one(&number.to_string(), "lines", json!({"count": 60})));
    let model = Scripted::new(reads.chain([Answer::Say("done")]));
    let (ended, history) = stage.run(&model).await;
    assert_eq!(ended.report.stop_reason, StopReason::LlmDone);
    assert_eq!(ended.report.tools_used.len(), 12);
    assert!(history.left_out() > 0 && history.left_out() % 2 == 0);
    for asked in model.asked() {
        assert_whole(&asked.messages);
        assert!(matches!(&asked.messages[0], Message::System { .. }));
        assert!(matches!(&asked.messages[1], Message::User { text, .. } if text.starts_with("do it")));
    }
    let Message::User { text, .. } = &history.messages()[1] else { panic!("the task left") };
    assert_eq!(text.matches("agent-context-left-out").count(), 1, "{text}");
    let left = format!("count={})", history.left_out());
    assert!(text.ends_with(&left), "{text}");
    assert!(stage.watch.notices().iter().any(|line| line.starts_with("agent-context-windowed")));
}

#[tokio::test]
async fn many_drops_are_made_at_once_and_then_none_for_a_while() {
    let stage = Stage::new().context(2000, 0).max_steps(0);
    let reads = (0..60).map(|number| one(&number.to_string(), "lines", json!({"count": 20})));
    stage.run(&Scripted::new(reads.chain([Answer::Say("done")]))).await;
    let drops = stage.watch.notices().iter().filter(|line| line.starts_with("agent-context-windowed")).count();
    assert!((3..=12).contains(&drops), "{drops} drops in 60 steps");
}

#[tokio::test]
async fn the_present_task_stays_where_several_were_given() {
    let stage = Stage::new().context(1200, 0);
    let reads = |from: u32| (from..from + 8).map(|number| one(&number.to_string(), "lines", json!({"count": 60})));
    let model = Scripted::new(reads(0).chain([Answer::Say("first")]).chain(reads(100)).chain([Answer::Say("second")]));
    let mut history = palanca_agent::History::new(stage.context);
    stage.go_on(&palanca_core::message::Keys, &model, &mut history, "task one").await;
    stage.go_on(&palanca_core::message::Keys, &model, &mut history, "task two").await;
    let tasks: Vec<&str> = history
        .messages()
        .iter()
        .filter_map(|message| match message {
            Message::User { text, .. } => text.lines().next(),
            _ => None,
        })
        .collect();
    assert_eq!(tasks, ["task one", "task two"]);
    assert_whole(history.messages());
}

#[tokio::test]
async fn zero_switches_the_limits_off() {
    let stage = Stage::new().context(0, 0);
    let model = Scripted::new([one("1", "lines", json!({"count": 50_000})), Answer::Say("done")]);
    let (ended, history) = stage.run(&model).await;
    assert_eq!(ended.report.stop_reason, StopReason::LlmDone);
    assert_eq!(results(history.messages())[0].lines().count(), 50_000);
}

#[tokio::test]
async fn long_results_keep_their_beginning_and_their_end() {
    let stage = Stage::new();
    let model = Scripted::new([one("1", "lines", json!({"count": 5000})), Answer::Say("done")]);
    let (_, history) = stage.run(&model).await;
    let text = results(history.messages())[0];
    let lines: Vec<&str> = text.lines().collect();
    let marker = lines.iter().position(|line| line.starts_with("agent-result-shortened(lines=")).unwrap();
    assert_eq!((lines[0], lines[marker - 1]), ("line 1", format!("line {marker}").as_str()));
    let left_out: usize = lines[marker].split(['=', ',']).nth(1).unwrap().parse().unwrap();
    assert_eq!((lines.len() - 1 + left_out, *lines.last().unwrap()), (5000, "line 5000"));
    let kept: usize = lines.iter().map(|line| line.len() + 1).sum::<usize>() - lines[marker].len();
    assert!((7900..=8010).contains(&kept), "the allowance is used: {kept}");
}

#[tokio::test]
async fn no_size_of_the_window_parts_a_call_from_its_result() {
    let mut windowed = 0;
    for context in (150..3000).step_by(75) {
        let stage = Stage::new().context(context, 0).max_steps(0);
        let steps = (0..12).map(|step| {
            let calls = (0..=step % 4).map(|at| call(&format!("{step}-{at}"), "lines", json!({"count": 3 + 5 * step})));
            Answer::Call("Looking.", calls.collect())
        });
        let model = Scripted::new(steps.chain([Answer::Say("done")]));
        let (_, history) = stage.run(&model).await;
        windowed += usize::from(history.left_out() > 0);
        assert_whole(history.messages());
        for asked in model.asked() {
            assert_whole(&asked.messages);
        }
    }
    assert!(windowed >= 20, "only {windowed} sizes made anything leave");
}
