//! The library face of Palanca: re-exports, no logic.
//!
//! Start with [`tool`], [`Registry`] and [`Gate`]; the README's example shows the three together. The built-in tools are in
//! [`tools`], ways to reach people in [`channels`], the workspace's door in [`files`], its rules in [`policy`], the languages
//! in [`text`].

pub use palanca_channels as channels;
pub use palanca_core::*;
pub use palanca_derive::{Args, tool};
pub use palanca_files as files;
pub use palanca_policy as policy;
pub use palanca_text as text;
pub use palanca_tools as tools;

/// What the derive macros expand to; not for use by hand.
#[doc(hidden)]
pub mod __private {
    pub use palanca_core::__private::*;
}

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/coming-from-picoclaw.md")]
struct ComingFromPicoclaw;
