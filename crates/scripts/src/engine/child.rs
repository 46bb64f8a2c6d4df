//! The process of one script: our own binary, which sees nothing of the workspace. It ends when it is dropped.

use crate::error::ScriptError;
use crate::limits::Limits;
use crate::wire::{RUNS_A_SCRIPT, Said};
use palanca_core::call::{CallId, CanonicalPath, CommandLine, Launch, Network, Root, Shell};
use palanca_core::ports::{Attach, Attached, By, Exit, Input, Output, Owner, Processes, Profile};
use palanca_core::tool::Cancel;
use serde::Serialize;
use std::path::PathBuf;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// The longest line that is taken; a script's limits allow less.
const LINE: usize = 32 << 20;
/// Read at once.
const CHUNK: usize = 64 << 10;

pub(super) struct Child {
    pub(super) attached: Attached,
    pub(super) lines: Lines,
    pub(super) input: Input,
}

impl Child {
    /// Starts one, which makes itself ready for a script with these limits.
    pub(super) async fn start(door: &dyn Processes, limits: Limits) -> Result<Self, ScriptError> {
        let mut launch = Launch::script(Shell::Sh, "", CanonicalPath::new(Root::Workspace, PathBuf::new()));
        let own = std::env::current_exe().map_err(|error| ScriptError::Broken(error.to_string()))?;
        launch.command = CommandLine::Program(vec![own.to_string_lossy().into_owned(), RUNS_A_SCRIPT.to_owned()]);
        launch.network = Network::None;
        let by = By { owner: &Owner::process(), call: &CallId::new("script"), session: None };
        let profile = Profile { readable: vec![own], ..Profile::alone() };
        let attach = Attach { by, profile: &profile, cancel: &Cancel::new() };
        let mut attached = door.attach(&launch, attach).await?;
        let Some((mut input, output)) = attached.stdin.take().zip(attached.stdout.take()) else {
            return Err(ScriptError::Broken("it has no pipes".to_owned()));
        };
        // ignored: one that has hung up says so where it is read.
        let _ = input.write_all(&line(&limits)).await;
        Ok(Self { attached, lines: Lines { output, buffer: Vec::new(), searched: 0 }, input })
    }

    /// Why it hung up, once nothing of it is left.
    pub(super) async fn end(attached: &mut Attached) -> (Exit, String) {
        let exit = attached.wait().await.exit;
        (exit, attached.stderr.text())
    }
}

/// As it is sent.
pub(super) fn line(content: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(content).unwrap_or_default();
    line.push(b'\n');
    line
}

/// What it says, line by line.
pub(super) struct Lines {
    output: Output,
    buffer: Vec<u8>,
    /// How much of the buffer holds no line's end.
    searched: usize,
}

impl Lines {
    /// None when it has hung up. May be dropped and called again.
    pub(super) async fn next(&mut self) -> Result<Option<Said>, ScriptError> {
        loop {
            let new = self.buffer.get(self.searched..).unwrap_or_default();
            if let Some(at) = new.iter().position(|byte| *byte == b'\n') {
                let rest = self.buffer.split_off(self.searched + at + 1);
                let line = std::mem::replace(&mut self.buffer, rest);
                self.searched = 0;
                let said = serde_json::from_slice(&line);
                return said.map(Some).map_err(|error| ScriptError::Broken(error.to_string()));
            }
            self.searched = self.buffer.len();
            if self.searched > LINE {
                return Err(ScriptError::Broken("its line does not end".to_owned()));
            }
            self.buffer.reserve(CHUNK);
            match self.output.read_buf(&mut self.buffer).await {
                Ok(0) => return Ok(None),
                Ok(_) => {}
                Err(error) => return Err(ScriptError::Broken(error.to_string())),
            }
        }
    }
}
