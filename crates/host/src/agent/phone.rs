//! Telephone calls: which number a name stands for, which numbers a person must have agreed to, and how many calls there may be.
//!
//! A call whose outcome is not known is never placed again: from before its request until its end is known it stands among
//! those that are under way, and one that was given up on stays there. All of this belongs to the process and the bot, not to one agent
//! of it: another is built when the configuration changes or another bot asks.

use super::bots;
use crate::fault::Fault;
use crate::workspace::Workspace;
use futures_util::future::BoxFuture;
use palanca_channels::{NotPlaced, PROVIDER, Secret, Spoken, TWILIO, Twilio, TwilioAccount};
use palanca_config::{Config, SecretText};
use palanca_core::call::{Access, Act, ActKind, Cancel, Effect, ErrorKind, Root, Scope, ToolError};
use palanca_core::gate::{CheckedCall, GateBuilder};
use palanca_core::ports::{Acts, Decision, FileErrorKind, Files, Guard, Verdict, Web};
use palanca_core::{Message, Output, ToolsetName};
use palanca_tools::{Contacts, PhoneNumber, PhoneOptions, broken_contacts, is_base, no_contact};
use parking_lot::Mutex;
use serde_json::json;
use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Bytes of a file of contacts.
const LARGEST: u64 = 1 << 20;
/// The time in which calls are counted.
const HOUR: Duration = Duration::from_secs(60 * 60);
/// The longest that a request takes.
const PATIENCE: Duration = Duration::from_secs(30);

/// What the tool needs to know.
pub fn options(config: &Config) -> PhoneOptions {
    PhoneOptions {
        enabled: config.phone_call.enabled,
        missing: missing(config),
        contacts: bots::within(&config.phone_call.contacts_file),
    }
}

/// The first setting without which nobody can be called.
fn missing(config: &Config) -> Option<&'static str> {
    let phone = &config.phone_call;
    let is_blank = |text: Option<&str>| text.is_none_or(|text| text.trim().is_empty());
    [
        (phone.account_sid.as_deref(), "phoneCall.accountSid"),
        (phone.auth_token.as_ref().map(SecretText::reveal), "phoneCall.authToken"),
        (phone.from_number.as_deref(), "phoneCall.fromNumber"),
    ]
    .into_iter()
    .find(|(value, _)| is_blank(*value))
    .map(|(_, key)| key)
}

/// Whether bots of this configuration call people.
fn is_on(config: &Config) -> bool {
    config.toolset == ToolsetName::Bots && config.phone_call.enabled && missing(config).is_none()
}

/// The address of the service, by the name that calls use for it.
pub(super) fn provider(config: &Config) -> Option<(String, String)> {
    let address = config.phone_call.base_url.as_deref().unwrap_or(TWILIO);
    is_on(config).then(|| (PROVIDER.to_owned(), address.to_owned()))
}

/// A number of the configuration; none where it is empty.
fn number(key: &'static str, text: &str) -> Result<Option<PhoneNumber>, Fault> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let wrong = || Fault::said(Message::new("cli-phone-number").with("key", key).with("value", text));
    PhoneNumber::parse(text).map(Some).ok_or_else(wrong)
}

/// The gate with calls, where there are any.
///
/// # Errors
/// What is wrong with the settings.
pub(super) fn add(
    gate: GateBuilder,
    config: &Config,
    place: &Workspace,
    web: &Arc<dyn Web>,
) -> Result<GateBuilder, Fault> {
    if !is_on(config) {
        return Ok(gate);
    }
    let phone = &config.phone_call;
    let contacts = bots::within(&phone.contacts_file);
    if !is_base(&contacts) || contacts.is_empty() {
        return Err(Fault::said(Message::new("cli-contacts-file").with("value", &phone.contacts_file)));
    }
    let wrong = |key: &'static str| Fault::said(Message::new("cli-phone-unset").with("key", key));
    let sid = phone.account_sid.as_deref().unwrap_or_default().trim();
    if !sid.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(wrong("phoneCall.accountSid"));
    }
    let token = phone.auth_token.as_ref().and_then(|token| Secret::new(token.reveal().trim()));
    let from = number("phoneCall.fromNumber", phone.from_number.as_deref().unwrap_or_default())?;
    let account = TwilioAccount {
        address: phone.base_url.clone().unwrap_or_else(|| TWILIO.to_owned()),
        sid: sid.to_owned(),
        token: token.ok_or_else(|| wrong("phoneCall.authToken"))?,
        from: from.ok_or_else(|| wrong("phoneCall.fromNumber"))?.to_string(),
        timeout: PATIENCE,
    };
    let guard = ContactsGuard { paths: [contacts.clone(), format!("{contacts}.bak")].map(PathBuf::from) };
    let phone = Arc::new(Phone {
        files: Arc::clone(&place.disk) as _,
        contacts,
        twilio: Twilio::new(Arc::clone(web), account),
        usual: number("phoneCall.defaultNumber", &phone.default_number)?,
        language: phone.language.clone(),
        voice: phone.voice.clone(),
        most: phone.max_calls_per_hour as usize,
        calls: place.host.phones.calls(config),
    });
    let gate = gate.acts(ActKind::PhoneCall, Arc::clone(&phone) as _).acts(ActKind::ChangeContact, phone);
    Ok(gate.guard(Arc::new(guard)))
}

/// The telephone of one bot.
struct Phone {
    files: Arc<dyn Files>,
    /// From the workspace's root.
    contacts: String,
    twilio: Twilio,
    usual: Option<PhoneNumber>,
    language: String,
    voice: String,
    most: usize,
    calls: Arc<Mutex<Calls>>,
}

/// A bot of this process: its workspace and its id.
type Whose = (String, String);

/// What was called by each bot of this process.
#[derive(Default)]
pub(crate) struct Phones(Mutex<HashMap<Whose, Arc<Mutex<Calls>>>>);

impl Phones {
    fn calls(&self, config: &Config) -> Arc<Mutex<Calls>> {
        let bot = bots::id(config).unwrap_or_default().to_owned();
        Arc::clone(self.0.lock().entry((config.workspace.root.clone(), bot)).or_default())
    }
}

/// What was called.
#[derive(Default)]
struct Calls {
    /// When, the oldest first.
    placed: VecDeque<Instant>,
    /// Those whose outcome is not known.
    open: Vec<Act>,
}

fn failed(message: Message) -> ToolError {
    ToolError::new(ErrorKind::Failed, message)
}

impl Phone {
    fn contacts(&self) -> Result<Contacts, ToolError> {
        let path = self.files.locate(&self.contacts)?;
        let opened = match self.files.open(&path) {
            Ok(opened) => opened,
            Err(error) if error.kind == FileErrorKind::NotFound => return Ok(Contacts::default()),
            Err(error) => return Err(error.into()),
        };
        let broken = |detail: String| broken_contacts(&self.contacts, detail);
        let mut text = String::new();
        let read = std::io::Read::read_to_string(&mut std::io::Read::take(opened.content, LARGEST + 1), &mut text);
        read.map_err(|error| broken(error.to_string()))?;
        Contacts::parse(&text).map_err(broken)
    }

    fn number(&self, who: &str) -> Result<PhoneNumber, ToolError> {
        if let Some(number) = PhoneNumber::parse(who) {
            return Ok(number);
        }
        if who.is_empty() {
            return self
                .usual
                .clone()
                .ok_or_else(|| ToolError::new(ErrorKind::InvalidArguments, Message::new("phone-nobody")));
        }
        let contacts = self.contacts()?;
        let found = contacts.find(who).ok_or_else(|| no_contact(who, &contacts))?;
        PhoneNumber::parse(found).ok_or_else(|| {
            let path = self.contacts.as_str();
            failed(Message::new("phone-contact-invalid").with("contact", who).with("number", found).with("path", path))
        })
    }

    /// Counts a call, which is under way from now on.
    fn take(&self, act: &Act) -> Result<(), ToolError> {
        let now = Instant::now();
        let mut calls = self.calls.lock();
        if calls.open.contains(act) {
            return Err(failed(Message::new("phone-unknown-before").with("number", act.party())));
        }
        while calls.placed.front().is_some_and(|at| now.duration_since(*at) >= HOUR) {
            calls.placed.pop_front();
        }
        if calls.placed.len() >= self.most {
            let left = calls.placed.front().map_or(HOUR, |at| HOUR.saturating_sub(now.duration_since(*at)));
            let message =
                Message::new("phone-too-many").with("most", self.most).with("minutes", left.as_secs() / 60 + 1);
            return Err(ToolError::new(ErrorKind::RateLimited, message));
        }
        calls.placed.push_back(now);
        calls.open.push(act.clone());
        Ok(())
    }

    fn spoken(&self, act: &Act, to: &PhoneNumber) -> Spoken {
        let (_, how) = act.parts();
        let times = how.and_then(|how| how.strip_prefix("loop=")).and_then(|times| times.parse().ok());
        Spoken {
            to: to.to_string(),
            text: act.content.clone(),
            times: times.unwrap_or(1),
            language: self.language.clone(),
            voice: self.voice.clone(),
        }
    }

    async fn call(&self, act: &Act, cancel: &Cancel) -> Result<Output, ToolError> {
        let spoken = self.spoken(act, &self.number(act.party())?);
        self.take(act)?;
        let ended = self.twilio.call(&spoken, cancel).await;
        if !matches!(ended, Err(NotPlaced::Unknown(_))) {
            self.calls.lock().open.retain(|open| open != act);
        }
        let number = spoken.to;
        match ended {
            Ok(placed) => {
                let sid = placed.sid.unwrap_or_else(|| "?".to_owned());
                let said = Message::new("phone-placed").with("number", number.as_str()).with("sid", sid.as_str());
                Ok(Output::text(said).with_data(json!({"to": number, "sid": sid})))
            }
            Err(NotPlaced::Never(why)) => {
                Err(failed(Message::new("phone-not-placed").with("number", number).with("why", why)))
            }
            Err(NotPlaced::Unknown(why)) => {
                Err(failed(Message::new("phone-maybe-placed").with("number", number).with("why", why)))
            }
        }
    }
}

impl Acts for Phone {
    fn locate(&self, act: &Act, _scope: &Scope) -> Result<Act, ToolError> {
        if act.kind != ActKind::PhoneCall {
            return Ok(act.clone());
        }
        let (who, how) = act.parts();
        let number = self.number(who)?;
        let target = how.map_or_else(|| number.to_string(), |how| format!("{number}/{how}"));
        let act = Act::new(act.kind, target, act.content.clone());
        let too_long = || ToolError::new(ErrorKind::InvalidArguments, Message::new("phone-message-too-long-xml"));
        self.spoken(&act, &number).twiml().map(|_| act).ok_or_else(too_long)
    }

    fn needs_a_person(&self, act: &Act, _scope: &Scope) -> Option<Message> {
        if act.kind == ActKind::ChangeContact {
            let adds = !act.content.is_empty();
            return adds.then(|| Message::new("phone-new-contact").with("contact", &act.target));
        }
        let number = PhoneNumber::parse(act.party());
        let is_known = number.as_ref().is_some_and(|number| {
            self.usual.as_ref() == Some(number) || self.contacts().is_ok_and(|contacts| contacts.has(number))
        });
        (!is_known).then(|| Message::new("phone-new-number").with("number", act.party()))
    }

    fn perform<'a>(
        &'a self,
        act: &'a Act,
        _scope: &'a Scope,
        cancel: &'a Cancel,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        match act.kind {
            ActKind::PhoneCall => Box::pin(self.call(act, cancel)),
            // A contact is changed by the change of its file, which the call holds a permit for.
            kind => Box::pin(async move { Err(failed(Message::new("act-no-door").with("kind", kind.name()))) }),
        }
    }
}

/// Who may be called is changed by the tool that says so, and by people.
struct ContactsGuard {
    /// The contacts and their state before, from the workspace's root.
    paths: [PathBuf; 2],
}

impl ContactsGuard {
    fn is_theirs(&self, relative: &Path) -> bool {
        self.paths.iter().any(|path| path == relative)
    }
}

impl Guard for ContactsGuard {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        if call.effects().acts().any(|kind| kind == ActKind::ChangeContact) {
            return None;
        }
        let mut paths = call.effects().iter().flat_map(Effect::paths);
        let (path, _) = paths.find(|(path, access)| {
            *access == Access::Write && path.root() == Root::Workspace && self.is_theirs(path.relative())
        })?;
        Some(Verdict {
            decision: Decision::Deny,
            rule: "phone.contacts".to_owned(),
            to_model: Message::new("phone-contacts-closed").with("path", path.to_string()),
            to_operator: path.to_string(),
        })
    }
}
