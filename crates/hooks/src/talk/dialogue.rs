//! The connection to a long-lived program: started on first use, greeted, with one request at a time.
//!
//! Its stdout and stderr come as one stream, so a line that is not a JSON-RPC response is ignored, as is a response to an
//! abandoned request.

use crate::around::Around;
use crate::failure::Failure;
use crate::occasion;
use crate::settings::ProcessSettings;
use palanca_core::call::{CallId, Lifetime, ProcessId};
use serde_json::{Value, json};
use std::time::Duration;

/// How often an exited program is restarted.
const STARTS: u32 = 3;
/// For the greeting, the start included.
const HELLO: Duration = Duration::from_secs(5);
/// The longest line.
const LINE: usize = 256 << 10;
/// Polling interval, if the door sends no notification.
const LOOK: Duration = Duration::from_millis(200);

/// One program, or none yet.
pub(super) struct Dialogue {
    command: String,
    modes: Vec<String>,
    process: Option<ProcessId>,
    starts: u32,
    next: u64,
    bytes: Vec<u8>,
    /// A line was begun and perhaps not completed: after a write was abandoned, no further request can be sent.
    torn: bool,
}

impl Dialogue {
    pub(super) fn new(settings: &ProcessSettings) -> Self {
        Self {
            command: settings.command.clone(),
            modes: settings.modes.clone(),
            process: None,
            starts: 0,
            next: 1,
            bytes: Vec::new(),
            torn: false,
        }
    }

    /// Starts and greets the program, unless it runs.
    pub(super) async fn open(&mut self, around: &Around) -> Result<(), Failure> {
        if self.torn {
            self.close(around).await;
        }
        if self.process.is_some() {
            return Ok(());
        }
        if self.starts >= STARTS {
            return Err(Failure::Dialogue(format!("it ended or failed {STARTS} times and is not started again")));
        }
        self.starts += 1;
        self.bytes.clear();
        let mut variables = Vec::new();
        occasion::add(&mut variables, "EVENT", "process");
        let mut launch = around.launch(&self.command, variables);
        launch.lifetime = Lifetime::Session;
        let call = CallId::new("hook");
        let status = around.processes.start(&launch, around.by(&call)).await.map_err(Failure::Start)?;
        self.process = Some(status.id);
        let hello = json!({"name": "palanca", "version": 1, "modes": self.modes});
        let greeted = tokio::time::timeout(HELLO, self.request(around, "hook.hello", hello)).await;
        let refused = match greeted {
            Ok(Ok(answer)) if answer.get("ok") == Some(&Value::Bool(true)) => return Ok(()),
            Ok(Ok(_)) => Failure::Dialogue("hook.hello was not answered with {\"ok\": true}".to_owned()),
            Ok(Err(failure)) => failure,
            Err(_) => Failure::Timeout(HELLO),
        };
        self.close(around).await;
        Err(refused)
    }

    /// A notification.
    pub(super) async fn notify(&mut self, around: &Around, params: Value) -> Result<(), Failure> {
        self.say(around, &json!({"jsonrpc": "2.0", "method": "hook.runtime_event", "params": params})).await
    }

    /// A request; returns its result.
    pub(super) async fn request(&mut self, around: &Around, method: &str, params: Value) -> Result<Value, Failure> {
        let id = self.next;
        self.next += 1;
        self.say(around, &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await?;
        loop {
            let answer = self.line(around).await?;
            if answer.get("id").and_then(Value::as_u64) != Some(id) || answer.get("method").is_some() {
                continue;
            }
            if let Some(error) = answer.get("error").filter(|error| !error.is_null()) {
                return Err(Failure::Dialogue(format!("{method}: {}", occasion::first(&error.to_string(), 300))));
            }
            return Ok(answer.get("result").cloned().unwrap_or_default());
        }
    }

    async fn say(&mut self, around: &Around, message: &Value) -> Result<(), Failure> {
        let Some(process) = self.process.clone() else {
            return Err(Failure::Dialogue("it does not run".to_owned()));
        };
        let mut line = message.to_string().into_bytes();
        line.push(b'\n');
        self.torn = true;
        match around.processes.write(around.owner(), &process, &line).await {
            Ok(_) => {
                self.torn = false;
                Ok(())
            }
            Err(error) => {
                self.close(around).await;
                Err(Failure::Dialogue(error.to_string()))
            }
        }
    }

    /// The next line that is a JSON object.
    async fn line(&mut self, around: &Around) -> Result<Value, Failure> {
        loop {
            while let Some(end) = self.bytes.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.bytes.drain(..=end).collect();
                if let Ok(value @ Value::Object(_)) = serde_json::from_slice(&line) {
                    return Ok(value);
                }
            }
            let Some(process) = self.process.clone() else {
                return Err(Failure::Dialogue("it does not run".to_owned()));
            };
            let polled = around.processes.poll(around.owner(), &process).map_err(Failure::Start)?;
            let output = polled.output;
            let ended = polled.status.exit;
            if output.omitted_bytes > 0 || self.bytes.len() > LINE {
                self.close(around).await;
                return Err(Failure::TooLong(output.total_bytes()));
            }
            self.bytes.extend(output.head);
            self.bytes.extend(output.tail);
            if self.bytes.contains(&b'\n') {
                continue;
            }
            if let Some(exit) = ended {
                self.process = None;
                return Err(Failure::Dialogue(format!("it ended: {exit:?}")));
            }
            // ignored: one poll too many costs nothing.
            let _ = tokio::time::timeout(LOOK, around.processes.changed(around.owner(), &process)).await;
        }
    }

    /// Ends the program.
    pub(super) async fn close(&mut self, around: &Around) {
        self.torn = false;
        if let Some(process) = self.process.take() {
            // ignored: an unknown one has already ended.
            let _ = around.processes.kill(around.owner(), &process).await;
            let _ = around.processes.clear(around.owner(), &process);
        }
    }
}
