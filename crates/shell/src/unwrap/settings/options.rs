//! Options whose value is executed, by table.

use super::{How, Value};
use crate::command::{Command, Word};
use crate::unwrap::scan::values;
use crate::unwrap::words::{cut_at, without};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

/// One option of some programs.
struct Row {
    programs: &'static [&'static str],
    /// As written; a name that begins with one dash and one letter may have its value glued to it.
    options: &'static [&'static str],
    how: How,
}

const fn text(programs: &'static [&'static str], options: &'static [&'static str]) -> Row {
    Row { programs, options, how: How::Text }
}

const fn words(programs: &'static [&'static str], options: &'static [&'static str]) -> Row {
    Row { programs, options, how: How::Words }
}

const fn fed(programs: &'static [&'static str], options: &'static [&'static str]) -> Row {
    Row { programs, options, how: How::Fed }
}

/// The rows by the names of their programs: every command is asked for.
static BY_NAME: LazyLock<HashMap<&'static str, Vec<&'static Row>>> = LazyLock::new(|| {
    let mut all: HashMap<&'static str, Vec<&'static Row>> = HashMap::new();
    for row in ROWS {
        for name in row.programs {
            all.entry(*name).or_default().push(row);
        }
    }
    all
});

static ROWS: &[Row] = &[
    fed(
        &["tar", "gtar", "bsdtar", "star"],
        &[
            "--to-command",
            "--use-compress-program",
            "-I",
            "--rsh-command",
            "--info-script",
            "--new-volume-script",
            "-F",
            "--rmt-command",
        ],
    ),
    text(&["rsync"], &["-e", "--rsh", "--rsync-path"]),
    words(&["scp", "sftp"], &["-S"]),
    words(&["sort", "gsort"], &["--compress-program"]),
    words(&["rg", "ripgrep"], &["--pre", "--hostname-bin"]),
    fed(&["nc", "ncat", "netcat", "nc.traditional", "nc.openbsd", "cryptcat"], &["-e", "-c", "--exec", "--sh-exec"]),
    text(&["zip"], &["-TT", "--unzip-command"]),
    text(&["man"], &["-P", "--pager", "-H", "--html"]),
    text(&["go"], &["-exec", "-toolexec", "-vettool", "--exec", "--toolexec", "--vettool"]),
    text(&["npm", "yarn", "pnpm"], &["-c", "--call", "--script-shell"]),
    text(&["tcpdump"], &["-z"]),
    text(&["fc"], &["-e"]),
    text(&["split", "gsplit"], &["--filter"]),
    text(&["fzf", "sk"], &["--preview", "-c", "--cmd"]),
    text(&["wget"], &["--use-askpass"]),
    words(&["sftp"], &["-D"]),
    text(&["mysql", "mariadb"], &["--pager"]),
    text(&["bazel", "bazelisk"], &["--run_under"]),
    text(&["dpkg"], &["--pre-invoke", "--post-invoke"]),
    text(&["feh"], &["-A", "--action"]),
    text(&["ansible"], &["-a", "--args"]),
    text(&["repo"], &["-c"]),
    text(&["execlineb"], &["-c"]),
    text(&["sbatch"], &["--wrap"]),
    text(&["vagrant", "gcloud", "heroku"], &["-c", "--command"]),
    text(&["flyctl", "fly"], &["-C", "--command"]),
    text(&["borg"], &["--rsh", "--remote-path"]),
    text(&["restic"], &["--password-command", "--stdin-from-command"]),
    text(&["hg"], &["-e", "--ssh", "--remotecmd"]),
    text(&["docker", "podman"], &["--health-cmd"]),
    text(
        &["certbot"],
        &["--pre-hook", "--post-hook", "--deploy-hook", "--renew-hook", "--manual-auth-hook", "--manual-cleanup-hook"],
    ),
    text(&["openvpn"], &["--up", "--down", "--route-up", "--tls-verify"]),
    text(&["pppd"], &["pty", "connect"]),
    text(&["wpa_cli", "dhclient", "udhcpc"], &["-a", "-sf", "-s"]),
];

/// `tar cIf PROGRAM FILE`: letters without a dash, their values after them in order.
fn bundled(words: &[Word], found: &mut Vec<Value>) {
    let Some((letters, values)) = words.split_first() else { return };
    let valued = letters.prefix().chars().filter(|letter| "bfgCHIKLNTVXF".contains(*letter));
    if letters.prefix().starts_with('-') {
        return;
    }
    let executed = valued.zip(values).filter(|(letter, _)| matches!(letter, 'I' | 'F'));
    found.extend(executed.map(|(letter, value)| Value {
        name: format!("tar {letter}"),
        value: value.clone(),
        how: How::Fed,
    }));
}

/// Words without the patterns that some options give.
fn without_patterns(words: &[Word]) -> Vec<Word> {
    let is_pattern = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| words.get(at)).and_then(Word::literal);
        matches!(before, Some("-e" | "--regexp"))
    };
    words.iter().enumerate().filter(|(at, _)| !is_pattern(*at)).map(|(_, word)| word.clone()).collect()
}

/// Every option of the table, and options with a syntax of their own.
pub(super) fn find(command: &Command, name: &str, found: &mut Vec<Value>) {
    let operands = match name {
        "rg" => Cow::Owned(without_patterns(command.operands())),
        _ => Cow::Borrowed(command.operands()),
    };
    for row in BY_NAME.get(name).into_iter().flatten() {
        for option in row.options {
            let values = values(&operands, option);
            found.extend(values.into_iter().map(|value| Value {
                name: format!("{name} {option}"),
                value,
                how: row.how,
            }));
        }
    }
    match name {
        "tar" | "gtar" => {
            bundled(command.operands(), found);
            for value in values(command.operands(), "--checkpoint-action") {
                if let Some((_, text)) = cut_at(&value, '=').filter(|(kind, _)| *kind == "exec") {
                    found.push(Value::text("tar --checkpoint-action", text));
                }
            }
        }
        "ssh" | "scp" | "sftp" | "autossh" | "slogin" => {
            for value in values(command.operands(), "-o") {
                remote(&value, found);
            }
        }
        "socat" | "socat1" => command.operands().iter().for_each(|word| address(word, found)),
        "wget" => {
            for value in values(command.operands(), "-e").iter().chain(&values(command.operands(), "--execute")) {
                if let Some((_, program)) = cut_at(value, '=').filter(|(key, _)| key.trim() == "use_askpass") {
                    found.push(Value::text("wget use_askpass", program));
                }
            }
        }
        "apt" | "apt-get" | "aptitude" => {
            for value in values(command.operands(), "-o").iter().chain(&values(command.operands(), "--option")) {
                invoked(value, found);
            }
        }
        "fzf" | "sk" => {
            for value in values(command.operands(), "--bind") {
                bound(&value, found);
            }
        }
        "cargo" => {
            for value in values(command.operands(), "--config") {
                runner(&value, found);
            }
        }
        _ => {}
    }
}

/// `ProxyCommand=…` of ssh; keys in any case, blanks or `=` between.
fn remote(value: &Word, found: &mut Vec<Value>) {
    let text = value.prefix();
    let end = text.find(['=', ' ', '\t']).unwrap_or(text.len());
    let key = text.get(..end).unwrap_or_default().to_ascii_lowercase();
    if matches!(key.as_str(), "proxycommand" | "localcommand" | "knownhostscommand" | "remotecommand") {
        let rest = without(value, end);
        let blanks = rest.prefix().len() - rest.prefix().trim_start_matches(['=', ' ', '\t', '"']).len();
        found.push(Value::text(format!("ssh {key}"), without(&rest, blanks)));
    }
}

/// `EXEC:…`, `SYSTEM:…` of socat, with options after commas.
fn address(word: &Word, found: &mut Vec<Value>) {
    let Some((kind, rest)) = cut_at(word, ':') else { return };
    let how = match kind.to_ascii_lowercase().as_str() {
        "exec" => How::Words,
        "system" | "shell" => How::Text,
        _ => return,
    };
    let value = match rest.literal() {
        Some(text) => Word::text(text.split(',').next().unwrap_or(text).replace(['"', '\\'], "")),
        None => rest,
    };
    found.push(Value { name: format!("socat {kind}"), value, how });
}

/// `DPkg::Pre-Invoke::=…` of apt, and a list in braces as well.
fn invoked(value: &Word, found: &mut Vec<Value>) {
    let Some((key, text)) = cut_at(value, '=') else { return };
    let key = key.to_ascii_lowercase();
    if key.contains("-invoke") || key.contains("pre-install-pkgs") || key.contains("post-install-pkgs") {
        let text = match text.literal() {
            Some(known) => Word::text(known.replace(['{', '}', '"'], " ")),
            None => text,
        };
        found.push(Value::text("apt -o", text));
    }
}

/// What stands in the brackets that the text begins with.
fn bracketed(text: &str) -> &str {
    let mut depth = 0usize;
    let end = text.char_indices().find(|(_, c)| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    let end = end.map_or(text.len(), |(at, _)| at);
    text.get(1..end).unwrap_or_default()
}

/// `enter:execute(…)` of fzf.
fn bound(value: &Word, found: &mut Vec<Value>) {
    let Some(text) = value.literal() else { return };
    for (_, after) in text.match_indices("execute").filter_map(|(at, _)| text.split_at_checked(at)) {
        let after = after.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '-');
        let own = bracketed(after);
        found.push(Value::text("fzf --bind", Word::text(own)));
    }
}

/// `target.x.runner = "…"`, `build.rustc-wrapper = …`, and a list of words as well.
fn runner(value: &Word, found: &mut Vec<Value>) {
    let Some((key, rest)) = cut_at(value, '=') else { return };
    let key = key.trim().to_owned();
    let executed = ["runner", "rustc-wrapper", "rustc-workspace-wrapper", "linker", "rustc", "rustdoc"];
    if executed.iter().any(|name| key.ends_with(name))
        && let Some(text) = rest.literal()
    {
        let plain = text.replace(['[', ']', '"', '\'', ','], " ");
        found.push(Value { name: format!("cargo {key}"), value: Word::text(plain), how: How::Words });
    }
}
