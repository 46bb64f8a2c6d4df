//! Verdicts on paths: what the file door and the policy would say to an operation on the workspace as it is now.

use super::{Verdict, unknown_op};
use crate::say::say;
use palanca_core::ports::{EntryKind, FileError, FileErrorKind, Files};
use palanca_core::{Access, CanonicalPath, Message, ToolError};
use palanca_files::Disk;
use palanca_tools::edit;
use palanca_tools::search::{Case, Glob};

type Judged = Result<(), FileError>;

/// Judges one operation. `told` turns an error into a rule and a reason.
pub(super) fn judge(disk: &Disk, op: &str, input: &str, told: impl Fn(&ToolError) -> (String, String)) -> Verdict {
    let judged = match op {
        "read" => read(disk, input),
        "list" | "search" => directory(disk, input),
        "glob" => glob(disk, input),
        "write" | "append" => write(disk, input),
        "edit" => read(disk, input).and_then(|()| write(disk, input)),
        "mkdir" => place(disk, input, Access::Write).map(drop),
        "delete" => delete(disk, input),
        "move" => two(input, |from, to| delete(disk, from).and_then(|()| write(disk, to))),
        "copy" => two(input, |from, to| read(disk, from).and_then(|()| write(disk, to))),
        "patch" => patch(disk, input),
        other => return unknown_op(other),
    };
    match judged {
        Ok(()) => Verdict::allow(),
        Err(error) => {
            let (rule, reason) = told(&error.into_tool_error());
            Verdict::deny(rule, reason)
        }
    }
}

fn place(disk: &Disk, input: &str, access: Access) -> Result<CanonicalPath, FileError> {
    let path = disk.locate(input)?;
    disk.judge(&path, access)?;
    Ok(path)
}

fn read(disk: &Disk, input: &str) -> Judged {
    let path = place(disk, input, Access::Read)?;
    let file = disk.open(&path)?;
    // What read_file refuses to load whole.
    if file.info.size > 1 << 30 {
        return Err(FileError::new(FileErrorKind::TooLarge, input));
    }
    Ok(())
}

fn directory(disk: &Disk, input: &str) -> Judged {
    let path = place(disk, input, Access::Read)?;
    disk.entries(&path).map(drop)
}

fn write(disk: &Disk, input: &str) -> Judged {
    let path = place(disk, input, Access::Write)?;
    match disk.info(&path).map(|info| info.kind) {
        Ok(EntryKind::File) => Ok(()),
        Ok(EntryKind::Directory) => Err(FileError::new(FileErrorKind::IsDirectory, input)),
        Ok(EntryKind::Link | EntryKind::Special) => Err(FileError::new(FileErrorKind::Special, input)),
        Err(error) if error.kind == FileErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn delete(disk: &Disk, input: &str) -> Judged {
    let path = disk.locate_entry(input)?;
    if path.relative().as_os_str().is_empty() {
        return Err(FileError::new(FileErrorKind::Invalid, input));
    }
    disk.judge(&path, Access::Write)?;
    disk.info(&path).map(drop)
}

fn glob(disk: &Disk, input: &str) -> Judged {
    Glob::new(input, Case::Sensitive).map_err(|_| FileError::new(FileErrorKind::Outside, input))?;
    directory(disk, ".")
}

fn two(input: &str, judge: impl Fn(&str, &str) -> Judged) -> Judged {
    match input.split_once(" -> ") {
        Some((from, to)) => judge(from, to),
        None => Err(FileError::new(FileErrorKind::Invalid, input).detail(say(&Message::new("cli-check-two")))),
    }
}

fn patch(disk: &Disk, input: &str) -> Judged {
    let touched =
        edit::patch::paths(input, None).map_err(|error| FileError::new(FileErrorKind::Outside, error.to_string()))?;
    touched.iter().try_for_each(|touched| place(disk, &touched.path, Access::Write).map(drop))
}
