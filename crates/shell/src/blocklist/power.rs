//! The machine switched off or restarted. Sleep can be undone by whoever sits before it: a person is asked.

use super::Rule;
use super::view::View;
use crate::catalogue::{Fact, has};
use crate::command::{RedirectKind, Word};

pub(super) const RULE: Rule = Rule {
    id: "shell.block.power",
    key: "shell-block-power",
    breaks,
    matches: &[
        "shutdown now",
        "shutdown -- --help",
        "systemctl -t --help reboot",
        "systemctl reboot $X --help",
        "reboot",
        "/sbin/halt -p",
        "poweroff",
        "init 6",
        "telinit 0",
        "systemctl --no-wall reboot",
        "systemctl isolate rescue.target",
        "systemctl start poweroff.target",
        "loginctl reboot",
        "kexec -e",
        "echo b > /proc/sysrq-trigger",
        "echo c | tee /proc/sysrq-trigger",
        "echo mem > /sys/power/state",
        "busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager Reboot b true",
    ],
    spares: &[
        "npm run shutdown",
        "make reboot",
        "./halt",
        "cat shutdown.c",
        "git log --grep reboot",
        "systemctl status reboot.target",
        "systemctl list-units",
        "systemctl restart nginx",
        "init-db 0",
        "cat /proc/sysrq-trigger.md",
        "echo poweroff",
        "virsh list",
        "systemctl reboot --help",
        "systemctl --no-wall poweroff --version",
        "shutdown --help",
        "shutdown now --help",
        "reboot --version",
        "init --help",
        "docker compose stop",
    ],
};

const VERBS: &str = "poweroff reboot halt kexec soft-reboot rescue emergency";
/// Writing here does it without any program.
const SWITCHES: &str = "/proc/sysrq-trigger /sys/power/state /sys/power/disk";

fn breaks(view: &View<'_>) -> Option<String> {
    if only_asks(view) {
        return None;
    }
    if view.program.is_system_with(Fact::Power) {
        return Some(view.shown());
    }
    if let Some(switch) = switched(view) {
        return Some(switch);
    }
    let does = if view.program.is_system("init telinit") {
        view.texts().any(|text| matches!(text, "0" | "1" | "6" | "s" | "S" | "single"))
    } else if view.program.is("systemctl") {
        systemctl(view.command.operands())
    } else if view.program.is("loginctl") {
        verb(view.command.operands()).is_some_and(|verb| has(VERBS, verb))
    } else if view.program.is("kexec") {
        view.texts().any(|text| {
            text == "--exec" || (text.starts_with('-') && !text.starts_with("--") && text.contains(['e', 'f']))
        })
    } else if view.program.is_any("dbus-send busctl gdbus qdbus qdbus6") {
        view.texts().any(asks_the_bus)
    } else if view.program.is("rtcwake") {
        view.texts().any(|text| matches!(text, "off" | "-moff" | "--mode=off"))
    } else if view.program.is("gnome-session-quit") {
        view.texts().any(|text| matches!(text, "--power-off" | "--reboot"))
    } else {
        false
    };
    does.then(|| view.shown())
}

/// Whether the program tells about itself and does nothing else. An option before `--help` may take it for its value.
fn only_asks(view: &View<'_>) -> bool {
    let words = view.command.operands();
    let asks = |word: &Word| matches!(word.literal(), Some("--help" | "--version"));
    let Some(at) = words.iter().position(asks) else { return false };
    let before = words.get(..at).unwrap_or_default();
    let may_take = before.last().is_some_and(|word| word.prefix().starts_with('-'));
    let known = before.iter().all(|word| word.literal().is_some_and(|text| text != "--"));
    known && !may_take && view.command.redirects.is_empty()
}

fn switched(view: &View<'_>) -> Option<String> {
    let is_switch =
        |word: &Word| view.target(word).is_some_and(|target| SWITCHES.split(' ').any(|switch| target.could_be(switch)));
    let redirected = view.command.redirects.iter().filter(|redirect| redirect.kind != RedirectKind::Read);
    if let Some(redirect) = redirected.into_iter().find(|redirect| is_switch(&redirect.target)) {
        return Some(redirect.target.to_string());
    }
    let writes = view.program.is_any("tee dd cp sponge");
    let operand = |word: &&Word| match word.literal().and_then(|text| text.strip_prefix("of=")) {
        Some(path) => has(SWITCHES, path),
        None => is_switch(word),
    };
    view.command.operands().iter().filter(|_| writes).find(operand).map(ToString::to_string)
}

fn verb(words: &[Word]) -> Option<&str> {
    let mut words = words.iter().filter_map(Word::literal);
    while let Some(text) = words.next() {
        match text {
            "-H" | "-M" | "-t" | "-p" | "-P" | "-s" | "-n" | "-o" | "--host" | "--machine" | "--type"
            | "--property" | "--root" | "--signal" | "--when" | "--job-mode" => drop(words.next()),
            _ if text.starts_with('-') => {}
            _ => return Some(text),
        }
    }
    None
}

fn systemctl(words: &[Word]) -> bool {
    let Some(verb) = verb(words) else { return false };
    let target = |text: &str| {
        text.strip_suffix(".target").is_some_and(|name| {
            has(VERBS, name) || matches!(name, "shutdown" | "runlevel0" | "runlevel6" | "runlevel1" | "ctrl-alt-del")
        })
    };
    has(VERBS, verb)
        || (matches!(verb, "isolate" | "start" | "restart" | "default" | "set-default")
            && words
                .iter()
                .filter_map(Word::literal)
                .any(|text| target(text) || (verb == "isolate" && has(VERBS, text))))
}

fn asks_the_bus(text: &str) -> bool {
    const METHODS: &str = "PowerOff Reboot Halt KExec SoftReboot";
    let name = text.rsplit('.').next().unwrap_or(text);
    has(METHODS, name.strip_suffix("WithFlags").unwrap_or(name))
}
