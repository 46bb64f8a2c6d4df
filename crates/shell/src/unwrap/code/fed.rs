//! Calls that start what the caller gives: the words after the code, or its stdin.

use super::Found;
use super::tokens::Token;
use crate::command::{Command, Word};
use crate::unwrap::build::stdin;
use crate::unwrap::words::join;

const WORDS: &[&str] = &["argv", "ARGV", "@ARGV", "$ARGV", "args", "commandArgs"];
const INPUT: &[&str] =
    &["stdin", "STDIN", "raw_input", "gets", "$_", "readFileSync", "readline", "readlines", "readLines", "$stdin"];
const EVALUATES: &[&str] = &["eval", "exec", "Function", "instance_eval", "loadstring"];
/// Calls that hand a whole text to a shell. Others of the kind, such as `execute`, speak to databases more often.
const SHELLS: &[&str] = &[
    "system",
    "popen",
    "exec",
    "execSync",
    "spawn",
    "spawnSync",
    "shell_exec",
    "passthru",
    "getoutput",
    "getstatusoutput",
    "check_output",
    "check_call",
    "Popen",
    "run",
    "call",
    "execvp",
    "execlp",
];

/// Adds what `tokens` start of the command's own words and stdin.
pub(super) fn find(command: &Command, code: &Word, tokens: &[Token], found: &mut Vec<Found>) {
    let text = code.to_string();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Name(name) = token else { continue };
        let owned = at.checked_sub(1).and_then(|at| tokens.get(at)) == Some(&Token::Mark('.'));
        let evaluates = EVALUATES.contains(&name.as_str()) && (!owned || name == "instance_eval");
        // A pattern's `exec` and a thread's `run` start nothing.
        let starts = SHELLS.contains(&name.as_str())
            && match name.as_str() {
                "exec" if owned => text.contains("child_process"),
                "run" | "call" => text.contains("subprocess"),
                _ => true,
            };
        if !evaluates && !starts {
            continue;
        }
        let inside = inside(tokens, at + 1);
        let has = |names: &[&str]| {
            inside.iter().any(|token| matches!(token, Token::Name(name) if names.contains(&name.as_str())))
        };
        if has(WORDS) {
            let own = command.operands().iter().position(|word| word == code);
            let rest = own.and_then(|at| command.operands().get(at + 1..)).unwrap_or_default();
            let rest: Vec<Word> = rest.iter().skip_while(|word| word.literal() == Some("--")).cloned().collect();
            if !rest.is_empty() {
                found.push(Found::Text(join(&rest, " ")));
                found.push(Found::Words(rest));
            }
        }
        // A list of words with one of them read is no program from stdin.
        let whole = !inside.iter().take(2).any(|token| *token == Token::Mark('['));
        if whole
            && (has(INPUT) || reads(inside))
            && let Some(text) = stdin(&command.input)
        {
            match text.literal() {
                Some(known) if evaluates => found.push(Found::Code(known.to_owned())),
                _ => {}
            }
            found.push(Found::Text(text));
        }
    }
}

/// `<>`, perl's next line; python's `input()`.
fn reads(tokens: &[Token]) -> bool {
    let asks = |pair: &[Token]| matches!(pair, [Token::Name(name), Token::Mark('(')] if name == "input");
    tokens.windows(2).any(asks) || tokens.windows(2).any(|pair| pair == [Token::Mark('<'), Token::Mark('>')])
}

/// What stands in the brackets after a name, or up to the end of the statement.
fn inside(tokens: &[Token], at: usize) -> &[Token] {
    let bracketed = tokens.get(at) == Some(&Token::Mark('('));
    let rest = tokens.get(at..).unwrap_or_default();
    let mut depth = 0usize;
    let ends = |token: &Token| {
        match token {
            Token::Mark('(') => depth += 1,
            Token::Mark(')') => depth = depth.saturating_sub(1),
            Token::Mark(';' | '\n') if depth == 0 => return true,
            _ => {}
        }
        bracketed && depth == 0
    };
    let end = rest.iter().position(ends).unwrap_or(rest.len());
    rest.get(..end.min(64)).unwrap_or_default()
}
