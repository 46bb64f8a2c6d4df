//! The file of a bot's jobs: JSON that people read and change, too. What it does not know stays in it.

use crate::schedule::{Schedule, ScheduleFault};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// All jobs of a bot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Jobs {
    /// Of the format.
    pub version: u32,
    /// In the order in which they were made.
    pub jobs: Vec<Job>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// One job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// Its name for calls, unique in the file.
    pub id: String,
    /// Its name for people.
    #[serde(default)]
    pub name: String,
    /// Whether it runs.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// Whether it goes with its run. None: if it is due once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delete_after_run: Option<bool>,
    /// Milliseconds since 1970.
    #[serde(default)]
    pub created_at_ms: i64,
    /// Milliseconds since 1970.
    #[serde(default)]
    pub updated_at_ms: i64,
    /// When it is due.
    pub schedule: Schedule,
    /// What it does.
    pub payload: Payload,
    /// What has become of it.
    #[serde(default)]
    pub state: State,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// What a job does.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Payload {
    /// [`MESSAGE`] or [`INSTRUCTION`].
    pub kind: String,
    /// The text.
    #[serde(default)]
    pub text: String,
    /// The chat that hears of it: a name or a number. None: the operator's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat_id: Option<Value>,
    /// The channel of that chat. None: the terminal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// The kind of a job whose text is said.
pub const MESSAGE: &str = "message";
/// The kind of a job whose text the bot follows.
pub const INSTRUCTION: &str = "instruction";
/// The channel of the turns of jobs. No chat is there: nobody reads it.
pub const CHANNEL: &str = "schedule";
/// The chat of a job that names none.
pub const OPERATOR: &str = "operator";
/// The channel of a chat that names none.
const TERMINAL: &str = "terminal";

impl Payload {
    /// For a chat, by channel and name. What the turn of a job asks for is the operator's.
    #[must_use]
    pub fn new(kind: &str, text: &str, chat: Option<(&str, &str)>) -> Self {
        let chat = chat.filter(|chat| chat.0 != CHANNEL && *chat != (TERMINAL, OPERATOR));
        Self {
            kind: kind.to_owned(),
            text: text.to_owned(),
            chat_id: chat.map(|(_, name)| name.into()),
            channel: chat.map(|(channel, _)| channel.to_owned()).filter(|channel| channel != TERMINAL),
            rest: Map::new(),
        }
    }

    /// Channel and name of the chat that hears of it.
    #[must_use]
    pub fn chat(&self) -> (String, String) {
        let channel = self.channel.as_deref().unwrap_or(TERMINAL);
        if channel == CHANNEL {
            return (TERMINAL.to_owned(), OPERATOR.to_owned());
        }
        let name = match &self.chat_id {
            Some(Value::String(name)) if !name.trim().is_empty() => name.trim().to_owned(),
            Some(Value::Number(number)) => number.to_string(),
            _ => OPERATOR.to_owned(),
        };
        (channel.to_owned(), name)
    }
}

/// What has become of a job. Times are milliseconds since 1970.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    /// When it is due. None: as the schedule says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_run_at_ms: Option<i64>,
    /// When it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_run_at_ms: Option<i64>,
    /// `ok`, `error` or `skipped`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_status: Option<String>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// Failures since the last success.
    #[serde(default)]
    pub consecutive_errors: u32,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// A job to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct NewJob {
    /// See [`Job`].
    pub id: String,
    /// See [`Job`].
    pub name: String,
    /// Checked.
    pub schedule: Schedule,
    /// What it does.
    pub payload: Payload,
    /// None: if it is due once.
    pub delete_after_run: Option<bool>,
}

/// Why the file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobsFault(pub String);

impl Default for Jobs {
    fn default() -> Self {
        Self { version: 1, jobs: Vec::new(), rest: Map::new() }
    }
}

impl Jobs {
    /// The jobs of a file.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn parse(text: &str) -> Result<Self, JobsFault> {
        serde_json::from_str(text).map_err(|error| JobsFault(error.to_string()))
    }

    /// What can be read of a file that is none: each job up to the first place where it is no JSON any more, without those that are no
    /// jobs.
    #[must_use]
    pub fn readable(text: &str) -> Self {
        let mut jobs = Self::default();
        let list = text.split_once("\"jobs\"").and_then(|(_, rest)| rest.trim_start().strip_prefix(':'));
        let mut rest = list.and_then(|rest| rest.trim_start().strip_prefix('[')).unwrap_or_default();
        loop {
            rest = rest.trim_start_matches(|one: char| one.is_whitespace() || one == ',');
            let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
            let Some(Ok(value)) = values.next() else { return jobs };
            rest = rest.get(values.byte_offset()..).unwrap_or_default();
            jobs.jobs.extend(serde_json::from_value::<Job>(value));
        }
    }

    /// The file of these jobs.
    #[must_use]
    pub fn text(&self) -> String {
        // Plain data always serialises.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The job of this id, or the only one of this name.
    #[must_use]
    pub fn find(&self, wanted: &str) -> Option<usize> {
        let wanted = wanted.trim();
        if wanted.is_empty() {
            return None;
        }
        let by_id = self.jobs.iter().position(|job| job.id == wanted);
        by_id.or_else(|| {
            let mut named = self.jobs.iter().enumerate().filter(|(_, job)| job.name.eq_ignore_ascii_case(wanted));
            let (at, _) = named.next()?;
            named.next().is_none().then_some(at)
        })
    }

    /// Adds one.
    ///
    /// # Errors
    /// Its schedule has no moment after `now`.
    pub fn add(&mut self, new: NewJob, now: Timestamp, zone: &str) -> Result<&Job, ScheduleFault> {
        let next = new.schedule.next(now, zone)?.map(Timestamp::as_millisecond);
        let once = matches!(new.schedule, Schedule::At { .. });
        let now = now.as_millisecond();
        let at = self.jobs.len();
        self.jobs.push(Job {
            id: new.id,
            name: new.name,
            enabled: true,
            delete_after_run: new.delete_after_run.or(Some(once)),
            created_at_ms: now,
            updated_at_ms: now,
            schedule: new.schedule,
            payload: new.payload,
            state: State { next_run_at_ms: next, ..State::default() },
            rest: Map::new(),
        });
        self.jobs.get(at).ok_or_else(|| ScheduleFault::Never(String::new()))
    }

    /// Takes note that a job has run: it goes, rests, or waits for its next moment. Returns it as it was.
    pub fn ran(&mut self, at: usize, now: Timestamp, zone: &str) -> Option<Job> {
        self.ended(at, &Outcome::Ok, now, zone)
    }

    /// Takes note of what became of the run that was due then. None where the job is gone or waits for another moment by now.
    pub fn noted(&mut self, run: (&str, i64), outcome: &Outcome, now: Timestamp, zone: &str) -> Option<Job> {
        let at = self.jobs.iter().position(|job| job.id == run.0 && job.due(zone) == Some(run.1))?;
        self.ended(at, outcome, now, zone)
    }

    fn ended(&mut self, at: usize, outcome: &Outcome, now: Timestamp, zone: &str) -> Option<Job> {
        let job = self.jobs.get_mut(at)?;
        let before = job.clone();
        let once = matches!(job.schedule, Schedule::At { .. });
        if job.delete_after_run.unwrap_or(once) && *outcome == Outcome::Ok {
            self.jobs.remove(at);
            return Some(before);
        }
        let (state, ms) = (&mut job.state, now.as_millisecond());
        let next = job.schedule.next(now, zone).ok().flatten().map(Timestamp::as_millisecond);
        state.last_status = Some(outcome.name().to_owned());
        state.last_error = None;
        if *outcome != Outcome::Skipped {
            state.last_run_at_ms = Some(ms);
            state.consecutive_errors = 0;
        }
        state.next_run_at_ms = next;
        if let Outcome::Error(why) = outcome {
            let errors = before.state.consecutive_errors.saturating_add(1);
            state.last_error = Some(why.clone());
            state.consecutive_errors = errors;
            let rest = BACKOFF.get(errors as usize - 1).or(BACKOFF.last()).map_or(0, |seconds| seconds * 1_000);
            let is_over = once && errors as usize > BACKOFF.len();
            state.next_run_at_ms = if is_over { None } else { Some(next.unwrap_or(0).max(ms.saturating_add(rest))) };
        }
        job.enabled = job.state.next_run_at_ms.is_some();
        Some(before)
    }
}

/// Seconds before the next try after one failure, two, and so on; from the last on always as long.
const BACKOFF: [i64; 5] = [30, 60, 300, 900, 3600];

/// Milliseconds. A job that recurs and was due longer ago than this, while nobody was there, is skipped.
const LATE: i64 = 10 * 60_000;

/// What became of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is done.
    Ok,
    /// Why it failed.
    Error(String),
    /// Its moments passed while nobody was there.
    Skipped,
}

impl Outcome {
    /// As the file says it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error(_) => "error",
            Self::Skipped => "skipped",
        }
    }
}

impl Job {
    /// When it is due, in milliseconds since 1970; none where it rests, is over, or its schedule makes no sense.
    #[must_use]
    pub fn due(&self, zone: &str) -> Option<i64> {
        let since = self.state.last_run_at_ms.unwrap_or(self.created_at_ms);
        let scheduled = || self.schedule.next(Timestamp::from_millisecond(since).ok()?, zone).ok()?;
        let next = self.state.next_run_at_ms.or_else(|| scheduled().map(Timestamp::as_millisecond));
        next.filter(|_| self.enabled)
    }

    /// Whether none of its moments since `due` is recent. What is due once runs however late.
    pub(crate) fn is_missed(&self, due: i64, now: Timestamp, zone: &str) -> bool {
        let recently = Timestamp::from_millisecond(now.as_millisecond() - LATE - 1).unwrap_or(Timestamp::MIN);
        if matches!(self.schedule, Schedule::At { .. }) || due > recently.as_millisecond() {
            return false;
        }
        let latest = self.schedule.next(recently, zone).ok().flatten();
        latest.is_none_or(|latest| latest > now)
    }
}

const fn yes() -> bool {
    true
}

#[cfg(test)]
mod tests;
