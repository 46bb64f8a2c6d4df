//! Characters written as something else: entities, percent signs, backslashes, quoted-printable, each also encoded again.

/// Encodings of encodings beyond this depth are not read.
const DEEPEST: usize = 6;

/// What stands for another introducer, once one was read: (introducer, what may follow it, the introducer it makes).
const AGAIN: &[(u8, &str, u8)] = &[
    (b'&', "amp; amp #38; #x26;", b'&'),
    (b'&', "#37; #x25; percnt;", b'%'),
    (b'&', "#92; #x5c; bsol;", b'\\'),
    (b'%', "25", b'%'),
    (b'%', "26", b'&'),
    (b'%', "5c", b'\\'),
    (b'\\', "\\ u005c", b'\\'),
    (b'\\', "u0026 x26", b'&'),
    (b'\\', "u0025 x25", b'%'),
];

/// Whether a byte may begin an escape.
pub(super) const fn begins(byte: u8) -> bool {
    matches!(byte, b'&' | b'%' | b'\\' | b'=')
}

/// Calls `found` with each character that the beginning of `text` may stand for, and the bytes that it takes.
pub(super) fn readings(text: &str, found: &mut impl FnMut(char, usize)) {
    let Some(mut introducer) = text.bytes().next().filter(|byte| begins(*byte)) else { return };
    let mut taken = 1;
    for _ in 0..DEEPEST {
        let rest = text.get(taken..).unwrap_or_default();
        decode(introducer, rest, &mut |character, more| found(character, taken + more));
        let follows = |tail: &&str| rest.get(..tail.len()).is_some_and(|start| start.eq_ignore_ascii_case(tail));
        let mut again = AGAIN.iter().filter(|(of, ..)| *of == introducer);
        let Some((tail, next)) = again.find_map(|(_, tails, next)| Some((tails.split(' ').find(follows)?, next)))
        else {
            return;
        };
        introducer = *next;
        taken += tail.len();
    }
}

fn decode(introducer: u8, rest: &str, found: &mut impl FnMut(char, usize)) {
    match introducer {
        b'&' => entity(rest, found),
        b'%' => percent(rest, found),
        b'\\' => backslash(rest, found),
        _ => {
            if let Some(value) = hex(rest.get(..2)) {
                report(value, 2, found);
            }
        }
    }
}

fn report(value: u32, taken: usize, found: &mut impl FnMut(char, usize)) {
    if let Some(character) = char::from_u32(value) {
        found(character, taken);
    }
}

fn hex(digits: Option<&str>) -> Option<u32> {
    let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u32::from_str_radix(digits, 16).ok()
}

fn run(text: &str, most: usize, accept: impl Fn(u8) -> bool) -> &str {
    let length = text.bytes().take(most).take_while(|byte| accept(*byte)).count();
    text.get(..length).unwrap_or_default()
}

fn entity(rest: &str, found: &mut impl FnMut(char, usize)) {
    let Some(number) = rest.strip_prefix('#') else {
        let name = run(rest, 31, |byte| byte.is_ascii_alphanumeric());
        if name.len() < 2 {
            return;
        }
        let ended = usize::from(rest.as_bytes().get(name.len()) == Some(&b';'));
        if ended == 1 {
            // `&Eacute;`, `&Escr;`: the letter comes first in the name. `&lt;`, `&shy;`: none at all.
            name.chars().next().into_iter().for_each(|first| found(first, name.len() + 1));
            found(' ', name.len() + 1);
        } else {
            ["lt", "gt", "shy", "nbsp", "quot"]
                .into_iter()
                .filter(|known| name.get(..known.len()).is_some_and(|start| start.eq_ignore_ascii_case(known)))
                .for_each(|known| found(' ', known.len()));
        }
        return;
    };
    let (digits, radix, prefix) = match number.strip_prefix(['x', 'X']) {
        Some(digits) => (run(digits, 10, |byte| byte.is_ascii_hexdigit()), 16, 2),
        None => (run(number, 10, |byte| byte.is_ascii_digit()), 10, 1),
    };
    let Ok(value) = u32::from_str_radix(digits, radix) else { return };
    let end = prefix + digits.len();
    report(value, end + usize::from(rest.as_bytes().get(end) == Some(&b';')), found);
}

fn percent(rest: &str, found: &mut impl FnMut(char, usize)) {
    if let Some(value) = rest.strip_prefix(['u', 'U']).and_then(|digits| hex(digits.get(..4))) {
        report(value, 5, found);
    }
    let mut bytes = Vec::new();
    let mut at = 0;
    while let Some(value) = hex(rest.get(at..at + 2)) {
        bytes.push(u8::try_from(value).unwrap_or_default());
        at += 2;
        if let Ok(text) = std::str::from_utf8(&bytes) {
            text.chars().for_each(|character| found(character, at));
            return;
        }
        if bytes.len() == 4 || rest.as_bytes().get(at) != Some(&b'%') {
            break;
        }
        at += 1;
    }
    if !bytes.is_empty() {
        // Half a character: nothing that a reader sees.
        found(' ', 2);
    }
}

fn backslash(rest: &str, found: &mut impl FnMut(char, usize)) {
    let Some(kind) = rest.chars().next() else { return };
    let tail = rest.get(1..).filter(|_| kind.is_ascii()).unwrap_or_default();
    if let Some(inner) = tail.strip_prefix('{').filter(|_| matches!(kind, 'u' | 'x')) {
        let digits = run(inner, 8, |byte| byte.is_ascii_hexdigit());
        if inner.as_bytes().get(digits.len()) == Some(&b'}') {
            hex(Some(digits)).into_iter().for_each(|value| report(value, digits.len() + 3, found));
        }
    }
    let fixed = match kind {
        'u' => 4,
        'U' => 8,
        'x' => 2,
        _ => 0,
    };
    if let Some(value) = hex(tail.get(..fixed)).filter(|_| fixed > 0) {
        report(value, fixed + 1, found);
        pair(value, tail, found);
    }
    let octal = run(rest, 3, |byte| (b'0'..b'8').contains(&byte));
    if let Ok(value) = u32::from_str_radix(octal, 8) {
        report(value, octal.len(), found);
    }
    // Style sheets write up to six digits and one blank.
    let digits = run(rest, 6, |byte| byte.is_ascii_hexdigit());
    if let Some(value) = hex(Some(digits)).filter(|_| !digits.is_empty()) {
        report(value, digits.len(), found);
        if rest.as_bytes().get(digits.len()) == Some(&b' ') {
            report(value, digits.len() + 1, found);
        }
    }
    if matches!(kind, 'n' | 'r' | 't' | 'b' | 'f' | 'v' | 'a' | 'e') {
        found(' ', 1);
    }
}

/// `\ud835\udc04`: two halves of one character.
fn pair(high: u32, tail: &str, found: &mut impl FnMut(char, usize)) {
    let low = tail.get(4..).and_then(|rest| rest.strip_prefix("\\u")).and_then(|rest| hex(rest.get(..4)));
    if let (0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) = (high, low) {
        report(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00), 11, found);
    }
}
