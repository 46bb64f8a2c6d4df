//! sed scripts that only print and change what flows through: no `w`, `W`, `r`, `R`, `e`, and no `s///` with `e` or
//! `w`.

/// Whether every command of a script is understood and harmless.
pub(super) fn only_reads(script: &str) -> bool {
    Script { rest: script }.all()
}

/// Characters of a bracket expression that are looked at.
const BRACKET: usize = 128;

struct Script<'s> {
    rest: &'s str,
}

impl Script<'_> {
    fn all(&mut self) -> bool {
        loop {
            self.skip(|letter| letter.is_ascii_whitespace() || letter == ';');
            if self.rest.is_empty() {
                return true;
            }
            if self.command().is_none() {
                return false;
            }
        }
    }

    /// One command with its addresses; `None` when it is not understood or not harmless.
    fn command(&mut self) -> Option<()> {
        self.addresses()?;
        match self.next()? {
            '{' => return Some(()),
            '}' | 'p' | 'P' | 'd' | 'D' | 'n' | 'N' | 'g' | 'G' | 'h' | 'H' | 'x' | '=' | 'z' | 'F' => Some(()),
            'l' | 'q' | 'Q' | 'L' => {
                self.skip(|letter| letter == ' ' || letter.is_ascii_digit());
                Some(())
            }
            '#' => {
                self.skip(|letter| letter != '\n');
                Some(())
            }
            // A label ends at a blank, and what follows is the next command.
            ':' | 'b' | 't' | 'T' => {
                self.skip(|letter| letter == ' ');
                self.skip(|letter| letter.is_ascii_alphanumeric() || letter == '_');
                Some(())
            }
            'a' | 'i' | 'c' => {
                self.text();
                return Some(());
            }
            's' => self.substitution(),
            'y' => {
                let end = self.delimiter()?;
                self.until(end)?;
                self.until(end)
            }
            _ => None,
        }?;
        // A command ends before the next begins; what stands here otherwise was not understood.
        self.skip(|letter| letter == ' ' || letter == '\t');
        match self.rest.chars().next() {
            None | Some(';' | '\n' | '}' | '#') => Some(()),
            Some(_) => None,
        }
    }

    fn addresses(&mut self) -> Option<()> {
        loop {
            match self.rest.chars().next()? {
                letter if letter.is_ascii_digit() => self.skip(|letter| letter.is_ascii_digit()),
                '$' | ',' | '~' | '+' | '!' | ' ' => {
                    self.next();
                }
                '/' => {
                    self.next();
                    self.until('/')?;
                    self.skip(|letter| matches!(letter, 'I' | 'M'));
                }
                '\\' => {
                    self.next();
                    let end = self.delimiter()?;
                    self.until(end)?;
                    self.skip(|letter| matches!(letter, 'I' | 'M'));
                }
                _ => return Some(()),
            }
        }
    }

    fn substitution(&mut self) -> Option<()> {
        let end = self.delimiter()?;
        self.until(end)?;
        self.until(end)?;
        self.skip(|letter| letter.is_ascii_digit() || matches!(letter, 'g' | 'p' | 'i' | 'I' | 'm' | 'M'));
        Some(())
    }

    /// One of ASCII: another may be several bytes, of which a sed that counts bytes takes the first.
    fn delimiter(&mut self) -> Option<char> {
        self.next().filter(|end| end.is_ascii() && !matches!(end, '\n' | '\\'))
    }

    /// Past the next `end` that no backslash hides. A bracket hides nothing, as in GNU sed; where another sed reads on,
    /// the rest would be a delimiter short and is refused.
    fn until(&mut self, end: char) -> Option<()> {
        loop {
            match self.next()? {
                '\\' => {
                    self.next()?;
                }
                '[' if self.bracket_holds(end) => return None,
                letter if letter == end => return Some(()),
                _ => {}
            }
        }
    }

    /// Whether a bracket expression that begins here holds the delimiter: readers disagree on those.
    fn bracket_holds(&self, end: char) -> bool {
        let inside = self.rest.chars().take(BRACKET).enumerate();
        inside.take_while(|(at, letter)| *at == 0 || *letter != ']').any(|(_, letter)| letter == end)
    }

    /// The text of `a`, `i`, `c`: to the end of the line, and on where the line ends in a backslash.
    fn text(&mut self) {
        while let Some(letter) = self.next() {
            if letter == '\\' {
                self.next();
            } else if letter == '\n' {
                return;
            }
        }
    }

    fn next(&mut self) -> Option<char> {
        let mut letters = self.rest.chars();
        let next = letters.next()?;
        self.rest = letters.as_str();
        Some(next)
    }

    fn skip(&mut self, wanted: impl Fn(char) -> bool) {
        self.rest = self.rest.trim_start_matches(wanted);
    }
}
