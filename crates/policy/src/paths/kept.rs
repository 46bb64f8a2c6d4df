//! What programs may neither change nor make in a workspace: files that some other program obeys the moment they appear.

/// Relative to the workspace, in the spelling that the obeying program looks for. A place that is not there yet is kept
/// closed while a program runs; the many further protected files are only kept from being changed where they are, because
/// every closed place shows in a listing.
pub fn never_made() -> impl Iterator<Item = &'static str> {
    ".git/hooks .git/config .git/commondir .gitmodules .mcp.json .vscode .idea .claude .codex .cursor .gemini .palanca \
     palanca.yaml palanca.yml palanca.toml palanca.json"
        .split(' ')
}
