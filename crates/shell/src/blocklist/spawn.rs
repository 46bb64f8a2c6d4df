//! Processes that make processes without end.

use super::view::View;
use crate::catalogue::{calls, mentions};
use crate::command::Shape;

/// What stands for a shape in a message.
pub(super) const fn shown(shape: Shape) -> &'static str {
    match shape {
        Shape::RecursiveFunction => "f() { f | f & }",
        Shape::EndlessSpawn => "while :; do … & done",
    }
}

pub(super) fn breaks(view: &View<'_>) -> Option<String> {
    if view.program.name() == Some(":fork-loop:") {
        return Some(view.shown());
    }
    let text = view.code()?;
    let forks = mentions(&text, calls::FORKS) || text.trim_end().ends_with("fork");
    (forks && mentions(&text, calls::ENDLESS)).then(|| view.shown())
}
