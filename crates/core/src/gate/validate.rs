//! Stage 2: text becomes typed arguments, and claims become effects on canonical paths and addresses.

use super::engine::Gate;
use super::trail::Trail;
use super::{execute, network};
use crate::arguments::{self, Repair, Repairs};
use crate::call::ToolsetName;
use crate::call::{
    Call, Claim, Claims, Digest, Effect, Effects, ErrorKind, Outcome, RawArguments, Refusal, Scope, Stage, ToolError,
};
use crate::message::{Message, Text};
use crate::ports::{CheckedCall, CommandReading, FileError, Owner, WebError};
use crate::registry::Registered;
use crate::tool::Pending;
use serde_json::Value;
use std::sync::{Arc, OnceLock};

/// A call that may be judged, and then run.
pub(super) struct Ready {
    pub(super) call: CheckedCall,
    pub(super) tool: Arc<Registered>,
    /// What runs.
    pub(super) pending: Arc<Pending>,
}

pub(super) async fn validate(
    tool: Arc<Registered>,
    arguments: &RawArguments,
    trail: &mut Trail<'_>,
) -> Result<Ready, Box<Outcome>> {
    let (gate, call) = (trail.gate(), trail.call());
    let ready = tokio::select! {
        biased;
        ready = check(tool, arguments, gate, call) => ready,
        () = trail.cancelled() => Err(execute::cancelled(&call.tool)),
    };
    trail.ends(Stage::Validate, ready)
}

/// The call with these arguments instead of its own.
async fn check(
    registered: Arc<Registered>,
    arguments: &RawArguments,
    gate: &Gate,
    call: &Call,
) -> Result<Ready, Box<Outcome>> {
    let tool = registered.tool();
    let (arguments, repairs) = read(&registered, arguments, gate).await.map_err(failed)?;
    let prepared = tool.prepare(&arguments).map_err(failed)?;
    let claims = prepared.claims(&call.scope).map_err(failed)?;
    let mut effects = canonical(&claims, gate, &call.scope)?;
    let commands = commands(gate, &mut effects, &call.scope);
    let pending = Pending::new(Arc::clone(tool), prepared);
    let call = CheckedCall {
        id: call.id.clone(),
        digest: Digest::of_call(&tool.spec().name, &arguments),
        tool: Arc::clone(&pending) as _,
        arguments,
        origin: call.origin.clone(),
        scope: call.scope.clone(),
        commands,
        effects: Arc::new(effects),
        repairs,
        files: Arc::clone(&gate.files),
        preview: OnceLock::new(),
        changed: OnceLock::new(),
    };
    Ok(Ready { call, tool: registered, pending })
}

async fn read(
    registered: &Arc<Registered>,
    raw: &RawArguments,
    gate: &Gate,
) -> Result<(Value, Vec<Repair>), ToolError> {
    let schema = registered.tool().schema();
    let invalid = |why: Message| ToolError::new(ErrorKind::InvalidArguments, why);
    let mut object = arguments::parse(raw).map_err(|error| invalid(error.message(schema)))?;
    if gate.registry.shape() == ToolsetName::Bots {
        // Such names are the caller's in the bots' document: whose conversation it is, no model says.
        object.retain(|name, _| !name.starts_with('_') || schema["properties"].get(name).is_some());
    }
    let Repairs { made, doubts } = arguments::repair(&mut object, schema, raw);
    let checked = registered.errors(Value::Object(object)).await;
    let (mut errors, arguments) = checked.map_err(|error| execute::panicked(error, registered.tool().spec()))?;
    if errors.is_empty() && doubts.is_empty() {
        return Ok((arguments, made));
    }
    // A doubt already says what to send instead; the checker's "is not of type" would only repeat it.
    errors.retain(|error| {
        !doubts.iter().any(|doubt| error.strip_prefix(doubt.name()).is_some_and(|rest| rest.starts_with(": ")))
    });
    let mut reasons: Vec<Text> = errors.into_iter().map(Text::from).collect();
    reasons.extend(doubts.iter().map(|doubt| doubt.message().into()));
    let all = reasons.into_iter().reduce(|all, reason| all.then("; ").then(reason)).unwrap_or_default();
    Err(invalid(Message::new("arguments-invalid").with("reasons", all)))
}

/// Removing or renaming affects the name itself, so a link there is not followed.
fn canonical(claims: &Claims, gate: &Gate, scope: &Scope) -> Result<Effects, Box<Outcome>> {
    let files = &*gate.files;
    let path = |error: FileError| {
        let error = error.into_tool_error();
        unreached(format!("paths.{}", error.kind().facts().code), error)
    };
    let host = |error: WebError| unreached(format!("net.{}", error.kind.name()), error.into_tool_error());
    let entry = |given: &String| files.locate_entry(given).map_err(path);
    let one = |claim: &Claim| {
        Ok(match claim {
            Effect::Delete(given) => Effect::Delete(entry(given)?),
            Effect::Move { from, to } => Effect::Move { from: entry(from)?, to: entry(to)? },
            Effect::Act(act) => Effect::Act(Box::new(match gate.performer(act.kind) {
                Some(performer) => performer.locate(act, scope).map_err(failed)?,
                None => (**act).clone(),
            })),
            Effect::Http(reach) => Effect::Http(Box::new(gate.web.locate(reach).map_err(host)?)),
            other => {
                let effect = other.try_map(|given, _| files.locate(given)).map_err(path)?;
                if let Effect::Run(launch) = &effect {
                    gate.processes.check(launch).map_err(|error| failed(error.into_tool_error()))?;
                }
                effect
            }
        })
    };
    claims.iter().map(one).collect()
}

/// Input to an unknown program is read as if it could do anything; the door refuses it anyway.
fn commands(gate: &Gate, effects: &mut Effects, scope: &Scope) -> Vec<CommandReading> {
    let read = |effect: &mut Effect| match effect {
        Effect::Run(launch) => {
            let reading = gate.reader.read(launch);
            launch.network = network::of(gate, launch, &reading);
            Some(CommandReading { network: launch.network, ..reading })
        }
        Effect::Feed { process, input } => Some(match gate.processes.spoken(&Owner::of(scope), process) {
            Some((launch, before)) => {
                CommandReading { network: launch.network, ..gate.reader.read_input(&launch, &before, input) }
            }
            None => CommandReading::unread(),
        }),
        _ => None,
    };
    effects.iter_mut().filter_map(read).collect()
}

fn failed(error: ToolError) -> Box<Outcome> {
    Box::new(Outcome::Failed(error))
}

/// A path or address that cannot be located is a refusal if it leaves the roots or the public network, otherwise a
/// failure of the call.
fn unreached(rule: String, error: ToolError) -> Box<Outcome> {
    if !error.kind().facts().refusal {
        return failed(error);
    }
    Box::new(Outcome::Refused(Refusal {
        stage: Stage::Validate,
        rule,
        message: error.message().clone().into(),
        others: Vec::new(),
    }))
}
