//! Where the output of a program comes from that is not folded.

use super::{Printed, read, within, words_trace};
use crate::catalogue::{Fact, calls, facts, given, has, is_client, mentions};
use crate::command::{Command, Origin, Trace, Word};
use crate::unwrap::words::split;
use crate::unwrap::{Script, code};
use std::sync::Arc;

/// What the output of a program is made from.
pub(super) fn trace(name: &str, command: &Command) -> Trace {
    let known = facts(name);
    let texts: Vec<&str> = command.operands().iter().map(Word::prefix).collect();
    let any = |list: &str| texts.iter().any(|text| given(text, list));
    let fetches = |fact: &Fact| match fact {
        Fact::Client => true,
        Fact::ClientWith(words) => any(words),
        _ => false,
    };
    if known.iter().any(fetches) {
        return Trace::of(Origin::Network);
    }
    let unpacks = |fact: &Fact| matches!(fact, Fact::DecodesWith(words) if any(words));
    if decodes(known, || told(&texts)) || known.iter().any(unpacks) || is_module(name, &texts) {
        let mut trace = read(command, &files(command)).trace;
        trace.merge(command.input.trace);
        trace.merge(Trace::of(Origin::Decoder));
        return trace;
    }
    if let Some(code) = code::text(command) {
        let mut trace = Trace::default();
        trace.merge(code_trace(&code.to_string()));
        trace.merge(words_trace(&[code]));
        trace.merge(command.input.trace);
        trace.merge(Trace::of(Origin::Program));
        return trace;
    }
    let mut trace = command.input.trace;
    if known.contains(&Fact::Filters) {
        trace.merge(read(command, &files(command)).trace);
    }
    trace.merge(Trace::of(Origin::Program));
    trace
}

/// Whether a program prints what it decodes.
fn decodes(known: &[Fact], told: impl Fn() -> bool) -> bool {
    known.contains(&Fact::Decodes) || (known.contains(&Fact::DecodesIfTold) && told())
}

fn files(command: &Command) -> Vec<Word> {
    command.operands().iter().filter(|word| !word.prefix().starts_with('-')).cloned().collect()
}

fn told(texts: &[&str]) -> bool {
    texts.iter().any(|text| {
        let letters = text.strip_prefix('-').filter(|rest| !rest.starts_with('-')).unwrap_or_default();
        letters.contains(['d', 'D'])
            || ["--de", "--unc", "--sto", "-uncompress", "decrypt", "view"].iter().any(|start| text.starts_with(start))
    })
}

/// `python3 -m base64 -d`, and other modules that undo an encoding.
fn is_module(name: &str, texts: &[&str]) -> bool {
    const MODULES: &str = "base64 quopri uu gzip bz2 lzma zipfile tarfile binhex encodings.rot_13";
    let named = |pair: &[&str]| matches!(pair, [option, module] if *option == "-m" && has(MODULES, module));
    name.starts_with("python") && texts.windows(2).any(named)
}

/// What program code fetches or decodes by its own calls.
fn code_trace(text: &str) -> Trace {
    let mut trace = Trace::default();
    if mentions(text, calls::FETCHES) || mentions(text, calls::RECEIVES) {
        trace.merge(Trace::of(Origin::Network));
    }
    if mentions(text, calls::DECODES) {
        trace.merge(Trace::of(Origin::Decoder));
    }
    trace
}

/// What a shell text prints. One plain command is looked into; of more, only where anything in it may come from.
pub(super) fn script_trace(script: &Script, fuel: &mut usize) -> Printed {
    let text = script.text.to_string();
    let base = Command {
        words: Vec::new(),
        assignments: Vec::new(),
        redirects: Vec::new(),
        input: script.input.clone(),
        directory: script.directory.clone(),
        via: script.via.clone(),
        background: false,
        source: Arc::default(),
    };
    let plain = script.text.literal().is_some_and(|text| {
        !text
            .trim()
            .contains([';', '|', '&', '<', '>', '$', '`', '(', ')', '\n', '*', '?', '{', '~', '[', '\\', '#', '!'])
    });
    if plain {
        let words = split(&text).into_iter().map(Word::text).collect();
        return within(&Command { words, ..base }, fuel);
    }
    let mut trace = words_trace(std::slice::from_ref(&script.text));
    trace.merge(script.input.trace);
    trace.merge(Trace::of(Origin::Program));
    let names = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+')));
    for name in names {
        if is_client(name) {
            trace.merge(Trace::of(Origin::Network));
        }
        if decodes(facts(name), || text.contains(" -")) {
            trace.merge(Trace::of(Origin::Decoder));
        }
    }
    Printed { text: None, trace }
}
