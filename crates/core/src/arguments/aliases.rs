//! Names under which models give an argument, seen in production. The canonical name always wins.

/// Whether surrounding white space of a value that came under an alias may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trim {
    /// Names and paths: white space around them is a slip.
    Ends,
    /// Text that is written or searched for: every character counts.
    Never,
}

pub(super) struct Group {
    pub(super) names: &'static [&'static str],
    pub(super) trim: Trim,
}

const fn group(names: &'static [&'static str], trim: Trim) -> Group {
    Group { names, trim }
}

/// Within a group any name may stand for any other one that the schema has and the call lacks.
pub(super) const GROUPS: &[Group] = &[
    group(
        &[
            "path",
            "file_path",
            "filepath",
            "filePath",
            "file",
            "filename",
        ],
        Trim::Ends,
    ),
    group(
        &[
            "old_str",
            "old_text",
            "old_string",
            "oldText",
            "oldString",
            "search",
        ],
        Trim::Never,
    ),
    group(
        &[
            "new_str",
            "new_text",
            "new_string",
            "newText",
            "newString",
            "replace",
            "replacement",
        ],
        Trim::Never,
    ),
    group(&["replace_all", "replaceAll"], Trim::Ends),
    group(&["pattern", "text", "query", "regex"], Trim::Never),
    group(
        &["file_pattern", "filePattern", "include", "glob"],
        Trim::Ends,
    ),
    group(&["max_results", "maxResults"], Trim::Ends),
    group(&["context_lines", "contextLines", "context"], Trim::Ends),
    group(&["case_sensitive", "caseSensitive"], Trim::Ends),
    group(&["patch", "diff"], Trim::Never),
    group(&["content", "contents", "file_text"], Trim::Never),
    group(
        &[
            "fact", "content", "text", "value", "memory", "note", "message",
        ],
        Trim::Ends,
    ),
    group(
        &[
            "goal",
            "goalId",
            "goal_id",
            "name",
            "title",
            "text",
            "description",
            "jobId",
            "job",
            "id",
            "key",
        ],
        Trim::Ends,
    ),
    group(&["status", "new_status"], Trim::Ends),
    group(&["notes", "new_notes"], Trim::Ends),
    group(&["priority", "new_priority"], Trim::Ends),
    group(&["jobId", "id"], Trim::Ends),
];
