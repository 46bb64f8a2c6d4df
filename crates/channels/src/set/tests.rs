#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use crate::Terminal;
use std::io::{Result as IoResult, Write};
use std::sync::Mutex;

/// A writer that keeps everything.
#[derive(Clone, Default)]
pub(crate) struct Paper(pub(crate) Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> IoResult<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> IoResult<()> {
        Ok(())
    }
}

impl Paper {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

fn to(channel: &str, text: impl Into<String>) -> Outgoing {
    Outgoing { channel: channel.into(), to: "ana".into(), text: text.into() }
}

/// Takes forever.
struct Deaf;

impl Channel for Deaf {
    fn send<'a>(&'a self, _message: &'a Outgoing) -> BoxFuture<'a, Result<(), ChannelError>> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn a_message_goes_to_its_channel_and_nowhere_else() {
    let (one, two) = (Paper::default(), Paper::default());
    let set = ChannelSet::new().with("two", Terminal::new(two.clone())).with("one", Terminal::new(one.clone()));
    assert_eq!(set.names(), [ChannelId::new("one"), ChannelId::new("two")]);
    let cancel = Cancel::new();
    set.send(&to("two", "hola"), &cancel).await.unwrap();
    assert_eq!((one.text(), two.text()), (String::new(), "[two:ana] hola\n".to_owned()));
    for (message, kind, detail) in [
        (to("three", "x"), ChannelErrorKind::Unknown, "one, two"),
        (to("One", "x"), ChannelErrorKind::Unknown, "one, two"),
        (to("one", "x".repeat(MOST_BYTES + 1)), ChannelErrorKind::TooLong, "65537 bytes, and 65536 is the most"),
    ] {
        let expected = ChannelError::new(kind, &message.channel, detail);
        assert_eq!(set.send(&message, &cancel).await, Err(expected));
    }
    set.send(&to("one", "x".repeat(MOST_BYTES)), &cancel).await.unwrap();
    let none = ChannelSet::new().send(&to("one", "x"), &cancel).await.unwrap_err();
    assert_eq!(none.kind, ChannelErrorKind::NotConfigured);
}

#[tokio::test]
async fn a_call_that_ends_waits_for_no_channel() {
    let set = ChannelSet::new().with("deaf", Deaf);
    let cancel = Cancel::new();
    let message = to("deaf", "x");
    let (sent, ()) = futures_util::future::join(set.send(&message, &cancel), async { cancel.cancel() }).await;
    assert_eq!(sent.unwrap_err().kind, ChannelErrorKind::Cancelled);
}
