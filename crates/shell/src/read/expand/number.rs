//! Arithmetic on known numbers.

/// Levels of parentheses and operators that are followed.
const DEPTH: u32 = 32;
/// The longest text that is worth computing.
const LONGEST: usize = 512;

/// Binary operators, loosest first, longest first inside a level.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// What is known of names.
pub(super) trait Names {
    fn value(&mut self, name: &str) -> Option<i64>;
    fn assign(&mut self, name: &str, value: Option<i64>);
}

/// The value of an expression, `None` when anything in it is not known.
pub(super) fn evaluate(text: &str, names: &mut dyn Names) -> Option<i64> {
    if text.len() > LONGEST {
        return None;
    }
    let mut reader = Reader { text: text.as_bytes(), at: 0, names };
    let mut value = Some(0);
    reader.blanks();
    if reader.at == text.len() {
        return value;
    }
    loop {
        value = reader.choice(0);
        reader.blanks();
        if !reader.take(",") {
            break;
        }
    }
    if reader.at < text.len() { None } else { value }
}

struct Reader<'t, 'n> {
    text: &'t [u8],
    at: usize,
    names: &'n mut dyn Names,
}

impl Reader<'_, '_> {
    fn blanks(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn starts(&self, token: &str) -> bool {
        self.text.get(self.at..).is_some_and(|rest| rest.starts_with(token.as_bytes()))
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.starts(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn choice(&mut self, depth: u32) -> Option<i64> {
        if depth > DEPTH {
            self.at = self.text.len() + 1;
            return None;
        }
        let condition = self.binary(0, depth)?;
        self.blanks();
        if !self.take("?") {
            return Some(condition);
        }
        let yes = self.choice(depth + 1);
        self.blanks();
        if !self.take(":") {
            return None;
        }
        let no = self.choice(depth + 1);
        if condition == 0 { no } else { yes }
    }

    fn binary(&mut self, level: usize, depth: u32) -> Option<i64> {
        let Some(operators) = LEVELS.get(level) else { return self.unary(depth + 1) };
        let mut left = self.binary(level + 1, depth)?;
        loop {
            self.blanks();
            let Some(operator) = operators.iter().find(|operator| self.starts(operator)) else { return Some(left) };
            let after = self.text.get(self.at + operator.len()).copied();
            // `|` of `||`, `*` of `**`, `<` of `<<`, and every `op=`.
            let longer = match (*operator, after) {
                ("|", Some(b'|')) | ("&", Some(b'&')) | ("<", Some(b'<')) | (">", Some(b'>')) => true,
                ("==" | "!=" | "<=" | ">=" | "<" | ">" | "||" | "&&", _) => false,
                (_, Some(b'=')) => true,
                _ => false,
            };
            if longer {
                return Some(left);
            }
            if self.take("**") {
                let right = self.unary(depth + 1)?;
                left = left.checked_pow(u32::try_from(right).ok()?)?;
                continue;
            }
            self.at += operator.len();
            let right = self.binary(level + 1, depth)?;
            left = apply(operator, left, right)?;
        }
    }

    fn unary(&mut self, depth: u32) -> Option<i64> {
        if depth > DEPTH {
            self.at = self.text.len() + 1;
            return None;
        }
        self.blanks();
        for operator in ["++", "--", "+", "-", "!", "~"] {
            if !self.take(operator) {
                continue;
            }
            let value = self.unary(depth + 1)?;
            return match operator {
                "-" => value.checked_neg(),
                "!" => Some(i64::from(value == 0)),
                "~" => Some(!value),
                "+" => Some(value),
                _ => None,
            };
        }
        if self.take("(") {
            let value = self.choice(depth + 1);
            self.blanks();
            return if self.take(")") { value } else { None };
        }
        let start = self.at;
        while self
            .text
            .get(self.at)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'#' | b'@'))
        {
            self.at += 1;
        }
        let token = std::str::from_utf8(self.text.get(start..self.at)?).ok()?;
        if token.is_empty() {
            return None;
        }
        if token.starts_with(|first: char| first.is_ascii_digit()) {
            return constant(token);
        }
        self.blanks();
        for operator in ["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="] {
            if !self.starts(operator) || self.starts("==") {
                continue;
            }
            self.at += operator.len();
            let right = self.choice(depth + 1);
            let value = match operator.strip_suffix('=') {
                Some("") => right,
                Some(inner) => self.names.value(token).zip(right).and_then(|(left, right)| apply(inner, left, right)),
                None => None,
            };
            self.names.assign(token, value);
            return value;
        }
        let value = self.names.value(token);
        for (operator, change) in [("++", 1), ("--", -1)] {
            if self.take(operator) {
                self.names.assign(token, value.and_then(|value| value.checked_add(change)));
            }
        }
        value
    }
}

fn constant(token: &str) -> Option<i64> {
    if let Some((base, digits)) = token.split_once('#') {
        return i64::from_str_radix(digits, base.parse().ok().filter(|base| (2..=36).contains(base))?).ok();
    }
    if let Some(digits) = token.strip_prefix("0x").or_else(|| token.strip_prefix("0X")) {
        return i64::from_str_radix(digits, 16).ok();
    }
    match token.strip_prefix('0') {
        Some(digits) if !digits.is_empty() => i64::from_str_radix(digits, 8).ok(),
        _ => token.parse().ok(),
    }
}

fn apply(operator: &str, left: i64, right: i64) -> Option<i64> {
    let shift = || u32::try_from(right).ok().filter(|bits| *bits < 64);
    Some(match operator {
        "||" => i64::from(left != 0 || right != 0),
        "&&" => i64::from(left != 0 && right != 0),
        "|" => left | right,
        "^" => left ^ right,
        "&" => left & right,
        "==" => i64::from(left == right),
        "!=" => i64::from(left != right),
        "<" => i64::from(left < right),
        ">" => i64::from(left > right),
        "<=" => i64::from(left <= right),
        ">=" => i64::from(left >= right),
        "<<" => left.checked_shl(shift()?)?,
        ">>" => left.checked_shr(shift()?)?,
        "+" => left.checked_add(right)?,
        "-" => left.checked_sub(right)?,
        "*" => left.checked_mul(right)?,
        "/" => left.checked_div(right)?,
        "%" => left.checked_rem(right)?,
        _ => return None,
    })
}
