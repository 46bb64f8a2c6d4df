//! The words of a command as a rule writes them: `*` stands for one argument, `...` at the end for all others.
//!
//! What allows must be sure of every word. What refuses takes a word that is not known for any words, a program by its path
//! for the program, and, in front of `...`, lets options stand between its words: `git -C x push` is a `git push`.

use palanca_core::ports::{CommandClass, CommandPart, CommandWord};

/// Words of one rule; more would be a mistake.
const MOST: usize = 32;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Is(String),
    One,
}

/// The words of one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Words {
    tokens: Vec<Token>,
    open: bool,
}

impl Words {
    /// `\*` and `\...` are those words themselves.
    ///
    /// # Errors
    /// What is wrong, and what to write instead.
    pub(super) fn new(words: &[String]) -> Result<Self, String> {
        let (words, open) = match words {
            [first @ .., last] if last == "..." => (first, true),
            all => (all, false),
        };
        match words.first().map(String::as_str) {
            None | Some("*" | "" | "...") => {
                return Err(
                    "the first word of 'command' must name a program; use 'class' for commands of any name".to_owned()
                );
            }
            Some(_) => {}
        }
        if words.len() > MOST {
            return Err(format!("'command' has more than {MOST} words; end it earlier, with \"...\""));
        }
        if words.iter().any(|word| word == "...") {
            return Err("'...' stands for all further arguments and can only come last".to_owned());
        }
        let token = |word: &String| match word.as_str() {
            "*" => Token::One,
            "\\*" | "\\..." => Token::Is(word.trim_start_matches('\\').to_owned()),
            _ => Token::Is(word.clone()),
        };
        Ok(Self { tokens: words.iter().map(token).collect(), open })
    }

    /// The program and the words that follow it, as far as they are fixed.
    pub(super) fn fixed(&self) -> Vec<&str> {
        let fixed = self.tokens.iter().map_while(|token| match token {
            Token::Is(text) => Some(text.as_str()),
            Token::One => None,
        });
        fixed.collect()
    }

    /// Whether further arguments may follow.
    pub(super) const fn open(&self) -> bool {
        self.open
    }

    /// Whether this part is one of these commands for certain.
    pub(super) fn cover(&self, part: &CommandPart) -> bool {
        let Some(rest) = part.words.get(self.tokens.len()..) else { return false };
        let fits = |(token, word): (&Token, &CommandWord)| match (token, word) {
            (Token::Is(text), CommandWord::Known(word)) => text == word,
            (Token::One, CommandWord::Known(_)) => true,
            _ => false,
        };
        // Names that a pattern finds are harmless where the command's class says so: what could be taken for an option
        // makes it dangerous.
        let may_follow = |word: &CommandWord| match word {
            CommandWord::Known(_) => true,
            CommandWord::Pattern(_) => part.class <= CommandClass::Dev,
            CommandWord::Unknown(_) => false,
        };
        self.tokens.iter().zip(&part.words).all(fits)
            && if self.open { rest.iter().all(may_follow) } else { rest.is_empty() }
    }

    /// Whether this part could be one of these commands.
    pub(super) fn touch(&self, words: &[CommandWord]) -> bool {
        let Some((program, rest)) = words.split_first() else { return false };
        let end = 1_u64 << self.tokens.len();
        // One bit for each place that the words so far could have led to; the second set comes from an option, whose value
        // may stand next.
        let (mut plain, mut after_option) = match (program, self.tokens.first()) {
            (CommandWord::Known(name), Some(Token::Is(own))) if !named(name, own) => return false,
            (CommandWord::Known(_), _) => (2_u64, 0_u64),
            _ => (onwards(2), 0),
        };
        for word in rest {
            if self.open && (plain | after_option) & end != 0 {
                return true;
            }
            let here = plain | after_option;
            (plain, after_option) = match word {
                CommandWord::Known(text) => {
                    let taken = self.taken(here, |own| own == text);
                    let option = self.open && text.starts_with('-');
                    (taken | if self.open { after_option } else { 0 }, if option { here } else { 0 })
                }
                CommandWord::Pattern(_) | CommandWord::Unknown(_) => (onwards(here), 0),
            };
        }
        (plain | after_option) & end != 0
    }

    fn taken(&self, here: u64, is: impl Fn(&str) -> bool) -> u64 {
        let fits = |token: &Token| match token {
            Token::Is(own) => is(own),
            Token::One => true,
        };
        let steps = self.tokens.iter().enumerate().filter(|(at, token)| here & (1 << at) != 0 && fits(token));
        steps.fold(0, |found, (at, _)| found | (1 << (at + 1)))
    }
}

/// Every place from the first of these on.
const fn onwards(here: u64) -> u64 {
    if here == 0 { 0 } else { !((1 << here.trailing_zeros()) - 1) }
}

/// Whether a program goes by this name, by its path or not.
fn named(program: &str, own: &str) -> bool {
    program == own || (!own.contains('/') && program.rsplit('/').next() == Some(own))
}
