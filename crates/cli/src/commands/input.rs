//! Text that an argument names: itself, a file, or stdin.

use crate::exit::Failure;
use palanca_core::Message;
use palanca_files::StateError;
use palanca_host::Fault;
use std::io::{BufRead, BufReader, ErrorKind, IsTerminal as _, Read};
use std::path::Path;

/// A prompt or the arguments of a call are at most this long when they come from stdin.
const MAX_STDIN: u64 = 64 << 20;

/// The argument itself, or stdin when it is `-`.
pub fn argument(text: &str) -> Result<String, Failure> {
    if text == "-" { stdin() } else { Ok(text.to_owned()) }
}

/// The prompt as typed, or from stdin when it is `-` or not given at all.
///
/// # Errors
/// Nothing typed and a terminal on stdin, or a prompt without a visible character: exit code 3.
pub fn prompt(typed: Option<String>) -> Result<String, Failure> {
    let prompt = match typed {
        None if std::io::stdin().is_terminal() => return Err(Failure::said(&Message::new("run-prompt-none"))),
        Some(words) if words != "-" => words,
        _ => stdin()?.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n']).to_owned(),
    };
    if prompt.chars().all(is_blank) { Err(Failure::said(&Message::new("run-prompt-empty"))) } else { Ok(prompt) }
}

fn is_blank(character: char) -> bool {
    character.is_whitespace()
        || character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

fn stdin() -> Result<String, Failure> {
    let mut text = String::new();
    let read = std::io::stdin().lock().take(MAX_STDIN + 1).read_to_string(&mut text);
    let too_long = u64::try_from(text.len()).is_ok_and(|length| length > MAX_STDIN);
    let read = read.and_then(|_| if too_long { Err(ErrorKind::FileTooLarge.into()) } else { Ok(()) });
    read.map_err(|source| Fault::from(StateError { what: "read", path: "stdin".into(), source }))?;
    Ok(text)
}

/// The lines of a file, or of stdin when it is `-`.
pub fn lines(source: &str) -> Result<Box<dyn BufRead + Send>, Failure> {
    let source: Box<dyn Read + Send> = match source {
        "-" => Box::new(std::io::stdin()),
        file => Box::new(palanca_files::open_stream(Path::new(file)).map_err(Fault::from)?),
    };
    Ok(Box::new(BufReader::with_capacity(1 << 16, Awaited(source))))
}

/// Input that may be long in coming: meanwhile the runtime goes on with another thread.
struct Awaited(Box<dyn Read + Send>);

impl Read for Awaited {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        tokio::task::block_in_place(|| self.0.read(bytes))
    }
}
