//! A file of jobs that is none, put aside, and begun anew with what of it can be read. No toolset offers this: whoever runs jobs calls it
//! for itself.

use super::Dated;
use super::cron::LARGEST;
use crate::files::{Found, find};
use crate::operation::{Annotations, Args, Offer, Operation, ToolOptions};
use palanca_core::call::{Claims, Effect, WriteKind};
use palanca_core::ports::{Change, Expect};
use palanca_core::{Message, Output, ToolCx, ToolError};
use palanca_schedule::Jobs;
use serde_json::json;

#[derive(Args)]
pub(crate) struct JobsMended {}

impl Offer for Dated<JobsMended> {
    const NAME: &'static str = "cron_mended";
    const DESCRIPTION: &'static str = "Puts a damaged file of jobs aside and begins it anew.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        let path = format!("{}/jobs.json", options.cron.dir);
        let aside = format!("{path}.corrupt-{}", self.moment().as_millisecond());
        Mend { path, aside }
    }
}

struct Mend {
    path: String,
    aside: String,
}

impl Operation for Mend {
    fn claims(&self) -> Result<Claims, ToolError> {
        let moved = Effect::Move { from: self.path.clone(), to: self.aside.clone() };
        Ok([moved, Effect::WriteFile { path: self.path.clone(), kind: WriteKind::Replace }].into_iter().collect())
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let (files, path) = (cx.files(), cx.files().locate(&self.path)?);
        let jobs = match find(files, &path, LARGEST)? {
            Found::Nothing | Found::TooLarge { .. } => return Ok(said(None, 0)),
            Found::Text { text, .. } if Jobs::parse(&text).is_ok() => return Ok(said(None, 0)),
            Found::Text { text, .. } => Jobs::readable(&text),
            Found::Binary { .. } => Jobs::default(),
        };
        // The broken file is safe before anything stands in its place.
        files.commit(&[Change::Move { from: path.clone(), to: files.locate(&self.aside)? }])?;
        let content = jobs.text().into_bytes();
        files.commit(&[Change::Write { path, content, expect: Expect::Absent, mode: None }])?;
        Ok(said(Some(&self.aside), jobs.jobs.len()))
    }
}

fn said(aside: Option<&str>, kept: usize) -> Output {
    let text = match aside {
        Some(aside) => Message::new("cron-mended").with("aside", aside).with("kept", kept),
        None => Message::new("cron-not-mended"),
    };
    Output::text(text).with_data(json!({"aside": aside, "kept": kept}))
}
