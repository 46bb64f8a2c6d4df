//! What reading and judging a command costs, in process: ordinary ones, long ones, hostile ones.

use crate::stat::row;
use palanca_policy::commands::{Rules, judge};
use palanca_shell::Surroundings;
use std::time::{Duration, Instant};

/// What agents really run.
const ORDINARY: &[&str] = &[
    "ls -la",
    "git status",
    "git log --oneline -5",
    "cargo test 2>&1 | tail -50",
    "grep -rn 'fn main' src | head -20",
    "cd crates/core && cargo check",
    "find . -name '*.rs' -not -path './target/*' | xargs wc -l",
    "python3 -m pytest -x tests/test_a.py::test_b",
    "for f in a b c; do echo \"$f\"; done",
    "sed -n 1,120p README.md",
    "npm run build && npm test",
    "cat <<'EOF' > notes.md\nline one\nline two\nEOF",
    "env RUST_BACKTRACE=1 cargo test --workspace",
    "echo $(date +%Y) | tee year.txt",
];

/// Shapes that make readers slow, grown to a size.
fn hostile(bytes: usize) -> Vec<String> {
    let grown = |piece: &str| piece.repeat(bytes / piece.len());
    vec![
        grown("a "),
        grown("x=$x$x;"),
        grown("echo $(ls);"),
        grown("ls|"),
        format!("echo {}", grown("{a,b}")),
        format!("echo {}", grown("\"$x\"'y'\\z")),
        format!("echo {}{}", "$(".repeat(bytes / 4), ")".repeat(bytes / 4)),
        grown("<<E\nE\n"),
        grown("f() { f|f& };f;"),
        grown("`"),
        grown("((("),
        grown("echo rm -rf / | base64 -d | sh;"),
        grown("env nice nohup "),
        grown("find . -exec "),
        grown("xargs "),
        grown("eval eval "),
        grown("sh -c 'sh -c ls';"),
        grown("echo ls | sh;"),
        grown("curl x | sh;"),
        grown("find . | xargs -I{} find . | "),
        grown("cd a;"),
        grown("ls;"),
        grown("x=1;"),
        grown("x=${x}a;"),
        grown("a=(b c);"),
        grown("alias a='b';"),
        grown("trap 'ls' EXIT;"),
        grown("/bin/r?;"),
        grown("rm -rf /e*/;"),
        grown("python3 -c 'print(1)';"),
        grown("for i in a b; do echo $i; done;"),
        grown("case x in a) b;; esac;"),
        format!("for i in {{1..64}}; do for j in {{1..64}}; do {} done; done", "echo $i;".repeat(bytes / 9)),
        format!("seq 500 | xargs -n1 {}", grown("a ")),
    ]
}

pub fn bench() {
    let surroundings = Surroundings {
        workspace: "/home/me/project".into(),
        directory: "/home/me/project".into(),
        home: Some("/home/me".into()),
        environment: Vec::new(),
        secrets: palanca_policy::commands::secret_names(),
    };
    let rules = Rules::default();
    let times = |texts: &[String], rounds: usize| {
        let mut times: Vec<Duration> = Vec::new();
        for round in 0..=rounds {
            for text in texts {
                let start = Instant::now();
                std::hint::black_box(judge(text, &surroundings, &rules));
                if round > 0 {
                    times.push(start.elapsed());
                }
            }
        }
        times.sort_unstable();
        times
    };
    let ordinary: Vec<String> = ORDINARY.iter().map(|text| (*text).to_owned()).collect();
    let each = times(&ordinary, 2_000);
    row("reading one command, median", &format!("{:.1?}", each[each.len() / 2]), "≤ 50 µs");
    for (bytes, aim) in [(4 << 10, "p99 < 1 ms"), (64 << 10, "p99 < 10 ms")] {
        let each = times(&hostile(bytes), 30);
        let name = format!("reading {} KiB of hostile text, p99 (worst)", bytes >> 10);
        row(&name, &format!("{:.1?} ({:.1?})", each[each.len() * 99 / 100], each[each.len() - 1]), aim);
    }
}
