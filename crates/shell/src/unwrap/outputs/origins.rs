//! Where the output of a program comes from that is not folded.

use super::{Printed, read, within, words_trace};
use crate::catalogue::{Fact, facts, has, is_client};
use crate::command::{Command, Origin, Trace, Word};
use crate::unwrap::words::split;
use crate::unwrap::{Script, code};

/// What the output of a program is made from.
pub(super) fn trace(name: &str, command: &Command) -> Trace {
    let known = facts(name);
    let texts: Vec<&str> = command.operands().iter().map(Word::prefix).collect();
    let fetches = |fact: &Fact| match fact {
        Fact::Client => true,
        Fact::ClientWith(words) => texts.iter().any(|text| has(words, text)),
        _ => false,
    };
    if known.iter().any(fetches) {
        return Trace::of(Origin::Network);
    }
    if name == "openssl" && texts.first().is_some_and(|first| matches!(*first, "s_client" | "s_time")) {
        return Trace::of(Origin::Network);
    }
    if decodes(known, || told(&texts)) || archive(name, &texts) {
        let mut trace = read(command, &files(command)).trace;
        trace.merge(&command.input.trace);
        trace.merge(&Trace::of(Origin::Decoder));
        return trace;
    }
    if name == "git" && texts.iter().any(|text| text.starts_with("--remote")) {
        return Trace::of(Origin::Network);
    }
    if let Some(code) = code::text(command) {
        let mut trace = Trace::default();
        trace.merge(&code_trace(&code.to_string()));
        trace.merge(&words_trace(&[code]));
        trace.merge(&command.input.trace);
        trace.merge(&Trace::of(Origin::Program));
        return trace;
    }
    let mut trace = command.input.trace.clone();
    if known.contains(&Fact::Filters) {
        trace.merge(&read(command, &files(command)).trace);
    }
    trace.merge(&Trace::of(Origin::Program));
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

/// Archives that are unpacked to stdout.
fn archive(name: &str, texts: &[&str]) -> bool {
    let has = |names: &[&str]| texts.iter().any(|text| names.contains(text));
    match name {
        "unzip" => texts.iter().any(|text| text.starts_with("-p") || text.starts_with("-c")),
        "tar" | "bsdtar" | "gtar" => {
            has(&["--to-stdout", "-O"])
                || texts.iter().enumerate().any(|(at, text)| {
                    (at == 0 || text.starts_with('-'))
                        && !text.starts_with("--")
                        && text.contains('O')
                        && text.contains('x')
                })
        }
        "7z" | "7za" | "7zr" | "p7zip" => texts.iter().any(|text| text.starts_with("-so")),
        "cpio" => has(&["--to-stdout"]),
        "ar" => texts.first().is_some_and(|text| text.contains('p')),
        _ => false,
    }
}

/// What program code fetches or decodes by its own calls.
fn code_trace(text: &str) -> Trace {
    const FETCH: &[&str] = &[
        "urlopen",
        "urlretrieve",
        "requests.",
        "httpx",
        "http.get",
        "https.get",
        "fetch(",
        "LWP::",
        "Net::HTTP",
        "URI.open",
        "open-uri",
        "HTTP::Tiny",
        "socket",
        "IO::Socket",
        "http.client",
        "aiohttp",
        "file_get_contents(\"http",
        "file_get_contents('http",
        "curl_exec",
        "net.connect",
        "TCPSocket",
        "/inet/tcp",
        "fsockopen",
        "XMLHttpRequest",
        "axios",
    ];
    const DECODE: &str = "b64decode b32decode b16decode unhexlify fromhex decompress decode_base64 decodebytes unpack \
        atob Buffer.from base64_decode gzinflate gzuncompress str_rot13 codecs. decode64 hex2bin a2b_ \
        convert_uudecode Inflate MIME::Base64";
    let mut trace = Trace::default();
    if FETCH.iter().any(|call| text.contains(call)) {
        trace.merge(&Trace::of(Origin::Network));
    }
    if DECODE.split(' ').any(|call| text.contains(call)) {
        trace.merge(&Trace::of(Origin::Decoder));
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
        source: String::new(),
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
    trace.merge(&script.input.trace);
    trace.merge(&Trace::of(Origin::Program));
    let names = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+')));
    for name in names {
        if is_client(name) {
            trace.merge(&Trace::of(Origin::Network));
        }
        if decodes(facts(name), || text.contains(" -")) {
            trace.merge(&Trace::of(Origin::Decoder));
        }
    }
    Printed { text: None, trace }
}
