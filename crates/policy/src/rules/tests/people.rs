#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::{book, case, check, rules};
use palanca_core::message::Keys;
use palanca_core::ports::Decision::{Allow, Ask, Deny};
use palanca_core::ports::{ApprovalRules, Lasts, RuleDraft};
use std::time::Duration;

#[test]
fn what_allows_people_is_sure() {
    let book =
        rules(&["decision = 'allow'\neffect = 'message'\nchannels = ['ops', 'mail']\nto = ['alerts', '+34 600']"]);
    for (text, expected) in [
        ("tell ops:alerts", Some(Allow)),
        ("tell mail:+34 600", Some(Allow)),
        ("tell ops:Alerts", None),
        ("tell ops:alert", None),
        ("tell Ops:alerts", None),
        ("tell mail:34600", None),
        ("tell other:alerts", None),
        ("tell ops:alerts ;; tell ops:bob", None),
        ("tell ops:alerts ;; write a", None),
        ("tell ops:alerts ;; read a", Some(Allow)),
        ("reach https://ops/alerts", None),
    ] {
        check(&book, text, expected);
    }
    let whole = rules(&["decision = 'allow'\neffect = 'message'\nchannels = ['ops']"]);
    check(&whole, "tell ops:anybody", Some(Allow));
    check(&whole, "tell mail:anybody", None);
}

#[test]
fn what_refuses_people_may_guess() {
    let book = rules(&["decision = 'deny'\neffect = 'message'\nchannels = ['mail']\nto = ['+34 600-1', '@Ana', '#']"]);
    for (text, expected) in [
        ("tell mail:+34 600-1", Some(Deny)),
        ("tell MAIL:346001", Some(Deny)),
        ("tell mail:ana", Some(Deny)),
        ("tell mail:ANA.", Some(Deny)),
        ("tell mail:#", Some(Deny)),
        ("tell mail:##", None),
        ("tell mail:anabel", None),
        ("tell ops:ana", None),
        ("tell ops:x ;; tell mail:ana", Some(Deny)),
    ] {
        check(&book, text, expected);
    }
}

#[test]
fn deny_beats_ask_beats_allow_for_people_too() {
    let allow = "decision = 'allow'\neffect = 'message'\nchannels = ['ops']";
    let ask = "decision = 'ask'\neffect = 'message'\nchannels = ['*']\nto = ['boss']";
    let deny = "decision = 'deny'\neffect = ['message', 'reach']\nchannels = ['*']\nto = ['press']\nhosts = ['*']";
    for order in [[allow, ask, deny], [deny, ask, allow], [ask, allow, deny]] {
        let book = rules(&order);
        check(&book, "tell ops:x", Some(Allow));
        check(&book, "tell ops:boss", Some(Ask));
        check(&book, "tell ops:press", Some(Deny));
        check(&book, "tell mail:x", None);
        check(&book, "reach https://a.example/", Some(Deny));
    }
}

#[test]
fn always_means_this_recipient_or_this_channel() {
    let words = |text: &str| {
        let drafts = case(text).drafts(&book());
        drafts.iter().map(|draft| draft.words.render(&Keys)).collect::<Vec<_>>()
    };
    assert_eq!(
        words("tell ops:alerts"),
        [
            "rule-draft-tell-again(who=ops:alerts)",
            "rule-draft-tell(who=ops:alerts, days=30)",
            "rule-draft-tell-channel(channels=ops, days=30)"
        ]
    );
    assert_eq!(words("tell ops:a ;; write b"), Vec::<String>::new());
    for (made_at, at, again, not) in [
        ("tell ops:a", 0, "tell ops:a", "tell ops:b"),
        ("tell ops:a", 1, "tell ops:a", "tell ops:b"),
        ("tell ops:a", 1, "tell ops:a", "tell mail:a"),
        ("tell ops:a", 2, "tell ops:b", "tell mail:a"),
        ("tell ops:a ;; tell mail:b", 1, "tell mail:b", "tell mail:a"),
        ("tell ops:a ;; tell mail:b", 2, "tell mail:a", "tell other:a"),
    ] {
        let draft = case(made_at).drafts(&book()).swap_remove(at);
        assert_eq!(matches!(draft.lasts, Lasts::Session), at == 0);
        let learned = book();
        learned.learn(&draft).unwrap();
        assert_eq!(case(again).judged(&learned), Some(Allow), "{made_at} -> {again}: {}", draft.rule);
        assert_eq!(case(not).judged(&learned), None, "{made_at} -> {not}: {}", draft.rule);
    }
    for forged in ["channels = ['*']", "to = ['a']", "channels = ['ops']\nto = ['*']"] {
        let rule = format!("[[rule]]\ndecision = 'allow'\neffect = 'message'\nworkspace = '/w/project'\n{forged}");
        let draft = RuleDraft { rule, words: "".into(), lasts: Lasts::For(Duration::from_secs(1)) };
        assert_eq!(book().learn(&draft).expect_err(forged).key(), "rule-not-learned");
    }
}

#[test]
fn bad_rules_on_people_say_what_to_do() {
    let examples = "matches = [{ message = 'ops:alerts' }]\nnot_matches = [{ message = 'mail:alerts' }]";
    let rule = |body: &str| format!("[[rule]]\nid = 'x'\ndecision = 'allow'\neffect = 'message'\n{body}\n{examples}");
    book().with_file("rules.toml", &rule("channels = ['ops']\nto = ['alerts']")).unwrap();
    for (body, says) in [
        ("", "name them, [\"ops\"]"),
        ("to = ['alerts']", "name them, [\"ops\"]"),
        ("channels = ['*']", "would allow everybody"),
        ("channels = ['ops']\nto = ['*']", "would allow everybody"),
        ("channels = ['']", "is nobody"),
        ("channels = ['ops']\nhosts = ['a']", "add \"reach\""),
        ("channels = ['ops']\npaths = ['a']", "'paths' says nothing"),
        ("channels = ['ops', 'mail']", "is covered"),
        ("channels = ['other']", "is not covered"),
    ] {
        let error = book().with_file("rules.toml", &rule(body)).err().unwrap_or_else(|| panic!("passes: {body}"));
        assert!(error.to_string().contains(says), "{body}\n=> {error}");
    }
    let of_files = rule("paths = ['a']\nchannels = ['ops']").replace("'message'\n", "'write'\n");
    let error = book().with_file("rules.toml", &of_files).err().unwrap().to_string();
    assert!(error.contains("add \"message\""), "{error}");
    for example in ["ops", ":alerts", "ops:"] {
        let text = rule("channels = ['ops']").replace("'ops:alerts'", &format!("'{example}'"));
        let error = book().with_file("rules.toml", &text).err().unwrap().to_string();
        assert!(error.contains("write CHANNEL:RECIPIENT"), "{error}");
    }
}

#[test]
fn acts_are_ruled_by_kind_and_target() {
    let book = rules(&[
        "decision = 'allow'\neffect = 'foreign'\nservers = ['github']\ntools = ['get_issue', 'list_*', '*_by_*_id']",
        "decision = 'allow'\neffect = 'foreign'\nservers = ['files']",
        "decision = 'deny'\neffect = 'phone_call'\nto = ['+34 600']",
        "decision = 'ask'\neffect = ['remember', 'schedule']\nto = ['*']",
    ]);
    for (text, expected) in [
        ("foreign github/get_issue", Some(Allow)),
        ("foreign github/Get_issue", None),
        ("foreign github/get_issue2", None),
        ("foreign github/list_", Some(Allow)),
        ("foreign github/list_issues", Some(Allow)),
        ("foreign github/xlist_issues", None),
        ("foreign github/user_by_long_id", Some(Allow)),
        ("foreign github/user_by_id", None),
        ("foreign files/read", Some(Allow)),
        ("foreign files", None),
        ("foreign files2/read", None),
        ("ask_bot github/get_issue", None),
        ("foreign files/read ;; phone_call +1", None),
        ("foreign files/read ;; write a", None),
        ("phone_call 34600", Some(Deny)),
        ("phone_call +34 601", None),
        ("remember ana", Some(Ask)),
        ("schedule daily", Some(Ask)),
        ("change_self soul", None),
    ] {
        check(&book, text, expected);
    }
    let deny = rules(&[
        "decision = 'deny'\neffect = 'foreign'\nservers = ['github']",
        "decision = 'deny'\neffect = 'foreign'\nservers = ['*']\ntools = ['delete_*']",
    ]);
    for (text, expected) in [
        ("foreign GitHub/get", Some(Deny)),
        ("foreign github", Some(Deny)),
        ("foreign gitlab/get", None),
        ("foreign gitlab/Delete-all", Some(Deny)),
        ("foreign gitlab/undelete", None),
    ] {
        check(&deny, text, expected);
    }
}

#[test]
fn rules_on_servers_that_cannot_be_meant_are_refused() {
    for (keys, expected) in [
        ("effect = 'foreign'", "\"servers\" is missing"),
        ("effect = 'foreign'\nto = ['github/get']", "'to' is about who is told"),
        ("effect = 'foreign'\nservers = ['*']", "would allow every server"),
        ("effect = 'foreign'\nservers = ['git*']", "patterns are for 'tools'"),
        ("effect = 'foreign'\nservers = ['a']\ntools = ['']", "an empty name in 'tools'"),
        ("effect = 'schedule'\nto = ['a']\nservers = ['a']", "add \"foreign\" to 'effect'"),
    ] {
        let text = format!(
            "[[rule]]\nid = 'a'\ndecision = 'allow'\n{keys}\nmatches = [{{ stop = 'x' }}]\nnot_matches = [{{ stop = 'x' }}]"
        );
        let error = book().with_file("rules.toml", &text).err().unwrap().to_string();
        assert!(error.contains(expected), "{keys}: {error}");
    }
}

#[test]
fn always_means_this_target_or_this_server_and_never_a_tool_or_oneself() {
    let words = |text: &str| {
        let drafts = case(text).drafts(&book());
        drafts.iter().map(|draft| draft.words.render(&Keys)).collect::<Vec<_>>()
    };
    let again = |what: &str| format!("rule-draft-again(what={what})");
    assert_eq!(
        words("foreign github/get_issue"),
        [
            again("effect-act(kind=foreign, target=github/get_issue, content=\"x\")"),
            "rule-draft-act(targets=github/get_issue, days=30)".to_owned(),
            "rule-draft-acts(targets=github, days=30)".to_owned(),
        ]
    );
    assert_eq!(words("phone_call +34600").len(), 2);
    for text in ["make_tool weather", "change_self soul", "phone_call +34600 ;; write a", "remember ana"] {
        assert_eq!(words(text), Vec::<String>::new(), "{text}");
    }
}
