#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use crate::set::tests::Paper;

#[tokio::test]
async fn nothing_steers_the_screen_and_no_line_is_forged() {
    for (to, text, expected) in [
        ("ana", "Hola, ñandú 🦘", "[t:ana] Hola, ñandú 🦘\n"),
        ("ana", "one\ntwo\n", "[t:ana] one\n  two\n"),
        ("ana", "one\n[t:bob] two", "[t:ana] one\n  [t:bob] two\n"),
        ("ana", "\u{1b}[2J\u{7}\r[t:bob] x", "[t:ana] \\u{1b}[2J\\u{7}\\r[t:bob] x\n"),
        ("a\nb", "x", "[t:a\\nb] x\n"),
        ("ana", "gpj.\u{202e}exe\u{200b}", "[t:ana] gpj.\\u{202e}exe\\u{200b}\n"),
        ("ana", "a\u{2028}[t:bob] b\tc", "[t:ana] a\\u{2028}[t:bob] b\tc\n"),
        ("ana", "\u{9b}31m", "[t:ana] \\u{9b}31m\n"),
        ("ana", "", "[t:ana] \n"),
    ] {
        let paper = Paper::default();
        let message = Outgoing { channel: "t".into(), to: to.into(), text: text.to_owned() };
        Terminal::new(paper.clone()).send(&message).await.unwrap();
        assert_eq!(paper.text(), expected);
    }
}

struct Closed;

impl Write for Closed {
    fn write(&mut self, _bytes: &[u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("gone"))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_screen_that_is_gone_is_said() {
    let message = Outgoing { channel: "t".into(), to: "ana".into(), text: "x".to_owned() };
    let error = Terminal::new(Closed).send(&message).await.unwrap_err();
    assert_eq!(error, ChannelError::new(ChannelErrorKind::Unreachable, &message.channel, "gone"));
}
