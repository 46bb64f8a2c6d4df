//! Calls that are written as JSON: `name` or `tool_name` with `arguments`, `parameters` or `args`, also inside `function` or
//! `tool_calls`, one by one or in lists.

use super::Said;
use super::cursor::{Cursor, Read, Stop, decode, elements, members, with_controls_escaped};

const NAMES: [&str; 4] = ["name", "tool_name", "function_name", "function"];
const ARGUMENTS: [&str; 4] = ["arguments", "parameters", "args", "input"];
const WRAPPED: [&str; 3] = ["function", "tool_call", "function_call"];

/// Values until something else comes: `{…}`, `[{…}, {…}]`, `{…}; {…}`.
pub(super) fn calls(cursor: &mut Cursor<'_>) -> Read<Vec<Said>> {
    let mut calls = Vec::new();
    cursor.space();
    loop {
        if !matches!(cursor.peek()?, '{' | '[') {
            return Err(Stop::No);
        }
        read(cursor.json()?, &mut calls).ok_or(Stop::No)?;
        let mut after = *cursor;
        after.space();
        if after.rest.starts_with([';', ',']) {
            after.skip(1);
            after.space();
        }
        if after.rest.is_empty() {
            *cursor = after;
        }
        if !after.rest.starts_with(['{', '[']) {
            return if calls.is_empty() { Err(Stop::No) } else { Ok(calls) };
        }
        *cursor = after;
    }
}

/// The arguments alone, behind a name that stood before them.
pub(super) fn named(cursor: &mut Cursor<'_>, name: &str) -> Read<Said> {
    cursor.space();
    if cursor.peek()? != '{' {
        return Err(Stop::No);
    }
    let arguments = with_controls_escaped(cursor.json()?).into_owned();
    Ok(Said { name: name.to_owned(), arguments: Some(arguments) })
}

/// Apertus: `[{NAME: {…}}]`.
pub(super) fn short(cursor: &mut Cursor<'_>) -> Read<Vec<Said>> {
    cursor.space();
    let list = cursor.json()?;
    let call = |element: &str| {
        let (name, value) = members(element)?.pop()?;
        Some(Said { name, arguments: Some(arguments(value)?) })
    };
    elements(list).and_then(|elements| elements.into_iter().map(call).collect()).ok_or(Stop::No)
}

/// Whether a text that is not valid JSON began as a call of one of these tools.
pub(super) fn begins_a_call(text: &str, is_offered: impl Fn(&str) -> bool) -> bool {
    NAMES.iter().any(|key| {
        let Some((_, after)) = text.split_once(&format!("\"{key}\"")) else { return false };
        let mut cursor = Cursor::new(after.trim_start().trim_start_matches(':').trim_start(), super::cursor::End::Open);
        let Some(name) = cursor.json_string().ok().and_then(decode) else { return false };
        let rest = cursor.rest.trim_start().trim_start_matches(',').trim_start().trim_start_matches('"');
        is_offered(&name) && ARGUMENTS.iter().any(|key| rest.starts_with(key) || key.starts_with(rest))
    })
}

fn read(value: &str, calls: &mut Vec<Said>) -> Option<()> {
    if value.starts_with('[') {
        return elements(value)?.into_iter().try_for_each(|element| read(element, calls));
    }
    let members = members(value)?;
    let find =
        |keys: &[&str]| keys.iter().find_map(|key| members.iter().find(|(name, _)| name == key)).map(|(_, v)| *v);
    if let Some(list) = find(&["tool_calls"]) {
        return read(list, calls);
    }
    if let Some(inner) = find(&WRAPPED).filter(|inner| inner.starts_with('{')) {
        return read(inner, calls);
    }
    let arguments = match find(&ARGUMENTS) {
        Some(value) => Some(arguments(value)?),
        None => None,
    };
    calls.push(Said { name: decode(find(&NAMES)?)?, arguments });
    Some(())
}

fn arguments(value: &str) -> Option<String> {
    match value.chars().next()? {
        '{' => Some(with_controls_escaped(value).into_owned()),
        '"' => decode(value),
        _ if value == "null" => Some("{}".to_owned()),
        _ => None,
    }
}
