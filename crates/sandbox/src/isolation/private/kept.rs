//! A look, kept for the next process in two files: what is believed, and all folders, for whoever does not believe it.
//! NUL-separated fields, so that every name fits. What cannot be read is as if it were not there.

use super::{Folder, Look};
use rustix::process::geteuid;
use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Changes with the form.
const VERSION: &str = "palanca private files 2";

/// Added to the name of the larger file.
const WHOLE: &str = "-folders";

fn file(directory: &Path, place: &Path, part: &str) -> PathBuf {
    let name = place.to_string_lossy().replace('/', "-");
    directory.join(format!("private{name}-{}{part}", geteuid().as_raw()))
}

/// # Errors
/// What the system reports; the old files are whole then.
pub(super) fn save(directory: &Path, look: &Look) -> io::Result<()> {
    replace(&file(directory, &look.place, WHOLE), &text(look, look.folders.iter()))?;
    replace(&file(directory, &look.place, ""), &text(look, look.top()))
}

fn replace(target: &Path, text: &[u8]) -> io::Result<()> {
    let new = target.with_extension(std::process::id().to_string());
    std::fs::write(&new, text)?;
    std::fs::rename(new, target)
}

fn text<'a>(look: &Look, folders: impl Iterator<Item = (&'a PathBuf, &'a Folder)>) -> Vec<u8> {
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
    field(look.count.to_string().as_bytes());
    // No name is empty.
    look.found.iter().for_each(|path| field(path.as_os_str().as_bytes()));
    field(b"");
    for (path, folder) in folders {
        let Some((device, inode, seconds, nanoseconds)) = folder.changed else { continue };
        field(path.as_os_str().as_bytes());
        field(format!("{device} {inode} {seconds} {nanoseconds}").as_bytes());
        for names in [&folder.private, &folder.below] {
            names.iter().for_each(|name| field(name.as_bytes()));
            field(b"");
        }
    }
    text
}

/// What is believed.
pub(super) fn load(directory: &Path, place: &Path) -> Option<Look> {
    parse(place, &std::fs::read(file(directory, place, "")).ok()?)
}

/// The same with all folders.
pub(super) fn load_whole(directory: &Path, place: &Path) -> Option<Look> {
    parse(place, &std::fs::read(file(directory, place, WHOLE)).ok()?)
}

fn parse(place: &Path, text: &[u8]) -> Option<Look> {
    let mut fields = text.strip_suffix(b"\0")?.split(|byte| *byte == 0);
    if fields.next()? != VERSION.as_bytes() {
        return None;
    }
    let mut look = Look::never(place);
    for at in &mut look.at {
        let seconds = std::str::from_utf8(fields.next()?).ok()?.parse().ok()?;
        *at = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))?;
    }
    look.count = std::str::from_utf8(fields.next()?).ok()?.parse().ok()?;
    look.found = names(&mut fields)?.into_iter().map(PathBuf::from).collect();
    while let Some(path) = fields.next() {
        let path = PathBuf::from(OsString::from_vec(path.to_vec()));
        let numbers = std::str::from_utf8(fields.next()?).ok()?;
        let numbers: Vec<i128> = numbers.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
        let [device, inode, seconds, nanoseconds] = numbers.try_into().ok()?;
        let changed =
            (device.try_into().ok()?, inode.try_into().ok()?, seconds.try_into().ok()?, nanoseconds.try_into().ok()?);
        let (private, below) = (names(&mut fields)?, names(&mut fields)?);
        look.folders.insert(path, Folder { changed: Some(changed), private, below });
    }
    Some(look)
}

/// Up to the empty one.
fn names<'a>(fields: &mut impl Iterator<Item = &'a [u8]>) -> Option<Vec<OsString>> {
    let mut names = Vec::new();
    loop {
        match fields.next()? {
            b"" => return Some(names),
            name => names.push(OsString::from_vec(name.to_vec())),
        }
    }
}
