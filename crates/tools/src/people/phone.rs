//! `phone_call`: calls that say something, and the names of the numbers that are called.
//!
//! A call is an act: the door knows which number a name stands for, so that this number is judged and shown. Contacts are a
//! file like any other; its state before the last change lies beside it, and comes back where the file cannot be read.

use super::contacts::{Contacts, PhoneNumber};
use crate::edit::diff;
use crate::files::{Delta, Found, Plan, commit, find, too_large};
use crate::operation::{Args, Operation, ToolOptions};
use palanca_core::call::{Act, ActKind, Claims, Effect, ErrorKind, WriteKind};
use palanca_core::ports::{Change, FilesHandle};
use palanca_core::{Message, Output, Preview, Text, ToolCx, ToolError};
use serde::Serialize;
use serde_json::{Value, json};

/// Bytes of a file of contacts.
const LARGEST: u64 = 1 << 20;
/// Characters of a message: two minutes of speech. The door has a limit, too.
const LONGEST: usize = 3_000;
/// Characters of a name.
const NAME: usize = 100;
/// How often a message may be said.
const MOST_TIMES: u32 = 5;
/// Contacts that an error names.
const NAMED: usize = 20;

#[derive(Args, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PhoneAction {
    Call,
    AddContact,
    ListContacts,
    RemoveContact,
}

pub(crate) struct Phone<'a> {
    pub(crate) action: PhoneAction,
    pub(crate) contact: Option<&'a str>,
    pub(crate) message: Option<&'a str>,
    pub(crate) number: Option<&'a str>,
    pub(crate) times: u32,
    pub(crate) options: &'a ToolOptions,
}

fn invalid(message: Message) -> ToolError {
    ToolError::new(ErrorKind::InvalidArguments, message)
}

fn missing(name: &'static str) -> ToolError {
    invalid(Message::new("phone-missing").with("name", name))
}

fn given(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

/// A number as an argument says it.
fn number(text: &str) -> Result<PhoneNumber, ToolError> {
    PhoneNumber::parse(text).ok_or_else(|| invalid(Message::new("phone-number-invalid").with("number", text)))
}

/// That nobody of this name is known, and who is.
#[must_use]
pub fn no_contact(name: &str, contacts: &Contacts) -> ToolError {
    let known = contacts.entries().map(|(name, _)| name).take(NAMED).collect::<Vec<_>>().join(", ");
    let key = if known.is_empty() { "phone-no-contacts" } else { "phone-no-contact" };
    ToolError::new(ErrorKind::NotFound, Message::new(key).with("contact", name).with("known", known))
}

/// That the file of contacts cannot be read, and what mends it.
#[must_use]
pub fn broken_contacts(path: &str, detail: impl Into<String>) -> ToolError {
    ToolError::new(
        ErrorKind::Failed,
        Message::new("phone-contacts-broken").with("path", path).with("detail", detail.into()),
    )
}

impl Phone<'_> {
    fn path(&self) -> &str {
        &self.options.phone.contacts
    }

    /// The state before the last change.
    fn before(&self) -> String {
        format!("{}.bak", self.path())
    }

    /// Where a file goes that cannot be read.
    fn aside(&self) -> String {
        format!("{}.corrupt", self.path())
    }

    /// Whom it calls, as it was said: a number, a name, or nobody where the operator's default is meant.
    fn call(&self) -> Result<Act, ToolError> {
        let message = given(self.message).ok_or_else(|| missing("message"))?;
        if message.chars().nth(LONGEST).is_some() {
            return Err(invalid(Message::new("phone-message-too-long").with("longest", LONGEST)));
        }
        if !(1..=MOST_TIMES).contains(&self.times) {
            return Err(invalid(Message::new("phone-loop").with("most", MOST_TIMES)));
        }
        let target = match (given(self.number), given(self.contact)) {
            (Some(text), _) => number(text)?.to_string(),
            (None, Some(text)) if text.starts_with('+') => number(text)?.to_string(),
            (None, Some(_)) => self.name()?.to_owned(),
            (None, None) => String::new(),
        };
        let target = if self.times == 1 { target } else { format!("{target}/loop={}", self.times) };
        Ok(Act::new(ActKind::PhoneCall, target, message))
    }

    fn name(&self) -> Result<&str, ToolError> {
        let name = given(self.contact).ok_or_else(|| missing("contact"))?;
        let is_one = !name.starts_with('+') && name.chars().nth(NAME).is_none();
        if !is_one || name.contains(|character: char| character.is_control() || character == '/') {
            return Err(invalid(Message::new("phone-name-invalid").with("name", name).with("longest", NAME)));
        }
        Ok(name)
    }

    /// The change of the contacts, as it is judged.
    fn change(&self) -> Result<Act, ToolError> {
        let number = match self.action {
            PhoneAction::AddContact => number(given(self.number).ok_or_else(|| missing("phone_number"))?)?.to_string(),
            _ => String::new(),
        };
        Ok(Act::new(ActKind::ChangeContact, self.name()?.to_lowercase(), number))
    }

    /// The contacts with the change, and what is said of it.
    fn changed(&self, contacts: &mut Contacts) -> Result<Message, ToolError> {
        let name = self.name()?;
        if self.action == PhoneAction::RemoveContact {
            let number = contacts.remove(name).ok_or_else(|| no_contact(name, contacts))?;
            return Ok(Message::new("phone-contact-removed").with("contact", name).with("number", number));
        }
        let number = number(given(self.number).ok_or_else(|| missing("phone_number"))?)?;
        let said = |key| Message::new(key).with("contact", name).with("number", number.as_str());
        Ok(match contacts.set(name, &number) {
            Some(before) if before != number.as_str() => said("phone-contact-changed").with("before", before),
            _ => said("phone-contact-added"),
        })
    }

    fn plan(&self, files: &FilesHandle) -> Result<Plan<Text>, ToolError> {
        let [path, before, aside] = [self.path(), &self.before(), &self.aside()].map(|path| files.locate(path));
        let (path, before, aside) = (path?, before?, aside?);
        let found = find(files, &path, LARGEST)?;
        if let Found::TooLarge { size } = found {
            return Err(too_large(&path, size, LARGEST));
        }
        let (mut changes, mut report) = (Vec::new(), Text::default());
        let write =
            |path, content: &[u8], expect| Change::Write { path, content: content.to_vec(), expect, mode: None };
        let bytes = found.bytes().unwrap_or_default();
        let text = if bytes.is_empty() { Some("") } else { found.text() };
        let mut contacts = match text.ok_or_else(|| "it is no text".to_owned()).and_then(Contacts::parse) {
            Ok(contacts) => {
                if !bytes.is_empty() {
                    let expect = find(files, &before, LARGEST)?.expect();
                    changes.push(write(before, bytes, expect));
                }
                contacts
            }
            Err(detail) => {
                let restored = find(files, &before, LARGEST)?.text().and_then(|text| Contacts::parse(text).ok());
                let key = if restored.is_some() { "phone-contacts-restored" } else { "phone-contacts-lost" };
                let said = Message::new(key).with("path", self.path()).with("detail", detail);
                report = said.with("aside", self.aside()).with("before", self.before()).into();
                let expect = find(files, &aside, LARGEST)?.expect();
                changes.push(write(aside, bytes, expect));
                restored.unwrap_or_default()
            }
        };
        let said = self.changed(&mut contacts)?;
        let after = contacts.text();
        let shown = diff::unified(&path.to_string(), text.filter(|text| !text.is_empty()), Some(&after));
        if after.as_bytes() == bytes {
            return Ok(Plan { changes: Vec::new(), diff: String::new(), deltas: Vec::new(), report: said.into() });
        }
        changes.insert(0, write(path, after.as_bytes(), found.expect()));
        let report = if changes.len() > 1 && !report.is_empty() { report.line(said) } else { said.into() };
        Ok(Plan { changes, diff: shown.text, deltas: vec![Delta::of(shown.stat)], report })
    }

    fn list(&self, files: &FilesHandle) -> Result<Output, ToolError> {
        let path = files.locate(self.path())?;
        let found = find(files, &path, LARGEST)?;
        let contacts = match (&found, found.text()) {
            (Found::Nothing, _) => Contacts::default(),
            (_, Some(text)) => Contacts::parse(text).map_err(|detail| broken_contacts(self.path(), detail))?,
            _ => return Err(broken_contacts(self.path(), "it is no text, or too large")),
        };
        let listed: Vec<Value> =
            contacts.entries().map(|(name, number)| json!({"contact": name, "phone_number": number})).collect();
        if listed.is_empty() {
            return Ok(Output::text(Message::new("phone-contacts-none")).with_data(json!([])));
        }
        let lines = contacts.entries().map(|(name, number)| format!("{name}: {number}")).collect::<Vec<_>>();
        Ok(Output::text(lines.join("\n")).with_data(Value::Array(listed)))
    }
}

impl Operation for Phone<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        Ok(match self.action {
            PhoneAction::Call => Effect::Act(Box::new(self.call()?)).into(),
            PhoneAction::ListContacts => Effect::ReadFile(self.path().to_owned()).into(),
            PhoneAction::AddContact | PhoneAction::RemoveContact => {
                let write = |path: String, kind| Effect::WriteFile { path, kind };
                let files = [
                    write(self.path().to_owned(), WriteKind::Edit),
                    write(self.before(), WriteKind::Replace),
                    write(self.aside(), WriteKind::Replace),
                ];
                std::iter::once(Effect::Act(Box::new(self.change()?))).chain(files).collect()
            }
        })
    }

    fn preview(&self, files: &FilesHandle) -> Result<Option<Preview>, ToolError> {
        match self.action {
            PhoneAction::Call | PhoneAction::ListContacts => Ok(None),
            // What cannot be done is the run's to say: in a dry run, too, the act is described and not tried.
            PhoneAction::AddContact | PhoneAction::RemoveContact => Ok(self.plan(files).ok().map(Plan::preview)),
        }
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        match self.action {
            PhoneAction::Call => {
                let acts = cx.acts();
                // What was judged: the number instead of the name.
                let act = acts.granted().next().cloned();
                let act = act.map_or_else(|| self.call(), Ok)?;
                acts.perform_aloud(&act, cx.voice()).await
            }
            PhoneAction::ListContacts => self.list(cx.files()),
            PhoneAction::AddContact | PhoneAction::RemoveContact => {
                let plan = commit(cx.files(), || self.plan(cx.files()))?;
                Ok(Output::text(plan.report).with_data(json!({"path": self.path()})).with_diff(plan.diff))
            }
        }
    }
}
