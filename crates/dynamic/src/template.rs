//! A command with holes. Each `{{name}}` becomes exactly one literal argument, or a part of one, whatever its value is.
//!
//! Nothing is stripped from a value: it is quoted. Where a hole may stand is asked of the reader that judges commands, not decided here: a text
//! is read once with harmless words in its holes, once with hostile ones, and both must be the same commands with those words as they are. So a
//! hole in a program's place, in a redirection, in code, or where the shell would split or expand it, is refused before anybody approves it;
//! and each call is held against the same reading again.

use crate::manifest::is_below;
use crate::parameters::{Parameter, Parameters, ValueKind};
use palanca_core::Message;
use palanca_shell::{Command, Judgement, Piece, SecretNames, Surroundings, Via, Word, judge};
use serde_json::{Map, Value};

/// Bytes of a command with its values: what the reader takes, with room for quotes.
const LARGEST: usize = 48 << 10;

/// A value that would be seen if any of it were not literal.
const HOSTILE: &str = "x y'z\"w$(v)`u`;t|s&r>q<p*o?[n]{m,l}~k\\j\ni#h!g";

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Hole { name: String, quote: Quote },
}

/// What a hole stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quote {
    None,
    Single,
    Double,
}

/// A command whose holes were checked.
#[derive(Clone, Debug)]
pub struct Template {
    parts: Vec<Part>,
    parameters: Parameters,
    /// What stood in each hole while the commands below were read.
    markers: Vec<String>,
    read: Vec<Command>,
}

impl Template {
    /// Reads a command whose holes are named after these parameters.
    ///
    /// # Errors
    /// A hole that is malformed, has no parameter, or stands where it would not be one argument; a text that is no command.
    pub fn read(source: &str, parameters: &Parameters) -> Result<Self, Message> {
        if source.trim().is_empty() {
            return Err(Message::new("dynamic-missing").with("name", "source"));
        }
        if source.contains('\0') {
            return Err(Message::new("command-nul"));
        }
        let parts = parts(source)?;
        let mut template = Self { parts, parameters: parameters.clone(), markers: Vec::new(), read: Vec::new() };
        for name in template.names() {
            match parameters.get(name) {
                None => return Err(Message::new("dynamic-hole-unknown").with("name", name)),
                Some(parameter) if !parameter.kind.is_plain() => {
                    return Err(Message::new("dynamic-hole-kind").with("name", name));
                }
                Some(_) => {}
            }
        }
        template.markers = template.holes().enumerate().map(|(at, _)| marker(at)).collect();
        let read = judged(&template.text(&template.markers));
        if let Some(syntax) = read.parts.iter().find(|part| part.reason.rule == "shell.syntax") {
            let near = syntax.reason.message.args().first().map(|(_, near)| near.clone()).unwrap_or_default();
            return Err(Message::new("dynamic-template-syntax").with("near", near));
        }
        template.read = commands(&read);
        template.check_places()?;
        let hostile: Vec<String> = template.markers.iter().map(|marker| format!("{marker}{HOSTILE}")).collect();
        match template.differs(&hostile) {
            None => Ok(template),
            Some(name) => Err(misplaced(&name)),
        }
    }

    /// The names of its holes, each as often as it stands there.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.holes().map(|(name, _)| name)
    }

    fn holes(&self) -> impl Iterator<Item = (&str, Quote)> {
        self.parts.iter().filter_map(|part| match part {
            Part::Hole { name, quote } => Some((name.as_str(), *quote)),
            Part::Text(_) => None,
        })
    }

    /// The text with these values in its holes, each quoted for where it stands.
    fn text(&self, values: &[String]) -> String {
        let mut values = values.iter();
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Text(plain) => text.push_str(plain),
                Part::Hole { quote, .. } => {
                    let value = values.next().map(|value| value.replace('\'', r"'\''")).unwrap_or_default();
                    let around = match quote {
                        Quote::None => "",
                        // The quote ends before the value, and begins again after it.
                        Quote::Single => "'",
                        Quote::Double => "\"",
                    };
                    text.extend([around, "'", value.as_str(), "'", around]);
                }
            }
        }
        text
    }

    /// Whether each hole is an argument of a command that is seen to start, and nothing else.
    fn check_places(&self) -> Result<(), Message> {
        for (name, marker) in self.names().zip(&self.markers) {
            let is_in = |word: &Word| {
                word.pieces.iter().any(|piece| matches!(piece, Piece::Text(text) if text.contains(marker)))
            };
            let mut stands = false;
            for command in &self.read {
                let program = command.words.first();
                let is_builtin = command.program().is_some_and(|name| NO_ARGUMENTS.contains(&name));
                let operands = command.operands().iter().any(is_in);
                let elsewhere = program.is_some_and(is_in)
                    || command.assignments.iter().any(|assignment| is_in(&assignment.value))
                    || command.redirects.iter().any(|redirect| is_in(&redirect.target));
                if program.is_some_and(is_in) {
                    return Err(Message::new("dynamic-hole-program").with("name", name));
                }
                if elsewhere || (operands && (is_builtin || !command.via.iter().all(is_transparent))) {
                    return Err(misplaced(name));
                }
                stands |= operands;
            }
            if !stands {
                return Err(misplaced(name));
            }
        }
        Ok(())
    }

    /// The first hole whose value would not be read as it is, if any.
    fn differs(&self, values: &[String]) -> Option<String> {
        let now = commands(&judged(&self.text(values)));
        let same = |before: &Command, after: &Command| {
            before.words.len() == after.words.len()
                && before
                    .words
                    .iter()
                    .zip(&after.words)
                    .all(|(before, after)| self.filled(before, values) == plain(after))
        };
        let direct = |commands: &[Command]| -> Vec<Command> {
            commands.iter().filter(|command| command.via.iter().all(is_transparent)).cloned().collect()
        };
        let (before, after) = (direct(&self.read), direct(&now));
        let is_same =
            before.len() == after.len() && before.iter().zip(&after).all(|(before, after)| same(before, after));
        let first = || self.names().next().unwrap_or_default().to_owned();
        (!is_same).then(first)
    }

    /// A word as it was read, with these values in its holes.
    fn filled(&self, word: &Word, values: &[String]) -> Vec<Piece> {
        let fill = |text: &str| {
            self.markers.iter().zip(values).fold(text.to_owned(), |text, (marker, value)| text.replace(marker, value))
        };
        let pieces = word.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => Piece::Text(fill(text)),
            other => other.clone(),
        });
        pieces.filter(|piece| !matches!(piece, Piece::Text(text) if text.is_empty())).collect()
    }

    /// The command of one call.
    ///
    /// # Errors
    /// A value that is missing, does not fit its parameter, would be an option, or would not be one argument.
    pub fn render(&self, arguments: &Map<String, Value>) -> Result<String, Message> {
        let mut values = Vec::new();
        for name in self.names() {
            let Some(parameter) = self.parameters.get(name) else {
                return Err(Message::new("dynamic-hole-unknown").with("name", name));
            };
            let value = arguments.get(name).filter(|value| !value.is_null()).or(parameter.default.as_ref());
            let Some(value) = value else { return Err(Message::new("dynamic-value-missing").with("name", name)) };
            values.push(written(name, parameter, value)?);
        }
        for ((name, marker), value) in self.names().zip(&self.markers).zip(&values) {
            if value.starts_with('-') && self.would_be_an_option(name, marker) {
                return Err(Message::new("dynamic-value-option").with("name", name));
            }
        }
        let text = self.text(&values);
        if text.len() > LARGEST {
            return Err(Message::new("dynamic-value-long").with("limit", LARGEST));
        }
        match self.differs(&values) {
            None => Ok(text),
            Some(name) => Err(misplaced(&name)),
        }
    }

    /// Whether a hole is the beginning of a word of text that no `--` goes before.
    fn would_be_an_option(&self, name: &str, marker: &str) -> bool {
        let is_text = self.parameters.get(name).is_some_and(|parameter| parameter.kind == ValueKind::String);
        is_text
            && self.read.iter().any(|command| {
                let before = command.operands().iter().take_while(|word| word.literal() != Some("--"));
                before.into_iter().any(|word| word.prefix().starts_with(marker))
                    && !PRINTS.contains(&command.program().unwrap_or_default())
            })
    }

    /// As it would be judged with nothing but harmless words, and with nothing at all.
    #[must_use]
    pub(crate) fn judged(&self) -> [Judgement; 2] {
        let empty = vec![String::new(); self.markers.len()];
        [judged(&self.text(&self.markers)), judged(&self.text(&empty))]
    }

    /// A harmless text as people and reasons show it, with the names in its holes.
    #[must_use]
    pub(crate) fn shown(&self, text: &str) -> String {
        self.names()
            .zip(&self.markers)
            .fold(text.to_owned(), |text, (name, marker)| text.replace(marker, &format!("{{{{{name}}}}}")))
    }
}

/// They read their operands as something else than arguments.
const NO_ARGUMENTS: [&str; 6] = ["[[", "((", "let", "eval", "source", "."];

/// What they are given they print, whatever it looks like.
const PRINTS: [&str; 1] = ["printf"];

/// Whether what is reached so gets its words as they are.
const fn is_transparent(via: &Via) -> bool {
    matches!(via, Via::Wrapper(_) | Via::Each(_))
}

fn marker(at: usize) -> String {
    // Digits, so that it is a word, a name and a number.
    format!("73{at:03}37")
}

fn misplaced(name: &str) -> Message {
    Message::new("dynamic-hole-place").with("name", name)
}

fn plain(word: &Word) -> Vec<Piece> {
    word.pieces.iter().filter(|piece| !matches!(piece, Piece::Text(text) if text.is_empty())).cloned().collect()
}

fn commands(judgement: &Judgement) -> Vec<Command> {
    judgement.parts.iter().filter_map(|part| part.command.clone()).collect()
}

/// What a text would run, wherever that is: only its words are looked at.
pub(crate) fn judged(text: &str) -> Judgement {
    let place = Surroundings {
        workspace: "/workspace".into(),
        directory: "/workspace".into(),
        home: Some("/home/person".into()),
        environment: Vec::new(),
        secrets: SecretNames::none(),
    };
    judge(text, &place)
}

/// A value as the characters of one argument.
fn written(name: &str, parameter: &Parameter, value: &Value) -> Result<String, Message> {
    let wrong = |why| Message::new("dynamic-value-invalid").with("name", name).with("reason", Message::new(why));
    if parameter.one_of.as_ref().is_some_and(|known| !known.contains(value)) {
        return Err(wrong("dynamic-why-enum"));
    }
    let text = match (parameter.kind, value) {
        (ValueKind::String, Value::String(text)) => text.clone(),
        (ValueKind::Number, Value::Number(number)) => number.to_string(),
        (ValueKind::Integer, Value::Number(number)) if !number.is_f64() => number.to_string(),
        (ValueKind::Integer, Value::Number(number)) => match number.as_f64() {
            Some(whole) if whole.fract() == 0.0 && whole.abs() < 9e15 => format!("{whole:.0}"),
            _ => return Err(wrong("dynamic-why-whole")),
        },
        (ValueKind::Boolean, Value::Bool(yes)) => yes.to_string(),
        _ => return Err(wrong("dynamic-why-type")),
    };
    if text.contains('\0') {
        return Err(wrong("dynamic-why-nul"));
    }
    if parameter.max_length.is_some_and(|most| text.chars().count() > most as usize) {
        return Err(wrong("dynamic-why-long"));
    }
    if parameter.is_path() && !is_below(&text) {
        return Err(wrong("dynamic-why-path"));
    }
    Ok(text)
}

/// Text and holes, each hole with the quotes that it stands in. Shells disagree about quotes within `${…}` and after a `$`, so no
/// hole stands there.
fn parts(source: &str) -> Result<Vec<Part>, Message> {
    let mut parts = Vec::new();
    let mut braces = 0_usize;
    let (mut text, mut quote, mut rest) = (String::new(), Quote::None, source);
    while let Some(character) = rest.chars().next() {
        if rest.starts_with("{{") {
            let malformed =
                || Message::new("dynamic-hole-malformed").with("near", rest.chars().take(20).collect::<String>());
            let (name, after) = hole(rest).ok_or_else(malformed)?;
            if braces > 0 || text.ends_with("$'") || text.ends_with("$\"") || text.ends_with('$') {
                return Err(misplaced(name));
            }
            parts.push(Part::Text(std::mem::take(&mut text)));
            parts.push(Part::Hole { name: name.to_owned(), quote });
            rest = after;
            continue;
        }
        match character {
            '$' if quote != Quote::Single && rest.starts_with("${") => braces += 1,
            '}' if quote != Quote::Single => braces = braces.saturating_sub(1),
            _ => {}
        }
        let mut taken = character.len_utf8();
        quote = match (quote, character) {
            (Quote::None, '\'') => Quote::Single,
            (Quote::None, '"') => Quote::Double,
            (Quote::Single, '\'') | (Quote::Double, '"') => Quote::None,
            (Quote::None | Quote::Double, '\\') => {
                taken += rest.chars().nth(1).filter(|next| *next != '{').map_or(0, char::len_utf8);
                quote
            }
            _ => quote,
        };
        text.push_str(rest.get(..taken).unwrap_or_default());
        rest = rest.get(taken..).unwrap_or_default();
    }
    parts.push(Part::Text(text));
    Ok(parts)
}

/// `{{name}}` at the beginning of a text: the name, and what comes after.
fn hole(text: &str) -> Option<(&str, &str)> {
    let (inside, after) = text.strip_prefix("{{")?.split_once("}}")?;
    let name = inside.trim_matches([' ', '\t']);
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then_some((name, after))
}

#[cfg(test)]
mod tests;
