//! `web_search` and `web_fetch`, argument for argument as documented.

use crate::operation::Offer;
use crate::options::ToolOptions;
use crate::web::{self, Extent, Fetch, Format, HINTS, Listing, Search, Shape};
use palanca_core::ports::WebLimits;
use palanca_core::tool::Annotations;
use palanca_derive::Args;
use std::time::Duration;

/// How results are listed.
const LISTING: Listing =
    Listing { found: ("Results for: ", ""), nothing: ("No results for: ", ""), gap: "\n", url: "", origin: false };

/// The time that the document gives a page, and the redirects that it follows.
const TIME: Duration = Duration::from_secs(60);
const REDIRECTS: u8 = 5;

#[derive(Args)]
pub(crate) struct SearchArgs {
    /// What to search for.
    query: String,
    /// Results to show. Leave out for the usual number.
    #[arg(min = 1, max = 10)]
    count: Option<u32>,
}

pub(crate) struct WebSearch;

impl Offer for WebSearch {
    type Args = SearchArgs;
    type Operation<'a> = Search<'a>;
    const NAME: &'static str = "web_search";
    const DESCRIPTION: &'static str = "Search the web. Returns titles, addresses and short descriptions.";
    const ANNOTATIONS: Annotations = HINTS;

    fn longest(options: &ToolOptions) -> Option<Duration> {
        Some(web::longest_search(options))
    }

    fn operation<'a>(args: &'a SearchArgs, options: &'a ToolOptions) -> Search<'a> {
        let count = args.count.and_then(|count| usize::try_from(count).ok());
        Search { query: &args.query, count, listing: LISTING, options }
    }
}

#[derive(Args)]
pub(crate) struct FetchArgs {
    /// Address to fetch, with http:// or https://.
    url: String,
    /// Form of the output.
    #[arg(default = Format::Markdown)]
    format: Format,
    /// Characters of the content at most.
    #[arg(default = 50000, min = 1)]
    max_length: u64,
}

pub(crate) struct WebFetch;

impl Offer for WebFetch {
    type Args = FetchArgs;
    type Operation<'a> = Fetch<'a>;
    const NAME: &'static str = "web_fetch";
    const DESCRIPTION: &'static str = "Fetch an address and return its readable content as JSON with url, status, extractor, truncated, length and text.";
    const ANNOTATIONS: Annotations = HINTS;

    fn longest(_options: &ToolOptions) -> Option<Duration> {
        Some(TIME)
    }

    fn operation<'a>(args: &'a FetchArgs, options: &'a ToolOptions) -> Fetch<'a> {
        Fetch {
            url: &args.url,
            format: args.format,
            extent: Extent::Main,
            max_length: usize::try_from(args.max_length).unwrap_or(usize::MAX),
            offset: 0,
            shape: Shape::Json,
            limits: WebLimits { time: TIME, redirects: REDIRECTS, ..WebLimits::default() },
            options,
        }
    }
}
