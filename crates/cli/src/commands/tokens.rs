//! `palanca tokens`: who is let in at the console.

use super::ids;
use crate::args::Global;
use crate::args::tokens::{Tokens, TokensCommand};
use crate::exit::{Ended, Exit, Failure};
use crate::render::{stderr, stdout, time};
use crate::say::say;
use crate::wire::settings;
use palanca_core::Message;
use palanca_core::ports::wait;
use palanca_host::Notices as _;
use palanca_host::session::desk::person;
use palanca_store::{Database, KeptKey, KeyEnded, KeyKind, KeyRing, StoreError, Which};
use std::sync::Arc;
use std::time::Duration;

/// Characters of a name.
const NAME: usize = 64;

pub fn tokens(global: &Global, args: Tokens) -> Ended {
    let home = settings::home("tokens")?;
    settings::load(global, &[])?;
    let keys = KeyRing::new(Arc::new(Database::lazy(&home)));
    match args.what {
        TokensCommand::Create { name, days } => create(global, &keys, (&name, days)),
        TokensCommand::List { all, listing } => list(&keys, if all { Which::All } else { Which::Active }, listing.json),
        TokensCommand::Revoke { id } => revoke(&keys, &id),
    }
}

fn create(global: &Global, keys: &KeyRing, (name, days): (&str, u16)) -> Ended {
    let is_name = (1..=NAME).contains(&name.chars().count()) && name.trim() == name;
    if !is_name || name.chars().any(char::is_control) {
        return Err(Failure::said(&Message::new("tokens-name").with("most", NAME)));
    }
    let lasts = Duration::from_secs(u64::from(days) * 86_400);
    let made = wait(keys.make((KeyKind::Token, name), lasts, None)).map_err(broken)?;
    stdout::text(&format!("{}\n", made.secret))?;
    let until = time::utc(made.kept.expires_ms);
    settings::notices(global).note(&Message::new("tokens-made").with("name", name).with("until", until));
    Ok(Exit::Success)
}

fn list(keys: &KeyRing, which: Which, json: bool) -> Ended {
    let tokens = keys.tokens(which).map_err(broken)?;
    if json {
        stdout::json(&serde_json::to_value(&tokens)?)?;
    } else if tokens.is_empty() {
        stderr::line(&say(&Message::new("tokens-none")));
    } else {
        stdout::text(&tokens.iter().map(line).collect::<String>())?;
    }
    Ok(Exit::Success)
}

fn line(token: &KeptKey) -> String {
    let state = match (token.ended_ms, &token.ended_by) {
        (Some(at), by) => {
            let by = by.clone().unwrap_or_default();
            Message::new("tokens-revoked").with("by", by).with("at", time::utc(at))
        }
        (None, _) => Message::new("tokens-until").with("until", time::utc(token.expires_ms)),
    };
    format!("{}  {}  {}\n", token.id, stderr::shown_line(&token.person), say(&state))
}

fn revoke(keys: &KeyRing, typed: &str) -> Ended {
    let all = keys.tokens(Which::All).map_err(broken)?;
    let picked = ids::pick(typed, &all, |token| &token.id).map_err(|several| Failure::said(&several))?;
    let unknown = || Failure::saying(Exit::Failed, &Message::new("tokens-unknown").with("id", typed));
    let token = picked.ok_or_else(unknown)?;
    match wait(keys.end(&token.id, &person("tokens"))).map_err(broken)? {
        KeyEnded::Done => {
            let done = Message::new("tokens-ended").with("id", &token.id).with("name", &token.person);
            stdout::text(&format!("{}\n", say(&done)))?;
            Ok(Exit::Success)
        }
        KeyEnded::Already(_) => Err(Failure::saying(Exit::Failed, &Message::new("tokens-over").with("id", &token.id))),
        KeyEnded::Unknown => Err(unknown()),
    }
}

fn broken(error: StoreError) -> Failure {
    Failure::saying(Exit::Failed, &error.message())
}
