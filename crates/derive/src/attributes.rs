//! What stands in `#[tool(…)]` and `#[arg(…)]`.

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Ident, LitInt, LitStr, Path, Token, parenthesized};

/// What a tool says that it touches.
pub enum Touches {
    Nothing,
    Paths { kind: PathKind, parameters: Vec<Ident> },
    Function(Path),
}

#[derive(Clone, Copy)]
pub enum PathKind {
    ReadFile,
    ReadTree,
    Write,
    Delete,
}

#[derive(Default)]
pub struct ToolAttributes {
    pub touches: Vec<Touches>,
    pub name: Option<LitStr>,
    pub timeout: Option<LitInt>,
    pub sensitive: bool,
}

impl Parse for ToolAttributes {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut attributes = Self::default();
        while !input.is_empty() {
            let word: Ident = input.parse()?;
            match word.to_string().as_str() {
                "pure" => attributes.touches.push(Touches::Nothing),
                "reads" => attributes.touches.push(paths(input, PathKind::ReadFile)?),
                "reads_tree" => attributes.touches.push(paths(input, PathKind::ReadTree)?),
                "writes" => attributes.touches.push(paths(input, PathKind::Write)?),
                "deletes" => attributes.touches.push(paths(input, PathKind::Delete)?),
                "effects" => {
                    input.parse::<Token![=]>()?;
                    attributes.touches.push(Touches::Function(input.parse()?));
                }
                "name" => {
                    input.parse::<Token![=]>()?;
                    attributes.name = Some(input.parse()?);
                }
                "timeout" => {
                    input.parse::<Token![=]>()?;
                    attributes.timeout = Some(input.parse()?);
                }
                "sensitive" => attributes.sensitive = true,
                _ => {
                    return Err(syn::Error::new(
                        word.span(),
                        "expected pure, reads(…), reads_tree(…), writes(…), deletes(…), effects = …, name = …, timeout = … or sensitive",
                    ));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(attributes)
    }
}

fn paths(input: ParseStream<'_>, kind: PathKind) -> syn::Result<Touches> {
    let inner;
    parenthesized!(inner in input);
    let parameters = Punctuated::<Ident, Token![,]>::parse_terminated(&inner)?.into_iter().collect();
    Ok(Touches::Paths { kind, parameters })
}

/// What `#[arg(…)]` says of a field or a word.
#[derive(Default)]
pub struct ArgAttributes {
    pub default: Option<Expr>,
    pub min: Option<Expr>,
    pub max: Option<Expr>,
    pub max_length: Option<Expr>,
    pub rename: Option<LitStr>,
}

impl ArgAttributes {
    pub fn of(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut found = Self::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("arg")) {
            attribute.parse_nested_meta(|meta| {
                let slot = match meta.path.get_ident().map(ToString::to_string).as_deref() {
                    Some("default") => &mut found.default,
                    Some("min") => &mut found.min,
                    Some("max") => &mut found.max,
                    Some("max_length") => &mut found.max_length,
                    Some("rename") => {
                        found.rename = Some(meta.value()?.parse()?);
                        return Ok(());
                    }
                    _ => return Err(meta.error("expected default, min, max, max_length or rename")),
                };
                *slot = Some(meta.value()?.parse()?);
                Ok(())
            })?;
        }
        Ok(found)
    }
}

/// The doc comment's attributes.
pub fn docs(attributes: &[Attribute]) -> Vec<&Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("doc")).collect()
}

/// The doc comment as text, without the space that follows the slashes.
pub fn doc_text(attributes: &[Attribute]) -> String {
    let lines = docs(attributes).into_iter().filter_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => {
                let text = text.value();
                Some(text.strip_prefix(' ').unwrap_or(&text).to_owned())
            }
            _ => None,
        },
        _ => None,
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}
