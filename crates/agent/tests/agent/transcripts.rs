//! Whatever a model does and whatever ends a run: each call has exactly one result, in what was asked and in what is kept.

use crate::script::{Answer, Scripted, Stage, assert_whole, call};
use palanca_models::ModelErrorKind;
use proptest::prelude::*;
use serde_json::json;
use std::time::Duration;

fn a_call() -> impl Strategy<Value = (String, String, String)> {
    let id = prop::sample::select(vec!["a", "b", "c", "", "a-2"]);
    let tool = prop::sample::select(vec![
        "read_file",
        "read_file",
        "lines",
        "fail",
        "slow",
        "nope",
        "ask",
        "write_file",
        "hang",
        "interrupt",
    ]);
    (id, tool, 0_u32..80, any::<bool>()).prop_map(|(id, tool, count, broken)| {
        let (id, tool, mut arguments) = call(id, tool, json!({"path": "a", "count": count, "ms": count}));
        if broken && count % 7 == 0 {
            arguments.truncate(5);
        }
        (id, tool, arguments)
    })
}

fn an_answer() -> impl Strategy<Value = Answer> {
    prop_oneof![
        8 => prop::collection::vec(a_call(), 0..9).prop_map(|calls| Answer::Call("", calls)),
        2 => prop::collection::vec(a_call(), 1..3).prop_map(|calls| Answer::Call("Thinking.", calls)),
        1 => Just(Answer::Say("done")),
        1 => Just(Answer::Cut("do")),
        1 => Just(Answer::Hang("half")),
        1 => Just(Answer::Fail(ModelErrorKind::ContextTooLong)),
        1 => Just(Answer::Fail(ModelErrorKind::ServerError)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_call_has_exactly_one_result(
        answers in prop::collection::vec(an_answer(), 0..14),
        max_steps in 0_u32..10,
        context in prop::sample::select(vec![0_usize, 60, 200, 500, 80_000]),
        result in prop::sample::select(vec![0_usize, 1, 10, 2000]),
        parallel in 1_usize..6,
        tokens in prop::option::of(0_u64..9000),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let stage = Stage::new().context(context, result).max_steps(max_steps).limits(|limits| {
                limits.parallel = parallel;
                limits.max_total_tokens = tokens;
                limits.timeout = Some(Duration::from_secs(300));
            });
            let model = Scripted::new(answers);
            let (ended, history) = stage.run(&model).await;
            assert_whole(history.messages());
            for asked in model.asked() {
                assert_whole(&asked.messages);
            }
            assert!(ended.report.duration_seconds <= 300.0);
            assert!(max_steps == 0 || ended.report.steps <= max_steps);
            assert!(!ended.report.output.is_empty());
        });
    }
}
