//! Writes to block devices, by any program that writes where it is told, and by programs made to write there.

use super::device_tools;
use super::pattern::{Token, could_be, literal};
use super::target::Target;
use super::view::View;
use crate::catalogue::{calls, given, has, mentions};
use crate::command::{Directory, Piece, Word};
use crate::unwrap::without;

pub(super) fn breaks(view: &View<'_>) -> Option<String> {
    if let Some(what) = redirected(view) {
        return Some(what);
    }
    if device_tools::breaks(view) {
        return Some(view.shown());
    }
    written(view).or_else(|| by_code(view))
}

fn redirected(view: &View<'_>) -> Option<String> {
    let in_dev = matches!(&view.command.directory, Directory::Known(path) if path.starts_with("/dev"));
    let says_dev = |piece: &Piece| matches!(piece, Piece::Text(own) if own.contains("dev"));
    let candidate = |word: &&Word| in_dev || word.has_glob() || word.pieces.iter().any(says_dev);
    view.command.writes_to().filter(candidate).find(|word| is_device(view, word)).map(ToString::to_string)
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
    const USUAL: &str = "sda sdb sdc sda1 sdb1 hda hda1 vda vda1 vdb xvda nvme0n1 nvme0n1p1 mmcblk0 dm-0 loop0";
    USUAL.split(' ').any(|usual| could_be(name, usual))
}

fn is_device_name(name: &str) -> bool {
    const LETTERED: &str = "sd hd vd xvd ubd dasd";
    const NUMBERED: &str =
        "nvme mmcblk dm- md loop nbd zram mtdblock mtd disk rdisk sr ram bcache drbd rbd pmem fd ada nvd";
    const EXACT: &str = "mem kmem port root cdrom";
    let lettered = |start: &str| {
        name.strip_prefix(start).is_some_and(|rest| {
            let letters = rest.trim_end_matches(|letter: char| letter.is_ascii_digit());
            (1..=2).contains(&letters.len()) && letters.chars().all(|letter| letter.is_ascii_lowercase())
        })
    };
    let numbered = |start: &str| {
        name.strip_prefix(start).is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()))
    };
    has(EXACT, name) || LETTERED.split(' ').any(lettered) || NUMBERED.split(' ').any(numbered)
}

/// Operands that a program writes to.
fn written(view: &View<'_>) -> Option<String> {
    let words = view.command.operands();
    let any = |names: &str| view.program.is_any(names);
    let told = |options: &str| words.iter().any(|word| given(word.prefix(), options));
    let plain: Vec<&Word> = words.iter().filter(|word| !word.prefix().starts_with('-')).collect();
    let after = |options: &'static str| {
        let pairs = words.windows(2).filter(move |pair| pair.first().is_some_and(|own| has(options, own.prefix())));
        pairs.filter_map(<[Word]>::last).collect::<Vec<_>>()
    };
    let targets = if any("dd gdd dcfldd dc3dd") {
        let value = |word: &Word| {
            let key = ["of=", "wipe=", "hof="].into_iter().find(|key| word.prefix().starts_with(key))?;
            Some(without(word, key.len()))
        };
        return words.iter().filter_map(value).find(|word| is_device(view, word)).map(|word| word.to_string());
    } else if any("tee truncate shred sponge fallocate scrub wipe srm grub-install") {
        words.iter().collect()
    } else if any("find gfind") {
        after("-fprint -fprint0 -fprintf -fls")
    } else if any("ddrescue") || (any("xxd") && told("-r")) {
        plain.into_iter().skip(1).take(1).collect()
    } else if any("sed") && told("-i --in-place") {
        plain.into_iter().skip(1).collect()
    } else if any("tar") && told("--create --append --update -c -r -u cf cvf czf crf rf uf") {
        plain
    } else if any("cp mv install rsync gcp qemu-img partclone.dd") {
        after("-t --target-directory").into_iter().chain(plain.into_iter().skip(1).last()).take(1).collect()
    } else if any("curl wget aria2c sort pv objcopy gpg openssl xz zstd gzip 7z") {
        after("-o -O --output --output-document -out")
    } else {
        Vec::new()
    };
    targets.into_iter().find(|word| is_device(view, word)).map(ToString::to_string)
}

/// Program text that opens a device for writing.
fn by_code(view: &View<'_>) -> Option<String> {
    if view.program.is_any("awk gawk mawk nawk sed") {
        let writes = |before: &str| {
            let before = before.trim_end_matches([' ', '"']);
            before.ends_with('>') || before.ends_with('w') || before.ends_with("tee")
        };
        let texts = view.texts().filter(|text| text.contains("/dev/"));
        return texts.flat_map(devices_in).any(|(before, _)| writes(before)).then(|| view.shown());
    }
    let text = view.code()?;
    let names = devices_in(&text).next().is_some();
    (names && mentions(&text, calls::WRITES)).then(|| view.shown())
}

/// The devices that a text names, each with what stands before it.
fn devices_in(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.match_indices("/dev/").filter_map(move |(at, start)| {
        let rest = text.get(at + start.len()..)?;
        let end = rest.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-')).unwrap_or(rest.len());
        let name = rest.get(..end)?;
        is_device_name(name).then(|| (text.get(..at).unwrap_or_default(), name))
    })
}
