//! A repository on GitHub as the source of files: the reading tools, at one commit, nothing written.
//! `GITHUB_TOKEN=… cargo run -p palanca --example github --features github,net -- rust-lang/rust library/core/src/lib.rs`
#![allow(clippy::print_stdout, missing_docs)]

use palanca::Gate;
use palanca::github::{GitHub, GitHubOptions};
use palanca::net::{NetClient, NetOptions, Origin};
use palanca::policy::paths::PathRules;
use palanca::tools::{ToolOptions, ToolsetName, registry};
use serde_json::json;
use std::sync::Arc;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(repository), Some(path)) = (words.next(), words.next()) else {
        return Err("usage: github OWNER/NAME PATH".into());
    };
    let mut options = GitHubOptions::new(repository.parse()?, std::env::var("GITHUB_TOKEN").unwrap_or_default());
    // Another server, as in tests.
    if let Ok(address) = std::env::var("GITHUB_API") {
        options.api_base = address;
    }

    // The client reaches these two addresses and no other.
    let addresses = [options.api_base.as_str(), "https://codeload.github.com"];
    let origins = addresses.into_iter().map(Origin::of).collect::<Result<Vec<_>, _>>()?;
    let http = Arc::new(NetClient::new(origins, NetOptions::default()));
    let rules = Arc::new(PathRules::new(&[], &[], None)?);

    let gate = Gate::builder(registry(ToolsetName::Contracts, &ToolOptions::default())?.into())
        .files(Arc::new(GitHub::new(options, http, rules)))
        .build();
    let read = gate.execute("read_file", json!({ "path": path })).await;
    println!("{}", read.to_json(ToolsetName::Contracts));
    let escape = gate.execute("read_file", json!({"path": "../secrets"})).await;
    println!("{}", escape.to_json(ToolsetName::Contracts));
    Ok(())
}
