//! The only place that opens the database: questions, rules, the undo index; and the audit log.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod audit;
mod database;
mod error;

pub use audit::{Audit, AuditError, AuditSettings, Entry, Kind, Problem, Verified, entries, verify};
pub use database::{Database, FILE_NAME};
pub use error::StoreError;
