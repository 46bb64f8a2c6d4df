//! What a source shows before anybody approves it: patterns that are refused by document, and what the approver should see.

use crate::manifest::{Kind, LARGEST_SOURCE, Manifest};
use crate::script::Layers;
use crate::template::Template;
use palanca_core::Message;
use palanca_shell::{Class, Command, Judgement, Sentence};

/// What was found in a source.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// The first pattern that no tool may have, as it is named to who wrote it.
    pub refused: Option<Message>,
    /// What else there is to see, for the approver.
    pub findings: Vec<Message>,
}

impl Analysis {
    fn refuse(&mut self, message: Message) {
        self.refused.get_or_insert(message);
    }

    fn find(&mut self, message: Message) {
        if !self.findings.contains(&message) {
            self.findings.push(message);
        }
    }
}

/// Looks at the source of a tool.
#[must_use]
pub fn analyse(manifest: &Manifest, source: &str) -> Analysis {
    let mut analysis = Analysis::default();
    characters(manifest, source, &mut analysis);
    match manifest.kind {
        Kind::Command => command(manifest, source, &mut analysis),
        Kind::Typescript => script(source, &mut analysis),
    }
    analysis
}

/// What hides something from the person who reads it.
fn characters(manifest: &Manifest, source: &str, analysis: &mut Analysis) {
    if source.trim().is_empty() {
        analysis.refuse(Message::new("dynamic-missing").with("name", "source"));
    }
    if source.len() > LARGEST_SOURCE {
        analysis.refuse(Message::new("dynamic-source-long").with("limit", LARGEST_SOURCE));
    }
    let described = manifest.parameters.iter().map(|(_, parameter)| parameter.description.as_str());
    for text in described.chain([source.trim_start_matches('\u{feff}'), &manifest.description]) {
        let hidden = text.chars().find(|one| is_hidden(*one));
        if let Some(hidden) = hidden {
            let code = format!("U+{:04X}", u32::from(hidden));
            analysis.refuse(Message::new("dynamic-pattern").with("pattern", code));
        }
    }
    if source.lines().collect::<Vec<_>>().split(|line| !line.trim().is_empty()).any(|blank| blank.len() > BLANK_LINES) {
        analysis.find(Message::new("dynamic-found-blank"));
    }
    if source.lines().any(|line| line.chars().count() > LONG_LINE) {
        analysis.find(Message::new("dynamic-found-long-line").with("limit", LONG_LINE));
    }
    if source.chars().any(|one| one.is_alphabetic() && !one.is_ascii()) {
        analysis.find(Message::new("dynamic-found-letters"));
    }
}

/// Empty lines in a row, and characters of a line, that hide what comes after from who scrolls.
const BLANK_LINES: usize = 40;
const LONG_LINE: usize = 500;

/// Controls, and characters that reverse or hide others.
const fn is_hidden(one: char) -> bool {
    matches!(one, '\0'..='\u{8}' | '\u{b}'..='\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}'
        | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn command(manifest: &Manifest, source: &str, analysis: &mut Analysis) {
    let template = match Template::read(source, &manifest.parameters) {
        Ok(template) => template,
        Err(why) => return analysis.refuse(why),
    };
    let [usual, empty] = template.judged();
    for part in usual.parts.iter().filter_map(|part| part.command.as_ref()) {
        if let Some(pattern) = documented(part) {
            analysis.refuse(Message::new("dynamic-pattern").with("pattern", pattern));
        }
    }
    for judgement in [&usual, &empty] {
        if judgement.class == Class::Blocked {
            analysis.refuse(
                Message::new("dynamic-pattern-blocked").with("reason", said(&judgement.reason.message, &template)),
            );
        }
    }
    found(&usual, &template, analysis);
    for (name, _) in manifest.parameters.iter().filter(|(name, _)| !template.names().any(|hole| hole == *name)) {
        analysis.find(Message::new("dynamic-found-unused").with("name", name));
    }
}

/// Patterns of the document, as the programs that they mean.
fn documented(command: &Command) -> Option<&'static str> {
    let flags = || command.operands().iter().filter_map(|word| word.literal()).take_while(|word| *word != "--");
    let has = |short: [char; 2], long: &str| {
        flags().any(|flag| flag == long || (flag.starts_with('-') && !flag.starts_with("--") && flag.contains(short)))
    };
    match command.program()? {
        "rm" if has(['r', 'R'], "--recursive") && has(['f', 'f'], "--force") => Some("rm -rf"),
        "sudo" | "doas" => Some("sudo"),
        "chmod" => Some("chmod"),
        _ => None,
    }
}

fn found(judgement: &Judgement, template: &Template, analysis: &mut Analysis) {
    for part in judgement.parts.iter().filter(|part| part.class > Class::Safe) {
        let class = part.class.name();
        let reason = said(&part.reason.message, template);
        analysis.find(Message::new("dynamic-found-command").with("class", class).with("reason", reason));
    }
}

fn said(sentence: &Sentence, template: &Template) -> Message {
    let words = sentence.args().iter();
    words.fold(Message::new(sentence.key()), |message, (name, value)| message.with(name, template.shown(value)))
}

/// Modules that no script has, by document and for the same reasons.
const MODULES: [&str; 19] = [
    "fs",
    "path",
    "os",
    "child_process",
    "net",
    "http",
    "https",
    "dgram",
    "cluster",
    "worker_threads",
    "vm",
    "fs/promises",
    "http2",
    "dns",
    "tls",
    "inspector",
    "v8",
    "module",
    "process",
];

/// Code that is refused by document.
const CODE: [&str; 6] = ["process.exit", "child_process", "Bun.spawnSync", "Bun.spawn", "eval(", "Function("];

/// Texts that are refused by document.
const TEXTS: [&str; 4] = ["rm -rf", "sudo ", "chmod ", "child_process"];

/// Code that a script's engine has not, or that a person should see.
const SEEN: [&str; 13] = [
    "process.env",
    "process.",
    "Bun.",
    "Deno.",
    "fetch(",
    "import(",
    "require(",
    "constructor",
    "__proto__",
    "prototype",
    "globalThis",
    "Proxy",
    "while(true)",
];

fn script(source: &str, analysis: &mut Analysis) {
    let Layers { code, texts } = Layers::of(source);
    let code = tight(&code);
    for pattern in CODE {
        if has_word(&code, pattern) {
            analysis.refuse(Message::new("dynamic-pattern").with("pattern", pattern));
        }
    }
    let asks_for_modules =
        ["require(\"\"", "import(\"\"", "from\"\"", "import\"\""].iter().any(|form| code.contains(form));
    for text in &texts {
        if let Some(pattern) = TEXTS.iter().find(|pattern| text.contains(**pattern)) {
            analysis.refuse(Message::new("dynamic-pattern").with("pattern", pattern.trim_end()));
        }
        let module = text.strip_prefix("node:").or_else(|| text.strip_prefix("bun:")).unwrap_or(text);
        let is_address = text.starts_with("http:") || text.starts_with("https:");
        if asks_for_modules
            && (MODULES.contains(&module) || (is_address && code.contains("from\"\"")) || module != text)
        {
            analysis.refuse(Message::new("dynamic-pattern").with("pattern", format!("import {text}")));
        }
    }
    for pattern in SEEN.iter().filter(|pattern| has_word(&code, pattern)) {
        analysis.find(Message::new("dynamic-found-code").with("code", *pattern));
    }
}

/// Code without blanks, but for those between two words.
fn tight(code: &str) -> String {
    let is_word = |one: &str| one.starts_with(|first: char| first.is_alphanumeric() || matches!(first, '_' | '$'));
    let mut tight = String::with_capacity(code.len());
    for word in code.split_whitespace() {
        let ends = tight.chars().next_back().is_some_and(|last| last.is_alphanumeric() || matches!(last, '_' | '$'));
        if ends && is_word(word) {
            tight.push(' ');
        }
        tight.push_str(word);
    }
    tight
}

/// Whether a piece of code stands there as a word of its own: `retrieval(` is no `eval(`.
fn has_word(code: &str, pattern: &str) -> bool {
    code.match_indices(pattern).any(|(at, _)| {
        let before = code.get(..at).and_then(|before| before.chars().next_back());
        !before.is_some_and(|one| one.is_alphanumeric() || one == '_' || one == '$')
    })
}

#[cfg(test)]
mod tests;
