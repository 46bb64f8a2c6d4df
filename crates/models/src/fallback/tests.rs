#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use crate::error::{ModelErrorKind, Place};
use crate::event::Stop;
use crate::message::Message;

/// Gives one list of events for each request.
struct Fake {
    name: &'static str,
    answers: Mutex<VecDeque<Vec<Result<ModelEvent, ModelErrorKind>>>>,
}

impl Model for Fake {
    fn name(&self) -> &str {
        self.name
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
    Arc::new(Fake { name, answers: Mutex::new(answers.into_iter().collect()) })
}

fn says(text: &str) -> Vec<Result<ModelEvent, ModelErrorKind>> {
    vec![Ok(ModelEvent::TextDelta(text.to_owned())), Ok(ModelEvent::Done { stop: Stop::Answer })]
}

async fn asked(models: &Fallbacks) -> Result<(String, Option<String>, usize), ModelErrorKind> {
    let messages = [Message::user("hi")];
    let reply = models.reply(ModelRequest::new(&messages)).await.map_err(|error| error.kind())?;
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
