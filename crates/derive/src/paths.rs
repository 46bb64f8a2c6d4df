//! Where the expanded code finds the contract: rooms of the house use `palanca_core`, everyone else uses `palanca`.

use proc_macro2::TokenStream;
use quote::quote;

fn in_the_house() -> bool {
    std::env::var("CARGO_PKG_NAME").is_ok_and(|name| name.starts_with("palanca-"))
}

pub fn contract() -> TokenStream {
    if in_the_house() { quote!(::palanca_core) } else { quote!(::palanca) }
}

pub fn derive() -> TokenStream {
    if in_the_house() { quote!(::palanca_derive::Args) } else { quote!(::palanca::Args) }
}
