//! The agent against a mock server that nobody here wrote: `@copilotkit/aimock` from the npm registry.

use crate::harness::Bench;
use crate::npm::installed;
use palanca_testkit::until;
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

const PACKAGE: &str = "@copilotkit/aimock@1.43.0";
const FIXTURES: &str = r#"{"fixtures": [
    {"match": {"userMessage": "What is in a.txt?", "turnIndex": 0},
     "response": {"toolCalls": [{"name": "read_file", "arguments": {"path": "a.txt"}}]}},
    {"match": {"userMessage": "What is in a.txt?", "turnIndex": 1}, "response": {"content": "It says one."}}
]}"#;

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
        until("aimock answers", || TcpStream::connect(("127.0.0.1", port)).is_ok());
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

mod peers {
    use super::*;

    #[test]
    #[ignore = "cargo xtask peers"]
    fn three_wire_formats_against_a_foreign_mock() {
        let Some(program) = installed(PACKAGE, "llmock") else { return };
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
}
