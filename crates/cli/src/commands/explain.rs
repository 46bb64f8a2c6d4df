//! `palanca explain`: what the gate would say to a call.

use crate::args::{Explain, Global};
use crate::commands::arguments::arguments;
use crate::exit::{Ended, Exit};
use crate::render::{commands, diff, stderr, stdout};
use crate::say::say;
use crate::wire::open::{Asking, calls};
use crate::wire::runtime::{self, Threads};
use crate::wire::settings;
use palanca_core::gate::{Explanation, StageVerdict};
use palanca_core::{CallId, Message};
use palanca_mcp::Needed;
use std::collections::BTreeMap;
use std::sync::Arc;

pub fn explain(global: &Global, args: Explain) -> Ended {
    let config = Arc::new(settings::load(global, &[])?.config);
    let session = calls(global, &config, Asking::Nobody, Needed::ForTool(&args.tool))?;
    let arguments = arguments(session.toolset(), &args.tool, &args.arguments)?;
    let call = session.call(CallId::new("1"), args.tool, arguments);
    let (session, explanation) = runtime::block_on(Threads::One, async move {
        let explanation = session.gate().explain(session.toolset(), &call).await;
        Ok((session, explanation))
    })?;
    let hidden = explanation.commands.iter().flat_map(|command| &command.parts).filter_map(|part| {
        let program = part.source.split_whitespace().find(|word| !word.contains('='))?;
        Some((program, session.person().hidden(program)?.to_people()))
    });
    hidden.collect::<BTreeMap<_, _>>().values().for_each(stderr::warn);
    if args.json {
        stdout::json(&serde_json::to_value(&explanation)?)?;
    } else {
        stdout::text(&drawn(&explanation))?;
    }
    Ok(Exit::Success)
}

fn drawn(explanation: &Explanation) -> String {
    let mut page =
        format!("{}({})\n", stderr::shown_line(&explanation.tool), stderr::one_line(&explanation.arguments, |_| 100));
    for effect in &explanation.effects {
        let label = say(&Message::new("approvals-label-effect"));
        page.push_str(&format!("  {label}  {}\n", stderr::shown_line(&say(&effect.message()))));
    }
    for command in &explanation.commands {
        page.push_str(&commands::drawn(command));
    }
    for StageVerdict { stage, verdict, rule, reason } in &explanation.stages {
        let (stage, verdict) = (stage.name(), verdict.name());
        let rule = rule.as_deref().map(|rule| format!("  [{rule}]")).unwrap_or_default();
        let reason = reason.as_deref().map(|reason| format!("  {}", stderr::shown_line(reason))).unwrap_or_default();
        page.push_str(&format!("  {stage:<11} {verdict}{rule}{reason}\n"));
    }
    if let Some(change) = &explanation.diff {
        page.push_str(&diff::plain(change));
    }
    page
}
