//! How much a session may change and run.
//!
//! What counts is what really happened: files and lines of changes that were made, with their real diff, and commands that
//! ran. A call takes its share when it begins and gives back what it did not use when it ends, so calls that run side by
//! side cannot exceed together what each may do alone. Only what programs change is known too late: it is counted
//! afterwards, and once it passes a limit, what could change more is refused.

use super::{GuardrailSettings, PerSession, added, denied};
use palanca_core::Message;
use palanca_core::call::{Access, CallId, CanonicalPath, Digest, Effect, ErrorKind, Outcome, Scope, StopReason};
use palanca_core::gate::CheckedCall;
use palanca_core::ports::{CommandClass, Guard, Past, Verdict};
use palanca_core::tool::FileDelta;
use std::collections::{BTreeSet, HashSet};

/// What a session may do; none is no limit.
pub(super) struct Limits {
    files: Option<u32>,
    lines: Option<u32>,
    commands: Option<u32>,
    sessions: PerSession<Counts>,
}

/// What a session did, and what it is about to do.
#[derive(Debug, Default)]
struct Counts {
    files: HashSet<CanonicalPath>,
    /// Files that were changed before this process, as paths are shown.
    before: HashSet<String>,
    lines: u64,
    commands: u64,
    taken: Vec<Share>,
}

impl Counts {
    fn holds(&self, path: &CanonicalPath) -> bool {
        self.files.contains(path) || (!self.before.is_empty() && self.before.contains(&path.to_string()))
    }

    fn changed(&self) -> usize {
        self.files.len() + self.before.len()
    }

    fn add(&mut self, files: impl IntoIterator<Item = CanonicalPath>) {
        for file in files {
            if !self.holds(&file) {
                self.files.insert(file);
            }
        }
    }
}

/// What one call needs.
#[derive(Clone, Debug)]
struct Share {
    call: CallId,
    digest: Digest,
    files: Vec<CanonicalPath>,
    lines: u64,
    commands: u64,
    /// Whether a program would run that could change anything.
    could_change: bool,
}

impl Limits {
    pub(super) fn new(settings: &GuardrailSettings) -> Self {
        Self {
            files: settings.max_files_modified,
            lines: settings.max_lines_changed,
            commands: settings.max_commands_executed,
            sessions: PerSession::default(),
        }
    }

    pub(super) const fn any(&self) -> bool {
        self.files.is_some() || self.lines.is_some() || self.commands.is_some()
    }

    /// What this call would need; none when it needs nothing that is limited.
    fn share(&self, call: &CheckedCall) -> Option<Share> {
        let commands = call.effects().iter().filter(|effect| effect.is_command()).count() as u64;
        let changes = self.files.is_some() || self.lines.is_some();
        let (files, lines) = if changes { changed(call) } else { (Vec::new(), 0) };
        if commands == 0 && files.is_empty() {
            return None;
        }
        let could_change = call.commands().iter().any(|command| command.class >= CommandClass::Dangerous);
        Some(Share { call: call.id().clone(), digest: call.digest(), files, lines, commands, could_change })
    }

    /// The first limit that a call would pass, or that has been passed already and a program could pass by more.
    fn over(&self, counts: &Counts, taken: &[&Share], share: &Share) -> Option<Verdict> {
        let reserved = taken.iter().flat_map(|share| &share.files).chain(&share.files);
        let new: HashSet<&CanonicalPath> = reserved.filter(|path| !counts.holds(path)).collect();
        let known = counts.changed() as u64;
        let own = share.files.iter().filter(|path| !counts.holds(path)).count() as u64;
        let files = (known + new.len() as u64).saturating_sub(own);
        let lines = counts.lines + taken.iter().map(|share| share.lines).sum::<u64>();
        let commands = counts.commands + taken.iter().map(|share| share.commands).sum::<u64>();
        let limits = [
            ("guardrails.max_files_modified", "guardrail-limit-files", self.files, files, own, known),
            ("guardrails.max_lines_changed", "guardrail-limit-lines", self.lines, lines, share.lines, counts.lines),
            (
                "guardrails.max_commands_executed",
                "guardrail-limit-commands",
                self.commands,
                commands,
                share.commands,
                0,
            ),
        ];
        limits.into_iter().find_map(|(rule, key, most, used, more, known)| {
            let most = most?;
            let over = used + more > u64::from(most) && more > 0;
            let passed = known > u64::from(most) && share.could_change;
            let words = || Message::new(key).with("limit", most).with("used", used).with("more", more);
            let evidence = || format!("{used} used and {more} more asked for, of {most}");
            (over || passed).then(|| denied(rule, words(), evidence()))
        })
    }
}

impl Guard for Limits {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        let share = self.share(call)?;
        self.sessions.with(&call.scope().session, |counts| {
            // A program that asks for a file has taken its call's share already.
            let others: Vec<&Share> = counts.taken.iter().filter(|taken| taken.call != share.call).collect();
            self.over(counts, &others, &share)
        })
    }

    /// Judges again and takes the share, in one step.
    fn begin(&self, call: &CheckedCall) -> Option<Verdict> {
        let share = self.share(call)?;
        self.sessions.with(&call.scope().session, |counts| {
            let over = self.over(counts, &counts.taken.iter().collect::<Vec<_>>(), &share);
            if over.is_none() {
                counts.taken.push(share);
            }
            over
        })
    }

    fn resume(&self, scope: &Scope, past: &Past) {
        self.sessions.with(&scope.session, |counts| {
            counts.before.extend(past.files.iter().cloned());
            counts.lines += past.lines;
            counts.commands += past.commands;
        });
    }

    fn leave(&self, scope: &Scope) {
        self.sessions.leave(&scope.session);
    }

    fn settle(&self, call: &CheckedCall, outcome: &Outcome) -> Option<Message> {
        self.sessions.with(&call.scope().session, |counts| {
            let taken = counts.taken.iter().position(|share| share.call == *call.id() && share.digest == call.digest());
            let share = counts.taken.swap_remove(taken?);
            if matches!(outcome, Outcome::Done(_)) {
                counts.add(share.files);
                counts.lines += share.lines;
            }
            if ran(outcome) {
                counts.commands += share.commands;
            }
            let before = counts.changed();
            counts.add(call.edited_by_programs().flat_map(FileDelta::names).cloned());
            counts.lines += call.edited_by_programs().map(lines).sum::<u64>();
            let files = self.files.filter(|most| counts.changed() > before && counts.changed() > *most as usize);
            let passed = |key, most: u32, used: u64| Message::new(key).with("limit", most).with("used", used);
            let by_lines =
                self.lines.filter(|most| call.edited_by_programs().next().is_some() && counts.lines > u64::from(*most));
            files
                .map(|most| passed("guardrail-limit-files-passed", most, counts.changed() as u64))
                .or_else(|| by_lines.map(|most| passed("guardrail-limit-lines-passed", most, counts.lines)))
        })
    }
}

/// Whether a program was started, however it ended: a command whose exit code says failure did what it did.
fn ran(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Done(_) | Outcome::Stopped(StopReason::Timeout | StopReason::Cancelled | StopReason::Aborted, _) => {
            true
        }
        Outcome::Failed(error) => matches!(
            error.kind(),
            ErrorKind::Failed | ErrorKind::Timeout | ErrorKind::Cancelled | ErrorKind::Panicked | ErrorKind::Io
        ),
        Outcome::Refused(_) | Outcome::Stopped(..) | Outcome::Parked { .. } => false,
    }
}

/// The files that a call would change by its own hand, each once, and the lines.
fn changed(call: &CheckedCall) -> (Vec<CanonicalPath>, u64) {
    if call.effects().changes_no_files() {
        return (Vec::new(), 0);
    }
    match call.preview() {
        Ok(Some(preview)) => {
            let files: BTreeSet<&CanonicalPath> = preview.files.iter().map(|delta| &delta.path).collect();
            let unseen = |(_, after): (_, &[u8])| after.split_inclusive(|byte| *byte == b'\n').count() as u64;
            let written = preview.files.iter().map(lines).chain(added::unseen(call, preview).map(unseen)).sum();
            (files.into_iter().cloned().collect(), written)
        }
        Ok(None) => {
            let paths = call.effects().iter().flat_map(Effect::paths);
            let written: BTreeSet<_> =
                paths.filter(|(_, access)| *access == Access::Write).map(|(path, _)| path).collect();
            (written.into_iter().cloned().collect(), 0)
        }
        // The run would end with the same error.
        Err(_) => (Vec::new(), 0),
    }
}

fn lines(delta: &FileDelta) -> u64 {
    (delta.added + delta.removed) as u64
}
