//! Earlier versions of a bot's files: how the copies are called.

use jiff::Timestamp;

/// The folder of the copies, in the bot's folder. A file of a folder below has its copies in the folder of the same name.
pub const VERSIONS: &str = ".versions";

/// A copy's path from the bot's folder, `.versions/SOUL.md.2026-11-28T18-00-00.123456789Z.bak`.
#[must_use]
pub fn version_name(file: &str, until: Timestamp) -> String {
    format!("{VERSIONS}/{file}.{}.bak", until.strftime("%Y-%m-%dT%H-%M-%S%.9fZ"))
}

/// File and time in the name of a copy; None for what only looks like one.
#[must_use]
pub fn version(name: &str) -> Option<(&str, &str)> {
    let rest = name.strip_suffix(".bak")?;
    // The fraction of a second has a point, too, and may be missing.
    let mut points = rest.rmatch_indices('.').take(2);
    points.find_map(|(at, _)| {
        let (file, time) = rest.split_at_checked(at)?;
        let time = time.strip_prefix('.')?;
        (is_time(time) && !file.is_empty()).then_some((file, time))
    })
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
        let written = version_name("SOUL.md", "2026-11-28T18:00:00.123456789Z".parse().unwrap());
        assert_eq!(written, format!("{VERSIONS}/SOUL.md.{time}.bak"));
        for (name, file) in [
            (format!("SOUL.md.{time}.bak"), Some("SOUL.md")),
            (format!("a.{time}.b.{time}.bak"), Some(&*format!("a.{time}.b"))),
            (format!("{time}.bak"), None),
            (format!(".{time}.bak"), None),
            (format!("SOUL.md.{time}"), None),
            ("SOUL.md.2026-11-28T18-00-00.12345678xZ.bak".to_owned(), None),
            ("SOUL.md.2026-11-28T18-00-00.Z.bak".to_owned(), None),
            ("SOUL.md.mine.bak".to_owned(), None),
            ("SOUL.md.bak".to_owned(), None),
            ("\u{e9}\u{e9}.bak".to_owned(), None),
        ] {
            assert_eq!(version(&name), file.map(|file| (file, time)), "{name}");
        }
        for time in ["2026-11-28T18-00-00.678Z", "2026-11-28T18-00-00Z"] {
            assert_eq!(version(&format!("SOUL.md.{time}.bak")), Some(("SOUL.md", time)));
        }
    }
}
