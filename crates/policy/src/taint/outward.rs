//! Which calls could carry data out, judged by their effects: what is not known to stay here could leave.

use super::traces::Traces;
use crate::texts::{of_program, strings};
use palanca_core::call::{ActKind, Direction, Effect, Outgoing, Scope};
use palanca_core::gate::CheckedCall;
use palanca_core::ports::CommandClass;
use std::borrow::Cow;

/// Characters of an effect that are shown.
pub(super) const SHOWN: usize = 120;

/// A shorter text is a name.
const SHORT: usize = 24;

/// A call that could carry data out.
pub(super) struct Outward {
    /// What would do it, in few words.
    pub(super) effect: String,
    /// Everything that could be carried or say where to.
    pub(super) texts: Vec<String>,
    /// Hosts and addresses in it.
    pub(super) addresses: Vec<String>,
    /// Nothing but known development commands.
    pub(super) is_development: bool,
    /// It stays here, and later sessions act on it.
    pub(super) lasts: bool,
}

impl Outward {
    /// None when nothing could leave: files are read and changed in place, programs only read. Exchanges with hosts are
    /// judged one by one, by their addresses.
    pub(super) fn of(call: &CheckedCall) -> Option<Self> {
        let worst = call.commands().iter().map(|command| command.class).max();
        let effect = leaving(call);
        let open = is_open(call);
        if effect.is_none() && !open {
            return None;
        }
        let mut texts: Vec<String> = strings(call.arguments()).into_iter().map(str::to_owned).collect();
        texts.extend(call.effects().iter().filter_map(of_program).map(Cow::into_owned));
        let mut addresses: Vec<String> = texts.iter().flat_map(|text| addresses(text)).collect();
        addresses.extend(call.effects().iter().flat_map(recipient));
        let words = effect.map_or_else(|| format!("calls {}", call.spec().name), ToString::to_string);
        let is_development = !open
            && !call.has_network()
            && matches!(effect, Some(Effect::Run(_) | Effect::Feed { .. }))
            && worst == Some(CommandClass::Dev);
        let lasts = !open && !call.effects().leaves_machine() && matches!(effect, Some(Effect::Act(_)));
        Some(Self { lasts, effect: words.chars().take(SHOWN).collect(), texts, addresses, is_development })
    }

    /// Whether what it leaves behind are the user's own words. Of short ones nothing is known.
    pub(super) fn is_in_words_of(&self, own: &Traces) -> bool {
        let mut long = self.texts.iter().filter(|text| text.chars().count() > SHORT).peekable();
        long.peek().is_some() && long.all(|text| own.knows_all(text))
    }

    /// Whether it addresses someone, and only these.
    pub(super) fn stays_with(&self, own: &Traces) -> bool {
        !self.addresses.is_empty() && self.addresses.iter().all(|address| own.holds(address))
    }
}

/// The first effect that could carry data out.
fn leaving(call: &CheckedCall) -> Option<&Effect> {
    let worst = call.commands().iter().map(|command| command.class).max();
    call.effects().iter().find(|effect| match effect {
        Effect::ReadFile(_) | Effect::ReadTree(_) | Effect::WriteFile { .. } => false,
        Effect::Delete(_) | Effect::Move { .. } | Effect::Stop(_) | Effect::Http(_) => false,
        Effect::ReadArtifact(_) => false,
        Effect::Run(_) | Effect::Feed { .. } => {
            call.has_network() || worst.is_none_or(|worst| worst > CommandClass::Safe)
        }
        // The people of this conversation hear from it anyway.
        Effect::Message(message) => !serves(call.scope(), message),
        // An effect that is new here could do anything.
        _ => true,
    })
}

/// Whether an effect could carry data out.
pub(super) fn leaves(call: &CheckedCall) -> bool {
    leaving(call).is_some()
}

/// Who is told, whatever addresses the text itself names.
fn recipient(effect: &Effect) -> Vec<String> {
    let to = match effect {
        Effect::Message(message) => message.to.as_str(),
        Effect::Act(act) if act.kind.sends() => act.target.as_str(),
        _ => return Vec::new(),
    };
    match addresses(to) {
        found if found.is_empty() => vec![to.to_lowercase()],
        found => found,
    }
}

/// Whether a message goes to the very conversation that the call serves.
fn serves(scope: &Scope, message: &Outgoing) -> bool {
    scope.channel.as_ref() == Some(&message.channel) && scope.chat.as_ref() == Some(&message.to)
}

/// A tool that speaks with others. Of one that starts programs the commands tell more than its card; of one that says which
/// hosts it would ask, the addresses do.
pub(super) fn is_open(call: &CheckedCall) -> bool {
    let effects = call.effects();
    is_foreign(call) || call.spec().annotations.open_world && !effects.has_commands() && !effects.leaves_machine()
}

/// Whether a call is one of a foreign server's tools and nothing else.
pub(super) fn is_foreign(call: &CheckedCall) -> bool {
    let effects = call.effects();
    effects.acts().next().is_some()
        && effects.iter().all(|effect| matches!(effect, Effect::Act(act) if act.kind == ActKind::Foreign))
}

/// Whether the result of a call is text from elsewhere, though the tool does not say so: of a tool that speaks with others, of
/// a program that reaches the network, and of a command beyond the known ones that names an address.
pub(super) fn brings_in(call: &CheckedCall) -> bool {
    is_open(call)
        || call.has_network()
        || call.effects().acts().any(|kind| kind.direction() == Direction::Exchange)
        || call.effects().iter().any(|effect| matches!(effect, Effect::Http(_)))
        || call.commands().iter().any(|command| command.class > CommandClass::Dev)
            && Outward::of(call).is_some_and(|outward| !outward.addresses.is_empty())
}

/// Hosts of addresses, mail addresses and telephone numbers in a text, in lower case.
pub(super) fn addresses(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for word in text.split(|character: char| character.is_whitespace() || "\"'`<>()[]{},;|".contains(character)) {
        let word = word.trim_matches(|character: char| ".:!?=".contains(character));
        let host = |rest: &str| rest.split(['/', '?', '#', ':']).next().unwrap_or_default().to_ascii_lowercase();
        if let Some((_, rest)) = word.split_once("://") {
            let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
            found.push(host(authority.rsplit('@').next().unwrap_or_default()));
        } else if let Some((_, domain)) =
            word.split_once('@').filter(|(name, domain)| !name.is_empty() && domain.contains('.'))
        {
            let end = domain.find([':', '/']).unwrap_or(domain.len());
            let name = word.get(..word.len() - domain.len() + end).unwrap_or(word);
            found.push(name.to_ascii_lowercase());
        } else if word.starts_with('+') && word.bytes().filter(u8::is_ascii_digit).count() >= 8 {
            found.push(word.to_owned());
        }
    }
    // They are shown outside the marks: nothing that steers.
    found
        .iter_mut()
        .for_each(|address| address.retain(|character| character.is_alphanumeric() || "@.+-_".contains(character)));
    found.retain(|address| (4..=253).contains(&address.len()));
    found
}
