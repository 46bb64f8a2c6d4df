//! Calls whose arguments stand in tags: a pair of tags for each parameter, and its text between them.
//!
//! A text may contain the closing tag itself, so a parameter ends only before another one or the end of the call.

use super::cursor::{Cursor, Read, Stop};
use super::typed;
use super::{Said, json};
use crate::names::Names;
use serde_json::Value;

/// The parameters of one call so far.
struct Parameters {
    name: String,
    schema: Option<Value>,
    arguments: String,
}

impl Parameters {
    fn of(name: &str, names: &Names<'_>) -> Self {
        let schema = names.meant(name).and_then(|tool| serde_json::from_str(tool.schema().get()).ok());
        Self { name: name.to_owned(), schema, arguments: String::from("{") }
    }

    /// Whether there are none yet: a name alone may be an ordinary word.
    fn is_empty(&self) -> bool {
        self.arguments.len() == 1
    }

    /// Whether the tool has this parameter.
    fn has(&self, key: &str) -> bool {
        self.schema.as_ref().and_then(|schema| schema.get("properties")?.get(key)).is_some()
    }

    /// Adds a parameter whose schema decides what its text stands for. The line breaks next to the tags are theirs.
    fn add(&mut self, key: &str, text: &str) {
        let text = text.strip_prefix('\n').unwrap_or(text);
        let text = text.strip_suffix('\n').unwrap_or(text);
        self.add_json(key, &typed::json(text, key, self.schema.as_ref()));
    }

    fn add_json(&mut self, key: &str, json: &str) {
        if self.arguments.len() > 1 {
            self.arguments.push(',');
        }
        self.arguments.push_str(&typed::quoted(key));
        self.arguments.push(':');
        self.arguments.push_str(json);
    }

    fn end(mut self) -> Said {
        self.arguments.push('}');
        Said { name: self.name, arguments: Some(self.arguments) }
    }
}

/// The text up to the closing tag that is followed by one of these.
fn value<'t>(cursor: &mut Cursor<'t>, close: &str, followers: &[&str]) -> Read<&'t str> {
    let text = cursor.rest;
    loop {
        let before = cursor.until(close)?;
        let length = text.len() - cursor.rest.len() - close.len();
        let mut after = *cursor;
        after.space();
        if after.rest.is_empty() || after.has_any(followers)? {
            return Ok(text.get(..length).unwrap_or(before));
        }
    }
}

/// A parameter's text. Some models forget its closing tag: it ends, then, before the next parameter that the tool has.
fn parameter<'t>(cursor: &mut Cursor<'t>, of: &Parameters) -> Read<&'t str> {
    const NEXT: &str = "\n<parameter=";
    let begun = *cursor;
    let text = value(cursor, "</parameter>", &["<parameter=", "</function>"])?;
    let next = text.match_indices(NEXT).find(|(at, _)| {
        let key = text.get(at + NEXT.len()..).and_then(|rest| rest.split_once('>')).map(|(key, _)| key);
        key.is_some_and(|key| of.has(key) && !text.get(..*at).unwrap_or_default().contains("<parameter="))
    });
    let Some((at, _)) = next else { return Ok(text) };
    *cursor = begun;
    cursor.skip(at);
    Ok(text.get(..at).unwrap_or_default())
}

/// Qwen3-Coder, Seed-OSS, Llama: `NAME>` behind `<function=`, then `<parameter=KEY>TEXT</parameter>` or JSON, `</function>`.
pub(super) fn function(cursor: &mut Cursor<'_>, names: &Names<'_>) -> Read<Said> {
    let name = cursor.name()?;
    cursor.take(">")?;
    cursor.space();
    let said = if cursor.rest.starts_with('{') {
        json::named(cursor, name)?
    } else {
        let mut parameters = Parameters::of(name, names);
        while cursor.has("<parameter=")? {
            let key = cursor.run(|c| c != '>' && c != '\n')?;
            cursor.take(">")?;
            parameters.add(key.trim(), parameter(cursor, &parameters)?);
            cursor.space();
        }
        parameters.end()
    };
    cursor.close("</function>")?;
    Ok(said)
}

/// MiniCPM, Hermes: `NAME">` behind `<function name="`, then `<param name="KEY">TEXT</param>` or JSON, `</function>`.
pub(super) fn function_name(cursor: &mut Cursor<'_>, names: &Names<'_>) -> Read<Said> {
    let name = cursor.name()?;
    cursor.take("\">")?;
    cursor.space();
    let said = if cursor.rest.starts_with('{') {
        json::named(cursor, name)?
    } else {
        let mut parameters = Parameters::of(name, names);
        while cursor.has("<param name=\"")? {
            let key = cursor.until("\">")?;
            let text = value(cursor, "</param>", &["<param name=", "</function>"])?;
            let inner = text.trim().strip_prefix("<![CDATA[").and_then(|text| text.strip_suffix("]]>"));
            parameters.add(key, inner.unwrap_or(text));
            cursor.space();
        }
        parameters.end()
    };
    cursor.close("</function>")?;
    Ok(said)
}

/// GLM, Hunyuan: `NAME`, then `<arg_key>KEY</arg_key><arg_value>TEXT</arg_value>`, `</tool_call>`.
pub(super) fn keyed(cursor: &mut Cursor<'_>, names: &Names<'_>) -> Read<Said> {
    cursor.space();
    let mut parameters = Parameters::of(cursor.name()?, names);
    cursor.space();
    let _ = cursor.has("<tool_sep>")?;
    cursor.space();
    while cursor.has("<arg_key>")? {
        let key = cursor.until("</arg_key>")?;
        cursor.space();
        cursor.take("<arg_value>")?;
        parameters.add(key.trim(), value(cursor, "</arg_value>", &["<arg_key>", "</tool_call>"])?);
        cursor.space();
    }
    if parameters.is_empty() { cursor.take("</tool_call>") } else { cursor.close("</tool_call>") }?;
    Ok(parameters.end())
}

/// `<invoke name="NAME">…</invoke>`, with a prefix behind `<` and `</`; as many as come.
pub(super) fn invokes(cursor: &mut Cursor<'_>, prefix: &str, names: &Names<'_>) -> Read<Vec<Said>> {
    let mut calls = Vec::new();
    cursor.space();
    while cursor.has(&format!("<{prefix}invoke name=\""))? {
        calls.push(invoke(cursor, prefix, names)?);
        cursor.space();
    }
    if calls.is_empty() { Err(Stop::No) } else { Ok(calls) }
}

/// `NAME">` behind `<invoke name="`, then `<parameter name="KEY">TEXT</parameter>`, `</invoke>`.
pub(super) fn invoke(cursor: &mut Cursor<'_>, prefix: &str, names: &Names<'_>) -> Read<Said> {
    let open = format!("<{prefix}parameter name=\"");
    let (close, end) = (format!("</{prefix}parameter>"), format!("</{prefix}invoke>"));
    let name = cursor.name()?;
    cursor.take("\"")?;
    cursor.space();
    cursor.take(">")?;
    cursor.space();
    if cursor.rest.starts_with('{') {
        let call = json::named(cursor, name)?;
        cursor.close(&end)?;
        return Ok(call);
    }
    let mut parameters = Parameters::of(name, names);
    while cursor.has(&open)? {
        let key = cursor.until("\"")?;
        let kind = cursor.until(">")?;
        let text = value(cursor, &close, &[&open, &end])?;
        if kind.contains("string=\"true\"") {
            parameters.add_json(key, &typed::quoted(text));
        } else {
            parameters.add(key, text);
        }
        cursor.space();
    }
    cursor.close(&end)?;
    Ok(parameters.end())
}

/// MiniMax M3: tags with a token before each, and the parameter's name as its tag. One inside another is not read.
pub(super) fn minimax_m3(cursor: &mut Cursor<'_>, names: &Names<'_>, _: &str) -> Read<Vec<Said>> {
    const TOKEN: &str = "]<]minimax[>[";
    let mut calls = Vec::new();
    cursor.space();
    cursor.take("<tool_call>")?;
    loop {
        cursor.space();
        cursor.take(TOKEN)?;
        if cursor.has("</tool_call>")? {
            return if calls.is_empty() { Err(Stop::No) } else { Ok(calls) };
        }
        cursor.take("<invoke name=\"")?;
        let mut parameters = Parameters::of(cursor.name()?, names);
        cursor.take("\">")?;
        loop {
            cursor.space();
            cursor.take(TOKEN)?;
            if cursor.has("</invoke>")? {
                break;
            }
            cursor.take("<")?;
            let key = cursor.name()?;
            cursor.take(">")?;
            let text = cursor.until(TOKEN)?;
            cursor.take(&format!("</{key}>"))?;
            parameters.add(key, text);
        }
        calls.push(parameters.end());
    }
}
