//! Images, audio and links: from a tool into the row, out of it into a resumed run, and from there into every wire.

use super::*;
use futures_util::future::BoxFuture;
use palanca_agent::session::Snapshot;
use palanca_core::call::{Link, Media, Part, Resource};
use palanca_core::ports::http::{Http, HttpError, HttpErrorKind, HttpRequest, HttpResponse};
use palanca_models::{
    ApiKey, Endpoint, HttpModel, Model as _, ModelOptions, ModelRequest, Overrides, RetryPolicy, ToolSupport, Vision,
};
use serde_json::Value;

/// Takes out what stands in the base64 of every part here, as a secret might by chance.
struct FindsTooMuch;

const CHANCE: &str = "AAAAAAAA";

impl Redactor for FindsTooMuch {
    fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if text.contains(CHANCE) { Cow::Owned(text.replace(CHANCE, "***")) } else { Cow::Borrowed(text) }
    }

    fn stream(&self) -> Box<dyn RedactStream> {
        AsItIs.stream()
    }
}

fn bytes(beginning: &[u8]) -> Vec<u8> {
    // Every byte, and zeros, whose base64 is what the redactor looks for.
    beginning.iter().copied().chain(0..=255).chain([0; 64]).collect()
}

fn png() -> Vec<u8> {
    bytes(b"\x89PNG\r\n\x1a\n")
}

fn wav() -> Vec<u8> {
    bytes(b"RIFF\x01\x02\x03\x04WAVE")
}

fn parts() -> Vec<Part> {
    vec![
        Part::image("image/png", png()).unwrap(),
        Part::audio("audio/wav", wav()).unwrap(),
        Link::new("https://example.com/a", "figures").unwrap().into(),
        Resource::text("file:///notes.txt", Some("text/plain"), "the notes").unwrap().into(),
        Resource::bytes("file:///a.pdf", Media::new("application/pdf", bytes(b"%PDF")).unwrap()).unwrap().into(),
    ]
}

fn bench() -> Bench {
    let mut bench = Bench::new();
    bench.redactor = Arc::new(FindsTooMuch);
    bench.stage.add(Spec::new("look", "looks"), |_, _| {
        let output = parts().into_iter().fold(Output::text("seen"), Output::with_part);
        Box::pin(async move { Ok(output) })
    });
    bench
}

/// What the model is sent after a resumption behind the result's row.
async fn resumed() -> Vec<Message> {
    let whole = bench();
    whole.run(&Scripted::new([one("c1", "look", json!({})), Answer::Say("I see.")])).await;
    let rows = whole.shelf.rows();
    let result = kinds(&rows).iter().position(|kind| *kind == "result").unwrap();
    let again = Bench { shelf: whole.shelf.cut(result + 1), ..bench() };
    let model = Scripted::new([Answer::Say("I see.")]);
    let (ended, _) = again.resume(&model, None).await;
    assert_eq!(ended.report.stop_reason, StopReason::LlmDone);
    model.asked()[0].messages.clone()
}

#[tokio::test(start_paused = true)]
async fn a_resumed_session_has_every_byte() {
    let messages = resumed().await;
    let Some(Message::Tool { parts: seen, content, .. }) = messages.last() else { panic!("{messages:?}") };
    assert_eq!((seen, content.as_str()), (&parts(), "seen"));
    // So does one whose conversation is one row, and one that has been read from rows without any.
    let bench = bench();
    let session = bench.session();
    wait(session.begin("do it", terms(), None)).unwrap();
    let mut state = State::default();
    state.conversation.messages = messages[1..].to_vec();
    let snapshot = Snapshot { totals: state.totals.clone(), conversation: state.conversation.clone() };
    session.keep(&Entry::Compacted(Box::new(snapshot)));
    session.stored().await;
    assert_eq!(bench.state().conversation, state.conversation);
    let row = bench.shelf.rows().pop().unwrap();
    assert_eq!(row.body.matches(r#""type":"image""#).count(), 1, "{row:?}");
    let old = json!({"role": "tool", "call_id": "c", "name": "t", "content": "text", "is_error": false});
    let read: Message = serde_json::from_value(old.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), old, "a result without parts is written as before");
}

/// Answers nothing, and keeps what it was asked.
#[derive(Default)]
struct Mute(Mutex<Vec<Value>>);

impl Http for Mute {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, HttpError>> {
        self.0.lock().unwrap().push(serde_json::from_slice(&request.body).unwrap());
        Box::pin(async move { Err(HttpError::new(HttpErrorKind::NotAllowed, &request.url, "mute")) })
    }
}

async fn sent(spec: &str, vision: Vision, tools: ToolSupport, messages: &[Message]) -> Value {
    let overrides = Overrides { key: Some(ApiKey::new("unused")), ..Overrides::default() };
    let endpoint = Endpoint::resolve(&spec.parse().unwrap(), &overrides, &|_| None).unwrap();
    let http = Arc::new(Mute::default());
    let retry = RetryPolicy { retries: 0, ..RetryPolicy::default() };
    let options = ModelOptions { vision, tools, retry, ..ModelOptions::default() };
    let model = HttpModel::new(endpoint, Arc::clone(&http) as Arc<dyn Http>, options);
    let offers = [palanca_models::ToolOffer::new("look", "looks", &json!({}))];
    model.reply(ModelRequest::new(messages).with_tools(&offers)).await.unwrap_err();
    let mut asked = http.0.lock().unwrap();
    asked.pop().unwrap()
}

/// As base64.
fn encoded(bytes: &[u8]) -> String {
    let part =
        serde_json::to_value(Part::from(Resource::bytes("a:b", Media::new("a/b", bytes.to_vec()).unwrap()).unwrap()));
    part.unwrap()["resource"]["blob"].as_str().unwrap().to_owned()
}

#[tokio::test(start_paused = true)]
async fn every_wire_has_what_its_model_takes_and_words_for_the_rest() {
    let messages = resumed().await;
    let (image, audio) = (encoded(&png()), encoded(&wav()));
    let url = format!("data:image/png;base64,{image}");
    let link = "[link] figures: https://example.com/a";
    let notes = "[resource] file:///notes.txt (text/plain)\nthe notes";
    let no_image = format!("[image/png, {} bytes; not shown: this model takes no images]", png().len());
    let no_audio = format!("[audio/wav, {} bytes; not shown: this model takes no audio]", wav().len());
    let no_pdf =
        format!("[application/pdf, {} bytes; not shown: only text and images can be read]", bytes(b"%PDF").len());
    let text = |kind: &str, text: &str| json!({"type": kind, "text": text});
    let constrained = sent("openai:gpt-4o", Vision::On, ToolSupport::Constrained, &messages).await;
    let sent = async |spec, vision| sent(spec, vision, ToolSupport::Native, &messages).await;

    let body = sent("anthropic:claude-sonnet-4-5", Vision::Auto).await;
    let source = json!({"type": "base64", "media_type": "image/png", "data": image});
    let expected = json!([text("text", "seen"), {"type": "image", "source": source}, text("text", &no_audio),
        text("text", link), text("text", notes), text("text", &no_pdf)]);
    assert_eq!(body["messages"].as_array().unwrap().last().unwrap()["content"][0]["content"], expected);

    let body = sent("openai-responses:gpt-5", Vision::Auto).await;
    let expected = json!([text("input_text", "seen"), {"type": "input_image", "image_url": url},
        text("input_text", &no_audio), text("input_text", link), text("input_text", notes), text("input_text", &no_pdf)]);
    assert_eq!(body["input"].as_array().unwrap().last().unwrap()["output"], expected);

    let behind = |shown: Value| json!({"role": "user", "content": [text("text", "From the result of look:"), shown]});
    let shown = |what: &str| format!("[{what}: in the message behind these results]");
    for (spec, image_words, audio_words, part) in [
        (
            "openai:gpt-4o",
            shown("image/png"),
            no_audio.clone(),
            Some(json!({"type": "image_url", "image_url": {"url": url}})),
        ),
        (
            "openai:gpt-4o-audio-preview",
            no_image.clone(),
            shown("audio/wav"),
            Some(json!({"type": "input_audio", "input_audio": {"data": audio, "format": "wav"}})),
        ),
        ("openai:gpt-3.5-turbo", no_image.clone(), no_audio.clone(), None),
        ("ollama:llava", no_image.clone(), no_audio.clone(), None),
    ] {
        let body = sent(spec, Vision::Auto).await;
        let results = body["messages"].as_array().unwrap();
        let at = results.iter().position(|entry| entry["role"] == "tool").unwrap();
        let words = ["seen", &image_words, &audio_words, link, notes, &no_pdf].join("\n");
        assert_eq!(results[at]["content"], words.as_str(), "{spec}");
        assert_eq!(results.get(at + 1).cloned(), part.map(behind), "{spec}");
    }
    for spec in ["anthropic:claude-sonnet-4-5", "openai-responses:gpt-5", "openai:gpt-4o"] {
        let body = sent(spec, Vision::Off).await.to_string();
        assert!(!body.contains(&image[..40]) && body.contains(&no_image), "{spec}");
    }
    let said = ["Result of look:\nseen", &no_image, &no_audio, link, notes, &no_pdf].join("\n");
    assert_eq!(constrained["messages"].as_array().unwrap().last().unwrap(), &json!({"role": "user", "content": said}));
}

/// Two results of a turn: nothing stands between them.
#[tokio::test(start_paused = true)]
async fn what_is_seen_follows_all_results_of_the_turn() {
    let mut messages = resumed().await;
    let result = messages.pop().unwrap();
    let Some(Message::Assistant { calls, .. }) = messages.last_mut() else { panic!("{messages:?}") };
    let mut second = calls[0].clone();
    second.id = CallId::new("c2");
    calls.push(second);
    let Message::Tool { name, content, .. } = &result else { panic!("{result:?}") };
    let plain = Message::Tool {
        call_id: CallId::new("c2"),
        name: name.clone(),
        content: content.clone(),
        is_error: false,
        parts: Vec::new(),
    };
    messages.extend([result, plain, Message::User { text: "Look at mine.".into(), parts: parts()[..1].to_vec() }]);
    let roles = |list: &Value| {
        list.as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["role"].as_str().unwrap_or("-").to_owned())
            .collect::<Vec<_>>()
    };
    let body = sent("openai:gpt-4o", Vision::Auto, ToolSupport::Native, &messages).await;
    assert_eq!(roles(&body["messages"])[2..], ["assistant", "tool", "tool", "user", "user"]);
    assert_eq!(body["messages"][6]["content"][1]["type"], "image_url");
    let body = sent("anthropic:claude-sonnet-4-5", Vision::Auto, ToolSupport::Native, &messages).await;
    let kinds: Vec<_> = body["messages"].as_array().unwrap().last().unwrap()["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|block| block["type"].clone())
        .collect();
    assert_eq!(kinds, ["tool_result", "tool_result", "text", "image"]);
    let body = sent("openai-responses:gpt-5", Vision::Auto, ToolSupport::Native, &messages).await;
    let last = body["input"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["content"][0]["type"], &last["content"][1]["type"]),
        (&json!("input_text"), &json!("input_image"))
    );
}
