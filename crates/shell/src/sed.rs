//! sed scripts as their commands: whether one only reads, what it starts and what it prints are asked of one reader.

/// One command of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step<'s> {
    /// `e`: a command; without one, the input is run.
    Run(&'s str),
    /// `s`, its delimiter no longer escaped.
    Substitute { pattern: String, with: String, flags: &'s str },
    /// `r`, `R`, `w`, `W`.
    File,
    /// Any other: it only prints and changes what flows through.
    Text,
}

/// Commands that are read of one script.
const MOST: usize = 65_536;
/// Characters of a bracket expression that are looked at.
const BRACKET: usize = 128;

/// The commands of a script, and whether they are surely these: where readers of sed disagree, or a command is not known,
/// the rest is read on as well as it can be.
pub(crate) fn steps(script: &str) -> (Vec<Step<'_>>, bool) {
    let mut script = Script { rest: script, sure: true };
    let mut steps = Vec::new();
    while steps.len() < MOST
        && let Some(step) = script.step()
    {
        steps.push(step);
    }
    (steps, script.sure && script.rest.is_empty())
}

/// Whether every command of a script is understood and stays with the text that flows through.
pub(crate) fn only_reads(script: &str) -> bool {
    let harmless = |flag: char| flag.is_ascii_digit() || "gpiImM \t".contains(flag);
    let (steps, sure) = steps(script);
    sure && steps.iter().all(|step| match step {
        Step::Text => true,
        Step::Substitute { flags, .. } => flags.chars().all(harmless),
        Step::Run(_) | Step::File => false,
    })
}

struct Script<'s> {
    rest: &'s str,
    sure: bool,
}

impl<'s> Script<'s> {
    fn step(&mut self) -> Option<Step<'s>> {
        self.skip(|letter| letter.is_ascii_whitespace() || letter == ';');
        if self.rest.is_empty() {
            return None;
        }
        self.addresses();
        let Some(kind) = self.next() else {
            self.sure = false;
            return None;
        };
        let mut step = Step::Text;
        match kind {
            '{' | '}' => return Some(step),
            'e' => return Some(Step::Run(self.until_any(&['\n']).trim())),
            'r' | 'R' | 'w' | 'W' => {
                self.until_any(&['\n']);
                return Some(Step::File);
            }
            'a' | 'i' | 'c' => {
                self.text();
                return Some(step);
            }
            'p' | 'P' | 'd' | 'D' | 'n' | 'N' | 'g' | 'G' | 'h' | 'H' | 'x' | '=' | 'z' | 'F' => {}
            'l' | 'q' | 'Q' | 'L' => self.skip(|letter| letter == ' ' || letter.is_ascii_digit()),
            '#' => drop(self.until_any(&['\n'])),
            // A label ends at a blank, and what follows is the next command.
            ':' | 'b' | 't' | 'T' => {
                self.skip(|letter| letter == ' ');
                self.skip(|letter| letter.is_ascii_alphanumeric() || letter == '_');
            }
            's' | 'y' => {
                let end = self.delimiter();
                let (pattern, with) = (self.until(end), self.until(end));
                if kind == 's' {
                    step = Step::Substitute { pattern, with, flags: self.until_any(&[';', '\n', '}', '#']) };
                }
            }
            _ => self.sure = false,
        }
        // A command ends before the next begins; what stands here otherwise was not understood.
        self.skip(|letter| letter == ' ' || letter == '\t');
        self.sure &= self.until_any(&[';', '\n', '}', '#']).is_empty();
        Some(step)
    }

    fn addresses(&mut self) {
        while let Some(letter) = self.rest.chars().next() {
            match letter {
                '0'..='9' | '$' | ',' | '~' | '+' | '!' | ' ' | '\t' => drop(self.next()),
                '/' | '\\' => {
                    self.next();
                    let end = if letter == '/' { '/' } else { self.delimiter() };
                    self.until(end);
                    self.skip(|letter| matches!(letter, 'I' | 'M'));
                }
                _ => return,
            }
        }
    }

    /// One of ASCII: another may be several bytes, of which a sed that counts bytes takes the first.
    fn delimiter(&mut self) -> char {
        let end = self.next().unwrap_or('\n');
        self.sure &= end.is_ascii() && !matches!(end, '\n' | '\\');
        end
    }

    /// What stands before the next `end` that no backslash hides. A bracket hides nothing, as in GNU sed; where another sed
    /// reads on, this is not sure.
    fn until(&mut self, end: char) -> String {
        let mut out = String::new();
        while let Some(letter) = self.next() {
            match letter {
                '\\' => match self.next() {
                    Some(escaped) if escaped == end => out.push(end),
                    Some(escaped) => out.extend(['\\', escaped]),
                    None => break,
                },
                letter if letter == end => return out,
                letter => {
                    self.sure &= letter != '[' || !self.bracket_holds(end);
                    out.push(letter);
                }
            }
        }
        self.sure = false;
        out
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

    fn until_any(&mut self, ends: &[char]) -> &'s str {
        let (before, rest) = self.rest.split_at(self.rest.find(ends).unwrap_or(self.rest.len()));
        self.rest = rest;
        before
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
