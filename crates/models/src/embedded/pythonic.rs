//! Calls that are written as Python: `[read_file(path="a"), list_files()]`. The literals become JSON; numbers keep their
//! digits.

use super::Said;
use super::cursor::{Cursor, MAX_DEPTH, Read, Stop};
use super::typed::quoted;
use serde_json::value::RawValue;

/// `[f(a=1), g()]`.
pub(super) fn list(cursor: &mut Cursor<'_>) -> Read<Vec<Said>> {
    cursor.space();
    cursor.take("[")?;
    let mut calls = Vec::new();
    loop {
        calls.push(call(cursor)?);
        cursor.space();
        if cursor.peek()? == ',' {
            cursor.skip(1);
            cursor.space();
        }
        if cursor.peek()? == ']' {
            cursor.skip(1);
            return Ok(calls);
        }
    }
}

/// Calls one below the other, or with `;` or `,` between them.
pub(super) fn lines(cursor: &mut Cursor<'_>) -> Read<Vec<Said>> {
    let mut calls = vec![call(cursor)?];
    loop {
        let mut after = *cursor;
        after.rest = after.rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';' || c == ',');
        if !after.rest.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            if after.rest.is_empty() {
                *cursor = after;
            }
            return Ok(calls);
        }
        calls.push(call(&mut after)?);
        *cursor = after;
    }
}

/// `f(a=1)`; also `f.call(a=1)` and `print(f(a=1))`, which say the same.
pub(super) fn call(cursor: &mut Cursor<'_>) -> Read<Said> {
    cursor.space();
    let name = cursor.name()?;
    cursor.take("(")?;
    cursor.space();
    if name == "print" && cursor.peek()?.is_alphabetic() {
        let inner = call(cursor)?;
        cursor.space();
        cursor.take(")")?;
        return Ok(inner);
    }
    let mut arguments = String::from("{");
    while cursor.peek()? != ')' {
        let key = cursor.run(|c| c.is_alphanumeric() || c == '_')?;
        if key.is_empty() {
            return Err(Stop::No);
        }
        separate(&mut arguments, '{');
        arguments.push_str(&quoted(key));
        arguments.push(':');
        cursor.space();
        cursor.take("=")?;
        literal(cursor, &mut arguments, MAX_DEPTH)?;
        next(cursor, ')')?;
    }
    cursor.skip(1);
    arguments.push('}');
    Ok(Said { name: name.strip_suffix(".call").unwrap_or(name).to_owned(), arguments: Some(arguments) })
}

/// Goes over a comma to what follows, or to the closing bracket.
fn next(cursor: &mut Cursor<'_>, close: char) -> Read<()> {
    cursor.space();
    match cursor.peek()? {
        ',' => cursor.skip(1),
        c if c == close => {}
        _ => return Err(Stop::No),
    }
    cursor.space();
    Ok(())
}

fn separate(out: &mut String, open: char) {
    if !out.ends_with(open) {
        out.push(',');
    }
}

/// A Python or JSON value, written as JSON.
fn literal(cursor: &mut Cursor<'_>, out: &mut String, depth: usize) -> Read<()> {
    let depth = depth.checked_sub(1).ok_or(Stop::No)?;
    cursor.space();
    let first = cursor.peek()?;
    match first {
        '"' | '\'' => out.push_str(&quoted(&string(cursor)?)),
        '[' | '(' => {
            let close = if first == '[' { ']' } else { ')' };
            sequence(cursor, out, close, (|cursor: &mut _, out: &mut _| literal(cursor, out, depth), ('[', ']')))?;
        }
        '{' => {
            let pair = |cursor: &mut Cursor<'_>, out: &mut String| {
                out.push_str(&quoted(&string(cursor)?));
                out.push(':');
                cursor.space();
                cursor.take(":")?;
                literal(cursor, out, depth)
            };
            sequence(cursor, out, '}', (pair, ('{', '}')))?;
        }
        c if c.is_alphabetic() => out.push_str(match cursor.run(char::is_alphanumeric)? {
            "True" | "true" => "true",
            "False" | "false" => "false",
            "None" | "null" => "null",
            _ => return Err(Stop::No),
        }),
        _ => {
            let number = cursor.run(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))?;
            if serde_json::from_str::<&RawValue>(number).is_err() {
                return Err(Stop::No);
            }
            out.push_str(number);
        }
    }
    Ok(())
}

/// The items between brackets.
fn sequence<'t>(
    cursor: &mut Cursor<'t>,
    out: &mut String,
    close: char,
    (item, brackets): (impl Fn(&mut Cursor<'t>, &mut String) -> Read<()>, (char, char)),
) -> Read<()> {
    cursor.skip(1);
    cursor.space();
    out.push(brackets.0);
    while cursor.peek()? != close {
        separate(out, brackets.0);
        item(cursor, out)?;
        next(cursor, close)?;
    }
    cursor.skip(1);
    out.push(brackets.1);
    Ok(())
}

fn string(cursor: &mut Cursor<'_>) -> Read<String> {
    let (one, three) = match cursor.peek()? {
        '"' => ("\"", "\"\"\""),
        '\'' => ("'", "'''"),
        _ => return Err(Stop::No),
    };
    let close = if cursor.has(three)? { three } else { one };
    if close == one {
        cursor.skip(1);
    }
    let mut text = String::new();
    while !cursor.rest.starts_with(close) {
        let c = cursor.peek()?;
        cursor.skip(c.len_utf8());
        if c == '\\' { escape(cursor, &mut text)? } else { text.push(c) }
    }
    cursor.skip(close.len());
    Ok(text)
}

fn escape(cursor: &mut Cursor<'_>, text: &mut String) -> Read<()> {
    let c = cursor.peek()?;
    cursor.skip(c.len_utf8());
    match c {
        'n' => text.push('\n'),
        't' => text.push('\t'),
        'r' => text.push('\r'),
        '0' => text.push('\0'),
        '\n' => {}
        '\\' | '\'' | '"' => text.push(c),
        'x' => text.push(char::from_u32(hex(cursor, 2)?).ok_or(Stop::No)?),
        'U' => text.push(char::from_u32(hex(cursor, 8)?).ok_or(Stop::No)?),
        'u' => {
            let mut code = hex(cursor, 4)?;
            if (0xd800..0xdc00).contains(&code) && cursor.has("\\u")? {
                let low = hex(cursor, 4)?.checked_sub(0xdc00).filter(|low| *low < 0x400).ok_or(Stop::No)?;
                code = 0x1_0000 + ((code - 0xd800) << 10) + low;
            }
            text.push(char::from_u32(code).ok_or(Stop::No)?);
        }
        // Python keeps the backslash of an unknown escape.
        other => text.extend(['\\', other]),
    }
    Ok(())
}

fn hex(cursor: &mut Cursor<'_>, digits: usize) -> Read<u32> {
    let Some(text) = cursor.rest.get(..digits) else {
        return Err(if cursor.rest.len() < digits { Stop::More } else { Stop::No });
    };
    cursor.skip(digits);
    u32::from_str_radix(text, 16).map_err(|_| Stop::No)
}

/// FunctionGemma and Gemma 4: `call:f{key:<escape>text<escape>,count:3}`.
pub(super) fn gemma(cursor: &mut Cursor<'_>) -> Read<Said> {
    cursor.space();
    cursor.take("call:")?;
    let name = cursor.run(|c| c != '{' && !c.is_whitespace())?;
    let mut arguments = String::new();
    bare(cursor, &mut arguments, MAX_DEPTH)?;
    if !arguments.starts_with('{') {
        return Err(Stop::No);
    }
    Ok(Said { name: name.trim_start_matches(':').to_owned(), arguments: Some(arguments) })
}

/// A value whose keys and words are bare and whose texts stand between marks.
fn bare(cursor: &mut Cursor<'_>, out: &mut String, depth: usize) -> Read<()> {
    let depth = depth.checked_sub(1).ok_or(Stop::No)?;
    cursor.space();
    for mark in ["<escape>", "<|\"|>"] {
        if cursor.has(mark)? {
            out.push_str(&quoted(cursor.until(mark)?));
            return Ok(());
        }
    }
    match cursor.peek()? {
        '[' => sequence(cursor, out, ']', (|cursor: &mut _, out: &mut _| bare(cursor, out, depth), ('[', ']'))),
        '{' => {
            let pair = |cursor: &mut Cursor<'_>, out: &mut String| {
                let key = cursor.until(":")?.trim();
                let key = key.trim_start_matches("<|\"|>").trim_end_matches("<|\"|>");
                out.push_str(&quoted(key));
                out.push(':');
                bare(cursor, out, depth)
            };
            sequence(cursor, out, '}', (pair, ('{', '}')))
        }
        _ => {
            let word = cursor.run(|c| !",}]".contains(c))?.trim_end();
            let plain = serde_json::from_str::<&RawValue>(word).is_ok();
            out.push_str(&if plain { word.to_owned() } else { quoted(word) });
            Ok(())
        }
    }
}
