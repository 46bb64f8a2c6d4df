#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::super::shelf::Wanted;
use super::{WORKSPACE, case, rules};
use proptest::prelude::*;
use std::path::Path;

const PLACES: [&str; 12] = [
    "src/**",
    "src/a.rs",
    "Docs/**",
    "docs",
    "d*/x",
    "**/x",
    "a",
    "A/b/",
    "{src,docs}/x",
    "[s]rc/a.rs",
    "**",
    "root1:lib/**",
];
const COMMANDS: [&str; 6] = [
    "['git', 'push', '...']",
    "['rm', '...']",
    "['/bin/rm', 'x']",
    "['cat', '*']",
    "['cargo', 'test']",
    "['a', '...']",
];
const HOSTS: [&str; 5] = ["docs.rs", "*.example.com", "*", "a.example.com:8080", "10.0.0.1"];
const DEEDS: [&str; 34] = [
    "read src/a.rs",
    "read SRC/A.RS",
    "read a",
    "read a/b/c",
    "write docs/x",
    "write Docs/y",
    "write docs",
    "write x",
    "delete src",
    "delete .",
    "delete a",
    "search .",
    "search src",
    "search docs/x",
    "move src/a.rs docs/x",
    "move x a",
    "run git push",
    "run git -C x push",
    "run /usr/bin/git push",
    "run rm x",
    "run /bin/rm x",
    "run cat src/a.rs",
    "run cat < docs/x > a",
    "run $X y",
    "run ls .",
    "run cargo test",
    "run x=1",
    "run ./a",
    "feed rm x",
    "reach https://docs.rs/a",
    "reach https://b.a.example.com:8080/",
    "post https://example.com/",
    "tell ops:ana",
    "tell x:y",
];

fn body() -> impl Strategy<Value = String> {
    let decision = prop::sample::select(vec!["allow", "ask", "deny"]);
    let kinds = prop::sample::subsequence(vec!["read", "write", "delete", "move"], 1..=4);
    let places = prop::sample::subsequence(PLACES.to_vec(), 1..=2);
    let of_files = (decision.clone(), kinds, places)
        .prop_map(|(decision, kinds, paths)| format!("decision = {decision:?}\neffect = {kinds:?}\npaths = {paths:?}"));
    let kinds = prop::sample::subsequence(vec!["run", "feed"], 1..=2);
    let of_programs = (decision.clone(), kinds, prop::sample::select(COMMANDS.to_vec()))
        .prop_map(|(decision, kinds, words)| format!("decision = {decision:?}\neffect = {kinds:?}\ncommand = {words}"));
    let of_classes = prop::sample::select(vec!["allow", "deny"])
        .prop_map(|decision| format!("decision = {decision:?}\neffect = 'run'\nclass = 'dev'"));
    let of_texts = prop::sample::select(vec!["rm x", "cargo test", "x=1"])
        .prop_map(|text| format!("decision = 'allow'\neffect = 'run'\ntext = {text:?}"));
    let of_hosts = (prop::sample::select(vec!["ask", "deny"]), prop::sample::subsequence(HOSTS.to_vec(), 1..=2))
        .prop_map(|(decision, hosts)| format!("decision = {decision:?}\neffect = 'reach'\nhosts = {hosts:?}"));
    let of_urls = Just("decision = 'allow'\neffect = 'reach'\nurl = 'https://docs.rs/a'".to_owned());
    let of_people = (decision, prop::sample::select(vec!["ops", "Ops"]))
        .prop_map(|(decision, name)| format!("decision = {decision:?}\neffect = 'message'\nchannels = [{name:?}]"));
    let mixed =
        Just("decision = 'ask'\neffect = ['read', 'run']\npaths = ['src/**']\ncommand = ['rm', '...']".to_owned());
    prop_oneof![4 => of_files, 3 => of_programs, 1 => of_classes, 1 => of_texts, 2 => of_hosts, 1 => of_urls, 1 => of_people, 1 => mixed]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    /// The rules that a call asks say what all of them would say.
    #[test]
    fn a_call_asks_every_rule_that_could_be_about_it(
        bodies in prop::collection::vec(body(), 1..8),
        deeds in prop::collection::vec(prop::sample::select(DEEDS.to_vec()), 1..3),
    ) {
        let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
        let book = rules(&bodies);
        let case = case(&deeds.join(" ;; "));
        let subject = case.subject();
        let laid_out = subject.deeds(Path::new(WORKSPACE));
        let asked = book.judged_by(&Wanted::of(&laid_out), &subject, &laid_out);
        let all = book.judged_by(&Wanted::All, &subject, &laid_out);
        prop_assert_eq!(asked.map(|verdict| verdict.rule), all.map(|verdict| verdict.rule));
    }
}
