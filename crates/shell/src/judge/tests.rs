#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::judge;
use crate::{Class, SecretNames, Surroundings};

#[test]
fn the_worst_part_decides() {
    let around = Surroundings {
        workspace: "/w".into(),
        directory: "/w".into(),
        home: None,
        environment: Vec::new(),
        secrets: SecretNames::none(),
    };
    let judged = judge("ls; sudo id; ./x", &around);
    assert_eq!(judged.class, Class::Blocked);
    assert_eq!(judged.reason.rule, "shell.block.privilege");
    assert!(judged.is_read_in_full());
}
