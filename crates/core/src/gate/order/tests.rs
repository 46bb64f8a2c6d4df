#![allow(clippy::unwrap_used, missing_docs)]
use super::*;
use crate::call::Root;
use futures_util::FutureExt as _;
use std::path::PathBuf;

/// `r:a w:b/c r:* w:* a:server task`, by spaces.
fn extent(text: &str) -> Extent {
    let mut spans = [Span::Paths(Vec::new()), Span::Paths(Vec::new())];
    let mut parties = Vec::new();
    for word in text.split_whitespace() {
        let (access, path) = match word.split_once(':') {
            None => return Extent::Task,
            Some(("a", party)) => {
                parties.push((ActKind::Foreign, party.to_owned()));
                continue;
            }
            Some(parts) => parts,
        };
        let span = &mut spans[usize::from(access == "w")];
        match (path, &mut *span) {
            ("*", _) => *span = Span::Everything,
            (path, Span::Paths(paths)) => paths.push(CanonicalPath::new(Root::Workspace, PathBuf::from(path))),
            (_, Span::Everything) => {}
        }
    }
    let [read, written] = spans;
    Extent::Own(Own { read, written, parties })
}

#[test]
fn a_call_waits_for_those_before_it_that_it_meets() {
    let check = |earlier: &str, later: &str, waits: bool| {
        let order = CallOrder::new();
        let (first, second) = (order.ticket(), order.ticket());
        second.declare(extent(later));
        assert!(second.turn().now_or_never().is_none(), "the first is not known yet: {earlier} | {later}");
        first.declare(extent(earlier));
        assert_eq!(second.turn().now_or_never().is_none(), waits, "{earlier} | {later}");
        assert!(first.turn().now_or_never().is_some(), "the first waits for nobody: {earlier} | {later}");
        drop(first);
        assert!(second.turn().now_or_never().is_some(), "{earlier} | {later}");
    };
    check("r:a", "r:a", false);
    check("r:", "r:*", false);
    check("w:a", "r:a", true);
    check("w:a", "r:b", false);
    check("r:a", "w:a", true);
    check("r:b", "w:a", false);
    check("w:a", "w:a", true);
    check("w:src/a", "r:src", true);
    check("w:src/a", "r:", true);
    check("w:src", "r:src/a/b", true);
    check("w:src/a", "r:src/ab", false);
    check("w:a", "r:*", true);
    check("w:*", "r:a", true);
    check("w:*", "w:*", true);
    check("w:*", "", false);
    check("", "w:*", false);
    check("r:*", "r:*", false);
    check("task", "task", false);
    check("task", "r:a", true);
    check("w:a", "task", true);
    check("task", "", false);
    check("a:github", "a:github", true);
    check("a:github", "a:files", false);
    check("a:github", "w:*", false);
    check("a:github", "task", true);
}

#[tokio::test]
async fn a_call_goes_on_when_the_one_before_it_ends() {
    let order = CallOrder::new();
    let (first, second) = (order.ticket(), order.ticket());
    first.declare(extent("w:a"));
    second.declare(extent("r:"));
    let waiting = tokio::spawn(async move { second.turn().await });
    tokio::task::yield_now().await;
    assert!(!waiting.is_finished());
    drop(first);
    waiting.await.unwrap();
}
