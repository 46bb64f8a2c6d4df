//! The thread that waits for an answer: its memory and its working directory. All of this may change while it is read, so
//! decisions are based only on what is then resolved by handle.

use super::raw;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;

/// Bytes of a path with its end, as the kernel has it.
const PATH_MAX: usize = 4096;
/// No read crosses the end of a page unless the text goes on there: the next page need not be the program's.
const PAGE: u64 = 4096;
/// Shown of a command.
const SHOWN: usize = 200;

/// One thread of a program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Caller {
    pub(super) thread: u32,
}

impl Caller {
    /// A text that ends with NUL, as a path.
    pub(super) fn path(self, address: u64) -> Result<PathBuf, Errno> {
        let text = self.text(address, PATH_MAX).map_err(|error| match error {
            Errno::RANGE => Errno::NAMETOOLONG,
            error => error,
        })?;
        if text.is_empty() { Err(Errno::NOENT) } else { Ok(OsString::from_vec(text).into()) }
    }

    /// A text that ends with NUL before `most` bytes.
    pub(super) fn text(self, address: u64, most: usize) -> Result<Vec<u8>, Errno> {
        let mut text = Vec::with_capacity(256);
        while text.len() < most {
            let from = address.checked_add(text.len() as u64).ok_or(Errno::FAULT)?;
            let in_page = usize::try_from(PAGE - from % PAGE).unwrap_or(PATH_MAX);
            let start = text.len();
            text.resize(start + in_page.min(most - start).min(512), 0);
            let read = raw::read_memory(self.thread, from, text.get_mut(start..).unwrap_or_default())?;
            if read == 0 {
                return Err(Errno::FAULT);
            }
            text.truncate(start + read);
            if let Some(end) = text.iter().skip(start).position(|byte| *byte == 0) {
                text.truncate(start + end);
                return Ok(text);
            }
        }
        Err(Errno::RANGE)
    }

    /// So many bytes.
    pub(super) fn bytes(self, address: u64, length: usize) -> Result<Vec<u8>, Errno> {
        let mut bytes = vec![0; length];
        let mut read = 0;
        while read < length {
            let from = address.checked_add(read as u64).ok_or(Errno::FAULT)?;
            match raw::read_memory(self.thread, from, bytes.get_mut(read..).unwrap_or_default())? {
                0 => return Err(Errno::FAULT),
                more => read += more,
            }
        }
        Ok(bytes)
    }

    /// Its working folder, or what one of its descriptors stands for, held by `O_PATH`.
    pub(super) fn held(self, descriptor: i32) -> Result<OwnedFd, Errno> {
        let place = match descriptor {
            libc::AT_FDCWD => self.file("cwd"),
            0.. => self.file(&format!("fd/{descriptor}")),
            _ => return Err(Errno::BADF),
        };
        rustix::fs::open(place, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).map_err(|error| match error {
            Errno::NOENT => Errno::BADF,
            error => error,
        })
    }

    /// One of its descriptors itself.
    pub(super) fn take(self, number: i32) -> Result<OwnedFd, Errno> {
        if number < 0 {
            return Err(Errno::BADF);
        }
        let process = self.status("Tgid:", 10).and_then(|process| i32::try_from(process).ok());
        let process = process.and_then(rustix::process::Pid::from_raw).ok_or(Errno::SRCH)?;
        let process = rustix::process::pidfd_open(process, rustix::process::PidfdFlags::empty())?;
        rustix::process::pidfd_getfd(process, number, rustix::process::PidfdGetfdFlags::empty())
    }

    /// The bits that its new files do not get.
    pub(super) fn umask(self) -> Option<u32> {
        self.status("Umask:", 8)
    }

    /// Whether a number in `/proc` inside is its own process.
    pub(super) fn is_known_as(self, number: u32) -> bool {
        let status = std::fs::read_to_string(self.file("status")).unwrap_or_default();
        let own = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key));
            line.and_then(|line| line.split_whitespace().next_back()?.parse::<u32>().ok()) == Some(number)
        };
        own("NStgid:") || own("NSpid:")
    }

    /// Whether this device is its controlling terminal.
    pub(super) fn belongs_to(self, device: u64) -> bool {
        let stat = std::fs::read_to_string(self.file("stat")).unwrap_or_default();
        // The name before it may hold anything.
        let terminal = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(4)?.parse::<u32>().ok());
        let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
        terminal == Some((minor & 0xff) | (major << 8) | ((minor & !0xff) << 12)) && device != 0
    }

    /// The command that it runs.
    pub(super) fn command(self) -> String {
        let words = std::fs::read(self.file("cmdline")).unwrap_or_default();
        let words: Vec<_> = words.split(|byte| *byte == 0).filter(|word| !word.is_empty()).collect();
        let text = String::from_utf8_lossy(&words.join(&b' ')).into_owned();
        text.chars().take(SHOWN).collect()
    }

    fn status(self, key: &str, radix: u32) -> Option<u32> {
        let status = std::fs::read_to_string(self.file("status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(key))?;
        u32::from_str_radix(line.trim(), radix).ok()
    }

    fn file(self, name: &str) -> String {
        format!("/proc/{}/{name}", self.thread)
    }
}
