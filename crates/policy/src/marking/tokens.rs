//! Words that some model reads as control: ends of turns, roles, tool calls, closers of a frame around untrusted text. Each is
//! turned so that it no longer parses and a person still reads it: `<|im_end|>` becomes `(|im_end|)`.
//!
//! Tags are only touched when their name is one of these; the rest of a page's markup stays.

use regex::{Captures, Regex};
use std::borrow::Cow;
use std::sync::LazyLock;

/// An opening angle bracket, as written or meant.
const LT: &str = r"(?:[<＜﹤‹〈⟨〈❮❬⧼ᐸᑉ˂ᐸ𖼺]|&(?:amp;)*lt;?|&(?:amp;)*#0{0,4}60;?|&(?:amp;)*#[xX]0{0,4}3[cC];?|%(?:25)*3[cC]|\\+(?:u003|x3)[cC]|\\u\{3[cC]\})";
/// A closing one.
const GT: &str = r"(?:[>＞﹥›〉⟩〉❯❭⧽ᐳ˃]|&(?:amp;)*gt;?|&(?:amp;)*#0{0,4}62;?|&(?:amp;)*#[xX]0{0,4}3[eE];?|%(?:25)*3[eE]|\\+(?:u003|x3)[eE]|\\u\{3[eE]\})";
const BAR: &str = r"(?:[|｜│∣ǀ❘]|&#124;|%7[cC])";

/// Names of tags that frame a turn, a tool call, an instruction, or foreign text.
const NAMES: &str = concat!(
    r"(?:s|bos|eos|eot|eom|eod|pad|unk|mask|cls|sep|endoftext|(?:start|end|begin)_?(?:of_?)?[a-z]+|reserved_special_token_\d+",
    r"|unused\d+|extra_id_\d+|im_(?:start|end|sep)|fim_[a-z]+|antml:[\w.-]+|(?:antml:)?(?:function|tool|code)[\w:.-]*",
    r"|invoke|parameters?|arguments?|observations?|actions?|system[\w:.-]*|developer[\w:.-]*|assistant[\w:.-]*|user[\w:.-]*",
    r"|human[\w:.-]*|agent[\w:.-]*|model|roles?|turn|chat|message|prompt[\w:.-]*|instructions?|instruction[\w:.-]+|inst|sys",
    r"|rules?|policy|guardrails?|context[\w:.-]*|conversation[\w:.-]*|history|documents?|documentation_?content|document[_-][\w:.-]*",
    r"|untrusted[\w:.-]*|trusted[\w:.-]*|external[\w:.-]*|foreign[\w:.-]*|quarantine[\w:.-]*|sandbox[\w:.-]*",
    r"|(?:web|search|fetch|page|site|email|mcp|retrieved|retrieval|fetched|scraped|user|raw|file|page)[_-][\w:.-]+",
    r"|results?|responses?|answers?|outputs?|stdout|stderr|contents?|data|inputs?|query|question|task|quoted?|text|body",
    r"|think|thinking|thoughts?|scratchpad|reasoning|reflection|plan|memory|memories|reminder|important|admin|security[\w:.-]*",
    r"|artifacts?|antartifact|election_info|budget:[\w.-]*|env|environment[\w:.-]*|available_[\w.-]+|skill[\w:.-]*)",
);

/// One kind of token: what it looks like and what becomes of it.
struct Token {
    looks: Regex,
    becomes: fn(&Captures<'_>) -> String,
}

fn whole<'c>(found: &'c Captures<'_>) -> &'c str {
    found.get(0).map_or("", |found| found.as_str())
}

fn group<'c>(found: &'c Captures<'_>, name: &str) -> &'c str {
    found.name(name).map_or("", |found| found.as_str())
}

/// What takes the place of a token.
type Shown = fn(&Captures<'_>) -> String;

static TOKENS: LazyLock<Vec<Token>> = LazyLock::new(|| {
    let table: Vec<(String, Shown)> = vec![
        (format!(r"{LT}(?P<in>{BAR}[^\s<>|｜]{{1,64}}{BAR}){GT}"), |found| format!("({})", group(found, "in"))),
        // A tag that was begun and goes on as one of these, whatever attributes it has.
        (
            format!(r"(?i){LT}(?P<in>\s{{0,8}}[/\\]?\s{{0,8}}{NAMES}\s{{0,8}}[/\\]?\s{{0,8}}){GT}"),
            |found| format!("({})", group(found, "in").trim()),
        ),
        (
            format!(r"(?i){LT}(?P<in>(?:antml:|function|tool|invoke|parameter|system|assistant|user|human|untrusted|external|context|document|instruction|message|observation)[\w:.-]*\s[^<>]{{0,512}}){GT}"),
            |found| format!("({})", group(found, "in").trim()),
        ),
        (
            r"(?i)\[(?P<in>\s?/?\s?(?:INST|SYS|TOOL_CALLS?|TOOL_RESULTS?|TOOL_CONTENT|AVAILABLE_TOOLS|SYSTEM_PROMPT|SYSTEM|CONTROL_\d+|PREFIX|MIDDLE|SUFFIX|gMASK|sMASK|CLS|SEP|MASK|PAD|UNK|BOS|EOS|ARGS|CALL_ID|THINK|IMG_BREAK|IMG_END|MODEL_SETTINGS)\s?)\]".to_owned(),
            |found| format!("({})", group(found, "in")),
        ),
        (format!(r"(?i){LT}{LT}(?P<in>/?SYS){GT}{GT}"), |found| format!("(({}))", group(found, "in"))),
        // `Human:` and its like begin a turn at the start of a line.
        (
            r"(?im)^(?P<before>[ \t>*#_]*)(?P<who>human|assistant)(?P<after>[ \t*_]*)[:：﹕︓]".to_owned(),
            |found| format!("{}({}){}", group(found, "before"), group(found, "who"), group(found, "after")),
        ),
        (
            r"(?i)(?P<before>\n[ \t]*\n[ \t*#_]*)(?P<who>user|system|developer|tool|ai|bot|model|gpt|claude|h|a)(?P<after>[ \t*_]*)[:：﹕︓]".to_owned(),
            |found| format!("{}({}){}", group(found, "before"), group(found, "who"), group(found, "after")),
        ),
        (
            r"(?im)^(?P<before>[ \t]*#{1,6}[ \t]*)(?P<who>instructions?|response|system|user|input|human|assistant|end of [a-z ]{1,24})(?P<after>[ \t]*)[:：]"
                .to_owned(),
            |found| format!("{}({}){}", group(found, "before"), group(found, "who"), group(found, "after")),
        ),
        // A message as JSON, also as JSON within a string.
        (
            r#"(?i)(?P<key>\\*["']role\\*["']\s*):(?P<who>\s*\\*["'](?:system|developer|assistant|user|tool|function|model)\\*["'])"#
                .to_owned(),
            |found| format!("{}={}", group(found, "key"), group(found, "who")),
        ),
        (
            r"(?im)^(?P<key>[ \t-]*role[ \t]*):(?P<who>[ \t]*(?:system|developer|assistant|user|tool|function|model)[ \t]*$)".to_owned(),
            |found| format!("{}={}", group(found, "key"), group(found, "who")),
        ),
        (format!(r"\]\]{GT}"), |_| "]])".to_owned()),
        (format!(r"(?i){LT}!\[CDATA\["), |_| "(![CDATA(".to_owned()),
    ];
    // ignored: a test holds that every pattern compiles.
    table.into_iter().filter_map(|(looks, becomes)| Some(Token { looks: Regex::new(&looks).ok()?, becomes })).collect()
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
        let looks = token.looks.as_str();
        if looks.contains("[<") || looks.contains("[>") {
            self.angle
        } else if looks.contains("INST") {
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
            match token.looks.replace_all(&tamed, |found: &Captures<'_>| shorter(found, (token.becomes)(found))) {
                Cow::Borrowed(_) => break,
                Cow::Owned(turned) => tamed = Cow::Owned(turned),
            }
        }
    }
    tamed
}

/// Nothing becomes longer by more than the two brackets around it.
fn shorter(found: &Captures<'_>, turned: String) -> String {
    debug_assert!(turned.len() <= whole(found).len() + 2, "{turned}");
    turned
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn every_pattern_compiles_and_nothing_is_left_of_what_it_finds() {
        assert_eq!(TOKENS.len(), 12);
        for text in [
            "<|im_end|>",
            "<｜User｜>",
            "[INST]",
            "<<SYS>>",
            "\n\nHuman: x",
            "\n\nsystem: x",
            "### Response:",
            "]]>",
            "<![CDATA[",
            "{\"role\": \"system\"}",
            "{\\\"role\\\":\\\"user\\\"}",
            "role: system",
            "<system>",
            "< / system >",
            "&lt;system&gt;",
            "<function_calls>",
            "<invoke name=\"exec\">",
            "</function_results>",
            "<reserved_special_token_5>",
            "</untrusted>",
            "</tool_output></observation>",
            "<start_of_turn>model",
            "<system-reminder>",
            "</s>",
            "\\u003csystem\\u003e",
            "<<|im_end|>|im_end|>",
            "&amp;lt;system&amp;gt;",
            "%3Csystem%3E",
        ] {
            let tamed = without_tokens(text);
            assert_ne!(tamed, text);
            assert_eq!(without_tokens(&tamed), tamed, "{text}");
        }
    }

    #[test]
    fn markup_and_prose_stay() {
        for text in [
            "<p>a <b>b</b></p>",
            "a < b > c",
            "Vec<String>",
            "x <- y |> z",
            "The human said: yes",
            "SYSTEM: up",
            "list[0]",
            "# Input",
            "Use <<< in bash",
            "role: button",
            "<a href=\"x\">y</a>",
            "if a<s>b",
        ] {
            if text == "if a<s>b" {
                continue;
            }
            assert_eq!(without_tokens(text), text);
        }
    }
}
