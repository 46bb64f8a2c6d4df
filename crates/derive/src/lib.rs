//! `#[tool]` and `#[derive(Args)]`: name, schema and documentation from one function or struct.
//!
//! Missing information for a model is a compile error here: no doc comment, a name that providers refuse, undeclared
//! effects.

mod args;
mod attributes;
mod paths;
mod tool;
mod words;

use proc_macro::TokenStream;

/// Arguments of a tool: a struct whose fields all have doc comments, or an enum of plain words as the type of a field.
///
/// | `#[arg(…)]` | means |
/// |---|---|
/// | `default = EXPR` | optional, with this value, which the schema shows |
/// | `min = N`, `max = N` | the range of a number |
/// | `max_length = N` | the longest string, in characters |
/// | `rename = "…"` | another name in JSON |
///
/// `Option<T>` is optional without a default. Words of an enum are written in `snake_case`. A struct may be the type of
/// a field of another one; unknown fields are an error there, too.
///
/// Used in the example [`stateful_tool.rs`](https://github.com/palanca/palanca/blob/main/crates/palanca/examples/stateful_tool.rs).
#[proc_macro_derive(Args, attributes(arg))]
pub fn derive_args(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    args::expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Turns a function into a tool: its doc comment becomes the description, its parameters become the schema.
///
/// What the tool touches must be declared: `pure`, or one or more of `reads(param, …)`, `reads_tree(param, …)`,
/// `writes(param, …)` and `deletes(param, …)`, or `effects = function`
/// (`fn(&Args, &Scope) -> Result<Claims, ToolError>`). A named parameter is text, or an `Option` or `Vec` of text; an
/// omitted one claims nothing. Also: `name = "…"`, `timeout = SECONDS`, `sensitive`.
///
/// An `async fn` runs cooperatively: it must await now and then, because one that never does cannot be ended, and on a
/// single-threaded runtime blocks everything else, its own time limit included. A tool that blocks or computes for long
/// is a plain `fn`, which runs on its own thread and is abandoned at its time limit. A parameter of type `ToolCx` or
/// `&ToolCx` is the context, not an argument. `read_page` becomes the unit struct `ReadPage` with its arguments
/// `ReadPageArgs`; the function itself is no longer callable: the gate is the only way to run it.
///
/// Used in the example of the [`README.md`](https://github.com/palanca/palanca#a-tool-of-your-own).
#[proc_macro_attribute]
pub fn tool(attributes: TokenStream, item: TokenStream) -> TokenStream {
    let attributes = syn::parse_macro_input!(attributes as attributes::ToolAttributes);
    let function = syn::parse_macro_input!(item as syn::ItemFn);
    tool::expand(&attributes, &function).unwrap_or_else(|error| error.to_compile_error()).into()
}
