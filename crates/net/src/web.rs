//! The way to hosts outside that a call chose: [`WebDoor`] implements [`palanca_core::ports::Web`].
//!
//! It refuses everything that is not a public web server's: by its address as text (`target`, `names`, `ports`, `lists`),
//! by the addresses that its name leads to (`resolve`, `address`), and again at every redirect (`redirect`). A connection
//! goes to an address that was judged for this very request, and ends with it: with no pool, no proxy and no cookies nothing
//! can lead elsewhere. That is why the library underneath only handles connections and does not follow redirects or resolve
//! names itself.

mod address;
mod body;
mod cache;
mod connect;
mod door;
mod lists;
mod names;
mod options;
mod pace;
mod ports;
mod redirect;
mod resolve;
#[cfg(test)]
mod scripted;
mod send;
pub(crate) mod target;

pub use door::WebDoor;
pub use options::{CacheLimits, WebOptions, WebOptionsError};
pub use resolve::{Resolve, SystemResolve};
