//! How the compiler was called for a test binary, so that the test can compile more in the same way. Cargo tells nobody
//! which of the files in `target` it links to a test; the compiler hears it, and a macro runs inside the compiler.

use proc_macro::{Delimiter, Group, Literal, Punct, Spacing, TokenStream, TokenTree};

/// The compiler that compiles the caller, and its arguments: `[&str; N]`.
#[proc_macro]
pub fn command_line(_input: TokenStream) -> TokenStream {
    let compiler = std::env::current_exe().unwrap_or_default().display().to_string();
    let words = std::iter::once(compiler)
        .chain(std::env::args().skip(1))
        .flat_map(|word| [TokenTree::from(Literal::string(&word)), TokenTree::from(Punct::new(',', Spacing::Alone))]);
    TokenStream::from(TokenTree::from(Group::new(Delimiter::Bracket, words.collect())))
}
