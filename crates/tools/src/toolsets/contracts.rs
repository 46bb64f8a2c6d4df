//! The toolset of the document *Agents Tools - Contratos*: names, arguments and JSON exactly as it says. It reads and
//! plans, and cannot write, run or send.

mod answers;
mod files;
pub mod products;

pub(crate) use answers::ValidateOutput;
pub(crate) use files::{ListDirs, ListFiles, ReadFile, SearchCode};
