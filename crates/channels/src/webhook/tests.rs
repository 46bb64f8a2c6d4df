#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use futures_util::StreamExt as _;
use futures_util::stream;
use palanca_core::ports::http::HttpResponse;
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::Mutex;

/// Answers one after another, and keeps what it was sent.
struct Server {
    answers: Mutex<VecDeque<Result<u16, HttpErrorKind>>>,
    sent: Mutex<Vec<HttpRequest>>,
}

impl Http for Server {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, HttpError>> {
        self.sent.lock().unwrap().push(request);
        let answer = self.answers.lock().unwrap().pop_front().expect("more requests than answers");
        Box::pin(async move {
            match answer {
                Ok(status) => Ok(HttpResponse { status, headers: Vec::new(), body: stream::empty().boxed() }),
                Err(kind) => Err(HttpError::new(kind, "https://hooks.example/T0/token", "no way")),
            }
        })
    }
}

struct Noon;

impl Clock for Noon {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_millis(1_700_000_000_900)
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

fn secret() -> Secret {
    Secret::new("It's a Secret to Everybody").unwrap()
}

async fn send(answers: &[Result<u16, HttpErrorKind>]) -> (Result<(), ChannelError>, Vec<HttpRequest>) {
    let server = Arc::new(Server { answers: Mutex::new(answers.iter().copied().collect()), sent: Mutex::default() });
    let settings = WebhookSettings {
        url: "https://hooks.example/T0/token".to_owned(),
        secret: secret(),
        timeout: Duration::from_secs(7),
    };
    let hook = Webhook::new(Arc::clone(&server) as _, settings).at(Arc::new(Noon));
    let message = Outgoing { channel: "ops".into(), to: "alerts".into(), text: "Hola\n\"ñ\"".to_owned() };
    let sent = hook.send(&message).await;
    assert!(server.answers.lock().unwrap().is_empty(), "every answer was asked for");
    let requests = std::mem::take(&mut *server.sent.lock().unwrap());
    (sent, requests)
}

fn header<'r>(request: &'r HttpRequest, name: &str) -> &'r str {
    request.headers.iter().find(|header| header.name() == name).unwrap().value()
}

/// What anybody's own code would compute, by another program.
#[test]
fn the_signature_is_hmac_sha256_of_timestamp_dot_body() {
    // printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac "It's a Secret to Everybody"
    let ours = signature(&secret(), "1700000000", br#"{"a":1}"#);
    assert_eq!(ours, "sha256=51538ab6f6314bb1f45de59d49edd93447bd4ca11fd52ee2fc1bb150735de0c6");
    for (timestamp, body) in [("1700000001", &br#"{"a":1}"#[..]), ("1700000000", br#"{"a":2}"#), ("170000000", b"0.{}")]
    {
        assert_ne!(signature(&secret(), timestamp, body), ours);
    }
    assert!(Secret::new("").is_none() && Secret::new(" \n").is_none());
    assert_eq!(format!("{:?}", secret()), "Secret(***)");
}

#[tokio::test]
async fn a_message_is_one_signed_post() {
    let (sent, requests) = send(&[Ok(204)]).await;
    sent.unwrap();
    let [request] = requests.as_slice() else { panic!("one request") };
    assert_eq!((request.method, request.url.as_str()), (Method::Post, "https://hooks.example/T0/token"));
    assert_eq!(request.timeouts, HttpTimeouts::all(Duration::from_secs(7)));
    let mut body: Value = serde_json::from_slice(&request.body).unwrap();
    let id = body["id"].take();
    assert_eq!(uuid::Uuid::parse_str(id.as_str().unwrap()).unwrap().get_version_num(), 7);
    let expected = json!({
        "channel": "ops", "to": "alerts", "content": "Hola\n\"ñ\"", "id": null, "sent_at": "2023-11-14T22:13:20Z",
    });
    assert_eq!(body, expected);
    assert_eq!(header(request, "Content-Type"), "application/json");
    assert_eq!(header(request, TIMESTAMP), "1700000000");
    assert_eq!(header(request, SIGNATURE), signature(&secret(), "1700000000", &request.body));
    let (_, others) = send(&[Ok(200)]).await;
    let other: Value = serde_json::from_slice(&others[0].body).unwrap();
    assert_ne!(other["id"], id, "every message has an id of its own");
}

#[tokio::test(start_paused = true)]
async fn what_found_no_connection_is_sent_once_more_and_known_again() {
    use HttpErrorKind::{Interrupted, InvalidUrl, NotAllowed, Timeout, Tls, Unreachable};
    for (answers, kind, detail) in [
        (vec![Err(Unreachable), Ok(200)], None, ""),
        (vec![Err(Interrupted), Ok(202)], None, ""),
        (vec![Err(Timeout(Phase::Connect)), Ok(200)], None, ""),
        (vec![Err(Unreachable), Err(Unreachable)], Some(ChannelErrorKind::Unreachable), "no way"),
        (vec![Err(Unreachable), Ok(500)], Some(ChannelErrorKind::Unreachable), "it answered 500"),
        (vec![Err(Timeout(Phase::FirstByte))], Some(ChannelErrorKind::Unreachable), "no way"),
        (vec![Err(Tls)], Some(ChannelErrorKind::Unreachable), "no way"),
        (vec![Err(NotAllowed)], Some(ChannelErrorKind::Unreachable), "no way"),
        (vec![Err(InvalidUrl)], Some(ChannelErrorKind::Unreachable), "no way"),
        (vec![Ok(503)], Some(ChannelErrorKind::Unreachable), "it answered 503"),
        (vec![Ok(429)], Some(ChannelErrorKind::Unreachable), "it answered 429"),
        (vec![Ok(404)], Some(ChannelErrorKind::Refused), "it answered 404"),
        (vec![Ok(401)], Some(ChannelErrorKind::Refused), "it answered 401"),
        (
            vec![Ok(302)],
            Some(ChannelErrorKind::Refused),
            "it answered 302, and redirects are not followed: the address must be the final one",
        ),
    ] {
        let (sent, requests) = send(&answers).await;
        let expected = kind.map(|kind| ChannelError::new(kind, &"ops".into(), detail));
        assert_eq!(sent.err(), expected, "{answers:?}");
        assert_eq!(requests.len(), answers.len());
        assert!(requests.iter().all(|request| request.body == requests[0].body), "the same bytes, the same id");
        assert!(requests.iter().all(|request| request.headers == requests[0].headers));
    }
}
