//! Requests to outside hosts chosen by calls: [`WebDoor`] implements [`palanca_core::ports::Web`].
//!
//! It refuses everything except public web servers: by the address as text (`target`, `names`, `ports`, `lists`), by
//! the addresses that its name resolves to (`resolve`, `address`), and again at every redirect (`redirect`). A
//! connection goes to an address that was judged for this request, and ends with it: without pool, proxy and cookies
//! nothing can lead elsewhere. That is why the library underneath only handles connections and does not follow
//! redirects or resolve names itself.

mod address;
mod body;
mod cache;
mod connect;
mod door;
mod lists;
mod names;
mod options;
mod pace;
mod pieces;
mod ports;
mod redirect;
mod resolve;
#[cfg(test)]
mod scripted;
mod send;
mod socket;
pub(crate) mod target;

pub use door::WebDoor;
pub use options::{CacheLimits, WebOptions, WebOptionsError};
pub use resolve::{Resolve, SystemResolve};
