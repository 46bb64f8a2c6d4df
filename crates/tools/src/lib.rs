//! The built-in tools: what they do, and the vocabularies in which they are offered.
//!
//! An operation (read a range of a file, apply a patch, search) is written once, in the folder of its family. A toolset is
//! a thin vocabulary over the operations: names, arguments, defaults, texts. [`list`] says which tools there are. Tools touch the
//! world only through the handles of their [`palanca_core::ToolCx`].

pub mod edit;
mod files;
pub mod list;
mod made;
mod meta;
mod operation;
mod options;
mod people;
mod plan;
pub mod search;
mod shell;
mod soul;
mod team;
pub mod toolsets;
mod web;

pub use files::{DeniedPaths, is_base};
pub use list::{BETWEEN_BOTS, BUILT_IN, BuiltIn, Family, Permission, register_all, registry};
pub use made::{FETCH, READ, ScriptCall, Scripts, Vouched, asked_by_scripts, made_command, made_script};
pub use meta::is_time_zone;
pub use options::{
    ChannelFrom, CollaborationOptions, CommandOptions, CronOptions, DatetimeOptions, DynamicOptions, ExecOptions,
    FetchOptions, FileToolOptions, ImproveOptions, KnownChannel, MemorySearchOptions, MessageOptions, OtherBot,
    OtherBotsOptions, PhoneOptions, ProcessOptions, SearchOptions, SoulOptions, SubagentOptions, ToolOptions,
    WebOptions,
};
pub use people::{Contacts, PhoneNumber, broken_contacts, no_contact};
pub use soul::{Focus, LARGEST_REVISED, Revision, Version, files_of, local_time, recent_days, unoffered};
pub use team::{ALOUD, Talks, gone};
pub use toolsets::ToolsetName;
pub use toolsets::contracts::products;
pub use web::{BRAVE, PROVIDERS, SearchProvider, pdf_text};
