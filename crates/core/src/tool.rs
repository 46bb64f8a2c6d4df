//! What a tool is: a specification, effects, perhaps a preview, and a run that needs a permit.

pub(crate) mod argument;
mod cx;
mod erased;
mod output;
mod spec;
mod typed;

pub(crate) use cx::Doors;
pub use cx::{Cancel, PreviewCx, ToolCx};
pub use erased::{AnyTool, Prepared, Typed};
pub use output::{Extent, FileDelta, Output, Preview, Provenance, is_of_tools};
pub use spec::{Annotations, Lane, Repetition, Sensitivity, Spec};
pub use typed::{Args, Tool};
