//! Door 3: the only HTTP client of the program.
//!
//! [`NetClient`] implements [`palanca_core::ports::http::Http`]. It follows no redirect, uses no proxy and decodes no
//! body: what a server sends is what the caller gets.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod client;
mod failure;

pub use client::{NetClient, NetOptions};
