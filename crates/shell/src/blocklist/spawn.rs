//! Processes that make processes without end.

use super::Rule;
use super::interpreter::{Language, code};
use super::view::View;
use crate::command::Shape;

pub(super) const RULE: Rule = Rule {
    id: "shell.block.fork-bomb",
    key: "shell-block-fork-bomb",
    breaks,
    matches: &[
        ":(){ :|:& };:",
        "b() { b | b & }; b",
        "f() { f & f & }; f",
        "while true; do sleep 9 & done",
        "while :; do ./x & done",
        "until false; do bash & done",
        "perl -e 'fork while fork'",
        "python3 -c 'import os\nwhile True: os.fork()'",
        "ruby -e 'loop { fork }'",
        "for ((;;)); do sleep 1 & done",
    ],
    spares: &[
        "f() { ls | wc -l & }; f",
        "for i in 1 2 3; do sleep 1 & done; wait",
        "while true; do date; sleep 1; break; done",
        "f() { f2 & }; f",
        "grep 'fork bomb' x",
        "sleep 1 & sleep 1 & wait",
        "echo ':(){ :|:& };:'",
        "while read line; do echo \"$line\"; done < x",
    ],
};

/// What stands for a shape in a message.
pub(super) const fn shown(shape: Shape) -> &'static str {
    match shape {
        Shape::RecursiveFunction => "f() { f | f & }",
        Shape::EndlessSpawn => "while :; do … & done",
    }
}

fn breaks(view: &View<'_>) -> Option<String> {
    if view.program.name() == Some(":fork-loop:") {
        return Some(view.shown());
    }
    let language = Language::of(view.program).filter(|language| *language != Language::Shell)?;
    let text = code(language, view.command.operands())?.to_string();
    let forks = ["fork(", "fork ", "fork;", "fork}", "fork while", "fork until", "Process.fork"];
    let forks = forks.iter().any(|call| text.contains(call)) || text.trim_end().ends_with("fork");
    let forever = [
        "while 1",
        "while True",
        "while(1",
        "while (1",
        "while fork",
        "for(;;",
        "for (;;",
        "loop {",
        "loop{",
        "until 0",
    ];
    (forks && (forever.iter().any(|loops| text.contains(loops)))).then(|| view.shown())
}
