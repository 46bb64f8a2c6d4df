//! Programs made to write file systems, partition tables and whole devices; spared are their listing forms, and images
//! that are plainly files of one's own.

use super::device::is_device;
use super::view::View;
use crate::catalogue::{Fact, given};
use crate::command::Word;
use std::ffi::OsStr;
use std::path::Path;

/// Whether this writes to a device or makes a file system.
pub(super) fn breaks(view: &View<'_>) -> bool {
    if on_image(view) {
        return false;
    }
    let formats = view.program.system_facts().any(|fact| *fact == Fact::Formats);
    if formats || view.program.system_begins("mkfs.") {
        return !asks(view);
    }
    if view.program.is("format") {
        return view.command.operands().iter().any(|word| is_device(view, word));
    }
    let given = |list: &str| view.command.operands().iter().any(|word| given(word.prefix(), list));
    let operands = !view.command.operands().is_empty();
    view.program.system_facts().any(|fact| match fact {
        Fact::FormatsWith(words) => given(words),
        Fact::FormatsUnless(words) => operands && !given(words) && !asks(view),
        _ => false,
    })
}

/// Whether a program whose operands are files or devices is given files in the workspace, below `/tmp` or in the home.
fn on_image(view: &View<'_>) -> bool {
    if !view.program.has(Fact::TakesImage) && !view.program.system_begins("mkfs.") {
        return false;
    }
    // Commands on stdin may name another disk.
    let told = view.program.is("parted") && !view.command.input.trace.is_empty();
    let words = view.command.operands();
    let mut files = words.iter().filter(|word| !word.prefix().starts_with('-')).peekable();
    !told && files.peek().is_some() && files.all(|word| is_own(view, word)) && !words.iter().any(mentions_device)
}

fn is_own(view: &View<'_>, word: &Word) -> bool {
    let tag = ["LABEL=", "UUID=", "PARTLABEL=", "PARTUUID=", "ID="].iter().any(|tag| word.prefix().starts_with(tag));
    let plain = !word.has_glob() && !word.has_unknown() && !tag;
    let Some(target) = view.target(word).filter(|_| plain) else { return false };
    let around = view.surroundings;
    let below = |folder: &Path| {
        let names: Vec<&str> = folder.iter().filter_map(OsStr::to_str).filter(|name| *name != "/").collect();
        !names.is_empty() && target.below(&names).is_some()
    };
    let own = [around.home.as_deref(), Some(Path::new("/tmp"))];
    around.workspace.names().chain(own.into_iter().flatten()).any(below) && !is_device(view, word)
}

/// `-d/dev/sda`, `--device=/dev/sda`
fn mentions_device(word: &Word) -> bool {
    word.has_unknown() || word.to_string().contains("/dev/")
}

fn asks(view: &View<'_>) -> bool {
    match view.command.operands() {
        [] => true,
        [word] => matches!(word.literal(), Some("--help" | "--version" | "-V" | "-h")),
        _ => false,
    }
}
