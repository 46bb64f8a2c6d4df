//! Reads the function's signature: arguments, an optional context, and a result.

use crate::args::Argument;
use crate::attributes::Faults;
use syn::{Attribute, FnArg, Ident, ItemFn, Pat, PatType, ReturnType, Type, Visibility, spanned::Spanned as _};

pub enum Parameter {
    Argument { name: Ident, ty: Box<Type>, attributes: Vec<Attribute> },
    Context,
    BorrowedContext,
}

pub struct Signature {
    pub parameters: Vec<Parameter>,
    /// The function as written into the tool: private, without our attributes.
    pub inner: ItemFn,
}

impl Signature {
    pub fn of(function: &ItemFn) -> syn::Result<Self> {
        let mut faults = Faults::default();
        faults.keep(plain(function));
        let mut inner = function.clone();
        inner.vis = Visibility::Inherited;
        inner.attrs.retain(|attribute| !attribute.path().is_ident("doc"));
        let parameters = inner.sig.inputs.iter_mut().filter_map(|input| faults.keep(parameter(input))).collect();
        faults.end()?;
        Ok(Self { parameters, inner })
    }

    /// The type of the argument of this name.
    pub fn type_of(&self, wanted: &Ident) -> Option<&Type> {
        self.parameters.iter().find_map(|parameter| match parameter {
            Parameter::Argument { name, ty, .. } if name == wanted => Some(&**ty),
            _ => None,
        })
    }
}

impl<'a> Argument<'a> {
    pub fn of_parameter(parameter: &'a Parameter) -> Option<Self> {
        match parameter {
            Parameter::Argument { name, ty, attributes } => Some(Self { name, ty, attributes }),
            Parameter::Context | Parameter::BorrowedContext => None,
        }
    }
}

/// A function that can be written into the tool unchanged.
fn plain(function: &ItemFn) -> syn::Result<()> {
    let sig = &function.sig;
    let mut faults = Faults::default();
    if !sig.generics.params.is_empty() || sig.generics.where_clause.is_some() {
        faults.add(syn::Error::new(sig.generics.span(), "a tool cannot be generic: its schema is made once"));
    }
    let odd = [
        sig.constness.as_ref().map(|word| word.span()),
        sig.unsafety.as_ref().map(|word| word.span()),
        sig.abi.as_ref().map(|word| word.span()),
        sig.variadic.as_ref().map(|word| word.span()),
    ];
    for span in odd.into_iter().flatten() {
        faults.add(syn::Error::new(span, "a tool is a plain `fn` or an `async fn`"));
    }
    if matches!(sig.output, ReturnType::Default) {
        faults.add(syn::Error::new(
            sig.ident.span(),
            "a tool returns a result: `-> Result<String, ToolError>`, or another type that becomes an `Output`",
        ));
    }
    faults.end()
}

/// Reads a parameter; its attributes and its doc comment are removed from the function.
fn parameter(input: &mut FnArg) -> syn::Result<Parameter> {
    let FnArg::Typed(PatType { pat, ty, attrs, .. }) = input else {
        return Err(syn::Error::new(input.span(), "a tool is a free function: it cannot take self"));
    };
    let attributes = std::mem::take(attrs);
    if is_context(ty) {
        return Ok(Parameter::Context);
    }
    match &**ty {
        Type::Reference(reference) if is_context(&reference.elem) && reference.mutability.is_none() => {
            return Ok(Parameter::BorrowedContext);
        }
        Type::Reference(_) => {
            return Err(syn::Error::new(
                ty.span(),
                "a tool owns its arguments: use String or Vec in place of a reference",
            ));
        }
        Type::ImplTrait(_) => {
            return Err(syn::Error::new(ty.span(), "a tool cannot be generic: its schema is made once"));
        }
        _ => {}
    }
    match &**pat {
        Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
            Ok(Parameter::Argument { name: name.ident.clone(), ty: ty.clone(), attributes })
        }
        _ => Err(syn::Error::new(pat.span(), "a parameter of a tool needs a plain name")),
    }
}

fn is_context(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "ToolCx"))
}
