//! Door 3: the only way to the network.
//!
//! [`WebDoor`] implements [`palanca_core::ports::Web`] for what calls choose: it judges where every request leads.
//! [`NetClient`] implements [`palanca_core::ports::http::Http`]. It follows no redirect, uses no proxy and decodes no
//! body: what a server sends is what the caller gets.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod client;
mod connect;
mod failure;
mod line;
mod web;

pub use client::{NetClient, NetOptions, Origin};
pub use connect::{Dial, SystemDial, Wire};
pub use web::{CacheLimits, Resolve, SystemResolve, WebDoor, WebOptions, WebOptionsError};
