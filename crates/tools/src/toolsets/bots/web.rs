//! `web_search` and `web_fetch`, argument for argument as documented.

use crate::options::ToolOptions;
use crate::toolsets::ToolsetName;
use crate::web::{self, Extent, Fetch, Format, Online, Search};
use palanca_derive::Args;
use std::time::Duration;

#[derive(Args)]
pub(crate) struct SearchArgs {
    /// The search query.
    query: String,
}

pub(crate) struct WebSearch;

impl Online for WebSearch {
    type Args = SearchArgs;
    type Operation<'a> = Search<'a>;
    const NAME: &'static str = "web_search";
    const DESCRIPTION: &'static str =
        "Search the web and show titles, addresses and descriptions. Read a page itself with web_fetch.";

    fn longest(options: &ToolOptions) -> Duration {
        web::longest_search(options)
    }

    fn operation<'a>(args: &'a SearchArgs, options: &'a ToolOptions) -> Search<'a> {
        Search { query: &args.query, count: None, toolset: ToolsetName::Bots, options }
    }
}

#[derive(Args)]
pub(crate) struct FetchArgs {
    /// The address of the page, with http:// or https://.
    url: String,
}

pub(crate) struct WebFetch;

impl Online for WebFetch {
    type Args = FetchArgs;
    type Operation<'a> = Fetch<'a>;
    const NAME: &'static str = "web_fetch";
    const DESCRIPTION: &'static str = "Fetch a web page and read its content as plain text.";

    fn longest(options: &ToolOptions) -> Duration {
        options.web.fetch.timeout
    }

    fn operation<'a>(args: &'a FetchArgs, options: &'a ToolOptions) -> Fetch<'a> {
        let (format, extent) = (Format::Text, Extent::Main);
        Fetch { url: &args.url, format, extent, max_length: usize::MAX, offset: 0, toolset: ToolsetName::Bots, options }
    }
}
