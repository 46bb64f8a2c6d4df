//! Writes to block devices, by any program that writes where it is told, and by programs made to write there.

use super::Rule;
use super::device_tools;
use super::interpreter::{Language, code};
use super::pattern::{Token, could_be, literal};
use super::target::Target;
use super::view::View;
use crate::shell::command::{Directory, RedirectKind, Word};

pub(super) const RULE: Rule = Rule {
    id: "shell.block.device",
    key: "shell-block-device",
    breaks,
    matches: &[
        "dd if=x of=/dev/sda",
        "dd if=x of=/dev/nvme0n1p2 bs=1M",
        "cat x > /dev/sdb",
        "echo x >> /dev/mmcblk0",
        "cp x.img /dev/vda",
        "cd /dev && echo x > sda",
        "dd of=/dev/disk/by-id/x if=y",
        "tee /dev/mapper/root < x",
        "mkfs.ext4 x.img",
        "mkfs -t ext4 /dev/sda1",
        "wipefs -a /dev/sda",
        "parted /dev/sda mklabel gpt",
        "cryptsetup luksFormat /dev/sda2",
        "shred /dev/sda",
        "dd if=x of=/dev/s[d]a",
        "python3 -c 'open(\"/dev/sda\",\"wb\").write(b\"x\")'",
    ],
    spares: &[
        "dd if=/dev/zero of=x.img bs=1M count=1",
        "dd if=/dev/sda of=x.img",
        "echo x > /dev/null",
        "echo x > /dev/stderr",
        "cat x > /dev/tty",
        "ls -l /dev/sda",
        "fdisk -l /dev/sda",
        "parted /dev/sda print",
        "grep mkfs x",
        "echo dd of=/dev/sda",
        "cat mkfs.ext4.md",
        "cp x /dev/shm/y",
        "cp /dev/null x",
        "lsblk -o NAME /dev/sda",
        "cryptsetup luksDump /dev/sda",
    ],
};

fn breaks(view: &View<'_>) -> Option<String> {
    if let Some(what) = redirected(view) {
        return Some(what);
    }
    if device_tools::breaks(view) {
        return Some(view.shown());
    }
    written(view).or_else(|| by_code(view))
}

fn redirected(view: &View<'_>) -> Option<String> {
    let in_dev = match &view.command.directory {
        Directory::Known(path) => path.starts_with("/dev"),
        Directory::Unknown => false,
    };
    let writes = view.command.redirects.iter().filter(|redirect| redirect.kind != RedirectKind::Read);
    let candidate =
        |word: &Word| in_dev || word.has_glob() || word.pieces.iter().any(|piece| piece_mentions(piece, "dev"));
    writes
        .filter(|redirect| candidate(&redirect.target))
        .find(|redirect| is_device(view, &redirect.target))
        .map(|redirect| redirect.target.to_string())
}

fn piece_mentions(piece: &crate::shell::command::Piece, text: &str) -> bool {
    matches!(piece, crate::shell::command::Piece::Text(own) if own.contains(text))
}

/// Whether a word could name a block device or the memory itself.
pub(super) fn is_device(view: &View<'_>, word: &Word) -> bool {
    view.wide_target(word).is_some_and(|target| names_device(&target))
}

fn names_device(target: &Target) -> bool {
    match target.below(&["dev"]) {
        Some([name]) => match literal(name) {
            Some(name) => is_device_name(&name),
            None => is_device_pattern(name),
        },
        Some([folder, ..]) => match literal(folder) {
            Some(folder) => {
                matches!(folder.as_str(), "mapper" | "disk" | "md" | "block" | "zvol" | "cciss")
                    || folder.starts_with("vg")
            }
            None => could_be(folder, "disk") || could_be(folder, "mapper"),
        },
        _ => false,
    }
}

fn is_device_pattern(name: &[Token]) -> bool {
    const USUAL: [&str; 16] = [
        "sda",
        "sdb",
        "sdc",
        "sda1",
        "sdb1",
        "hda",
        "hda1",
        "vda",
        "vda1",
        "vdb",
        "xvda",
        "nvme0n1",
        "nvme0n1p1",
        "mmcblk0",
        "dm-0",
        "loop0",
    ];
    USUAL.iter().any(|usual| could_be(name, usual))
}

fn is_device_name(name: &str) -> bool {
    const LETTERED: [&str; 6] = ["sd", "hd", "vd", "xvd", "ubd", "dasd"];
    const NUMBERED: [&str; 20] = [
        "nvme", "mmcblk", "dm-", "md", "loop", "nbd", "zram", "mtdblock", "mtd", "disk", "rdisk", "sr", "ram",
        "bcache", "drbd", "rbd", "pmem", "fd", "ada", "nvd",
    ];
    const EXACT: [&str; 5] = ["mem", "kmem", "port", "root", "cdrom"];
    let lettered = |start: &&str| {
        name.strip_prefix(*start).is_some_and(|rest| {
            let letters = rest.trim_end_matches(|letter: char| letter.is_ascii_digit());
            (1..=2).contains(&letters.len()) && letters.chars().all(|letter| letter.is_ascii_lowercase())
        })
    };
    let numbered = |start: &&str| {
        name.strip_prefix(*start).is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()))
    };
    EXACT.contains(&name)
        || LETTERED.iter().any(|start| lettered(&start))
        || NUMBERED.iter().any(|start| numbered(&start))
}

/// Operands that a program writes to.
fn written(view: &View<'_>) -> Option<String> {
    let words = view.command.operands();
    let device = |word: &Word| is_device(view, word);
    if view.program.is_any(&["dd", "gdd", "dcfldd", "dc3dd"]) {
        let of = |word: &&Word| {
            let keys = ["of=", "wipe=", "hof="];
            let Some(key) = keys.iter().find(|key| word.prefix().starts_with(**key)) else { return false };
            device(&without_prefix(word, key.len()))
        };
        return words.iter().find(of).map(ToString::to_string);
    }
    if view.program.is_any(&[
        "tee",
        "truncate",
        "shred",
        "sponge",
        "fallocate",
        "scrub",
        "wipe",
        "srm",
        "xxd",
        "ddrescue",
    ]) {
        return words.iter().find(|word| device(word)).map(ToString::to_string);
    }
    if view.program.is_any(&["cp", "mv", "install", "rsync", "gcp", "qemu-img", "partclone.dd"]) {
        let last = words.iter().rfind(|word| !word.prefix().starts_with('-')).filter(|_| words.len() > 1);
        let into = words.windows(2).find_map(|pair| match pair {
            [option, value] if matches!(option.literal(), Some("-t")) => Some(value),
            _ => None,
        });
        return into.or(last).filter(|word| device(word)).map(ToString::to_string);
    }
    if view
        .program
        .is_any(&["curl", "wget", "aria2c", "sort", "pv", "objcopy", "gpg", "openssl", "xz", "zstd", "gzip", "7z"])
    {
        let outputs = ["-o", "-O", "--output", "--output-document", "-out"];
        return words.windows(2).find_map(|pair| match pair {
            [option, value] if option.literal().is_some_and(|text| outputs.contains(&text)) && device(value) => {
                Some(value.to_string())
            }
            _ => None,
        });
    }
    None
}

fn without_prefix(word: &Word, bytes: usize) -> Word {
    let mut pieces = word.pieces.clone();
    if let Some(crate::shell::command::Piece::Text(text)) = pieces.first_mut() {
        *text = text.get(bytes..).unwrap_or_default().to_owned();
    }
    if matches!(pieces.first(), Some(crate::shell::command::Piece::Text(text)) if text.is_empty()) {
        pieces.remove(0);
    }
    Word { pieces }
}

/// Program text that opens a device for writing.
fn by_code(view: &View<'_>) -> Option<String> {
    let language = Language::of(view.program).filter(|language| *language != Language::Shell)?;
    let text = code(language, view.command.operands())?.to_string();
    let names = text.split("/dev/").skip(1).any(|rest| {
        let end = rest.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-')).unwrap_or(rest.len());
        is_device_name(rest.get(..end).unwrap_or_default())
    });
    const WRITES: [&str; 14] = [
        "'w",
        "\"w",
        "'r+",
        "\"r+",
        "'a",
        "\"a",
        "'>",
        "\">",
        "'+<",
        "\"+<",
        "writeFile",
        "createWriteStream",
        "O_WRONLY",
        "O_RDWR",
    ];
    (names && WRITES.iter().any(|mode| text.contains(mode))).then(|| view.shown())
}
