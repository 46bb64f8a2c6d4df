//! Several models in a row: the next one answers where the one before it cannot be reached.

use crate::error::{ModelError, Retry};
use crate::event::{ModelEvent, Notice};
use crate::model::{EventStream, Model};
use crate::request::ModelRequest;
use futures_util::stream::{self, StreamExt as _};
use parking_lot::Mutex;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a model that could not be reached is passed over.
const REST: Duration = Duration::from_secs(300);

/// A model, and those that answer for it while it cannot be reached, is overloaded or takes too long. Another one is asked only
/// before anything of an answer came, and the one that failed is passed over for five minutes. A key that is wrong, a request that is
/// not accepted and a conversation that is too long are errors as with one model. A request is never put to a model that does not
/// take such requests while another one does; that is no failure of it.
pub struct Fallbacks {
    models: Vec<Arc<dyn Model>>,
    /// Which ones are passed over, and until when.
    resting: Mutex<HashMap<usize, Instant>>,
}

impl Fallbacks {
    /// The first model and the others, in their order. The whole has the first one's name.
    #[must_use]
    pub fn new(first: Arc<dyn Model>, others: impl IntoIterator<Item = Arc<dyn Model>>) -> Self {
        Self { models: std::iter::once(first).chain(others).collect(), resting: Mutex::default() }
    }

    /// The next one from here on that takes such a request; one that rests only where there is no other.
    fn from(&self, number: usize, request: &ModelRequest<'_>) -> Option<usize> {
        let mut resting = self.resting.lock();
        resting.retain(|_, until| Instant::now() < *until);
        let able = |(_, model): &(usize, &Arc<dyn Model>)| model.can_answer(request);
        let able = || self.models.iter().enumerate().skip(number).filter(able).map(|(number, _)| number);
        able().find(|number| !resting.contains_key(number)).or_else(|| able().next())
    }
}

/// What might be mended by trying again might be mended by somebody else.
const fn is_out_of_reach(error: &ModelError) -> bool {
    !matches!(error.retry(), Retry::Never)
}

/// An answer in its course.
struct Answer<'a> {
    of: &'a Fallbacks,
    request: ModelRequest<'a>,
    number: usize,
    events: EventStream<'a>,
    /// Told before what comes next.
    before: VecDeque<ModelEvent>,
    /// Whether something of it came.
    has_begun: bool,
}

impl<'a> Answer<'a> {
    async fn next(mut self) -> Option<(Result<ModelEvent, ModelError>, Self)> {
        loop {
            if let Some(event) = self.before.pop_front() {
                return Some((Ok(event), self));
            }
            let event = self.events.next().await?;
            let (Err(error), false) = (&event, self.has_begun) else {
                self.has_begun |= !matches!(event, Ok(ModelEvent::Notice(_)));
                return Some((event, self));
            };
            let next = self.of.from(self.number + 1, &self.request).filter(|_| is_out_of_reach(error));
            let Some((number, next)) = next.and_then(|number| Some((number, self.of.models.get(number)?))) else {
                return Some((event, self));
            };
            let from = self.of.models.get(self.number).map(|model| model.name().to_owned()).unwrap_or_default();
            let fell = Notice::FellBack { from, to: next.name().to_owned(), reason: error.message() };
            self.before.extend([ModelEvent::Notice(fell), ModelEvent::AnsweredBy(next.name().to_owned())]);
            self.of.resting.lock().insert(self.number, Instant::now() + REST);
            self.number = number;
            self.events = next.stream(self.request);
        }
    }
}

impl Model for Fallbacks {
    fn name(&self) -> &str {
        self.models.first().map_or("", |model| model.name())
    }

    fn stream<'a>(&'a self, request: ModelRequest<'a>) -> EventStream<'a> {
        // If none can answer, the first one says why.
        let number = self.from(0, &request).unwrap_or(0);
        let Some(model) = self.models.get(number) else { return stream::empty().boxed() };
        let by = (number > 0).then(|| ModelEvent::AnsweredBy(model.name().to_owned()));
        let events = model.stream(request);
        let answer = Answer { of: self, request, number, events, before: by.into_iter().collect(), has_begun: false };
        stream::unfold(answer, Answer::next).boxed()
    }
}

#[cfg(test)]
mod tests;
