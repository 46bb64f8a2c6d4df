//! The outside: `mcp`, `channels` and `webTools`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::section::section;
use super::text::SecretText;

section! {
    /// Foreign tools over the Model Context Protocol.
    McpSettings {
        /// The servers: those of all files together. Of two with one name the nearer file's counts, as a whole.
        #[schemars(extend("x-joinsByName" = true))]
        servers: Vec<McpServer> = Vec::new(),
        /// How long a command waits for the servers to be there before it begins, in seconds; their tools join later otherwise.
        #[schemars(range(max = 60))]
        wait: u64 = 10,
    }
}

/// One MCP server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct McpServer {
    /// The name; its tools are called `mcp_NAME_TOOL`.
    pub name: String,
    /// The address of a server on the network. Either this or `command`.
    #[serde(default)]
    pub url: Option<String>,
    /// The program of a server on this machine; it runs in the sandbox.
    #[serde(default)]
    pub command: Option<String>,
    /// Arguments of the program.
    #[serde(default)]
    pub args: Vec<String>,
    /// Variables of the program, in addition to those that every program gets.
    #[serde(default)]
    pub env: BTreeMap<String, SecretText>,
    /// Whether the program reaches the network.
    #[serde(default)]
    pub network: bool,
    /// What the program may read beside the system's programs: absolute folders; `.` is the workspace.
    #[serde(default)]
    pub reads: Vec<String>,
    /// What the program may write: absolute folders, where changes are not judged and cannot be undone; `.` is the workspace, where
    /// each change is judged, but not kept for undo.
    #[serde(default)]
    pub writes: Vec<String>,
    /// Further headers of each request to the address.
    #[serde(default)]
    pub headers: BTreeMap<String, SecretText>,
    /// Name of the environment variable that holds the access token.
    #[serde(default)]
    pub token_env: Option<String>,
    /// The access token itself. Prefer `token_env`.
    #[serde(default)]
    pub token: Option<SecretText>,
    /// The only tools that are taken, by the server's own names; all of them unless set.
    #[serde(default)]
    pub allow: Vec<String>,
    /// Tools that are not taken, by the server's own names.
    #[serde(default)]
    pub deny: Vec<String>,
    /// Time limit of the start and of one call, in seconds.
    #[serde(default = "sixty_seconds")]
    #[schemars(range(min = 1, max = 3600))]
    pub timeout: u64,
}

const fn sixty_seconds() -> u64 {
    60
}

/// One way to reach people.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChannelSettings {
    /// What it is.
    pub kind: ChannelKind,
    /// Default recipient, for a message without a recipient outside a conversation.
    #[serde(default)]
    pub default_to: Option<String>,
    /// Of a webhook: the address that every message is posted to.
    #[serde(default)]
    #[schemars(extend("x-secretPath" = true))]
    pub url: Option<String>,
    /// Of a webhook: the secret that signs its messages. Of Telegram: the bot's token. Prefer `secret_env`, or `${NAME}`.
    #[serde(default)]
    pub secret: Option<SecretText>,
    /// Name of the environment variable that holds the secret.
    #[serde(default)]
    pub secret_env: Option<String>,
    /// Of a webhook: time limit of one message, in seconds.
    #[serde(default = "ten_seconds")]
    #[schemars(range(min = 1, max = 120))]
    pub timeout: u64,
}

const fn ten_seconds() -> u64 {
    10
}

/// What a channel is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChannelKind {
    /// Lines on stderr.
    Terminal,
    /// A signed POST to a program of yours.
    Webhook,
    /// A bot of Telegram, whose token is the secret. Its chats are numbers.
    Telegram,
}

section! {
    /// Web search and fetch.
    #[serde(rename_all = "camelCase")]
    WebToolSettings {
        /// Whether the web tools are offered.
        enabled: bool = false,
        /// Web search.
        search: WebSearchSettings = WebSearchSettings::default(),
        /// Fetching pages.
        fetch: WebFetchSettings = WebFetchSettings::default(),
        /// Maximum rounds of tool calls for one message.
        #[schemars(range(min = 1, max = 50))]
        max_tool_rounds: u32 = 5,
    }
}

section! {
    /// Web search.
    #[serde(rename_all = "camelCase")]
    WebSearchSettings {
        /// Providers, tried in this order until one answers. Brave needs a key, SearXNG its address; a provider without
        /// it is skipped.
        providers: Vec<SearchProviderName> = vec![SearchProviderName::Brave, SearchProviderName::Searxng],
        /// Key of the Brave Search API.
        api_key: Option<SecretText> = None,
        /// Name of the environment variable that holds the key. Unset: BRAVE_API_KEY.
        api_key_env: Option<String> = None,
        /// Address of the Brave Search API. Unset: its own; set it for a compatible server.
        brave_url: Option<String> = None,
        /// Address of a SearXNG instance with JSON output enabled; it may be local.
        searxng_url: Option<String> = None,
        /// Results of one search.
        #[schemars(range(min = 1, max = 20))]
        max_results: u32 = 5,
        /// Time limit of one provider, in milliseconds.
        #[schemars(range(min = 1, max = 600_000))]
        timeout: u64 = 30_000,
        /// Milliseconds that an answer is cached. Unset: 15 minutes, which is also the maximum.
        cache_ttl_ms: Option<u64> = None,
    }
}

/// A provider of web search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SearchProviderName {
    /// The Brave Search API, with a key.
    Brave,
    /// A SearXNG instance, without.
    Searxng,
}

section! {
    /// Fetching pages.
    #[serde(rename_all = "camelCase")]
    WebFetchSettings {
        /// Maximum characters of a page shown by one call.
        #[schemars(range(min = 1))]
        max_content_length: u64 = 50_000,
        /// Time limit of one page, in milliseconds.
        #[schemars(range(min = 1, max = 600_000))]
        timeout: u64 = 30_000,
        /// Milliseconds that a page is cached. Unset: 15 minutes, which is also the maximum.
        cache_ttl_ms: Option<u64> = None,
    }
}
