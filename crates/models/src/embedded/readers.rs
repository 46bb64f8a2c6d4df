//! The readers of the table: each starts after a marker and takes the calls of one group, with its closing markers.

use super::cursor::{Cursor, Read, Stop};
pub(super) use super::tagged::minimax_m3;
use super::{Said, json, pythonic, tagged};
use crate::names::Names;

/// Longest header of a gpt-oss message, in bytes.
const MAX_HEADER: usize = 300;

/// JSON, and what closes it.
pub(super) fn json(cursor: &mut Cursor<'_>, _: &Names<'_>, close: &str) -> Read<Vec<Said>> {
    let calls = json::calls(cursor)?;
    cursor.close(close)?;
    Ok(calls)
}

/// JSON that models close or leave open.
pub(super) fn json_perhaps_closed(cursor: &mut Cursor<'_>, _: &Names<'_>, close: &str) -> Read<Vec<Said>> {
    let calls = json::calls(cursor)?;
    perhaps_closed(cursor, close)?;
    Ok(calls)
}

fn perhaps_closed(cursor: &mut Cursor<'_>, close: &str) -> Read<()> {
    let mut after = *cursor;
    after.space();
    if after.has(close)? {
        *cursor = after;
    }
    Ok(())
}

pub(super) fn functions(cursor: &mut Cursor<'_>, names: &Names<'_>, close: &str) -> Read<Vec<Said>> {
    cursor.space();
    cursor.take("<function=")?;
    let mut calls = vec![tagged::function(cursor, names)?];
    cursor.space();
    while cursor.has("<function=")? {
        calls.push(tagged::function(cursor, names)?);
        cursor.space();
    }
    cursor.close(close)?;
    Ok(calls)
}

pub(super) fn keyed_in_tool_call(cursor: &mut Cursor<'_>, names: &Names<'_>, _: &str) -> Read<Vec<Said>> {
    Ok(vec![tagged::keyed(cursor, names)?])
}

/// Without its outer tag, of which the closing one may have come.
pub(super) fn function(cursor: &mut Cursor<'_>, names: &Names<'_>, _: &str) -> Read<Vec<Said>> {
    let call = tagged::function(cursor, names)?;
    cursor.space();
    let _ = cursor.has("</tool_call>")?;
    Ok(vec![call])
}

pub(super) fn function_name(cursor: &mut Cursor<'_>, names: &Names<'_>, _: &str) -> Read<Vec<Said>> {
    Ok(vec![tagged::function_name(cursor, names)?])
}

/// Tags that mean other things, too.
pub(super) fn other_tags(cursor: &mut Cursor<'_>, _: &Names<'_>, _: &str) -> Read<Vec<Said>> {
    cursor.space();
    if cursor.peek()? != '{' {
        return Err(Stop::Words);
    }
    let calls = json::calls(cursor).map_err(|stop| if stop == Stop::No { Stop::Words } else { stop })?;
    cursor.space();
    let _ = cursor.has_any(&["</tools>", "</tool>", "</response>", "</json>", "</JSON>", "</xml>"])?;
    Ok(calls)
}

/// A list, one object a line, or GLM's form inside.
pub(super) fn tool_calls(cursor: &mut Cursor<'_>, names: &Names<'_>, close: &str) -> Read<Vec<Said>> {
    cursor.space();
    let mut calls = Vec::new();
    while cursor.has("<tool_call>")? {
        calls.push(tagged::keyed(cursor, names)?);
        cursor.space();
    }
    if calls.is_empty() {
        return json(cursor, names, close);
    }
    cursor.close(close)?;
    Ok(calls)
}

pub(super) fn functools(cursor: &mut Cursor<'_>, _: &Names<'_>, _: &str) -> Read<Vec<Said>> {
    if cursor.peek()? == '[' { json::calls(cursor) } else { Err(Stop::Words) }
}

pub(super) fn internlm(cursor: &mut Cursor<'_>, names: &Names<'_>, close: &str) -> Read<Vec<Said>> {
    cursor.space();
    cursor.take("<|plugin|>")?;
    json(cursor, names, close)
}

pub(super) fn gigachat(cursor: &mut Cursor<'_>, _: &Names<'_>, _: &str) -> Read<Vec<Said>> {
    cursor.space();
    let _ = cursor.has("function call<|role_sep|>")?;
    json::calls(cursor)
}

pub(super) fn inkling(cursor: &mut Cursor<'_>, names: &Names<'_>, close: &str) -> Read<Vec<Said>> {
    cursor.space();
    if cursor.peek()? != '{' {
        let _ = cursor.name()?;
        cursor.take("<|content_invoke_tool_json|>")?;
    }
    json(cursor, names, close)
}

pub(super) fn apertus(cursor: &mut Cursor<'_>, _: &Names<'_>, close: &str) -> Read<Vec<Said>> {
    let calls = json::short(cursor)?;
    cursor.close(close)?;
    Ok(calls)
}

pub(super) fn solar(cursor: &mut Cursor<'_>, _: &Names<'_>, close: &str) -> Read<Vec<Said>> {
    cursor.space();
    let _ = cursor.has("<|tool_call:begin|>")?;
    let _ = cursor.run(|c| c.is_alphanumeric() || "_-.".contains(c))?;
    cursor.take("<|tool_call:name|>")?;
    let name = cursor.name()?;
    cursor.take("<|tool_call:args|>")?;
    let call = json::named(cursor, name)?;
    cursor.close(close)?;
    Ok(vec![call])
}

/// A list of objects; or a name, perhaps an id, and the arguments.
pub(super) fn mistral(cursor: &mut Cursor<'_>, _: &Names<'_>, _: &str) -> Read<Vec<Said>> {
    cursor.space();
    if matches!(cursor.peek()?, '[' | '{') {
        return json::calls(cursor);
    }
    let name = cursor.name()?;
    if cursor.has("[CALL_ID]")? {
        let _ = cursor.run(char::is_alphanumeric)?;
    }
    let _ = cursor.has("[ARGS]")?;
    Ok(vec![json::named(cursor, name)?])
}

/// The tokens are spelt in three ways, and every one of them but the separator may be missing.
pub(super) fn deepseek(cursor: &mut Cursor<'_>, names: &Names<'_>, _: &str) -> Read<Vec<Said>> {
    let mut calls = Vec::new();
    loop {
        cursor.space();
        if cursor.has_any(&["<｜tool▁calls▁end｜>", "<｜tool_calls_end｜>", "<｜tool calls end｜>"])? {
            break;
        }
        let begins = cursor.has_any(&["<｜tool▁call▁begin｜>", "<｜tool_call_begin｜>", "<｜tool call begin｜>"])?;
        if !begins && !calls.is_empty() {
            break;
        }
        let head = cursor.run(|c| c != '<' && c != '\n' && c != '`')?.trim();
        if !cursor.has_any(&["<｜tool▁sep｜>", "<｜tool_sep｜>", "<｜tool sep｜>"])? {
            return Err(Stop::No);
        }
        cursor.space();
        calls.extend(match head {
            "function" if cursor.peek()? == '<' => tagged::invokes(cursor, "steptml:", names)?,
            "function" => {
                let name = cursor.name()?;
                cursor.space();
                cursor.take("```json")?;
                let call = json::named(cursor, name)?;
                cursor.close("```")?;
                vec![call]
            }
            name => vec![json::named(cursor, name)?],
        });
        cursor.space();
        let _ = cursor.has_any(&["<｜tool▁call▁end｜>", "<｜tool_call_end｜>", "<｜tool call end｜>"])?;
    }
    if calls.is_empty() { Err(Stop::No) } else { Ok(calls) }
}

pub(super) fn dsml(cursor: &mut Cursor<'_>, names: &Names<'_>, _: &str) -> Read<Vec<Said>> {
    cursor.space();
    let calls = tagged::invokes(cursor, "｜DSML｜", names)?;
    cursor.space();
    let _ = cursor.has_any(&["</｜DSML｜function_calls>", "</｜DSML｜tool_calls>"])?;
    Ok(calls)
}

pub(super) fn dsml_invoke(cursor: &mut Cursor<'_>, names: &Names<'_>, _: &str) -> Read<Vec<Said>> {
    let call = tagged::invoke(cursor, "｜DSML｜", names)?;
    cursor.space();
    let _ = cursor.has_any(&["</｜DSML｜function_calls>", "</｜DSML｜tool_calls>"])?;
    Ok(vec![call])
}

pub(super) fn kimi(cursor: &mut Cursor<'_>, _: &Names<'_>, _: &str) -> Read<Vec<Said>> {
    let mut calls = Vec::new();
    loop {
        cursor.space();
        let begins = cursor.has("<|tool_call_begin|>")?;
        if !begins && !calls.is_empty() {
            let _ = cursor.has_any(&["<|tool_calls_section_end|>", "<|tool_call_section_end|>"])?;
            return Ok(calls);
        }
        cursor.space();
        let id = cursor.name()?;
        cursor.space();
        cursor.take("<|tool_call_argument_begin|>")?;
        calls.push(json::named(cursor, id)?);
        cursor.close("<|tool_call_end|>")?;
    }
}

/// A message of gpt-oss to a function. One without a recipient is a thought or an answer.
pub(super) fn harmony(cursor: &mut Cursor<'_>, _: &Names<'_>, close: &str) -> Read<Vec<Said>> {
    let Some((header, after)) = cursor.rest.split_once("<|message|>") else {
        return Err(if cursor.rest.len() > MAX_HEADER { Stop::Words } else { Stop::More });
    };
    let (_, recipient) = header.split_once("to=").filter(|_| header.len() <= MAX_HEADER).ok_or(Stop::Words)?;
    let name = recipient.split(|c: char| c.is_whitespace() || c == '<').next().unwrap_or_default();
    cursor.rest = after;
    let call = json::named(cursor, name)?;
    cursor.close(close)?;
    Ok(vec![call])
}

/// The same where a server drops the tokens, or where they stand in the prompt.
pub(super) fn harmony_stripped(cursor: &mut Cursor<'_>, _: &Names<'_>, _: &str) -> Read<Vec<Said>> {
    let name = cursor.run(|c| c.is_alphanumeric() || "_-.".contains(c))?;
    let header = cursor.run(|c| c != '{' && c != '\n')?.trim();
    if header.len() > MAX_HEADER || !(["", "json", "code"].contains(&header) || header.ends_with("<|message|>")) {
        return Err(Stop::Words);
    }
    let call = json::named(cursor, name)?;
    cursor.space();
    let _ = cursor.has("<|call|>")?;
    Ok(vec![call])
}

pub(super) fn minimax(cursor: &mut Cursor<'_>, names: &Names<'_>, close: &str) -> Read<Vec<Said>> {
    let calls = tagged::invokes(cursor, "", names)?;
    cursor.close(close)?;
    Ok(calls)
}

pub(super) fn anthropic(cursor: &mut Cursor<'_>, names: &Names<'_>, close: &str) -> Read<Vec<Said>> {
    let calls = tagged::invokes(cursor, "", names)?;
    perhaps_closed(cursor, close)?;
    Ok(calls)
}

pub(super) fn invoke(cursor: &mut Cursor<'_>, names: &Names<'_>, _: &str) -> Read<Vec<Said>> {
    Ok(vec![tagged::invoke(cursor, "", names)?])
}

pub(super) fn olmo(cursor: &mut Cursor<'_>, _: &Names<'_>, close: &str) -> Read<Vec<Said>> {
    let calls = pythonic::lines(cursor)?;
    cursor.close(close)?;
    Ok(calls)
}

pub(super) fn json_or_python_closed(cursor: &mut Cursor<'_>, _: &Names<'_>, close: &str) -> Read<Vec<Said>> {
    let calls = json_or_python(cursor)?;
    cursor.close(close)?;
    Ok(calls)
}

/// A list of either, or calls one by one.
fn json_or_python(cursor: &mut Cursor<'_>) -> Read<Vec<Said>> {
    cursor.space();
    match cursor.peek()? {
        '{' => json::calls(cursor),
        '[' => {
            let mut inside = *cursor;
            inside.skip(1);
            inside.space();
            if inside.peek()? == '{' { json::calls(cursor) } else { pythonic::list(cursor) }
        }
        _ => pythonic::lines(cursor),
    }
}

pub(super) fn python_tag(cursor: &mut Cursor<'_>, _: &Names<'_>, _: &str) -> Read<Vec<Said>> {
    json_or_python(cursor)
}

pub(super) fn functionary(cursor: &mut Cursor<'_>, _: &Names<'_>, _: &str) -> Read<Vec<Said>> {
    // Python's prompt looks the same.
    let name = cursor.name().map_err(|stop| if stop == Stop::No { Stop::Words } else { stop })?;
    cursor.take("\n")?;
    Ok(vec![json::named(cursor, name)?])
}

pub(super) fn gemma(cursor: &mut Cursor<'_>, _: &Names<'_>, close: &str) -> Read<Vec<Said>> {
    let call = pythonic::gemma(cursor)?;
    cursor.close(close)?;
    Ok(vec![call])
}

/// JSON without a marker is a call only if it has arguments.
pub(super) fn bare_json(cursor: &mut Cursor<'_>, names: &Names<'_>, _: &str) -> Read<Vec<Said>> {
    let calls = json_perhaps_closed(cursor, names, "</tool_call>")?;
    if calls.iter().all(|call| call.arguments.is_some()) { Ok(calls) } else { Err(Stop::No) }
}

pub(super) fn bare_python(cursor: &mut Cursor<'_>, _: &Names<'_>, _: &str) -> Read<Vec<Said>> {
    pythonic::list(cursor)
}

pub(super) fn bare_name(cursor: &mut Cursor<'_>, names: &Names<'_>, _: &str) -> Read<Vec<Said>> {
    let name = cursor.name()?;
    if names.meant(name).is_none() {
        return Err(Stop::No);
    }
    let _ = cursor.run(|c| c == ' ')?;
    cursor.take("\n")?;
    Ok(vec![json::named(cursor, name)?])
}

/// The content of a fence, whose language name may continue after the marker.
pub(super) fn fence(cursor: &mut Cursor<'_>, names: &Names<'_>, close: &str) -> Read<Vec<Said>> {
    let _ = cursor.has("s")?;
    let _ = cursor.run(|c| c == ' ' || c == '\r')?;
    cursor.take("\n")?;
    json_or_python_closed(cursor, names, close)
}
