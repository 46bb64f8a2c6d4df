//! Programs made to write file systems, partition tables and whole devices; their listing forms are spared.

use super::device::is_device;
use super::view::View;
use crate::shell::command::Word;

/// Whatever the operands, this is what they are for.
const ALWAYS: [&str; 33] = [
    "cgdisk",
    "fdformat",
    "mkfs",
    "mke2fs",
    "mkdosfs",
    "mkntfs",
    "mkexfatfs",
    "mkudffs",
    "mkreiserfs",
    "mkswap",
    "newfs",
    "newfs_msdos",
    "newfs_apfs",
    "newfs_hfs",
    "wipefs",
    "blkdiscard",
    "cfdisk",
    "pvcreate",
    "pvremove",
    "vgcreate",
    "vgremove",
    "vgreduce",
    "lvremove",
    "lvcreate",
    "sg_format",
    "sg_sanitize",
    "flash_erase",
    "flash_eraseall",
    "ubiformat",
    "nandwrite",
    "mkfs_msdos",
    "make_reiser4",
    "bcachefs-format",
];

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
    if view.program.is_system(&ALWAYS) || view.program.system_begins("mkfs.") {
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

fn asks(view: &View<'_>) -> bool {
    match view.command.operands() {
        [] => true,
        [word] => matches!(word.literal(), Some("--help" | "--version" | "-V" | "-h")),
        _ => false,
    }
}
