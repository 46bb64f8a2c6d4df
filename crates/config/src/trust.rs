//! What a project's file may do before a person has accepted its content: only make things stricter. The table is a
//! list of permissions; a key that is not on it has none, so a new key is safe from the start.
//!
//! Reason: otherwise anyone with write access to a repository could choose the model's address, add a hook, or turn off
//! approvals for everyone who opens it.

use serde_json::Value;

use crate::node::{Kind, Node};
use crate::origin::{Origin, Place};
use crate::problem::{Warning, WarningKind};
use crate::schema::{is_key, join};
use crate::tree::ConfirmMode;

/// What to do about it, for every message.
pub(crate) const REMEDY: &str =
    "until its content is trusted; read it and run `palanca config trust`, or name it with -c";

/// The direction in which a key may be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Permission {
    /// Neither wider nor stricter.
    Harmless,
    /// A text without blanks, too short for a sentence.
    Word,
    OnlyTrue,
    OnlyFalse,
    /// A limit may be lowered, and set if there was none.
    Lower,
    /// A limit may be lowered; an unset one may not be set, because the value it replaces is unknown.
    LowerKnown,
    /// People may be asked more often.
    AskMore,
    /// Entries may be added to the existing ones.
    AddTo,
    /// Entries may be removed, none added.
    TakeFrom,
    /// Like `TakeFrom`, for a list whose emptiness means everything.
    FewerTools,
    /// Like `TakeFrom`, for a list in which `*` means everything.
    FewerHosts,
}

const PERMISSIONS: &[(&str, Permission)] = &[
    ("language", Permission::Harmless),
    ("mode", Permission::AskMore),
    ("search.default_file_pattern", Permission::Word),
    ("restrict_to_workspace", Permission::OnlyTrue),
    ("workspace.allow_delete", Permission::OnlyFalse),
    ("workspace.readable_roots", Permission::TakeFrom),
    ("workspace.vouched", Permission::OnlyFalse),
    ("files.max_read_bytes", Permission::Lower),
    ("secrets.deny", Permission::AddTo),
    ("secrets.allow", Permission::TakeFrom),
    ("secrets.values", Permission::AddTo),
    ("agents.*.confirm_mode", Permission::AskMore),
    ("agents.*.allowed_tools", Permission::FewerTools),
    ("agents.*.max_steps", Permission::LowerKnown),
    ("subagents.enabled", Permission::OnlyFalse),
    ("subagents.max_depth", Permission::Lower),
    ("subagents.max_concurrent", Permission::Lower),
    ("subagents.wait", Permission::Lower),
    ("subagents.timeout", Permission::Lower),
    ("subagents.max_steps", Permission::Lower),
    ("subagents.max_total_tokens", Permission::Lower),
    ("subagents.budget_usd", Permission::Lower),
    ("costs.enabled", Permission::OnlyTrue),
    ("costs.budget_usd", Permission::Lower),
    ("costs.warn_at_usd", Permission::Lower),
    ("costs.max_total_tokens", Permission::Lower),
    ("sessions.auto_save", Permission::OnlyTrue),
    ("commands.enabled", Permission::OnlyFalse),
    ("commands.default_timeout", Permission::Lower),
    ("commands.limits.memory", Permission::Lower),
    ("commands.limits.processes", Permission::Lower),
    ("commands.limits.disk", Permission::Lower),
    ("commands.blocked_patterns", Permission::AddTo),
    ("commands.safe_commands", Permission::TakeFrom),
    ("commands.allowed_only", Permission::OnlyTrue),
    ("commands.toolchains", Permission::OnlyFalse),
    ("approvals.ttl_seconds", Permission::Lower),
    ("approvals.remember_days", Permission::Lower),
    ("undo.commands", Permission::OnlyTrue),
    ("guardrails.enabled", Permission::OnlyTrue),
    ("guardrails.protected_files", Permission::AddTo),
    ("guardrails.sensitive_files", Permission::AddTo),
    ("guardrails.blocked_commands", Permission::AddTo),
    ("guardrails.max_files_modified", Permission::Lower),
    ("guardrails.max_lines_changed", Permission::Lower),
    ("guardrails.max_commands_executed", Permission::Lower),
    ("guardrails.require_test_after_edit", Permission::OnlyTrue),
    ("guardrails.code_rules", Permission::AddTo),
    ("loops.warn", Permission::Lower),
    ("loops.refuse", Permission::Lower),
    ("loops.stop", Permission::Lower),
    ("net.allow_hosts", Permission::FewerHosts),
    ("net.deny_hosts", Permission::AddTo),
    ("net.requests_per_second", Permission::Lower),
    ("webTools.enabled", Permission::OnlyFalse),
    ("webTools.search.maxResults", Permission::Lower),
    ("webTools.search.timeout", Permission::Lower),
    ("webTools.fetch.maxContentLength", Permission::Lower),
    ("webTools.fetch.timeout", Permission::Lower),
    ("exec.enabled", Permission::OnlyFalse),
    ("exec.deniedPatterns", Permission::AddTo),
    ("fileTools.enabled", Permission::OnlyFalse),
    ("fileTools.maxFileSizeBytes", Permission::Lower),
    ("fileTools.deniedPatterns", Permission::AddTo),
    ("processTools.enabled", Permission::OnlyFalse),
    ("phoneCall.enabled", Permission::OnlyFalse),
    ("phoneCall.maxCallsPerHour", Permission::Lower),
    ("cron.enabled", Permission::OnlyFalse),
    ("improve.enabled", Permission::OnlyFalse),
    ("collaboration.enabled", Permission::OnlyFalse),
    ("dynamicTools.enabled", Permission::OnlyFalse),
];

/// What no file of the workspace may set, trusted or not: anyone who can write there could weaken the sandbox or allow
/// calls.
const OUTSIDE_ONLY: &[&str] = &[
    "commands.rules_file",
    "approvals.rules_file",
    "commands.unsandboxed",
    "commands.network",
    "commands.readable",
    "commands.environment",
    "net.private_hosts",
    "webTools.search.apiKeyEnv",
    "webTools.search.braveUrl",
    "webTools.search.searxngUrl",
    "phoneCall.baseUrl",
];

/// A value of an untrusted file that is not applied.
#[derive(Debug)]
pub(crate) struct Refused {
    pub key: String,
    pub value: Value,
    pub warning: Warning,
}

/// Removes keys that only the user may set.
pub(crate) fn without_outside_only(node: Node, current: &Value, origin: &Origin) -> (Node, Vec<Refused>) {
    let mut refused = Vec::new();
    let kept = strip("", node, Some(current), &mut |key, node| {
        refused.push(Refused {
            key: key.to_owned(),
            value: node.to_value(),
            warning: Warning {
                place: Place::new(origin.clone(), node.line),
                key: key.to_owned(),
                kind: WarningKind::NeverHere,
                message: "is not applied: no file of the workspace may say this; set it in your own configuration, or \
                          name a file with -c"
                    .to_owned(),
            },
        });
    });
    (kept.unwrap_or_else(|| Node::new(0, Kind::Map(Vec::new()))), refused)
}

fn strip(key: &str, node: Node, current: Option<&Value>, refuse: &mut dyn FnMut(&str, &Node)) -> Option<Node> {
    if OUTSIDE_ONLY.contains(&key) {
        if Some(&node.to_value()) != current {
            refuse(key, &node);
        }
        return None;
    }
    let line = node.line;
    match node.kind {
        Kind::Map(entries) => {
            let kept = entries.into_iter().filter_map(|(name, child)| {
                let current = current.and_then(|value| value.get(&name));
                Some((name.clone(), strip(&join(key, &name), child, current, refuse)?))
            });
            Some(Node::new(line, Kind::Map(kept.collect())))
        }
        kind => Some(Node::new(line, kind)),
    }
}

/// Keeps values that restrict `current`, the layers below; lists that may only grow are returned with the existing
/// entries.
pub(crate) fn restrict(node: Node, current: &Value, origin: &Origin) -> (Node, Vec<Refused>) {
    let mut refused = Vec::new();
    let kept = keep("", node, Some(current), &mut |key, node, reason| {
        refused.push(Refused {
            key: key.to_owned(),
            value: node.to_value(),
            warning: Warning {
                place: Place::new(origin.clone(), node.line),
                key: key.to_owned(),
                kind: WarningKind::NotTrusted,
                message: format!("is not applied: {reason}; a project's file may only restrict {REMEDY}"),
            },
        });
    });
    (kept.unwrap_or_else(|| Node::new(0, Kind::Map(Vec::new()))), refused)
}

/// The texts of an untrusted file that no layer below has.
pub(crate) fn unvouched(node: &Node, below: &Value) -> Vec<String> {
    let (mut known, mut said) = (Vec::new(), Vec::new());
    texts(below, &mut known);
    let value = node.to_value();
    texts(&value, &mut said);
    said.into_iter().filter(|text| !known.contains(text)).map(str::to_owned).collect()
}

fn texts<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(entries) => entries.values().for_each(|entry| texts(entry, found)),
        _ => {}
    }
}

type Refuse<'r> = &'r mut dyn FnMut(&str, &Node, &str);

fn keep(key: &str, node: Node, current: Option<&Value>, refuse: Refuse<'_>) -> Option<Node> {
    // A new agent would bring its own instructions; an agent known to the layers below may be restricted.
    if is_key("agents.*", key) && current.is_none() {
        refuse(key, &node, "it defines an agent");
        return None;
    }
    // A channel without some of its keys is invalid.
    if is_key("channels.*", key) && current.is_none() {
        refuse(key, &node, "it opens a way out");
        return None;
    }
    // A declaration widens what tasks may use, and a part of it would mean something else.
    if is_key("tools.*", key) {
        refuse(key, &node, "it declares a tool");
        return None;
    }
    let permission = PERMISSIONS.iter().find(|(pattern, _)| is_key(pattern, key)).map(|(_, permission)| *permission);
    match (node.kind, permission) {
        (Kind::Map(entries), None) => {
            let entries = entries
                .into_iter()
                .filter_map(|(name, child)| {
                    let current = current.and_then(|value| value.get(&name));
                    let child = keep(&join(key, &name), child, current, refuse)?;
                    Some((name, child))
                })
                .collect();
            Some(Node::new(node.line, Kind::Map(entries)))
        }
        (kind, permission) => {
            let node = Node::new(node.line, kind);
            let verdict = match permission {
                Some(permission) => judge(permission, &node, current),
                None if Some(&node.to_value()) == current => Ok(node.clone()),
                None => Err("it can widen what may happen"),
            };
            match verdict {
                Ok(node) => Some(node),
                Err(reason) => {
                    refuse(key, &node, reason);
                    None
                }
            }
        }
    }
}

fn judge(permission: Permission, node: &Node, current: Option<&Value>) -> Result<Node, &'static str> {
    let value = node.to_value();
    let current = current.filter(|value| !value.is_null());
    // Resetting a restriction to "unset" widens it, for any key.
    let allowed = match permission {
        _ if value.is_null() => current.is_none(),
        Permission::Harmless => true,
        Permission::Word => value.as_str().is_some_and(|text| text.len() <= 24 && !text.contains(char::is_whitespace)),
        Permission::OnlyTrue => value == Value::Bool(true),
        Permission::OnlyFalse => value == Value::Bool(false),
        Permission::Lower => match (value.as_f64(), current.and_then(Value::as_f64)) {
            (Some(new), Some(old)) => new <= old,
            (new, None) => new.is_some(),
            (None, Some(_)) => false,
        },
        Permission::LowerKnown => match (value.as_f64(), current.and_then(Value::as_f64)) {
            (Some(new), Some(old)) => new <= old,
            _ => false,
        },
        Permission::AskMore => asks(&value) >= current.map_or(Some(ConfirmMode::ConfirmAll), asks),
        Permission::TakeFrom => takes_from(&value, current),
        Permission::FewerTools => {
            let every = |list: &Value| items(list).next().is_none();
            current.is_some_and(every) || (!every(&value) && takes_from(&value, current))
        }
        Permission::FewerHosts => {
            takes_from(&value, current) || current.is_some_and(|list| items(list).any(|host| host == "*"))
        }
        Permission::AddTo => return Ok(added(node, current)),
    };
    if allowed {
        return Ok(node.clone());
    }
    Err(match permission {
        Permission::OnlyTrue | Permission::OnlyFalse => "this turns a restriction off",
        Permission::Lower | Permission::LowerKnown => "this raises a limit",
        Permission::AskMore => "people would be asked less often",
        Permission::Word => "a project may name one short pattern without blanks",
        _ => "this adds to a list of permissions",
    })
}

fn takes_from(value: &Value, current: Option<&Value>) -> bool {
    items(value).all(|item| current.is_some_and(|list| items(list).any(|known| known == item)))
}

fn asks(mode: &Value) -> Option<ConfirmMode> {
    serde_json::from_value(mode.clone()).ok()
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn added(node: &Node, current: Option<&Value>) -> Node {
    let Kind::List(new) = &node.kind else {
        return node.clone();
    };
    let mut all: Vec<Node> = current.into_iter().flat_map(items).map(|value| Node::from_value(value.clone())).collect();
    for item in new {
        if !all.iter().any(|known| known.to_value() == item.to_value()) {
            all.push(item.clone());
        }
    }
    Node::new(node.line, Kind::List(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_permission_names_a_known_key() {
        for (pattern, _) in PERMISSIONS {
            let key = pattern.replace('*', "any");
            assert!(crate::schema::root().at(&key).is_some(), "{pattern} is no key");
        }
    }
}
