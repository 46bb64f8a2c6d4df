//! What became of a job that was due, noted in the file of jobs. No toolset offers this: whoever runs jobs calls it for itself, so that
//! the change of the file is judged, recorded and undone as any other.

use super::{Dated, Rewrite, missing};
use crate::operation::{Annotations, Args, Offer, Operation, ToolOptions};
use palanca_core::call::{ErrorKind, WriteKind};
use palanca_core::ports::FilesHandle;
use palanca_core::{Message, ToolError};
use palanca_schedule::{Jobs, Outcome};

#[derive(Args)]
pub(crate) struct JobNoted {
    /// The id of the job.
    job: String,
    /// When it was due, in milliseconds since 1970.
    due: i64,
    /// `ok`, `skipped`, or why it failed behind `error: `.
    outcome: String,
}

impl JobNoted {
    fn outcome(&self) -> Result<Outcome, ToolError> {
        match &*self.outcome {
            "ok" => Ok(Outcome::Ok),
            "skipped" => Ok(Outcome::Skipped),
            other => other
                .strip_prefix("error: ")
                .map(|why| Outcome::Error(why.to_owned()))
                .ok_or_else(|| missing("outcome")),
        }
    }
}

impl Offer for Dated<JobNoted> {
    const NAME: &'static str = "cron_noted";
    const DESCRIPTION: &'static str = "Notes what became of a job that was due.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        let path = format!("{}/jobs.json", options.cron.dir);
        Rewrite {
            path: path.clone(),
            version: None,
            reads: None,
            kind: WriteKind::Edit,
            change: move |_: &FilesHandle, before: Option<&str>| {
                let broken = |detail: String| {
                    let message = Message::new("cron-file-broken").with("path", &path).with("detail", detail);
                    ToolError::new(ErrorKind::Failed, message)
                };
                let (outcome, before) = (self.args.outcome()?, before.unwrap_or_default());
                let mut jobs = Jobs::parse(before).map_err(|fault| broken(fault.0))?;
                let run = (&*self.args.job, self.args.due);
                let noted = jobs.noted(run, &outcome, self.moment(), &options.datetime.timezone);
                // Somebody has noted it, or has changed the job: that stays.
                let after = if noted.is_some() { jobs.text() } else { before.to_owned() };
                Ok((after, Message::new("cron-noted").with("job", &self.args.job)))
            },
        }
    }
}
