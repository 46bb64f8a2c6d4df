use crate::home::{HOUR, Home};
use palanca_core::ports::wait;
use palanca_store::{KeptKey, KeyEnded, KeyKind, KeyRing, NewKey, Which};
use std::sync::Arc;

fn ring(home: &Home) -> KeyRing {
    KeyRing::new(home.database()).clock(Arc::clone(&home.clock) as _)
}

fn made(keys: &KeyRing, kind: KeyKind, parent: Option<&KeptKey>) -> NewKey {
    wait(keys.make((kind, "ana"), HOUR, parent)).unwrap()
}

#[test]
fn a_key_opens_what_it_is_for_until_it_expires() {
    let home = Home::new();
    let keys = ring(&home);
    assert!(keys.find(KeyKind::Token, "plnc_token_0").unwrap().is_none() && !home.file().exists());
    let token = made(&keys, KeyKind::Token, None);
    let again = made(&keys, KeyKind::Token, None);
    assert!(token.secret.starts_with("plnc_token_") && token.secret.len() == 75 && token.secret != again.secret);
    assert_eq!(ring(&home).find(KeyKind::Token, &token.secret).unwrap(), Some(token.kept.clone()));
    for other in [KeyKind::Link, KeyKind::Session] {
        assert_eq!(keys.find(other, &token.secret).unwrap(), None);
    }
    let cut = &token.secret[..token.secret.len() - 1];
    let longer = format!("{} ", token.secret);
    for wrong in ["", cut, &longer, &token.secret.to_uppercase(), &token.kept.id] {
        assert_eq!(keys.find(KeyKind::Token, wrong).unwrap(), None, "{wrong}");
    }
    assert_eq!(keys.tokens(Which::Active).unwrap().len(), 2);
    home.clock.advance(HOUR);
    assert_eq!(keys.find(KeyKind::Token, &token.secret).unwrap(), None);
    assert_eq!((keys.tokens(Which::Active).unwrap().len(), keys.tokens(Which::All).unwrap().len()), (0, 2));
    let file = std::fs::read(home.file()).unwrap();
    let log = std::fs::read(home.file().with_file_name("palanca.db-wal")).unwrap();
    for bytes in [file, log] {
        assert!(!String::from_utf8_lossy(&bytes).contains(&token.secret[11..]), "the key itself is nowhere");
    }
}

#[test]
fn a_link_is_used_once() {
    let home = Home::new();
    let link = made(&ring(&home), KeyKind::Link, None);
    let used: Vec<bool> = std::thread::scope(|threads| {
        let use_it = || wait(ring(&home).use_link(&link.secret)).unwrap().is_some();
        let all: Vec<_> = (0..8).map(|_| threads.spawn(use_it)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(used.iter().filter(|used| **used).count(), 1);
    let late = made(&ring(&home), KeyKind::Link, None);
    home.clock.advance(HOUR);
    assert_eq!(wait(ring(&home).use_link(&late.secret)).unwrap(), None);
}

#[test]
fn what_was_made_with_a_key_ends_with_it() {
    let home = Home::new();
    let keys = ring(&home);
    let token = made(&keys, KeyKind::Token, None);
    let session = made(&keys, KeyKind::Session, Some(&token.kept));
    let other = made(&keys, KeyKind::Session, None);
    assert_eq!(wait(keys.end(&token.kept.id, "eva")).unwrap(), KeyEnded::Done);
    for (kind, key, opens) in
        [(KeyKind::Token, &token, false), (KeyKind::Session, &session, false), (KeyKind::Session, &other, true)]
    {
        assert_eq!(keys.find(kind, &key.secret).unwrap().is_some(), opens);
    }
    let again = wait(keys.end(&token.kept.id, "somebody")).unwrap();
    assert!(matches!(&again, KeyEnded::Already(key) if key.ended_by.as_deref() == Some("eva")), "{again:?}");
    assert_eq!(wait(keys.end("none", "eva")).unwrap(), KeyEnded::Unknown);
    // Logged in while the token was being revoked.
    let late = made(&keys, KeyKind::Session, Some(&token.kept));
    assert!(keys.find(KeyKind::Session, &late.secret).unwrap().is_none() && !keys.opens(&late.kept.id).unwrap());
}

#[test]
fn a_session_lasts_no_longer_than_its_token_but_longer_than_its_link() {
    let home = Home::new();
    let keys = ring(&home);
    let session = |kind| {
        let key = made(&keys, kind, None);
        wait(keys.make((KeyKind::Session, "ana"), HOUR * 2, Some(&key.kept))).unwrap()
    };
    let (of_token, of_link) = (session(KeyKind::Token), session(KeyKind::Link));
    assert!(keys.opens(&of_token.kept.id).unwrap() && keys.opens(&of_link.kept.id).unwrap());
    home.clock.advance(HOUR);
    for (key, opens) in [(&of_token, false), (&of_link, true)] {
        assert_eq!(keys.find(KeyKind::Session, &key.secret).unwrap().is_some(), opens);
        assert_eq!(keys.opens(&key.kept.id).unwrap(), opens);
    }
    home.clock.advance(HOUR);
    assert!(!keys.opens(&of_link.kept.id).unwrap());
}
