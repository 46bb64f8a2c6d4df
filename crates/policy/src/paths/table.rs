//! The built-in rows. A row names a kind of file that programs really use for credentials or start-up code; words that
//! merely sound secret stay ordinary. New rows need examples of both sorts.

mod families;
mod logins;
mod protected;
mod secret;

pub(super) use logins::LOGINS;
pub(super) use protected::{OWN, PROTECTED};
pub(super) use secret::SECRET;
