//! The library crate of Palanca: re-exports, and English where no other language is set.
//!
//! Start with [`tool`], [`Registry`] and [`Gate`]; the README's example shows the three together. The built-in tools are in
//! [`tools`], ways to reach people in [`channels`], the workspace's door in [`files`], its rules in [`policy`], the languages
//! in [`text`], the network's door and the HTTP client in [`net`] (feature `net`, on unless switched off).

mod english;
pub mod tools;

pub use palanca_channels as channels;
pub use palanca_core::*;
pub use palanca_derive::{Args, tool};
pub use palanca_files as files;
#[cfg(feature = "net")]
pub use palanca_net as net;
pub use palanca_policy as policy;
pub use palanca_text as text;

/// What the derive macros expand to; not for use by hand.
#[doc(hidden)]
pub mod __private {
    pub use crate::english::words;
    pub use palanca_core::__private::{Argument, ShowJson, ShowWord, Shown, Word, schemars, serde, serde_json};
}

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/coming-from-picoclaw.md")]
struct ComingFromPicoclaw;

#[cfg(all(doctest, feature = "net"))]
#[doc = include_str!("../../../docs/contracts.md")]
struct Contracts;
