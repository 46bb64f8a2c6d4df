//! Text that an argument names: itself, a file, or stdin.

use crate::exit::Failure;
use crate::wire::state;
use std::io::{BufRead, BufReader, Read as _};
use std::path::Path;

/// JSON on the command line is at most this long when it comes from stdin.
const MAX_ARGUMENT: u64 = 64 << 20;

/// The argument itself, or stdin when it is `-`.
pub fn argument(text: &str) -> Result<String, Failure> {
    if text != "-" {
        return Ok(text.to_owned());
    }
    let mut whole = String::new();
    std::io::stdin().lock().take(MAX_ARGUMENT).read_to_string(&mut whole)?;
    Ok(whole)
}

/// The lines of a file, or of stdin when it is `-`.
pub fn lines(source: &str) -> Result<Box<dyn BufRead + Send>, Failure> {
    if source == "-" {
        return Ok(Box::new(BufReader::with_capacity(1 << 16, std::io::stdin())));
    }
    let file = palanca_files::open_stream(Path::new(source)).map_err(state::failed)?;
    Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
}
