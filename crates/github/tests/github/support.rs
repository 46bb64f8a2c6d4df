//! A door on a server that plays, and the short ways to ask it.

use palanca_core::ports::{EntryKind, FileError, Files, Flow, Visit, WalkEntry, WalkOptions};
use palanca_github::{GitHub, GitHubOptions};
use palanca_net::{NetClient, NetOptions, Origin};
use palanca_policy::paths::PathRules;
use palanca_testkit::{FakeRepository, GitHubServer};
use std::collections::BTreeMap;
use std::io::Read as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub const TOKEN: &str = "ghp_of_the_tests";

/// Everything that a test may want to set.
pub fn options(server: &GitHubServer) -> GitHubOptions {
    let mut options = GitHubOptions::new("o/n".parse().unwrap(), TOKEN);
    options.api_base = server.base();
    options.time = Duration::from_secs(20);
    options.pause = Duration::from_millis(1);
    options
}

/// A door that may reach these addresses.
pub fn door_to(options: GitHubOptions, addresses: &[String]) -> GitHub {
    let origins: Vec<Origin> = addresses.iter().map(|address| Origin::of(address).unwrap()).collect();
    let rules = PathRules::new(&[], &[], None).unwrap();
    GitHub::new(options, Arc::new(NetClient::new(origins, NetOptions::default())), Arc::new(rules))
}

pub fn door(server: &GitHubServer) -> GitHub {
    door_to(options(server), &[server.base()])
}

pub fn serve(repository: FakeRepository) -> (GitHubServer, GitHub) {
    let server = GitHubServer::start(repository, TOKEN);
    let door = door(&server);
    (server, door)
}

pub fn read(door: &GitHub, path: &str) -> Result<Vec<u8>, FileError> {
    let mut opened = door.open(&door.locate(path)?)?;
    let mut bytes = Vec::new();
    opened.content.read_to_end(&mut bytes).unwrap();
    Ok(bytes)
}

pub const EVERYTHING: WalkOptions =
    WalkOptions { max_depth: usize::MAX, ignore_files: Visit::Hide, hidden: Visit::Show };

/// Every path of a walk, with its kind.
pub fn names(door: &GitHub) -> Result<BTreeMap<String, EntryKind>, FileError> {
    let found = Mutex::new(BTreeMap::new());
    door.walk(&door.locate(".").unwrap(), EVERYTHING, &|entry: &WalkEntry<'_>| {
        let twice = found.lock().unwrap().insert(entry.path.display().to_string(), entry.kind);
        assert!(twice.is_none(), "{} twice", entry.path.display());
        Flow::Continue
    })?;
    Ok(found.into_inner().unwrap())
}

/// Every regular file of a walk with its content, or with what is wrong with it.
pub fn contents(door: &GitHub) -> Result<BTreeMap<String, Result<Vec<u8>, FileError>>, FileError> {
    let found = Mutex::new(BTreeMap::new());
    door.walk(&door.locate(".").unwrap(), EVERYTHING, &|entry: &WalkEntry<'_>| {
        if entry.kind == EntryKind::File {
            let content = entry.open().map(|mut opened| {
                let mut bytes = Vec::new();
                opened.content.read_to_end(&mut bytes).unwrap();
                bytes
            });
            found.lock().unwrap().insert(entry.path.display().to_string(), content);
        }
        Flow::Continue
    })?;
    Ok(found.into_inner().unwrap())
}
