//! A run's own time, without a model's and a tool's. Printed by `cargo test --release -p palanca-agent -- --ignored --nocapture`.

use crate::script::{Answer, Scripted, Stage, one};
use serde_json::json;
use std::time::Instant;

#[tokio::test]
#[ignore = "a measurement, not a test"]
async fn own_time_of_a_round() {
    for rounds in [20_u32, 200, 2000] {
        let stage = Stage::new().context(0, 0).max_steps(0);
        let answers: Vec<Answer> = (0..rounds)
            .map(|round| one(&round.to_string(), "read_file", json!({"path": "a"})))
            .chain([Answer::Say("done")])
            .collect();
        let model = Scripted::new(answers).forgetful();
        let start = Instant::now();
        let (ended, _) = stage.run(&model).await;
        let each = start.elapsed() / rounds;
        assert_eq!(ended.report.steps, rounds + 1);
        println!("{rounds} rounds: {each:?} a round");
    }
}
