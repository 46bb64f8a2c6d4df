//! Door 3: the only way to the network.
//!
//! [`WebDoor`] implements [`palanca_core::ports::Web`] for requests chosen by calls: it judges the target of every
//! request. [`NetClient`] implements [`palanca_core::ports::http::Http`]. It follows no redirects, uses no proxy and
//! decodes no body: the caller gets exactly what the server sends.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod client;
mod connect;
mod failure;
mod line;
pub mod listen;
mod traced;
mod web;
mod websocket;

pub use client::{NetClient, NetOptions, Origin};
pub use connect::{Dial, SystemDial, Wire};
pub use web::{CacheLimits, Resolve, SystemResolve, WebDoor, WebOptions, WebOptionsError};
