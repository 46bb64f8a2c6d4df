//! Words that some model reads as control: ends of turns, roles, tool calls, closers of a frame around untrusted text. Each is
//! turned so that it no longer parses and a person still reads it: `<|im_end|>` becomes `(|im_end|)`.
//!
//! Tags are only touched when their name is one of these; the rest of a page's markup stays.

use regex::Regex;
use std::borrow::Cow;
use std::sync::{LazyLock, OnceLock};

/// An opening angle bracket, as written or meant.
const LT: &str = r"(?:[<＜﹤‹〈⟨〈❮❬⧼ᐸᑉ˂ᐸ𖼺]|&(?:amp;)*lt;?|&(?:amp;)*#0{0,4}60;?|&(?:amp;)*#[xX]0{0,4}3[cC];?|%(?:25)*3[cC]|\\+(?:u003|x3)[cC]|\\u\{3[cC]\})";
/// A closing one.
const GT: &str = r"(?:[>＞﹥›〉⟩〉❯❭⧽ᐳ˃]|&(?:amp;)*gt;?|&(?:amp;)*#0{0,4}62;?|&(?:amp;)*#[xX]0{0,4}3[eE];?|%(?:25)*3[eE]|\\+(?:u003|x3)[eE]|\\u\{3[eE]\})";
const BAR: &str = r"(?:[|｜│∣ǀ❘]|&#124;|%7[cC])";

/// Names of tags that frame a turn, a tool call, an instruction, or foreign text.
const NAMES: &str = concat!(
    r"(?:s|bos|eos|eot|eom|eod|pad|unk|mask|cls|sep|endoftext|(?:start|end|begin)_?(?:of_?)?[a-z]+|reserved_special_token_\d+",
    r"|unused\d+|extra_id_\d+|im_(?:start|end|sep)|fim_[a-z]+|antml:[a-z0-9_.-]+|(?:antml:)?(?:function|tool|code)[a-z0-9_:.-]*",
    r"|invoke|parameters?|arguments?|observations?|actions?|system[a-z0-9_:.-]*|developer[a-z0-9_:.-]*|assistant[a-z0-9_:.-]*|user[a-z0-9_:.-]*",
    r"|human[a-z0-9_:.-]*|agent[a-z0-9_:.-]*|model|roles?|turn|chat|message|prompt[a-z0-9_:.-]*|instructions?|instruction[a-z0-9_:.-]+|inst|sys",
    r"|rules?|policy|guardrails?|context[a-z0-9_:.-]*|conversation[a-z0-9_:.-]*|history|documents?|documentation_?content|document[_-][a-z0-9_:.-]*",
    r"|untrusted[a-z0-9_:.-]*|trusted[a-z0-9_:.-]*|external[a-z0-9_:.-]*|foreign[a-z0-9_:.-]*|quarantine[a-z0-9_:.-]*|sandbox[a-z0-9_:.-]*",
    r"|(?:web|search|fetch|page|site|email|mcp|retrieved|retrieval|fetched|scraped|user|raw|file|page)[_-][a-z0-9_:.-]+",
    r"|results?|responses?|answers?|outputs?|stdout|stderr|contents?|data|inputs?|query|question|task|quoted?|text|body",
    r"|think|thinking|thoughts?|scratchpad|reasoning|reflection|plan|memory|memories|reminder|important|admin|security[a-z0-9_:.-]*",
    r"|artifacts?|antartifact|election_info|budget:[a-z0-9_.-]*|env|environment[a-z0-9_:.-]*|available_[a-z0-9_.-]+|skill[a-z0-9_:.-]*)",
);

/// What becomes of a token.
type Turn = fn(&str) -> String;

/// One kind of token: what it looks like and what becomes of it.
struct Token {
    pattern: String,
    /// Compiled when a text may have it: some of the patterns cost a millisecond.
    looks: OnceLock<Option<Regex>>,
    becomes: Turn,
}

impl Token {
    fn looks(&self) -> Option<&Regex> {
        // ignored: a test holds that every pattern compiles.
        self.looks.get_or_init(|| Regex::new(&self.pattern).ok()).as_ref()
    }
}

static OPENS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&format!("^{LT}")).ok());
static CLOSES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&format!("{GT}$")).ok());

/// What stands between a token's brackets, however they are written.
fn between(token: &str) -> &str {
    let length = |edge: &Option<Regex>| edge.as_ref().and_then(|edge| edge.find(token)).map_or(0, |found| found.len());
    token.get(length(&OPENS)..token.len() - length(&CLOSES)).unwrap_or_default()
}

fn in_parentheses(token: &str) -> String {
    format!("({})", between(token).trim())
}

/// Who speaks, in parentheses instead of before a colon.
fn speaker(token: &str) -> String {
    let letter = |character: char| character.is_alphabetic();
    let from = token.find(letter).unwrap_or(0);
    let to = token
        .rfind(letter)
        .map_or(from, |last| last + token.get(last..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8));
    let after = token.get(to..).unwrap_or_default();
    let after = after.char_indices().next_back().and_then(|(colon, _)| after.get(..colon)).unwrap_or_default();
    format!("{}({}){after}", token.get(..from).unwrap_or_default(), token.get(from..to).unwrap_or_default())
}

fn without_colon(token: &str) -> String {
    token.replacen(':', "=", 1)
}

static TOKENS: LazyLock<Vec<Token>> = LazyLock::new(|| {
    let table: Vec<(String, Turn)> = vec![
        (format!(r"{LT}(?:{BAR}[^\s<>|｜]{{1,64}}{BAR}){GT}"), in_parentheses),
        // A tag that was begun and goes on as one of these, whatever attributes it has.
        (
            format!(r"(?i){LT}(?:\s{{0,8}}[/\\]?\s{{0,8}}{NAMES}\s{{0,8}}[/\\]?\s{{0,8}}){GT}"),
            in_parentheses,
        ),
        (
            format!(r"(?i){LT}(?:(?:antml:|function|tool|invoke|parameter|system|assistant|user|human|untrusted|external|context|document|instruction|message|observation)[a-z0-9_:.-]*\s[^<>]{{0,512}}){GT}"),
            in_parentheses,
        ),
        (
            r"(?i)\[(?:\s?/?\s?(?:INST|SYS|TOOL_CALLS?|TOOL_RESULTS?|TOOL_CONTENT|AVAILABLE_TOOLS|SYSTEM_PROMPT|SYSTEM|CONTROL_\d+|PREFIX|MIDDLE|SUFFIX|gMASK|sMASK|CLS|SEP|MASK|PAD|UNK|BOS|EOS|ARGS|CALL_ID|THINK|IMG_BREAK|IMG_END|MODEL_SETTINGS)\s?)\]".to_owned(),
            |found| format!("({})", found.trim_start_matches('[').trim_end_matches(']')),
        ),
        (format!(r"(?i){LT}{LT}(?:/?SYS){GT}{GT}"), |found| format!("(({}))", between(between(found)))),
        // `Human:` and its like begin a turn at the start of a line.
        (
            r"(?im)^(?:[ \t>*#_]*)(?:human|assistant)(?:[ \t*_]*)[:：﹕︓]".to_owned(),
            speaker,
        ),
        (
            r"(?i)(?:\n[ \t]*\n[ \t*#_]*)(?:user|system|developer|tool|ai|bot|model|gpt|claude|h|a)(?:[ \t*_]*)[:：﹕︓]".to_owned(),
            speaker,
        ),
        (
            r"(?im)^(?:[ \t]*#{1,6}[ \t]*)(?:instructions?|response|system|user|input|human|assistant|end of [a-z ]{1,24})(?:[ \t]*)[:：]"
                .to_owned(),
            speaker,
        ),
        // A message as JSON, also as JSON within a string.
        (
            r#"(?i)(?:\\*["']role\\*["']\s*):(?:\s*\\*["'](?:system|developer|assistant|user|tool|function|model)\\*["'])"#
                .to_owned(),
            without_colon,
        ),
        (
            r"(?im)^(?:[ \t-]*role[ \t]*):(?:[ \t]*(?:system|developer|assistant|user|tool|function|model)[ \t]*$)".to_owned(),
            without_colon,
        ),
        (format!(r"\]\]{GT}"), |_| "]])".to_owned()),
        (format!(r"(?i){LT}!\[CDATA\["), |_| "(![CDATA(".to_owned()),
    ];
    table.into_iter().map(|(pattern, becomes)| Token { pattern, looks: OnceLock::new(), becomes }).collect()
});

/// What a text has of the characters without which a token cannot be there: most texts have few, and a look is cheap.
struct Hints {
    angle: bool,
    square: bool,
    colon: bool,
}

impl Hints {
    fn of(text: &str) -> Self {
        let foreign = !text.is_ascii();
        Self {
            angle: foreign || text.contains(['<', '>', '&', '%', '\\']),
            square: text.contains('['),
            colon: foreign || text.contains(':'),
        }
    }

    fn allow(&self, token: &Token) -> bool {
        if token.pattern.contains("[<") || token.pattern.contains("[>") {
            self.angle
        } else if token.pattern.contains("INST") {
            self.square
        } else {
            self.colon
        }
    }
}

/// The text with every such word turned.
pub(super) fn without_tokens(text: &str) -> Cow<'_, str> {
    let mut tamed = Cow::Borrowed(text);
    let hints = Hints::of(text);
    for token in TOKENS.iter().filter(|token| hints.allow(token)) {
        // A second time, for those that shared a bracket or a line end with their neighbour.
        for _ in 0..2 {
            let Some(turned) = turned(&tamed, token) else { break };
            tamed = Cow::Owned(turned);
        }
    }
    tamed
}

fn turned(text: &str, token: &Token) -> Option<String> {
    let mut found = token.looks()?.find_iter(text).peekable();
    found.peek()?;
    let mut turned = String::with_capacity(text.len() + 64);
    let mut done = 0;
    for token_found in found {
        turned.push_str(text.get(done..token_found.start()).unwrap_or_default());
        let becomes = (token.becomes)(token_found.as_str());
        // Nothing becomes longer by more than the two brackets around it.
        debug_assert!(becomes.len() <= token_found.len() + 2, "{becomes}");
        turned.push_str(&becomes);
        done = token_found.end();
    }
    turned.push_str(text.get(done..).unwrap_or_default());
    Some(turned)
}

#[cfg(test)]
mod tests;
