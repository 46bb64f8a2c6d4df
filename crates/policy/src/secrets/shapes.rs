//! Tokens whose shape tells what they are: a beginning that only they have, and a number of characters of one alphabet.

use super::{Found, encodings, looks};
use std::borrow::Cow;

/// The characters of a token.
#[derive(Clone, Copy)]
enum Alphabet {
    Alphanumeric,
    /// With `_` and `-`.
    Url,
    /// With `_`, `-` and `.`.
    Dotted,
    Upper,
    Hex,
    /// With `+`, `/`, `=`, `_` and `-`.
    Base64,
}

impl Alphabet {
    const fn has(self, byte: u8) -> bool {
        match self {
            Self::Alphanumeric => byte.is_ascii_alphanumeric(),
            Self::Url => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'),
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'='),
        }
    }

    /// Whether a text has the large and small letters that a random one has. `task-` and a checksum behind it is none.
    fn is_mixed_in(self, text: &str) -> bool {
        matches!(self, Self::Upper | Self::Hex)
            || (text.bytes().any(|byte| byte.is_ascii_uppercase())
                && text.bytes().any(|byte| byte.is_ascii_lowercase()))
    }
}

pub(super) struct Shape {
    /// Between blanks.
    begins: &'static str,
    alphabet: Alphabet,
    /// Characters after the beginning.
    least: usize,
    most: usize,
    kind: &'static str,
    stands: Stands,
}

/// What may stand right before a token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// Anything: the beginning is its own.
    Anywhere,
    /// No letter and no digit: ordinary words end as it begins, or base64 holds it by chance.
    Apart,
}

const fn shape(begins: &'static str, alphabet: Alphabet, (least, most): (usize, usize), kind: &'static str) -> Shape {
    Shape { begins, alphabet, least, most, kind, stands: Stands::Anywhere }
}

const fn apart(begins: &'static str, alphabet: Alphabet, length: (usize, usize), kind: &'static str) -> Shape {
    Shape { stands: Stands::Apart, ..shape(begins, alphabet, length, kind) }
}

const MANY: usize = 4096;

use Alphabet::{Alphanumeric, Base64, Dotted, Hex, Upper, Url};

const SHAPES: &[Shape] = &[
    shape("sk-ant-", Url, (20, MANY), "anthropic-key"),
    shape("sk-proj- sk-svcacct- sk-admin-", Url, (20, MANY), "openai-key"),
    shape("sk-or-", Url, (20, MANY), "openrouter-key"),
    shape("sk-lf-", Url, (20, MANY), "langfuse-key"),
    shape("sk-", Alphanumeric, (20, MANY), "openai-key"),
    shape("sess-", Alphanumeric, (40, MANY), "openai-key"),
    shape("ghp_ gho_ ghu_ ghs_ ghr_", Alphanumeric, (30, 255), "github-token"),
    shape("github_pat_", Url, (22, 255), "github-token"),
    shape("glpat- glrt-", Dotted, (20, 300), "gitlab-token"),
    shape("gldt- glptt- glcbt- gloas- glsoat- glagent-", Url, (20, 300), "gitlab-token"),
    shape("AKIA ASIA ABIA ACCA", Upper, (16, 16), "aws-key-id"),
    shape("xoxb- xoxp- xoxa- xoxo- xoxr- xoxs- xoxc- xoxe-", Url, (10, MANY), "slack-token"),
    shape("xoxd-", Base64, (10, MANY), "slack-token"),
    shape("xoxe.", Dotted, (10, MANY), "slack-token"),
    shape("xapp-", Url, (20, MANY), "slack-token"),
    shape("hooks.slack.com/services/", Base64, (20, 200), "slack-webhook"),
    shape("discord.com/api/webhooks/ discordapp.com/api/webhooks/", Base64, (40, 200), "discord-webhook"),
    shape("AIza", Url, (30, 45), "google-key"),
    shape("ya29.", Dotted, (20, MANY), "google-token"),
    shape("GOCSPX-", Url, (20, 60), "google-secret"),
    apart("1//0", Url, (30, 300), "google-token"),
    shape("sk_live_ sk_test_ rk_live_ rk_test_", Alphanumeric, (16, 255), "stripe-key"),
    shape("whsec_", Base64, (20, 255), "webhook-secret"),
    shape("npm_", Alphanumeric, (30, 60), "npm-token"),
    shape("pypi-", Url, (40, MANY), "pypi-token"),
    shape("rubygems_", Hex, (40, 60), "rubygems-key"),
    shape("crates-io_", Alphanumeric, (30, 60), "crates-io-token"),
    apart("cio", Alphanumeric, (32, 32), "crates-io-token"),
    shape("hf_", Alphanumeric, (30, 60), "huggingface-token"),
    shape("gsk_", Alphanumeric, (30, 80), "groq-key"),
    shape("xai-", Alphanumeric, (40, 120), "xai-key"),
    shape("r8_", Alphanumeric, (30, 60), "replicate-token"),
    shape("pplx-", Alphanumeric, (30, 80), "perplexity-key"),
    shape("tvly-", Url, (20, 80), "tavily-key"),
    apart("BSA", Url, (27, 28), "brave-key"),
    shape("shpat_ shpca_ shppa_ shpss_", Hex, (32, 64), "shopify-token"),
    apart("SK", Hex, (32, 32), "twilio-key"),
    apart("key-", Hex, (32, 32), "mailgun-key"),
    shape("SG.", Dotted, (40, 100), "sendgrid-key"),
    apart("EAA", Alphanumeric, (60, MANY), "facebook-token"),
    shape("dop_v1_ doo_v1_ dor_v1_", Hex, (40, 80), "digitalocean-token"),
    shape("lin_api_", Alphanumeric, (30, 60), "linear-key"),
    shape("ntn_", Alphanumeric, (30, 60), "notion-token"),
    shape("figd_", Url, (30, 80), "figma-token"),
    shape("PMAK-", Url, (40, 80), "postman-key"),
    shape("NRAK-", Upper, (20, 40), "newrelic-key"),
    shape("sntrys_", Base64, (40, MANY), "sentry-token"),
    shape("glsa_", Url, (30, 60), "grafana-token"),
    shape("glc_", Base64, (40, 400), "grafana-token"),
    shape("sq0atp-", Url, (20, 40), "square-token"),
    shape("sq0csp-", Url, (40, 60), "square-token"),
    shape("hvs. hvb.", Url, (24, 300), "vault-token"),
    shape("dckr_pat_", Url, (20, 60), "docker-token"),
    shape("ATATT3", Base64, (80, 400), "atlassian-token"),
    shape("dapi", Hex, (32, 32), "databricks-token"),
    shape("tskey-", Url, (20, 100), "tailscale-key"),
    shape("dp.pt.", Alphanumeric, (30, 60), "doppler-token"),
    shape("sbp_", Hex, (40, 60), "supabase-token"),
    shape("pscale_", Dotted, (30, 100), "planetscale-token"),
    shape("AGE-SECRET-KEY-1", Upper, (58, 58), "age-key"),
    apart("pat-", Url, (36, 100), "access-token"),
];

/// Beginnings that are looked for in base64 and hex, too: long enough not to occur by chance.
const ENCODED: &str = "ghp_ gho_ ghs_ github_pat_ glpat- sk-ant- sk-proj- sk_live_ AKIA AIza xoxb- xoxp- npm_";

/// What begins a token.
#[derive(Clone, Copy)]
pub(super) enum Begins {
    Plain(&'static str, &'static Shape),
    Base64(&'static str),
    Hex(&'static str),
}

fn plain() -> impl Iterator<Item = (&'static str, &'static Shape)> {
    SHAPES.iter().flat_map(|shape| shape.begins.split(' ').map(move |begins| (begins, shape)))
}

/// Everything that begins a token, as it is sought.
pub(super) fn beginnings() -> impl Iterator<Item = (Cow<'static, str>, Begins)> {
    let encoded = ENCODED.split(' ').flat_map(|begins| {
        let base64 = (Cow::Owned(encodings::base64_beginning(begins)), Begins::Base64(begins));
        [base64, (Cow::Owned(encodings::hex_beginning(begins)), Begins::Hex(begins))]
    });
    plain().map(|(begins, shape)| (Cow::Borrowed(begins), Begins::Plain(begins, shape))).chain(encoded)
}

/// The token that begins so at `start`.
pub(super) fn find_at(text: &str, start: usize, begins: Begins) -> Option<Found> {
    match begins {
        Begins::Plain(begins, shape) => token(text, start, (begins, shape)),
        Begins::Base64(begins) => encoded(text, start, begins, (Base64, encodings::base64_decoded)),
        Begins::Hex(begins) => encoded(text, start, begins, (Hex, encodings::hex_decoded)),
    }
}

fn token(text: &str, start: usize, (begins, shape): (&str, &Shape)) -> Option<Found> {
    let bytes = text.as_bytes();
    if !bytes.get(start..)?.starts_with(begins.as_bytes()) {
        return None;
    }
    let glued = !free_before(bytes, start);
    if glued && shape.stands == Stands::Apart {
        return None;
    }
    let from = start + begins.len();
    let length = bytes.get(from..)?.iter().take(shape.most + 1).take_while(|byte| shape.alphabet.has(**byte)).count();
    if length < shape.least || (length > shape.most && shape.most < MANY) {
        return None;
    }
    let tail = text.get(from..from + length)?;
    // What goes on in letters is longer than the token may be: something else.
    let ends = bytes.get(from + length).is_none_or(|byte| !byte.is_ascii_alphanumeric()) || shape.most >= MANY;
    let ended = tail.trim_end_matches(['.', '-', '=']);
    let real = ends
        && (!glued || shape.alphabet.is_mixed_in(ended))
        && looks::is_varied(ended)
        && !tail.contains("EXAMPLE")
        && !looks::is_placeholder(ended)
        && ended.bytes().any(|byte| byte.is_ascii_digit() || (byte.is_ascii_uppercase() && ended.len() >= 30))
        && !(matches!(shape.alphabet, Alphanumeric | Url | Dotted)
            && looks::is_program_text(ended)
            && looks::changes(ended) * 6 < ended.len());
    real.then(|| Found::new(start, from + ended.len(), shape.kind))
}

/// Whether nothing before belongs to the same word. Characters written as escapes do not.
fn free_before(bytes: &[u8], start: usize) -> bool {
    let before = |back: usize| start.checked_sub(back).and_then(|at| bytes.get(at));
    match before(1) {
        None => true,
        Some(byte) if !byte.is_ascii_alphanumeric() => true,
        // `\nghp_…`, `%20ghp_…`
        Some(b'n' | b't' | b'r') if before(2) == Some(&b'\\') => true,
        Some(byte) if byte.is_ascii_hexdigit() => before(3) == Some(&b'%'),
        Some(_) => false,
    }
}

/// What is decoded as such a token, from the alphabet that it is written in.
fn encoded(
    text: &str,
    start: usize,
    begins: &str,
    (alphabet, decode): (Alphabet, fn(&str) -> Vec<u8>),
) -> Option<Found> {
    let length = text.as_bytes().get(start..)?.iter().take(MANY).take_while(|byte| alphabet.has(**byte)).count();
    let decoded = decode(text.get(start..start + length)?);
    let decoded: String =
        decoded.iter().take_while(|byte| byte.is_ascii_graphic()).map(|byte| char::from(*byte)).collect();
    let mut meant = plain().filter(|(own, _)| decoded.starts_with(own) && begins.starts_with(own));
    let token = meant.find_map(|shape| token(&decoded, 0, shape))?;
    Some(Found::new(start, start + length, token.kind))
}

/// `eyJ….eyJ….…`: a header, claims and a signature. A header alone says nothing.
pub(super) fn web_token(text: &str, start: usize) -> Option<Found> {
    let bytes = text.as_bytes();
    let glued = !free_before(bytes, start);
    let length = bytes.get(start..)?.iter().take(4 * MANY).take_while(|byte| Dotted.has(**byte)).count();
    let token = text.get(start..start + length)?.trim_end_matches(['.', '-']);
    let mut parts = token.split('.');
    let (header, claims) = (parts.next()?, parts.next()?);
    let long = header.len() >= 10 && claims.len() >= 8 && parts.next().is_some_and(|signature| signature.len() >= 8);
    // Five parts, the second often empty: an encrypted one.
    let encrypted = header.len() >= 10 && token.split('.').count() == 5;
    // Behind letters the claims must be plain, too: base64 goes on in itself.
    ((long && (!glued || claims.starts_with("eyJ"))) || (encrypted && !glued))
        .then(|| Found::new(start, start + token.len(), "jwt"))
}

/// `123456789:AA…`, from its colon: what a bot of a messenger signs in with.
pub(super) fn bot_token(text: &str, colon: usize) -> Option<Found> {
    let bytes = text.as_bytes();
    let digits = bytes.get(..colon)?.iter().rev().take(11).take_while(|byte| byte.is_ascii_digit()).count();
    let length = bytes.get(colon + 1..)?.iter().take(50).take_while(|byte| Url.has(**byte)).count();
    let tail = text.get(colon + 1..colon + 1 + length)?;
    ((8..=10).contains(&digits) && (33..=40).contains(&length) && looks::is_varied(tail))
        .then(|| Found::new(colon - digits, colon + 1 + length, "telegram-token"))
}

/// A private key between its lines, from `-----BEGIN`. One without an end goes to the end of its lines.
pub(super) fn private_key(text: &str, start: usize) -> Option<Found> {
    let rest = text.get(start..)?;
    let header_end = rest.get("-----BEGIN".len()..)?.find("-----")? + "-----BEGIN".len() + 5;
    let header = rest.get(..header_end)?;
    if header.len() > 64 || !header.contains("PRIVATE KEY") {
        return None;
    }
    let body = rest.get(header_end..)?;
    let length = match body.find("-----END") {
        Some(end) => {
            let tail = body.get(end + 8..)?;
            let line = tail.get(..tail.len().min(64)).or(Some(tail)).and_then(|tail| tail.find("-----"));
            end + 8 + line.map_or(0, |at| at + 5)
        }
        None => body
            .bytes()
            .take_while(|byte| Base64.has(*byte) || byte.is_ascii_whitespace() || b"\\:,".contains(byte))
            .count(),
    };
    (body.get(..length)?.bytes().filter(|byte| Base64.has(*byte)).count() >= 24)
        .then(|| Found::new(start, start + header_end + length, "private-key"))
}
