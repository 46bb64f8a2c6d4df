//! Telling people something.

mod message;

pub(crate) use message::Tell;
