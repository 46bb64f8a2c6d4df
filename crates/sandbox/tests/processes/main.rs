//! Door 2 on real processes: ends, output, limits, survivors, background programs, terminals, variables.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    missing_docs
)]

mod above;
mod asking;
mod attached;
mod background;
mod descriptors;
mod ends;
mod engine;
mod limits;
mod loopback;
mod lost;
mod profiles;
mod reading;
mod sockets;
mod space;
mod spares;
mod stress;
mod supervisors;
mod surroundings;
mod terminals;
mod unseen;
mod users;
mod volume;
mod writes;
