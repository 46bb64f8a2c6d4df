//! `{file}` in a command, so that no name of a file becomes part of the shell's text.
//!
//! A name of harmless characters goes in as it is, wherever the placeholder stands. Any other name goes in quoted, and only
//! where the command has no quotes, here-documents or second shell of its own: in those, quotes of ours would not protect
//! anything. There the hook fails and says to use `"$PALANCA_FILE"`, which is safe everywhere.

use crate::failure::Failure;
use std::borrow::Cow;

/// What stands for the files.
pub(crate) const FILE: &str = "{file}";

/// Text in which a quoted name may be read again.
const READ_AGAIN: [&str; 6] = ["'", "\"", "`", "<<", "eval", "\\"];

/// The command with the files in place.
pub(crate) fn fill<'c>(command: &'c str, files: &[String]) -> Result<Cow<'c, str>, Failure> {
    if !command.contains(FILE) {
        return Ok(Cow::Borrowed(command));
    }
    let fragile = READ_AGAIN.iter().any(|text| command.contains(text));
    let quoted = |file: &String| match file {
        file if is_plain(file) => Ok(file.clone()),
        _ if fragile => Err(Failure::Placeholder(file.clone())),
        file => Ok(quote(file)),
    };
    let files = files.iter().map(quoted).collect::<Result<Vec<_>, _>>()?;
    Ok(Cow::Owned(command.replace(FILE, &files.join(" "))))
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|one| one.is_ascii_alphanumeric() || "/._-+@%,:=".contains(one))
}

fn quote(name: &str) -> String {
    format!("'{}'", name.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn a_name_never_becomes_part_of_the_shell_text() {
        let hostile = "/ws/$(id > x);'.py";
        for (command, files, expected) in [
            ("ruff check {file} --no-fix", &["/ws/a.py"][..], Some("ruff check /ws/a.py --no-fix")),
            ("ruff check '{file}'", &["/ws/a.py"], Some("ruff check '/ws/a.py'")),
            ("ruff {file}", &["/ws/a b.py"], Some("ruff '/ws/a b.py'")),
            ("ruff {file}", &[hostile], Some("ruff '/ws/$(id > x);'\\''.py'")),
            ("ruff \"{file}\"", &[hostile], None),
            ("sh -c 'ruff {file}'", &[hostile], None),
            ("eval ruff {file}", &[hostile], None),
            ("cat <<E\n{file}\nE", &[hostile], None),
            ("ruff {file}", &["/ws/a.py", "/ws/b.py"], Some("ruff /ws/a.py /ws/b.py")),
            ("ruff .", &[hostile], Some("ruff .")),
        ] {
            let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
            assert_eq!(fill(command, &files).ok().as_deref(), expected, "{command}");
        }
    }
}
