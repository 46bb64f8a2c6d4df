//! Earlier versions of a bot's files: where the copies are and how they are called.

use jiff::Timestamp;
use palanca_core::ports::{EntryKind, Files};

/// A copy of a file that was replaced.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// Its file, from the bot's folder.
    pub file: String,
    /// Until when it was the one: `2026-11-28T18-00-00.123456789Z`.
    pub until: String,
    /// The copy, from the bot's folder: `.versions/SOUL.md.2026-11-28T18-00-00.123456789Z.bak`.
    pub path: String,
}

/// The copies of files in the bot's folder, and of those in the one folder below it.
const FOLDERS: [&str; 2] = [".versions/", ".versions/memory/"];

impl Version {
    /// What matches the copies and nothing else in the bot's folder.
    pub const GLOB: &str = ".versions/**/*.bak";

    /// Where the copy of a file is that is replaced now, from the bot's folder.
    #[must_use]
    pub fn path_of(file: &str, until: Timestamp) -> String {
        let [folder, _] = FOLDERS;
        format!("{folder}{file}.{}.bak", until.strftime("%Y-%m-%dT%H-%M-%S%.9fZ"))
    }

    /// The copy at a path from the bot's folder; None for what only looks like one.
    #[must_use]
    pub fn at(path: &str) -> Option<Self> {
        let [folder, _] = FOLDERS;
        let (below, name) = path.split_at_checked(path.rfind('/')? + 1)?;
        let rest = name.strip_suffix(".bak").filter(|_| FOLDERS.contains(&below))?;
        // The fraction of a second has a point, too, and may be missing.
        let mut points = rest.rmatch_indices('.').take(2);
        let (own, until) = points.find_map(|(at, _)| {
            let (own, time) = rest.split_at_checked(at)?;
            let time = time.strip_prefix('.')?;
            (is_time(time) && !own.is_empty()).then_some((own, time))
        })?;
        let below = below.strip_prefix(folder)?;
        Some(Self { file: format!("{below}{own}"), until: until.to_owned(), path: path.to_owned() })
    }

    /// All copies in a bot's folder: file by file, the oldest first.
    #[must_use]
    pub fn all(files: &dyn Files, folder: &str) -> Vec<Self> {
        let paths = FOLDERS.iter().flat_map(|below| files_of(files, folder, below));
        let mut all: Vec<Self> = paths.filter_map(|path| Self::at(&path)).collect();
        all.sort_unstable();
        all
    }
}

/// The files in one of the folders of a bot's folder, `below` with its slash, as paths from there; none where there is no such folder.
#[must_use]
pub fn files_of(files: &dyn Files, folder: &str, below: &str) -> Vec<String> {
    let path = format!("{folder}/{below}");
    let entries = files.locate(path.trim_end_matches('/')).and_then(|path| files.entries(&path)).unwrap_or_default();
    let regular = entries.into_iter().filter(|entry| entry.kind == EntryKind::File);
    regular.map(|entry| format!("{below}{}", entry.name)).collect()
}

fn is_time(text: &str) -> bool {
    const SECONDS: &str = "0000-00-00T00-00-00";
    let Some((seconds, fraction)) = text.strip_suffix('Z').and_then(|text| text.split_at_checked(SECONDS.len())) else {
        return false;
    };
    let is_shaped = |(byte, shape): (u8, u8)| if shape == b'0' { byte.is_ascii_digit() } else { byte == shape };
    let is_fraction = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    seconds.bytes().zip(SECONDS.bytes()).all(is_shaped)
        && (fraction.is_empty() || fraction.strip_prefix('.').is_some_and(is_fraction))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_names_its_file_and_time() {
        let time = "2026-11-28T18-00-00.123456789Z";
        let path_of = |file| Version::path_of(file, "2026-11-28T18:00:00.123456789Z".parse().unwrap());
        assert_eq!(path_of("SOUL.md"), format!(".versions/SOUL.md.{time}.bak"));
        for (path, file) in [
            (path_of("SOUL.md"), Some("SOUL.md")),
            (path_of("memory/2026-11-27.md"), Some("memory/2026-11-27.md")),
            (format!(".versions/a.{time}.b.{time}.bak"), Some(&*format!("a.{time}.b"))),
            (format!("SOUL.md.{time}.bak"), None),
            (format!("memory/SOUL.md.{time}.bak"), None),
            (format!(".versions/other/SOUL.md.{time}.bak"), None),
            (format!(".versions/../SOUL.md.{time}.bak"), None),
            (format!(".versions/{time}.bak"), None),
            (format!(".versions/.{time}.bak"), None),
            (format!(".versions/SOUL.md.{time}"), None),
            (".versions/SOUL.md.2026-11-28T18-00-00.12345678xZ.bak".to_owned(), None),
            (".versions/SOUL.md.2026-11-28T18-00-00.Z.bak".to_owned(), None),
            (".versions/SOUL.md.mine.bak".to_owned(), None),
            (".versions/SOUL.md.bak".to_owned(), None),
            (".versions/\u{e9}\u{e9}.bak".to_owned(), None),
        ] {
            let found = Version::at(&path).map(|version| (version.file, version.until, version.path));
            assert_eq!(found, file.map(|file| (file.to_owned(), time.to_owned(), path.clone())), "{path}");
        }
        for time in ["2026-11-28T18-00-00.678Z", "2026-11-28T18-00-00Z"] {
            assert_eq!(Version::at(&format!(".versions/SOUL.md.{time}.bak")).unwrap().until, time);
        }
    }
}
