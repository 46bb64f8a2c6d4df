//! A question as a form that a client shows, and what was filled in as an answer.

use palanca_core::ports::{Answer, Question, Undoable};
use palanca_core::{Catalogue, Message};
use palanca_text::questions;
use rmcp::RoleServer;
use rmcp::model::{
    ConstTitle, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema, EnumSchema,
    PrimitiveSchemaDefinition, SingleSelectEnumSchema, StringSchema, TitledSingleSelectEnumSchema,
};
use rmcp::service::Peer;
use serde_json::Value;
use std::collections::BTreeMap;

/// Characters of a diff or of arguments in a question.
const SHOWN: usize = 4_000;
const DECISION: &str = "decision";
const REASON: &str = "reason";
const YES: &str = "yes";
const NO: &str = "no";
const ALWAYS: &str = "always-";

/// The question with everything that decides it.
pub(super) fn of(question: &Question, catalogue: &dyn Catalogue) -> ElicitRequestParams {
    let say = |message: &Message| catalogue.render(message);
    let rules = question.drafts.iter().enumerate().map(|(number, draft)| {
        let words = say(&questions::always(draft.words.render(catalogue)));
        ConstTitle::new(format!("{ALWAYS}{}", number + 1), words)
    });
    let once = ConstTitle::new(YES, say(&Message::new("mcp-yes")));
    let choices = [once].into_iter().chain(rules).chain([ConstTitle::new(NO, say(&Message::new("mcp-no")))]).collect();
    let decision = SingleSelectEnumSchema::Titled(TitledSingleSelectEnumSchema::new(choices));
    let reason = StringSchema::new().title(say(&Message::new("mcp-reason")));
    let properties = BTreeMap::from([
        (DECISION.to_owned(), PrimitiveSchemaDefinition::Enum(EnumSchema::Single(decision))),
        (REASON.to_owned(), PrimitiveSchemaDefinition::String(reason)),
    ]);
    let requested_schema = ElicitationSchema::new(properties).with_required(vec![DECISION.to_owned()]);
    ElicitRequestParams::FormElicitationParams { meta: None, message: words(question, catalogue), requested_schema }
}

/// What would happen, why it is asked, what undoes it, and the change itself.
fn words(question: &Question, catalogue: &dyn Catalogue) -> String {
    let say = |message: &Message| catalogue.render(message);
    let mut lines = vec![say(&Message::new("mcp-question").with("tool", question.tool.as_str()))];
    lines.extend(question.effects.iter().map(|effect| format!("- {}", say(&effect.message()))));
    let fact = |label: Message, words: String| format!("{} {words}", say(&label));
    lines.extend(question.reasons.iter().map(|reason| fact(questions::why(), say(&reason.words))));
    lines.extend(question.isolation.map(|kept| fact(questions::isolation(), say(&questions::kept_in(kept)))));
    match &question.undo {
        Undoable::Yes => {}
        Undoable::Partly(why) => lines.push(fact(questions::undo_partly(), say(why))),
        Undoable::No(why) => lines.push(fact(questions::undo_not(), say(why))),
    }
    let arguments = || serde_json::to_string_pretty(&question.arguments).unwrap_or_default();
    let change = question.diff.clone().unwrap_or_else(arguments);
    lines.push(String::new());
    lines.push(cut(&change));
    lines.join("\n")
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}\n…", text.get(..end).unwrap_or_default()),
    }
}

/// What was filled in. Whatever is no clear yes is a no.
pub(super) fn answer(question: &Question, given: &ElicitResult) -> Answer {
    let said = |name: &str| given.content.as_ref()?.get(name)?.as_str();
    let reason = said(REASON).map(str::trim).filter(|reason| !reason.is_empty());
    let no = reason.map_or(Answer::No, |reason| Answer::NoBecause(reason.to_owned()));
    match (&given.action, said(DECISION)) {
        (ElicitationAction::Accept, Some(YES)) => Answer::Yes,
        (ElicitationAction::Accept, Some(decision)) => {
            let number = decision.strip_prefix(ALWAYS).and_then(|number| number.parse::<usize>().ok());
            let draft = number.and_then(|number| question.drafts.get(number.checked_sub(1)?));
            draft.map_or(no, |draft| Answer::Always(Box::new(draft.clone())))
        }
        _ => no,
    }
}

/// Asks what a running tool asks; None where it is declined, or no form.
pub(super) async fn fill(peer: &Peer<RoleServer>, text: &str, schema: &Value) -> Option<Value> {
    let requested_schema = ElicitationSchema::from_json_schema(schema.as_object()?.clone()).ok()?;
    let asked = ElicitRequestParams::FormElicitationParams { meta: None, message: text.to_owned(), requested_schema };
    let given = peer.create_elicitation(asked).await.ok()?;
    given.content.filter(|_| given.action == ElicitationAction::Accept)
}
