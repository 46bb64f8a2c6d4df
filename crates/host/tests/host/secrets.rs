//! Secrets that come while the process runs.

use crate::house::{House, block_on, call, session};
use serde_json::json;
use std::fs;
use std::path::Path;

const TOKEN: &str = "zq7Wk2-Vt9Lp4Xs8Rn3";

pub fn a_secret_file_made_meanwhile_is_closed_to_the_next_program() {
    let house = House::new();
    let one = session(&house.agent("work", |_| ()));
    block_on(async {
        // Enough of them that a helper waits in a room that was built before the file came.
        for _ in 0..3 {
            assert!(call(&one, "run_command", json!({"command": "sleep 0.05"})).await.success);
        }
        fs::create_dir(house.path("work/deep")).unwrap();
        for file in [".env", "deep/id_rsa"] {
            fs::write(house.path("work").join(file), TOKEN).unwrap();
            let read =
                call(&one, "run_command", json!({"command": format!("cat {file}; cat < {file}; grep -r . .")})).await;
            let shown = format!("{read:?}");
            assert!(!shown.contains(TOKEN), "{shown}");
        }
    });
}

pub fn what_is_learned_meanwhile_is_in_nothing_that_is_shown_or_kept() {
    let house = House::new();
    let one = session(&house.agent("work", |_| ()));
    fs::write(house.path("work/log.txt"), format!("the token is {TOKEN}\n{}", format!("{TOKEN}\n").repeat(2_000)))
        .unwrap();
    let mut stream = one.words().redactor.stream();
    let mut streamed = stream.push("it is zq7Wk2-");
    block_on(async {
        let before = call(&one, "read_file", json!({"path": "log.txt", "end_line": 1})).await;
        assert!(before.output.contains(TOKEN), "{before:?}");
        house.host.learn("OAUTH", TOKEN);
        let encoded = "enE3V2syLVZ0OUxwNFhzOFJuMw==";
        for (tool, arguments) in [
            ("read_file", json!({"path": "log.txt"})),
            ("run_command", json!({"command": "cat log.txt"})),
            ("run_command", json!({"command": format!("echo {TOKEN}; echo {encoded}")})),
            ("read_file", json!({"path": format!("{TOKEN}.txt")})),
            ("no_such_tool", json!({"about": TOKEN})),
        ] {
            let shown = format!("{:?}", call(&one, tool, arguments).await);
            assert!(!shown.contains(TOKEN) && !shown.contains(encoded), "{tool}: {shown}");
        }
    });
    streamed += &stream.push("Vt9Lp4Xs8Rn3 indeed");
    streamed += &stream.finish();
    assert_eq!(streamed, "it is [REDACTED:OAUTH] indeed");
    assert_eq!(found_below(&house.path("state")), [""; 0]);
}

/// Files that hold the token, but for what undo gives back.
fn found_below(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            if entry.file_name() != "undo" {
                found.extend(found_below(&path));
            }
        } else if fs::read(&path).unwrap().windows(TOKEN.len()).any(|window| window == TOKEN.as_bytes()) {
            found.push(path.display().to_string());
        }
    }
    found
}
