//! Which commands need the network, as far as their words tell, and the hosts that they name.
//!
//! The catalogue says which programs and subcommands fetch or send in their ordinary use. It decides nothing: who gets the network is the gate's to say. It errs towards "no": a
//! build that may download is not listed, because most builds do not; the call can ask for the network itself.

use super::catalogue::{Fact, Needs, facts, has, is_client};
use super::command::{Command, Directory, Via, Word};
use super::verdict::{Class, Part};
use crate::git::{self, Setting};
use core::net::IpAddr;
use std::path::Path;
use url::Url;

/// Hosts that are named; a person reads no more.
const HOSTS: usize = 8;
/// Bytes of a host with its port.
const LONGEST: usize = 260;

/// Options that keep a command of the table from the network.
const OFFLINE: &str = "--offline --no-index --frozen --help -h --version -V";
/// Options of the table's programs that take the next word.
const VALUED: &str =
    "-C -c --git-dir --work-tree --prefix --manifest-path --config --directory --project --cwd -R --repo";

/// The configuration of the repository that git would use in this folder.
pub type FindGitConfig = dyn Fn(&Path) -> Option<Vec<u8>> + Send + Sync;

/// What a text reaches that is known to need the network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// The hosts that it names; there may be none. Git's are those of the repository's remotes where the text names none.
    pub hosts: Vec<String>,
    /// Whether a part of it has nothing to do without the network. A git command whose remote is not known may have.
    pub certainly: bool,
}

/// What a text reaches, when any part of it is known to need the network. Whoever asks this machine beside a program that the same
/// text left in the background asks that program, on the loopback that the two have without the network.
pub fn reached(parts: &[Part], find: Option<&FindGitConfig>) -> Option<Reached> {
    let mut reached = None;
    let starting = parts.iter().filter(|part| part.class > Class::Safe).filter_map(|part| part.command.as_ref());
    let (asking, others): (Vec<&Command>, Vec<&Command>) = starting.partition(|command| is_needed(command));
    let serves = others.iter().any(|command| command.background && !command.words.is_empty());
    for command in asking {
        let named = named(command);
        if serves && !named.is_empty() && named.iter().all(|host| is_this_machine(host)) {
            continue;
        }
        let remotes = find.filter(|_| named.is_empty() && command.program() == Some("git"));
        let places = remotes.map(|find| remotes_of(command, find)).unwrap_or_default();
        if !places.is_empty() && places.iter().all(|place| is_local(place) || !place.contains(':')) {
            continue;
        }
        let Reached { hosts, certainly } = reached.get_or_insert_with(Reached::default);
        let before = hosts.len();
        for host in named.into_iter().chain(places.iter().filter_map(|place| host_of(place))) {
            if hosts.len() < HOSTS && !hosts.contains(&host) {
                hosts.push(host);
            }
        }
        *certainly |= hosts.len() > before || command.program() != Some("git");
    }
    reached
}

fn is_needed(command: &Command) -> bool {
    let elsewhere = command.via.iter().any(|via| matches!(via, Via::Elsewhere(_)));
    let Some(name) = command.program().filter(|_| !elsewhere) else { return false };
    let words: Vec<&str> = command.operands().iter().map(Word::prefix).collect();
    let (name, words) = match words.as_slice() {
        ["-m", module, rest @ ..] if name.starts_with("python") => (*module, rest),
        words => (name, words),
    };
    let needs = facts(name).iter().filter_map(|fact| if let Fact::Needs(needs) = fact { Some(*needs) } else { None });
    let mut needs = needs.peekable();
    if needs.peek().is_none() {
        return is_client(name) && !words.is_empty();
    }
    !words.iter().any(|word| has(OFFLINE, word)) && needs.any(|needs| holds(needs, &plain(words)))
}

fn holds(needs: Needs, words: &[&str]) -> bool {
    let begins = |with: &str| {
        let mut all = with.split('|').map(|with| with.split(' '));
        all.any(|with| with.clone().eq(words.iter().copied().take(with.count())))
    };
    match needs {
        Needs::Always => !words.is_empty(),
        Needs::With(with) => begins(with),
        Needs::WithOrBare(with) => words.is_empty() || begins(with),
        // What follows a path (`git push ../copy main`) is a name there; `git clone` has its repository first, and no name for it.
        Needs::Remote(with) => {
            begins(with) && words.get(1).is_none_or(|first| !is_local(first) && !is_folder(words, first))
        }
        Needs::HostAndPath => words.iter().any(|word| remote(word).is_some()),
    }
}

/// Words that are no options, nor their values, nor a toolchain (`+nightly`).
pub(crate) fn plain<'w>(words: &[&'w str]) -> Vec<&'w str> {
    let mut rest = words.iter().copied();
    let mut plain = Vec::new();
    while let Some(word) = rest.next() {
        if has(VALUED, word) {
            rest.next();
        } else if !word.starts_with(['-', '+']) {
            plain.push(word);
        }
    }
    plain
}

/// The repository of `git clone folder`: an address has a colon. The beginning of a word may be all that is known of it.
fn is_folder(words: &[&str], first: &str) -> bool {
    words.first() == Some(&"clone") && !first.is_empty() && !first.contains(':')
}

fn is_local(word: &str) -> bool {
    word.starts_with("file:") || ["/", "./", "../", "~"].iter().any(|start| word.starts_with(start)) || word == "."
}

/// Whether a host, with or without a port, is the machine itself.
pub fn is_this_machine(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    match name.parse::<IpAddr>() {
        Ok(address) => address.is_loopback() || address.is_unspecified(),
        Err(_) => name == "localhost" || name.ends_with(".localhost"),
    }
}

/// The host of `user@host:path`, `host:path` and `host::module`.
pub(crate) fn remote(word: &str) -> Option<&str> {
    let (place, _) = word.split_once(':').filter(|(_, path)| !path.starts_with("//"))?;
    let host = place.rsplit('@').next().unwrap_or(place);
    (!host.is_empty() && !host.contains('/') && !word.starts_with('-')).then_some(host)
}

/// The hosts that a command names: in addresses, else before paths, else as a client's bare operand (`curl example.org/x`).
fn named(command: &Command) -> Vec<String> {
    let words: Vec<&str> = command.operands().iter().filter_map(Word::literal).collect();
    let addresses: Vec<String> = words.iter().filter_map(|word| address(word)).collect();
    if !addresses.is_empty() {
        return addresses;
    }
    let Some(name) = command.program() else { return Vec::new() };
    let places: Vec<&str> = if matches!(name, "git" | "rsync" | "scp") {
        words.iter().filter_map(|word| remote(word)).collect()
    } else if is_client(name) {
        // What follows an option may be its value: `-o out.tar`.
        let before = std::iter::once(&"").chain(&words);
        let operands = words.iter().zip(before).filter(|(_, before)| !before.starts_with('-'));
        operands.filter_map(|(word, _)| bare(word)).take(1).collect()
    } else {
        Vec::new()
    };
    places.into_iter().filter(|host| is_plain(host)).map(str::to_owned).collect()
}

/// The addresses that the repository's configuration gives to the remote that the words name, or to any. Files that it includes
/// and another repository that an option names are not looked for: then a person is told no host.
fn remotes_of(command: &Command, find: &FindGitConfig) -> Vec<String> {
    let Directory::Known(directory) = &command.directory else { return Vec::new() };
    let words: Vec<&str> = command.operands().iter().map(Word::prefix).collect();
    let elsewhere =
        |word: &&str| ["-C", "-c", "--git-dir", "--work-tree"].iter().any(|option| word.starts_with(option));
    let Some(config) = (!words.iter().any(elsewhere)).then(|| find(directory)).flatten() else { return Vec::new() };
    let settings = git::parse(&config).unwrap_or_default();
    let of = |setting: &Setting| setting.parts().1.to_vec();
    let remotes: Vec<Vec<u8>> = settings.iter().filter(|one| one.parts().0 == b"remote").map(of).collect();
    let chosen = plain(&words).into_iter().skip(1).find(|word| remotes.iter().any(|known| known == word.as_bytes()));
    let places = settings.iter().filter_map(|setting| match setting.parts() {
        (b"remote", name, b"url" | b"pushurl") if chosen.is_none_or(|chosen| chosen.as_bytes() == name) => {
            setting.value.clone()
        }
        // Stands in place of the beginning of others.
        (b"url", base, b"insteadof" | b"pushinsteadof") => Some(base.to_vec()),
        _ => None,
    });
    places.map(|place| String::from_utf8_lossy(&place).into_owned()).collect()
}

fn host_of(place: &str) -> Option<String> {
    address(place).or_else(|| remote(place).filter(|host| is_plain(host)).map(str::to_owned))
}

fn address(word: &str) -> Option<String> {
    let value = word.rsplit_once('=').filter(|_| word.starts_with('-')).map_or(word, |(_, value)| value);
    let url = Url::parse(value.strip_prefix("git+").unwrap_or(value)).ok().filter(|url| url.scheme() != "file")?;
    let host = url.host_str().filter(|_| value.contains("://"))?;
    let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
    is_plain(&host).then_some(host)
}

fn bare(word: &str) -> Option<&str> {
    let host = word.split(['/', '?']).next().and_then(|host| host.rsplit('@').next())?;
    let ends = host.rsplit(['.', ':']).next()?;
    let named = host.contains(['.', ':']) && !host.starts_with(['-', '.']) && !ends.is_empty();
    (named && ends.bytes().all(|letter| letter.is_ascii_alphanumeric())).then_some(host)
}

/// Letters that cannot deceive a person.
fn is_plain(host: &str) -> bool {
    host.len() <= LONGEST && host.bytes().all(|letter| letter.is_ascii_alphanumeric() || b".-:[]_".contains(&letter))
}

#[cfg(test)]
mod tests;
