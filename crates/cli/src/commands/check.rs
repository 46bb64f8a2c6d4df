//! `palanca check`: the policy's test bench. Lines in, verdicts out; nothing is run or changed.

use crate::args::{Check, Checked, Global};
use crate::commands::input;
use crate::exit::{Ended, Exit};
use crate::render::{stderr, stdout};
use crate::say::say;
use crate::wire::settings;
use palanca_core::{Catalogue, ErrorKind, Message};
use palanca_host::agent::{net, words};
use palanca_host::configuration;
use palanca_host::workspace::{commands, disk};
use palanca_policy::commands::said;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{BufRead as _, Write as _};
use std::sync::Arc;

mod paths;
mod rules;
mod text;
mod urls;

type Judge<'a> = Box<dyn Fn(&Case) -> (Verdict, Option<String>) + 'a>;

/// One case.
#[derive(Deserialize)]
struct Case {
    #[serde(default)]
    id: Value,
    input: String,
    op: Option<String>,
    /// Where a text comes from.
    via: Option<String>,
    /// A text in pieces of so many characters.
    chunk: Option<usize>,
    expect: Option<String>,
    /// Further labels that pass.
    #[serde(default)]
    also_ok: Vec<String>,
}

/// What the bench says to a case.
struct Verdict {
    label: &'static str,
    /// The rule that decided and why; nothing when nothing is against it.
    why: Option<(String, String)>,
}

impl Verdict {
    const fn allow() -> Self {
        Self { label: "allow", why: None }
    }

    const fn deny(rule: String, reason: String) -> Self {
        Self { label: "deny", why: Some((rule, reason)) }
    }
}

pub fn check(global: &Global, args: Check) -> Ended {
    let loaded = settings::load(global, &[])?;
    if matches!(args.what, Checked::Rules) {
        return rules::check(global, &loaded.config, &args.file);
    }
    let catalogue = configuration::catalogue(&loaded.config);
    let places = settings::places(global)?;
    let disk = disk::disk(&places, &loaded.config)?;
    let judge: Judge<'_> = match args.what {
        Checked::Commands => {
            let judge = commands::judge(&places, &loaded.config, &Arc::new(disk))?;
            let catalogue = &catalogue;
            Box::new(move |case| {
                let judgement = judge.judge(&case.input);
                let reason = catalogue.render(&said(&judgement.reason.message));
                let label = judgement.class.name();
                (Verdict { label, why: Some((judgement.reason.rule.into_owned(), reason)) }, None)
            })
        }
        Checked::Paths | Checked::Rules => Box::new(|case| {
            let verdict = paths::judge(&disk, case.op.as_deref().unwrap_or("read"), &case.input, |error| {
                (format!("paths.{}", error.kind().facts().code), catalogue.render(error.message()))
            });
            (verdict, None)
        }),
        Checked::Urls => {
            let (door, catalogue) = (net::door(&loaded.config)?, &catalogue);
            Box::new(move |case| (urls::judge(&*door, &case.input, &**catalogue), None))
        }
        Checked::Text => {
            let (secrets, marker) = (words::secrets(&loaded.config), words::marker());
            Box::new(move |case| {
                let (verdict, output) = text::judge(&secrets, &marker, case);
                (verdict, Some(output))
            })
        }
    };
    let mut out = stdout::lines();
    let (mut agreed, mut differed, mut broken) = (0_usize, 0_usize, 0_usize);
    for (index, line) in input::lines(&args.file)?.lines().enumerate() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let case: Case = match serde_json::from_str(&line) {
            Ok(case) => case,
            Err(error) => {
                broken += 1;
                let invalid = Message::new("cli-line-invalid")
                    .with("line", index + 1)
                    .with("form", r#"{"input", "op"?, "expect"?}"#)
                    .with("reason", error.to_string());
                stderr::warn(&invalid);
                continue;
            }
        };
        let (Verdict { label, why }, output) = judge(&case);
        let (rule, reason) = why.unzip();
        let mut row = json!({"id": case.id, "input": case.input, "verdict": label, "rule": rule, "reason": reason});
        if let (Some(output), Value::Object(fields)) = (output, &mut row) {
            fields.insert("output".to_owned(), output.into());
        }
        stdout::quiet_when_closed(writeln!(out, "{row}"))?;
        match case.expect {
            None => {}
            Some(expected) if expected == label || case.also_ok.iter().any(|also| also == label) => agreed += 1,
            Some(expected) => {
                differed += 1;
                out.flush()?;
                let differs = Message::new("cli-check-differs")
                    .with("case", format!("{} {}", case.id, case.input))
                    .with("expected", expected)
                    .with("got", label);
                stderr::note(&differs);
            }
        }
    }
    stdout::quiet_when_closed(out.flush())?;
    if agreed + differed > 0 {
        stderr::note(&Message::new("cli-check-agree").with("agreed", agreed).with("all", agreed + differed));
    }
    Ok(if broken > 0 {
        Exit::Usage
    } else if differed > 0 {
        Exit::Failed
    } else {
        Exit::Success
    })
}

/// What the bench can judge of a path.
const OPS: &str = "read, write, append, edit, delete, list, glob, search, mkdir, move, copy, patch";

/// A fault of the case itself.
fn unknown_op(op: &str) -> Verdict {
    Verdict::deny(
        format!("paths.{}", ErrorKind::InvalidArguments.facts().code),
        say(&Message::new("cli-check-op").with("op", op).with("known", OPS)),
    )
}
