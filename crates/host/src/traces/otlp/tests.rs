#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::queue::MOST;
use super::*;
use crate::traces::Event;
use palanca_testkit::{Manner, ScriptedServer, Turn};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};
use tracing::Level;

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn at(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(seconds)
}

fn span(name: &str) -> Span {
    Span {
        name: name.to_owned(),
        level: Level::INFO,
        trace: [0xab; 16],
        id: [0xcd; 8],
        parent: Some([1; 8]),
        start: at(1),
        end: at(2),
        attributes: vec![
            ("error.type", "io".into()),
            ("palanca.step", 3.into()),
            ("palanca.cost_usd", 0.5.into()),
            ("flag", true.into()),
        ],
        events: vec![Event { message: "busy".into(), level: Level::WARN, at: at(2), attributes: vec![] }],
    }
}

/// The scripted server reads bodies of this path only; a collector's own address has another one.
fn target(server: &ScriptedServer) -> Target {
    let url = format!("{}/v1/messages", server.url());
    Target { url, headers: Vec::new(), service: "tested".to_owned(), timeout: PATIENCE }
}

fn taken() -> Turn {
    Turn::raw("application/json", "{}")
}

/// Until the collector has all but so many, however many attempts that takes.
async fn all_but(lost: usize, exporter: &Exporter) {
    let flushed = async { while exporter.flush(PATIENCE).await != lost {} };
    tokio::time::timeout(PATIENCE, flushed).await.expect("the collector has what it takes");
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

#[test]
fn the_address_comes_from_the_environment_or_the_configuration() {
    let settings = |enabled, exporter, endpoint: Option<&str>| TelemetrySettings {
        enabled,
        exporter,
        endpoint: endpoint.map(str::to_owned),
        ..TelemetrySettings::default()
    };
    use TelemetryExporter::{Console, Otlp};
    for (wanted, variables, url) in [
        (settings(false, Otlp, None), &[][..], None),
        (settings(true, Console, None), &[], None),
        (settings(true, Otlp, None), &[], Some("http://localhost:4318/v1/traces")),
        (settings(true, Otlp, Some("https://a.example/x/")), &[], Some("https://a.example/x/v1/traces")),
        (
            settings(true, Otlp, Some("https://a.example")),
            &[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://b:4318/")],
            Some("http://b:4318/v1/traces"),
        ),
        (
            settings(false, Console, None),
            &[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://b"), ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://c/in")],
            Some("http://c/in"),
        ),
        (settings(true, Otlp, None), &[("OTEL_SDK_DISABLED", "True")], None),
        (
            settings(false, Otlp, None),
            &[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://b"), ("OTEL_TRACES_EXPORTER", "none")],
            None,
        ),
        (settings(false, Otlp, None), &[("OTEL_EXPORTER_OTLP_ENDPOINT", " ")], None),
    ] {
        let variable =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        let target = Target::of(&wanted, variable).unwrap();
        assert_eq!(target.map(|target| target.url).as_deref(), url, "{wanted:?} {variables:?}");
    }
    let variables = |name: &str| match name {
        "OTEL_EXPORTER_OTLP_ENDPOINT" => Some("http://b/secret?key=1".to_owned()),
        "OTEL_EXPORTER_OTLP_HEADERS" => Some("authorization=Bearer%20x%3D, tenant = a,broken".to_owned()),
        "OTEL_EXPORTER_OTLP_TIMEOUT" => Some("1500".to_owned()),
        "OTEL_SERVICE_NAME" => Some("mine".to_owned()),
        _ => None,
    };
    let target = Target::of(&TelemetrySettings::default(), variables).unwrap().unwrap();
    let headers: Vec<_> = target.headers.iter().map(|header| (header.name(), header.value())).collect();
    assert_eq!(headers, [("authorization", "Bearer x="), ("tenant", "a")]);
    assert!(target.headers.iter().all(Header::is_secret));
    assert_eq!((target.service.as_str(), target.timeout), ("mine", Duration::from_millis(1500)));
    assert_eq!(target.address(), "http://b:80");
}

#[test]
fn a_span_is_sent_as_the_protocol_says() {
    let server = ScriptedServer::spawn(vec![taken()], Manner::default());
    let exporter = Exporter::start(target(&server)).unwrap();
    exporter.take(&Traced::Span(&span("chat gpt")));
    block_on(all_but(0, &exporter));
    let sent = server.requests().remove(0);
    assert_eq!(sent.header("content-type"), Some("application/json"));
    let resource = &sent.body["resourceSpans"][0];
    assert_eq!(
        resource["resource"]["attributes"][0],
        json!({"key": "service.name", "value": {"stringValue": "tested"}})
    );
    let scope = &resource["scopeSpans"][0];
    assert_eq!(scope["schemaUrl"], "https://opentelemetry.io/schemas/1.41.0");
    assert_eq!(
        scope["spans"],
        json!([{
            "traceId": "abababababababababababababababab",
            "spanId": "cdcdcdcdcdcdcdcd",
            "parentSpanId": "0101010101010101",
            "name": "chat gpt",
            "kind": 3,
            "startTimeUnixNano": "1000000000",
            "endTimeUnixNano": "2000000000",
            "attributes": [
                {"key": "error.type", "value": {"stringValue": "io"}},
                {"key": "palanca.step", "value": {"intValue": "3"}},
                {"key": "palanca.cost_usd", "value": {"doubleValue": 0.5}},
                {"key": "flag", "value": {"boolValue": true}},
            ],
            "events": [{"name": "busy", "timeUnixNano": "2000000000", "attributes": []}],
            "status": {"code": 2},
        }])
    );
}

#[test]
fn what_a_collector_does_not_take_now_is_sent_again_and_what_it_refuses_is_lost() {
    let turns = vec![Turn::status(503, "later"), taken(), Turn::status(400, "no"), taken()];
    let server = ScriptedServer::spawn(turns, Manner::default());
    let exporter = Exporter::start(target(&server)).unwrap();
    exporter.take(&Traced::Span(&span("one")));
    let names = || -> Vec<Value> {
        let bodies =
            server.requests().into_iter().map(|sent| sent.body["resourceSpans"][0]["scopeSpans"][0]["spans"].clone());
        bodies.map(|spans| spans[0]["name"].clone()).collect()
    };
    block_on(async {
        all_but(0, &exporter).await;
        exporter.take(&Traced::Span(&span("two")));
        all_but(1, &exporter).await;
        exporter.take(&Traced::Span(&span("three")));
        all_but(1, &exporter).await;
    });
    assert_eq!(names(), ["one", "one", "two", "three"]);
}

#[test]
fn a_collector_that_never_answers_loses_no_more_than_the_queue_cannot_hold() {
    let server = ScriptedServer::spawn(vec![Turn::hang()], Manner::default());
    let exporter = Exporter::start(target(&server)).unwrap();
    for number in 0..MOST + BATCH + 100 {
        exporter.take(&Traced::Span(&span(&number.to_string())));
    }
    // It is under way, and nobody was held up.
    let all = MOST + BATCH + 100;
    assert_eq!(block_on(exporter.flush(Duration::from_millis(1))), all);
    let lost = exporter.queue.lost();
    assert!((100..=BATCH + 100).contains(&lost), "{lost}");
}
