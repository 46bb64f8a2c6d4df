//! Modes and owners: everything to everybody, the system's own directories as a whole, a shell that keeps its owner's
//! rights.

use super::Rule;
use super::found::{Choice, Found, names_any, starts};
use super::options::{Options, Valued};
use super::view::View;
use crate::shell::command::{Via, Word};
use crate::shell::unwrap::Inner;

pub(super) const WORLD_WRITABLE: Rule = Rule {
    id: "shell.block.world-writable",
    key: "shell-block-world-writable",
    breaks: world_writable,
    matches: &[
        "chmod 777 x",
        "chmod -R 0777 .",
        "chmod 000777 x",
        "chmod 1777 x",
        "chmod ugo+rwx x",
        "chmod a=rwx x",
        "chmod -- 777 x",
        "chmod u=rwx,g=rwx,o=rwx x",
        "find . -type d -exec chmod 777 {} \\;",
        "chmod -Rv 777 x",
    ],
    spares: &[
        "chmod 755 x",
        "chmod 644 777",
        "chmod +x x",
        "chmod u+rwx x",
        "chmod -R go-rwx x",
        "chmod a+r x",
        "chmod 0700 777.txt",
        "echo chmod 777 x",
        "grep 'chmod 777' x",
        "chmod ug=rwx,o=rx x",
    ],
};

pub(super) const SYSTEM_MODE: Rule = Rule {
    id: "shell.block.system-mode",
    key: "shell-block-system-mode",
    breaks: system_mode,
    matches: &[
        "chmod -R 755 /",
        "chown -R me /",
        "chgrp -R staff /etc",
        "chown --recursive me:me /usr",
        "chmod -R a-x /*",
        "cd / && chown -R me .",
        "chown -hR me /var",
        "chmod -R u+w $UNSET/",
        "find / -exec chown me {} +",
    ],
    spares: &[
        "chown -R me src",
        "chmod -R 755 build",
        "chmod 755 /etc",
        "chown me x",
        "chown -R me ~/project",
        "chown -R me /opt/tool",
        "chmod -R u+w ./usr",
        "echo chown -R me /",
        "find . -exec chmod 644 {} +",
    ],
};

pub(super) const SETUID_SHELL: Rule = Rule {
    id: "shell.block.setuid-shell",
    key: "shell-block-setuid-shell",
    breaks: setuid_shell,
    matches: &[
        "chmod u+s /bin/bash",
        "chmod 4755 /bin/sh",
        "chmod +s /usr/bin/dash",
        "chmod ug+s /bin/zsh",
        "chmod 06755 /bin/bash",
        "cp /bin/bash x; chmod u+s /tmp/bash",
        "chmod u+xs /usr/bin/python3",
        "chmod 4711 ./bash",
    ],
    spares: &[
        "chmod u+x bash",
        "chmod 755 ./sh",
        "chmod g+s shared",
        "chmod u-s /bin/bash",
        "chmod 0755 bash",
        "ls -l /bin/bash",
        "chmod o-w sh.txt",
        "echo chmod u+s /bin/bash",
    ],
};

const CHMOD: [&str; 2] = ["chmod", "gchmod"];

fn world_writable(view: &View<'_>) -> Option<String> {
    if !view.program.is_any(&CHMOD) {
        return None;
    }
    let modes = modes(view.command.operands());
    modes.into_iter().find(|mode| opens_all(mode)).map(|_| view.shown())
}

/// The words that may be the mode: the first operand, or any when the first is none.
fn modes(words: &[Word]) -> Vec<&str> {
    let mut operands = words.iter().filter_map(Word::literal).filter(|text| *text != "--");
    // A mode may begin with `-`, an option never looks like one.
    let option = |text: &str| text.starts_with('-') && !text.trim_start_matches('-').starts_with(is_mode_letter);
    let candidates: Vec<&str> = operands.by_ref().filter(|text| !option(text)).collect();
    match candidates.first() {
        Some(first) if is_mode(first) => candidates.into_iter().take(1).collect(),
        _ => candidates.into_iter().filter(|text| is_mode(text)).collect(),
    }
}

fn is_mode_letter(letter: char) -> bool {
    matches!(letter, 'r' | 'w' | 'x' | 's' | 't' | 'X')
}

fn octal(text: &str) -> Option<u32> {
    let digits = text.trim_start_matches(['=', '+']);
    u32::from_str_radix(digits, 8).ok().filter(|_| !digits.is_empty())
}

fn is_mode(text: &str) -> bool {
    octal(text).is_some() || text.split(',').all(|clause| parts(clause).is_some())
}

/// `who`, `operator and permissions`.
fn parts(clause: &str) -> Option<(&str, &str)> {
    let at = clause.find(['+', '-', '='])?;
    let (who, rest) = clause.split_at_checked(at)?;
    let known =
        who.chars().all(|letter| "ugoa".contains(letter)) && rest.chars().all(|letter| "+-=rwxXstugo".contains(letter));
    known.then_some((who, rest))
}

/// Whether owner, group and others would all have all rights. What the umask takes away from a bare `+` is not given.
fn opens_all(mode: &str) -> bool {
    if let Some(bits) = octal(mode) {
        return bits & 0o777 == 0o777;
    }
    let mut given = [0_u8; 3];
    for clause in mode.split(',') {
        let Some((who, rest)) = parts(clause) else { return false };
        let who = match who {
            "" if rest.starts_with('=') => "ugo",
            who if who.contains('a') => "ugo",
            who => who,
        };
        let mut operator = '+';
        for letter in rest.chars() {
            let bit = match letter {
                '+' | '-' | '=' => {
                    operator = letter;
                    if letter == '=' {
                        each(who, &mut given, |bits| *bits = 0);
                    }
                    continue;
                }
                'r' => 4,
                'w' => 2,
                'x' | 'X' => 1,
                'u' | 'g' | 'o' => "ugo".chars().zip(given).find(|(own, _)| *own == letter).map_or(0, |(_, bits)| bits),
                _ => continue,
            };
            each(who, &mut given, |bits| if operator == '-' { *bits &= !bit } else { *bits |= bit });
        }
    }
    given == [7, 7, 7]
}

fn each(who: &str, given: &mut [u8; 3], change: impl Fn(&mut u8)) {
    for (letter, bits) in "ugo".chars().zip(given) {
        if who.contains(letter) {
            change(bits);
        }
    }
}

const CHANGERS: [&str; 8] = ["chmod", "gchmod", "chown", "gchown", "chgrp", "setfacl", "chattr", "chcon"];

fn system_mode(view: &View<'_>) -> Option<String> {
    let words = view.command.operands();
    let system = |word: &&Word| view.target(word).is_some_and(|target| target.is_system_root());
    if view.program.is_any(&CHANGERS) {
        let options = Options::read(words, Valued { short: "m", long: &["reference", "from"] });
        // What `find` finds is judged where `find` is: there its filters are seen.
        let by_find =
            view.command.via.iter().any(|via| matches!(via, Via::Each(name) if name == "find" || name == "gfind"));
        let each = !by_find && view.command.via.iter().any(|via| matches!(via, Via::Each(_)));
        let recursive = options.letter('R') || options.name("recursive") || options.doubtful || each;
        return options.operands.into_iter().filter(|_| recursive).find(system).map(ToString::to_string);
    }
    if view.program.is("find") {
        let found = Found::read(words);
        let root = found.roots.iter().filter(|_| found.choice() == Choice::All).find(system)?;
        let changes = |inner: &Inner| match inner {
            Inner::Command(inner) => inner.program().is_some_and(|program| CHANGERS.contains(&program)),
            Inner::Script(script) => names_any(&script.text, &CHANGERS),
        };
        return starts(view.command, view.surroundings, &changes).then(|| root.to_string());
    }
    None
}

fn setuid_shell(view: &View<'_>) -> Option<String> {
    const SHELLS: [&str; 12] =
        ["sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "busybox", "python3", "python", "perl", "env"];
    if !view.program.is_any(&CHMOD) {
        return None;
    }
    let sets = |mode: &str| match octal(mode) {
        Some(bits) => bits & 0o4000 != 0,
        None => mode.split(',').filter_map(parts).any(|(who, rest)| {
            (who.is_empty() || who.contains(['u', 'a'])) && rest.contains('s') && !rest.starts_with('-')
        }),
    };
    if !modes(view.command.operands()).into_iter().any(sets) {
        return None;
    }
    view.texts().find(|text| SHELLS.contains(&text.rsplit('/').next().unwrap_or(text))).map(|_| view.shown())
}
