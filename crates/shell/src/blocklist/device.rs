//! Writes to block devices, by any program that writes where it is told, and by programs made to write there.

use super::Rule;
use super::device_tools;
use super::interpreter::{Language, code};
use super::pattern::{Token, could_be, literal};
use super::target::Target;
use super::view::View;
use crate::catalogue::has;
use crate::command::{Directory, RedirectKind, Word};

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
        "mkfs.ext4 /dev/loop0",
        "mkfs.ext4 -F $IMAGE",
        "mkfs.ext4 /var/lib/x.img",
        "cd /dev && mkfs.ext4 -F sda1",
        "mkswap LABEL=x",
        "parted disk.img select /dev/sda mklabel gpt",
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
        "mkfs.ext4 x.img",
        "mkfs.ext4 -F -L data disk.img 100M",
        "mkfs -t vfat /tmp/disk.img",
        "mke2fs -d root disk.img",
        "mkfs.ext4 -E root_owner=0:0 disk.img",
        "mkswap ./swap.img",
        "parted -s disk.img mklabel gpt mkpart primary ext4 1MiB 100%",
        "sgdisk -n 1:0:0 disk.img",
        "cryptsetup luksFormat ~/vault.img",
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

fn piece_mentions(piece: &crate::command::Piece, text: &str) -> bool {
    matches!(piece, crate::command::Piece::Text(own) if own.contains(text))
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
    let device = |word: &Word| is_device(view, word);
    if view.program.is_any("dd gdd dcfldd dc3dd") {
        let of = |word: &&Word| {
            let keys = ["of=", "wipe=", "hof="];
            let Some(key) = keys.iter().find(|key| word.prefix().starts_with(**key)) else { return false };
            device(&without_prefix(word, key.len()))
        };
        return words.iter().find(of).map(ToString::to_string);
    }
    if view.program.is_any("tee truncate shred sponge fallocate scrub wipe srm") {
        return words.iter().find(|word| device(word)).map(ToString::to_string);
    }
    if view.program.is_any("find gfind") {
        let prints = |word: &Word| matches!(word.literal(), Some("-fprint" | "-fprint0" | "-fprintf" | "-fls"));
        let mut pairs =
            words.windows(2).filter_map(|pair| if let [option, file] = pair { Some((option, file)) } else { None });
        return pairs.find(|(option, file)| prints(option) && device(file)).map(|(_, file)| file.to_string());
    }
    // These only write to their second name, or when told to.
    let told = |option: &str| words.iter().any(|word| word.prefix().starts_with(option));
    if view.program.is_any("ddrescue xxd sed tar grub-install") {
        let names: Vec<&Word> = words.iter().filter(|word| !word.prefix().starts_with('-')).collect();
        let writes = match view.program.name() {
            Some("ddrescue" | "xxd") => names.get(1..2).filter(|_| view.program.is("ddrescue") || told("-r")),
            Some("sed") => names.get(1..).filter(|_| told("-i") || told("--in-place")),
            Some("tar") => told_tar(words).then_some(names.as_slice()),
            _ => Some(names.as_slice()),
        };
        return writes.unwrap_or_default().iter().find(|word| device(word)).map(ToString::to_string);
    }
    if view.program.is_any("cp mv install rsync gcp qemu-img partclone.dd") {
        let last = words.iter().rfind(|word| !word.prefix().starts_with('-')).filter(|_| words.len() > 1);
        let into = words.windows(2).find_map(|pair| match pair {
            [option, value] if matches!(option.literal(), Some("-t")) => Some(value),
            _ => None,
        });
        return into.or(last).filter(|word| device(word)).map(ToString::to_string);
    }
    if view.program.is_any("curl wget aria2c sort pv objcopy gpg openssl xz zstd gzip 7z") {
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

/// Whether `tar` makes an archive, so that the file named after `-f` is written.
fn told_tar(words: &[Word]) -> bool {
    let first = words.first().and_then(Word::literal).unwrap_or_default();
    let creates = |text: &str| !text.starts_with("--") && text.contains(['c', 'r', 'u']) && text.contains('f');
    creates(first)
        || words.iter().any(|word| matches!(word.literal(), Some("--create" | "--append" | "--update" | "-c")))
}

fn without_prefix(word: &Word, bytes: usize) -> Word {
    let mut pieces = word.pieces.clone();
    if let Some(crate::command::Piece::Text(text)) = pieces.first_mut() {
        *text = text.get(bytes..).unwrap_or_default().to_owned();
    }
    if matches!(pieces.first(), Some(crate::command::Piece::Text(text)) if text.is_empty()) {
        pieces.remove(0);
    }
    Word { pieces }
}

/// Program text that opens a device for writing.
fn by_code(view: &View<'_>) -> Option<String> {
    const WRITES: [&str; 19] = [
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
        "File.write",
        "binwrite",
        "write_text",
        "write_bytes",
        "file_put_contents",
    ];
    if view.program.is_any("awk gawk mawk nawk sed") {
        let writes = |before: &str| {
            let before = before.trim_end_matches([' ', '"']);
            before.ends_with('>') || before.ends_with('w') || before.ends_with("tee")
        };
        let texts = view.texts().filter(|text| text.contains("/dev/"));
        return texts.flat_map(devices_in).any(|(before, _)| writes(before)).then(|| view.shown());
    }
    let language = Language::of(view.program).filter(|language| *language != Language::Shell)?;
    let text = code(language, view.command.operands())?.to_string();
    let names = devices_in(&text).next().is_some();
    (names && WRITES.iter().any(|mode| text.contains(mode))).then(|| view.shown())
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
