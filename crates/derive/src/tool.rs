//! `#[tool]`: a unit struct that implements `Tool`, with the function's body hidden inside.
//!
//! The expansion's own names are invisible to the body, and the body's names are passed by position, so no name of a
//! parameter or of the function can conflict.

mod signature;
mod touches;

use crate::args::{self, Argument};
use crate::attributes::{Faults, ToolAttributes, doc_text, docs};
use crate::paths;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use signature::{Parameter, Signature};
use syn::ext::IdentExt as _;
use syn::{Ident, ItemFn, ReturnType, spanned::Spanned as _};

/// The longest name that every provider accepts.
const MAX_NAME: usize = 64;

pub fn expand(attributes: &ToolAttributes, function: &ItemFn) -> syn::Result<TokenStream> {
    let mut faults = Faults::default();
    let name = faults.keep(tool_name(attributes, function)).unwrap_or_default();
    let description = doc_text(&function.attrs);
    if description.is_empty() {
        faults.add(syn::Error::new(
            function.sig.ident.span(),
            "the model needs a description: add a doc comment that says what the tool does and when to use it",
        ));
    }
    let signature = faults.keep(Signature::of(function));
    let claims = signature.as_ref().and_then(|signature| faults.keep(touches::claims(attributes, function, signature)));
    let tool = format_ident!(
        "{}",
        upper_camel_case(&function.sig.ident.unraw().to_string()),
        span = function.sig.ident.span()
    );
    let arguments = signature.as_ref().and_then(|signature| faults.keep(arguments(&tool, function, signature)));
    faults.end()?;
    let (Some(signature), Some(claims), Some(arguments)) = (signature, claims, arguments) else {
        return Ok(TokenStream::new());
    };

    let contract = paths::contract();
    let (docs, visibility) = (docs(&function.attrs), &function.vis);
    let spec = spec(attributes, function, &name, &description);
    let run = run(function, &signature);
    let argument_type = argument_type(&tool);
    Ok(quote! {
        #(#docs)*
        #[derive(Clone, Copy, Debug, Default)]
        #visibility struct #tool;

        #arguments

        impl #contract::Tool for #tool {
            type Args = #argument_type;

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

            #run
        }
    })
}

fn argument_type(tool: &Ident) -> Ident {
    format_ident!("{tool}Args")
}

fn arguments(tool: &Ident, function: &ItemFn, signature: &Signature) -> syn::Result<TokenStream> {
    let (name, visibility) = (argument_type(tool), &function.vis);
    let arguments: Vec<_> = signature.parameters.iter().filter_map(Argument::of_parameter).collect();
    let implementations = args::of_struct(&name, &arguments)?;
    let fields = arguments.iter().map(|Argument { name, ty, attributes }| {
        let docs = docs(attributes);
        quote!(#(#docs)* #visibility #name: #ty)
    });
    let doc = format!("Arguments of [`{tool}`].");
    Ok(quote! {
        #[doc = #doc]
        #visibility struct #name {
            #(#fields,)*
        }

        #implementations
    })
}

/// The method that contains the function: nothing outside can name it.
fn run(function: &ItemFn, signature: &Signature) -> TokenStream {
    let contract = paths::contract();
    // Invisible to the body and its parameters; the function's own name is an item, to which hygiene does not apply, so
    // unusual names are used.
    let [args, cx] = ["__args", "__cx"].map(|name| Ident::new(name, Span::mixed_site()));
    let passed = signature.parameters.iter().map(|parameter| match parameter {
        Parameter::Argument { name, .. } => quote!(#args.#name),
        Parameter::Context => quote!(#cx),
        Parameter::BorrowedContext => quote!(&#cx),
    });
    let (body, inner) = (&function.sig.ident, &signature.inner);
    let awaited = function.sig.asyncness.map(|_| quote!(.await));
    let span = match &function.sig.output {
        ReturnType::Type(_, ty) => ty.span(),
        ReturnType::Default => Span::call_site(),
    };
    // Spanned at the return type, so that the error for an unsuitable type points at it.
    let converted = quote_spanned! {span=>
        match ended {
            ::core::result::Result::Ok(output) => ::core::result::Result::Ok(::core::convert::Into::into(output)),
            ::core::result::Result::Err(error) => ::core::result::Result::Err(::core::convert::Into::into(error)),
        }
    };
    let ended = Ident::new("ended", span);
    quote! {
        async fn run(
            &self,
            #args: Self::Args,
            #cx: #contract::ToolCx,
        ) -> ::core::result::Result<#contract::Output, #contract::ToolError> {
            #inner
            let _ = (&#args, &#cx);
            let #ended = #body(#(#passed),*)#awaited;
            #converted
        }
    }
}

fn tool_name(attributes: &ToolAttributes, function: &ItemFn) -> syn::Result<String> {
    let (name, span) = match &attributes.name {
        Some(name) => (name.value(), name.span()),
        None => (function.sig.ident.unraw().to_string(), function.sig.ident.span()),
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

fn spec(attributes: &ToolAttributes, function: &ItemFn, name: &str, description: &str) -> TokenStream {
    let contract = paths::contract();
    let hints = if touches::only_reads(attributes) { quote!(READ_ONLY) } else { quote!(WRITES) };
    let lane = function.sig.asyncness.is_none().then(|| quote!(.blocking()));
    let timeout =
        attributes.timeout.as_ref().map(|seconds| quote!(.timeout(::core::time::Duration::from_secs(#seconds))));
    let spec = quote! {
        #contract::Spec::new(#name, #description).annotated(#contract::tool::Annotations::#hints)#lane #timeout
    };
    match attributes.sensitive {
        Some(_) => quote!(#contract::Spec { sensitivity: #contract::tool::Sensitivity::Always, ..#spec }),
        None => spec,
    }
}

fn upper_camel_case(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>())
    };
    name.split('_').filter_map(word).collect()
}
