//! `#[tool]`: a unit struct that implements `Tool`, with the function's body hidden inside.

use crate::attributes::{PathKind, ToolAttributes, Touches, doc_text};
use crate::paths;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Attribute, FnArg, Ident, ItemFn, Pat, PatType, Type, spanned::Spanned as _};

/// The longest name that every provider accepts.
const MAX_NAME: usize = 64;

struct Parameter {
    name: Ident,
    ty: Type,
    attributes: Vec<Attribute>,
}

pub fn expand(attributes: &ToolAttributes, mut function: ItemFn) -> syn::Result<TokenStream> {
    let contract = paths::contract();
    let name = tool_name(attributes, &function)?;
    let description = doc_text(&function.attrs);
    if description.is_empty() {
        return Err(syn::Error::new(
            function.sig.ident.span(),
            "the model needs a description: add a doc comment that says what the tool does and when to use it",
        ));
    }
    let (parameters, context) = parameters(&mut function)?;
    let claims = claims(attributes, &function, &parameters)?;
    let spec = spec(attributes, &function, &name, &description);

    let tool = format_ident!("{}", pascal(&function.sig.ident.to_string()));
    let arguments = format_ident!("{tool}Args");
    let (visibility, body) = (&function.vis, &function.sig.ident);
    let names: Vec<_> = parameters.iter().map(|parameter| &parameter.name).collect();
    let fields = parameters.iter().map(|Parameter { name, ty, attributes }| quote!(#(#attributes)* #name: #ty));
    let docs = crate::attributes::docs(&function.attrs);
    let arguments_doc = format!("Arguments of [`{tool}`].");
    let derive = paths::derive();
    let passed = context.map(|by_reference| if by_reference { quote!(&cx) } else { quote!(cx) });
    let awaited = function.sig.asyncness.map(|_| quote!(.await));
    let mut inner = function.clone();
    inner.vis = syn::Visibility::Inherited;
    inner.attrs.retain(|attribute| !attribute.path().is_ident("doc"));
    Ok(quote! {
        #(#docs)*
        #[derive(Clone, Copy, Debug, Default)]
        #visibility struct #tool;

        #[doc = #arguments_doc]
        #[derive(#derive)]
        #visibility struct #arguments {
            #(#fields,)*
        }

        impl #contract::Tool for #tool {
            type Args = #arguments;

            fn spec(&self) -> #contract::Spec {
                #spec
            }

            fn effects(
                &self,
                args: &Self::Args,
                scope: &#contract::Scope,
            ) -> ::core::result::Result<#contract::Claims, #contract::ToolError> {
                let _ = (args, scope);
                #claims
            }

            async fn run(
                &self,
                args: Self::Args,
                cx: #contract::ToolCx,
            ) -> ::core::result::Result<#contract::Output, #contract::ToolError> {
                #inner
                let #arguments { #(#names,)* } = args;
                let _ = &cx;
                #body(#(#names,)* #passed)#awaited
                    .map(::core::convert::Into::into)
                    .map_err(::core::convert::Into::into)
            }
        }
    })
}

fn tool_name(attributes: &ToolAttributes, function: &ItemFn) -> syn::Result<String> {
    let (name, span) = match &attributes.name {
        Some(name) => (name.value(), name.span()),
        None => (function.sig.ident.to_string(), function.sig.ident.span()),
    };
    if name.len() > MAX_NAME {
        let length = name.len();
        return Err(syn::Error::new(span, format!("tool name of {length} characters: providers allow {MAX_NAME}")));
    }
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-') {
        return Err(syn::Error::new(span, "tool name: providers allow A-Z, a-z, 0-9, '_' and '-'"));
    }
    Ok(name)
}

/// The arguments, and whether the context is wanted (and by reference). Their attributes leave the function.
fn parameters(function: &mut ItemFn) -> syn::Result<(Vec<Parameter>, Option<bool>)> {
    let mut parameters = Vec::new();
    let mut context = None;
    for input in &mut function.sig.inputs {
        let FnArg::Typed(PatType { pat, ty, attrs, .. }) = input else {
            return Err(syn::Error::new(input.span(), "a tool is a free function: it cannot take self"));
        };
        if let Some(by_reference) = context_type(ty) {
            context = Some(by_reference);
            continue;
        }
        if context.is_some() {
            return Err(syn::Error::new(pat.span(), "the context is the last parameter"));
        }
        let Pat::Ident(name) = &**pat else {
            return Err(syn::Error::new(pat.span(), "a parameter of a tool needs a plain name"));
        };
        parameters.push(Parameter { name: name.ident.clone(), ty: (**ty).clone(), attributes: std::mem::take(attrs) });
    }
    Ok((parameters, context))
}

fn context_type(ty: &Type) -> Option<bool> {
    match ty {
        Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "ToolCx").then_some(false),
        Type::Reference(reference) => context_type(&reference.elem).map(|_| true),
        _ => None,
    }
}

fn claims(attributes: &ToolAttributes, function: &ItemFn, parameters: &[Parameter]) -> syn::Result<TokenStream> {
    let contract = paths::contract();
    if attributes.touches.is_empty() {
        return Err(syn::Error::new(
            function.sig.ident.span(),
            "say what the tool touches: #[tool(pure)], #[tool(reads(parameter))], #[tool(writes(parameter))], \
             #[tool(deletes(parameter))] or #[tool(effects = function)]",
        ));
    }
    let mut effects = Vec::new();
    for touches in &attributes.touches {
        match touches {
            Touches::Nothing => {}
            Touches::Function(path) => return Ok(quote!(#path(args, scope))),
            Touches::Paths { kind, parameters: named } => {
                for name in named {
                    if !parameters.iter().any(|parameter| parameter.name == *name) {
                        return Err(syn::Error::new(name.span(), format!("there is no parameter `{name}`")));
                    }
                    let path = quote!(::std::string::ToString::to_string(&args.#name));
                    effects.push(match kind {
                        PathKind::ReadFile => quote!(#contract::Effect::ReadFile(#path)),
                        PathKind::ReadTree => quote!(#contract::Effect::ReadTree(#path)),
                        PathKind::Delete => quote!(#contract::Effect::Delete(#path)),
                        PathKind::Write => quote! {
                            #contract::Effect::WriteFile { path: #path, kind: #contract::call::WriteKind::Replace }
                        },
                    });
                }
            }
        }
    }
    Ok(quote!(::core::result::Result::Ok([#(#effects),*].into_iter().collect::<#contract::Claims>())))
}

fn spec(attributes: &ToolAttributes, function: &ItemFn, name: &str, description: &str) -> TokenStream {
    let contract = paths::contract();
    let reads_only = attributes.touches.iter().all(|touches| match touches {
        Touches::Nothing => true,
        Touches::Paths { kind, .. } => matches!(kind, PathKind::ReadFile | PathKind::ReadTree),
        Touches::Function(_) => false,
    });
    let hints = if reads_only { quote!(READ_ONLY) } else { quote!(WRITES) };
    let lane = function.sig.asyncness.is_none().then(|| quote!(.blocking()));
    let timeout =
        attributes.timeout.as_ref().map(|seconds| quote!(.timeout(::core::time::Duration::from_secs(#seconds))));
    let sensitive = attributes
        .sensitive
        .then(|| quote!(let spec = #contract::Spec { sensitivity: #contract::tool::Sensitivity::Always, ..spec };));
    quote! {
        let spec = #contract::Spec::new(#name, #description)
            .annotated(#contract::tool::Annotations::#hints)
            #lane
            #timeout;
        #sensitive
        spec
    }
}

fn pascal(name: &str) -> String {
    name.split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
        })
        .collect()
}
