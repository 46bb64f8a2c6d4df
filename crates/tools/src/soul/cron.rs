//! `cron`: a bot's jobs, in a file that people read and change, too.

use super::{Rewrite, missing, one_line};
use crate::files::{Found, find, shown};
use crate::operation::{Args, Operation, ToolOptions};
use jiff::Timestamp;
use palanca_core::call::{Claims, Digest, Effect, ErrorKind, WriteKind};
use palanca_core::ports::FilesHandle;
use palanca_core::{Message, Output, Preview, ToolCx, ToolError};
use palanca_schedule::{INSTRUCTION, Job, Jobs, MESSAGE, NewJob, Payload, Schedule, ScheduleFault};
use serde::Serialize;
use serde_json::{Value, json};

/// Bytes of a file of jobs.
pub(super) const LARGEST: u64 = 1 << 20;
/// Characters of what a job says, and of a name that is made of it.
const LONGEST: usize = 4_000;
const NAME: usize = 40;
/// Digits of an id.
const DIGITS: usize = 8;

#[derive(Args, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CronAction {
    Add,
    List,
    Remove,
    Run,
    Status,
}

/// A schedule as it is given: which fields belong together is seen when they are read.
pub(crate) struct GivenSchedule<'a> {
    pub(crate) kind: Option<&'a str>,
    pub(crate) at: Option<&'a str>,
    pub(crate) every_ms: Option<u64>,
    pub(crate) expr: Option<&'a str>,
    pub(crate) tz: Option<&'a str>,
}

/// The file, and what is said of the change.
type Changed = Result<(String, Message), ToolError>;

pub(crate) struct CronCall<'a> {
    pub(crate) action: CronAction,
    pub(crate) name: Option<&'a str>,
    pub(crate) schedule: Option<GivenSchedule<'a>>,
    pub(crate) text: Option<&'a str>,
    /// What it is: a message or an instruction.
    pub(crate) kind: &'a str,
    /// The chat that hears of it, by channel and name.
    pub(crate) chat: Option<(&'a str, &'a str)>,
    pub(crate) delete_after_run: Option<bool>,
    pub(crate) job: Option<&'a str>,
    pub(crate) with_disabled: bool,
    pub(crate) now: Timestamp,
    pub(crate) options: &'a ToolOptions,
}

fn invalid(message: Message) -> ToolError {
    ToolError::new(ErrorKind::InvalidArguments, message)
}

/// What is wrong, each with an example of what is right.
fn refused(fault: ScheduleFault, now: Timestamp) -> ToolError {
    invalid(match fault {
        ScheduleFault::At(at) => Message::new("cron-at-invalid").with("at", at),
        ScheduleFault::Past(at) => Message::new("cron-at-past").with("at", at).with("now", now.to_string()),
        ScheduleFault::Every(ms) => Message::new("cron-every-invalid").with("given", ms.to_string()),
        ScheduleFault::Expression(detail) => Message::new("cron-expression-invalid").with("detail", detail),
        ScheduleFault::Never(expr) => Message::new("cron-never").with("expr", expr),
        ScheduleFault::Zone(zone) => Message::new("datetime-zone-unknown").with("zone", zone),
    })
}

impl GivenSchedule<'_> {
    fn read(&self) -> Result<Schedule, ToolError> {
        let given = |text: Option<&str>| text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
        let (at, expr) = (given(self.at), given(self.expr));
        let kind = given(self.kind).unwrap_or_else(|| {
            let told = if at.is_some() {
                "at"
            } else if self.every_ms.is_some() {
                "every"
            } else {
                "cron"
            };
            told.to_owned()
        });
        match &*kind {
            "at" => Ok(Schedule::At { at: at.ok_or_else(|| missing("schedule.at"))? }),
            "every" => {
                let every_ms = self.every_ms.ok_or_else(|| missing("schedule.everyMs"))?;
                Ok(Schedule::Every { every_ms, anchor_ms: 0 })
            }
            "cron" => Ok(Schedule::Cron { expr: expr.ok_or_else(|| missing("schedule.expr"))?, tz: given(self.tz) }),
            other => Err(invalid(Message::new("cron-kind-unknown").with("kind", other))),
        }
    }
}

impl CronCall<'_> {
    fn path(&self) -> String {
        format!("{}/jobs.json", self.options.cron.dir)
    }

    fn zone(&self) -> &str {
        &self.options.datetime.timezone
    }

    /// The change of the file, for the actions that change it.
    fn rewrite(&self) -> Rewrite<impl Fn(&FilesHandle, Option<&str>) -> Changed + Send + Sync> {
        Rewrite {
            path: self.path(),
            version: None,
            reads: None,
            kind: WriteKind::Edit,
            change: |_: &FilesHandle, before: Option<&str>| {
                let mut jobs = self.parsed(before)?;
                let said = match self.action {
                    CronAction::Add => self.add(&mut jobs)?,
                    CronAction::Remove => self.remove(&mut jobs)?,
                    _ => self.run_now(&mut jobs)?,
                };
                Ok((jobs.text(), said))
            },
        }
    }

    fn parsed(&self, text: Option<&str>) -> Result<Jobs, ToolError> {
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return Ok(Jobs::default()) };
        Jobs::parse(text).map_err(|fault| {
            let message = Message::new("cron-file-broken").with("path", self.path()).with("detail", fault.0);
            ToolError::new(ErrorKind::Failed, message)
        })
    }

    fn add(&self, jobs: &mut Jobs) -> Result<Message, ToolError> {
        let text = self.text()?;
        let schedule = self.schedule.as_ref().ok_or_else(|| missing("schedule"))?.read()?;
        let schedule = schedule.checked(self.now, self.zone()).map_err(|fault| refused(fault, self.now))?;
        let name = self.name.map(|name| one_line("name", name)).transpose()?.filter(|name| !name.is_empty());
        let name = name.map_or_else(|| shortened(text), str::to_owned);
        let new = NewJob {
            id: self.id(jobs),
            name,
            schedule,
            payload: Payload::new(self.kind, text, self.chat),
            delete_after_run: self.delete_after_run,
        };
        let job = jobs.add(new, self.now, self.zone()).map_err(|fault| refused(fault, self.now))?;
        let shown = json!({
            "id": job.id, "name": job.name, "schedule": job.schedule, "nextRunAt": self.written(job.due(self.zone())),
            "deleteAfterRun": job.delete_after_run,
        });
        Ok(Message::new("cron-added").with("job", pretty(&shown)))
    }

    fn text(&self) -> Result<&str, ToolError> {
        let text = self.text.map(str::trim).filter(|text| !text.is_empty()).ok_or_else(|| missing("text"))?;
        match text.chars().nth(LONGEST) {
            None => Ok(text),
            Some(_) => Err(invalid(Message::new("cron-text-too-long").with("longest", LONGEST))),
        }
    }

    /// The same for the question and the run, and of no other job.
    fn id(&self, jobs: &Jobs) -> String {
        let seed = format!("{} {:?} {:?}", self.now.as_nanosecond(), self.name, self.text);
        let digits = Digest::of_bytes(seed.as_bytes()).to_hex();
        let short = digits.get(..DIGITS).unwrap_or(&digits);
        if jobs.find(short).is_some() { digits } else { short.to_owned() }
    }

    fn found(&self, jobs: &Jobs) -> Result<usize, ToolError> {
        let wanted =
            self.job.or(self.name).map(str::trim).filter(|job| !job.is_empty()).ok_or_else(|| missing("jobId"))?;
        jobs.find(wanted).ok_or_else(|| {
            let known = jobs.jobs.iter().take(20).map(|job| format!("{} ({})", job.id, job.name));
            let known = known.collect::<Vec<_>>().join(", ");
            let message = Message::new("cron-no-job").with("job", wanted).with("known", known);
            ToolError::new(ErrorKind::NotFound, message)
        })
    }

    fn remove(&self, jobs: &mut Jobs) -> Result<Message, ToolError> {
        let job = jobs.jobs.remove(self.found(jobs)?);
        Ok(Message::new("cron-removed").with("job", job.id).with("name", job.name))
    }

    fn run_now(&self, jobs: &mut Jobs) -> Result<Message, ToolError> {
        let at = self.found(jobs)?;
        if let Some(job) = jobs.jobs.get_mut(at).filter(|job| job.payload.kind == INSTRUCTION) {
            // Its own process begins it: this call would be a turn within a turn.
            job.enabled = true;
            job.state.next_run_at_ms = Some(self.now.as_millisecond());
            return Ok(Message::new("cron-due-now").with("name", &job.name));
        }
        if let Some(job) = jobs.jobs.get(at).filter(|job| job.payload.kind != MESSAGE) {
            let (id, kind) = (job.id.as_str(), job.payload.kind.as_str());
            return Err(invalid(Message::new("cron-payload-unknown").with("job", id).with("kind", kind)));
        }
        let job = jobs.ran(at, self.now, self.zone()).ok_or_else(|| missing("jobId"))?;
        Ok(Message::new("cron-ran").with("name", job.name).with("text", job.payload.text))
    }

    fn written(&self, ms: Option<i64>) -> Option<String> {
        local_time(ms?, self.zone())
    }

    fn listed(&self, jobs: &Jobs) -> Value {
        let mut all: Vec<(Option<i64>, &Job)> = jobs
            .jobs
            .iter()
            .filter(|job| self.with_disabled || job.enabled)
            .map(|job| (job.due(self.zone()), job))
            .collect();
        all.sort_by_key(|(due, _)| due.unwrap_or(i64::MAX));
        let all = all.into_iter().map(|(due, job)| {
            json!({
                "id": job.id, "name": job.name, "enabled": job.enabled, "schedule": job.schedule, "nextRunAtMs": due,
                "nextRunAt": self.written(due), "lastStatus": job.state.last_status, "payload": job.payload,
            })
        });
        Value::Array(all.collect())
    }

    fn status(&self, jobs: &Jobs) -> Value {
        let next = jobs.jobs.iter().filter_map(|job| job.due(self.zone())).min();
        json!({
            "enabled": self.options.cron.enabled, "storePath": self.options.cron.dir, "jobs": jobs.jobs.len(),
            "nextWakeAtMs": next,
        })
    }

    fn is_reading(&self) -> bool {
        matches!(self.action, CronAction::List | CronAction::Status)
    }

    fn read(&self, files: &FilesHandle) -> Result<Output, ToolError> {
        let path = files.locate(&self.path())?;
        let jobs = match find(files, &path, LARGEST)? {
            Found::Nothing => Jobs::default(),
            Found::Text { text, .. } => self.parsed(Some(&text))?,
            Found::Binary { .. } | Found::TooLarge { .. } => {
                let detail = format!("{} is no text of at most {LARGEST} bytes", shown(&path));
                let message = Message::new("cron-file-broken").with("path", self.path()).with("detail", detail);
                return Err(ToolError::new(ErrorKind::Failed, message));
            }
        };
        let value = if self.action == CronAction::List { self.listed(&jobs) } else { self.status(&jobs) };
        Ok(Output::text(pretty(&value)).with_data(value))
    }
}

/// A point in time as a clock of this zone shows it, with its offset; None for a zone that is not known.
#[must_use]
pub fn local_time(since_1970_ms: i64, zone: &str) -> Option<String> {
    let at = Timestamp::from_millisecond(since_1970_ms).ok()?.in_tz(zone).ok()?;
    Some(at.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string())
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.chars().take(NAME).collect::<String>().trim_end().to_owned()
}

impl Operation for CronCall<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        if self.is_reading() { Ok(Effect::ReadFile(self.path()).into()) } else { self.rewrite().claims() }
    }

    fn preview(&self, files: &FilesHandle) -> Result<Option<Preview>, ToolError> {
        if self.is_reading() { Ok(None) } else { self.rewrite().preview(files) }
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        if self.is_reading() { self.read(cx.files()) } else { self.rewrite().run(cx).await }
    }
}
