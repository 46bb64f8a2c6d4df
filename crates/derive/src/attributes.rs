//! The contents of `#[tool(…)]` and `#[arg(…)]`, and doc comments as text. Each key may be given once.

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Ident, LitInt, LitStr, Path, Token, parenthesized};

/// What a tool declares to touch.
pub enum Touches {
    Nothing(Ident),
    Paths { kind: PathKind, word: Ident, parameters: Vec<Ident> },
    Function { word: Ident, path: Path },
}

impl Touches {
    pub fn word(&self) -> &Ident {
        match self {
            Self::Nothing(word) | Self::Paths { word, .. } | Self::Function { word, .. } => word,
        }
    }
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
    pub sensitive: Option<Ident>,
}

impl Parse for ToolAttributes {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut attributes = Self::default();
        while !input.is_empty() {
            attributes.one(input)?;
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(attributes)
    }
}

impl ToolAttributes {
    fn one(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let word: Ident = input.parse()?;
        let text = word.to_string();
        match text.as_str() {
            "pure" => self.touches.push(Touches::Nothing(word)),
            "reads" => self.touches.push(paths(input, PathKind::ReadFile, word)?),
            "reads_tree" => self.touches.push(paths(input, PathKind::ReadTree, word)?),
            "writes" => self.touches.push(paths(input, PathKind::Write, word)?),
            "deletes" => self.touches.push(paths(input, PathKind::Delete, word)?),
            "effects" => {
                input.parse::<Token![=]>()?;
                self.touches.push(Touches::Function { word, path: input.parse()? });
            }
            "name" => once(&mut self.name, &word, value(input)?)?,
            "timeout" => once(&mut self.timeout, &word, seconds(input)?)?,
            "sensitive" => once(&mut self.sensitive, &word.clone(), word)?,
            _ => {
                return Err(syn::Error::new(
                    word.span(),
                    "expected pure, reads(…), reads_tree(…), writes(…), deletes(…), effects = …, name = …, timeout = … or sensitive",
                ));
            }
        }
        Ok(())
    }
}

fn once<T>(slot: &mut Option<T>, word: &Ident, value: T) -> syn::Result<()> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(syn::Error::new(word.span(), format!("`{word}` is said twice"))),
    }
}

fn value<T: Parse>(input: ParseStream<'_>) -> syn::Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}

fn seconds(input: ParseStream<'_>) -> syn::Result<LitInt> {
    let seconds: LitInt = value(input)?;
    match seconds.base10_parse::<u64>()? {
        0 => Err(syn::Error::new(seconds.span(), "a timeout of 0 seconds stops every call: give at least 1")),
        _ => Ok(seconds),
    }
}

fn paths(input: ParseStream<'_>, kind: PathKind, word: Ident) -> syn::Result<Touches> {
    let inner;
    parenthesized!(inner in input);
    let parameters: Vec<Ident> = Punctuated::<Ident, Token![,]>::parse_terminated(&inner)?.into_iter().collect();
    if parameters.is_empty() {
        return Err(syn::Error::new(word.span(), format!("name the parameters: `{word}(path)`")));
    }
    Ok(Touches::Paths { kind, word, parameters })
}

/// The contents of `#[arg(…)]` on a field or a word.
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
                let word = meta.path.require_ident()?.clone();
                let slot = match word.to_string().as_str() {
                    "default" => &mut found.default,
                    "min" => &mut found.min,
                    "max" => &mut found.max,
                    "max_length" => &mut found.max_length,
                    "rename" => return once(&mut found.rename, &word, meta.value()?.parse()?),
                    _ => return Err(meta.error("expected default, min, max, max_length or rename")),
                };
                once(slot, &word, meta.value()?.parse()?)
            })?;
        }
        Ok(found)
    }
}

/// The doc comment's attributes.
pub fn docs(attributes: &[Attribute]) -> Vec<&Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("doc")).collect()
}

/// The doc comment as text, without the space that follows the slashes. Empty if there is none.
pub fn doc_text(attributes: &[Attribute]) -> String {
    let lines = docs(attributes).into_iter().filter_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => {
                let text = text.value();
                Some(text.strip_prefix(' ').unwrap_or(&text).trim_end().to_owned())
            }
            _ => None,
        },
        _ => None,
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// All errors, reported together.
#[derive(Default)]
pub struct Faults(Option<syn::Error>);

impl Faults {
    pub fn add(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(first) => first.combine(error),
            none => *none = Some(error),
        }
    }

    /// The value; an error is stored for later.
    pub fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    pub fn end(self) -> syn::Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}
