//! Encodings of bytes as characters, and the programs that undo or make them.

use super::filter::files;
use super::{Printed, options, read};
use crate::command::{Command, Origin, Trace, Word};
use data_encoding::{Encoding, Specification};
use std::sync::LazyLock;

/// Decoders and encoders. `None`: another program, or one that only some options make a decoder.
pub(super) fn printed(name: &str, command: &Command) -> Option<Printed> {
    match name {
        "base64" | "gbase64" | "base32" | "basenc" | "base16" => coded(name, command),
        "xxd" => dump(command),
        name if name.starts_with("python") => module(command),
        _ => None,
    }
}

/// `python3 -m base64 -d`, and the other modules that undo an encoding.
fn module(command: &Command) -> Option<Printed> {
    let words: Vec<&str> = command.operands().iter().map(Word::prefix).collect();
    let at = words.iter().position(|word| word.starts_with("-m") || !word.starts_with('-'))?;
    let name = words.get(at)?.strip_prefix("-m")?;
    let name = if name.is_empty() { words.get(at + 1)? } else { name };
    let decodes = match name {
        "base64" | "quopri" | "uu" => words.iter().any(|word| matches!(*word, "-d" | "-u")),
        "gzip" | "bz2" | "lzma" | "zipfile" | "tarfile" | "binhex" | "encodings.rot_13" => true,
        _ => false,
    };
    decodes.then(|| {
        let mut printed = decoded(read(command, &files(command)), |_| None);
        printed.trace.merge(&command.input.trace);
        printed
    })
}

fn decoded(mut input: Printed, how: impl FnOnce(&str) -> Option<Vec<u8>>) -> Printed {
    input.trace.merge(&Trace::of(Origin::Decoder));
    let bytes = input.text.as_deref().and_then(how);
    Printed { text: bytes.and_then(|bytes| String::from_utf8(bytes).ok()), trace: input.trace }
}

fn coded(name: &str, command: &Command) -> Option<Printed> {
    let scan = options(
        command,
        "dDiw:b:o:",
        "decode ignore-garbage wrap= break= input= output= base64 base64url base32 base32hex base16 base2msbf base2lsbf z85 help",
    );
    let mut files = scan.operands.to_vec();
    if scan.has("D") || cfg!(target_os = "macos") {
        files.extend(scan.values("i input").cloned());
    }
    let input = read(command, &files);
    if !scan.has("d D decode") {
        return Some(Printed { text: None, trace: input.trace });
    }
    Some(decoded(input, |text| match name {
        "base32" => lenient(&BASE32, text),
        "base16" => hex(text),
        "basenc" if scan.has("base32") => lenient(&BASE32, text),
        "basenc" if scan.has("base16") => hex(text),
        "basenc" if !scan.has("base64 base64url") => None,
        _ => base64(text),
    }))
}

fn dump(command: &Command) -> Option<Printed> {
    let letters: String = command.operands().iter().filter_map(|word| word.prefix().strip_prefix('-')).collect();
    letters
        .contains('r')
        .then(|| decoded(read(command, &files(command)), |text| if letters.contains('p') { hex(text) } else { None }))
}

static BASE64: LazyLock<Encoding> =
    LazyLock::new(|| encoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", ("-_", "+/")));
static BASE32: LazyLock<Encoding> = LazyLock::new(|| encoding("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", ("", "")));
static HEX: LazyLock<Encoding> = LazyLock::new(|| encoding("0123456789abcdef", ("ABCDEF", "abcdef")));

/// An encoding as decoders read it that are told to ignore what they do not know.
fn encoding(symbols: &str, (others, meant): (&str, &str)) -> Encoding {
    let mut own = Specification::new();
    own.symbols.push_str(symbols);
    own.translate.from.push_str(others);
    own.translate.to.push_str(meant);
    own.check_trailing_bits = false;
    // The symbols are constants; a table that could not be built would decode nothing.
    own.encoding().unwrap_or(data_encoding::BASE64)
}

/// Bytes of a text; what is not of the alphabet is left out.
fn lenient(encoding: &Encoding, text: &str) -> Option<Vec<u8>> {
    let symbols = encoding.specification();
    let known = |c: &char| symbols.symbols.contains(*c) || symbols.translate.from.contains(*c);
    let mut out = Vec::new();
    for part in text.split('=') {
        let digits: String = part.chars().filter(known).collect();
        // A last digit that makes no whole byte says nothing.
        let whole =
            (0..3).find_map(|less| encoding.decode(digits.as_bytes().get(..digits.len().checked_sub(less)?)?).ok());
        out.extend(whole?);
    }
    Some(out)
}

/// Bytes of a base64 text, both alphabets.
pub(in crate::unwrap) fn base64(text: &str) -> Option<Vec<u8>> {
    lenient(&BASE64, text)
}

/// Bytes of hexadecimal digits, with anything between them.
fn hex(text: &str) -> Option<Vec<u8>> {
    lenient(&HEX, &text.replace("\\x", " ").replace("0x", " "))
}
