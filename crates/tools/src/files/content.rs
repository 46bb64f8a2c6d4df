//! What is in a file before it is changed, and in which form: encoding, byte order mark, line ends.

use super::shown::shown;
use palanca_core::call::{CanonicalPath, ErrorKind};
use palanca_core::ports::{ContentHash, Expect, FileError, FileErrorKind, FilesHandle, Metadata, OpenFile};
use palanca_core::{Message, ToolError};
use palanca_files::text::{self, Bom, Encoding, Eol, NotEncodable};
use std::borrow::Cow;
use std::io::{self, Read};

/// The byte order mark as a character.
pub(crate) const MARK: char = '\u{feff}';

/// The form of a text file, kept when the file is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextForm(text::Format);

impl TextForm {
    /// The text and its form; nothing when the bytes are not text.
    pub(crate) fn decode(bytes: &[u8]) -> Option<(Cow<'_, str>, Self)> {
        let decoded = text::decode(bytes).ok()?;
        Some((decoded.text, Self(decoded.format)))
    }

    /// A text with its byte order mark as a character of it, as diffs have it, and the form without the mark.
    pub(crate) fn with_mark_in(self, text: String) -> (String, Self) {
        match self.0.bom {
            Bom::Absent => (text, self),
            Bom::Present => (format!("{MARK}{text}"), Self(text::Format { bom: Bom::Absent, ..self.0 })),
        }
    }

    /// The encoding's name, when it is not UTF-8.
    pub(crate) fn notable(&self) -> Option<&'static str> {
        match self.0.encoding {
            Encoding::Utf8 => None,
            other => Some(other.name()),
        }
    }

    /// The text as bytes of this form, its line ends as they are.
    pub(crate) fn encode(&self, text: &str, path: &CanonicalPath) -> Result<Vec<u8>, ToolError> {
        text::encode(text, &self.0).map_err(|error| not_encodable(path, &error))
    }

    /// A whole new content in this form. Line ends become CRLF where the form has nothing else and the content has no
    /// `\r`; nothing when the encoding lacks a character.
    pub(crate) fn encode_whole<'c>(&self, content: &'c str) -> Option<Cow<'c, [u8]>> {
        let text = self.with_line_ends(content);
        match (self.0.encoding, self.0.bom, text) {
            (Encoding::Utf8, Bom::Absent, Cow::Borrowed(same)) => Some(Cow::Borrowed(same.as_bytes())),
            (_, _, text) => text::encode(&text, &self.0).ok().map(Cow::Owned),
        }
    }

    /// An addition to the end of a text of this form.
    pub(crate) fn encode_piece(&self, content: &str, path: &CanonicalPath) -> Result<Vec<u8>, ToolError> {
        let mut bytes = self.encode(&self.with_line_ends(content), path)?;
        let mark = match (self.0.encoding, self.0.bom) {
            (_, Bom::Absent) | (Encoding::Windows1252, _) => 0,
            (Encoding::Utf8, Bom::Present) => 3,
            (Encoding::Utf16Le | Encoding::Utf16Be, Bom::Present) => 2,
        };
        bytes.drain(..mark);
        Ok(bytes)
    }

    fn with_line_ends<'c>(&self, content: &'c str) -> Cow<'c, str> {
        if self.0.eol == Eol::CrLf && !content.contains('\r') {
            Cow::Owned(content.replace('\n', "\r\n"))
        } else {
            Cow::Borrowed(content)
        }
    }
}

fn not_encodable(path: &CanonicalPath, error: &NotEncodable) -> ToolError {
    ToolError::new(
        ErrorKind::InvalidArguments,
        Message::new("file-not-encodable")
            .with("path", shown(path))
            .with("character", error.character.to_string())
            .with("line", error.line)
            .with("encoding", error.encoding.name()),
    )
}

/// The beginning of a text, without the half character that it may have been cut in.
pub(crate) fn whole_characters(start: &[u8]) -> &[u8] {
    let kept = match (start, std::str::from_utf8(start)) {
        // The first half of a pair stands in its high byte: 0xD8 to 0xDB.
        ([0xFE, 0xFF, .., 0xD8..=0xDB, _], _) | ([0xFF, 0xFE, .., 0xD8..=0xDB], _) => start.len() - 2,
        ([0xFE, 0xFF, ..] | [0xFF, 0xFE, ..], _) => start.len(),
        (_, Err(error)) if error.error_len().is_none() => error.valid_up_to(),
        _ => start.len(),
    };
    start.get(..kept).unwrap_or(start)
}

/// What stands at the path of a file that is to be changed.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    /// Nothing.
    Nothing,
    /// A text.
    Text {
        text: String,
        /// The bytes, where they are not the text's own.
        encoded: Option<Vec<u8>>,
        form: TextForm,
        /// Permission bits.
        mode: u32,
    },
    /// Something else.
    Binary { bytes: Vec<u8> },
    /// More than is read.
    TooLarge { size: u64 },
}

/// Looks at the file at `path`, as far as `limit` bytes.
pub(crate) fn find(files: &FilesHandle, path: &CanonicalPath, limit: u64) -> Result<Found, FileError> {
    let opened = match files.open(path) {
        Ok(opened) => opened,
        Err(error) if error.kind == FileErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(error),
    };
    let Metadata { size, mode, .. } = opened.info;
    if size > limit {
        return Ok(Found::TooLarge { size });
    }
    let bytes = read(opened, limit)
        .map_err(|error| FileError::new(FileErrorKind::Io, path.to_string()).detail(error.to_string()))?;
    if bytes.len() as u64 > limit {
        let size = bytes.len() as u64;
        return Ok(Found::TooLarge { size });
    }
    let decoded = TextForm::decode(&bytes).map(|(text, form)| match text {
        Cow::Borrowed(_) => (None, form),
        Cow::Owned(text) => (Some(text), form),
    });
    Ok(match decoded {
        Some((Some(text), form)) => Found::Text { text, encoded: Some(bytes), form, mode },
        Some((None, form)) => match String::from_utf8(bytes) {
            Ok(text) => Found::Text { text, encoded: None, form, mode },
            Err(error) => Found::Binary { bytes: error.into_bytes() },
        },
        None => Found::Binary { bytes },
    })
}

impl Found {
    /// The bytes, where they were read.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Text { encoded: Some(bytes), .. } | Self::Binary { bytes } => Some(bytes),
            Self::Text { text, .. } => Some(text.as_bytes()),
            Self::Nothing | Self::TooLarge { .. } => None,
        }
    }

    /// The text, if it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The form, if it is a text.
    pub(crate) const fn form(&self) -> Option<&TextForm> {
        match self {
            Self::Text { form, .. } => Some(form),
            _ => None,
        }
    }

    /// What must still be there when the change is made.
    pub(crate) fn expect(&self) -> Expect {
        match (self, self.bytes()) {
            (_, Some(bytes)) => Expect::Content(ContentHash::of_bytes(bytes)),
            (Self::Nothing, None) => Expect::Absent,
            (_, None) => Expect::Anything,
        }
    }
}

/// Reads all of it, but one byte more than `limit` at most: who gets that byte knows that there is more.
fn read(file: OpenFile, limit: u64) -> io::Result<Vec<u8>> {
    let most = limit.saturating_add(1);
    // One byte more than there should be, so that the end is met without growing.
    let room = file.info.size.saturating_add(1).min(most);
    let mut bytes = Vec::with_capacity(usize::try_from(room).unwrap_or_default());
    file.content.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a file that must not have grown above `limit` meanwhile.
pub(crate) fn read_up_to(file: OpenFile, path: &CanonicalPath, limit: u64) -> Result<Vec<u8>, ToolError> {
    let bytes = read(file, limit).map_err(|error| failed_read(path, &error))?;
    if bytes.len() as u64 > limit {
        return Err(FileError::new(FileErrorKind::Changed, path.to_string()).into());
    }
    Ok(bytes)
}

/// A read that the system ended.
pub(crate) fn failed_read(path: &CanonicalPath, error: &io::Error) -> ToolError {
    FileError::new(FileErrorKind::Io, path.to_string()).detail(error.to_string()).into()
}

/// The error for a file that is too large to be changed.
pub(crate) fn too_large(path: &CanonicalPath, size: u64, limit: u64) -> ToolError {
    ToolError::new(
        ErrorKind::TooLarge,
        Message::new("file-too-large-to-change").with("path", shown(path)).with("size", size).with("limit", limit),
    )
}

/// The error for a file that is not text.
pub(crate) fn binary(path: &CanonicalPath, size: u64) -> ToolError {
    ToolError::new(ErrorKind::Binary, Message::new("file-binary").with("path", shown(path)).with("bytes", size))
}
