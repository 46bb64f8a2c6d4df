//! What a person may allow together with a call, from narrow to wide: at most three rules, each in the language of the rule
//! file, each tried on the call itself before it is offered.

use super::deed::{Deed, Subject};
use super::judge::summary;
use super::row::{Class, Kind, OneOrMore, Row};
use super::{RuleBook, banned};
use crate::address::Address;
use crate::paths::{Access, PathVerdict};
use palanca_core::call::{Act, ActKind, CanonicalPath, CommandLine, Effect, Launch, Method, Root};
use palanca_core::ports::{CommandClass, CommandPart, CommandReading, CommandWord, Lasts, RuleDraft};
use palanca_core::{Message, Scope};
use serde::Serialize;
use std::path::Path;

/// Files, or parts of a command, that one draft may name.
const MOST: usize = 16;

/// Rules as a text.
#[derive(Serialize)]
struct Written<'r> {
    rule: &'r [Row],
}

/// A draft before it is tried.
struct Wish {
    rows: Vec<Row>,
    words: Message,
    durable: bool,
}

pub(super) fn drafts(book: &RuleBook, subject: &Subject<'_>) -> Vec<RuleDraft> {
    let wishes = wishes(book, subject).unwrap_or_default();
    wishes.into_iter().filter_map(|wish| wish.tried(book, subject)).take(3).collect()
}

/// None where allowing more than this call would be too much.
fn wishes(book: &RuleBook, subject: &Subject<'_>) -> Option<Vec<Wish>> {
    if !subject.deeds(&book.workspace).iter().any(Deed::is_sensitive) {
        return of_hosts(book, subject);
    }
    let mut wishes = Vec::new();
    let mut again = Vec::new();
    let (mut written, mut other) = (Vec::new(), false);
    for effect in subject.effects {
        match effect {
            Effect::WriteFile { path, .. } => written.push(open(book, path)?),
            Effect::Delete(path) => {
                other = true;
                again.push(Row { paths: vec![literal(&open(book, path)?)], ..Row::allowing(vec![Kind::Delete]) });
            }
            Effect::Move { from, to } => {
                other = true;
                let paths = vec![literal(&open(book, from)?), literal(&open(book, to)?)];
                again.push(Row { paths, ..Row::allowing(vec![Kind::Move]) });
            }
            Effect::Feed { .. } => return None,
            Effect::Act(_) => return of_acts(book, subject),
            Effect::Message(_) => {
                let alone = subject.effects.iter().all(|effect| matches!(effect, Effect::Message(_)));
                return alone.then(|| of_people(book, subject)).flatten();
            }
            Effect::Http(reach) if !reach.method.only_reads() => {
                // Beside other changes it is asked about again: what is sent depends on them.
                let alone = subject.effects.iter().all(|effect| matches!(effect, Effect::Http(_)));
                return alone.then(|| of_hosts(book, subject)).flatten();
            }
            _ => {}
        }
    }
    let launches = subject.effects.iter().filter_map(|effect| match effect {
        Effect::Run(launch) => Some(&**launch),
        _ => None,
    });
    let started: Vec<(&Launch, &CommandReading)> = launches.zip(subject.commands).collect();
    for (launch, reading) in &started {
        if !reading.parts.iter().filter(|part| part.class > CommandClass::Safe).all(may_be_offered) {
            return None;
        }
        again.push(this_again(launch)?);
    }
    if written.len() + again.len() > MOST {
        return None;
    }
    if !written.is_empty() {
        again.push(writing(written.iter().map(|path| literal(path)).collect()));
    }
    let key = if started.is_empty() { "rule-draft-again" } else { "rule-draft-again-command" };
    wishes.push(Wish::of_a_session(again, Message::new(key).with("what", summary(subject.effects))));
    match (written.is_empty() || other, started.as_slice()) {
        (false, []) => wishes.extend(of_files(book, &written)),
        (true, [(_, reading)]) if !other && written.is_empty() => wishes.extend(of_programs(book, reading)),
        _ => {}
    }
    Some(wishes)
}

impl Wish {
    fn lasting(rows: Vec<Row>, words: Message) -> Self {
        Self { rows, words, durable: true }
    }

    fn of_a_session(rows: Vec<Row>, words: Message) -> Self {
        Self { rows, words, durable: false }
    }

    /// The draft, if it really allows this call.
    fn tried(mut self, book: &RuleBook, subject: &Subject<'_>) -> Option<RuleDraft> {
        for row in &mut self.rows {
            place(book, subject.scope, row, self.durable);
        }
        // ignored: a row always serialises; it holds nothing but texts.
        let rule = toml::to_string(&Written { rule: &self.rows }).ok()?;
        let rules = book.made_by_answering(&rule).ok()?;
        book.would_allow(&rules, subject).then_some(RuleDraft {
            rule,
            words: self.words.into(),
            lasts: if self.durable { Lasts::For(book.remember) } else { Lasts::Session },
        })
    }
}

/// Rules that people make hold in this workspace, in this conversation, and if they do not last, in this session.
fn place(book: &RuleBook, scope: &Scope, row: &mut Row, durable: bool) {
    row.workspace = book.workspace.to_str().map(str::to_owned);
    row.bot = scope.bot.as_ref().map(ToString::to_string);
    row.chat = scope.chat.as_ref().map(ToString::to_string);
    row.channel = scope.channel.as_ref().map(ToString::to_string);
    row.session = (!durable).then(|| scope.session.to_string());
}

/// The path, unless it is no text, lies outside, or is one that runs something later.
fn open(book: &RuleBook, path: &CanonicalPath) -> Option<String> {
    let text = path.relative().to_str().filter(|text| !text.is_empty() && path.root() == Root::Workspace)?;
    (book.paths.judge(path.relative(), Access::Write) == PathVerdict::Allow).then(|| text.to_owned())
}

/// The glob of exactly this path.
fn literal(path: &str) -> String {
    globset::escape(path)
}

fn this_again(launch: &Launch) -> Option<Row> {
    let directory = launch.directory.relative().to_str().filter(|_| launch.directory.root() == Root::Workspace)?;
    let within = if directory.is_empty() { Vec::new() } else { vec![directory.to_owned()] };
    let row = Row { within, ..Row::allowing(vec![Kind::Run]) };
    Some(match &launch.command {
        CommandLine::Script { text, .. } => Row { text: Some(text.clone()), ..row },
        CommandLine::Program(argv) => Row { command: Some(argv.iter().map(|word| itself(word)).collect()), ..row },
    })
}

/// These addresses for the session, then their hosts: each by its name, never a pattern.
fn of_hosts(book: &RuleBook, subject: &Subject<'_>) -> Option<Vec<Wish>> {
    let mut again: Vec<Row> = Vec::new();
    let mut hosts: Vec<(Method, String)> = Vec::new();
    for effect in subject.effects {
        let Effect::Http(reach) = effect else { continue };
        let address = Address::read(&reach.url)?;
        let host = match address.port() {
            Some(port) => format!("{}:{port}", address.host()),
            None => address.host().to_owned(),
        };
        let row = exchange(reach.method);
        again.push(Row { url: Some(address.as_str().to_owned()), ..row });
        if !hosts.contains(&(reach.method, host.clone())) {
            hosts.push((reach.method, host));
        }
    }
    if again.is_empty() || again.len() > MOST {
        return None;
    }
    let mut names: Vec<&str> = hosts.iter().map(|(_, host)| host.as_str()).collect();
    names.dedup();
    let names = names.join(", ");
    let reads = hosts.iter().all(|(method, _)| method.only_reads());
    let words = Message::new(if reads { "rule-draft-host" } else { "rule-draft-host-send" })
        .with("hosts", names)
        .with("days", days(book));
    let rows = hosts.into_iter().map(|(method, host)| Row { hosts: vec![host], ..exchange(method) }).collect();
    let this = Message::new("rule-draft-again").with("what", summary(subject.effects));
    Some(vec![Wish::of_a_session(again, this), Wish::lasting(rows, words)])
}

/// These recipients for the session, then for longer, then everybody on their channels.
fn of_people(book: &RuleBook, subject: &Subject<'_>) -> Option<Vec<Wish>> {
    let mut told: Vec<(&str, &str)> = Vec::new();
    for effect in subject.effects {
        let Effect::Message(message) = effect else { continue };
        let one = (message.channel.as_str(), message.to.as_str());
        if !told.contains(&one) {
            told.push(one);
        }
    }
    if told.is_empty() || told.len() > MOST {
        return None;
    }
    let row = |channel: &str, to: Option<&str>| Row {
        channels: vec![channel.to_owned()],
        to: to.map(str::to_owned).into_iter().collect(),
        ..Row::allowing(vec![Kind::Message])
    };
    let each = || told.iter().map(|(channel, to)| row(channel, Some(to))).collect::<Vec<_>>();
    let who = told.iter().map(|(channel, to)| format!("{channel}:{to}")).collect::<Vec<_>>().join(", ");
    let mut channels: Vec<&str> = told.iter().map(|(channel, _)| *channel).collect();
    channels.sort_unstable();
    channels.dedup();
    let words = |key| Message::new(key).with("who", &who);
    let everybody =
        Message::new("rule-draft-tell-channel").with("channels", channels.join(", ")).with("days", days(book));
    Some(vec![
        Wish::of_a_session(each(), words("rule-draft-tell-again")),
        Wish::lasting(each(), words("rule-draft-tell").with("days", days(book))),
        Wish::lasting(channels.iter().map(|channel| row(channel, None)).collect(), everybody),
    ])
}

/// These targets for the session, then for longer, then all of the same servers. None where one act could be anything.
fn of_acts(book: &RuleBook, subject: &Subject<'_>) -> Option<Vec<Wish>> {
    let acts = subject.effects.iter().map(|effect| match effect {
        Effect::Act(act) if act.kind.repeats() => Some(&**act),
        _ => None,
    });
    let acts: Vec<&Act> = acts.take(MOST + 1).collect::<Option<_>>()?;
    if acts.len() > MOST {
        return None;
    }
    // In a rule it would be a pattern.
    if acts.iter().any(|act| act.kind == ActKind::Foreign && act.target.contains('*')) {
        return None;
    }
    let each = || acts.iter().map(|act| row_of(act, true)).collect::<Vec<_>>();
    let lasting = |key, names: Vec<&str>, rows| {
        Wish::lasting(rows, Message::new(key).with("targets", names.join(", ")).with("days", days(book)))
    };
    let this = Message::new("rule-draft-again").with("what", summary(subject.effects));
    let targets = acts.iter().map(|act| act.target.as_str()).collect();
    let mut wishes = vec![Wish::of_a_session(each(), this), lasting("rule-draft-act", targets, each())];
    if acts.iter().all(|act| act.party() != act.target) {
        let mut parties: Vec<&str> = acts.iter().map(|act| act.party()).collect();
        parties.dedup();
        let rows = acts.iter().map(|act| row_of(act, false)).collect();
        wishes.push(lasting("rule-draft-acts", parties, rows));
    }
    Some(wishes)
}

/// What allows an act on its own target, or on any of the same party.
fn row_of(act: &Act, this_target: bool) -> Row {
    let party = act.party().to_owned();
    let allowing = Row::allowing(vec![Kind::Act(act.kind)]);
    match (act.kind, act.target.split_once('/')) {
        (ActKind::Foreign, Some((_, tool))) if this_target => {
            Row { servers: vec![party], tools: vec![tool.to_owned()], ..allowing }
        }
        (ActKind::Foreign, _) => Row { servers: vec![party], ..allowing },
        _ if this_target => Row { to: vec![act.target.clone()], ..allowing },
        _ => Row { to: vec![format!("{party}/*")], ..allowing },
    }
}

/// How long a lasting rule applies, for its sentence.
fn days(book: &RuleBook) -> u64 {
    book.remember.as_secs() / 86_400
}

fn exchange(method: Method) -> Row {
    Row { method: Some(OneOrMore(vec![method])), ..Row::allowing(vec![Kind::Http]) }
}

/// Whether anything at all may be offered for a command with this part.
fn may_be_offered(part: &CommandPart) -> bool {
    let known = part.words.iter().map_while(CommandWord::known).collect::<Vec<_>>();
    let open = part.words.iter().any(|word| match word {
        CommandWord::Known(_) => false,
        // What a program does to all that a pattern finds is known of development tools alone.
        CommandWord::Pattern(_) => part.class > CommandClass::Dev,
        CommandWord::Unknown(_) => true,
    });
    !open && part.class < CommandClass::Blocked && part.assignments.is_empty() && !banned::forbids(&known)
}

/// Files below a folder, then below the folder of all.
fn of_files(book: &RuleBook, written: &[String]) -> Vec<Wish> {
    let folder = common_folder(written);
    if folder.is_empty() {
        if written.len() > 3 {
            return Vec::new();
        }
        let words = Message::new("rule-draft-files").with("files", written.join(", ")).with("days", days(book));
        return vec![Wish::lasting(vec![writing(written.iter().map(|path| literal(path)).collect())], words)];
    }
    let top = folder.split('/').next().unwrap_or(folder);
    let mut folders = vec![folder];
    folders.extend((top != folder).then_some(top));
    // What begins with a dot configures other programs.
    folders.retain(|folder| !folder.split('/').any(|part| part.starts_with('.')) && stays_open(book, folder));
    let below = |folder: &str| {
        let row = writing(vec![format!("{}/**", literal(folder))]);
        Wish::lasting(vec![row], Message::new("rule-draft-below").with("folder", folder).with("days", days(book)))
    };
    folders.into_iter().map(below).collect()
}

fn writing(paths: Vec<String>) -> Row {
    Row { paths, ..Row::allowing(vec![Kind::Write]) }
}

fn stays_open(book: &RuleBook, folder: &str) -> bool {
    let folder = Path::new(folder);
    [folder, &folder.join("file")].iter().all(|path| book.paths.judge(path, Access::Write) == PathVerdict::Allow)
}

fn common_folder(paths: &[String]) -> &str {
    let folder = |path: &'_ str| path.rfind('/').unwrap_or(0);
    let Some(first) = paths.first() else { return "" };
    let mut common = first.get(..folder(first)).unwrap_or_default();
    while !paths.iter().all(|path| super::glob::within(path.get(..folder(path)).unwrap_or_default(), common)) {
        common = common.get(..folder(common)).unwrap_or_default();
    }
    common
}

/// Exactly these commands, then the same with any further arguments.
fn of_programs(book: &RuleBook, reading: &CommandReading) -> Vec<Wish> {
    let mut parts: Vec<Vec<&str>> = Vec::new();
    let mut worst = CommandClass::Safe;
    for part in reading.parts.iter().filter(|part| part.class > CommandClass::Safe) {
        let words: Vec<&str> = part.words.iter().map_while(CommandWord::known).collect();
        worst = worst.max(part.class);
        if !parts.contains(&words) {
            parts.push(words);
        }
    }
    let wish = |key: &'static str, commands: Vec<Vec<String>>, class: Option<Class>| {
        let shown =
            commands.iter().map(|words| format!("`{}`", words.join(" ").replace("...", "…"))).collect::<Vec<_>>();
        let rows =
            commands.into_iter().map(|command| Row { command: Some(command), class, ..Row::allowing(vec![Kind::Run]) });
        let words = Message::new(key).with("command", shown.join(", ")).with("days", days(book));
        Wish::lasting(rows.collect(), words)
    };
    let exact = parts.iter().map(|words| words.iter().map(|word| itself(word)).collect()).collect();
    let mut wishes = vec![wish("rule-draft-exactly", exact, None)];
    let prefixes: Option<Vec<_>> = parts.iter().map(|words| banned::prefix(words)).collect();
    if let Some(prefixes) = prefixes.filter(|_| worst <= CommandClass::Dev) {
        let open = |words: Vec<&str>| words.into_iter().map(itself).chain(["...".to_owned()]).collect::<Vec<_>>();
        let mut commands: Vec<Vec<String>> = prefixes.into_iter().map(open).collect();
        commands.dedup();
        wishes.push(wish("rule-draft-arguments", commands, Some(Class::Dev)));
    }
    wishes
}

/// A word that stands for itself alone.
fn itself(word: &str) -> String {
    if matches!(word, "*" | "...") { format!("\\{word}") } else { word.to_owned() }
}
