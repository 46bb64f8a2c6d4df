//! The program that the kernel starts to load a dynamically linked one, as its ELF header names it: whoever may start the
//! one must be able to start the other.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// `PT_INTERP` of elf(5).
const INTERPRETER: u32 = 3;
/// A path beyond this is no path.
const LONGEST: u64 = 4096;

/// Its path; `None` for a program that needs none.
///
/// # Errors
/// No 64-bit ELF file, or not to be read.
pub(super) fn loader(program: &Path) -> io::Result<Option<PathBuf>> {
    let mut file = File::open(program)?;
    let mut header = [0; 64];
    file.read_exact(&mut header)?;
    let wrong = || io::Error::new(io::ErrorKind::InvalidData, "not a 64-bit ELF program");
    if !header.starts_with(b"\x7fELF\x02\x01") {
        return Err(wrong());
    }
    let table = number(&header, 0x20, 8).ok_or_else(wrong)?;
    let (size, count) = (number(&header, 0x36, 2).ok_or_else(wrong)?, number(&header, 0x38, 2).ok_or_else(wrong)?);
    for row in 0..count {
        let mut segment = [0; 56];
        file.seek(SeekFrom::Start(table.saturating_add(row * size)))?;
        file.read_exact(&mut segment)?;
        if number(&segment, 0, 4) != Some(u64::from(INTERPRETER)) {
            continue;
        }
        let (at, length) = (number(&segment, 0x08, 8).ok_or_else(wrong)?, number(&segment, 0x20, 8).ok_or_else(wrong)?);
        file.seek(SeekFrom::Start(at))?;
        let mut path = Vec::new();
        file.take(length.min(LONGEST)).read_to_end(&mut path)?;
        path.retain(|byte| *byte != 0);
        return Ok(Some(PathBuf::from(std::ffi::OsString::from_vec(path))));
    }
    Ok(None)
}

fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + length)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}
