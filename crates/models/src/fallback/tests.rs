#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use crate::error::{ModelErrorKind, Place};
use crate::event::Stop;
use crate::message::Message;
use crate::request::ToolOffer;

/// Gives one list of events for each request.
struct Fake {
    name: &'static str,
    calls_tools: bool,
    answers: Mutex<VecDeque<Vec<Result<ModelEvent, ModelErrorKind>>>>,
}

impl Model for Fake {
    fn name(&self) -> &str {
        self.name
    }

    fn can_answer(&self, request: &ModelRequest<'_>) -> bool {
        self.calls_tools || request.tools.is_empty()
    }

    fn stream<'a>(&'a self, _: ModelRequest<'a>) -> EventStream<'a> {
        let events = self.answers.lock().pop_front().expect("this model is not asked");
        let place = Place {
            endpoint: "http://localhost".to_owned(),
            model: self.name.to_owned(),
            base_variable: "BASE",
            key_variable: "KEY".to_owned(),
            timeout_setting: "llm.timeout",
        };
        let place = Arc::new(place);
        let event = move |event: Result<ModelEvent, ModelErrorKind>| {
            event.map_err(|kind| ModelError::new(kind, &place, "down"))
        };
        stream::iter(events.into_iter().map(event)).boxed()
    }
}

fn model(
    name: &'static str,
    answers: impl IntoIterator<Item = Vec<Result<ModelEvent, ModelErrorKind>>>,
) -> Arc<dyn Model> {
    Arc::new(Fake {
        name,
        calls_tools: !name.ends_with("without tools"),
        answers: Mutex::new(answers.into_iter().collect()),
    })
}

fn says(text: &str) -> Vec<Result<ModelEvent, ModelErrorKind>> {
    vec![Ok(ModelEvent::TextDelta(text.to_owned())), Ok(ModelEvent::Done { stop: Stop::Answer })]
}

async fn asked(models: &Fallbacks) -> Result<(String, Option<String>, usize), ModelErrorKind> {
    asked_with(models, &[]).await
}

async fn asked_with(
    models: &Fallbacks,
    tools: &[ToolOffer],
) -> Result<(String, Option<String>, usize), ModelErrorKind> {
    let messages = [Message::user("hi")];
    let reply = models.reply(ModelRequest::new(&messages).with_tools(tools)).await.map_err(|error| error.kind())?;
    Ok((reply.text, reply.answered_by, reply.notices.len()))
}

#[tokio::test]
async fn the_next_one_answers_where_one_is_out_of_reach_and_goes_on_answering() {
    let down = || vec![Err(ModelErrorKind::ServerError)];
    let first = model("one", [down()]);
    let models = Fallbacks::new(first, [model("two", [down()]), model("three", [says("a"), says("b")])]);
    assert_eq!(models.name(), "one");
    let three = || Some("three".to_owned());
    assert_eq!(asked(&models).await, Ok(("a".to_owned(), three(), 2)));
    assert_eq!(asked(&models).await, Ok(("b".to_owned(), three(), 0)), "the first is not asked again so soon");
}

#[tokio::test]
async fn what_another_model_would_not_mend_is_an_error() {
    for kind in [ModelErrorKind::Auth, ModelErrorKind::BadRequest, ModelErrorKind::ContextTooLong] {
        let models = Fallbacks::new(model("one", [vec![Err(kind)]]), [model("two", [])]);
        assert_eq!(asked(&models).await, Err(kind));
    }
    let begun = vec![Ok(ModelEvent::TextDelta("half".to_owned())), Err(ModelErrorKind::Interrupted)];
    let models = Fallbacks::new(model("one", [begun]), [model("two", [])]);
    assert_eq!(asked(&models).await, Err(ModelErrorKind::Interrupted), "a begun answer is no other's");
    let all = Fallbacks::new(model("one", [vec![Err(ModelErrorKind::Timeout)]]), []);
    assert_eq!(asked(&all).await, Err(ModelErrorKind::Timeout));
}

#[tokio::test]
async fn a_request_with_tools_is_put_to_models_that_call_them_alone() {
    let offers = [ToolOffer::new("now", "The time.", &serde_json::json!({}))];
    let down = || vec![Err(ModelErrorKind::Timeout)];
    let plain = || model("one, without tools", [says("a"), down()]);
    let models = Fallbacks::new(plain(), [model("two", [says("b"), says("c"), says("d")])]);
    let two = |text: &str, notices| Ok((text.to_owned(), Some("two".to_owned()), notices));
    assert_eq!(asked_with(&models, &offers).await, two("b", 0));
    assert_eq!(asked(&models).await, Ok(("a".to_owned(), None, 0)), "it was not out of reach");
    assert_eq!(asked(&models).await, two("c", 1));
    assert_eq!(asked_with(&models, &offers).await, two("d", 0));
    let models = Fallbacks::new(model("two", [down(), says("e")]), [plain()]);
    assert_eq!(asked_with(&models, &offers).await, Err(ModelErrorKind::Timeout));
    let models = Fallbacks::new(model("two", [down(), says("e")]), [plain()]);
    assert_eq!(asked(&models).await, Ok(("a".to_owned(), Some("one, without tools".to_owned()), 1)));
    assert_eq!(asked_with(&models, &offers).await, Ok(("e".to_owned(), None, 0)), "whoever answers in its place");
}

#[tokio::test]
async fn a_model_that_was_passed_over_for_the_tools_of_a_request_has_not_failed() {
    let offers = [ToolOffer::new("now", "The time.", &serde_json::json!({}))];
    let dead = model("two", [vec![Err(ModelErrorKind::Timeout)]]);
    let models =
        Fallbacks::new(model("one, without tools", [says("a")]), [dead, model("three", [says("b"), says("c")])]);
    let three = |text: &str, notices| Ok((text.to_owned(), Some("three".to_owned()), notices));
    assert_eq!(asked_with(&models, &offers).await, three("b", 1));
    assert_eq!(asked(&models).await, Ok(("a".to_owned(), None, 0)), "it was only passed over");
    assert_eq!(asked_with(&models, &offers).await, three("c", 0), "the second one rests");
}
