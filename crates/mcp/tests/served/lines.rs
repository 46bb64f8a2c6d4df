//! Lines that are no messages, or none that this server knows.

use crate::bench::{Bench, block_on};
use palanca_testkit::PATIENCE;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

pub fn nonsense_is_answered_and_the_rest_goes_on() {
    let bench = Bench::new();
    block_on(async {
        let (stream, serving) = bench.serve();
        let (read, mut write) = tokio::io::split(stream);
        let mut lines = BufReader::new(read).lines();
        let begin = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}});
        write.write_all(format!("{begin}\n").as_bytes()).await.unwrap();
        assert!(lines.next_line().await.unwrap().unwrap().contains("palanca"));
        write.write_all(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n").await.unwrap();
        let list = |id: u64| json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"}).to_string();
        for (number, nonsense) in [
            "nonsense".to_owned(),
            "[]".to_owned(),
            "{}".to_owned(),
            json!([{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}]).to_string(),
            json!({"jsonrpc": "2.0", "id": "u", "method": "no/such"}).to_string(),
            json!({"jsonrpc": "2.0", "id": "u", "method": "tools/call"}).to_string(),
            json!({"jsonrpc": "2.0", "id": "u", "method": "tools/call", "params": {"name": 1}}).to_string(),
            "x".repeat(17 << 20),
            "\u{feff}\r".to_owned(),
        ]
        .into_iter()
        .enumerate()
        {
            let id = 100 + number as u64;
            let (sent, listed) = (format!("{nonsense}\n{}\n", list(id)), async {
                loop {
                    let line: Value = serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap();
                    if line["id"] == id {
                        break line;
                    }
                    assert!(line["error"]["code"].is_i64(), "{number}: {line}");
                }
            });
            let both = async { tokio::join!(write.write_all(sent.as_bytes()), listed) };
            let (sent, listed) = tokio::time::timeout(PATIENCE, both).await.unwrap();
            sent.unwrap();
            assert!(listed["result"]["tools"].is_array(), "{number}: {listed}");
        }
        drop((lines, write));
        tokio::time::timeout(PATIENCE, serving).await.unwrap().unwrap().unwrap();
    });
}
