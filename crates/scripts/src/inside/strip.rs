//! From TypeScript to what the engine runs: types go, enums and namespaces become objects.
//!
//! What the engine could not run either is refused here, at its place: modules of others, and source that looks like other source.

use super::place::{is_hidden, wrong_at};
use crate::error::SyntaxError;
use crate::wire::FILE;
use oxc::allocator::Allocator;
use oxc::ast::ast::{Program, Statement};
use oxc::codegen::{Codegen, CodegenOptions};
use oxc::diagnostics::{OxcDiagnostic, Severity};
use oxc::parser::Parser;
use oxc::semantic::SemanticBuilder;
use oxc::span::{GetSpan as _, SourceType};
use oxc::transformer::{TransformOptions, Transformer, TypeScriptOptions};
use std::path::{Path, PathBuf};

/// A program without types.
pub(super) struct Stripped {
    pub(super) code: String,
    /// From its places (line and column, from 0) to those of the source, in order.
    places: Vec<((u32, u32), (u32, u32))>,
}

impl Stripped {
    /// The line and column of the source, from 1, for those of the program.
    pub(super) fn place(&self, line: u32, column: u32) -> (u32, u32) {
        let wanted = (line.saturating_sub(1), column.saturating_sub(1));
        let after = self.places.partition_point(|(place, _)| *place <= wanted);
        let found = after.checked_sub(1).and_then(|at| self.places.get(at));
        found.map_or((line, column), |(_, (line, column))| (line + 1, column + 1))
    }
}

pub(super) fn strip(source: &str) -> Result<Stripped, SyntaxError> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    if let Some((at, hidden)) = source.char_indices().find(|(_, character)| is_hidden(*character)) {
        let what = format!("the invisible character U+{:04X} changes how this line looks", u32::from(hidden));
        return Err(wrong_at(source, at, what));
    }
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, source, SourceType::ts().with_module(true)).parse();
    first_of(source, parsed.diagnostics.iter(), parsed.panicked)?;
    let mut program = parsed.program;
    let meaning = SemanticBuilder::new().with_check_syntax_error(true).with_enum_eval(true).build(&program);
    first_of(source, meaning.diagnostics.iter(), false)?;
    // What only types need is said with `import type`; everything else that is imported is meant.
    let typescript = TypeScriptOptions { only_remove_type_imports: true, ..TypeScriptOptions::default() };
    let options = TransformOptions { typescript, ..TransformOptions::default() };
    let transformed = Transformer::new(&allocator, Path::new(FILE), &options)
        .build_with_scoping(meaning.semantic.into_scoping(), &mut program);
    first_of(source, transformed.diagnostics.iter(), false)?;
    alone(source, &program)?;
    let options = CodegenOptions { source_map_path: Some(PathBuf::from(FILE)), ..CodegenOptions::default() };
    let printed = Codegen::new().with_options(options).with_source_text(source).build(&program);
    let tokens = printed.map.iter().flat_map(|map| map.get_tokens());
    let places =
        tokens.map(|token| ((token.get_dst_line(), token.get_dst_col()), (token.get_src_line(), token.get_src_col())));
    Ok(Stripped { places: places.collect(), code: printed.code })
}

fn first_of<'a>(
    source: &str,
    mut found: impl Iterator<Item = &'a OxcDiagnostic>,
    gave_up: bool,
) -> Result<(), SyntaxError> {
    let wrong = found.find(|found| found.severity == Severity::Error);
    match wrong {
        Some(wrong) => {
            let at = wrong.labels.iter().next().map_or(0, |label| label.offset());
            let help = wrong.help.as_ref().map_or_else(String::new, |help| format!(" ({help})"));
            Err(wrong_at(source, at as usize, format!("{}{help}", wrong.message)))
        }
        None if gave_up => Err(wrong_at(source, 0, "this cannot be read")),
        None => Ok(()),
    }
}

/// A script is one file. What only its types need is gone by now.
fn alone(source: &str, program: &Program<'_>) -> Result<(), SyntaxError> {
    for statement in &program.body {
        let from = match statement {
            Statement::ImportDeclaration(import) => Some(&import.source),
            Statement::ExportAllDeclaration(export) => Some(&export.source),
            Statement::ExportFromDeclaration(export) => Some(&export.source),
            _ => None,
        };
        if let Some(from) = from {
            let what = format!("the module '{}' cannot be imported: a tool is one file without modules", from.value);
            return Err(wrong_at(source, statement.span().start as usize, what));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
