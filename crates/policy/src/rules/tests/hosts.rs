#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::{book, case, check, rules};
use palanca_core::message::Keys;
use palanca_core::ports::Decision::{Allow, Ask, Deny};
use palanca_core::ports::{ApprovalRules, Lasts, RuleDraft};
use std::time::Duration;

#[test]
fn what_allows_hosts_is_sure() {
    let book = rules(&["decision = 'allow'\neffect = 'reach'\nhosts = ['Docs.RS', '*.example.com', 'x.example:8080']"]);
    for (text, expected) in [
        ("reach https://docs.rs/serde", Some(Allow)),
        ("reach http://docs.rs/", Some(Allow)),
        ("reach https://docs.rs:443/", Some(Allow)),
        ("reach https://DOCS.rs./a#b", Some(Allow)),
        ("reach https://docs.rs:8443/", None),
        ("reach https://docs.rs.evil.example/", None),
        ("reach https://evil-docs.rs/", None),
        ("reach https://a.docs.rs/", None),
        ("reach https://docs.rs@evil.example/", None),
        ("reach https://evil.example/docs.rs", None),
        ("reach https://a.example.com/", Some(Allow)),
        ("reach https://a.b.example.com/x?y", Some(Allow)),
        ("reach https://example.com/", None),
        ("reach https://notexample.com/", None),
        ("reach https://x.example:8080/", Some(Allow)),
        ("reach https://x.example/", None),
        ("post https://docs.rs/serde", None),
        ("reach https://docs.rs/ ;; reach https://evil.example/", None),
        ("reach https://docs.rs/ ;; write a", None),
        ("reach not an address", None),
    ] {
        check(&book, text, expected);
    }
    let post = rules(&["decision = 'allow'\neffect = 'reach'\nhosts = ['a.example']\nmethod = ['post', 'put']"]);
    check(&post, "post https://a.example/", Some(Allow));
    check(&post, "reach https://a.example/", None);
}

#[test]
fn a_port_that_is_written_is_the_one_that_is_used() {
    let book = rules(&["decision = 'allow'\neffect = 'reach'\nhosts = ['docs.rs:443', 'a.example:80']"]);
    for (text, expected) in [
        ("reach https://docs.rs/x", Some(Allow)),
        ("reach http://docs.rs:443/x", Some(Allow)),
        ("reach http://docs.rs/x", None),
        ("reach http://a.example/x", Some(Allow)),
        ("reach https://a.example/x", None),
    ] {
        check(&book, text, expected);
    }
}

#[test]
fn an_address_is_one_in_every_spelling_of_ipv6() {
    for written in ["127.0.0.1", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]"] {
        for (decision, expected) in [("deny", Some(Deny)), ("allow", Some(Allow))] {
            let book = rules(&[&format!("decision = '{decision}'\neffect = 'reach'\nhosts = ['{written}:18080']")]);
            for (text, expected) in [
                ("reach http://127.0.0.1:18080/p", expected),
                ("reach http://[::ffff:127.0.0.1]:18080/p", expected),
                ("reach http://[::ffff:7f00:1]:18080/p", expected),
                ("reach http://[64:ff9b::127.0.0.1]:18080/p", expected),
                ("reach http://[::1]:18080/p", None),
                ("reach http://[::ffff:127.0.0.2]:18080/p", None),
            ] {
                check(&book, text, expected);
            }
        }
    }
}

#[test]
fn a_prefix_ends_at_whole_names_and_no_disguise_leaves_it() {
    let allow = rules(&["decision = 'allow'\neffect = 'reach'\nhosts = ['a.example']\nprefix = '/docs/'"]);
    for (text, expected) in [
        ("reach https://a.example/docs", Some(Allow)),
        ("reach https://a.example/docs/x?y=/..", Some(Allow)),
        ("reach https://a.example/docs/a/../b", Some(Allow)),
        ("reach https://a.example/docsx", None),
        ("reach https://a.example/Docs/x", None),
        ("reach https://a.example/docs/../x", None),
        ("reach https://a.example/docs/%2e%2e/x", None),
        ("reach https://a.example/docs/..%2fx", None),
        ("reach https://a.example/docs/..%5cx", None),
        ("reach https://a.example/docs/%252e%252e/x", None),
        ("reach https://a.example/docs/..;/x", None),
        ("reach https://a.example//docs/x", None),
        ("reach https://a.example/x?/docs/", None),
    ] {
        check(&allow, text, expected);
    }
    let deny = rules(&["decision = 'deny'\neffect = 'reach'\nhosts = ['a.example']\nprefix = '/admin'"]);
    for (text, expected) in [
        ("reach https://a.example/admin", Some(Deny)),
        ("post https://a.example/admin/x", Some(Deny)),
        ("reach https://b.a.example/ADMIN/x", Some(Deny)),
        ("reach https://a.example:8080//admin", Some(Deny)),
        ("reach https://a.example/%61dmin", Some(Deny)),
        ("reach https://a.example/x/..%2fadmin/y", Some(Deny)),
        ("reach https://a.example/administration", None),
        ("reach https://other.example/admin", None),
    ] {
        check(&deny, text, expected);
    }
}

#[test]
fn deny_beats_ask_beats_allow_for_hosts_too() {
    let allow = "decision = 'allow'\neffect = 'reach'\nhosts = ['*.example.com']";
    let ask = "decision = 'ask'\neffect = 'reach'\nhosts = ['*']\nmethod = 'post'";
    let deny = "decision = 'deny'\neffect = 'reach'\nhosts = ['evil.example.com']";
    for order in [[allow, ask, deny], [deny, ask, allow], [ask, allow, deny]] {
        let book = rules(&order);
        check(&book, "reach https://a.example.com/", Some(Allow));
        check(&book, "post https://a.example.com/", Some(Ask));
        check(&book, "reach https://evil.example.com/", Some(Deny));
        check(&book, "reach https://data.evil.example.com:81/", Some(Deny));
        check(&book, "reach https://a.example.com/ ;; reach https://evil.example.com/", Some(Deny));
        check(&book, "reach https://other.example/", None);
    }
    check(&rules(&["decision = 'ask'\neffect = 'reach'\nhosts = ['*']"]), "reach odd", Some(Ask));
}

#[test]
fn always_means_this_address_or_this_host_and_never_more() {
    let words = |text: &str| {
        let drafts = case(text).drafts(&book());
        drafts.iter().map(|draft| draft.words.render(&Keys)).collect::<Vec<_>>()
    };
    assert_eq!(
        words("reach https://docs.rs/serde?q=1"),
        [
            "rule-draft-again(what=effect-fetch(url=https://docs.rs/serde?q=1))",
            "rule-draft-host(hosts=docs.rs, days=30)"
        ]
    );
    assert_eq!(
        words("post https://api.example:8080/x"),
        [
            "rule-draft-again(what=effect-send(url=https://api.example:8080/x, body=\"x\"))",
            "rule-draft-host-send(hosts=api.example:8080, days=30)"
        ]
    );
    assert_eq!(
        words("reach https://93.184.215.14/"),
        [
            "rule-draft-again(what=effect-fetch(url=https://93.184.215.14/))",
            "rule-draft-host(hosts=93.184.215.14, days=30)"
        ]
    );
    assert_eq!(words("post https://a.example/ ;; write a"), Vec::<String>::new());

    for (made_at, at, again, not) in [
        ("reach https://docs.rs/a", 0, "reach https://docs.rs/a#b", "reach https://docs.rs/b"),
        ("reach https://docs.rs/a", 1, "reach https://docs.rs/b?c", "reach https://a.docs.rs/"),
        ("reach https://docs.rs/a", 1, "reach http://docs.rs/", "post https://docs.rs/a"),
        ("post https://a.example/x", 0, "post https://a.example/x", "post https://a.example/y"),
        ("post https://a.example/x", 1, "post https://a.example/y", "reach https://a.example/x"),
        ("reach https://10.1.2.3/", 1, "reach https://10.1.2.3/x", "reach https://10.1.2.4/"),
    ] {
        let draft = case(made_at).drafts(&book()).swap_remove(at);
        assert_eq!(matches!(draft.lasts, Lasts::Session), at == 0);
        let learned = book();
        learned.learn(&draft).unwrap();
        assert_eq!(case(again).judged(&learned), Some(Allow), "{made_at} -> {again}: {}", draft.rule);
        assert_eq!(case(not).judged(&learned), None, "{made_at} -> {not}: {}", draft.rule);
    }
    for body in [
        "hosts = ['*.example.com']\nmethod = 'get'",
        "hosts = ['*.com']\nmethod = 'get'",
        "hosts = ['*']\nmethod = 'get'",
        "hosts = ['10.0.0.0/8']\nmethod = 'get'",
        "hosts = ['*.0.0.1']\nmethod = 'get'",
        "hosts = ['a.example']",
        "method = 'get'",
    ] {
        let rule = format!("[[rule]]\ndecision = 'allow'\neffect = 'reach'\nworkspace = '/w/project'\n{body}");
        let draft = RuleDraft { rule, words: "".into(), lasts: Lasts::For(Duration::from_secs(1)) };
        assert_eq!(book().learn(&draft).expect_err(body).key(), "rule-not-learned");
    }
}

#[test]
fn bad_rules_on_hosts_say_what_to_do() {
    let examples = "matches = [{ reach = 'https://docs.rs/x' }]\nnot_matches = [{ reach = 'POST https://docs.rs/x' }]";
    let rule = |body: &str| format!("[[rule]]\nid = 'x'\ndecision = 'allow'\neffect = 'reach'\n{body}\n{examples}");
    book().with_file("rules.toml", &rule("hosts = ['docs.rs']")).unwrap();
    for (body, says) in [
        ("", "name them, [\"docs.rs\""),
        ("hosts = ['*']", "would allow every host"),
        ("hosts = ['*.rs']", "of a whole domain"),
        ("hosts = ['*.2.3.4']", "is no host"),
        ("hosts = ['https://docs.rs']", "is no host"),
        ("hosts = ['docs.rs/x']", "is no host"),
        ("hosts = ['docs.rs:http']", "no port"),
        ("hosts = ['docs.rs']\nprefix = 'x'", "begin it with '/'"),
        ("hosts = ['docs.rs']\nprefix = '/x?y'", "begin it with '/'"),
        ("hosts = ['docs.rs']\nurl = 'https://docs.rs/x'", "says all"),
        ("url = 'docs.rs'", "is no address"),
        ("hosts = ['docs.rs']\nmethod = 'patch'", "unknown variant `patch`"),
        ("hosts = ['docs.rs']\npaths = ['a']", "'paths' says nothing"),
        ("hosts = ['other.example']", "is not covered"),
    ] {
        let error = book().with_file("rules.toml", &rule(body)).err().unwrap_or_else(|| panic!("passes: {body}"));
        assert!(error.to_string().contains(says), "{body}\n=> {error}");
    }
    let of_files = rule("paths = ['a']\nhosts = ['docs.rs']").replace("'reach'", "'write'");
    let error = book().with_file("rules.toml", &of_files).err().unwrap().to_string();
    assert!(error.contains("add \"reach\""), "{error}");
    let url = rule("url = 'https://docs.rs/x'").replace("'allow'", "'deny'");
    let error = book().with_file("rules.toml", &url).err().unwrap().to_string();
    assert!(error.contains("use 'hosts'"), "{error}");
}
