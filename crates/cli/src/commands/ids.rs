//! Ids as people type them: in full, or a prefix. One rule for sessions, questions, rules and calls.

use palanca_core::Message;
use palanca_text::some;

/// `^[0-9A-Za-z._-]{1,64}$`, and not `.` or `..`: an id is never a path.
pub fn is_id(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
        && !text.bytes().all(|byte| byte == b'.')
}

/// The one that was typed: as a whole, or as the beginning of one alone. `01a1.t2` is subagent `t2` of the session that begins
/// with `01a1`; the session itself is meant where its subagents begin so, too.
///
/// # Errors
/// The sentence that names all of them, where several begin so.
pub fn pick<'a, T>(typed: &str, items: &'a [T], id: impl Fn(&T) -> &str) -> Result<Option<&'a T>, Message> {
    if let Some(whole) = items.iter().find(|item| id(item) == typed) {
        return Ok(Some(whole));
    }
    let fits: Vec<&T> = items.iter().filter(|item| begins(id(item), typed)).collect();
    let is_below = |item: &T, above: &T| id(item).strip_prefix(id(above)).is_some_and(|rest| rest.starts_with('.'));
    let mut first = fits.iter().filter(|item| !fits.iter().any(|above| is_below(item, above)));
    match (first.next(), first.next()) {
        (one, None) => Ok(one.copied()),
        _ => {
            let names: Vec<String> = fits.iter().map(|item| id(item).to_owned()).collect();
            Err(Message::new("id-ambiguous").with("id", typed).with("names", some(&names)))
        }
    }
}

fn begins(id: &str, typed: &str) -> bool {
    let subagent = || Some((id.split_once('.')?, typed.split_once('.')?));
    !typed.is_empty()
        && (id.starts_with(typed)
            || subagent().is_some_and(|((head, task), (typed, wanted))| head.starts_with(typed) && task == wanted))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn an_id_is_never_a_path() {
        let long = "x".repeat(65);
        for (text, expected) in [
            ("0199f1c2-1", true),
            ("latest", true),
            ("a.b_c", true),
            (".", false),
            ("..", false),
            ("", false),
            ("../x", false),
            ("a/b", false),
            ("a b", false),
            ("a\n", false),
            ("é", false),
            (&long, false),
        ] {
            assert_eq!(is_id(text), expected, "{text:?}");
        }
    }

    #[test]
    fn the_beginning_of_an_id_is_enough_where_it_is_unique() {
        let ids = ["abd", "abc", "ab", "f1-2", "f1-2.t1", "f1-2.t10", "f2", "f2.t1", "-", "ñandú"];
        let several = Err("id-ambiguous");
        for (typed, expected) in [
            ("abc", Ok(Some("abc"))),
            ("ab", Ok(Some("ab"))),
            ("a", several),
            ("f", several),
            ("f1", Ok(Some("f1-2"))),
            ("f1-2", Ok(Some("f1-2"))),
            ("f1-2.t", several),
            ("f1.t1", Ok(Some("f1-2.t1"))),
            ("f1.t10", Ok(Some("f1-2.t10"))),
            ("f1.t", Ok(None)),
            ("f.t1", several),
            ("ñ", Ok(Some("ñandú"))),
            ("x", Ok(None)),
            ("", Ok(None)),
            (".", Ok(None)),
            (".t1", several),
        ] {
            let picked = pick(typed, &ids, |id| id).map(Option::<&&str>::copied).map_err(|message| message.key());
            assert_eq!(picked, expected, "{typed:?}");
        }
        let many: Vec<String> = (10..30).map(|number| format!("s{number}")).collect();
        let message = pick("s", &many, |id| id).unwrap_err();
        assert!(message.to_string().contains("s10") && message.to_string().contains("(+10)"), "{message}");
    }
}
