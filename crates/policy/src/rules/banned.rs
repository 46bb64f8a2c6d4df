//! What nobody is offered to allow for longer than one call: what runs anything that it is told, and what opens places that
//! run something later.

use palanca_shell::{has_subcommands, starts_its_operands};

/// Programs that read programs, in any version.
const INTERPRETERS: &[&str] = &[
    "python",
    "pypy",
    "ipython",
    "node",
    "nodejs",
    "deno",
    "bun",
    "ruby",
    "irb",
    "perl",
    "php",
    "lua",
    "luajit",
    "rscript",
    "r",
    "julia",
    "tclsh",
    "wish",
    "expect",
    "osascript",
    "pwsh",
    "powershell",
    "java",
    "jshell",
    "groovy",
    "scala",
    "kotlin",
    "ghci",
    "runghc",
    "runhaskell",
    "swift",
    "erl",
    "escript",
    "elixir",
    "iex",
    "guile",
    "racket",
    "sbcl",
    "clisp",
    "ocaml",
    "awk",
    "gawk",
    "mawk",
    "nawk",
    "ts-node",
    "tsx",
    "bb",
    "clojure",
    "raku",
    "gdb",
    "lldb",
    "vi",
    "vim",
    "nvim",
    "ex",
    "ed",
    "emacs",
    "cmd",
];

/// Programs that run what others wrote, and builtins that change what the next words mean.
const RUNNERS: &[&str] = &[
    "npx",
    "bunx",
    "pnpx",
    "uvx",
    "pipx",
    "dlx",
    "nix",
    "conda",
    "mamba",
    "docker",
    "podman",
    "nerdctl",
    "kubectl",
    "vagrant",
    "xargs",
    "parallel",
    "eval",
    "source",
    ".",
    "exec",
    "trap",
    "alias",
    "export",
    "declare",
    "typeset",
    "local",
    "readonly",
    "set",
    "shopt",
    "hash",
    "enable",
    "builtin",
    "command",
    "bind",
    "complete",
    "coproc",
    "crontab",
    "tmux",
    "launchctl",
    "systemctl",
    "ssh-keygen",
    "gpg",
];

/// Subcommands with which a program becomes such a runner, or changes what it does from then on.
const SUBCOMMANDS: &[(&str, &[&str])] = &[
    ("git", &["config", "submodule", "bisect", "filter-branch", "rebase", "difftool", "mergetool", "hook", "daemon"]),
    ("npm", &["exec", "x", "init", "create", "config", "set", "explore"]),
    ("pnpm", &["exec", "dlx", "create", "config"]),
    ("yarn", &["exec", "dlx", "create", "config", "node"]),
    ("uv", &["run", "tool", "x"]),
    ("poetry", &["run", "shell", "config"]),
    ("pdm", &["run", "config"]),
    ("hatch", &["run", "shell"]),
    ("rye", &["run"]),
    ("pipenv", &["run", "shell"]),
    ("bundle", &["exec", "config"]),
    ("go", &["run", "generate", "env"]),
    ("cargo", &["run", "install", "config", "script"]),
    ("dotnet", &["run", "tool", "exec", "script"]),
    ("composer", &["exec", "config"]),
    ("mix", &["run"]),
    ("gem", &["exec"]),
    ("find", &["-exec"]),
];

/// Words after which any further argument is too much: they bring in, send out or remove.
const ONLY_EXACTLY: &[&str] = &[
    "install",
    "i",
    "add",
    "ci",
    "update",
    "upgrade",
    "remove",
    "uninstall",
    "rm",
    "publish",
    "push",
    "login",
    "deploy",
    "link",
    "unlink",
    "clean",
    "get",
    "download",
    "fetch",
    "pull",
    "clone",
    "reset",
    "restore",
    "checkout",
    "switch",
    "stash",
    "exec",
    "sync",
];

/// Programs whose first word says what they do, beside those with subcommands.
const BY_TARGET: &[&str] = &[
    "make", "gmake", "just", "ninja", "rake", "task", "tox", "nox", "invoke", "gradle", "gradlew", "mvn", "bazel",
    "buck",
];

/// Whether no rule on this command is offered, however narrow. Words are those that are certain, the program first.
pub(super) fn forbids(words: &[&str]) -> bool {
    let Some((program, rest)) = words.split_first() else { return true };
    // What a path names may be another program tomorrow.
    if program.contains('/') || program.is_empty() {
        return true;
    }
    let name = program.to_lowercase();
    let plain = name.trim_end_matches(|end: char| end.is_ascii_digit() || matches!(end, '.' | '-'));
    let listed = |list: &[&str]| list.contains(&&*name) || list.contains(&plain);
    if listed(INTERPRETERS) || listed(RUNNERS) || starts_its_operands(&name) {
        return true;
    }
    let first = rest.first().copied().unwrap_or_default();
    // Options before the subcommand (`git -c`, `-C`) choose what it runs.
    if name == "git" && !is_plain(first) {
        return true;
    }
    let subcommands = SUBCOMMANDS.iter().find(|(own, _)| *own == name).map_or(&[][..], |(_, words)| words);
    rest.iter().any(|word| subcommands.contains(word))
}

/// The words that a rule "with any further arguments" would begin with; none where that would be too much.
pub(super) fn prefix<'w>(words: &[&'w str]) -> Option<Vec<&'w str>> {
    let (program, rest) = words.split_first()?;
    if !has_subcommands(program) && !BY_TARGET.contains(program) {
        return Some(vec![program]);
    }
    let first = rest.first().copied().filter(|word| is_plain(word))?;
    if ONLY_EXACTLY.contains(&first) {
        return None;
    }
    if !matches!(first, "run" | "run-script") {
        return Some(vec![program, first]);
    }
    let script = rest.get(1).copied().filter(|word| is_plain(word))?;
    Some(vec![program, first, script])
}

/// Whether a rule of these fixed words with further arguments is too wide to be made by answering.
pub(super) fn too_wide(words: &[&str]) -> bool {
    prefix(words).is_none_or(|narrowest| words.len() < narrowest.len())
}

fn is_plain(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic())
        && word.chars().all(|one| one.is_ascii_alphanumeric() || matches!(one, '-' | '_' | ':' | '.'))
}
