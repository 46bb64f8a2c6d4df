//! Values that a name gives away: `password: …`, `"api_key": "…"`, `Authorization: Bearer …`, `scheme://user:…@host`.

use super::{Found, looks};

/// Ends of names whose values are secret. Sought without regard to letter case.
pub(super) const NAMES: &str = "password passwd passphrase pwd secret token apikey api_key api-key api.key access_key \
    access-key accesskey secret_key secret-key secretkey private_key private-key privatekey auth_key authkey \
    account_key accountkey encryption_key signing_key master_key sharedaccesskey sharedaccesssignature credential \
    credentials contraseña clave_api authtoken _auth _authtoken sig";
/// The longest value that a name gives away.
const LONGEST: usize = 4096;

/// How a value stands behind its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// `name: value`, which program text has, too.
    Bare,
    /// In quotation marks.
    Quoted,
    /// `--name value`, with nothing but blanks between: only what is plainly random.
    Argument,
    /// `NAME=value`, `?name=value`: nothing but an assignment looks so.
    Assigned,
}

/// The value behind a name that ends at `end`.
pub(super) fn value_behind(text: &str, (start, end): (usize, usize)) -> Option<Found> {
    let bytes = text.as_bytes();
    let name = text.get(start..end)?;
    // `sig`, `_auth`: short, so only as whole names.
    let word_before = start.checked_sub(1).and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric);
    if word_before && (name.len() < 5 && !name.eq_ignore_ascii_case("pwd")) {
        return None;
    }
    // The working directory is no password.
    let before = bytes.get(..start).unwrap_or_default();
    let alone = !before.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let is_folder = name == "PWD" && (alone || before.ends_with(b"OLD"));
    let mut at = end;
    // `password1`, `token_2`
    while bytes.get(at).is_some_and(|byte| byte.is_ascii_digit()) && at < end + 3 {
        at += 1;
    }
    let (stands, from) = separator(bytes, at)?;
    let stands = match stands {
        Stands::Assigned if !is_plain_assignment(text, start, name) => Stands::Bare,
        other => other,
    };
    value(text, from, stands, name)
        .filter(|found| !is_folder || !text.get(found.start..).is_some_and(|value| value.starts_with(['/', '~'])))
}

/// `NAME=value` as in the shell, `?name=value` as in an address.
fn is_plain_assignment(text: &str, start: usize, name: &str) -> bool {
    let is_upper =
        name.bytes().any(|byte| byte.is_ascii_uppercase()) && !name.bytes().any(|byte| byte.is_ascii_lowercase());
    let before = line_before(text, start);
    is_upper
        || before
            .rfind(['?', '&', ';'])
            .and_then(|mark| before.get(mark + 1..))
            .is_some_and(|key| key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-. ".contains(&byte)))
}

fn line_before(text: &str, at: usize) -> &str {
    let from = (at.saturating_sub(128)..=at).find(|from| text.is_char_boundary(*from)).unwrap_or(at);
    let before = text.get(from..at).unwrap_or_default();
    before.rsplit('\n').next().unwrap_or_default()
}

/// What stands between a name and its value; where the value begins.
fn separator(bytes: &[u8], mut at: usize) -> Option<(Stands, usize)> {
    let skip = |at: &mut usize, set: &[u8], most: usize| {
        let begun = *at;
        while *at < begun + most && bytes.get(*at).is_some_and(|byte| set.contains(byte)) {
            *at += 1;
        }
        *at - begun
    };
    // The end of a quoted name, also within quoted text; `secrets["token"] = …`.
    let quotes = skip(&mut at, b"\\\"'`]", 6);
    let blanks = skip(&mut at, b" \t", 8);
    let sign = *bytes.get(at)?;
    let signs = skip(&mut at, b":=>", 3);
    if signs == 0 && blanks > 0 && quotes == 0 {
        return Some((Stands::Argument, at));
    }
    if signs == 0 || (signs > 1 && bytes.get(at.checked_sub(signs)?..at) == Some(b"==")) {
        return None;
    }
    let blanks = blanks + skip(&mut at, b" \t", 8);
    let opened = skip(&mut at, b"\\\"'`", 4);
    let stands = match (opened, sign) {
        (1.., _) => Stands::Quoted,
        (0, b'=') if blanks == 0 && quotes == 0 => Stands::Assigned,
        _ => Stands::Bare,
    };
    Some((stands, at))
}

fn value(text: &str, from: usize, stands: Stands, name: &str) -> Option<Found> {
    let rest = text.get(from..)?;
    // `Authorization: Bearer …` as a token's value.
    let scheme = ["Bearer ", "bearer ", "Basic ", "basic ", "Token ", "token "]
        .into_iter()
        .find(|scheme| rest.starts_with(scheme));
    let from = from + scheme.map_or(0, str::len);
    let rest = text.get(from..)?;
    let quote = text.get(..from)?.chars().next_back().filter(|_| stands == Stands::Quoted);
    let ends = |character: char| match quote {
        Some(quote) => character == quote || character == '\n' || character == '\\',
        None => {
            character.is_whitespace()
                || matches!(character, '"' | '\'' | '`' | ',' | ';' | '&' | ')' | '}' | ']' | '<' | '>' | '|' | '\\')
        }
    };
    let length = rest
        .char_indices()
        .take(LONGEST)
        .find(|(_, character)| ends(*character))
        .map_or(rest.len().min(LONGEST), |(at, _)| at);
    let mut value = rest.get(..length)?;
    if stands != Stands::Quoted {
        value = value.trim_end_matches(['.', ':', '!', '?']);
    }
    if !is_secret(value, stands) {
        return None;
    }
    let kind = match name.to_ascii_lowercase() {
        name if name.starts_with("pass") || name == "pwd" || name.starts_with("contra") => "password",
        name if name.contains("token") => "token",
        name if name.contains("key") || name.contains("api") => "key",
        _ => "secret",
    };
    Some(Found::new(from, from + value.len(), kind))
}

fn is_secret(value: &str, stands: Stands) -> bool {
    if value.len() < 6 {
        return false;
    }
    let mixed = value.bytes().any(|byte| byte.is_ascii_digit()) && value.bytes().any(|byte| byte.is_ascii_alphabetic());
    let special = value.bytes().any(|byte| b"!@#$%^&*+~?/=".contains(&byte))
        && value.bytes().any(|byte| byte.is_ascii_alphanumeric());
    let likely = match stands {
        Stands::Assigned => {
            !looks::is_program_text(value) || (mixed && !value.contains(['(', '<', '[', '{', '$', '.']))
        }
        Stands::Quoted => {
            (mixed || special) && !value.contains(char::is_whitespace) && !value.contains(['(', '{', '<', '$'])
        }
        Stands::Argument => {
            value.len() >= 16 && looks::is_random(value) && !value.contains(['/', '.', ':', '(', '[', '='])
        }
        Stands::Bare => value.len() >= 8 && mixed && (!looks::is_program_text(value) || looks::is_random(value)),
    };
    // Last, because it costs most and most values are unlikely already.
    likely && !looks::is_placeholder(value)
}

/// `Bearer …`, `Basic …` behind `Authorization:` or alone; `end` is the end of the scheme.
pub(super) fn credentials(text: &str, (start, end): (usize, usize)) -> Option<Found> {
    let bytes = text.as_bytes();
    if start.checked_sub(1).and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let blanks = bytes.get(end..)?.iter().take(8).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let from = end + blanks;
    let length = bytes
        .get(from..)?
        .iter()
        .take(LONGEST)
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"-._~+/=:".contains(byte))
        .count();
    let value = text.get(from..from + length)?.trim_end_matches(['.', ':']);
    let header = line_before(text, start).to_ascii_lowercase().contains("authorization");
    let likely = value.len() >= if header { 8 } else { 16 }
        && looks::is_varied(value)
        && !looks::is_placeholder(value)
        && (looks::is_random(value)
            || (header && value.bytes().any(|byte| byte.is_ascii_digit()))
            || (header && value.ends_with('=')));
    (blanks > 0 && likely).then(|| Found::new(from, from + value.len(), "authorization"))
}

/// The password of `scheme://user:password@host`, from the slashes.
pub(super) fn url_password(text: &str, slashes: usize) -> Option<Found> {
    let from = slashes + "://".len();
    let rest = text.get(from..)?;
    let length = rest
        .char_indices()
        .take(LONGEST)
        .find(|(_, character)| {
            character.is_whitespace() || matches!(character, '/' | '?' | '#' | '"' | '\'' | '`' | '<' | '>' | '\\')
        })
        .map_or(rest.len().min(LONGEST), |(at, _)| at);
    let authority = rest.get(..length)?;
    // A password may hold `/`; then what is before the last `@` of the word is looked at.
    let (user, _) = authority.rsplit_once('@')?;
    let (name, password) = user.split_once(':')?;
    let plain = password.is_empty() || looks::is_placeholder(password) || password.len() < 3 || password == name;
    (!plain).then(|| {
        let start = from + name.len() + 1;
        Found::new(start, start + password.len(), "password")
    })
}
