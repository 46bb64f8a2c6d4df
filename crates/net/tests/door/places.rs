//! Where a listener may be, who gets in there, and what is said where it may not.

use crate::hosted::{Hosted, rest};
use crate::servers::{KEY, LEAF, authority};
use crate::users::as_user;
use data_encoding::BASE64;
use futures_util::future::BoxFuture;
use palanca_core::Catalogue as _;
use palanca_core::call::{Cancel, HttpAccess};
use palanca_core::ports::{AnyHop, Web as _, WebLimits, WebRequest};
use palanca_net::listen::{
    Certificate, Exposure, ListenErrorKind as K, ListenLimits, ListenOptions, Listener, Place, Refusal,
};
use palanca_net::{Dial, Resolve, WebDoor, WebOptions, Wire};
use palanca_testkit::{PATIENCE, skipped};
use palanca_text::{FluentCatalogue, Locale};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair};
use std::io::{self, Write as _};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

fn pem(label: &str, der: &[u8]) -> Vec<u8> {
    let text = BASE64.encode(der);
    let lines: Vec<&str> = text.as_bytes().chunks(64).map(|line| str::from_utf8(line).unwrap()).collect();
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n")).into_bytes()
}

pub fn certificate() -> Certificate {
    Certificate { chain: pem("CERTIFICATE", LEAF), key: pem("PRIVATE KEY", KEY) }
}

fn other_key() -> Vec<u8> {
    let key = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &SystemRandom::new()).unwrap();
    pem("PRIVATE KEY", key.as_ref())
}

fn fails(options: ListenOptions) -> K {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let error = runtime.block_on(Listener::bind(options)).err().expect("it may not listen");
    for locale in [Locale::En, Locale::Es] {
        let said = FluentCatalogue::new(locale).render(&error.message());
        assert!(said.ends_with('.') && !said.contains("listen-"), "{said}");
        assert!(said.contains(&error.place) || said.contains(&error.detail), "{said}");
        assert!(!format!("{said}{error:?}{error}").contains("PRIVATE"), "{said}");
    }
    error.kind
}

#[test]
fn other_machines_are_asked_for_and_encrypted() {
    let open = ListenOptions {
        exposure: Exposure::Open,
        hosts: vec!["console.example".to_owned()],
        ..ListenOptions::at(Place::Tcp(([0, 0, 0, 0], 0).into()))
    };
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0", "10.0.0.1:0", "[::ffff:10.0.0.1]:0"] {
        let place = Place::Tcp(address.parse().unwrap());
        let local = ListenOptions { exposure: Exposure::Local, place: place.clone(), ..open.clone() };
        assert_eq!(fails(local.clone()), K::NotLocal, "{address}");
        assert_eq!(fails(ListenOptions { certificate: Some(certificate()), ..local }), K::NotLocal, "{address}");
        assert_eq!(fails(ListenOptions { place, ..open.clone() }), K::Unprotected, "{address}");
    }
    let encrypted = ListenOptions { certificate: Some(certificate()), ..open.clone() };
    assert_eq!(fails(ListenOptions { hosts: Vec::new(), ..encrypted.clone() }), K::NoHost);
    assert_eq!(fails(ListenOptions { hosts: vec!["a/b".to_owned()], ..encrypted.clone() }), K::Host);
    assert_eq!(fails(ListenOptions { origins: vec!["null".to_owned()], ..encrypted.clone() }), K::Origin);
    let away = ListenOptions { place: Place::Tcp("192.0.2.1:0".parse().unwrap()), ..encrypted.clone() };
    assert_eq!(fails(away), K::Unavailable);
    assert_eq!(Hosted::new(encrypted).stopped(), 0);

    for (chain, key, kind) in [
        (certificate().chain, other_key(), K::KeyMismatch),
        (certificate().chain, certificate().chain, K::Key),
        (certificate().chain, b"nonsense".to_vec(), K::Key),
        (certificate().chain, pem("PRIVATE KEY", b"PRIVATE nonsense"), K::Key),
        (certificate().chain, pem("ENCRYPTED PRIVATE KEY", KEY), K::Key),
        (Vec::new(), certificate().key, K::Certificate),
        (pem("CERTIFICATE", b"nonsense"), certificate().key, K::Certificate),
    ] {
        let pair = Some(Certificate { chain, key });
        assert_eq!(fails(ListenOptions { certificate: pair, ..ListenOptions::local(0) }), kind);
    }
}

#[test]
fn a_port_that_is_taken_or_not_for_this_user_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    assert_eq!(fails(ListenOptions::local(taken.local_addr().unwrap().port())), K::Taken);
    // Containers often let everybody listen everywhere.
    let first = std::fs::read_to_string("/proc/sys/net/ipv4/ip_unprivileged_port_start").unwrap();
    if first.trim() == "0" {
        skipped("a port that is for root alone", "this machine has none");
    } else {
        as_user(|| assert_eq!(fails(ListenOptions::local(1)), K::Forbidden));
    }
    as_user(|| assert_eq!(fails(ListenOptions::at(Place::Unix("/palanca.socket".into()))), K::Forbidden));
    assert_eq!(fails(ListenOptions::at(Place::Unix("/no/such/folder/x".into()))), K::Unavailable);
    let long = std::env::temp_dir().join("x".repeat(120));
    assert_eq!(fails(ListenOptions::at(Place::Unix(long))), K::Unavailable);
}

/// Leads every name to one listener on loopback.
struct Here(SocketAddr);

impl Resolve for Here {
    fn resolve<'a>(&'a self, _name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async { Ok(vec!["93.184.215.14".parse().unwrap()]) })
    }
}

impl Dial for Here {
    fn dial(&self, _to: SocketAddr) -> BoxFuture<'_, io::Result<Box<dyn Wire>>> {
        Box::pin(async { Ok(Box::new(tokio::net::TcpStream::connect(self.0).await?) as Box<dyn Wire>) })
    }
}

#[test]
fn what_is_sent_is_encrypted() {
    let encrypted = |head_time| {
        Hosted::new(ListenOptions {
            certificate: Some(certificate()),
            hosts: vec!["example.com".to_owned()],
            limits: ListenLimits { head_time, ..ListenLimits::default() },
            ..ListenOptions::local(0)
        })
    };
    let hosted = encrypted(PATIENCE);
    let options = WebOptions { roots: vec![authority()], ..WebOptions::default() };
    let door = WebDoor::new(options, Arc::new(Here(hosted.at)), Arc::new(Here(hosted.at))).unwrap();
    let cancel = Cancel::new();
    let limits = WebLimits::default();
    let with = WebRequest { headers: &[], limits, fresh: Duration::ZERO, hops: &AnyHop, cancel: &cancel };
    for (url, status) in [("https://example.com/", 200), ("https://www.example.com/", 421)] {
        let answer = hosted.runtime.block_on(door.open(&HttpAccess::get(url), with)).unwrap();
        assert_eq!(answer.status, status, "{url}");
    }
    // Plain text, and nothing at all.
    let told = hosted.answer(&hosted.head("GET", "/", ""));
    assert!(!told.contains("Tcp") && !told.contains("HTTP/1.1 200"), "{told}");
    hosted.refused(Refusal::Unencrypted, 1);
    let hosted = encrypted(Duration::from_millis(300));
    assert_eq!(rest(&mut hosted.connect()), "");
    hosted.refused(Refusal::Slow, 1);
}

#[test]
fn without_a_certificate_only_proxies_get_in() {
    let open = |proxies: &str| ListenOptions {
        exposure: Exposure::Open,
        proxies: vec![proxies.parse().unwrap()],
        hosts: vec!["console.example".to_owned()],
        limits: ListenLimits { connections_per_peer: 0, ..ListenLimits::default() },
        ..ListenOptions::at(Place::Tcp(([127, 0, 0, 1], 0).into()))
    };
    let asks = "GET / HTTP/1.1\r\nHost: console.example\r\nConnection: close\r\n";
    let stranger = Hosted::new(open("10.0.0.0/8"));
    assert!(stranger.answer(&format!("{asks}\r\n")).starts_with("HTTP/1.1 403"));
    stranger.refused(Refusal::Stranger, 1);
    let proxied = Hosted::new(open("127.0.0.0/8"));
    for (lines, forwarded) in [
        ("", "None"),
        ("X-Forwarded-For: 203.0.113.9\r\n", "Some(203.0.113.9)"),
        // What the peer itself wrote stands before what the proxy adds.
        ("X-Forwarded-For: 10.0.0.1, 203.0.113.9\r\n", "Some(203.0.113.9)"),
        ("X-Forwarded-For: 10.0.0.1\r\nX-Forwarded-For: 2001:db8::1\r\n", "Some(2001:db8::1)"),
        ("X-Forwarded-For: 203.0.113.9, nonsense\r\n", "None"),
    ] {
        let told = proxied.answer(&format!("{asks}{lines}\r\n"));
        assert!(told.contains(&format!("forwarded: {forwarded}")), "{lines}: {told}");
    }
    let direct = Hosted::local(ListenLimits::default());
    let told = direct.answer(&direct.head("GET", "/", "Connection: close\r\nX-Forwarded-For: 203.0.113.9\r\n"));
    assert!(told.contains("forwarded: None"), "{told}");
}

fn ask(path: &Path) -> String {
    let mut stream = UnixStream::connect(path).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    // ignored: whoever is refused may be told before it asks.
    let _ = write!(stream, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    rest(&mut stream)
}

fn at(path: &Path) -> ListenOptions {
    ListenOptions::at(Place::Unix(path.to_owned()))
}

#[test]
fn a_unix_socket_is_this_users_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let hosted = Hosted::new(at(&path));
    let made = std::fs::symlink_metadata(&path).unwrap();
    assert_eq!(made.mode() & 0o777, 0o600);
    let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
    let told = ask(&path);
    let own = format!("Unix {{ user: {user}, group: {group}, process: Some({}) }}", std::process::id());
    assert!(told.ends_with(&own), "{told}");
    // Another user cannot open it, and is refused where somebody has let everybody open it.
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    as_user(|| {
        let error = UnixStream::connect(&path).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
    });
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o666)).unwrap();
    as_user(|| {
        assert!(ask(&path).starts_with("HTTP/1.1 403"));
        hosted.refused(Refusal::Stranger, 1);
    });
    assert_eq!(hosted.stopped(), 0);
    assert!(!path.exists(), "it is removed");

    let hosts = vec!["localhost".to_owned()];
    let hosted = Hosted::new(ListenOptions { exposure: Exposure::Open, hosts, ..at(&path) });
    assert_eq!(std::fs::symlink_metadata(&path).unwrap().mode() & 0o777, 0o666);
    as_user(|| assert!(ask(&path).contains("Unix { user: 65534")));
    drop(hosted);
}

#[test]
fn a_unix_socket_replaces_only_a_dead_one_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("file"), "kept").unwrap();
    std::fs::create_dir(path("folder")).unwrap();
    std::os::unix::fs::symlink(path("file"), path("link")).unwrap();
    let datagrams = std::os::unix::net::UnixDatagram::bind(path("datagrams")).unwrap();
    for name in ["file", "folder", "link", "datagrams"] {
        assert_eq!(fails(at(&path(name))), K::Occupied, "{name}");
        assert!(std::fs::symlink_metadata(path(name)).is_ok(), "{name} is still there");
    }
    drop(datagrams);
    let live = Hosted::new(at(&path("live")));
    assert_eq!(fails(at(&path("live"))), K::Taken);
    assert!(ask(&path("live")).contains("Unix"));
    drop(UnixListener::bind(path("dead")).unwrap());
    let hosted = Hosted::new(at(&path("dead")));
    assert!(ask(&path("dead")).contains("Unix"));
    // Whoever has taken its place meanwhile keeps it.
    std::fs::remove_file(path("dead")).unwrap();
    let successor = UnixListener::bind(path("dead")).unwrap();
    assert_eq!(hosted.stopped(), 0);
    assert!(path("dead").exists());
    drop(successor);
    drop(live);
    let foreign = path("foreign");
    drop(UnixListener::bind(&foreign).unwrap());
    if unsafe { libc::geteuid() } == 0 {
        std::os::unix::fs::chown(&foreign, Some(65_534), None).unwrap();
        assert_eq!(fails(at(&foreign)), K::Occupied);
    }
}

#[test]
fn of_many_that_begin_at_once_one_listens() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..20 {
        let path: PathBuf = folder.path().join(format!("{round}"));
        drop(UnixListener::bind(&path).unwrap());
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
        let begun: Vec<_> = (0..8).map(|_| runtime.spawn(Listener::bind(at(&path)))).collect();
        let ended: Vec<_> = begun.into_iter().map(|one| runtime.block_on(one).unwrap()).collect();
        let (listening, failed): (Vec<_>, Vec<_>) = ended.into_iter().partition(Result::is_ok);
        assert_eq!(listening.len(), 1);
        assert!(failed.into_iter().all(|one| one.err().unwrap().kind == K::Taken));
        assert!(path.exists());
    }
}
