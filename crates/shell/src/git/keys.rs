//! The one table of configuration keys that make git start a program or obey another file.

/// What a value does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Is run, most often by a shell.
    Runs,
    /// Is run behind a `!`; without it names a command of git or of the PATH.
    Marked,
    /// Is run unless it says yes or no.
    Switch,
    /// Is run behind a `!`; without it is one of a few words.
    Mode,
    /// Names a file, a folder or a tool that decides what is run.
    Leads,
    /// Names a file that is read or written.
    File,
    /// Names the folder whose files git replaces.
    Tree,
    /// Opens transports that start programs.
    Transport,
    /// Names remotes that git hands to another git as words: one that begins with a dash is an option there.
    Words,
}

/// What a key does; none for one that starts nothing. All in lower case.
pub fn role(section: &str, variable: &str) -> Option<Role> {
    Some(match (section, variable) {
        ("alias", _) | ("credential", "helper") => Role::Marked,
        ("core", "fsmonitor" | "alternaterefscommand") | ("pager", _) => Role::Switch,
        ("submodule", "update") => Role::Mode,
        ("core", "sshcommand" | "pager" | "editor" | "askpass" | "gitproxy")
        | ("sequence", "editor")
        | ("diff", "external" | "command" | "textconv")
        | ("merge", "driver")
        | ("mergetool" | "difftool" | "browser" | "man", "cmd" | "path")
        | ("filter", "clean" | "smudge" | "process")
        | ("gpg", "program" | "defaultkeycommand")
        | ("interactive", "difffilter")
        | ("trailer", "command" | "cmd")
        | ("uploadpack", "packobjectshook")
        | ("gc", "recentobjectshook")
        | ("remote", "uploadpack" | "receivepack" | "vcs")
        | ("sendemail", "sendmailcmd" | "tocmd" | "cccmd" | "headercmd" | "smtpserver")
        | ("imap", "tunnel")
        | ("guitool", "cmd")
        | ("tar", "command")
        | ("web" | "help" | "instaweb", "browser")
        | ("instaweb", "httpd")
        | ("svn", "authorsprog")
        | ("lfs", "path" | "clean" | "smudge") => Role::Runs,
        ("include" | "includeif", _)
        | ("core", "hookspath")
        | ("init", "templatedir")
        | ("hook" | "tig", _)
        // Text of a rebase's list of commands: behind a line break comes a command.
        | ("rebase", "instructionformat")
        | ("diff" | "merge", "tool" | "guitool")
        | ("mergetool", "layout")
        | ("man", "viewer")
        | ("instaweb", "modulepath")
        | ("lfs", "standalonetransferagent")
        | ("secrets", "providers") => Role::Leads,
        ("core", "attributesfile" | "excludesfile")
        | ("commit", "template")
        | ("mailmap", "file")
        | ("diff", "orderfile")
        | ("blame", "ignorerevsfile")
        | ("format", "signaturefile" | "outputdirectory")
        | ("gc", "repackfilterto")
        | ("gitcvs", "logfile" | "dbname")
        | ("gpg", "allowedsignersfile" | "revocationfile")
        | ("fsck" | "receive" | "fetch", "skiplist")
        | ("sendemail", "aliasesfile" | "smtpsslcertpath")
        | ("http", "cookiefile" | "sslcert" | "sslkey" | "sslcainfo" | "sslcapath") => Role::File,
        ("http", _) if variable.starts_with("proxyssl") => Role::File,
        ("core", "worktree") => Role::Tree,
        ("protocol", "allow") => Role::Transport,
        ("remotes", _) | ("branch", "remote" | "pushremote") | ("remote", "pushdefault") => Role::Words,
        ("advice" | "color", _) => return None,
        _ if RUN_BY_NAME.iter().any(|end| variable.ends_with(end)) => Role::Switch,
        _ => return None,
    })
}

/// How variables of git's neighbours (annex, town, lfs, …) end whose values they run.
const RUN_BY_NAME: &[&str] =
    &["command", "cmd", "program", "prog", "editor", "pager", "hook", "hooks", "helper", "askpass", "browser"];

/// Whether git reads a value as yes or no; an empty one is no.
pub fn is_boolean(value: &str) -> bool {
    let words = ["true", "false", "yes", "no", "on", "off", ""];
    words.iter().any(|word| value.eq_ignore_ascii_case(word)) || value.parse::<i64>().is_ok()
}
