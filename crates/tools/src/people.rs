//! Messages to people.

mod message;

pub(crate) use message::Tell;
