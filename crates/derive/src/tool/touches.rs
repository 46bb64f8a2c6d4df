//! The declared effects, as code that claims them for one call.

use super::signature::Signature;
use crate::args::inner_of;
use crate::attributes::{Faults, PathKind, ToolAttributes, Touches};
use crate::paths;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Ident, ItemFn, Type};

/// Whether the attributes declare no change.
pub fn only_reads(attributes: &ToolAttributes) -> bool {
    attributes.touches.iter().all(|touches| match touches {
        Touches::Nothing(_) => true,
        Touches::Paths { kind, .. } => matches!(kind, PathKind::ReadFile | PathKind::ReadTree),
        Touches::Function { .. } => false,
    })
}

pub fn claims(attributes: &ToolAttributes, function: &ItemFn, signature: &Signature) -> syn::Result<TokenStream> {
    let contract = paths::contract();
    let touches = &attributes.touches;
    if touches.is_empty() {
        return Err(syn::Error::new(
            function.sig.ident.span(),
            "say what the tool touches: #[tool(pure)], #[tool(reads(parameter))], #[tool(writes(parameter))], \
             #[tool(deletes(parameter))] or #[tool(effects = function)]",
        ));
    }
    let whole = touches.iter().find(|one| !matches!(one, Touches::Paths { .. }));
    if let (Some(whole), true) = (whole, touches.len() > 1) {
        let word = whole.word();
        return Err(syn::Error::new(
            word.span(),
            format!("`{word}` says all that the tool touches: nothing else can be said beside it"),
        ));
    }
    let mut faults = Faults::default();
    let mut claimed = Vec::new();
    for one in touches {
        match one {
            Touches::Nothing(_) => {}
            Touches::Function { path, .. } => return Ok(quote!(#path(args, scope))),
            Touches::Paths { kind, parameters, .. } => {
                for name in parameters {
                    match signature.type_of(name) {
                        Some(ty) => claimed.push(claim(*kind, name, ty)),
                        None => faults.add(syn::Error::new(name.span(), format!("there is no parameter `{name}`"))),
                    }
                }
            }
        }
    }
    faults.end()?;
    Ok(quote! {
        let claimed: [::std::vec::Vec<#contract::call::Claim>; _] = [#(#claimed),*];
        ::core::result::Result::Ok(claimed.into_iter().flatten().collect())
    })
}

/// The claims of one parameter: one for each value.
fn claim(kind: PathKind, name: &Ident, ty: &Type) -> TokenStream {
    let contract = paths::contract();
    let effect = quote!(#contract::Effect);
    let path = quote_spanned!(name.span()=> ::std::string::ToString::to_string(path));
    let one = match kind {
        PathKind::ReadFile => quote!(#effect::ReadFile(#path)),
        PathKind::ReadTree => quote!(#effect::ReadTree(#path)),
        PathKind::Delete => quote!(#effect::Delete(#path)),
        PathKind::Write => quote!(#effect::WriteFile { path: #path, kind: #contract::call::WriteKind::Replace }),
    };
    let many = ["Option", "Vec"].iter().any(|outer| inner_of(outer, ty).is_some());
    let paths = if many { quote!(args.#name.iter()) } else { quote!(::core::iter::once(&args.#name)) };
    quote!(#paths.map(|path| #one).collect())
}
