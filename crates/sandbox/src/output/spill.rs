//! A file with a complete stream, without its secrets. It refuses to grow past its limit, and says so in its last
//! line. Bytes that are not UTF-8 pass unchanged.

use super::{length, unfinished};
use crate::settings::Spill;
use crate::spawn::random_name;
use palanca_core::ports::RedactStream;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::PathBuf;

/// One stream on disk. Writing blocks the thread that reads all programs, which is bearable because pages are only dirtied.
pub(crate) struct SpillFile {
    file: File,
    path: PathBuf,
    redact: Box<dyn RedactStream>,
    /// The beginning of a character whose rest has not come.
    begun: Vec<u8>,
    room: u64,
    /// Bytes that found no room, or no disk.
    missed: u64,
}

impl SpillFile {
    pub(crate) fn create(spill: &Spill) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(&spill.directory)?;
        let path = spill.directory.join(format!("{}.out", random_name("output_")?));
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        Ok(Self { file, path, redact: spill.redactor.stream(), begun: Vec::new(), room: spill.limit, missed: 0 })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let mut bytes = [std::mem::take(&mut self.begun).as_slice(), bytes].concat();
        self.begun = bytes.split_off(bytes.len() - unfinished(&bytes));
        let mut clean = Vec::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            clean.extend(self.redact.push(chunk.valid()).into_bytes());
            if !chunk.invalid().is_empty() {
                clean.extend(self.redact.finish().into_bytes());
                clean.extend(chunk.invalid());
            }
        }
        self.keep(&clean);
    }

    fn keep(&mut self, bytes: &[u8]) {
        let fits = usize::try_from(self.room).unwrap_or(usize::MAX).min(bytes.len());
        let (fitting, over) = bytes.split_at(fits);
        match self.file.write_all(fitting) {
            Ok(()) => self.room -= length(fits),
            // A full disk: what is there stays, and the last line tells how much is not.
            Err(_) => {
                self.room = 0;
                self.missed += length(fits);
            }
        }
        self.missed += length(over.len());
    }

    /// Where it is.
    pub(crate) fn finish(mut self) -> Option<String> {
        let rest = [self.redact.finish().into_bytes(), std::mem::take(&mut self.begun)].concat();
        self.keep(&rest);
        if self.missed > 0 {
            // ignored: the counts in the result are exact with or without this line.
            let _ = writeln!(self.file, "\n[... {} more bytes were not kept ...]", self.missed);
        }
        self.path.into_os_string().into_string().ok()
    }
}
