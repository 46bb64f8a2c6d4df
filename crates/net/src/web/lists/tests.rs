#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn lists(allow: &[&str], deny: &[&str], private: &[&str]) -> Result<Lists, WebOptionsError> {
    let (allow_hosts, deny_hosts, private_hosts) = (texts(allow), texts(deny), texts(private));
    Lists::new(&WebOptions { allow_hosts, deny_hosts, private_hosts, ..WebOptions::default() })
}

fn host(text: &str) -> (Host, u16) {
    let url = url::Url::parse(&format!("http://{text}/")).unwrap();
    (url.host().unwrap().into(), url.port_or_known_default().unwrap())
}

#[test]
fn an_empty_list_allows_nothing() {
    let lists = lists(&[], &[], &[]).unwrap();
    for text in ["example.com", "8.8.8.8", "[2606:4700::1]", "example.com:8080"] {
        let (host, port) = host(text);
        assert!(!lists.allows(&host, port), "{text}");
    }
}

#[test]
fn an_allowed_host_is_what_it_says() {
    for (entry, yes, no) in [
        ("*", "anything.example.com", ""),
        ("example.com", "EXAMPLE.com.", "www.example.com"),
        ("example.com", "example.com:8080", "notexample.com"),
        ("*.example.com", "a.b.example.com", "example.com"),
        ("*.example.com", "www.example.com", "badexample.com"),
        ("example.com:8443", "example.com:8443", "example.com"),
        ("*:8080", "example.org:8080", "example.org"),
        ("EXÄMPLE.com", "xn--exmple-cua.com", "example.com"),
        ("8.8.8.8", "0x08080808", "8.8.4.4"),
        ("8.8.8.0/24", "8.8.8.9", "8.8.9.8"),
        ("[2606:4700::1]:8080", "[2606:4700:0::1]:8080", "[2606:4700::1]"),
        ("2606:4700::/32", "[2606:4700:1::1]", "[2606:4701::1]"),
        ("::ffff:8.8.8.8", "8.8.8.8", "8.8.4.4"),
    ] {
        let lists = lists(&[entry], &[], &[]).unwrap();
        let (yes_host, yes_port) = host(yes);
        assert!(lists.allows(&yes_host, yes_port), "{entry} {yes}");
        if !no.is_empty() {
            let (host, port) = host(no);
            assert!(!lists.allows(&host, port), "{entry} {no}");
        }
    }
}

#[test]
fn a_denied_name_takes_the_names_below_it_along() {
    for (entry, yes, no) in [
        ("example.com", "www.example.com", "example.org"),
        ("example.com", "example.com.", "notexample.com"),
        ("*.example.com", "www.example.com", "example.com"),
        ("example.com:8443", "a.example.com:8443", "a.example.com"),
        ("8.8.0.0/16", "[::ffff:8.8.4.4]", "8.9.0.1"),
        ("8.8.0.0/16", "[64:ff9b::8.8.4.4]", "[64:ff9b::8.9.0.1]"),
        ("8.8.8.8", "[64:ff9b::808:808]", "[64:ff9c::808:808]"),
        ("8.8.8.8:8080", "[64:ff9b::808:808]:8080", "[64:ff9b::808:808]"),
        ("8.8.0.0/16", "[2606:4700::5efe:8.8.4.4]", "[2606:4700::5eff:8.8.4.4]"),
        ("8.8.0.0/16", "[2606:4700::200:5efe:8.8.4.4]", "[2606:4700::200:5efe:8.9.0.1]"),
        ("64:ff9b::/96", "[64:ff9b::8.8.4.4]", "8.8.4.4"),
        ("::ffff:8.8.0.0/112", "8.8.4.4", "8.9.0.1"),
    ] {
        let lists = lists(&["*"], &[entry], &[]).unwrap();
        let ((yes_host, yes_port), (no_host, no_port)) = (host(yes), host(no));
        assert_eq!(lists.denied(&yes_host, yes_port), Some(entry), "{yes}");
        assert_eq!(lists.denied(&no_host, no_port), None, "{no}");
    }
    let lists = lists(&["*"], &["203.0.0.0/8"], &[]).unwrap();
    assert_eq!(lists.denied_address("203.1.2.3".parse().unwrap(), 443), Some("203.0.0.0/8"));
    for held in ["64:ff9b::203.1.2.3", "2606:4700::5efe:203.1.2.3", "::ffff:203.1.2.3"] {
        assert_eq!(lists.denied_address(held.parse().unwrap(), 443), Some("203.0.0.0/8"), "{held}");
    }
}

#[test]
fn a_private_host_is_exact() {
    let lists = lists(&["*"], &[], &["wiki.corp", "nas:8443", "127.0.0.1:9000", "[::1]"]).unwrap();
    for (text, expected) in [
        ("wiki.corp", Named::Host),
        ("WIKI.corp.:8080", Named::Host),
        ("a.wiki.corp", Named::No),
        ("nas:8443", Named::HostAndPort),
        ("nas", Named::No),
        ("127.1:9000", Named::HostAndPort),
        ("127.0.0.1", Named::No),
        ("127.0.0.2:9000", Named::No),
        ("[0::1]:8080", Named::Host),
    ] {
        let (host, port) = host(text);
        assert_eq!(lists.named(&host, port), expected, "{text}");
    }
}

#[test]
fn what_is_no_host_is_said_to_be_none() {
    for entry in [
        "",
        "http://example.com",
        "example.com/path",
        "user@example.com",
        "exa mple.com",
        "a.*.com",
        "example.*",
        "example.com:http",
        "example.com:99999",
        "*.8.8.8.8",
        "1.2.3.4.5",
        "8.8.8.8/33",
        "exam!ple.com",
    ] {
        assert!(lists(&[entry], &[], &[]).is_err(), "'{entry}'");
        assert!(lists(&["*"], &[entry], &[]).is_err(), "'{entry}'");
    }
    for entry in ["*", "*.corp", "10.0.0.0/8", "fd00::/8"] {
        let error = lists(&["*"], &[], &[entry]).unwrap_err();
        assert_eq!((error.list, &*error.entry), ("private_hosts", entry));
    }
}
