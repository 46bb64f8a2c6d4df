#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::{PARTS, bounded};
use palanca_shell::{Class, Part, Reason, Sentence};

#[test]
fn the_worst_parts_are_kept_in_order() {
    let reason = |rule: String| Reason { rule: rule.into(), message: Sentence::new("shell-empty") };
    let class = |at: usize| if at % 50 == 49 { Class::Blocked } else { Class::Safe };
    let parts = (0..200).map(|at| Part::whole(class(at), reason(at.to_string()))).collect();
    let kept = bounded(parts);
    assert_eq!(kept.len(), PARTS);
    let blocked: Vec<&str> =
        kept.iter().filter(|part| part.class == Class::Blocked).map(|part| part.reason.rule.as_ref()).collect();
    assert_eq!(blocked, ["49", "99", "149", "199"]);
    assert_eq!(kept[0].reason.rule, "0");
}
