//! What a call would do, laid out for rules: each effect once, its paths folded once, however many rules are asked.

use super::glob::Spot;
use super::hosts::Target;
use super::named::{self, Named};
use super::row::Kind;
use palanca_core::call::{Act, Effect, Effects, Launch, Outgoing};
use palanca_core::ports::{CommandClass, CommandReading};
use palanca_core::{Origin, Scope};
use std::path::Path as FilePath;

/// A call as rules see it.
#[derive(Clone, Copy)]
pub(super) struct Subject<'c> {
    pub(super) effects: &'c Effects,
    pub(super) commands: &'c [CommandReading],
    pub(super) origin: &'c Origin,
    pub(super) scope: &'c Scope,
    /// Whether the tool is sensitive whatever its effects are.
    pub(super) sensitive: bool,
}

/// What is at a path.
#[derive(Clone, Debug)]
pub(super) enum Path {
    One(Spot),
    /// All below a folder.
    Tree(Spot),
}

impl Path {
    pub(super) const fn spot(&self) -> &Spot {
        match self {
            Self::One(spot) | Self::Tree(spot) => spot,
        }
    }
}

/// One effect.
pub(super) enum Deed<'c> {
    File(Kind, Path),
    Move(Spot, Spot),
    Run(&'c Launch, &'c CommandReading, Vec<Named>),
    Feed(&'c CommandReading, Vec<Named>),
    Stop,
    Http(Target<'c>),
    Message(&'c Outgoing),
    Act(&'c Act),
    /// Of a kind that no rule knows: none allows it, and it hides nothing else from those that refuse.
    Other,
}

impl Deed<'_> {
    /// Whether the mode `confirm-sensitive` would ask because of it.
    pub(super) fn is_sensitive(&self) -> bool {
        match self {
            Self::File(kind, _) => *kind != Kind::Read,
            Self::Run(_, reading, _) | Self::Feed(reading, _) => reading.class > CommandClass::Safe,
            Self::Move(..) | Self::Message(_) | Self::Other => true,
            Self::Stop => false,
            Self::Act(act) => act.kind.is_sensitive(),
            Self::Http(target) => !target.reach.method.only_reads(),
        }
    }
}

impl<'c> Subject<'c> {
    pub(super) fn deeds(&self, workspace: &FilePath) -> Vec<Deed<'c>> {
        let names = |reading: &CommandReading| {
            reading.parts.iter().flat_map(|part| named::places(part, workspace)).collect::<Vec<_>>()
        };
        let mut readings = self.commands.iter();
        let deed = |effect: &'c Effect| match effect {
            Effect::ReadFile(path) => Deed::File(Kind::Read, Path::One(Spot::of(path))),
            Effect::ReadTree(path) => Deed::File(Kind::Read, Path::Tree(Spot::of(path))),
            Effect::WriteFile { path, .. } => Deed::File(Kind::Write, Path::One(Spot::of(path))),
            Effect::Delete(path) => Deed::File(Kind::Delete, Path::One(Spot::of(path))),
            Effect::Move { from, to } => Deed::Move(Spot::of(from), Spot::of(to)),
            Effect::Run(launch) => {
                readings.next().map_or(Deed::Other, |reading| Deed::Run(launch, reading, names(reading)))
            }
            Effect::Feed { .. } => readings.next().map_or(Deed::Other, |reading| Deed::Feed(reading, names(reading))),
            Effect::Stop(_) => Deed::Stop,
            Effect::Http(reach) => Deed::Http(Target::of(reach)),
            Effect::Message(message) => Deed::Message(message),
            Effect::Act(act) => Deed::Act(act),
            _ => Deed::Other,
        };
        self.effects.iter().map(deed).collect()
    }
}
