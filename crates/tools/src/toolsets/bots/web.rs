//! `web_search` and `web_fetch`, argument for argument as documented.

use crate::operation::Offer;
use crate::options::ToolOptions;
use crate::web::{self, Extent, Fetch, Format, HINTS, Listing, Search, Shape};
use palanca_core::ports::WebLimits;
use palanca_core::tool::Annotations;
use palanca_derive::Args;
use std::time::Duration;

/// How results are listed.
const LISTING: Listing = Listing {
    found: ("Search results for \"", "\":"),
    nothing: ("No results found for \"", "\"."),
    gap: "\n\n",
    url: "URL: ",
    origin: false,
};

#[derive(Args)]
pub(crate) struct SearchArgs {
    /// The search query.
    query: String,
}

pub(crate) struct WebSearch;

impl Offer for WebSearch {
    type Args = SearchArgs;
    type Operation<'a> = Search<'a>;
    const NAME: &'static str = "web_search";
    const DESCRIPTION: &'static str =
        "Search the web and show titles, addresses and descriptions. Read a page itself with web_fetch.";
    const ANNOTATIONS: Annotations = HINTS;

    fn longest(options: &ToolOptions) -> Option<Duration> {
        Some(web::longest_search(options))
    }

    fn operation<'a>(args: &'a SearchArgs, options: &'a ToolOptions) -> Search<'a> {
        Search { query: &args.query, count: None, listing: LISTING, options }
    }
}

#[derive(Args)]
pub(crate) struct FetchArgs {
    /// The address of the page, with http:// or https://.
    url: String,
}

pub(crate) struct WebFetch;

impl Offer for WebFetch {
    type Args = FetchArgs;
    type Operation<'a> = Fetch<'a>;
    const NAME: &'static str = "web_fetch";
    const DESCRIPTION: &'static str = "Fetch a web page and read its content as plain text.";
    const ANNOTATIONS: Annotations = HINTS;

    fn longest(options: &ToolOptions) -> Option<Duration> {
        Some(options.web.fetch.timeout)
    }

    fn operation<'a>(args: &'a FetchArgs, options: &'a ToolOptions) -> Fetch<'a> {
        let (format, extent) = (Format::Text, Extent::Main);
        Fetch {
            url: &args.url,
            format,
            extent,
            max_length: usize::MAX,
            offset: 0,
            shape: Shape::Plain,
            limits: WebLimits { time: options.web.fetch.timeout, ..WebLimits::default() },
            options,
        }
    }
}
