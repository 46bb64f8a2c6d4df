//! A look, kept in a file for the next process: NUL-separated fields, so that every name fits. What cannot be read is as if
//! it were not there.

use super::{Folder, Look};
use rustix::process::geteuid;
use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Changes with the form.
const VERSION: &str = "palanca private files 1";

fn file(directory: &Path, place: &Path) -> PathBuf {
    let name = place.to_string_lossy().replace('/', "-");
    directory.join(format!("private{name}-{}", geteuid().as_raw()))
}

/// # Errors
/// What the system reports; the old file is whole then.
pub(super) fn save(directory: &Path, look: &Look) -> io::Result<()> {
    let mut text = Vec::new();
    let mut field = |bytes: &[u8]| {
        text.extend_from_slice(bytes);
        text.push(0);
    };
    field(VERSION.as_bytes());
    for at in look.at {
        let since = at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        field(since.as_secs().to_string().as_bytes());
    }
    for (path, folder) in &look.folders {
        let Some((device, inode, seconds, nanoseconds)) = folder.changed else { continue };
        field(path.as_os_str().as_bytes());
        field(format!("{device} {inode} {seconds} {nanoseconds}").as_bytes());
        for names in [&folder.private, &folder.below] {
            names.iter().for_each(|name| field(name.as_bytes()));
            // No name is empty.
            field(b"");
        }
    }
    let target = file(directory, &look.place);
    let new = target.with_extension(std::process::id().to_string());
    std::fs::write(&new, text)?;
    std::fs::rename(new, target)
}

pub(super) fn load(directory: &Path, place: &Path) -> Option<Look> {
    let text = std::fs::read(file(directory, place)).ok()?;
    let mut fields = text.strip_suffix(b"\0")?.split(|byte| *byte == 0);
    if fields.next()? != VERSION.as_bytes() {
        return None;
    }
    let mut look = Look::never(place);
    for at in &mut look.at {
        let seconds = std::str::from_utf8(fields.next()?).ok()?.parse().ok()?;
        *at = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))?;
    }
    while let Some(path) = fields.next() {
        let path = PathBuf::from(OsString::from_vec(path.to_vec()));
        let numbers = std::str::from_utf8(fields.next()?).ok()?;
        let numbers: Vec<i128> = numbers.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
        let [device, inode, seconds, nanoseconds] = numbers.try_into().ok()?;
        let changed =
            (device.try_into().ok()?, inode.try_into().ok()?, seconds.try_into().ok()?, nanoseconds.try_into().ok()?);
        let mut folder = Folder { changed: Some(changed), ..Folder::default() };
        for names in [&mut folder.private, &mut folder.below] {
            loop {
                match fields.next()? {
                    b"" => break,
                    name => names.push(OsString::from_vec(name.to_vec())),
                }
            }
        }
        look.found.extend(folder.private.iter().map(|name| path.join(name)));
        look.folders.insert(path, folder);
    }
    Some(look)
}
