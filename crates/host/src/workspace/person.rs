//! The user's own programs: visible to commands as far as that is safe, and otherwise named to the model.

use palanca_config::Config;
use palanca_core::Message;
use palanca_core::call::{Access, CanonicalPath, CommandLine, Launch, Root};
use palanca_core::ports::{Captured, Exit, Files, Finished, Polled, ProcessError, ProcessErrorKind};
use palanca_files::Disk;
use palanca_sandbox::{SandboxSettings, Toolchains};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Programs that one result names.
const NAMED: usize = 3;
/// Bytes at the end of an error output that are looked at.
const LOOKED_AT: usize = 4 << 10;
/// What shells and programs say of a program that is not there.
const NOT_FOUND: [&str; 2] = ["not found", "No such file or directory"];

/// Whose programs they are.
pub struct Person {
    is_shown: bool,
    granted: Vec<PathBuf>,
    disk: Arc<Disk>,
    path: OsString,
    found: OnceLock<Toolchains>,
}

impl Person {
    /// The one who started us.
    pub fn of(config: &Config, disk: &Arc<Disk>) -> Self {
        let granted = [&config.commands.readable, &config.workspace.readable_roots].into_iter().flatten();
        Self {
            is_shown: config.commands.toolchains,
            granted: granted.map(PathBuf::from).collect(),
            disk: Arc::clone(disk),
            path: std::env::var_os("PATH").unwrap_or_default(),
            found: OnceLock::new(),
        }
    }

    /// The programs; looked for once.
    pub fn toolchains(&self) -> &Toolchains {
        self.found.get_or_init(|| {
            if !self.is_shown {
                return Toolchains::default();
            }
            let judged =
                |path: &Path| self.disk.judge(&CanonicalPath::new(Root::Workspace, path.to_owned()), Access::Read);
            Toolchains::find(std::env::vars_os(), (self.disk.workspace(), &self.granted), &|path| judged(path).is_err())
        })
    }

    /// Shows them to commands.
    pub(super) fn shown_by(&self, settings: &mut SandboxSettings) {
        let found = self.toolchains().clone();
        settings.readable.extend(found.readable);
        settings.growing.extend(found.growing);
        settings.masked.extend(found.masked);
        settings.path.extend(found.path);
        settings.variables.extend(found.variables);
    }

    /// Adds why a program was not found, where the person has it.
    pub(super) fn explaining(
        &self,
        launch: &Launch,
        ended: Result<Finished, ProcessError>,
    ) -> Result<Finished, ProcessError> {
        let mut finished = self.explaining_missing(launch, ended)?;
        finished.notes.extend(self.missed(launch, &finished));
        Ok(finished)
    }

    /// The same where the program itself is the missing one.
    pub(super) fn explaining_missing<T>(
        &self,
        launch: &Launch,
        started: Result<T, ProcessError>,
    ) -> Result<T, ProcessError> {
        started.map_err(|error| {
            let program = launch.command.argv().into_iter().next().unwrap_or_default();
            let hidden = if error.kind == ProcessErrorKind::NoProgram { self.hidden(&program) } else { None };
            let Some(Hidden { place, folder, .. }) = hidden else { return error };
            error.detail(format!("{} → commands.readable: [{}]", place.display(), folder.display()))
        })
    }

    /// The same of what a program printed in the background before its end.
    pub(super) fn explaining_polled(&self, mut polled: Polled) -> Polled {
        if matches!(polled.status.exit, Some(Exit::Code(1..))) {
            polled.notes.extend(self.hidden_in(&not_found(&end(&polled.output))));
        }
        polled
    }

    /// The programs of a command that were not found because they are out of sight.
    fn missed(&self, launch: &Launch, finished: &Finished) -> Vec<Message> {
        let errors = [&finished.stderr, &finished.stdout].map(end).join("\n");
        let text = match (finished.exit, &launch.command) {
            (Exit::Code(126 | 127), CommandLine::Script { text, .. }) => format!("{text}\n{errors}"),
            (Exit::Code(1..), _) => not_found(&errors),
            _ => return Vec::new(),
        };
        self.hidden_in(&text)
    }

    fn hidden_in(&self, text: &str) -> Vec<Message> {
        let is_part = |character: char| character.is_alphanumeric() || "._+-".contains(character);
        let words: BTreeSet<&str> = text.split(|character| !is_part(character)).collect();
        words.into_iter().filter_map(|word| Some(self.hidden(word)?.to_the_model())).take(NAMED).collect()
    }

    /// A program that commands cannot see, by its bare name; nothing for one that they find or that the person has not either.
    pub fn hidden(&self, program: &str) -> Option<Hidden> {
        let is_granted = |path: &Path| {
            path.starts_with(self.disk.workspace()) || self.granted.iter().any(|tree| path.starts_with(tree))
        };
        let (place, folder) = self.toolchains().out_of_sight(program, &self.path, is_granted)?;
        Some(Hidden { program: program.to_owned(), place, folder })
    }
}

/// A program of the person's that commands cannot see.
pub struct Hidden {
    program: String,
    place: PathBuf,
    /// What would have to be shown.
    folder: PathBuf,
}

impl Hidden {
    fn to_the_model(&self) -> Message {
        Message::new("command-out-of-sight")
            .with("program", &self.program)
            .with("place", self.place.display().to_string())
            .with("folder", self.folder.display().to_string())
    }

    /// What people are told: where it is, and how commands may see it.
    pub fn to_people(&self) -> Message {
        Message::new("explain-out-of-sight")
            .with("program", &self.program)
            .with("place", self.place.display().to_string())
            .with("folder", self.folder.display().to_string())
    }
}

/// The lines that say that something is not there.
fn not_found(errors: &str) -> String {
    let says = |line: &&str| NOT_FOUND.iter().any(|words| line.contains(words));
    errors.lines().filter(says).collect::<Vec<_>>().join("\n")
}

fn end(stream: &Captured) -> String {
    let bytes = if stream.tail.is_empty() { &stream.head } else { &stream.tail };
    String::from_utf8_lossy(bytes.get(bytes.len().saturating_sub(LOOKED_AT)..).unwrap_or_default()).into_owned()
}
