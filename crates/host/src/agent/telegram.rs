//! A bot's line to Telegram, from the configuration. Nothing is opened before its first request, and it reaches one address.

use super::bots;
use crate::fault::Fault;
use palanca_channels::{Secret, TELEGRAM, Telegram};
use palanca_config::Config;
use palanca_core::Message;
use palanca_net::NetClient;
use std::sync::Arc;

/// Which bot of Telegram it is, and where: another one is another line.
#[derive(Clone, PartialEq, Eq)]
pub struct Account {
    token: Secret,
    address: String,
}

impl std::fmt::Debug for Account {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Account").finish_non_exhaustive()
    }
}

impl Account {
    /// That of the bot that acts; none where it has no token.
    #[must_use]
    pub fn of(config: &Config) -> Option<Self> {
        let token = Secret::new(bots::own(config)?.token.as_ref()?.reveal().trim())?;
        Some(Self::new(config, token))
    }

    /// That of this token.
    pub(super) fn new(config: &Config, token: Secret) -> Self {
        let address = config.telegram.api_url.as_deref().unwrap_or(TELEGRAM).trim().to_owned();
        Self { token, address }
    }

    /// The line.
    ///
    /// # Errors
    /// An address that is none.
    pub fn line(&self) -> Result<Telegram, Fault> {
        let wrong = |reason: String| Fault::said(Message::new("telegram-bad-address").with("reason", reason));
        let client = NetClient::to(&self.address).map_err(|error| wrong(error.detail))?;
        Ok(Telegram::new(Arc::new(client), &self.address, self.token.clone()))
    }
}
