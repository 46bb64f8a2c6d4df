//! Redirections: names that are opened, and what is read or written through them.

use super::{Output, Process, Scope, Walker};
use crate::command::{Command, Input, Origin, Piece, Redirect, RedirectKind, Trace, UnknownKind, Word};
use crate::read::grammar::tree::{self, Body, Node, Operator, Target};
use crate::read::limits::Within;
use crate::read::state::{Entry, Key, Reach, Value};
use std::borrow::Cow;
use std::rc::Rc;

/// What the redirections of one command come to.
#[derive(Debug, Default)]
pub(super) struct Channels {
    pub(super) redirects: Vec<Redirect>,
    pub(super) input: Option<Input>,
    /// What other descriptors give.
    pub(super) others: Vec<(String, Input)>,
    /// Stdout goes to a file, not to whatever follows.
    pub(super) away: bool,
    /// Stdout goes to these.
    pub(super) readers: Vec<Rc<Body>>,
}

impl Walker<'_> {
    pub(super) fn channels(&mut self, redirects: &[tree::Redirect], scope: &Scope) -> Within<Channels> {
        let mut channels = Channels::default();
        for redirect in redirects {
            let outer = std::mem::take(&mut self.processes);
            let done = self.channel(redirect, scope, &mut channels);
            self.processes = outer;
            done?;
        }
        Ok(channels)
    }

    fn channel(&mut self, redirect: &tree::Redirect, scope: &Scope, channels: &mut Channels) -> Within<()> {
        let descriptor = redirect.descriptor.as_deref();
        if let Some(name) = descriptor.and_then(|name| name.strip_prefix('{')).and_then(|name| name.strip_suffix('}')) {
            // The shell chooses a number and tells it there: the name itself does as well.
            self.state.assign(name, vec![Value::Scalar(Word::text(name))], Reach::Shell);
        }
        let given = match &redirect.target {
            Target::Document(body) => {
                let empty = Vec::new();
                let words = self.quoted(body.get().unwrap_or(&empty), scope)?;
                Some(self.input_of(words, "")?)
            }
            Target::Text(word) => {
                let words = self.single(word, scope)?;
                Some(self.input_of(words, "\n")?)
            }
            Target::Word(_) => None,
        };
        if let Some(input) = given {
            channels.gives(descriptor.unwrap_or("0"), input);
            return Ok(());
        }
        let Target::Word(word) = &redirect.target else { return Ok(()) };
        let targets: Vec<Word> = self.fields(word, scope)?.into_iter().flatten().collect();
        let process = self.processes.pop();
        for target in targets {
            self.target(redirect, &target, process.as_ref(), channels)?;
        }
        Ok(())
    }

    fn target(
        &mut self,
        redirect: &tree::Redirect,
        target: &Word,
        process: Option<&Process>,
        channels: &mut Channels,
    ) -> Within<()> {
        let descriptor = redirect.descriptor.as_deref();
        let stdout = descriptor.is_none_or(|descriptor| descriptor == "1");
        let kind = match redirect.operator {
            Operator::Read | Operator::Here => RedirectKind::Read,
            Operator::ReadWrite => RedirectKind::ReadWrite,
            Operator::Append | Operator::AppendBoth => RedirectKind::Append,
            Operator::Write | Operator::WriteBoth => RedirectKind::Write,
            Operator::CopyIn => {
                if let Some(number) = target.literal() {
                    let number = number.trim_end_matches('-');
                    if let Some(input) = self.descriptor(number, channels) {
                        channels.gives(descriptor.unwrap_or("0"), input);
                    }
                    return Ok(());
                }
                RedirectKind::Read
            }
            Operator::CopyOut => match target.literal() {
                Some("1" | "2") => {
                    channels.away |= stdout && target.literal() == Some("2");
                    return Ok(());
                }
                Some(number) if number.trim_end_matches('-').bytes().all(|byte| byte.is_ascii_digit()) => {
                    channels.away |= stdout;
                    return Ok(());
                }
                _ => RedirectKind::Write,
            },
        };
        let both = matches!(redirect.operator, Operator::WriteBoth | Operator::AppendBoth | Operator::CopyOut);
        match (process, kind) {
            (Some(Process::From(output)), RedirectKind::Read | RedirectKind::ReadWrite) => {
                channels.gives(descriptor.unwrap_or("0"), output.clone().into_input());
                return Ok(());
            }
            (Some(Process::Into(body)), _) => {
                if stdout || both {
                    channels.away = true;
                }
                channels.readers.push(Rc::clone(body));
                return Ok(());
            }
            _ => {}
        }
        match kind {
            RedirectKind::Read | RedirectKind::ReadWrite => {
                let input = self.file(target);
                channels.gives(descriptor.unwrap_or("0"), input);
            }
            RedirectKind::Write | RedirectKind::Append => channels.away |= stdout || both,
        }
        channels.redirects.push(Redirect { kind, target: target.clone() });
        Ok(())
    }

    /// What a name gives when it is read.
    fn file(&self, target: &Word) -> Input {
        let prefix = target.prefix();
        if prefix.starts_with("/dev/tcp/") || prefix.starts_with("/dev/udp/") {
            return Input { text: None, trace: Trace::of(Origin::Network) };
        }
        match target.literal() {
            Some("/dev/null") => Input { text: Some(String::new()), trace: Trace::of(Origin::Constant) },
            _ => Input { text: None, trace: Trace::of(Origin::File) },
        }
    }

    /// What an open descriptor gives.
    pub(super) fn descriptor(&self, number: &str, channels: &Channels) -> Option<Input> {
        if let Some((_, input)) = channels.others.iter().rev().find(|(other, _)| other == number) {
            return Some(input.clone());
        }
        match self.state.get(&Key::Descriptor(number.to_owned().into()))? {
            Entry::Input(input) => Some(input.clone()),
            _ => None,
        }
    }

    /// Words as what is read: the last newline is the here-string's.
    fn input_of(&mut self, words: Vec<Word>, end: &str) -> Within<Input> {
        let mut trace = Trace::default();
        for word in &words {
            trace.merge(&made_from(word));
        }
        let mut text = None;
        if let [word] = words.as_slice() {
            let mut whole = self.flattened(word)?;
            whole.push_str(end);
            text = Some(whole);
        } else if let Some(word) = words.first() {
            // One of several: the first, which is what was said last before the branches.
            text = Some(self.flattened(word)? + end);
        }
        Ok(Input { text, trace })
    }

    /// A compound command with redirections.
    pub(super) fn redirected(
        &mut self,
        node: &Node,
        redirects: &[tree::Redirect],
        source: &str,
        scope: &Scope,
    ) -> Within<Output> {
        let channels = self.channels(redirects, scope)?;
        let place = self.commands.len();
        let saved = channels.redirects.iter().any(|redirect| redirect.kind != RedirectKind::Read);
        let opening = (!channels.redirects.is_empty()).then(|| {
            let mut command = self.blank(source, scope);
            command.redirects.clone_from(&channels.redirects);
            command
        });
        let mark = self.state.mark();
        let mut inner = match &channels.input {
            Some(input) => {
                self.state.remove(Key::Descriptor(Cow::Borrowed("0")));
                scope.with_input(input.clone())
            }
            None => scope.clone(),
        };
        if !channels.readers.is_empty() || saved {
            inner = inner.heard();
        }
        for (number, input) in &channels.others {
            self.state.set(Key::Descriptor(number.clone().into()), Entry::Input(input.clone()));
        }
        let output = self.node(node, &inner)?;
        if let Some(mut command) = opening {
            if saved {
                command.input = output.clone().into_input();
            }
            self.emit_at(place, command)?;
        }
        let restored = [Key::Descriptor(Cow::Borrowed("0"))];
        let changes = self.state.rollback(mark);
        for (key, entry) in changes {
            let opened =
                matches!(&key, Key::Descriptor(number) if channels.others.iter().any(|(other, _)| other == number));
            if !restored.contains(&key) && !opened {
                match entry {
                    Some(entry) => self.state.set(key, entry.as_ref().clone()),
                    None => self.state.remove(key),
                }
            }
        }
        self.read_by(&channels.readers, &output, scope)?;
        Ok(if channels.away { Output { text: Some(String::new()), trace: Trace::default(), ..output } } else { output })
    }

    /// Runs what reads an output.
    pub(super) fn read_by(&mut self, readers: &[Rc<Body>], output: &Output, scope: &Scope) -> Within<()> {
        for body in readers {
            let inner = scope.with_input(output.clone().into_input());
            self.substituted(body, &inner)?;
        }
        Ok(())
    }

    /// `$(< file)` prints the file.
    pub(super) fn file_substitution(&mut self, body: &Body, scope: &Scope) -> Within<Option<Output>> {
        let [tree::AndOr { first: Node::Simple(simple), rest, .. }] = body.as_slice() else { return Ok(None) };
        if !simple.words.is_empty() || !simple.assignments.is_empty() || !rest.is_empty() {
            return Ok(None);
        }
        let channels = self.channels(&simple.redirects, scope)?;
        let mut command: Command = self.blank(&simple.source, scope);
        command.redirects.clone_from(&channels.redirects);
        self.emit(command)?;
        Ok(channels.input.map(|input| Output { text: input.text, trace: input.trace, ..Output::default() }))
    }
}

impl Channels {
    fn gives(&mut self, descriptor: &str, input: Input) {
        if descriptor == "0" {
            self.input = Some(input);
        } else {
            self.others.push((descriptor.trim_matches(['{', '}']).to_owned(), input));
        }
    }
}

/// What the characters of a word come from.
pub(super) fn made_from(word: &Word) -> Trace {
    let mut trace = Trace::of(Origin::Constant);
    for piece in &word.pieces {
        match piece {
            Piece::Text(_) | Piece::Home(_) => {}
            Piece::Glob(_) => trace.merge(&Trace::of(Origin::File)),
            Piece::Unknown(unknown) => match &unknown.kind {
                UnknownKind::Output(from) => trace.merge(from),
                _ => trace.merge(&Trace::of(Origin::Program)),
            },
        }
    }
    trace
}
