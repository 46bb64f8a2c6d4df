//! The toolset of the picoclaw assistant, argument for argument as documented.

use crate::edit::replace::Occurrence;
use crate::files::{Depth, First, LineRange, Look, SeenFrom, Sentences, Style, Unchanged, WriteMode};
use crate::operation::{Annotations, Args, Lane, Offer, Operation, ToolOptions};
use crate::shell::{self, Counted, Form, MAX_SECONDS, Manner, Order, Status};
use crate::web::{self, Extent, Fetch, Format, Listing, Search, Shape};
use crate::{edit, files};
use palanca_core::call::{Network, Shell};
use palanca_core::ports::{Visit, WebLimits};
use std::time::Duration;

#[derive(Args)]
pub(crate) struct EditFile {
    /// File to change, relative to the workspace.
    file_path: String,
    /// The exact text to replace, indentation included. It must occur once in the file: give enough lines around it.
    old_string: String,
    /// The text that takes its place.
    new_string: String,
    /// Whether to replace every occurrence.
    #[arg(default = false, rename = "replaceAll")]
    replace_all: bool,
}

impl Offer for EditFile {
    const NAME: &'static str = "edit_file";
    const DESCRIPTION: &'static str =
        "Replace one exact piece of text in a file, or with replaceAll=true every occurrence, and show the diff.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        edit::EditFile {
            path: &self.file_path,
            old: &self.old_string,
            new: &self.new_string,
            occurrence: if self.replace_all { Occurrence::All } else { Occurrence::Unique },
            words: edit::Words {
                old: "old_string",
                new: "new_string",
                all: Some("replaceAll"),
                empty_old: "edit-empty-old-whole",
                done: "edit-done",
                heading: None,
            },
            options,
        }
    }
}

/// Entries of one listing; the document knows no limit.
const LISTED: usize = 10_000;

/// How a listing looks.
const LOOK: Look = Look {
    file: ("FILE: ", ""),
    directory: ("DIR:  ", ""),
    link: ("LINK: ", ""),
    special: ("SPEC: ", ""),
    seen_from: SeenFrom::Here,
    framed: false,
};

#[derive(Args)]
pub(crate) struct ReadFile {
    /// File to read, relative to the workspace.
    file_path: String,
    /// First line to show, counted from 0.
    #[arg(default = 0, min = 0)]
    offset: u64,
    /// The most lines to show. Leave out to read to the end.
    #[arg(min = 1)]
    limit: Option<u64>,
}

impl Offer for ReadFile {
    const NAME: &'static str = "read_file";
    const DESCRIPTION: &'static str = "Read a text file, whole or from line `offset` (counted from 0) on for `limit` lines. Returns the content as it is. Of a long file the result says with which offset to go on.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;
    const LANE: Lane = Lane::Reading;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        files::ReadFile {
            path: &self.file_path,
            lines: LineRange {
                start: (self.offset > 0).then(|| self.offset.saturating_add(1)),
                end: self.limit.map(|limit| self.offset.saturating_add(limit)),
            },
            style: Style::Plain,
            first: First::Zero,
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct WriteFile {
    /// File to write, relative to the workspace. Missing directories are made.
    file_path: String,
    /// The content to write.
    content: String,
}

impl Offer for WriteFile {
    const NAME: &'static str = "write_file";
    const DESCRIPTION: &'static str = "Write a file: it is created, or replaced as a whole where it is there already. To change a part use edit_file.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        files::WriteFile {
            path: &self.file_path,
            content: &self.content,
            mode: WriteMode::Overwrite,
            sentences: Sentences {
                created: Some("write-created-whole"),
                overwritten: "write-overwritten-whole",
                appended: "write-appended",
                unchanged: Unchanged::Hidden,
            },
            options,
        }
    }
}

#[derive(Args)]
pub(crate) struct ListDir {
    /// Directory to list, relative to the workspace.
    #[arg(default = ".")]
    path: String,
    /// Whether to list everything below, too.
    #[arg(default = false)]
    recursive: bool,
}

impl Offer for ListDir {
    const NAME: &'static str = "list_dir";
    const DESCRIPTION: &'static str = "List the files and directories of a directory, one a line: `DIR:  name`, `FILE: name`, `LINK: name`. With recursive=true everything below, by its path from there.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        files::ListFiles {
            path: &self.path,
            pattern: None,
            depth: if self.recursive { Depth::Tree } else { Depth::One },
            ignored: Visit::Show,
            limit: LISTED,
            look: LOOK,
            options,
        }
    }
}

/// As the document writes a result.
pub(crate) const EXEC: shell::Exec =
    shell::Exec { status: Status::Below, stderr: "STDERR:", counted: Counted::More, timeout: "exec-timeout" };

#[derive(Args)]
pub(crate) struct Exec {
    /// Command to run.
    command: String,
    /// Seconds, 1 to 600.
    #[arg(default = 30, min = 1, max = MAX_SECONDS)]
    timeout: u64,
    /// Folder to run it in, relative to the workspace.
    working_dir: Option<String>,
}

impl Offer for Exec {
    const NAME: &'static str = "exec";
    const DESCRIPTION: &'static str =
        "Run a shell command and return its output. It has no stdin and no terminal: use options that ask nothing.";
    const ANNOTATIONS: Annotations = shell::HINTS;

    fn longest(_options: &ToolOptions) -> Option<Duration> {
        Some(Duration::from_secs(MAX_SECONDS))
    }

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        Order {
            shell: Shell::Sh,
            command: &self.command,
            directory: self.working_dir.as_deref().unwrap_or_default(),
            environment: None,
            terminal: None,
            manner: Manner::Wait(Duration::from_secs(self.timeout)),
            network: Network::None,
            writes: &[],
            form: Form::Exec(EXEC),
            options,
        }
    }
}

/// How results are listed.
const LISTING: Listing =
    Listing { found: ("Results for: ", ""), nothing: ("No results for: ", ""), gap: "\n", url: "", origin: false };

/// The time that the document gives a page, and the redirects that it follows.
const TIME: Duration = Duration::from_secs(60);
const REDIRECTS: u8 = 5;

#[derive(Args)]
pub(crate) struct WebSearch {
    /// What to search for.
    query: String,
    /// Results to show. Leave out for the usual number.
    #[arg(min = 1, max = 10)]
    count: Option<u32>,
}

impl Offer for WebSearch {
    const NAME: &'static str = "web_search";
    const DESCRIPTION: &'static str = "Search the web. Returns titles, addresses and short descriptions.";
    const ANNOTATIONS: Annotations = web::HINTS;

    fn longest(options: &ToolOptions) -> Option<Duration> {
        Some(web::longest_search(options))
    }

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        let count = self.count.and_then(|count| usize::try_from(count).ok());
        Search { query: &self.query, count, listing: LISTING, options }
    }
}

#[derive(Args)]
pub(crate) struct WebFetch {
    /// Address to fetch, with http:// or https://.
    url: String,
    /// Form of the output.
    #[arg(default = Format::Markdown)]
    format: Format,
    /// Characters of the content at most.
    #[arg(default = 50000, min = 1)]
    max_length: u64,
}

impl Offer for WebFetch {
    const NAME: &'static str = "web_fetch";
    const DESCRIPTION: &'static str = "Fetch an address and return its readable content as JSON with url, status, extractor, truncated, length and text.";
    const ANNOTATIONS: Annotations = web::HINTS;

    fn longest(_options: &ToolOptions) -> Option<Duration> {
        Some(TIME)
    }

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        Fetch {
            url: &self.url,
            format: self.format,
            extent: Extent::Main,
            max_length: usize::try_from(self.max_length).unwrap_or(usize::MAX),
            offset: 0,
            shape: Shape::Json,
            limits: WebLimits { time: TIME, redirects: REDIRECTS, ..WebLimits::default() },
            options,
        }
    }
}
