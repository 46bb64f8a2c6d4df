//! The Model Context Protocol.
//!
//! [`Servers`] keeps foreign servers connected, whose tools are then in the registry of every agent: a call of one is a call through
//! the gate like any other, with the effect [`Foreign`](palanca_core::call::ActKind::Foreign).
//!
//! [`Server`] gives the tools of a session to a client: every request for a tool is a call through the session's gate, and what
//! a person has to decide is asked through the client where it can.

mod client;
mod import;
mod server;

pub use client::{Change, Needed, ServerStatus, Servers, Standing, tool_name};
pub use import::{Imported, ImportedSecret, ImportedServer, import};
pub use server::{Opener, Server, ServerError};
