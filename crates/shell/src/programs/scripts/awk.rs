//! awk programs that only print: no `system`, no pipe, no redirection, no `getline`, no way to name files of their own
//! or to show the environment.

use crate::catalogue::has;

/// Words that start programs, open files or reach what the operands do not name.
const FORBIDDEN: &str = "system getline ENVIRON PROCINFO ARGV ARGC ARGIND SYMTAB FUNCTAB INCLUDE close";

/// Words that no value ends with, so that a slash behind them opens a pattern.
const OPERATORS: &str =
    "print printf return in else do case exit delete if while for BEGIN END function func switch default next";

/// Whether a program is understood and harmless. One that never writes any of the dangerous words and signs is; one
/// that does must have them in strings and patterns only, and be so plain that those are surely told apart.
pub(super) fn only_reads(program: &str) -> bool {
    let quiet = !program.contains(['|', '>', '@', '`'])
        && !program.contains("\\\n")
        && !FORBIDDEN.split(' ').any(|word| program.contains(word));
    quiet || told_apart(program)
}

fn told_apart(program: &str) -> bool {
    let mut after_bracket = false;
    let mut rest = program.chars().peekable();
    // Whether a slash here divides: after a value. Otherwise it opens a pattern.
    let mut after_value = false;
    let mut printing = false;
    while let Some(letter) = rest.next() {
        let closed = after_bracket;
        after_bracket = letter == ')' || (closed && letter.is_whitespace());
        match letter {
            // After `if (x)` a pattern, after `(x)` a division.
            '/' if closed => return false,
            '"' => {
                if !skip_to(&mut rest, '"') {
                    return false;
                }
                after_value = true;
            }
            '/' if !after_value => {
                if !skip_to(&mut rest, '/') {
                    return false;
                }
                after_value = true;
            }
            '#' => {
                while rest.peek().is_some_and(|letter| *letter != '\n') {
                    rest.next();
                }
            }
            '|' => {
                if rest.next_if_eq(&'|').is_none() {
                    return false;
                }
                after_value = false;
            }
            '>' if printing => return false,
            '@' | '\\' | '`' => return false,
            ';' | '{' | '}' | '\n' => {
                printing = false;
                after_value = false;
            }
            letter if letter.is_ascii_alphabetic() || letter == '_' => {
                let mut word = String::from(letter);
                while let Some(more) = rest.next_if(|more| more.is_ascii_alphanumeric() || *more == '_') {
                    word.push(more);
                }
                if has(FORBIDDEN, word.as_str()) {
                    return false;
                }
                printing |= matches!(word.as_str(), "print" | "printf");
                after_value = !has(OPERATORS, word.as_str());
            }
            letter if letter.is_ascii_digit() || letter == '.' => after_value = true,
            ')' | ']' | '$' => after_value = true,
            letter if letter.is_whitespace() => {}
            _ => after_value = false,
        }
    }
    true
}

/// Past the end of a string or a pattern; false when it does not end on its line.
fn skip_to(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, end: char) -> bool {
    while let Some(letter) = rest.next() {
        match letter {
            '\\' => {
                rest.next();
            }
            // In a bracket a slash may stand unescaped.
            '\n' | '[' if end == '/' || letter == '\n' => return false,
            letter if letter == end => return true,
            _ => {}
        }
    }
    false
}
