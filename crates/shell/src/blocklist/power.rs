//! The machine switched off or restarted. Sleep can be undone at the machine: a person is asked.

use super::view::View;
use crate::catalogue::{Fact, given, has};
use crate::command::Word;

const VERBS: &str = "poweroff reboot halt kexec soft-reboot rescue emergency";
/// Writing here does it without any program.
const SWITCHES: &str = "/proc/sysrq-trigger /sys/power/state /sys/power/disk";

pub(super) fn breaks(view: &View<'_>) -> Option<String> {
    if only_asks(view) {
        return None;
    }
    if let Some(switch) = switched(view) {
        return Some(switch);
    }
    let by_fact = view.program.system_facts().any(|fact| match fact {
        Fact::Power => true,
        Fact::PowerWith(words) => view.texts().any(|text| given(text, words)),
        _ => false,
    });
    let does = by_fact
        || (view.program.is("systemctl") && systemctl(view.command.operands()))
        || (view.program.is("loginctl") && verb(view.command.operands()).is_some_and(|verb| has(VERBS, verb)))
        || (view.program.is_any("dbus-send busctl gdbus qdbus qdbus6") && view.texts().any(asks_the_bus));
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
    let writes = view.program.is_any("tee dd cp sponge");
    let operands = view.command.operands().iter().filter(|_| writes);
    let switch = |word: &&Word| match word.literal().and_then(|text| text.strip_prefix("of=")) {
        Some(path) => has(SWITCHES, path),
        None => is_switch(word),
    };
    view.command.writes_to().chain(operands).find(switch).map(ToString::to_string)
}

fn verb(words: &[Word]) -> Option<&str> {
    const VALUED: &str = "-H -M -t -p -P -s -n -o --host --machine --type --property --root --signal --when --job-mode";
    let mut words = words.iter().filter_map(Word::literal);
    while let Some(text) = words.next() {
        match text {
            _ if has(VALUED, text) => drop(words.next()),
            _ if text.starts_with('-') => {}
            _ => return Some(text),
        }
    }
    None
}

fn systemctl(words: &[Word]) -> bool {
    const TARGETS: &str = "shutdown runlevel0 runlevel6 runlevel1 ctrl-alt-del";
    let Some(verb) = verb(words) else { return false };
    let target = |text: &str| match text.strip_suffix(".target") {
        Some(name) => has(VERBS, name) || has(TARGETS, name),
        None => verb == "isolate" && has(VERBS, text),
    };
    has(VERBS, verb)
        || (has("isolate start restart default set-default", verb)
            && words.iter().filter_map(Word::literal).any(target))
}

fn asks_the_bus(text: &str) -> bool {
    const METHODS: &str = "PowerOff Reboot Halt KExec SoftReboot";
    let name = text.rsplit('.').next().unwrap_or(text);
    has(METHODS, name.strip_suffix("WithFlags").unwrap_or(name))
}
