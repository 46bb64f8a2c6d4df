//! Encodings of bytes as characters, and the programs that undo or make them.

use super::{Printed, options, read};
use crate::command::{Command, Origin, Trace, Word};

/// Decoders and encoders. `None`: another program, or one that only some options make a decoder.
pub(super) fn printed(name: &str, command: &Command) -> Option<Printed> {
    match name {
        "base64" | "gbase64" | "base32" | "basenc" | "base16" => coded(name, command),
        "xxd" => dump(command),
        name if name.starts_with("python") => module(command),
        "openssl" => openssl(command),
        _ => None,
    }
}

/// `python3 -m base64 -d`, and the other modules that undo an encoding.
fn module(command: &Command) -> Option<Printed> {
    let words: Vec<&str> = command.operands().iter().map(Word::prefix).collect();
    let at = words.iter().position(|word| word.starts_with("-m") || !word.starts_with('-'))?;
    let (name, rest) = match (words.get(at)?.strip_prefix("-m")?, words.get(at + 1..)?) {
        ("", [name, rest @ ..]) => (*name, rest),
        ("", []) => return None,
        (name, rest) => (name, rest),
    };
    let files: Vec<Word> = command
        .operands()
        .iter()
        .skip(at + 1)
        .filter(|word| !word.prefix().starts_with('-') && word.prefix() != name)
        .cloned()
        .collect();
    let given = |options: &[&str]| rest.iter().any(|word| options.contains(word));
    match name {
        "base64" if given(&["-d", "-u"]) => Some(decoded(read(command, &files), base64)),
        "quopri" | "uu" if given(&["-d"]) => Some(decoded(read(command, &files), |_| None)),
        "gzip" | "bz2" | "lzma" | "zipfile" | "tarfile" | "binhex" => Some(decoded(read(command, &files), |_| None)),
        "encodings.rot_13" => Some(decoded(read(command, &files), |text| Some(rotated(text).into_bytes()))),
        _ => None,
    }
}

/// Letters moved by half of the alphabet.
fn rotated(text: &str) -> String {
    let turn = |c: char, first: u8| {
        let place = u8::try_from(u32::from(c)).unwrap_or(first).saturating_sub(first);
        char::from(first + (place + 13) % 26)
    };
    let one = |c: char| match c {
        'a'..='z' => turn(c, b'a'),
        'A'..='Z' => turn(c, b'A'),
        other => other,
    };
    text.chars().map(one).collect()
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
    let kind = match name {
        "base32" => Kind::Base32,
        "base16" => Kind::Hex,
        "basenc" if scan.has("base32") => Kind::Base32,
        "basenc" if scan.has("base16") => Kind::Hex,
        "basenc" if !scan.has("base64 base64url") => Kind::Other,
        _ => Kind::Base64,
    };
    if scan.has("d D decode") {
        return Some(decoded(input, |text| match kind {
            Kind::Base64 => base64(text),
            Kind::Base32 => bits(text, 5, base32_digit),
            Kind::Hex => hex(text),
            Kind::Other => None,
        }));
    }
    let text = input.text.as_deref().filter(|_| matches!(kind, Kind::Base64)).map(encode);
    Some(Printed { text, trace: input.trace })
}

#[derive(Clone, Copy)]
enum Kind {
    Base64,
    Base32,
    Hex,
    Other,
}

fn dump(command: &Command) -> Option<Printed> {
    let texts: Vec<&str> = command.operands().iter().map(Word::prefix).collect();
    let given = |names: &[&str]| texts.iter().any(|text| names.contains(text));
    let back = given(&["-r", "-revert", "--revert", "-rp", "-pr", "-rps", "-psr"]);
    let plain = given(&["-p", "-ps", "-plain", "-postscript", "--plain", "-rp", "-pr", "-rps", "-psr"]);
    let mut files = Vec::new();
    let mut words = command.operands().iter();
    while let Some(word) = words.next() {
        match word.prefix() {
            "-c" | "-cols" | "-g" | "-l" | "-len" | "-s" | "-seek" | "-o" | "-n" => {
                words.next();
            }
            text if text.len() > 1 && text.starts_with('-') => {}
            _ => files.push(word.clone()),
        }
    }
    files.truncate(1);
    let input = read(command, &files);
    if back {
        return Some(decoded(input, |text| if plain { hex(text) } else { listing(text) }));
    }
    let text =
        input.text.filter(|_| plain).map(|text| text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>());
    Some(Printed { text: text.map(|text| text + "\n"), trace: input.trace })
}

/// `00000000: 726d 202d  rm -`
fn listing(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for line in text.lines() {
        let (_, bytes) = line.split_once(':')?;
        let bytes = bytes.trim_start_matches(' ');
        out.extend(hex(bytes.split("  ").next().unwrap_or(bytes))?);
    }
    Some(out)
}

fn openssl(command: &Command) -> Option<Printed> {
    let first = command.operands().first()?.literal()?;
    let given = |name: &str| command.operands().iter().any(|word| word.literal() == Some(name));
    let file =
        command.operands().windows(2).find(|pair| pair.first().is_some_and(|word| word.literal() == Some("-in")));
    let files: Vec<Word> = file.and_then(|pair| pair.get(1)).cloned().into_iter().collect();
    match first {
        "base64" | "enc" | "zlib" if given("-d") || given("-decrypt") => {
            let only_base64 = first == "base64" || (given("-base64") || given("-a")) && cipher_free(command);
            Some(decoded(read(command, &files), |text| if only_base64 { base64(text) } else { None }))
        }
        "s_client" => Some(Printed { text: None, trace: Trace::of(Origin::Network) }),
        _ if given("-d") || given("-decrypt") => Some(decoded(read(command, &files), |_| None)),
        _ => None,
    }
}

fn cipher_free(command: &Command) -> bool {
    let known = ["-d", "-base64", "-a", "-A", "-in", "-out", "-none", "-e"];
    command
        .operands()
        .iter()
        .filter_map(Word::literal)
        .filter(|text| text.starts_with('-'))
        .all(|text| known.contains(&text))
}

/// Bytes of a base64 text, both alphabets; what is not of the alphabet is left out, as decoders that are told to do.
pub(in crate::unwrap) fn base64(text: &str) -> Option<Vec<u8>> {
    bits(text, 6, |byte| match byte {
        b'A'..=b'Z' => Some(u32::from(byte - b'A')),
        b'a'..=b'z' => Some(u32::from(byte - b'a') + 26),
        b'0'..=b'9' => Some(u32::from(byte - b'0') + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    })
}

fn base32_digit(byte: u8) -> Option<u32> {
    match byte {
        b'A'..=b'Z' => Some(u32::from(byte - b'A')),
        b'a'..=b'z' => Some(u32::from(byte - b'a')),
        b'2'..=b'7' => Some(u32::from(byte - b'2') + 26),
        _ => None,
    }
}

#[allow(clippy::unnecessary_wraps, reason = "one shape for every decoder")]
fn bits(text: &str, width: u32, digit: impl Fn(u8) -> Option<u32>) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let (mut held, mut count) = (0u32, 0u32);
    for byte in text.bytes() {
        if byte == b'=' {
            (held, count) = (0, 0);
            continue;
        }
        let Some(value) = digit(byte) else { continue };
        held = (held << width) | value;
        count += width;
        if count >= 8 {
            count -= 8;
            out.push(u8::try_from((held >> count) & 0xff).unwrap_or_default());
            held &= (1 << count) - 1;
        }
    }
    Some(out)
}

/// Bytes of hexadecimal digits, with anything between them.
pub(in crate::unwrap) fn hex(text: &str) -> Option<Vec<u8>> {
    let text = text.replace("\\x", " ").replace("0x", " ");
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
    digits
        .chunks_exact(2)
        .map(|pair| pair.iter().fold(0, |byte, digit| byte * 16 + digit))
        .map(|byte| u8::try_from(byte).ok())
        .collect()
}

fn encode(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let whole = chunk.iter().fold(0u32, |held, byte| (held << 8) | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for at in 0..4 {
            let digit = DIGITS.get(usize::try_from((whole >> (18 - 6 * at)) & 63).unwrap_or_default());
            out.push(if at <= chunk.len() { digit.map_or('=', |digit| char::from(*digit)) } else { '=' });
        }
    }
    out.push('\n');
    out
}
