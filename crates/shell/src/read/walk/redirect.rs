//! Redirections: names that are opened, and what is read or written through them.

use super::{Output, Process, Scope, Walker};
use crate::command::{Command, Input, Origin, Piece, Redirect, RedirectKind, Trace, UnknownKind, Word};
use crate::read::grammar::tree::{self, Body, Node, Streams, Target};
use crate::read::limits::Within;
use crate::read::state::{Entry, Key, Reach, Value};
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

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
            self.channel(redirect, scope, &mut channels)?;
            self.processes = outer;
        }
        Ok(channels)
    }

    fn channel(&mut self, redirect: &tree::Redirect, scope: &Scope, channels: &mut Channels) -> Within<()> {
        let descriptor = redirect.descriptor.as_deref();
        if let Some(name) = descriptor.and_then(|name| name.strip_prefix('{')).and_then(|name| name.strip_suffix('}')) {
            // The shell chooses a number and tells it there: the name itself does as well.
            self.state.assign(name, vec![Value::Scalar(Word::text(name))], Reach::Shell);
        }
        let (words, end) = match &redirect.target {
            Target::Document(body) => (self.quoted(body.get().map(Vec::as_slice).unwrap_or_default(), scope)?, ""),
            Target::Text(word) => (self.single(word, scope)?, "\n"),
            Target::Word(word) => {
                let targets: Vec<Word> = self.fields(word, scope)?.into_iter().flatten().collect();
                let process = self.processes.pop();
                for target in targets {
                    self.target(redirect, &target, process.as_ref(), channels)?;
                }
                return Ok(());
            }
        };
        let input = self.input_of(words, end)?;
        channels.gives(descriptor.unwrap_or("0"), input);
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
        let kind = redirect.kind;
        if redirect.streams == Streams::Copied
            && let Some(number) = target.literal().map(|number| number.trim_end_matches('-'))
        {
            if kind == RedirectKind::Read {
                if let Some(input) = self.descriptor(number, channels) {
                    channels.gives(descriptor.unwrap_or("0"), input);
                }
                return Ok(());
            }
            if number.bytes().all(|byte| byte.is_ascii_digit()) {
                channels.away |= stdout && number != "1";
                return Ok(());
            }
        }
        let stdout = stdout || redirect.streams != Streams::One;
        if let Some(Process::Into(body)) = process {
            channels.away |= stdout;
            channels.readers.push(Rc::clone(body));
            return Ok(());
        }
        match (kind, process) {
            (RedirectKind::Write | RedirectKind::Append, _) => channels.away |= stdout,
            (_, Some(Process::From(output))) => {
                channels.gives(descriptor.unwrap_or("0"), output.clone().into_input());
                return Ok(());
            }
            _ => channels.gives(descriptor.unwrap_or("0"), file(target)),
        }
        channels.redirects.push(Redirect { kind, target: target.clone() });
        Ok(())
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
        words.iter().for_each(|word| trace.merge(made_from(word)));
        // One of several: the first, which is what was said last before the branches.
        let text = words.first().map(|word| self.flattened(word)).transpose()?;
        Ok(Input { text: text.map(|text| text + end), trace })
    }

    /// A compound command with redirections.
    pub(super) fn redirected(
        &mut self,
        node: &Node,
        redirects: &[tree::Redirect],
        source: &Arc<str>,
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
        let opened = channels.others.iter().map(|(number, _)| Key::Descriptor(number.clone().into()));
        let before = self.state.saved(opened.chain([Key::Descriptor(Cow::Borrowed("0"))]).collect());
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
        self.state.restore(before);
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

/// What a name gives when it is read.
fn file(target: &Word) -> Input {
    let prefix = target.prefix();
    if prefix.starts_with("/dev/tcp/") || prefix.starts_with("/dev/udp/") {
        return Input { text: None, trace: Trace::of(Origin::Network) };
    }
    match target.literal() {
        Some("/dev/null") => Input { text: Some(String::new()), trace: Trace::of(Origin::Constant) },
        _ => Input { text: None, trace: Trace::of(Origin::File) },
    }
}

/// What the characters of a word come from.
pub(super) fn made_from(word: &Word) -> Trace {
    let mut trace = Trace::of(Origin::Constant);
    for piece in &word.pieces {
        match piece {
            Piece::Text(_) | Piece::Home(_) => {}
            Piece::Glob(_) => trace.merge(Trace::of(Origin::File)),
            Piece::Unknown(unknown) => match &unknown.kind {
                UnknownKind::Output(from) => trace.merge(*from),
                _ => trace.merge(Trace::of(Origin::Program)),
            },
        }
    }
    trace
}
