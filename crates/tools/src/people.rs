//! Messages to people, and calls.

mod contacts;
mod message;
mod phone;

pub use contacts::{Contacts, PhoneNumber};
pub(crate) use message::Tell;
pub(crate) use phone::{Phone, PhoneAction};
pub use phone::{broken_contacts, no_contact};
