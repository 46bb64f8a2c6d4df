//! A bot of Telegram as one of the operator's channels: messages out, and no more.

use super::{LONGEST, Telegram};
use crate::messenger::{Messenger, Trouble, split};
use crate::set::Channel;
use futures_util::future::BoxFuture;
use palanca_core::call::Outgoing;
use palanca_core::ports::{ChannelError, ChannelErrorKind};

impl Channel for Telegram {
    /// In as many parts as it needs. A part that may have been sent is not sent again.
    fn send<'a>(&'a self, message: &'a Outgoing) -> BoxFuture<'a, Result<(), ChannelError>> {
        Box::pin(async move {
            for part in split(&message.text, LONGEST) {
                let sent = Messenger::send(self, &message.to, part, &[]).await;
                sent.map_err(|trouble| failed(&trouble, message))?;
            }
            Ok(())
        })
    }
}

fn failed(trouble: &Trouble, message: &Outgoing) -> ChannelError {
    let (kind, detail) = match trouble {
        Trouble::Refused(_) | Trouble::Shared(_) => (ChannelErrorKind::Refused, "its token is not accepted".to_owned()),
        Trouble::Never(_) => {
            (ChannelErrorKind::Refused, "is it the number of a chat that has written to the bot?".to_owned())
        }
        Trouble::Busy(time) => {
            (ChannelErrorKind::Unreachable, format!("too many messages; it can be tried in {} s", time.as_secs()))
        }
        Trouble::Away(_) => (ChannelErrorKind::Unreachable, "Telegram gave no answer".to_owned()),
    };
    ChannelError::new(kind, &message.channel, detail)
}
