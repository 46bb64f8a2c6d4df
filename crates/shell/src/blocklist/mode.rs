//! Modes and owners: everything to everybody, the system's own directories as a whole, a shell that keeps its owner's
//! rights.

use super::Rule;
use super::found::{Choice, Found, names_any, starts};
use super::options::{Options, Valued};
use super::staged::place;
use super::view::{Program, View};
use crate::catalogue::has;
use crate::command::{RedirectKind, Surroundings, Via, Word};
use crate::read::Reading;
use crate::unwrap::Inner;

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
        "install -m 4755 /bin/sh ./s",
        "install -Dm u+s,a+rx /bin/bash s",
        "ginstall --mode=06755 /usr/bin/python3.12 s",
        "cp /bin/sh s && chmod 4755 s",
        "cat /bin/bash > x; chmod u+s ./x",
        "perl -e 'chmod 04755, \"/bin/sh\"'",
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
        "install -m 755 /bin/sh ./s",
        "install -m 4755 ./tool /usr/local/bin/tool",
        "cp /bin/sh s && chmod 755 s",
        "cp a s && chmod 4755 s",
    ],
};

const CHMOD: &str = "chmod gchmod";

fn world_writable(view: &View<'_>) -> Option<String> {
    if !view.program.is_any(CHMOD) {
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

const CHANGERS: &str = "chmod gchmod chown gchown chgrp setfacl chattr chcon";

fn system_mode(view: &View<'_>) -> Option<String> {
    let words = view.command.operands();
    let system = |word: &&Word| view.target(word).is_some_and(|target| target.is_system_root());
    if view.program.is_any(CHANGERS) {
        let options = Options::read(words, Valued { short: "m", long: "reference from" });
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
            Inner::Command(inner) => inner.program().is_some_and(|program| has(CHANGERS, program)),
            Inner::Script(script) => names_any(&script.text, CHANGERS),
        };
        return starts(view.command, view.surroundings, &changes).then(|| root.to_string());
    }
    None
}

fn setuid_shell(view: &View<'_>) -> Option<String> {
    let arms = if view.program.is_any(INSTALL) {
        installing(view.command.operands()).values('m', "mode").any(sets_user)
    } else {
        arms(view)
    };
    (arms && view.texts().any(is_shell)).then(|| view.shown())
}

/// A copy of a shell that one command makes, and another gives its owner's rights.
pub(super) fn armed_copy(reading: &Reading, surroundings: &Surroundings) -> Option<String> {
    let mut copies: Vec<String> = Vec::new();
    for command in &reading.commands {
        let program = Program::of(command, surroundings);
        let view = View { command, surroundings, program: &program };
        if arms(&view) {
            let operands = command.operands().iter();
            let mut places = operands.filter_map(|word| place(word, command, surroundings));
            if places.any(|place| copies.contains(&place)) {
                return Some(view.shown());
            }
        } else if view.texts().any(|text| is_shell(text.strip_prefix("if=").unwrap_or(text))) {
            copies.extend(made(&view).and_then(|word| place(&word, command, surroundings)));
        }
    }
    None
}

/// The file that a copying command makes.
fn made(view: &View<'_>) -> Option<Word> {
    let words = view.command.operands();
    if view.program.is_any("cp gcp ln mv rsync") {
        return words.iter().rfind(|word| !word.prefix().starts_with('-')).cloned();
    }
    if view.program.is_any(INSTALL) {
        return installing(words).operands.last().map(|word| (*word).clone());
    }
    if view.program.is("dd") {
        return view.texts().find_map(|text| text.strip_prefix("of=")).map(Word::text);
    }
    let written = view.command.redirects.iter().find(|redirect| redirect.kind != RedirectKind::Read);
    written.map(|redirect| redirect.target.clone())
}

const INSTALL: &str = "install ginstall";

fn installing(words: &[Word]) -> Options<'_> {
    Options::read(words, Valued { short: "mgoSt", long: "mode group owner suffix target-directory" })
}

/// Whether `chmod` gives the rights of the file's owner to everybody who runs it.
fn arms(view: &View<'_>) -> bool {
    view.program.is_any(CHMOD) && modes(view.command.operands()).into_iter().any(sets_user)
}

fn sets_user(mode: &str) -> bool {
    match octal(mode) {
        Some(bits) => bits & 0o4000 != 0,
        None => mode.split(',').filter_map(parts).any(|(who, rest)| {
            (who.is_empty() || who.contains(['u', 'a'])) && rest.contains('s') && !rest.starts_with('-')
        }),
    }
}

/// Whether a path ends in the name of a program that runs what it is given.
fn is_shell(path: &str) -> bool {
    const SHELLS: &str = "sh bash dash zsh ksh ash fish busybox python perl env ruby";
    let name = path.rsplit('/').next().unwrap_or(path);
    has(SHELLS, name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.'))
}
