//! Other bots, asked by the one that acts: each answers as itself, with its own files and model, and without tools.

use super::{bots, model, soul};
use crate::configuration::catalogue;
use crate::host::Host;
use crate::workspace::disk;
use futures_util::future::BoxFuture;
use palanca_agent::{Agent as Role, Allowed, AnswerForm, Asked, BotMode, Instructions, OtherBots};
use palanca_config::Config;
use palanca_core::call::Delegation;
use palanca_core::ports::NotTaken;
use palanca_core::{Catalogue as _, ConfirmMode};
use std::sync::Arc;

/// The others of a configuration.
pub struct Others {
    pub(crate) host: Arc<Host>,
    pub(crate) config: Arc<Config>,
}

impl OtherBots for Others {
    fn bot<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Asked> {
        Box::pin(async move {
            let known = bots::others(&self.config);
            if !known.iter().any(|other| other.id == id) {
                let known =
                    known.iter().map(|other| Delegation::profile_of_bot(&other.id)).collect::<Vec<_>>().join(", ");
                return Err(NotTaken::UnknownProfile { name: Delegation::profile_of_bot(id), known });
            }
            let asking = bots::id(&self.config).unwrap_or_default();
            self.host.rounds.take(&self.config, asking, id).map_err(|seconds| NotTaken::Cooling { seconds })?;
            let own = bots::as_bot(&self.config, id);
            let why = |fault: crate::Fault| NotTaken::NoModel { why: catalogue(&self.config).render(&fault.message) };
            let model = model::model(&self.host, &own, 0).await.map_err(why)?;
            let disk = disk::disk(self.host.places(), &own).map_err(why)?;
            let notices = &**self.host.notices();
            let role = Role {
                name: Delegation::profile_of_bot(id),
                instructions: Instructions::Bot(soul::prompt(&own, BotMode::Conversation, &disk, Some(notices))),
                allowed: Allowed::Every,
                confirm_mode: ConfirmMode::Yolo,
                max_steps: 1,
                answer: AnswerForm::Text,
            };
            Ok((role, model))
        })
    }
}
