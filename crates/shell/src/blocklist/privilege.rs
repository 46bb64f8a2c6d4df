//! Programs whose purpose is to run others as somebody else. Only the program of a command counts, never an argument.

use super::Rule;
use super::options::{Options, Valued};
use super::view::View;
use crate::catalogue::Fact;

pub(super) const RULE: Rule = Rule {
    id: "shell.block.privilege",
    key: "shell-block-privilege",
    breaks,
    matches: &[
        "sudo ls",
        "/usr/bin/sudo -n true",
        "su - root",
        "doas reboot-notes",
        "pkexec vim x",
        "ls; runuser -u root id",
        "run0 id",
        "sudoedit x",
        "s\\udo id",
        "setpriv --reuid=0 id",
        "sg root -c id",
        "true && systemd-run --uid=0 id",
    ],
    spares: &[
        "echo sudo",
        "cat su",
        "grep -rn 'sudo ' .",
        "man su",
        "which sudo",
        "git commit -m 'sudo: drop'",
        "sudoku",
        "suspend-notes",
        "npm install sudo-block",
        "sg docker -c ls",
        "setpriv --no-new-privs ls",
    ],
};

fn breaks(view: &View<'_>) -> Option<String> {
    if view.program.is_system_with(Fact::Raises) {
        return Some(view.shown());
    }
    let root = |user: &str| matches!(user, "0" | "root" | "0:0" | "root:root");
    let words = view.command.operands();
    let becomes_root = if view.program.is("sg") {
        view.texts()
            .find(|text| !text.starts_with('-'))
            .is_some_and(|group| matches!(group, "root" | "0" | "wheel" | "sudo"))
    } else if view.program.is("setpriv") {
        let long = "reuid ruid euid regid rgid egid";
        let options = Options::read(words, Valued { short: "", long });
        long.split(' ').any(|name| options.values('\0', name).any(root))
    } else if view.program.is("systemd-run") {
        let options = Options::read(words, Valued { short: "pMHutE", long: "uid gid property unit" });
        let user = options.values('\0', "uid").any(root);
        user || options.values('p', "property").any(|value| value.strip_prefix("User=").is_some_and(root))
    } else if view.program.is("machinectl") {
        view.texts().any(|text| text == "shell" || text == "login")
    } else {
        false
    };
    becomes_root.then(|| view.shown())
}
