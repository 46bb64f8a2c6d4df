//! A file's content with its true size. Content above [`SHOWN`] bytes is cut, at a character, and only then does the
//! result have a `truncated`.

use super::output;
use crate::files::content::{binary, failed_read};
use crate::files::missing::open;
use crate::files::{TextForm, whole_characters};
use crate::operation::Operation;
use palanca_core::call::{Claims, Effect};
use palanca_core::{Output, ToolCx, ToolError};
use serde_json::{Value, json};
use std::io::Read as _;

/// 100 KB of the document.
const SHOWN: usize = 100 << 10;
/// Bytes of the longest character in any encoding that is read.
const LONGEST: usize = 4;

pub(crate) struct ReadFile<'a> {
    pub(crate) path: &'a str,
}

impl Operation for ReadFile<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        Ok(Effect::ReadFile(self.path.to_owned()).into())
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let files = cx.files();
        let opened = open(files, self.path)?;
        let (path, size) = (opened.path, opened.info.size);
        let mut bytes = Vec::new();
        let most = (SHOWN + LONGEST) as u64;
        opened.content.take(most).read_to_end(&mut bytes).map_err(|error| failed_read(&path, &error))?;
        let head = head(&bytes);
        let Some((content, _)) = TextForm::decode(head) else {
            return Err(binary(&path, size));
        };
        let mut content = content.into_owned();
        let mut truncated = head.len() < bytes.len();
        if content.len() > SHOWN {
            content.truncate(floor(&content, SHOWN));
            truncated = true;
        }
        let mut data = json!({"path": path.to_string(), "content": content, "size": size});
        if let (true, Value::Object(fields)) = (truncated, &mut data) {
            fields.insert("truncated".to_owned(), true.into());
        }
        let read = output(data);
        Ok(if truncated { read.truncated() } else { read })
    }
}

/// At most [`SHOWN`] bytes, without half a character at the end.
fn head(bytes: &[u8]) -> &[u8] {
    bytes.get(..SHOWN).filter(|_| bytes.len() > SHOWN).map_or(bytes, whole_characters)
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    #![allow(missing_docs)]
    use super::*;

    #[test]
    fn the_head_ends_at_a_character() {
        let check = |text: String, kept: usize| assert_eq!(head(text.as_bytes()).len(), kept, "{}", text.len());
        check("a".repeat(SHOWN), SHOWN);
        check("a".repeat(SHOWN + 1), SHOWN);
        check(format!("{}ñ", "a".repeat(SHOWN - 1)), SHOWN - 1);
        check(format!("{}🦀", "a".repeat(SHOWN - 3)), SHOWN - 3);
        check(format!("{}ñ", "a".repeat(SHOWN - 2)), SHOWN);
        let utf16 = |text: String| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_be_bytes).collect() };
        for (before, kept) in [(SHOWN / 2 - 2, SHOWN - 2), (SHOWN / 2 - 3, SHOWN)] {
            assert_eq!(head(&utf16(format!("\u{feff}{}🦀x", "a".repeat(before)))).len(), kept);
        }
        assert_eq!(SHOWN, 102_400);
    }
}
