//! Sessions and long texts in the database: what every backend must hold, and what only a file can get wrong.

use crate::home::Home;
use palanca_store::ArtifactLimits;
use palanca_testkit::{artifacts_conform, sessions_conform, small_artifacts_conform};

#[test]
fn sessions_hold_what_every_backend_must() {
    let home = Home::in_memory();
    sessions_conform(|| home.fresh());
}

#[test]
fn long_texts_hold_what_every_backend_must() {
    let home = Home::in_memory();
    artifacts_conform(|| home.fresh());
    small_artifacts_conform(|| home.fresh().artifacts(ArtifactLimits { each: 1_000, ..ArtifactLimits::default() }));
}
