//! Door 3: the only way to the network.
//!
//! [`WebDoor`] implements [`palanca_core::ports::Web`] for what calls choose: it judges where every request leads.
//! [`NetClient`] implements [`palanca_core::ports::http::Http`]. It follows no redirect, uses no proxy and decodes no
//! body: what a server sends is what the caller gets.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod client;
mod failure;
mod web;

pub use client::{NetClient, NetOptions, Origin};
pub use web::{CacheLimits, Dial, Resolve, SystemDial, SystemResolve, WebDoor, WebOptions, WebOptionsError, Wire};
