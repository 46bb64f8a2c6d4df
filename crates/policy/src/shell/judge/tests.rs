#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::{PARTS, bounded, judge, whole};
use crate::shell::{Class, Reason, Rules, Surroundings};
use palanca_core::Message;

#[test]
fn the_worst_parts_are_kept_in_order() {
    let reason = |rule: String| Reason { rule: rule.into(), message: Message::new("shell-empty") };
    let class = |at: usize| if at % 50 == 49 { Class::Blocked } else { Class::Safe };
    let parts = (0..200).map(|at| whole(class(at), reason(at.to_string()))).collect();
    let kept = bounded(parts);
    assert_eq!(kept.len(), PARTS);
    let blocked: Vec<&str> =
        kept.iter().filter(|part| part.class == Class::Blocked).map(|part| part.reason.rule.as_ref()).collect();
    assert_eq!(blocked, ["49", "99", "149", "199"]);
    assert_eq!(kept[0].reason.rule, "0");
}

#[test]
fn the_worst_part_decides() {
    let around = Surroundings { workspace: "/w".into(), directory: "/w".into(), home: None, environment: Vec::new() };
    let judged = judge("ls; sudo id; ./x", &around, &Rules::default());
    assert_eq!(judged.class, Class::Blocked);
    assert_eq!(judged.reason.rule, "shell.block.privilege");
}
