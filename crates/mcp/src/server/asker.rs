//! The person behind a client, asked through it.

use super::{Client, Forms, form};
use futures_util::future::BoxFuture;
use palanca_core::call::{CallId, QuestionId};
use palanca_core::ports::{Answer, Asker, Question};
use palanca_text::FluentCatalogue;
use parking_lot::Mutex;
use rmcp::model::{ElicitRequest, InputRequest, InputRequests, InputRequiredResult, InputResponses};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

/// Questions that one client may leave open; beyond them the oldest is forgotten, and a new one asked with the next call.
const OPEN: usize = 64;
/// The name of the only thing that is asked for.
const ANSWER: &str = "answer";

#[derive(Default)]
pub(super) struct ClientAsker {
    catalogue: OnceLock<Arc<FluentCatalogue>>,
    /// The client of each call that is under way.
    calls: Mutex<HashMap<CallId, Client>>,
    /// Questions that were given back with a request to answer them.
    open: Mutex<BTreeMap<QuestionId, Question>>,
}

/// As long as it is there, the client of the call can be asked.
pub(super) struct Reached<'a> {
    asker: &'a ClientAsker,
    call: CallId,
}

impl Reached<'_> {
    /// What the client is told instead of a result, so that it asks.
    pub(super) fn left_open(&self, question: &QuestionId) -> Option<InputRequiredResult> {
        let mut open = self.asker.open.lock();
        let asked = form::of(open.get(question)?, &**self.asker.catalogue.get()?);
        while open.len() > OPEN {
            open.pop_first();
        }
        let requests = InputRequests::from([(ANSWER.to_owned(), InputRequest::Elicitation(ElicitRequest::new(asked)))]);
        Some(InputRequiredResult::new(Some(requests), Some(question.to_string())))
    }
}

impl Drop for Reached<'_> {
    fn drop(&mut self) {
        self.asker.calls.lock().remove(&self.call);
    }
}

impl ClientAsker {
    /// In which language it asks.
    pub(super) fn speaks(&self, catalogue: &Arc<FluentCatalogue>) {
        self.catalogue.get_or_init(|| Arc::clone(catalogue));
    }

    pub(super) fn reached(&self, call: &CallId, client: &Client) -> Reached<'_> {
        self.calls.lock().insert(call.clone(), client.clone());
        Reached { asker: self, call: call.clone() }
    }

    fn client(&self, question: &Question) -> Option<Client> {
        self.calls.lock().get(&question.call).cloned()
    }

    /// What was answered to a question that this client was given; without an answer it is a no.
    pub(super) fn answer(&self, id: &QuestionId, given: Option<&InputResponses>) -> Option<(Question, Answer)> {
        let question = self.open.lock().remove(id)?;
        let given = given.and_then(|given| serde_json::from_value(given.get(ANSWER)?.clone()).ok());
        let answer = given.map_or(Answer::No, |given| form::answer(&question, &given));
        Some((question, answer))
    }
}

impl Asker for ClientAsker {
    fn can_answer(&self, question: &Question) -> bool {
        self.client(question).is_some_and(|client| client.forms != Forms::None)
    }

    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        Box::pin(async move {
            let client = self.client(question)?;
            match client.forms {
                Forms::Requested => {
                    let catalogue = self.catalogue.get()?;
                    let given = client.peer.create_elicitation(form::of(question, &**catalogue)).await;
                    // A client that cannot ask after all.
                    Some(given.map_or(Answer::No, |given| form::answer(question, &given)))
                }
                Forms::Returned => {
                    self.open.lock().insert(question.id.clone(), question.clone());
                    None
                }
                Forms::None => None,
            }
        })
    }
}
