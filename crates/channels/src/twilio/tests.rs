#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use palanca_testkit::FakeWeb;
use palanca_testkit::web::page;
use proptest::prelude::*;

const CALLS: &str = "https://phone.example/2010-04-01/Accounts/AC1/Calls.json";
const TOKEN: &str = "the-token-of-the-account";

fn twilio(web: &Arc<FakeWeb>) -> Twilio {
    let account = TwilioAccount {
        address: "https://phone.example/".to_owned(),
        sid: "AC1".to_owned(),
        token: Secret::new(TOKEN).unwrap(),
        from: "+15550001111".to_owned(),
        timeout: Duration::from_secs(30),
    };
    Twilio::new(Arc::clone(web) as _, account)
}

fn spoken(text: &str) -> Spoken {
    Spoken {
        to: "+5491155550000".to_owned(),
        text: text.to_owned(),
        times: 2,
        language: "es-MX".to_owned(),
        voice: "Polly.Mia".to_owned(),
    }
}

async fn call(web: FakeWeb) -> (Result<Placed, NotPlaced>, usize) {
    let web = Arc::new(web);
    let ended = twilio(&web).call(&spoken("Hola"), &Cancel::new()).await;
    (ended, web.asked().len())
}

#[tokio::test]
async fn a_call_is_one_request_with_the_form_that_is_documented() {
    let web =
        Arc::new(FakeWeb::default().at(CALLS, page(201, "application/json", r#"{"sid": "CA12", "status": "queued"}"#)));
    let placed = twilio(&web).call(&spoken("Té & <ñ>"), &Cancel::new()).await.unwrap();
    assert_eq!(placed.sid.as_deref(), Some("CA12"));
    let asked = web.asked();
    let [one] = &asked[..] else { panic!("{} requests", asked.len()) };
    assert_eq!((one.reach.method, &*one.reach.url), (Method::Post, CALLS));
    assert_eq!(
        one.reach.body,
        "To=%2B5491155550000&From=%2B15550001111&Twiml=%3CResponse%3E%3CSay%20language%3D%22es-MX%22%20voice%3D%22Polly.Mia%22\
         %20loop%3D%222%22%3ET%C3%A9%20%26amp%3B%20%26lt%3B%C3%B1%26gt%3B%3C%2FSay%3E%3C%2FResponse%3E"
    );
    assert_eq!(one.limits.redirects, 0);
    let login = one.headers.iter().find(|header| header.name() == "Authorization").unwrap();
    assert_eq!(login.value(), format!("Basic {}", BASE64.encode(b"AC1:the-token-of-the-account")));
    assert!(!format!("{:?}", one.headers).contains(&BASE64.encode(b"AC1:the-token-of-the-account")));
}

#[tokio::test]
async fn what_is_not_known_to_have_failed_counts_as_perhaps_placed_and_nothing_is_sent_twice() {
    let body = r#"{"code": 21211, "message": "SERVER WORDS", "status": 400}"#;
    for (status, body, key) in [
        (400, body, "phone-refused-code"),
        (404, "{}", "phone-refused-status"),
        (401, body, "phone-refused-login"),
        (429, body, "phone-refused-busy"),
        (302, "", "phone-refused-status"),
        (500, body, "phone-unknown-status"),
        (503, "<html>", "phone-unknown-status"),
        (408, "", "phone-unknown-status"),
    ] {
        let (ended, requests) = call(FakeWeb::default().at(CALLS, page(status, "application/json", body))).await;
        let (NotPlaced::Never(message) | NotPlaced::Unknown(message)) = ended.clone().unwrap_err();
        assert_eq!((message.key(), requests), (key, 1), "{status}");
        let is_unknown = matches!(ended, Err(NotPlaced::Unknown(_)));
        assert_eq!(is_unknown, key == "phone-unknown-status", "{status}");
        assert!(!format!("{message:?}").contains("SERVER WORDS") && !format!("{message:?}").contains(TOKEN));
    }
    for (kind, unknown) in [
        (WebErrorKind::Timeout, true),
        (WebErrorKind::Interrupted, true),
        (WebErrorKind::Cancelled, true),
        (WebErrorKind::Unreachable, false),
        (WebErrorKind::Unresolved, false),
        (WebErrorKind::Tls, false),
        (WebErrorKind::Redirects, false),
        (WebErrorKind::RateLimited, false),
        (WebErrorKind::Denied, false),
    ] {
        let (ended, requests) = call(FakeWeb::default().failing(CALLS, kind, "")).await;
        assert_eq!((matches!(ended, Err(NotPlaced::Unknown(_))), requests), (unknown, 1), "{kind:?}");
    }
    for body in ["", "no json", r#"{"sid": "a b"}"#, r#"{"sid": 7}"#] {
        let (ended, _) = call(FakeWeb::default().at(CALLS, page(201, "text/plain", body))).await;
        assert_eq!(ended, Ok(Placed { sid: None }), "taken, whatever it says: {body}");
    }
}

#[test]
fn a_message_that_is_too_long_is_known_before() {
    assert!(spoken(&"a".repeat(3_800)).twiml().is_some());
    assert!(spoken(&"&".repeat(1_000)).twiml().is_none());
}

proptest! {
    /// No message ends its element, and it is read back as it was said.
    #[test]
    fn no_message_leaves_its_place(text in ".{0,200}") {
        if let Some(twiml) = spoken(&text).twiml() {
            let inner = twiml.strip_prefix("<Response><Say language=\"es-MX\" voice=\"Polly.Mia\" loop=\"2\">").unwrap();
            let inner = inner.strip_suffix("</Say></Response>").unwrap();
            prop_assert!(!inner.contains(['<', '>', '"', '\'']));
            let read = inner.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'");
            let kept = |c: &char| !c.is_control() || matches!(c, '\t' | '\n');
            let said: String = text.chars().filter(|c| kept(c) && !matches!(c, '\u{fffe}' | '\u{ffff}')).collect();
            prop_assert_eq!(read.replace("&amp;", "&"), said);
        }
    }
}
