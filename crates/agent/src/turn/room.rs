//! Frees space in the conversation: older steps are summarised, and if that is not enough, the oldest messages are dropped.
//!
//! The summary is one more model call, in the run's own account. If it is unavailable (no budget, no time, a failing model),
//! plain facts replace it: no run ends for lack of a summary.

use super::ask::Cut;
use super::course::Course;
use crate::budget::Source;
use crate::context::{Fit, Older};
use crate::event::{Event, Level};
use crate::prompt;
use crate::report::StopReason;
use palanca_core::message::Message;
use palanca_models::{Delivery, Message as Said, ModelRequest, Reply};

/// Tokens of the longest summary.
const LONGEST_SUMMARY: u64 = 2048;

impl Course<'_> {
    /// Before each model call. Returns why the run ends, if the conversation cannot be made to fit.
    pub(super) async fn make_room(&mut self) -> Option<StopReason> {
        if let Some(older) = self.history.older() {
            self.summarise(&older).await;
        }
        match self.history.fit(self.turn.catalogue) {
            Fit::Fits => None,
            Fit::Windowed(count) => {
                self.say_windowed(count);
                None
            }
            Fit::Full => Some(StopReason::ContextFull),
        }
    }

    async fn summarise(&mut self, older: &Older) {
        let words = self.words_on_older(older).await;
        let why = words.as_ref().err().cloned();
        let count = self.history.summarise(older, words.ok().as_deref());
        self.told.left_out += count;
        self.conversation_changed();
        let notice = match why {
            None => Message::new("agent-context-summarised").with("count", count),
            Some(why) => Message::new("agent-context-summarised-plainly").with("count", count).with("reason", why),
        };
        self.turn.notice(Level::Note, notice);
        let summary = self.history.summary();
        self.turn.sink.event(&Event::Compacted { left: count, summary });
    }

    /// The model's summary, or why there is none. Nothing of it is shown as an answer.
    async fn words_on_older(&mut self, older: &Older) -> Result<String, String> {
        let render = |message: &Message| self.turn.catalogue.render(message);
        let messages = [Said::system(prompt::summarise()), Said::user(self.history.to_summarise(older))];
        let input = self.purse.forecast.input(&messages, &[]);
        let reserved = self.set_aside(input, LONGEST_SUMMARY).await.map_err(|unpaid| render(&unpaid.message()))?;
        let mut request = ModelRequest::new(&messages).with_delivery(Delivery::Whole);
        request.max_output_tokens = reserved.output();
        let mut reply = Reply::default();
        let heard = self.listen(request, &mut reply, |_| {}).await;
        let failed = heard.err().map(|unanswered| render(&unanswered.message()));
        if reply.is_billable() {
            let usage = self.counted(&reply, &messages, &[]);
            // What it says becomes part of the conversation with the next row.
            let cut = if failed.is_some() { Cut::Off } else { Cut::Not };
            let by = Reply { answered_by: reply.answered_by.clone(), ..Reply::default() };
            self.keep_answer(Source::Summary, &by, usage, cut);
            self.pay(Source::Summary, &reply, usage, reserved);
        }
        match failed {
            Some(why) => Err(why),
            None if reply.text.trim().is_empty() => Err(render(&Message::new("agent-empty-reply"))),
            None => Ok(reply.text),
        }
    }

    /// Messages left without a trace.
    pub(super) fn say_windowed(&mut self, count: usize) {
        self.told.left_out += count;
        self.conversation_changed();
        self.turn.notice(Level::Note, Message::new("agent-context-windowed").with("count", count));
        self.turn.sink.event(&Event::Compacted { left: count, summary: None });
    }
}
