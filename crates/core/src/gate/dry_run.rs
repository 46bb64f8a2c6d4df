//! Stage 6: dry runs.
//!
//! A dry run is an ordinary run on an overlay: reads see the real files and the writes of the run so far, writes stay
//! in memory. So nothing is simulated: the diff shown is the one that would be made.

use super::engine::Gate;
use super::trail::Trail;
use crate::call::{Effect, Lifetime, Network, Output, Stage};
use crate::message::{Message, Text};
use crate::ports::{CheckedCall, CommandClass};

/// Whether effects are real.
///
/// Set by [`GateBuilder::run_mode`](super::GateBuilder::run_mode).
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::RunMode;
///
/// assert!(RunMode::DryRun.is_dry() && !RunMode::Real.is_dry());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RunMode {
    /// They are.
    #[default]
    Real,
    /// They stay in an overlay. The gate's file door must be one. Programs are described.
    DryRun,
    /// As [`RunMode::DryRun`], and programs run on a layer over the workspace, which the gate's process door must
    /// provide.
    Rehearsal,
}

impl RunMode {
    /// Whether this is a dry run.
    #[must_use]
    pub const fn is_dry(self) -> bool {
        !matches!(self, Self::Real)
    }
}

/// The description that replaces the run, if the call cannot be rehearsed.
pub(super) fn dry_run(call: &CheckedCall, trail: &mut Trail<'_>) -> Option<Output> {
    let gate = trail.gate();
    only_described(gate.run_mode, call).then(|| {
        trail.passed(Stage::DryRun);
        command(gate, call)
    })
}

/// Whether a call is described instead of run: programs in a dry run; in a rehearsal, background programs, whose later
/// changes would be lost, programs with network, whose requests would be real, and programs that a person would be
/// asked about.
fn only_described(mode: RunMode, call: &CheckedCall) -> bool {
    let lives_on = |effect: &Effect| match effect {
        Effect::Run(launch) => {
            launch.lifetime == Lifetime::Session || launch.network == Network::Open || !launch.writes.is_empty()
        }
        Effect::Http(reach) => !reach.method.only_reads(),
        Effect::Message(_) | Effect::Act(_) => true,
        effect => effect.is_command() || matches!(effect, Effect::Stop(_)),
    };
    match mode {
        RunMode::Real => false,
        RunMode::DryRun => call.effects().cannot_be_rehearsed(),
        RunMode::Rehearsal => call.effects().iter().any(lives_on),
    }
}

/// An overlay cannot hold the effects of programs and messages: they are described.
fn command(gate: &Gate, call: &CheckedCall) -> Output {
    let effects = call.effects();
    let told = if effects.has_commands() {
        None
    } else if effects.sends() {
        Some("dry-run-outside")
    } else {
        effects.acts().next().map(|_| "dry-run-act")
    };
    let mut text = rehearsal(gate, call).line(Message::new(told.unwrap_or("dry-run-command")));
    for (effect, number) in effects.iter().zip(0..) {
        text = text.then(if number == 0 { " " } else { "; " }).then(effect.message());
    }
    if told.is_some() {
        return Output::text(text.then("."));
    }
    let class = call.commands().iter().map(|command| command.class).max().unwrap_or(CommandClass::Dangerous);
    Output::text(text.then(" (").then(Message::new("dry-run-class")).then(" ").then(class.message()).then(")."))
}

fn rehearsal(gate: &Gate, call: &CheckedCall) -> Text {
    let message = Message::new("dry-run")
        .with("tool", &*call.spec().name)
        .with("arguments", super::record::kept(gate, call.arguments()).to_string());
    Text::from(message)
}

/// Notes in the result that a writing call was only rehearsed; reads and real runs stay unchanged.
pub(super) fn describe(gate: &Gate, call: &CheckedCall, output: Output) -> Output {
    if !gate.run_mode.is_dry() || call.effects().is_read_only() {
        return output;
    }
    if call.effects().has_commands() {
        let text = rehearsal(gate, call).paragraph(Message::new("dry-run-in-a-copy")).paragraph(output.text);
        return Output { text, ..output };
    }
    let mut text = rehearsal(gate, call);
    if let Some(diff) = &output.diff {
        text = text.paragraph(diff.as_str());
    }
    Output { text, ..output }
}
