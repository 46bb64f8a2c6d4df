//! The git configuration keys that execute something, and a harmless value for each.

/// A key and its value.
pub(crate) type Pair = (String, String);

/// Keys with a fixed name.
pub(crate) const ALWAYS: &[(&str, &str)] = &[
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.pager", "cat"),
    ("core.editor", "false"),
    ("sequence.editor", "false"),
    ("core.askPass", ""),
    ("core.sshCommand", "false"),
    ("core.gitProxy", ""),
    ("core.alternateRefsCommand", ""),
    ("credential.helper", ""),
    ("protocol.ext.allow", "never"),
    ("interactive.diffFilter", ""),
    ("gpg.program", "false"),
    ("gpg.openpgp.program", "false"),
    ("gpg.x509.program", "false"),
    ("gpg.ssh.program", "false"),
    ("gpg.ssh.defaultKeyCommand", ""),
    ("commit.gpgSign", "false"),
    ("tag.gpgSign", "false"),
    ("tag.forceSignAnnotated", "false"),
    ("log.showSignature", "false"),
    ("merge.verifySignatures", "false"),
    ("diff.tool", ""),
    ("merge.tool", ""),
    ("web.browser", "false"),
    ("help.browser", "false"),
    ("submodule.recurse", "false"),
    ("fetch.recurseSubmodules", "false"),
    ("status.submoduleSummary", "false"),
    // What a form prints is asked for and left out by its names, all of them, from the top.
    ("diff.relative", "false"),
    ("diff.submodule", "short"),
    ("stash.showPatch", "false"),
    ("core.disambiguate", "none"),
    ("color.grep.filename", ""),
    ("color.grep.separator", ""),
    ("uploadpack.packObjectsHook", ""),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
];

/// What makes a key harmless that carries a name of the repository's own: `filter.lfs.clean`. `None` for keys that execute
/// nothing. `git config --list` writes section and variable in lower case, the middle as it is.
pub(crate) fn named(key: &str) -> Option<Pair> {
    let (section, rest) = key.split_once('.')?;
    let (name, variable) = rest.rsplit_once('.').map_or(("", rest), |(name, variable)| (name, variable));
    let value = match (section, variable) {
        // An empty filter is no filter, and what is not there cannot be required.
        ("filter", "clean" | "smudge" | "process") => "",
        ("filter", "required") => "false",
        // A textconv cannot be taken away, only be made one that changes nothing.
        ("diff", "textconv") => "cat",
        ("diff", "cachetextconv") => "false",
        ("diff", "command") if !name.is_empty() => "false",
        // The driver's failure is a conflict, which is what an unknown driver deserves.
        ("merge", "driver") => "false",
        ("difftool" | "mergetool" | "browser" | "man" | "guitool", "cmd" | "path") => "false",
        ("trailer", "command" | "cmd") => "false",
        ("credential", "helper") => "",
        ("gpg", "program" | "defaultkeycommand") => "false",
        ("pager", _) => "false",
        // Git's own hold nothing that runs.
        ("init", "templatedir") => "",
        ("remote", "uploadpack") => "git-upload-pack",
        ("remote", "receivepack") => "git-receive-pack",
        ("remote", "vcs" | "proxy") => "",
        ("submodule", "update") => "none",
        ("hook", "command") => "false",
        ("alias", _) => "version",
        _ => return None,
    };
    Some((key.to_owned(), value.to_owned()))
}
