//! Servers that are dead, silent, loud or broken, beside some that are not.

use crate::bench::block_on;
use crate::fixture::MEETS;
use crate::foreign::{bench, call, free, secret, server};
use palanca_config::McpServer;
use palanca_mcp::{ServerStatus, Standing};
use palanca_testkit::PATIENCE;
use serde_json::json;
use std::time::Instant;

fn silent(name: &str, seconds: u64) -> McpServer {
    McpServer { timeout: seconds, ..server(name, "silent") }
}

/// Five that live, and as many of each kind of dead ones.
fn crowd(seconds: u64) -> Vec<McpServer> {
    let dead = (0..95).map(|number| {
        let name = format!("dead-{number}");
        match number {
            0..5 => silent(&name, seconds),
            5..50 => McpServer { command: Some("/no/such/program".to_owned()), ..server(&name, "usual") },
            _ => serde_json::from_value(json!({"name": name, "url": "http://127.0.0.1:1/mcp"})).unwrap(),
        }
    });
    dead.chain((0..5).map(|number| server(&format!("s{number}"), "usual"))).collect()
}

pub fn of_a_hundred_the_five_that_live_are_offered_at_once() {
    let mut bench = bench(crowd(1));
    let connected =
        |status: &[ServerStatus]| status.iter().filter(|server| server.standing == Standing::Connected).count();
    let (_, servers) = free(&bench);
    assert_eq!(connected(&servers.status()), 5);
    drop(servers);
    // From now on the silent ones answer nothing for as long as a test may last.
    bench.config.mcp.servers = crowd(3600);
    bench.is_hasty = true;
    let (session, servers) = free(&bench);
    let (status, tools) = (servers.status(), session.toolset());
    for (number, silent) in status.iter().take(5).enumerate() {
        assert_eq!(silent.standing, Standing::Starting, "nobody waits for it");
        assert!(tools.get(&format!("mcp_s{number}_arguments")).is_some());
    }
    block_on(async {
        for number in 0..5 {
            let result = call(&session, &format!("mcp_s{number}_arguments"), json!({"a": number})).await;
            assert!(result.success, "{result:?}");
        }
    });
}

pub fn servers_are_started_side_by_side() {
    let mut bench = bench([]);
    let folder = bench.path("meeting");
    std::fs::create_dir(&folder).unwrap();
    let meets = |name: &str| {
        let mut server = server(name, "usual");
        server.writes.push(folder.display().to_string());
        server.env.insert(MEETS.to_owned(), secret(&format!("{} {name} 3", folder.display())));
        server
    };
    bench.config.mcp.servers = ["a", "b", "c"].map(meets).into();
    let (_, servers) = free(&bench);
    let status = servers.status();
    assert!(status.iter().all(|server| server.standing == Standing::Connected), "{status:?}");
}

pub fn one_that_floods_or_stalls_is_named_and_the_others_go_on() {
    let hasty = |name: &str, mode: &str| McpServer { timeout: 2, ..server(name, mode) };
    let mut stalls = hasty("stalls", "usual");
    stalls.timeout = 5;
    let bench = bench([hasty("flood", "flood"), hasty("endless", "endless"), stalls, server("s", "usual")]);
    let (session, servers) = free(&bench);
    for name in ["flood", "endless"] {
        let status = servers.status().into_iter().find(|server| server.name == name).unwrap();
        assert!(matches!(&status.standing, Standing::Gone(why) if why.key() == "mcp-slow-start"), "{status:?}");
    }
    block_on(async {
        for tool in ["waits", "large"] {
            let slow = call(&session, &format!("mcp_stalls_{tool}"), json!({})).await;
            let why = slow.error.as_deref().unwrap_or_default();
            assert!(slow.code.as_deref() == Some("timeout") && why.contains("stalls"), "{tool}: {slow:?}");
        }
        for server in ["s", "stalls"] {
            // It may still be writing what nobody reads any more.
            let begun = Instant::now();
            loop {
                let result = call(&session, &format!("mcp_{server}_arguments"), json!({"a": 1})).await;
                if result.success {
                    break;
                }
                assert!(begun.elapsed() < PATIENCE, "{result:?}");
            }
        }
    });
}

pub fn noise_between_messages_is_passed_over() {
    let bench = bench([server("s", "noisy")]);
    let (session, servers) = free(&bench);
    assert_eq!(servers.status()[0].standing, Standing::Connected, "{:?}", servers.status());
    block_on(async {
        let result = call(&session, "mcp_s_arguments", json!({"a": 1})).await;
        assert!(result.success, "{result:?}");
    });
}
