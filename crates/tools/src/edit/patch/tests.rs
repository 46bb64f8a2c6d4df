#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

mod applying;
mod envelope;
mod parsing;
mod peers;
mod planning;
mod properties;
mod speed;
