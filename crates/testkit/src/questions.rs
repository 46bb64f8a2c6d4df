//! An in-memory question store, and the test suite for every implementation, in memory or persistent.
//!
//! The surprising part: only tests advance the time, so that expiry needs no waiting.

use crate::now::{Now, now};
use futures_util::future::{BoxFuture, join_all};
use palanca_core::call::{Digest, Effects, QuestionId, SessionId};
use palanca_core::ports::{Answer, Lasts, Pending, Question, Questions, RuleDraft, Ruling, Undoable};
use palanca_core::{Message, Origin, Scope};
use parking_lot::{Mutex, MutexGuard};
use serde_json::json;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::Notify;

/// The reference implementation of [`Questions`], without a database.
#[derive(Debug)]
pub struct KeptQuestions {
    lasts: Duration,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    passed: Duration,
    rows: HashMap<QuestionId, Row>,
    remembered: Vec<RuleDraft>,
}

#[derive(Debug)]
struct Row {
    digest: Digest,
    expires: Duration,
    answer: Option<Answer>,
    spent: bool,
    question: Question,
}

impl KeptQuestions {
    /// Questions that expire this long after they were opened; with zero, at once.
    #[must_use]
    pub fn lasting(lasts: Duration) -> Self {
        Self { lasts, state: Mutex::default(), changed: Notify::new() }
    }

    /// Advances the time.
    pub fn let_pass(&self, time: Duration) {
        self.state().passed += time;
        self.changed.notify_waiters();
    }

    /// Every open question.
    #[must_use]
    pub fn open_ones(&self) -> Vec<Question> {
        let state = self.state();
        let open = state.rows.values().filter(|row| row.answer.is_none() && state.passed < row.expires);
        open.map(|row| row.question.clone()).collect()
    }

    /// Every rule to be stored for later sessions.
    #[must_use]
    pub fn remembered(&self) -> Vec<RuleDraft> {
        self.state().remembered.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    fn stands(&self, id: &QuestionId) -> Option<Ruling> {
        let state = self.state();
        let Some(row) = state.rows.get(id) else { return Some(Ruling::Expired) };
        match &row.answer {
            Some(answer) => Some(Ruling::Answered(answer.clone())),
            None => (state.passed >= row.expires).then_some(Ruling::Expired),
        }
    }
}

impl Default for KeptQuestions {
    /// Ten minutes.
    fn default() -> Self {
        Self::lasting(Duration::from_secs(600))
    }
}

impl Questions for KeptQuestions {
    fn open(&self, question: &mut Question) -> Pending<Result<(), Message>> {
        let mut state = self.state();
        question.id = QuestionId::new(format!("question-{}", state.rows.len() + 1));
        let expires = state.passed + self.lasts;
        let row = Row { digest: question.digest, expires, answer: None, spent: false, question: question.clone() };
        state.rows.insert(question.id.clone(), row);
        Pending::now(Ok(()))
    }

    fn ruled(&self, question: &Question) -> Pending<Result<Option<Ruling>, Message>> {
        Pending::now(Ok(self.stands(&question.id)))
    }

    fn ruling<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Ruling> {
        Box::pin(async move {
            loop {
                let changed = self.changed.notified();
                tokio::pin!(changed);
                // Registered before the check, so that an answer in between is not missed.
                changed.as_mut().enable();
                if let Some(ruling) = self.stands(&question.id) {
                    return ruling;
                }
                changed.await;
            }
        })
    }

    fn settle(&self, question: &Question, answer: Answer) -> Pending<Result<Ruling, Message>> {
        let mut state = self.state();
        let passed = state.passed;
        let Some(row) = state.rows.get_mut(&question.id) else {
            return Pending::now(Err(unkept("question-gone", question)));
        };
        let ruling = match &row.answer {
            Some(first) => Ruling::Answered(first.clone()),
            None if passed >= row.expires => Ruling::Expired,
            None => Ruling::Answered(row.answer.insert(answer).clone()),
        };
        drop(state);
        self.changed.notify_waiters();
        Pending::now(Ok(ruling))
    }

    fn spend(&self, question: &Question) -> Pending<Result<(), Message>> {
        let mut state = self.state();
        let refused = match state.rows.get_mut(&question.id) {
            None => "question-gone",
            Some(row) if row.digest != question.digest => "question-other-call",
            Some(row) if row.spent => "question-spent",
            Some(row) if !row.answer.as_ref().is_some_and(Answer::allows) => "question-no-yes",
            Some(row) => {
                row.spent = true;
                return Pending::now(Ok(()));
            }
        };
        Pending::now(Err(unkept(refused, question)))
    }

    fn remember(&self, draft: &RuleDraft, _question: &Question) -> Pending<Result<(), Message>> {
        self.state().remembered.push(draft.clone());
        Pending::now(Ok(()))
    }
}

fn unkept(key: &'static str, question: &Question) -> Message {
    Message::new(key).with("question", question.id.as_str())
}

/// A question about a call whose arguments are `{"n": number}`.
#[must_use]
pub fn question(number: u32) -> Question {
    let arguments = json!({ "n": number });
    Question {
        id: QuestionId::new("not kept yet"),
        call: "call".into(),
        tool: "act".to_owned(),
        digest: Digest::of_call("act", &arguments),
        arguments,
        effects: Effects::none(),
        commands: Vec::new(),
        isolation: None,
        diff: None,
        undo: Undoable::Yes,
        changed: None,
        reasons: Vec::new(),
        drafts: Vec::new(),
        origin: Origin::Person,
        scope: Scope::session(SessionId::new("test")),
    }
}

/// The test suite of every question store. `make` gives an empty one whose questions stay open for at least a minute;
/// the runtime must drive time.
///
/// # Panics
/// At the first violation.
pub async fn questions_conform<Q: Questions>(make: impl Fn() -> Q) {
    names_are_its_own(&now(&make()));
    the_first_answer_counts(&now(&make())).await;
    a_no_keeps_its_reason(&now(&make())).await;
    only_a_yes_is_spent(&now(&make()));
    a_yes_is_for_these_arguments(&now(&make()));
    what_was_never_kept_counts_for_nothing(&now(&make())).await;
    of_a_hundred_answers_one_counts_and_is_spent_once(&now(&make()));
    those_who_wait_hear_of_it(&now(&make())).await;
    a_rule_comes_back(&now(&make())).await;
}

/// The test suite for expired questions. `make` gives a store whose questions expire as soon as they are opened.
///
/// # Panics
/// At the first violation.
pub async fn expired_questions_conform<Q: Questions>(make: impl Fn() -> Q) {
    let made = make();
    let place = now(&made);
    let late = kept(&place, 1);
    assert_eq!(place.ruled(&late), Ok(Some(Ruling::Expired)));
    assert_eq!(place.ruling(&late).await, Ruling::Expired, "whoever waits hears that it expired");
    assert_eq!(place.settle(&late, Answer::Yes), Ok(Ruling::Expired), "a late answer does not count");
    assert_eq!(place.settle(&late, Answer::Yes), Ok(Ruling::Expired), "nor does the next one");
    place.spend(&late).expect_err("nothing to spend");
    assert_eq!(place.ruling(&late).await, Ruling::Expired, "and it stays so");
}

fn kept(place: &Now<'_, impl Questions>, number: u32) -> Question {
    let mut question = question(number);
    place.open(&mut question).expect("a question can be kept");
    question
}

fn names_are_its_own(place: &Now<'_, impl Questions>) {
    let (one, two) = (kept(place, 1), kept(place, 1));
    assert_ne!(one.id, two.id, "two questions about the same call are two questions");
    assert_ne!(one.id.as_str(), "not kept yet");
}

async fn the_first_answer_counts(place: &Now<'_, impl Questions>) {
    for (first, second) in [(Answer::No, Answer::Yes), (Answer::Yes, Answer::No), (Answer::Abort, Answer::Yes)] {
        let question = kept(place, 1);
        let counts = Ok(Ruling::Answered(first.clone()));
        assert_eq!(place.settle(&question, first.clone()), counts);
        assert_eq!(place.settle(&question, second), counts, "the second answer is told what counts");
        assert_eq!(place.ruling(&question).await, Ruling::Answered(first), "and so is whoever asks later");
    }
}

async fn a_no_keeps_its_reason(place: &Now<'_, impl Questions>) {
    let question = kept(place, 1);
    assert_eq!(place.ruled(&question), Ok(None), "it is open");
    let no = Answer::NoBecause("use the copy — \"b\"".to_owned());
    place.settle(&question, no.clone()).expect("an answer can be kept");
    assert_eq!(place.ruled(&question), Ok(Some(Ruling::Answered(no.clone()))));
    assert_eq!(place.ruling(&question).await, Ruling::Answered(no));
    place.spend(&question).expect_err("a no is not spent");
}

fn only_a_yes_is_spent(place: &Now<'_, impl Questions>) {
    let open = kept(place, 1);
    place.spend(&open).expect_err("nobody answered");
    for (answer, spends) in [(Answer::Yes, true), (Answer::No, false), (Answer::Abort, false)] {
        let question = kept(place, 1);
        place.settle(&question, answer.clone()).expect("an answer can be kept");
        assert_eq!(place.spend(&question).is_ok(), spends, "{answer:?}");
        place.spend(&question).expect_err("never twice");
    }
    place.spend(&open).expect_err("the answers to others change nothing");
}

fn a_yes_is_for_these_arguments(place: &Now<'_, impl Questions>) {
    let shown = kept(place, 1);
    let other = Question { id: shown.id.clone(), ..question(2) };
    place.settle(&shown, Answer::Yes).expect("an answer can be kept");
    place.spend(&other).expect_err("other arguments were never shown");
    place.spend(&shown).expect("and the try spends nothing");
}

async fn what_was_never_kept_counts_for_nothing(place: &Now<'_, impl Questions>) {
    let unknown = question(1);
    assert!(!matches!(place.settle(&unknown, Answer::Yes), Ok(Ruling::Answered(_))), "nothing to answer");
    place.spend(&unknown).expect_err("nothing to spend");
    assert_eq!(place.ruling(&unknown).await, Ruling::Expired, "nothing to wait for");
}

fn of_a_hundred_answers_one_counts_and_is_spent_once(place: &Now<'_, impl Questions>) {
    let question = kept(place, 1);
    let (rulings, spent) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
    std::thread::scope(|threads| {
        for number in 0..100 {
            let (question, rulings, spent) = (&question, &rulings, &spent);
            threads.spawn(move || {
                let answer = if number % 3 == 0 { Answer::No } else { Answer::Yes };
                let ruling = place.settle(question, answer).expect("an answer can be kept");
                rulings.lock().push(ruling);
                spent.fetch_add(usize::from(place.spend(question).is_ok()), Ordering::Relaxed);
            });
        }
    });
    let rulings = rulings.into_inner();
    let [first, ..] = rulings.as_slice() else { panic!("nobody was told anything") };
    assert!(rulings.iter().all(|ruling| ruling == first), "everybody is told the same");
    let yes = usize::from(*first == Ruling::Answered(Answer::Yes));
    assert_eq!(spent.into_inner(), yes, "a yes is spent exactly once, a no never");
}

async fn those_who_wait_hear_of_it(place: &Now<'_, impl Questions>) {
    let question = kept(place, 1);
    let waiting = join_all((0..3).map(|_| place.ruling(&question)));
    let (rulings, settled) = tokio::join!(waiting, async {
        tokio::task::yield_now().await;
        place.settle(&question, Answer::Yes)
    });
    settled.expect("an answer can be kept");
    assert_eq!(rulings, vec![Ruling::Answered(Answer::Yes); 3]);
}

async fn a_rule_comes_back(place: &Now<'_, impl Questions>) {
    let question = kept(place, 1);
    let draft = RuleDraft {
        rule: "id = \"a\"".to_owned(),
        words: "what it allows".into(),
        lasts: Lasts::For(Duration::from_secs(86_400)),
    };
    place.settle(&question, Answer::Always(Box::new(draft.clone()))).expect("an answer can be kept");
    let Ruling::Answered(Answer::Always(back)) = place.ruling(&question).await else { panic!("the rule is lost") };
    assert_eq!((&back.rule, back.lasts), (&draft.rule, draft.lasts));
    place.spend(&question).expect("always is a yes");
    place.remember(&draft, &question).expect("a rule can be kept");
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, missing_docs)]

    use super::*;

    #[tokio::test]
    async fn the_reference_holds_what_it_asks_of_others() {
        questions_conform(KeptQuestions::default).await;
        expired_questions_conform(|| KeptQuestions::lasting(Duration::ZERO)).await;
    }

    #[tokio::test]
    async fn time_passes_when_a_test_says_so() {
        let place = KeptQuestions::default();
        let question = kept(&now(&place), 1);
        let (ruling, ()) = tokio::join!(place.ruling(&question), async {
            tokio::task::yield_now().await;
            assert_eq!(place.open_ones().len(), 1);
            place.let_pass(Duration::from_secs(600));
        });
        assert_eq!(ruling, Ruling::Expired);
        assert!(place.open_ones().is_empty());
        assert_eq!(place.remembered(), []);
    }
}
