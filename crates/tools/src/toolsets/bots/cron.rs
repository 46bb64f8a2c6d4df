//! `cron`.

use crate::operation::{Annotations, Args, Offer, Operation, ToolOptions};
use crate::soul::{CronAction, CronCall, Dated, GivenSchedule};
use palanca_core::Scope;
use palanca_schedule::{INSTRUCTION, MESSAGE};
use schemars::generate::SchemaGenerator;
use schemars::{JsonSchema, Schema, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::borrow::Cow;

/// Milliseconds as a number, or as the text that some models make of it.
pub(crate) struct Milliseconds(u64);

impl<'de> Deserialize<'de> for Milliseconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let number = value.as_u64().or_else(|| value.as_str()?.trim().parse().ok());
        number.map(Self).ok_or_else(|| D::Error::custom(format!("{value} is no whole number of milliseconds")))
    }
}

impl JsonSchema for Milliseconds {
    fn schema_name() -> Cow<'static, str> {
        "Milliseconds".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["integer", "string"], "minimum": 0, "pattern": "^ *[0-9]{1,18} *$"})
    }
}

#[derive(Args)]
pub(crate) struct ScheduleArgs {
    /// `at`: once. `every`: again and again after so many milliseconds. `cron`: whenever the clock shows the expression.
    kind: Option<String>,
    /// For `at`: a moment in ISO 8601, like 2026-11-28T18:00:00-03:00. Ask get_datetime what time it is first.
    at: Option<String>,
    /// For `every`: milliseconds, 1000 at least.
    #[arg(rename = "everyMs")]
    every_ms: Option<Milliseconds>,
    /// For `cron`: minute, hour, day of the month, month, day of the week, like `0 9 * * 1-5`.
    expr: Option<String>,
    /// For `cron`: IANA name of the time zone. Leave out for the configured one.
    tz: Option<String>,
}

#[derive(Args, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PayloadKind {
    Message,
    Instruction,
}

#[derive(Args)]
pub(crate) struct Cron {
    /// `add`: a job. `list`: all jobs. `remove`: one. `run`: one now. `status`: how many there are and when the next one is due.
    action: CronAction,
    /// For `add`: a short name.
    name: Option<String>,
    /// For `add`: when it is due.
    schedule: Option<ScheduleArgs>,
    /// For `add`: what the job says when it is due, or for an instruction: what you shall do then.
    text: Option<String>,
    /// For `add`: `message` says the text in this chat (the default); `instruction` gives it to you as a task when it is due, and your
    /// answer is said in this chat.
    #[arg(rename = "payloadKind")]
    payload_kind: Option<PayloadKind>,
    /// For `add`: whether the job goes with its run. Leave out: one that is due once does.
    #[arg(rename = "deleteAfterRun")]
    delete_after_run: Option<bool>,
    /// For `remove` and `run`: the id of the job, as `list` shows it.
    #[arg(rename = "jobId")]
    job_id: Option<String>,
    /// For `list`: whether jobs that rest are shown, too.
    #[arg(rename = "includeDisabled", default = false)]
    include_disabled: bool,
}

impl Offer for Dated<Cron> {
    const NAME: &'static str = "cron";
    const DESCRIPTION: &'static str = "Your jobs and reminders: add, list, remove, run one now, status. A job has a text and is due at a moment, after every interval, or by a cron expression. Jobs start by themselves while `palanca serve` or a chat with you is open.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn made_in(&self, scope: &Scope) {
        self.place(scope);
    }

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        let Cron { action, name, schedule, text, payload_kind, delete_after_run, job_id, include_disabled } =
            &self.args;
        CronCall {
            action: *action,
            name: name.as_deref(),
            schedule: schedule.as_ref().map(|given| GivenSchedule {
                kind: given.kind.as_deref(),
                at: given.at.as_deref(),
                every_ms: given.every_ms.as_ref().map(|given| given.0),
                expr: given.expr.as_deref(),
                tz: given.tz.as_deref(),
            }),
            text: text.as_deref(),
            kind: match payload_kind {
                Some(PayloadKind::Instruction) => INSTRUCTION,
                Some(PayloadKind::Message) | None => MESSAGE,
            },
            chat: self.chat(),
            delete_after_run: *delete_after_run,
            job: job_id.as_deref(),
            with_disabled: *include_disabled,
            now: self.moment(),
            options,
        }
    }
}
