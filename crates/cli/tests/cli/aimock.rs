//! The agent against a mock server that nobody here wrote: `@copilotkit/aimock` from the npm registry.

use crate::harness::{Bench, repository};
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PACKAGE: &str = "@copilotkit/aimock@1.43.0";
const FIXTURES: &str = r#"{"fixtures": [
    {"match": {"userMessage": "What is in a.txt?", "turnIndex": 0},
     "response": {"toolCalls": [{"name": "read_file", "arguments": {"path": "a.txt"}}]}},
    {"match": {"userMessage": "What is in a.txt?", "turnIndex": 1}, "response": {"content": "It says one."}}
]}"#;

/// The program, installed once below `target/`; none, with the reason on stderr, where npm or its registry is missing.
fn program() -> Option<PathBuf> {
    let folder = repository().join("target/aimock");
    let program = folder.join("node_modules/.bin/llmock");
    if !program.exists() {
        std::fs::create_dir_all(&folder).unwrap();
        let installed = Command::new("npm")
            .args(["install", "--prefix", ".", "--no-audit", "--no-fund", "--ignore-scripts", PACKAGE])
            .current_dir(&folder)
            .stdin(Stdio::null())
            .output();
        match installed {
            Ok(output) if output.status.success() => {}
            Ok(output) => {
                eprintln!("SKIPPED: npm cannot install {PACKAGE}: {}", String::from_utf8_lossy(&output.stderr));
                return None;
            }
            Err(error) => {
                eprintln!("SKIPPED: npm is not here: {error}");
                return None;
            }
        }
    }
    Some(program)
}

struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(program: &Path, fixtures: &Path, chunk: &str) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let child = Command::new(program)
            .args(["-p", &port.to_string(), "-c", chunk, "--log-level", "silent", "-f"])
            .arg(fixtures)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let server = Self { child, port };
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(start.elapsed() < Duration::from_secs(30), "aimock does not answer");
            std::thread::yield_now();
        }
        server
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // ignored: it may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn three_wire_formats_against_a_foreign_mock() {
    let Some(program) = program() else { return };
    let bench = Bench::new(&[("a.txt", "one\n")]);
    let mut fixtures = tempfile::Builder::new().suffix(".json").tempfile().unwrap();
    fixtures.write_all(FIXTURES.as_bytes()).unwrap();
    for chunk in ["1", "7", "20"] {
        let server = Server::start(&program, fixtures.path(), chunk);
        let base = format!("http://127.0.0.1:{}", server.port);
        for (model, variable, address) in [
            ("openai:gpt-4.1", "OPENAI_BASE_URL", format!("{base}/v1")),
            ("openai-responses:gpt-4.1", "OPENAI_BASE_URL", format!("{base}/v1")),
            ("anthropic:claude-sonnet-4-6", "ANTHROPIC_BASE_URL", base.clone()),
            ("ollama:qwen3", "OLLAMA_HOST", base.clone()),
        ] {
            for more in [&[][..], &["--no-stream"]] {
                let mut command = bench.command(&["run", "What is in a.txt?", "--agent", "plan", "--model", model]);
                command.args(more).env(variable, &address);
                command.env("OPENAI_API_KEY", "test").env("ANTHROPIC_API_KEY", "test");
                let ended = crate::harness::ended(command.output().unwrap());
                assert_eq!(ended.code, 0, "{model} {chunk} {more:?}: {} {}", ended.stdout, ended.stderr);
                assert!(ended.stdout.contains("It says one."), "{model} {chunk}: {}", ended.stdout);
                assert!(ended.stderr.contains("read_file"), "{model} {chunk}: {}", ended.stderr);
            }
        }
    }
}
