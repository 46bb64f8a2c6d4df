//! What a tool is: a specification, effects, optionally a preview, and a run that needs a permit.

pub(crate) mod argument;
mod cx;
mod erased;
mod pending;
mod permit;
mod typed;

pub use cx::ToolCx;
pub(crate) use cx::World;
pub use erased::{AnyTool, Prepared, Typed};
pub(crate) use pending::Pending;
pub use permit::Permit;
pub use typed::{Args, Tool};

pub use crate::call::{
    Annotations, Cancel, Extent, FileDelta, Lane, Output, Preview, Provenance, Repetition, Sensitivity, Spec,
    is_of_tools,
};
pub use crate::ports::PreviewCx;
