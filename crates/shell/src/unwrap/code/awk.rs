//! awk programs: `system`, pipes to and from commands, and what `print` prints.

use super::fold::{Folder, Value};
use super::tokens::{Style, Token, tokens};
use super::{Found, too_many};
use crate::command::{Command, Word};
use crate::unwrap::build::{stdin, thinned};
use crate::unwrap::scan::{Order, Scan, Syntax, scan};
use crate::unwrap::shells::{is_stdin, made};
use crate::unwrap::words::assigned;
use std::collections::HashMap;

/// Lines of a known input for which what is started is told apart.
const LINES: usize = 256;
/// Tokens that are looked at for all lines together.
const WORK: usize = 65_536;

/// Whether a program is an awk.
pub(super) fn is_awk(name: &str) -> bool {
    matches!(name, "awk" | "gawk" | "mawk" | "nawk" | "original-awk" | "goawk" | "igawk" | "pgawk" | "bwk")
}

/// The options, the program text, and the files after it.
fn parts(command: &Command) -> (Scan<'_>, Option<Word>, Vec<Word>) {
    let syntax = Syntax {
        short: "F:v:f:e:E:i:l:W:bcCd::D::ghIkL::Mn:No::OPp::rsStV",
        long: "field-separator= assign= file= source= exec= include= load= lint? version help posix traditional sandbox \
               non-decimal-data optimize profile? pretty-print? re-interval bignum csv debug?",
    };
    let scan = scan(command.operands(), syntax, Order::First).into_iter().next().unwrap_or_default();
    let mut operands = scan.operands.to_vec();
    let program = match scan.values("e source").next().cloned() {
        Some(program) => Some(program),
        None if scan.has("f file E exec") || operands.is_empty() => None,
        None => Some(operands.remove(0)),
    };
    (scan, program, operands)
}

/// The program text.
pub(super) fn program(command: &Command) -> Option<Word> {
    let (scan, program, _) = parts(command);
    let file = scan.values("f file E exec").next().is_some_and(|file| is_stdin(file) || made(file).is_some());
    program.or_else(|| if file { stdin(&command.input) } else { None })
}

fn variables(command: &Command) -> HashMap<String, Value> {
    let (scan, _, files) = parts(command);
    let all = scan.values("v assign").chain(&files).filter_map(assigned);
    all.map(|(name, value)| (name.to_owned(), Value::Text(value))).collect()
}

/// What the program starts.
pub(super) fn find(command: &Command, text: &str, found: &mut Vec<Found>) {
    let tokens = tokens(text, Style::Awk);
    let lines: Vec<&str> = command.input.text.iter().flat_map(|text| text.lines()).collect();
    let lines = thinned(lines, |line| Some(line));
    let most = LINES.min(WORK / (tokens.len() + 1)).max(1);
    let before = found.len();
    let more = lines.len() > most;
    for line in lines.iter().copied().take(most).map(Some).chain(lines.is_empty().then_some(None)) {
        let mut known = variables(command);
        match line {
            Some(line) => fields(line, &line.split_whitespace().collect::<Vec<_>>(), &mut known),
            None => known.extend(stdin(&command.input).map(|text| ("$0".to_owned(), Value::Text(text)))),
        }
        started(&tokens, known, found);
    }
    if more && found.len() > before {
        too_many(found);
    }
}

fn started(tokens: &[Token], mut known: HashMap<String, Value>, found: &mut Vec<Found>) {
    let mut printed: Option<Value> = None;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Name(name) if name == "system" && tokens.get(at + 1) == Some(&Token::Mark('(')) => {
                let value = expression(tokens, at + 2, &known);
                found.push(Found::Text(value.word().unwrap_or_else(hole)));
            }
            Token::Name(name) if matches!(name.as_str(), "print" | "printf") => {
                let bare = matches!(tokens.get(at + 1), None | Some(Token::Mark('|' | ';' | '}' | '\n')));
                printed = match known.get("$0").filter(|_| bare) {
                    Some(line) => Some(line.clone()),
                    None => Some(expression(tokens, at + 1, &known)),
                };
            }
            Token::Name(name)
                if tokens.get(at + 1) == Some(&Token::Mark('=')) && tokens.get(at + 2) != Some(&Token::Mark('=')) =>
            {
                let value = expression(tokens, at + 2, &known);
                if value != Value::Open {
                    known.insert(name.clone(), value);
                }
            }
            Token::Mark('|')
                if tokens.get(at + 1) != Some(&Token::Mark('|'))
                    && tokens.get(at.wrapping_sub(1)) != Some(&Token::Mark('|')) =>
            {
                let next = if tokens.get(at + 1) == Some(&Token::Mark('&')) { at + 2 } else { at + 1 };
                if matches!(tokens.get(next), Some(Token::Name(name)) if name == "getline") {
                    let value = before(tokens, at, &known);
                    found.push(Found::Text(value.word().unwrap_or_else(hole)));
                } else {
                    let value = expression(tokens, next, &known);
                    let text = value.word().unwrap_or_else(hole);
                    let input = printed
                        .as_ref()
                        .and_then(Value::word)
                        .and_then(|word| word.literal().map(|text| format!("{text}\n")));
                    found.push(Found::Fed { text, input });
                }
            }
            _ => {}
        }
    }
}

/// `$0`, `$1`, …, `$NF` of a line.
fn fields(line: &str, all: &[&str], known: &mut HashMap<String, Value>) {
    known.insert("$0".to_owned(), Value::Text(Word::text(line)));
    for (at, field) in all.iter().enumerate().take(64) {
        known.insert(format!("${}", at + 1), Value::Text(Word::text(*field)));
    }
    if let Some(last) = all.last() {
        known.insert("$NF".to_owned(), Value::Text(Word::text(*last)));
    }
}

fn hole() -> Word {
    crate::unwrap::words::anything(crate::command::UnknownKind::Other)
}

fn expression(tokens: &[Token], at: usize, known: &HashMap<String, Value>) -> Value {
    let mut folder = Folder::new(tokens, at, known);
    folder.beside = true;
    folder.expression()
}

/// The values that stand side by side before a mark.
fn before(tokens: &[Token], end: usize, known: &HashMap<String, Value>) -> Value {
    let starts = |token: &Token| match token {
        Token::Mark(mark) => !matches!(mark, '(' | ')'),
        Token::Name(name) => matches!(name.as_str(), "while" | "if" | "BEGIN" | "END" | "return"),
        _ => false,
    };
    let mut begin = tokens.iter().take(end).rposition(starts).map_or(0, |at| at + 1);
    let opens = |at: usize| tokens.get(at) == Some(&Token::Mark('('));
    let depth: i32 = tokens
        .get(begin..end)
        .unwrap_or_default()
        .iter()
        .map(|token| match token {
            Token::Mark('(') => 1,
            Token::Mark(')') => -1,
            _ => 0,
        })
        .sum();
    for _ in 0..depth.max(0) {
        begin += usize::from(opens(begin));
    }
    let own: Vec<Token> = tokens.get(begin..end).unwrap_or_default().to_vec();
    expression(&own, 0, known)
}

/// What the program prints, when it prints nothing but constants or chosen fields of a known input.
pub(super) fn says(command: &Command) -> Option<String> {
    let (scan, program, files) = parts(command);
    let program = program?;
    let text = program.literal()?.trim().to_owned();
    let known = variables(command);
    let body = |start: &str| {
        text.strip_prefix(start)
            .map(str::trim)
            .and_then(|rest| rest.strip_prefix('{')?.strip_suffix('}'))
            .map(str::trim)
    };
    if let Some(body) = body("BEGIN") {
        return statements(body, &known, None);
    }
    if !files.is_empty() {
        return None;
    }
    let input = command.input.text.as_deref()?;
    if let Some(body) = body("END") {
        return statements(body, &known, None);
    }
    if matches!(text.as_str(), "1" | "{print}" | "{print $0}" | "{ print }" | "{ print $0 }" | "NF") {
        return Some(input.to_owned());
    }
    let body = body("")?;
    let mark = scan.values("F field-separator").next().and_then(Word::literal).map(str::to_owned);
    let mut out = String::new();
    for line in input.lines() {
        let fields: Vec<&str> = match mark.as_deref() {
            None | Some(" ") => line.split_whitespace().collect(),
            Some(mark) if mark.chars().count() == 1 => line.split(mark).collect(),
            Some(_) => return None,
        };
        out += &statements(body, &known, Some((line, &fields)))?;
    }
    Some(out)
}

fn statements(body: &str, known: &HashMap<String, Value>, chosen: Option<(&str, &[&str])>) -> Option<String> {
    let mut known = known.clone();
    if let Some((line, all)) = chosen {
        fields(line, all, &mut known);
    }
    let tokens = tokens(body, Style::Awk);
    if tokens.contains(&Token::Mark('|')) || tokens.contains(&Token::Mark('>')) {
        return None;
    }
    let mut out = String::new();
    for statement in tokens.split(|token| matches!(token, Token::Mark(';' | '\n'))) {
        match statement.first() {
            None => {}
            Some(Token::Name(name)) if name == "exit" => break,
            Some(Token::Name(name)) if matches!(name.as_str(), "print" | "printf") => {
                let mut folder = Folder::new(statement, 1, &known);
                folder.beside = true;
                let values: Option<Vec<String>> = folder
                    .arguments(';')
                    .iter()
                    .map(|value| value.word().and_then(|word| word.literal().map(str::to_owned)))
                    .collect();
                let values = values?;
                if name == "print" {
                    out += &(values.join(" ") + "\n");
                } else {
                    let texts: Vec<&str> = values.iter().map(String::as_str).collect();
                    out += &crate::unwrap::outputs::printf(&texts)?;
                }
            }
            Some(Token::Name(name)) if statement.get(1) == Some(&Token::Mark('=')) => {
                let mut folder = Folder::new(statement, 2, &known);
                folder.beside = true;
                let value = folder.expression();
                known.insert(name.clone(), value);
            }
            _ => return None,
        }
    }
    Some(out)
}
