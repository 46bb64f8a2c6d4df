//! Encodings that are undone: base64, and hexadecimal digits as `xxd` reads them. What another decoder makes is not known.

use super::filter::files;
use super::{Printed, options, read};
use crate::command::{Command, Origin, Trace};
use crate::options::Options;
use data_encoding::{BASE64, Encoding, HEXLOWER_PERMISSIVE, Specification};
use std::sync::LazyLock;

static BASE64_OPTIONS: LazyLock<Options> =
    LazyLock::new(|| Options::listed("-dDi -wbo= --decode --ignore-garbage --wrap= --break= --input= --output="));

/// `None`: another program, or one that only some options make a decoder.
pub(super) fn printed(name: &str, command: &Command) -> Option<Printed> {
    match name {
        "base64" | "gbase64" => {
            let scan = options(command, &BASE64_OPTIONS);
            let input = read(command, &scan.operands);
            Some(if scan.has("-d -D --decode") {
                decoded(input, base64)
            } else {
                Printed { text: None, trace: input.trace }
            })
        }
        "xxd" => {
            let letters: String =
                command.operands().iter().filter_map(|word| word.prefix().strip_prefix('-')).collect();
            let plain = |text: &str| if letters.contains('p') { hex(text) } else { None };
            letters.contains('r').then(|| decoded(read(command, &files(command)), plain))
        }
        _ => None,
    }
}

fn decoded(mut input: Printed, how: impl FnOnce(&str) -> Option<Vec<u8>>) -> Printed {
    input.trace.merge(Trace::of(Origin::Decoder));
    let bytes = input.text.as_deref().and_then(how);
    Printed { text: bytes.and_then(|bytes| String::from_utf8(bytes).ok()), trace: input.trace }
}

/// Both alphabets, as decoders read them that are told to ignore what they do not know.
static EITHER: LazyLock<Encoding> = LazyLock::new(|| {
    let mut own = Specification::new();
    own.symbols.push_str("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
    own.translate.from.push_str("-_");
    own.translate.to.push_str("+/");
    own.check_trailing_bits = false;
    // The symbols are constants; a table that could not be built would decode less.
    own.encoding().unwrap_or(BASE64)
});

/// Bytes of a base64 text; what is not of the alphabet is left out.
pub(in crate::unwrap) fn base64(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for part in text.split('=') {
        let known = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '-' | '_');
        let digits: String = part.chars().filter(known).collect();
        // A last digit that makes no whole byte says nothing.
        let whole =
            (0..3).find_map(|less| EITHER.decode(digits.as_bytes().get(..digits.len().checked_sub(less)?)?).ok());
        out.extend(whole?);
    }
    Some(out)
}

/// Bytes of hexadecimal digits, with anything between them.
fn hex(text: &str) -> Option<Vec<u8>> {
    let text = text.replace("\\x", " ").replace("0x", " ");
    let digits: String = text.chars().filter(char::is_ascii_hexdigit).collect();
    HEXLOWER_PERMISSIVE.decode(digits.as_bytes().get(..digits.len() / 2 * 2)?).ok()
}
