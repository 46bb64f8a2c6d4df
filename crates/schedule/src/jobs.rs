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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Payload {
    /// `message`: the text is said.
    pub kind: String,
    /// The text.
    #[serde(default)]
    pub text: String,
    #[serde(flatten)]
    rest: Map<String, Value>,
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
    /// What is said.
    pub text: String,
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
            payload: Payload { kind: "message".to_owned(), text: new.text, rest: Map::new() },
            state: State { next_run_at_ms: next, ..State::default() },
            rest: Map::new(),
        });
        self.jobs.get(at).ok_or_else(|| ScheduleFault::Never(String::new()))
    }

    /// Takes note that a job has run: it goes, rests, or waits for its next moment. Returns it as it was.
    pub fn ran(&mut self, at: usize, now: Timestamp, zone: &str) -> Option<Job> {
        let job = self.jobs.get_mut(at)?;
        let before = job.clone();
        let once = matches!(job.schedule, Schedule::At { .. });
        if job.delete_after_run.unwrap_or(once) {
            self.jobs.remove(at);
            return Some(before);
        }
        job.state.last_run_at_ms = Some(now.as_millisecond());
        job.state.last_status = Some("ok".to_owned());
        job.state.consecutive_errors = 0;
        job.state.next_run_at_ms = job.schedule.next(now, zone).ok().flatten().map(Timestamp::as_millisecond);
        job.enabled = job.state.next_run_at_ms.is_some();
        Some(before)
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
}

const fn yes() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"{"version":1,"jobs":[{"id":"3f","name":"tea","enabled":true,"deleteAfterRun":true,
        "createdAtMs":1771840500000,"updatedAtMs":1771840500000,"color":"green",
        "schedule":{"kind":"at","at":"2026-02-23T18:00:00-03:00"},
        "payload":{"kind":"message","text":"Tea","chatId":42,"botId":"default"},
        "state":{"nextRunAtMs":1771880400000,"consecutiveErrors":0}},
        {"id":"b","schedule":{"kind":"every","everyMs":60000},"payload":{"kind":"skillJob","skillId":"x"}}]}"#;

    #[test]
    fn a_file_is_kept_as_it_is() {
        let jobs = Jobs::parse(FILE).unwrap();
        let (before, after): (Value, Value) =
            (serde_json::from_str(FILE).unwrap(), serde_json::from_str(&jobs.text()).unwrap());
        assert_eq!(after["jobs"][0], before["jobs"][0]);
        assert_eq!(after["jobs"][1]["payload"]["skillId"], "x");
        assert_eq!((jobs.jobs[0].due("UTC"), jobs.jobs[1].due("UTC")), (Some(1_771_880_400_000), Some(60_000)));
        assert_eq!((jobs.find("TEA"), jobs.find("b"), jobs.find("")), (Some(0), Some(1), None));
        for broken in ["", "{", "[]", r#"{"version":1,"jobs":[{}]}"#, "{\"version\":1,\"jobs\":[\n{\"id\":1}]}"] {
            assert!(Jobs::parse(broken).unwrap_err().0.contains("line"), "{broken}");
        }
    }

    #[test]
    fn a_run_moves_a_job_on_or_away() {
        let now = Timestamp::from_millisecond(1_771_880_400_000).unwrap();
        let mut jobs = Jobs::parse(FILE).unwrap();
        assert_eq!(jobs.ran(1, now, "UTC").unwrap().id, "b");
        assert_eq!(jobs.jobs[1].due("UTC"), Some(1_771_880_460_000));
        assert_eq!(jobs.ran(0, now, "UTC").unwrap().payload.text, "Tea");
        assert_eq!((jobs.jobs.len(), jobs.ran(7, now, "UTC")), (1, None));
        let mut kept = Jobs::parse(FILE).unwrap();
        kept.jobs[0].delete_after_run = Some(false);
        kept.ran(0, now, "UTC");
        assert_eq!((kept.jobs[0].enabled, kept.jobs[0].due("UTC")), (false, None));
    }
}
