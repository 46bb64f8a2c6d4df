//! The door on a real network: a network namespace in which every address of the world is answered by this process, and a
//! capture that shows where each packet went.
//!
//! A test starts its own binary again inside the namespace and runs itself there. Where no namespace can be made it says so
//! aloud and checks nothing.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    unsafe_code,
    missing_docs
)]

mod capture;
mod corpus;
mod crowds;
mod hosted;
mod listen;
mod names;
mod places;
mod servers;
mod slow;
mod space;
mod streams;
mod together;
mod users;
mod websockets;
mod world;
