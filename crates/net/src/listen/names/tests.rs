#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use crate::listen::{Certificate, Place};
use hyper::Request;
use std::path::PathBuf;

const LOCAL: &str = "127.0.0.1:8080";

fn judged(options: &ListenOptions, bound: Option<&str>, head: &str) -> Result<(), Refusal> {
    let names = Names::new(options, bound.map(|address| address.parse().unwrap())).unwrap();
    let mut lines = head.lines();
    let (method, target) = lines.next().unwrap().split_once(' ').unwrap();
    let mut request = Request::builder().method(method).uri(target);
    for line in lines {
        let (name, value) = line.split_once(": ").unwrap();
        request = request.header(name, value);
    }
    names.judge(&request.body(()).unwrap().into_parts().0)
}

fn here(head: &str) -> Result<(), Refusal> {
    judged(&ListenOptions::at(Place::Tcp(LOCAL.parse().unwrap())), Some(LOCAL), head)
}

#[test]
fn only_requests_for_its_own_names_are_heard() {
    for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080"] {
        assert_eq!(here(&format!("GET /\nhost: {host}")), Ok(()), "{host}");
        assert_eq!(here(&format!("GET http://{host}/\nhost: {host}")), Ok(()), "{host}");
    }
    for host in [
        "evil.example",
        "evil.example:8080",
        "127.0.0.1.evil.example:8080",
        "localhost.evil.example:8080",
        "evil.localhost:8080",
        "localhost",
        "localhost:80",
        "localhost:8081",
        "127.0.0.1",
        "0.0.0.0:8080",
        "2130706433:8080",
        "127.1:8080",
        "0x7f000001:8080",
        "localhost.:8080",
        "localhost:8080@evil.example",
        "user@localhost:8080",
        "localhost\t:8080",
        "localhost:8080, evil.example",
        "[::ffff:127.0.0.1]:8080",
        "",
    ] {
        assert_eq!(here(&format!("GET /\nhost: {host}")), Err(Refusal::Host), "{host}");
    }
    assert_eq!(here("GET /"), Err(Refusal::Host));
    assert_eq!(here("GET /\nhost: localhost:8080\nhost: localhost:8080"), Err(Refusal::Host));
    assert_eq!(here("GET http://evil.example/\nhost: localhost:8080"), Err(Refusal::Host));
    assert_eq!(here("CONNECT evil.example:443\nhost: localhost:8080"), Err(Refusal::Host));
}

#[test]
fn only_its_own_pages_are_heard() {
    let with = |lines: &str| here(&format!("POST /\nhost: 127.0.0.1:8080\n{lines}"));
    for lines in [
        "origin: http://127.0.0.1:8080",
        "origin: http://localhost:8080",
        "origin: http://[::1]:8080\nsec-fetch-site: same-origin",
        "sec-fetch-site: same-origin",
        "sec-fetch-site: none",
        "accept: */*",
    ] {
        assert_eq!(with(lines), Ok(()), "{lines}");
    }
    for lines in [
        "origin: https://evil.example",
        "origin: null",
        "origin: ",
        "origin: http://localhost:1",
        "origin: http://localhost",
        "origin: https://127.0.0.1:8080",
        "origin: http://evil.example#127.0.0.1:8080",
        "origin: http://127.0.0.1:8080.evil.example",
        "origin: http://127.0.0.1:8080/",
        "origin: chrome-extension://x",
        "origin: http://127.0.0.1:8080 https://evil.example",
        "origin: http://127.0.0.1:8080\norigin: https://evil.example",
        "sec-fetch-site: cross-site",
        "sec-fetch-site: same-site",
        "sec-fetch-site: cross-site\nsec-fetch-mode: navigate",
        "sec-fetch-site: same-origin\nsec-fetch-site: cross-site",
    ] {
        assert_eq!(with(lines), Err(Refusal::Origin), "{lines}");
    }
    let link = "GET /\nhost: localhost:8080\nsec-fetch-site: cross-site\nsec-fetch-mode: ";
    assert_eq!(here(&format!("{link}navigate")), Ok(()));
    assert_eq!(here(&format!("{link}no-cors")), Err(Refusal::Origin));
}

#[test]
fn names_of_the_operator_are_heard_as_they_are_written() {
    let place = Place::Tcp("0.0.0.0:8443".parse().unwrap());
    let open = |hosts: &[&str]| ListenOptions {
        exposure: Exposure::Open,
        hosts: hosts.iter().map(|host| (*host).to_owned()).collect(),
        origins: vec!["https://app.example".to_owned()],
        ..ListenOptions::at(place.clone())
    };
    let certificate = Some(Certificate { chain: Vec::new(), key: Vec::new() });
    let encrypted = ListenOptions { certificate, ..open(&["Console.example:8443", "exämple.com"]) };
    let proxied = ListenOptions { proxies: vec!["10.0.0.0/8".parse().unwrap()], ..open(&["console.example"]) };
    for (options, head, expected) in [
        (&encrypted, "host: console.example:8443", Ok(())),
        (&encrypted, "host: console.example:8443\norigin: https://console.example:8443", Ok(())),
        (&encrypted, "host: console.example:8443\norigin: https://app.example\nsec-fetch-site: cross-site", Ok(())),
        (&encrypted, "host: console.example:8443\norigin: http://console.example:8443", Err(Refusal::Origin)),
        (&encrypted, "host: xn--exmple-cua.com", Ok(())),
        (&encrypted, "host: xn--exmple-cua.com:443", Ok(())),
        (&encrypted, "host: console.example", Err(Refusal::Host)),
        (&encrypted, "host: localhost:8443", Err(Refusal::Host)),
        (&proxied, "host: console.example\norigin: https://console.example", Ok(())),
        (&proxied, "host: console.example\norigin: http://console.example", Err(Refusal::Origin)),
    ] {
        assert_eq!(judged(options, Some("0.0.0.0:8443"), &format!("GET /\n{head}")), expected, "{head}");
    }
    let unix = ListenOptions::at(Place::Unix(PathBuf::from("/x")));
    assert_eq!(judged(&unix, None, "GET /\nhost: localhost"), Ok(()));
    assert_eq!(judged(&unix, None, "GET /\nhost: evil.example"), Err(Refusal::Host));
    let kind = |options: &ListenOptions| Names::new(options, None).map(drop).unwrap_err().kind;
    assert_eq!(kind(&open(&[])), ListenErrorKind::NoHost);
    for host in ["", "a b", "a/b", "https://a", "user@a", "a?b", "a#b", "*.a/"] {
        assert_eq!(kind(&open(&[host])), ListenErrorKind::Host, "{host}");
    }
    for origin in ["app.example", "null", "https://app.example/x", "data:x", "file:///x", "*"] {
        let options = ListenOptions { origins: vec![origin.to_owned()], ..open(&["a"]) };
        assert_eq!(kind(&options), ListenErrorKind::Origin, "{origin}");
    }
}
