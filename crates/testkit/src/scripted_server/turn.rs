//! One turn of a script.

use serde_json::Value;

/// What the server does with one request.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    pub(super) kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Answer { text: String, calls: Vec<(String, String)>, usage: Option<(u64, u64)>, fault: Fault },
    Status { code: u16, retry_after: Option<u32>, message: String },
    Raw { content_type: String, body: String },
    Hangup,
    Hang,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    None,
    Malformed,
    DisconnectAfter(usize),
}

impl Turn {
    const fn of(kind: Kind) -> Self {
        Self { kind }
    }

    /// An answer with only text.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::of(Kind::Answer { text: text.to_owned(), calls: Vec::new(), usage: None, fault: Fault::None })
    }

    /// An answer that calls tools; ids are `call_0`, `call_1`, ….
    #[must_use]
    pub fn calls<'a>(calls: impl IntoIterator<Item = (&'a str, Value)>) -> Self {
        let turn = Self::text("");
        calls.into_iter().fold(turn, |turn, (name, arguments)| turn.and_call(name, &arguments.to_string()))
    }

    /// The same with text before the calls.
    #[must_use]
    pub fn with_text(mut self, said: &str) -> Self {
        if let Kind::Answer { text, .. } = &mut self.kind {
            said.clone_into(text);
        }
        self
    }

    /// The same with one more call, whose arguments may be broken.
    #[must_use]
    pub fn and_call(mut self, name: &str, arguments: &str) -> Self {
        if let Kind::Answer { calls, .. } = &mut self.kind {
            calls.push((name.to_owned(), arguments.to_owned()));
        }
        self
    }

    /// The same with these token counts instead of a quarter of the bytes.
    #[must_use]
    pub fn with_usage(mut self, input: u64, output: u64) -> Self {
        if let Kind::Answer { usage, .. } = &mut self.kind {
            *usage = Some((input, output));
        }
        self
    }

    /// The same with a broken event in the middle; a broken body if it does not stream.
    #[must_use]
    pub fn malformed(self) -> Self {
        self.with_fault(Fault::Malformed)
    }

    /// The same, but the connection breaks after this many bytes of the body.
    #[must_use]
    pub fn disconnect_after(self, bytes: usize) -> Self {
        self.with_fault(Fault::DisconnectAfter(bytes))
    }

    fn with_fault(mut self, wanted: Fault) -> Self {
        if let Kind::Answer { fault, .. } = &mut self.kind {
            *fault = wanted;
        }
        self
    }

    /// An error status with a message in the form of the wire.
    #[must_use]
    pub fn status(code: u16, message: &str) -> Self {
        Self::of(Kind::Status { code, retry_after: None, message: message.to_owned() })
    }

    /// 429 with `Retry-After`, in seconds.
    #[must_use]
    pub fn rate_limited(retry_after: u32) -> Self {
        Self::of(Kind::Status { code: 429, retry_after: Some(retry_after), message: "slow down".to_owned() })
    }

    /// This body, for any request.
    #[must_use]
    pub fn raw(content_type: &str, body: &str) -> Self {
        Self::of(Kind::Raw { content_type: content_type.to_owned(), body: body.to_owned() })
    }

    /// The connection is closed without an answer.
    #[must_use]
    pub const fn hangup() -> Self {
        Self::of(Kind::Hangup)
    }

    /// No answer ever comes.
    #[must_use]
    pub const fn hang() -> Self {
        Self::of(Kind::Hang)
    }
}
