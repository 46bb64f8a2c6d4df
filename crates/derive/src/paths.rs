//! Where the expanded code finds the contract: rooms of this workspace use `palanca_core`, other crates use `palanca`.
//!
//! A room is recognized by its name and repository together: someone else's plugin may be called `palanca-something`,
//! and depends only on `palanca`.

use proc_macro2::TokenStream;
use quote::quote;

fn in_the_house() -> bool {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    variable("CARGO_PKG_NAME").starts_with("palanca-")
        && variable("CARGO_PKG_REPOSITORY") == env!("CARGO_PKG_REPOSITORY")
}

pub fn contract() -> TokenStream {
    if in_the_house() { quote!(::palanca_core) } else { quote!(::palanca) }
}

/// The path of items that only macros use.
pub fn private() -> TokenStream {
    let contract = contract();
    quote!(#contract::__private)
}

/// Derives serde's and schemars' traits through the contract, so that users need neither crate in their manifest.
pub fn derives(traits: &[TokenStream]) -> TokenStream {
    let private = private();
    let path = private.to_string().replace(' ', "");
    let (serde, schemars) = (format!("{path}::serde"), format!("{path}::schemars"));
    let described = traits.iter().any(|one| one.to_string().contains("JsonSchema"));
    let schemars = described.then(|| quote!(#[schemars(crate = #schemars)]));
    quote! {
        #[derive(#(#private::#traits),*)]
        #[serde(crate = #serde)]
        #schemars
    }
}
