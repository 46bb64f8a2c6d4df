//! Other names that models use for an argument, seen in production. The canonical name always wins.

/// Whether a value given under an alias may be trimmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trim {
    /// Names and paths: surrounding white space is a mistake.
    Ends,
    /// Text that is written or searched for: every character counts.
    Never,
}

/// Which names of a group an alias may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Any other one: the names mean the same everywhere.
    Any,
    /// Only the first one: the others are too common to mean it elsewhere (`text` is not a `title`).
    First,
}

pub(super) struct Group {
    pub(super) names: &'static [&'static str],
    pub(super) trim: Trim,
    pub(super) target: Target,
}

impl Group {
    /// The names that an alias of this group may stand for.
    pub(super) fn targets(&self) -> impl Iterator<Item = &'static str> {
        let many = match self.target {
            Target::Any => self.names.len(),
            Target::First => 1,
        };
        self.names.iter().copied().take(many)
    }
}

const fn group(names: &'static [&'static str], trim: Trim) -> Group {
    Group { names, trim, target: Target::Any }
}

const fn one_way(names: &'static [&'static str]) -> Group {
    Group { names, trim: Trim::Ends, target: Target::First }
}

/// An object argument whose fields models often give at the top level.
pub(super) const FLATTENED: &str = "schedule";

/// An alias is read only where the schema has the target and the call lacks it.
pub(super) const GROUPS: &[Group] = &[
    group(&["path", "file_path", "filepath", "filePath", "file", "filename"], Trim::Ends),
    group(&["old_str", "old_text", "old_string", "oldText", "oldString", "search"], Trim::Never),
    group(&["new_str", "new_text", "new_string", "newText", "newString", "replace", "replacement"], Trim::Never),
    group(&["replace_all", "replaceAll"], Trim::Ends),
    group(&["pattern", "text", "query", "regex"], Trim::Never),
    group(&["file_pattern", "filePattern", "include", "glob"], Trim::Ends),
    group(&["max_results", "maxResults"], Trim::Ends),
    group(&["context_lines", "contextLines", "context"], Trim::Ends),
    group(&["case_sensitive", "caseSensitive"], Trim::Ends),
    group(&["patch", "diff"], Trim::Never),
    group(&["command", "cmd", "script"], Trim::Never),
    group(&["cwd", "workdir", "working_dir", "workingDirectory", "directory"], Trim::Ends),
    group(&["env", "environment"], Trim::Ends),
    group(&["session_id", "sessionId", "process_id", "id"], Trim::Ends),
    group(&["content", "contents", "file_text"], Trim::Never),
    group(&["max_length", "maxLength", "max_chars", "maxChars", "max_characters"], Trim::Ends),
    one_way(&["url", "uri", "link", "href", "address", "page_url"]),
    one_way(&["query", "q", "search_query", "searchQuery", "keywords", "search"]),
    one_way(&["count", "max_results", "maxResults", "num_results", "numResults", "limit"]),
    one_way(&["offset", "start_index", "startIndex", "start"]),
    one_way(&["fact", "content", "text", "value", "memory", "note", "message"]),
    one_way(&["goal", "goalId", "goal_id", "name", "title", "text", "description", "jobId", "job", "id", "key"]),
    one_way(&["status", "new_status"]),
    one_way(&["notes", "new_notes"]),
    one_way(&["priority", "new_priority"]),
    one_way(&["jobId", "id"]),
    one_way(&["content", "message", "body"]),
    one_way(&["to", "chat_id", "chatId", "chat", "recipient", "target"]),
    one_way(&["channel", "channel_name", "channelName"]),
];
