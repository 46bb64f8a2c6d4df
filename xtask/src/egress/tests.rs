use serde_json::{Value, json};

use super::exceptions::{self, EXCEPTIONS, allows};
use super::paths::paths;
use super::{is_egress, is_shipped, is_shipped_file, locked, manifest, source};
use crate::report::Report;
use crate::workspace::Workspace;

/// The paths of egress in this code, with their lines.
fn found(text: &str) -> Vec<(usize, String)> {
    let mut report = Report::default();
    source("f.rs", text, &mut report);
    let read = |failure: &String| {
        let (line, rest) = failure.strip_prefix("f.rs:").unwrap().split_once(": `").unwrap();
        (line.parse().unwrap(), rest.split_once('`').unwrap().0.to_owned())
    };
    report.failures.iter().map(read).collect()
}

#[test]
fn code_that_reaches_the_network_is_found() {
    for (code, expected) in [
        ("use std::net::TcpStream;", "std::net::TcpStream"),
        ("use std::net as n;", "std::net as n"),
        ("use std::{fs, net::{self, IpAddr}};", "std::net"),
        ("use ::std::net::IpAddr;", "::std::net::IpAddr"),
        ("x as ::std::net::IpAddr", "::std::net::IpAddr"),
        ("fn f(x: &mut ::std::net::IpAddr)", "::std::net::IpAddr"),
        ("let s = std :: net :: TcpStream::connect(a);", "std::net::TcpStream::connect"),
        ("use std as s; s::net::UdpSocket::bind(a)", "s::net::UdpSocket::bind"),
        ("use tokio::net::{UnixStream, TcpStream};", "tokio::net::TcpStream"),
        ("use tokio::{io, net};", "tokio::net"),
        ("use tokio::net::*;", "tokio::net::*"),
        ("tokio::net::lookup_host(\"x\")", "tokio::net::lookup_host"),
        ("let c = reqwest::Client::new();", "reqwest::Client::new"),
        ("use reqwest as http;", "reqwest as http"),
        ("extern crate hyper as h;", "hyper as h"),
        ("hyper_util::client::legacy::connect()", "hyper_util::client::legacy::connect"),
        ("rustls::ClientConfig::builder()", "rustls::ClientConfig::builder"),
        ("socket2::Socket::new(d, t, p)", "socket2::Socket::new"),
        ("unsafe { libc::socket(2, 1, 0) }", "libc::socket"),
        ("use libc::{c_int, connect};", "libc::connect"),
        ("use libc as c;", "libc as c"),
        ("use libc::*;", "libc::*"),
        ("use rustix::net::{SendFlags, connect};", "rustix::net::connect"),
        ("rustix::net::socket_with(a)", "rustix::net::socket_with"),
        ("(host, 80).to_socket_addrs()", "to_socket_addrs"),
        ("extern \"C\" { fn getaddrinfo(); }", "getaddrinfo"),
        ("r#std::r#net::x()", "std::net::x"),
        ("let a = '\"'; std::net::x(); let b = '\"';", "std::net::x"),
        ("fn f<'a>(x: &'a str) { std::net::x() }", "std::net::x"),
        ("/* /* */ */ std::net::x()", "std::net::x"),
        ("let p = r#\"\\\"#; std::net::x()", "std::net::x"),
        ("let p = b\"\\\"\"; std::net::x()", "std::net::x"),
    ] {
        let paths: Vec<_> = found(code).into_iter().map(|(_, path)| path).collect();
        assert!(paths.contains(&expected.to_owned()), "{code}: {paths:?}");
    }
}

#[test]
fn code_that_does_not_is_not() {
    for code in [
        "use core::net::{IpAddr, Ipv4Addr};",
        "use std::os::unix::net::UnixStream;",
        "use tokio::net::UnixStream;",
        "use tokio::net::unix::pipe::{Receiver, Sender};",
        "use tokio::net::{UnixListener, UnixStream};",
        "use rustix::net::{socketpair, sendmsg, recvmsg, SocketFlags};",
        "libc::socketpair(1, 2, 3, p)",
        "libc::SYS_socket",
        "// std::net::TcpStream",
        "//! reqwest::Client",
        "/* TcpStream /* */ reqwest::get */",
        "let s = \"std::net::TcpStream \\\" reqwest::get\";",
        "let s = r##\"\"# std::net::TcpStream\"##;",
        "let s = b\"TcpStream\"; let c = c\"UdpSocket\";",
        "let hyper = 1;",
        "palanca_net::NetClient::new()",
        "self.socket.connect()",
        "mod net;",
        "crate::net::x()",
        "fn f() {}\n#[cfg(test)]\nmod tests {\n    use std::net::TcpListener;\n}\n",
    ] {
        assert_eq!(found(code), [], "{code}");
    }
}

#[test]
fn the_line_is_named() {
    let code = "\"a\nb\"\n/*\n*/ x; // c\nuse std::{\n    fs,\n    net::TcpStream,\n};\n";
    assert_eq!(found(code), [(7, "std::net::TcpStream".to_owned())]);
}

#[test]
fn paths_are_taken_apart() {
    let names = |text| paths(text).into_iter().map(|(_, path)| path).collect::<Vec<_>>();
    assert_eq!(names("use a::{b::{c, d as e}, f, self};"), ["use", "a::b::c", "a::b::d as e", "a::f", "a"]);
    assert_eq!(names("a::{{b}}; a::{"), ["a::b"]);
    assert_eq!(names("use a::*; x * y"), ["use", "a::*", "x", "y"]);
    assert_eq!(names("'a' 'b: '\\'' '\\u{1}' c"), ["b", "c"]);
    assert_eq!(names("\"unended"), Vec::<String>::new());
    assert_eq!(names("/* unended"), Vec::<String>::new());
}

#[test]
fn tests_and_benches_are_free() {
    for (path, shipped) in [
        ("/src/lib.rs", true),
        ("/src/wire/model.rs", true),
        ("/build.rs", true),
        ("/src/benches.rs", true),
        ("/src/wire/tests.rs", false),
        ("/src/wire/tests/more.rs", false),
        ("/tests/cli/main.rs", false),
        ("/benches/x/main.rs", false),
        ("/examples/x.rs", false),
    ] {
        assert_eq!(is_shipped_file(path), shipped, "{path}");
    }
    assert!(is_shipped("palanca-cli") && is_shipped("palanca-sandbox") && is_shipped("palanca-derive"));
    assert!(!is_shipped("palanca-net") && !is_shipped("palanca-testkit") && !is_shipped("xtask"));
}

fn workspace(dependencies: &Value) -> Workspace {
    let package = json!({
        "name": "our-tools", "manifest_path": "/w/crates/tools/Cargo.toml", "metadata": null,
        "dependencies": dependencies,
    });
    Workspace::from_metadata(&json!({"workspace_root": "/w", "packages": [package]})).unwrap()
}

#[test]
fn manifests_name_no_client() {
    let depends = |name: &str, kind: Option<&str>| json!({"name": name, "kind": kind, "source": "registry"});
    let workspace = workspace(&json!([
        depends("serde", None),
        depends("reqwest", Some("dev")),
        depends("ureq", Some("build")),
        depends("hyper", None),
    ]));
    let (mut report, mut used) = (Report::default(), Vec::new());
    manifest(&workspace.packages[0], &mut used, &mut report);
    assert_eq!(used, []);
    assert_eq!(report.failures.len(), 2, "{report:?}");
    assert!(report.failures[0].starts_with("our-tools: depends on `ureq`"), "{report:?}");
    assert!(report.failures[1].starts_with("our-tools: depends on `hyper`"), "{report:?}");
}

#[test]
fn an_exception_has_a_test_and_a_user() {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let workspace = Workspace { root: here.to_owned(), packages: Vec::new() };
    let used: Vec<_> = EXCEPTIONS.iter().map(|row| (row.user.to_owned(), row.library.to_owned())).collect();
    let mut report = Report::default();
    exceptions::check(&workspace, &used, &mut report);
    assert_eq!(report.failures, Vec::<String>::new());
    exceptions::check(&workspace, &used[1..], &mut report);
    assert!(report.failures.concat().contains("does not use `hyper` any more"), "{report:?}");
    let nowhere = Workspace { root: "/nowhere".into(), packages: Vec::new() };
    let mut report = Report::default();
    exceptions::check(&nowhere, &used, &mut report);
    assert_eq!(report.failures.len(), EXCEPTIONS.len());
    assert!(allows("palanca-net", "hyper") && !allows("palanca-tools", "hyper") && !allows("palanca-net", "reqwest"));
}

#[test]
fn no_dependency_brings_a_client_along() {
    let lock = "version = 4\n\n\
        [[package]]\nname = \"jsonschema\"\nversion = \"1\"\ndependencies = [\n \"ahash\",\n \"reqwest 0.13.1\",\n]\n\n\
        [[package]]\nname = \"reqwest\"\ndependencies = [\n \"hyper\",\n]\n\n\
        [[package]]\nname = \"tokio\"\ndependencies = [\n \"mio\",\n]\n\n\
        [[package]]\nname = \"our-tools\"\ndependencies = [\n \"reqwest\",\n]\n\n\
        [[package]]\nname = \"ahash\"\n";
    let (mut report, mut used) = (Report::default(), Vec::new());
    locked(&workspace(&json!([])), lock, &mut used, &mut report);
    assert_eq!(used, [("tokio".to_owned(), "mio".to_owned())]);
    assert_eq!(report.failures.len(), 1, "{report:?}");
    assert!(report.failures[0].starts_with("Cargo.lock: `jsonschema` brings `reqwest`"), "{report:?}");
}

#[test]
fn a_library_is_found_under_the_name_that_code_has_for_it() {
    for (path, expected) in [
        ("hickory_resolver::Resolver", true),
        ("tokio_tungstenite::connect_async", true),
        ("hyper", false),
        ("curl::easy::Easy", true),
        ("rules::hyper", false),
    ] {
        assert_eq!(is_egress(path), expected, "{path}");
    }
}
