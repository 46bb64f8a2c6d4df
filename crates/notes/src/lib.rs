//! stub
mod skill;
pub use skill::*;
