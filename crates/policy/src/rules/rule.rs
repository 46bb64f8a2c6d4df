//! One compiled rule, and the two questions that it answers: does it surely cover this, could it touch this.

use super::deed::{Deed, Path};
use super::glob::{PathGlob, Spot, within};
use super::hosts::{Hosts, Target};
use super::people::{People, Servers, Targets};
use super::row::{Asker, Class, Kind, Row, Says};
use super::words::Words;
use palanca_core::call::{Access, Act, ActKind, Launch};
use palanca_core::ports::{CommandClass, CommandPart, CommandReading};
use palanca_core::{Origin, Scope};
use std::path::Path as FilePath;

/// A rule that compiled.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) id: String,
    pub(super) row: Row,
    pub(super) paths: Vec<PathGlob>,
    pub(super) words: Option<Words>,
    class: Option<CommandClass>,
    within: Vec<String>,
    pub(super) hosts: Option<Hosts>,
    people: Option<People>,
    servers: Option<Servers>,
    targets: Option<Targets>,
}

impl Rule {
    /// # Errors
    /// The value that is wrong where there is one, and what to do.
    pub(super) fn new(row: &Row) -> Result<Self, (Option<String>, String)> {
        let about = |kinds: &[Kind]| kinds.iter().any(|kind| row.kinds().contains(kind));
        let (of_files, of_programs) = (about(&Kind::FILES), about(&[Kind::Run, Kind::Feed]));
        let (of_hosts, of_people) = (about(&[Kind::Http]), about(&[Kind::Message]));
        let of_servers = about(&[Kind::FOREIGN]);
        let of_acts = row.kinds().iter().any(|kind| kind.is_act() && *kind != Kind::FOREIGN);
        let allows = row.decision == Says::Allow;
        let of_command = row.command.is_some() || row.text.is_some() || row.class.is_some();
        let of_host = !row.hosts.is_empty() || row.prefix.is_some() || row.method.is_some() || row.url.is_some();
        let wrong = |words: &str| Err((None, words.to_owned()));
        if of_files && row.paths.is_empty() {
            return wrong("it is about files and names none; give it 'paths', [\"**\"] for the whole workspace");
        }
        if !of_files && !row.paths.is_empty() {
            return wrong("'paths' says nothing about programs; use 'within' for the folders that they run in");
        }
        if !of_programs && (of_command || !row.within.is_empty()) {
            return wrong("'command', 'text', 'class' and 'within' are about programs; add \"run\" to 'effect'");
        }
        if !of_hosts && of_host {
            return wrong("'hosts', 'prefix', 'method' and 'url' are about hosts outside; add \"reach\" to 'effect'");
        }
        if !of_people && !row.channels.is_empty() {
            return wrong("'channels' are about people who are told something; add \"message\" to 'effect'");
        }
        if !of_people && !of_acts && !row.to.is_empty() {
            return wrong("'to' is about who is told, called or asked; add \"message\" or one of the acts to 'effect'");
        }
        if of_acts && of_people {
            return wrong("messages and acts name different things in 'to'; make two rules of it");
        }
        if !(of_servers || row.servers.is_empty() && row.tools.is_empty()) {
            return wrong("'servers' and 'tools' are about the tools of other servers; add \"foreign\" to 'effect'");
        }
        if row.command.is_some() && row.text.is_some() {
            return wrong("it has both 'command' and 'text'; keep one of them");
        }
        if row.text.is_some() && !allows {
            return wrong("'text' is for rules that allow: other spellings of the same would pass; use 'command'");
        }
        if allows && of_programs && !of_command {
            return wrong("it would allow every program; give it 'command', or 'class' for all commands up to a class");
        }
        let words = row.command.as_deref().map(Words::new).transpose().map_err(|error| (None, error))?;
        let glob = |text: &String| {
            PathGlob::new(text).map_err(|error| (Some(text.clone()), format!("glob {text:?}: {error}")))
        };
        Ok(Self {
            id: row.id.clone(),
            row: row.clone(),
            paths: row.paths.iter().map(glob).collect::<Result<_, _>>()?,
            words,
            class: row.class.map(|class| match class {
                Class::Safe => CommandClass::Safe,
                Class::Dev => CommandClass::Dev,
                Class::Dangerous => CommandClass::Dangerous,
            }),
            within: row.within.iter().map(folder).collect::<Result<_, _>>()?,
            hosts: of_hosts.then(|| Hosts::new(row)).transpose()?,
            people: of_people.then(|| People::new(row)).transpose()?,
            servers: of_servers.then(|| Servers::new(row)).transpose()?,
            targets: of_acts.then(|| Targets::new(row)).transpose()?,
        })
    }

    /// The same rule by another name.
    pub(super) fn called(mut self, id: String) -> Self {
        self.id = id;
        self
    }

    pub(super) fn is_about(&self, kind: Kind) -> bool {
        self.row.kinds().contains(&kind)
    }

    pub(super) const fn is_of_a_session(&self) -> bool {
        self.row.session.is_some()
    }

    /// The session that it is for alone.
    pub(super) fn session(&self) -> Option<&str> {
        self.row.session.as_deref()
    }

    /// Whether it holds in this conversation, in this workspace, for this speaker.
    pub(super) fn holds(&self, origin: &Origin, scope: &Scope, workspace: &FilePath) -> bool {
        let row = &self.row;
        let same = |own: &Option<String>, other: Option<&str>| own.is_none() || own.as_deref() == other;
        self.is_for(origin)
            && same(&row.session, Some(scope.session.as_str()))
            && same(&row.bot, scope.bot.as_ref().map(|id| id.as_str()))
            && same(&row.chat, scope.chat.as_ref().map(|id| id.as_str()))
            && same(&row.channel, scope.channel.as_ref().map(|id| id.as_str()))
            && row.workspace.as_deref().is_none_or(|own| FilePath::new(own) == workspace)
    }

    pub(super) fn is_for(&self, origin: &Origin) -> bool {
        let asker = match origin {
            Origin::Person => Some(Asker::Person),
            Origin::Model { .. } => Some(Asker::Model),
            Origin::Subagent { .. } => Some(Asker::Subagent),
            Origin::Hook { .. } => Some(Asker::Hook),
            Origin::Client { .. } => Some(Asker::Client),
            Origin::Schedule { .. } => Some(Asker::Schedule),
            Origin::Bot { .. } => Some(Asker::Bot),
            Origin::Console { .. } => Some(Asker::Console),
            Origin::Script { .. } => Some(Asker::Script),
            _ => None,
        };
        self.row.origin.as_ref().is_none_or(|own| asker.is_some_and(|asker| own.0.contains(&asker)))
    }

    /// Whether it surely covers a deed that one rule covers whole: on files, programs that end, people.
    pub(super) fn covers_whole(&self, deed: &Deed<'_>) -> bool {
        let any = |test: &dyn Fn(&PathGlob) -> bool| self.paths.iter().any(test);
        match deed {
            Deed::File(kind, Path::One(spot)) => self.is_about(*kind) && any(&|glob| glob.covers(spot)),
            Deed::File(kind, Path::Tree(spot)) => self.is_about(*kind) && any(&|glob| glob.covers_tree(spot)),
            Deed::Move(from, to) => {
                self.is_about(Kind::Move) && any(&|glob| glob.covers(from)) && any(&|glob| glob.covers(to))
            }
            Deed::Stop => self.is_about(Kind::Stop),
            Deed::Message(message) => self.people.as_ref().is_some_and(|people| people.cover(message)),
            Deed::Act(act) => self.is_about(Kind::Act(act.kind)) && self.covers_target(act),
            Deed::Run(..) | Deed::Feed(..) | Deed::Http(_) | Deed::Other => false,
        }
    }

    fn covers_target(&self, act: &Act) -> bool {
        match act.kind {
            ActKind::Foreign => self.servers.as_ref().is_some_and(|servers| servers.cover(act)),
            _ => self.targets.as_ref().is_some_and(|targets| targets.cover(act)),
        }
    }

    fn touches_target(&self, act: &Act) -> bool {
        match act.kind {
            ActKind::Foreign => self.servers.as_ref().is_some_and(|servers| servers.touch(act)),
            _ => self.targets.as_ref().is_some_and(|targets| targets.touch(act)),
        }
    }

    /// Whether it surely covers an exchange with a host.
    pub(super) fn covers_exchange(&self, target: &Target<'_>) -> bool {
        self.hosts.as_ref().is_some_and(|hosts| hosts.cover(target))
    }

    /// Whether it surely covers exactly this program text, in full.
    pub(super) fn covers_text(&self, launch: &Launch, part: &CommandPart, workspace: &FilePath) -> bool {
        use palanca_core::call::CommandLine::Script;
        self.row.text.as_deref().is_some_and(|own| matches!(&launch.command, Script { text, .. } if text == own))
            && self.is_about(Kind::Run)
            && self.fits_class(part)
            && self.lies_within(part, workspace)
    }

    /// Whether it surely covers one part of a command; redirections are for rules on files.
    pub(super) fn covers_part(&self, kind: Kind, part: &CommandPart, workspace: &FilePath) -> bool {
        self.is_about(kind)
            && self.row.text.is_none()
            && self.words.as_ref().is_none_or(|words| words.cover(part))
            && self.fits_class(part)
            && self.lies_within(part, workspace)
    }

    fn fits_class(&self, part: &CommandPart) -> bool {
        part.class < CommandClass::Blocked && self.class.is_none_or(|most| part.class <= most)
    }

    fn lies_within(&self, part: &CommandPart, workspace: &FilePath) -> bool {
        let Some(directory) = &part.directory else { return false };
        let Ok(relative) = directory.strip_prefix(workspace) else { return false };
        let Some(relative) = relative.to_str().map(|text| text.trim_end_matches('/')) else { return false };
        self.within.is_empty() || self.within.iter().any(|own| within(relative, own))
    }

    /// Whether it covers a file that a command is redirected to or from.
    pub(super) fn covers_redirect(&self, spot: &Spot, access: Access) -> bool {
        let kind = if access == Access::Read { Kind::Read } else { Kind::Write };
        self.is_about(kind) && self.paths.iter().any(|glob| glob.covers(spot))
    }

    /// Whether it could touch a deed: what refuses and what asks.
    pub(super) fn touches(&self, deed: &Deed<'_>, workspace: &FilePath) -> bool {
        let any = |test: &dyn Fn(&PathGlob) -> bool| self.paths.iter().any(test);
        match deed {
            Deed::File(Kind::Delete, path) => {
                self.is_about(Kind::Delete) && any(&|glob| glob.touches_whole(path.spot()))
            }
            Deed::File(kind, Path::One(spot)) => self.is_about(*kind) && any(&|glob| glob.touches(spot)),
            Deed::File(kind, Path::Tree(spot)) => self.is_about(*kind) && any(&|glob| glob.touches_tree(spot)),
            Deed::Move(from, to) => {
                // What is moved away is gone there and readable elsewhere; what is moved onto is written.
                let leaves = self.is_about(Kind::Move) || self.is_about(Kind::Delete) || self.is_about(Kind::Read);
                let arrives = self.is_about(Kind::Move) || self.is_about(Kind::Write);
                (leaves && any(&|glob| glob.touches_whole(from))) || (arrives && any(&|glob| glob.touches_whole(to)))
            }
            Deed::Stop => self.is_about(Kind::Stop),
            Deed::Other => false,
            Deed::Http(target) => self.hosts.as_ref().is_some_and(|hosts| hosts.touch(target)),
            Deed::Message(message) => self.people.as_ref().is_some_and(|people| people.touch(message)),
            Deed::Act(act) => self.is_about(Kind::Act(act.kind)) && self.touches_target(act),
            Deed::Run(_, reading, named) => {
                self.touches_command(Kind::Run, reading, workspace) || self.touches_any(named)
            }
            Deed::Feed(reading, named) => {
                self.touches_command(Kind::Feed, reading, workspace) || self.touches_any(named)
            }
        }
    }

    fn touches_command(&self, kind: Kind, reading: &CommandReading, workspace: &FilePath) -> bool {
        if !self.is_about(kind) {
            return false;
        }
        let part_touched = |part: &CommandPart| {
            self.words.as_ref().is_none_or(|words| words.touch(&part.words))
                && self.class.is_none_or(|least| part.class >= least)
                && (self.within.is_empty() || part.directory.is_none() || self.lies_within(part, workspace))
        };
        let whole = || self.words.is_none() && reading.parts.is_empty();
        whole() || reading.parts.iter().any(part_touched)
    }

    fn touches_any(&self, named: &[super::named::Named]) -> bool {
        !self.paths.is_empty() && named.iter().any(|named| self.touches_named(named))
    }

    /// A file that a command names: what is done to it is known of redirections alone.
    fn touches_named(&self, named: &super::named::Named) -> bool {
        use super::named::Use;
        let changes = [Kind::Write, Kind::Delete, Kind::Move].iter().any(|kind| self.is_about(*kind));
        let any = |test: &dyn Fn(&PathGlob) -> bool| self.paths.iter().any(test);
        match named.by {
            Use::Redirect(Access::Read) => self.is_about(Kind::Read) && any(&|glob| glob.touches(&named.spot)),
            Use::Redirect(Access::Write) => self.is_about(Kind::Write) && any(&|glob| glob.touches(&named.spot)),
            Use::Operand(CommandClass::Safe) => {
                self.is_about(Kind::Read) && any(&|glob| glob.touches_whole(&named.spot))
            }
            Use::Operand(CommandClass::Dev) => {
                (changes || self.is_about(Kind::Read)) && any(&|glob| glob.touches(&named.spot))
            }
            Use::Operand(_) => (changes || self.is_about(Kind::Read)) && any(&|glob| glob.touches_whole(&named.spot)),
        }
    }
}

fn folder(text: &String) -> Result<String, (Option<String>, String)> {
    let plain = text.strip_prefix("./").unwrap_or(text).trim_end_matches('/');
    let plain = if plain == "." { "" } else { plain };
    if text.is_empty()
        || text.starts_with(['/', '~'])
        || plain.split('/').any(|part| part == "..")
        || plain.contains(['*', '?'])
    {
        let words = format!(
            "'within' {text:?} is no folder of the workspace; write it from the workspace's root, without wildcards"
        );
        return Err((Some(text.clone()), words));
    }
    Ok(plain.to_owned())
}
