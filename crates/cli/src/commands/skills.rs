//! `palanca skills`: list, check, create, install and remove.

mod check;
mod shelf;

use crate::args::Global;
use crate::args::agent_files::{Skills as Arguments, SkillsCommand};
use crate::exit::{Ended, Exit, Failure};
use crate::render::stdout;
use crate::say::say;
use crate::wire::settings;
use palanca_core::Message;
use palanca_host::agent::notes::{Gathered, Listed, gather, user_skill_roots};
use palanca_notes::{Fault, Origin, Trust};
use serde_json::{Value, json};
use shelf::{Owner, Shelf};

pub fn skills(global: &Global, args: Arguments) -> Ended {
    match args.what {
        SkillsCommand::List { json } => list(global, json),
        SkillsCommand::Show { name, json } => show(global, &name, json),
        SkillsCommand::Check { path: Some(path), json } => check::named(&path, json),
        SkillsCommand::Check { path: None, json } => check::found(&found(global)?, json),
        SkillsCommand::Create { name, description, user } => {
            Shelf::open(global, owner(user))?.create(&name, description.as_deref())
        }
        SkillsCommand::Install { from, user, overwrite } => Shelf::open(global, owner(user))?
            .install(&from, if overwrite { shelf::There::Replace } else { shelf::There::Keep }),
        SkillsCommand::Remove { name, user } => Shelf::open(global, owner(user))?.remove(&name),
    }
}

const fn owner(user: bool) -> Owner {
    if user { Owner::User } else { Owner::Workspace }
}

/// Everything that is found, whether or not a run would be told of it.
fn found(global: &Global) -> Result<Gathered, Failure> {
    let (places, mut config) = (settings::places(global)?, settings::load(global, &[])?.config);
    config.notes.enabled = false;
    if !config.skills.auto_discover {
        config.skills.auto_discover = true;
        let own = user_skill_roots(&places, &config);
        config.workspace.readable_roots.extend(own);
    }
    Ok(gather(&places, &config)?)
}

fn list(global: &Global, as_json: bool) -> Ended {
    let found = found(global)?;
    if as_json {
        stdout::json(&found.skills.iter().map(row).collect())?;
        return Ok(Exit::Success);
    }
    let mut page = String::new();
    for listed in &found.skills {
        let front = listed.skill.reading.front.as_ref();
        let name = front.map_or("–", |front| &front.name);
        let words = front.map(|front| front.description.split_whitespace().collect::<Vec<_>>().join(" "));
        page.push_str(&format!("{name:<24} {}\n", words.unwrap_or_default()));
        page.push_str(&format!("{:<24} {} ({})\n", "", listed.skill.file, say(&state(listed))));
    }
    for left in &found.left {
        let why = say(&left.why);
        page.push_str(&format!(
            "{}\n",
            say(&Message::new("notes-left").with("path", &left.path).with("reason", why.trim_end_matches('.')))
        ));
    }
    if page.is_empty() {
        page = say(&Message::new("skills-none"));
    }
    stdout::text(&page)?;
    Ok(Exit::Success)
}

/// Whose it is, and what becomes of it.
fn state(listed: &Listed) -> Message {
    match (&listed.shadowed_by, &listed.skill.reading.front, listed.trust, listed.skill.origin) {
        (_, None, ..) => Message::new("skills-state-broken"),
        (Some(other), ..) => Message::new("skills-state-shadowed").with("other", other),
        (None, _, Trust::Unvouched, _) => Message::new("skills-state-unvouched"),
        (None, _, Trust::Accepted, Origin::Workspace) => Message::new("skills-state-accepted"),
        (None, _, Trust::Accepted, Origin::User) => Message::new("skills-state-own"),
    }
}

fn row(listed: &Listed) -> Value {
    let front = listed.skill.reading.front.as_ref();
    json!({
        "name": front.map(|front| &front.name),
        "description": front.map(|front| &front.description),
        "file": listed.skill.file,
        "origin": match listed.skill.origin { Origin::User => "user", Origin::Workspace => "workspace" },
        "accepted": listed.trust == Trust::Accepted,
        "offered": listed.is_offered(),
        "shadowed_by": listed.shadowed_by,
        "problems": problems(&listed.skill.reading.faults),
    })
}

fn problems(faults: &[Fault]) -> Vec<String> {
    faults.iter().map(|fault| say(&fault.message)).collect()
}

fn show(global: &Global, name: &str, as_json: bool) -> Ended {
    let found = found(global)?;
    let named = |listed: &&Listed| {
        listed.skill.reading.front.as_ref().is_some_and(|front| front.name == name)
            || listed.skill.folder.rsplit('/').next() == Some(name)
    };
    let Some(listed) = found.skills.iter().find(named) else {
        let names: Vec<&str> =
            found.skills.iter().filter_map(|listed| Some(listed.skill.reading.front.as_ref()?.name.as_str())).collect();
        let (count, names) = (names.len(), names.join(", "));
        let unknown = Message::new("skills-unknown").with("name", name).with("count", count).with("names", names);
        return Err(Failure::said(&unknown));
    };
    let reading = &listed.skill.reading;
    if as_json {
        let mut whole = row(listed);
        if let (Some(whole), Some(Value::Object(fields))) =
            (whole.as_object_mut(), reading.front.as_ref().map(serde_json::to_value).transpose()?)
        {
            whole.extend(fields);
            whole.insert("instructions".into(), reading.body.as_str().into());
        }
        stdout::json(&whole)?;
        return Ok(Exit::Success);
    }
    let mut page = format!("{}\n{}\n", listed.skill.file, say(&state(listed)));
    if let Some(front) = &reading.front {
        page.push_str(&format!("\n{}\n{}\n", front.name, front.description));
        let fields = [("license", &front.license), ("compatibility", &front.compatibility)];
        for (field, value) in fields {
            page.extend(value.as_ref().map(|value| format!("{field}: {value}\n")));
        }
        if let Some(tools) = &front.allowed_tools {
            page.push_str(&format!("{}\n", say(&Message::new("skills-allowed-tools").with("tools", tools))));
        }
        page.push_str(&format!("\n{}\n", reading.body));
    }
    for problem in problems(&reading.faults) {
        page.push_str(&format!("  - {problem}\n"));
    }
    stdout::text(&page)?;
    Ok(Exit::Success)
}
