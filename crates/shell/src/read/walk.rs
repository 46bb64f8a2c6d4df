//! Walks the tree as the shell would, without running anything: every branch is taken, and what each command would print
//! and read is followed as far as the text tells.

mod builtin;
mod emit;
mod environment;
mod function;
mod holes;
mod launch;
mod loops;
mod nested;
mod node;
mod place;
mod redirect;
mod simple;
mod test;

use emit::Emitted;
pub(super) use holes::holed;

use super::Detail;
use super::expand::{Fragment, unknown_output};
use super::grammar::tree::{Body, Direction, Node};
use super::limits::{Budget, Problem, Within, deeper};
use super::state::{Entry, Key, State};
use crate::command::{
    Assignment, Command, Directory, Input, Origin, Piece, Shape, Surroundings, Trace, Unknown, UnknownKind, Via,
};
use std::rc::Rc;

/// Bytes of an output that are followed where a text is read coarsely.
const SAID: usize = 256;

/// What surrounds a command.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub(super) depth: u32,
    via: Rc<Vec<Via>>,
    input: Rc<Input>,
    manner: Manner,
    heard: Heard,
}

/// Whether anything reads what a command prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Heard {
    Yes,
    No,
}

/// Whether a command runs beside others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Manner {
    #[default]
    Alone,
    /// In a pipeline or a substitution.
    Piped,
    Background,
}

/// What a part of the text prints.
#[derive(Clone, Debug, Default)]
pub(super) struct Output {
    pub(super) text: Option<String>,
    pub(super) trace: Trace,
    status: Status,
}

/// How a command ends, when that is plain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Status {
    #[default]
    Open,
    True,
    False,
    /// It hardly ever fails.
    Likely,
}

/// A process substitution of the command at hand.
#[derive(Clone, Debug)]
enum Process {
    /// `<(…)`: what it prints.
    From(Output),
    /// `>(…)`: what reads it.
    Into(Rc<Body>),
}

/// A function of the text, its name, and where it was defined.
struct Defined {
    name: String,
    body: Rc<Node>,
    scope: Scope,
    called: bool,
}

/// A call that is being followed.
struct Call {
    /// Its place among those of the text.
    function: usize,
    manner: Manner,
    /// Calls of itself so far, and whether one ran beside something.
    again: u32,
    beside: bool,
}

/// What matters of an endless loop: one that only starts things in the background is a bomb.
#[derive(Clone, Copy, Default)]
struct Endless {
    background: bool,
    /// It waits, pauses or leaves.
    held: bool,
}

pub(super) struct Walker<'b> {
    pub(super) surroundings: &'b Surroundings,
    pub(super) budget: &'b mut Budget,
    pub(super) state: State,
    commands: Emitted,
    /// Variables of the launch that are more than display: every command gets them.
    inherited: Vec<Assignment>,
    shapes: Vec<Shape>,
    processes: Vec<Process>,
    defined: Vec<Defined>,
    calls: Vec<Call>,
    holes: Vec<Piece>,
    /// Some name is an alias or a hashed program.
    renamed: bool,
    /// Loops around that are being repeated.
    rounds: u32,
    /// How often what is walked now is walked in all, by the loops around that go over values.
    passes: usize,
    /// A function is read that the text never calls.
    pub(super) uncalled: bool,
    /// What the endless loop around does, if there is one.
    endless: Option<Endless>,
    detail: Detail,
}

impl Scope {
    pub(super) fn deeper(&self) -> Within<Self> {
        Ok(Self { depth: deeper(self.depth)?, ..self.clone() })
    }

    fn with_input(&self, input: Input) -> Self {
        Self { input: Rc::new(input), ..self.clone() }
    }

    fn heard(&self) -> Self {
        Self { heard: Heard::Yes, ..self.clone() }
    }

    fn beside(&self, manner: Manner) -> Self {
        Self { manner: self.manner.max(manner), ..self.clone() }
    }

    fn through(&self, via: Via) -> Within<Self> {
        let mut all = self.via.as_ref().clone();
        all.push(via);
        Ok(Self { via: Rc::new(all), ..self.deeper()? })
    }
}

impl Output {
    /// Nothing at all.
    fn silent() -> Self {
        Self { text: Some(String::new()), ..Self::default() }
    }

    fn with(mut self, status: Status) -> Self {
        self.status = status;
        self
    }

    /// This, and then that.
    fn then(self, next: Self) -> Self {
        let mut trace = self.trace;
        trace.merge(next.trace);
        let text = match (self.text, next.text) {
            (Some(mut text), Some(more)) => {
                text.push_str(&more);
                Some(text)
            }
            _ => None,
        };
        Self { text, trace, status: next.status }
    }

    /// One of several: the only one that says something, when there is just one such.
    fn either(mut all: Vec<Self>) -> Self {
        if all.len() == 1 {
            return all.pop().unwrap_or_default();
        }
        let mut trace = Trace::default();
        let mut said: Option<Self> = None;
        let mut sure = true;
        for one in all {
            trace.merge(one.trace);
            match &one.text {
                Some(text) if text.is_empty() => {}
                Some(text) if said.as_ref().is_some_and(|said| said.text.as_ref() != Some(text)) => sure = false,
                Some(_) => said = Some(one),
                None => sure = false,
            }
        }
        let text = if sure { said.map_or(Some(String::new()), |said| said.text) } else { None };
        Self { text, trace, status: Status::Open }
    }

    fn into_input(self) -> Input {
        let trace = if self.trace.is_empty() { Trace::of(Origin::Constant) } else { self.trace };
        Input { text: self.text, trace }
    }
}

impl<'b> Walker<'b> {
    pub(super) fn new(surroundings: &'b Surroundings, detail: Detail, budget: &'b mut Budget) -> Self {
        let mut state = State::default();
        state.set(Key::Directory, Entry::Directories(vec![Directory::Known(surroundings.directory.as_path().into())]));
        Self {
            surroundings,
            budget,
            state,
            commands: Emitted::default(),
            inherited: Vec::new(),
            shapes: Vec::new(),
            processes: Vec::new(),
            defined: Vec::new(),
            calls: Vec::new(),
            holes: Vec::new(),
            renamed: false,
            rounds: 0,
            passes: 1,
            uncalled: false,
            endless: None,
            detail,
        }
    }

    /// The commands that were seen so far, and what only their whole shows.
    pub(super) fn seen(self) -> (Vec<Command>, Vec<Shape>) {
        (self.commands.into_commands(), self.shapes)
    }

    /// Walks a whole text, and then the functions that nothing in it calls.
    pub(super) fn text(&mut self, body: &Body) -> Within<()> {
        let scope =
            Scope { depth: 0, via: Rc::default(), input: Rc::default(), manner: Manner::Alone, heard: Heard::No };
        self.inherit(&scope)?;
        self.body(body, &scope)?;
        self.uncalled = true;
        let mut next = 0;
        while let Some(defined) = self.defined.get(next) {
            if !defined.called {
                let scope = defined.scope.clone();
                let mark = self.state.mark();
                self.state.remove(Key::Variable("@".to_owned()));
                self.follow(next, &scope)?;
                self.state.forget(mark);
            }
            next += 1;
        }
        Ok(())
    }

    fn shape(&mut self, shape: Shape) {
        if !self.shapes.contains(&shape) {
            self.shapes.push(shape);
        }
    }

    /// Something that runs while the shell goes on.
    fn beside(&mut self, node: impl FnOnce(&mut Self) -> Within<Output>) -> Within<Output> {
        let mut around = self.endless.take();
        let mark = self.state.mark();
        let output = node(self)?;
        self.state.forget(mark);
        if let Some(endless) = &mut around {
            endless.background = true;
        }
        self.endless = around;
        Ok(output.with(Status::True))
    }

    /// Walks the body of a loop that never ends.
    fn endless(&mut self, body: &Body, scope: &Scope) -> Within<Output> {
        let around = self.endless.replace(Endless::default());
        let output = self.body(body, scope)?;
        let endless = std::mem::replace(&mut self.endless, around).unwrap_or_default();
        if endless.background && !endless.held {
            self.shape(Shape::EndlessSpawn);
        }
        if let Some(around) = &mut self.endless {
            around.background |= endless.background;
            around.held |= endless.held;
        }
        Ok(output)
    }

    /// One output after another. Where one of them is not known and they are read, it is a hole in what is.
    fn followed(&mut self, mut before: Output, mut next: Output, scope: &Scope) -> Within<Output> {
        let says = |output: &Output| output.text.as_ref().is_some_and(|text| !text.is_empty());
        if scope.heard == Heard::Yes && before.text.is_none() && says(&next) {
            before.text = Some(self.hole_of(before.trace)? + "\n");
        } else if scope.heard == Heard::Yes && next.text.is_none() && says(&before) {
            // Where it holds a line end, what follows begins a line.
            next.text = Some(format!("\n{}\n", self.hole_of(next.trace)?));
        }
        Ok(before.then(next))
    }

    /// Characters that are not known.
    fn hole_of(&mut self, trace: Trace) -> Within<String> {
        self.flattened(&unknown_output(trace))
    }

    /// `$(…)`: a subshell whose output is a part of a word.
    pub(super) fn substituted(&mut self, body: &Body, scope: &Scope) -> Within<Output> {
        self.budget.problem(Problem::Substitution);
        let scope = scope.through(Via::Substitution)?.beside(Manner::Piped).heard();
        let mark = self.state.mark();
        let processes = std::mem::take(&mut self.processes);
        let mut output = match self.file_substitution(body, &scope)? {
            Some(output) => output,
            None => self.body(body, &scope)?,
        };
        if self.detail == Detail::Coarse && output.text.as_ref().is_some_and(|text| text.len() > SAID) {
            output.text = None;
        }
        self.processes = processes;
        self.state.forget(mark);
        Ok(output)
    }

    /// `<(…)` and `>(…)` as a word.
    pub(super) fn process(&mut self, direction: Direction, body: &Rc<Body>, scope: &Scope) -> Within<Fragment> {
        let trace = match direction {
            Direction::From => {
                let output = self.substituted(body, scope)?;
                let trace = output.clone().into_input().trace;
                self.processes.push(Process::From(output));
                trace
            }
            Direction::Into => {
                self.budget.problem(Problem::Substitution);
                self.processes.push(Process::Into(Rc::clone(body)));
                Trace::of(Origin::Program)
            }
        };
        let unknown = Unknown { kind: UnknownKind::Output(trace), splits: false, may_be_empty: false };
        Ok(Fragment::Piece(Piece::Unknown(unknown)))
    }
}
