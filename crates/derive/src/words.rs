//! `#[derive(Args)]` on an enum: plain words, as the type of a field.

use crate::attributes::{ArgAttributes, Faults};
use crate::paths::{derives, private};
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::HashSet;
use syn::ext::IdentExt as _;
use syn::{DataEnum, DeriveInput, Fields, Variant, spanned::Spanned as _};

pub fn expand(input: &DeriveInput, data: &DataEnum) -> syn::Result<TokenStream> {
    let (name, private) = (&input.ident, private());
    let mut faults = Faults::default();
    let mut seen = HashSet::new();
    let mut words = Vec::new();
    if data.variants.is_empty() {
        faults.add(syn::Error::new(name.span(), "an enum without words: no argument could be of this type"));
    }
    for variant in &data.variants {
        let Some(word) = faults.keep(word(variant)) else { continue };
        if !seen.insert(word.clone()) {
            faults.add(syn::Error::new(variant.span(), format!("there are two words `{word}`")));
        }
        words.push(word);
    }
    faults.end()?;
    let variants: Vec<_> = data.variants.iter().map(|variant| &variant.ident).collect();
    let derives = derives(&[quote!(serde::Deserialize)]);
    let text = name.to_string();
    Ok(quote! {
        const _: () = {
            #derives
            enum __Words {
                #(#[serde(rename = #words)] #variants,)*
            }

            impl<'de> #private::serde::Deserialize<'de> for #name {
                fn deserialize<__D: #private::serde::Deserializer<'de>>(
                    from: __D,
                ) -> ::core::result::Result<Self, __D::Error> {
                    let word = <__Words as #private::serde::Deserialize>::deserialize(from)?;
                    ::core::result::Result::Ok(match word {
                        #(__Words::#variants => Self::#variants,)*
                    })
                }
            }

            impl #private::Word for #name {
                fn word(&self) -> &'static str {
                    match self {
                        #(Self::#variants => #words,)*
                    }
                }
            }

            impl #private::schemars::JsonSchema for #name {
                fn schema_name() -> ::std::borrow::Cow<'static, str> {
                    ::std::borrow::Cow::Borrowed(#text)
                }

                fn inline_schema() -> bool {
                    true
                }

                fn json_schema(_: &mut #private::schemars::SchemaGenerator) -> #private::schemars::Schema {
                    #private::schemars::json_schema!({"type": "string", "enum": [#(#words),*]})
                }
            }
        };
    })
}

fn word(variant: &Variant) -> syn::Result<String> {
    if !matches!(variant.fields, Fields::Unit) {
        return Err(syn::Error::new(
            variant.fields.span(),
            "only plain words: this variant may not carry fields (a struct with `Option` fields can)",
        ));
    }
    let attributes = ArgAttributes::of(&variant.attrs)?;
    if let Some(other) =
        [&attributes.default, &attributes.min, &attributes.max, &attributes.max_length].into_iter().flatten().next()
    {
        return Err(syn::Error::new(other.span(), "a word can only be renamed: `#[arg(rename = \"…\")]`"));
    }
    Ok(attributes.rename.map_or_else(|| snake_case(&variant.ident.unraw().to_string()), |text| text.value()))
}

/// As in serde: an underscore before every capital except the first.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for (index, letter) in name.char_indices() {
        if index > 0 && letter.is_uppercase() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}
