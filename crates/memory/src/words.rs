//! Words, and the forms under which they are found: folded (lower case, without accents) and stemmed in two languages.

use rust_stemmers::{Algorithm, Stemmer};
use std::collections::HashMap;
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Characters of a word that count: what is longer is data.
const LONGEST: usize = 64;
/// Words that are remembered with their forms.
const REMEMBERED: usize = 20_000;

/// Stems words. It remembers those it has seen, because most words of a text are few.
pub struct Stems {
    spanish: Stemmer,
    english: Stemmer,
    seen: HashMap<String, Vec<String>>,
}

impl Default for Stems {
    fn default() -> Self {
        Self {
            spanish: Stemmer::create(Algorithm::Spanish),
            english: Stemmer::create(Algorithm::English),
            seen: HashMap::new(),
        }
    }
}

impl std::fmt::Debug for Stems {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stems").field("seen", &self.seen.len()).finish_non_exhaustive()
    }
}

impl Stems {
    /// The forms of every word of a text, with a space between them, and how many words there are.
    pub fn of(&mut self, text: &str) -> (String, u32) {
        let (mut all, mut count) = (String::new(), 0);
        each_word(text, |word| {
            for form in self.forms(word) {
                all.push_str(form);
                all.push(' ');
            }
            count += 1;
        });
        (all, count)
    }

    /// The folded word first, then its stems, each once.
    pub(crate) fn forms(&mut self, word: &str) -> &[String] {
        if self.seen.len() >= REMEMBERED {
            self.seen.clear();
        }
        let (spanish, english) = (&self.spanish, &self.english);
        self.seen.entry(word.to_owned()).or_insert_with(|| forms(word, spanish, english))
    }
}

fn forms(word: &str, spanish: &Stemmer, english: &Stemmer) -> Vec<String> {
    let lower: String = word.to_lowercase().chars().take(LONGEST).collect();
    let plain = folded(&lower);
    let mut forms = vec![plain.clone()];
    if plain.chars().all(char::is_alphabetic) {
        let accented = with_accent(&plain);
        let stems = [spanish.stem(&lower), spanish.stem(&accented), english.stem(&lower), english.stem(&plain)];
        for stem in stems.map(|stem| folded(&stem)) {
            if !stem.is_empty() && !forms.contains(&stem) {
                forms.push(stem);
            }
        }
    }
    forms
}

/// Without accents.
pub(crate) fn folded(word: &str) -> String {
    if word.is_ascii() {
        return word.to_owned();
    }
    word.nfd().filter(|one| !is_combining_mark(*one)).collect()
}

/// The stemmer knows this ending by its accent only, and people leave it out.
fn with_accent(plain: &str) -> String {
    match plain.strip_suffix("ion") {
        Some(stem) if stem.ends_with(['c', 's']) => format!("{stem}ión"),
        _ => plain.to_owned(),
    }
}

/// Runs of letters and digits.
pub(crate) fn each_word(text: &str, mut act: impl FnMut(&str)) {
    // A letter with its accent apart would be two words.
    let composed: String;
    let text = if is_nfc(text) {
        text
    } else {
        composed = text.nfc().collect();
        &composed
    };
    text.split(|one: char| !one.is_alphanumeric()).filter(|word| !word.is_empty()).for_each(&mut act);
}

/// Words that say nothing of what is looked for.
pub(crate) fn is_stop_word(word: &str, folded: &str) -> bool {
    // With its accent it is tea.
    word.to_lowercase() != "té" && STOP_WORDS.split_ascii_whitespace().any(|stop| stop == folded)
}

const STOP_WORDS: &str = "
    a al algo ante antes como con contra cual cuales cuando de del desde donde e el ella ellas ellos en entre era eran es esa
    ese eso esta estan estas este esto estos fue fueron ha han hay la las le les lo los mas me mi mis muy nada ni no nos o os
    para pero por porque que quien quienes se sea ser si sin sobre son su sus tambien te tiene tienen todo todos tu tus u un
    una unas uno unos y ya yo
    about am an and any are as at be been but by can did do does for from had has have he her hers him his how i if in into
    is it its just my not of on or our she so some than that the their them then there these they this those to us was we
    were what when where which who whom why will with would you your";

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a text has what is looked for, whatever its number, tense or accents.
    fn meet(one: &str, other: &str) -> bool {
        let mut stems = Stems::default();
        let one = stems.forms(one).to_vec();
        stems.forms(other).iter().any(|form| one.contains(form))
    }

    #[test]
    fn words_meet_in_two_languages_and_without_accents() {
        for (one, other) in [
            ("búsqueda", "busqueda"),
            ("BÚSQUEDAS", "busqueda"),
            ("canciones", "canción"),
            ("cancion", "canciones"),
            ("informaciones", "informacion"),
            ("niños", "nino"),
            ("alérgica", "alergico"),
            ("trabajando", "trabajar"),
            ("running", "runs"),
            ("flights", "flight"),
            ("preferences", "preference"),
            ("caf\u{65}\u{301}", "CAFÉ"),
            ("Ελλάδα", "ελλαδα"),
            ("2026", "2026"),
        ] {
            let mut whole = Vec::new();
            each_word(one, |word| whole.push(word.to_owned()));
            assert!(whole.len() == 1 && meet(&whole[0], other), "{one} and {other}");
        }
        for (one, other) in [("tea", "team"), ("casa", "cosa"), ("2026", "2025"), ("Bilbao", "Burgos")] {
            assert!(!meet(one, other), "{one} and {other}");
        }
    }

    #[test]
    fn a_text_is_all_forms_of_its_words() {
        let (stems, words) = Stems::default().of("Ana likes -- tea, 3 cups.");
        assert_eq!(words, 5);
        let all: Vec<&str> = stems.split(' ').collect();
        assert!(["ana", "likes", "like", "tea", "3", "cups", "cup"].iter().all(|word| all.contains(word)), "{stems}");
    }
}
