//! Programs made to write file systems, partition tables and whole devices; spared are their listing forms, and images
//! that are plainly files of one's own.

use super::device::is_device;
use super::view::View;
use crate::catalogue::Fact;
use crate::command::Word;
use std::ffi::OsStr;
use std::path::Path;

struct Tool {
    name: &'static str,
    /// Words that make it write; nothing here: everything but `reads`.
    writes: &'static [&'static str],
    /// Words that make it only look.
    reads: &'static [&'static str],
}

const TOOLS: [Tool; 17] = [
    Tool { name: "fdisk", writes: &[], reads: &["-l", "--list", "-s", "--getsz", "-x", "--list-details"] },
    Tool { name: "gdisk", writes: &[], reads: &["-l"] },
    Tool {
        name: "sfdisk",
        writes: &[],
        reads: &[
            "-l",
            "--list",
            "-d",
            "--dump",
            "-J",
            "--json",
            "-F",
            "--list-free",
            "-s",
            "--show-size",
            "-V",
            "--verify",
        ],
    },
    Tool {
        name: "sgdisk",
        writes: &[],
        reads: &["-p", "--print", "-i", "--info", "-v", "--verify", "-O", "--print-mbr"],
    },
    Tool { name: "parted", writes: &[], reads: &["print", "-l", "--list", "p", "free"] },
    Tool { name: "badblocks", writes: &["-w"], reads: &[] },
    Tool {
        name: "mdadm",
        writes: &[
            "--create",
            "-C",
            "--zero-superblock",
            "--stop",
            "-S",
            "--build",
            "-B",
            "--fail",
            "-f",
            "--remove",
            "-r",
        ],
        reads: &[],
    },
    Tool {
        name: "cryptsetup",
        writes: &[
            "luksFormat",
            "erase",
            "luksErase",
            "reencrypt",
            "luksKillSlot",
            "luksRemoveKey",
            "format",
            "convert",
        ],
        reads: &[],
    },
    Tool { name: "zpool", writes: &["create", "destroy", "labelclear", "remove", "replace", "split"], reads: &[] },
    Tool { name: "zfs", writes: &["destroy"], reads: &[] },
    Tool {
        name: "hdparm",
        writes: &[
            "--security-erase",
            "--security-erase-enhanced",
            "--write-sector",
            "--repair-sector",
            "--make-bad-sector",
            "--trim-sector-ranges",
            "--trim-sector-ranges-stdin",
            "--fwdownload",
            "--security-set-pass",
            "--sanitize-block-erase",
            "--sanitize-crypto-scramble",
            "--sanitize-overwrite",
        ],
        reads: &[],
    },
    Tool {
        name: "nvme",
        writes: &["format", "sanitize", "write", "write-zeroes", "write-uncor", "delete-ns", "dsm", "fw-download"],
        reads: &[],
    },
    Tool { name: "dmsetup", writes: &["remove_all", "wipe_table", "remove", "load", "create"], reads: &[] },
    Tool {
        name: "diskutil",
        writes: &[
            "eraseDisk",
            "eraseVolume",
            "partitionDisk",
            "zeroDisk",
            "secureErase",
            "randomDisk",
            "reformat",
            "apfs",
        ],
        reads: &["list", "info"],
    },
    Tool { name: "lvm", writes: &["pvcreate", "pvremove", "vgremove", "lvremove", "vgreduce", "vgcreate"], reads: &[] },
    Tool { name: "bcachefs", writes: &["format"], reads: &[] },
    Tool { name: "debugfs", writes: &["-w"], reads: &[] },
];

/// Whether this writes to a device or makes a file system.
pub(super) fn breaks(view: &View<'_>) -> bool {
    if on_image(view) {
        return false;
    }
    if view.program.is_system_with(Fact::Formats) || view.program.system_begins("mkfs.") {
        return !asks(view);
    }
    if view.program.is("format") {
        return view.command.operands().iter().any(|word| is_device(view, word));
    }
    let Some(tool) = TOOLS.iter().find(|tool| view.program.is_system(&[tool.name])) else { return false };
    let given = |list: &[&str]| {
        view.command.operands().iter().map(Word::prefix).any(|text| {
            let name = text.split('=').next().unwrap_or(text);
            let clustered = |letter: &&str| {
                letter.len() == 2
                    && name.starts_with('-')
                    && !name.starts_with("--")
                    && letter.chars().last().is_some_and(|last| name.contains(last))
            };
            list.contains(&name) || list.iter().any(|word| word.starts_with('-') && clustered(word))
        })
    };
    match tool.writes {
        [] => !view.command.operands().is_empty() && !given(tool.reads) && !asks(view),
        writes => given(writes),
    }
}

/// Whether a program whose operands are files or devices is given files in the workspace, below `/tmp` or in the home.
fn on_image(view: &View<'_>) -> bool {
    const NAMED: [&str; 17] = [
        "cfdisk",
        "cgdisk",
        "mke2fs",
        "mkdosfs",
        "mkntfs",
        "mkexfatfs",
        "mkudffs",
        "mkreiserfs",
        "mkswap",
        "wipefs",
        "fdisk",
        "gdisk",
        "sfdisk",
        "sgdisk",
        "parted",
        "cryptsetup",
        "bcachefs",
    ];
    if !view.program.is_any(&NAMED) && !view.program.system_begins("mkfs.") && !view.program.is("mkfs") {
        return false;
    }
    // Commands on stdin may name another disk.
    let told = view.program.is("parted") && !view.command.input.trace.0.is_empty();
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
    let own = [Some(around.workspace.as_path()), around.home.as_deref(), Some(Path::new("/tmp"))];
    own.into_iter().flatten().any(below) && !is_device(view, word)
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
