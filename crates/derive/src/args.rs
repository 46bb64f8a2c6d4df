//! `#[derive(Args)]`: a hidden mirror of the type carries the derives of serde and schemars, so that users need neither
//! crate in their manifest nor their attributes.

use crate::attributes::{ArgAttributes, docs};
use crate::paths::contract;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Attribute, Data, DataEnum, DeriveInput, Field, Fields, Ident, LitStr, spanned::Spanned as _};

pub fn expand(input: &DeriveInput) -> syn::Result<TokenStream> {
    if !input.generics.params.is_empty() {
        return Err(syn::Error::new(input.generics.span(), "arguments of a tool cannot be generic"));
    }
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => of_struct(&input.ident, fields.named.iter().collect()),
            Fields::Unit => of_struct(&input.ident, Vec::new()),
            Fields::Unnamed(fields) => Err(syn::Error::new(
                fields.span(),
                "arguments need names: use a struct with named fields, each with a doc comment",
            )),
        },
        Data::Enum(data) => of_enum(&input.ident, &input.attrs, data),
        Data::Union(data) => Err(syn::Error::new(data.union_token.span(), "arguments of a tool cannot be a union")),
    }
}

fn of_struct(name: &Ident, fields: Vec<&Field>) -> syn::Result<TokenStream> {
    let contract = contract();
    let names: Vec<_> = fields.iter().filter_map(|field| field.ident.as_ref()).collect();
    let mut mirrored = Vec::new();
    let mut defaults = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let (mirror, default) = mirror_field(index, field)?;
        mirrored.push(mirror);
        defaults.extend(default);
    }
    let derives = derives();
    let delegated = delegated(name);
    Ok(quote! {
        const _: () = {
            use #contract::__private::{schemars, serde};

            #(#defaults)*

            #derives
            struct Mirror {
                #(#mirrored,)*
            }

            impl ::core::convert::From<Mirror> for #name {
                fn from(mirror: Mirror) -> Self {
                    let Mirror { #(#names,)* } = mirror;
                    Self { #(#names,)* }
                }
            }

            #delegated

            impl #contract::Args for #name {}
        };
    })
}

fn mirror_field(index: usize, field: &Field) -> syn::Result<(TokenStream, Option<TokenStream>)> {
    let (Some(name), ty) = (&field.ident, &field.ty) else {
        return Err(syn::Error::new(field.span(), "arguments need names"));
    };
    let docs = docs(&field.attrs);
    if docs.is_empty() {
        return Err(syn::Error::new(
            name.span(),
            format!("the model needs to know what `{name}` is: add a doc comment"),
        ));
    }
    let attributes = ArgAttributes::of(&field.attrs)?;
    let mut more = Vec::new();
    let mut default = None;
    if let Some(value) = &attributes.default {
        let function = format_ident!("default_{index}");
        let path = LitStr::new(&function.to_string(), Span::call_site());
        more.push(quote!(#[serde(default = #path)]));
        // Text may be written as a literal; a number's type is taken from the field.
        let is_text = matches!(value, syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(_), .. }));
        let value = if is_text { quote!(::core::convert::Into::into(#value)) } else { quote!(#value) };
        default = Some(quote! { fn #function() -> #ty { #value } });
    } else if is_option(ty) {
        more.push(quote!(#[serde(default)]));
    }
    if let Some(rename) = &attributes.rename {
        more.push(quote!(#[serde(rename = #rename)]));
    }
    match (&attributes.min, &attributes.max) {
        (Some(min), Some(max)) => more.push(quote!(#[schemars(range(min = #min, max = #max))])),
        (Some(min), None) => more.push(quote!(#[schemars(range(min = #min))])),
        (None, Some(max)) => more.push(quote!(#[schemars(range(max = #max))])),
        (None, None) => {}
    }
    if let Some(longest) = &attributes.max_length {
        more.push(quote!(#[schemars(length(max = #longest))]));
    }
    Ok((quote!(#(#docs)* #(#more)* #name: #ty), default))
}

fn of_enum(name: &Ident, attributes: &[Attribute], data: &DataEnum) -> syn::Result<TokenStream> {
    let contract = contract();
    let docs = docs(attributes);
    let mut words = Vec::new();
    let mut mirrored = Vec::new();
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            return Err(syn::Error::new(variant.fields.span(), "only plain words: this variant may not carry fields"));
        }
        let (word, word_docs) = (&variant.ident, crate::attributes::docs(&variant.attrs));
        let rename = ArgAttributes::of(&variant.attrs)?.rename.map(|text| quote!(#[serde(rename = #text)]));
        mirrored.push(quote!(#(#word_docs)* #rename #word));
        words.push(word);
    }
    let derives = derives();
    let delegated = delegated(name);
    Ok(quote! {
        const _: () = {
            use #contract::__private::{schemars, serde};

            #(#docs)*
            #derives
            #[serde(rename_all = "snake_case")]
            enum Mirror {
                #(#mirrored,)*
            }

            impl ::core::convert::From<Mirror> for #name {
                fn from(mirror: Mirror) -> Self {
                    match mirror {
                        #(Mirror::#words => Self::#words,)*
                    }
                }
            }

            #delegated
        };
    })
}

fn derives() -> TokenStream {
    let contract = contract().to_string().replace(' ', "");
    let (serde, schemars) = (format!("{contract}::__private::serde"), format!("{contract}::__private::schemars"));
    quote! {
        #[derive(serde::Deserialize, schemars::JsonSchema)]
        #[serde(crate = #serde)]
        #[schemars(crate = #schemars)]
    }
}

/// The type reads like its mirror and is described like its mirror.
fn delegated(name: &Ident) -> TokenStream {
    let text = name.to_string();
    quote! {
        impl<'de> serde::Deserialize<'de> for #name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> ::core::result::Result<Self, D::Error> {
                <Mirror as serde::Deserialize>::deserialize(from).map(::core::convert::Into::into)
            }
        }

        impl schemars::JsonSchema for #name {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed(#text)
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                <Mirror as schemars::JsonSchema>::json_schema(generator)
            }
        }
    }
}

fn is_option(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Option"))
}
