//! awk programs that only print: no `system`, no pipe, no redirection, no `getline`, no way to name files of their own
//! or to show the environment.

use crate::catalogue::{Style, has};
use crate::unwrap::{MOST_TOKENS, Token, tokens};

/// Words that start programs, open files or reach what the operands do not name.
const FORBIDDEN: &str = "system getline ENVIRON PROCINFO ARGV ARGC ARGIND SYMTAB FUNCTAB INCLUDE close";

/// Whether a program is understood and harmless. One that never writes any of the dangerous words and signs is; one
/// that does must have them in strings and patterns only, and be so plain that those are surely told apart.
pub(super) fn only_reads(program: &str) -> bool {
    let quiet = !program.contains(['|', '>', '@', '`'])
        && !program.contains("\\\n")
        && !FORBIDDEN.split(' ').any(|word| program.contains(word));
    quiet || told_apart(&tokens(program, Style::Awk))
}

fn told_apart(tokens: &[Token]) -> bool {
    let mut printing = false;
    for (at, token) in tokens.iter().enumerate() {
        let after = tokens.get(..at).unwrap_or_default();
        match token {
            Token::Name(name) => {
                if has(FORBIDDEN, name) {
                    return false;
                }
                printing |= matches!(name.as_str(), "print" | "printf");
            }
            // After `if (x)` a pattern, after `(x)` a division; after `x++` a division, after `x + +` a pattern.
            Token::Mark('/') if matches!(after, [.., Token::Mark(')')]) || is_step(after) => return false,
            Token::Mark('|') if !matches!(after, [.., Token::Mark('|')]) => {
                let bars = tokens.iter().skip(at).take_while(|own| **own == Token::Mark('|')).count();
                if bars != 2 {
                    return false;
                }
            }
            Token::Mark('>') if printing => return false,
            Token::Mark('@' | '\\' | '`' | '\'') | Token::Quoted(_) | Token::List(_) => return false,
            Token::Mark(';' | '{' | '}' | '\n') => printing = false,
            _ => {}
        }
    }
    tokens.len() < MOST_TOKENS
}

/// Whether this ends in `++` or `--`.
fn is_step(before: &[Token]) -> bool {
    matches!(before, [.., Token::Mark('+'), Token::Mark('+')] | [.., Token::Mark('-'), Token::Mark('-')])
}
