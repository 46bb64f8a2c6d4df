//! `#[derive(Args)]`: a hidden mirror of the type carries the derives of serde and schemars, so that users need neither
//! the crates in their manifest nor their attributes.
//!
//! The mirror reads and describes each field through the contract's `Argument` and not through the field's own traits,
//! so that a type that cannot be an argument gives one error, at the type, in our words.

use crate::attributes::{ArgAttributes, Faults, doc_text};
use crate::paths::{contract, derives, private};
use crate::words;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::collections::HashSet;
use syn::ext::IdentExt as _;
use syn::{Attribute, Data, DeriveInput, Expr, Field, Fields, Ident, LitStr, Type, spanned::Spanned as _};

pub fn expand(input: &DeriveInput) -> syn::Result<TokenStream> {
    if !input.generics.params.is_empty() {
        return Err(syn::Error::new(input.generics.span(), "arguments of a tool cannot be generic"));
    }
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => {
                of_struct(&input.ident, &fields.named.iter().filter_map(Argument::of_field).collect::<Vec<_>>())
            }
            Fields::Unit => of_struct(&input.ident, &[]),
            Fields::Unnamed(fields) => Err(syn::Error::new(
                fields.span(),
                "arguments need names: use a struct with named fields, each with a doc comment",
            )),
        },
        Data::Enum(data) => words::expand(input, data),
        Data::Union(data) => Err(syn::Error::new(data.union_token.span(), "arguments of a tool cannot be a union")),
    }
}

/// A field of a struct, or a parameter of a function.
pub struct Argument<'a> {
    pub name: &'a Ident,
    pub ty: &'a Type,
    pub attributes: &'a [Attribute],
}

impl<'a> Argument<'a> {
    fn of_field(field: &'a Field) -> Option<Self> {
        let name = field.ident.as_ref()?;
        Some(Self { name, ty: &field.ty, attributes: &field.attrs })
    }

    /// The name in JSON.
    fn json_name(&self, attributes: &ArgAttributes) -> String {
        attributes.rename.as_ref().map_or_else(|| self.name.unraw().to_string(), LitStr::value)
    }
}

/// The arguments' implementations for a struct that has these fields.
pub fn of_struct(name: &Ident, arguments: &[Argument<'_>]) -> syn::Result<TokenStream> {
    let (contract, private) = (contract(), private());
    let mut faults = Faults::default();
    let mut seen = HashSet::new();
    let (mut mirrored, mut functions) = (Vec::new(), Vec::new());
    for (index, argument) in arguments.iter().enumerate() {
        let Some(attributes) = faults.keep(checked(argument)) else { continue };
        let json_name = argument.json_name(&attributes);
        if !seen.insert(json_name.clone()) {
            faults.add(syn::Error::new(argument.name.span(), format!("there are two arguments `{json_name}`")));
        }
        mirrored.push(mirror_field(index, argument, &attributes, &json_name));
        functions.push(field_functions(index, argument.ty, attributes.default.as_ref()));
    }
    faults.end()?;
    let names: Vec<_> = arguments.iter().map(|argument| argument.name).collect();
    let derives = derives(&[quote!(serde::Deserialize), quote!(schemars::JsonSchema)]);
    let text = name.to_string();
    Ok(quote! {
        const _: () = {
            #(#functions)*

            #derives
            #[serde(deny_unknown_fields)]
            struct __Mirror {
                #(#mirrored,)*
            }

            impl<'de> #private::serde::Deserialize<'de> for #name {
                fn deserialize<__D: #private::serde::Deserializer<'de>>(
                    from: __D,
                ) -> ::core::result::Result<Self, __D::Error> {
                    let mirror = <__Mirror as #private::serde::Deserialize>::deserialize(from)?;
                    ::core::result::Result::Ok(Self { #(#names: mirror.#names,)* })
                }
            }

            impl #private::schemars::JsonSchema for #name {
                fn schema_name() -> ::std::borrow::Cow<'static, str> {
                    ::std::borrow::Cow::Borrowed(#text)
                }

                fn inline_schema() -> bool {
                    true
                }

                fn json_schema(generator: &mut #private::schemars::SchemaGenerator) -> #private::schemars::Schema {
                    <__Mirror as #private::schemars::JsonSchema>::json_schema(generator)
                }
            }

            impl #contract::Args for #name {
                fn words() -> ::core::option::Option<#contract::message::Words> {
                    #private::words()
                }
            }
        };
    })
}

/// The attributes of a fully described argument.
fn checked(argument: &Argument<'_>) -> syn::Result<ArgAttributes> {
    let Argument { name, ty, attributes } = argument;
    if doc_text(attributes).is_empty() {
        return Err(syn::Error::new(
            name.span(),
            format!("the model needs to know what `{name}` is: add a doc comment"),
        ));
    }
    let attributes = ArgAttributes::of(attributes)?;
    let inner = type_name(inner_of("Option", ty).unwrap_or(ty));
    let is = |names: &[&str]| inner.as_deref().is_some_and(|inner| names.contains(&inner));
    if let Some(bound) = attributes.min.as_ref().or(attributes.max.as_ref())
        && is(&["String", "Vec", "bool"])
    {
        return Err(syn::Error::new(bound.span(), format!("`{name}` is not a number: it has no min or max")));
    }
    if let Some(length) = &attributes.max_length
        && is(&["bool", "f32", "f64", "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize"])
    {
        return Err(syn::Error::new(length.span(), format!("`{name}` is not text: it has no max_length")));
    }
    if let Some(default) = &attributes.default
        && inner_of("Option", ty).is_some()
    {
        return Err(syn::Error::new(
            default.span(),
            format!("an `Option` has no default: give `{name}` the type inside it"),
        ));
    }
    Ok(attributes)
}

fn mirror_field(index: usize, argument: &Argument<'_>, attributes: &ArgAttributes, json_name: &str) -> TokenStream {
    let Argument { name, ty, attributes: all } = argument;
    let path = |what: &str| LitStr::new(&field_function(index, what).to_string(), Span::call_site());
    let (read, describe, description) = (path("read"), path("describe"), doc_text(all));
    let mut more = Vec::new();
    if attributes.default.is_some() {
        let (default, shown) = (path("default"), field_function(index, "shown"));
        more.push(quote!(#[serde(default = #default)] #[schemars(extend("default" = #shown()))]));
    } else if inner_of("Option", ty).is_some() {
        // The second attribute prevents `null` from being shown as the default.
        more.push(quote!(#[serde(default, skip_serializing_if = "::core::option::Option::is_none")]));
    }
    let bounds = [("min", &attributes.min), ("max", &attributes.max)].into_iter().filter_map(|(word, bound)| {
        let (word, bound) = (format_ident!("{word}"), bound.as_ref()?);
        Some(quote!(#word = #bound))
    });
    let bounds: Vec<_> = bounds.collect();
    if !bounds.is_empty() {
        more.push(quote!(#[schemars(range(#(#bounds),*))]));
    }
    if let Some(longest) = &attributes.max_length {
        more.push(quote!(#[schemars(length(max = #longest))]));
    }
    quote! {
        #[serde(rename = #json_name, deserialize_with = #read)]
        #[schemars(schema_with = #describe, description = #description)]
        #(#more)*
        #name: #ty
    }
}

fn field_function(index: usize, what: &str) -> Ident {
    format_ident!("__{what}_{index}")
}

/// How the field is read, described and filled in.
fn field_functions(index: usize, ty: &Type, default: Option<&Expr>) -> TokenStream {
    let private = private();
    let [read, describe, fill, shown] =
        ["read", "describe", "default", "shown"].map(|what| field_function(index, what));
    // Spanned at the type, so that the error for an unsuitable type points at it.
    let argument = quote_spanned!(ty.span()=> <#ty as #private::Argument>);
    let default = default.map(|value| {
        // Text may be written as a literal; a number's type is taken from the field.
        let is_text = matches!(value, Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(_), .. }));
        let value = if is_text { quote!(::core::convert::Into::into(#value)) } else { quote!(#value) };
        quote! {
            fn #fill() -> #ty {
                #value
            }

            fn #shown() -> #private::serde_json::Value {
                #[allow(unused_imports, reason = "one of the two is used, by the type")]
                use #private::{ShowJson as _, ShowWord as _};
                (&&#private::Shown(&#fill())).shown()
            }
        }
    });
    quote! {
        fn #read<'de, __D: #private::serde::Deserializer<'de>>(from: __D) -> ::core::result::Result<#ty, __D::Error> {
            #argument::read(from)
        }

        fn #describe(generator: &mut #private::schemars::SchemaGenerator) -> #private::schemars::Schema {
            #argument::describe(generator)
        }

        #default
    }
}

/// `T` of `Outer<T>`, by name alone, because a macro sees no types.
pub fn inner_of<'a>(outer: &str, ty: &'a Type) -> Option<&'a Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == outer)?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Type(inner) => Some(inner),
        _ => None,
    })
}

fn type_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    }
}
