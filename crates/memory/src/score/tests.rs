use super::*;
use crate::Stems;

fn scored(question: &str, notes: &[&str], ages: &[Option<f64>]) -> Vec<f64> {
    let query = Query::new(question).unwrap();
    let stems: Vec<(String, u32)> = notes.iter().map(|note| Stems::default().of(note)).collect();
    let has = |stems: &str, term: &Term| stems.split(' ').any(|form| term.forms.iter().any(|own| own == form));
    let count = |term: &Term| stems.iter().filter(|(stems, _)| has(stems, term)).count() as u64;
    let words: u32 = stems.iter().map(|(_, words)| *words).sum();
    let corpus = Corpus {
        passages: notes.len() as u64,
        mean_words: f64::from(words) / notes.len() as f64,
        with: query.terms().iter().map(count).collect(),
    };
    let candidates = stems.iter().zip(ages.iter().copied().chain(std::iter::repeat(None)));
    candidates.map(|((stems, words), age)| score(&query, &corpus, &Candidate { stems, words: *words, age })).collect()
}

#[test]
fn the_best_match_scores_highest_and_nothing_scores_nothing() {
    let notes = ["Ana's mother lives in Bilbao", "Ana likes tea", "the weather in Burgos", "mothers' day is in May"];
    let scores = scored("¿where does the mother of Ana live?", &notes, &[]);
    assert!(scores[0] > scores[1] && scores[0] > scores[3] && scores[0] > 0.3, "{scores:?}");
    assert_eq!(scores[2], 0.0);
    assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)));
}

#[test]
fn words_that_say_little_decide_between_notes_that_have_the_others() {
    let notes = ["he came without money", "he came for the money", "rain"];
    let scores = scored("did he come for money", &notes, &[]);
    assert!(scores[1] > scores[0] && scores[0] > 0.0 && scores[2] == 0.0, "{scores:?}");
    let (bare, asked) = (scored("money", &notes, &[]), scored("what would money", &notes, &[]));
    assert_eq!(bare, asked, "words that nobody wrote take nothing");
}

#[test]
fn the_word_itself_counts_more_than_another_form() {
    let scores = scored("flights", &["the flights", "the flight", "the train"], &[]);
    assert!(scores[0] > scores[1] && scores[1] > 0.7 * scores[0] && scores[2] == 0.0, "{scores:?}");
}

#[test]
fn one_note_alone_is_found() {
    assert!(scored("tea", &["Ana likes tea"], &[])[0] > 0.3);
    assert!(scored("tea", &["tea"; 50], &[]).iter().all(|score| *score > 0.3), "even where all have the word");
}

#[test]
fn of_two_alike_the_newer_one_is_first_and_no_age_hides_an_answer() {
    let scores = scored("tea", &["Ana likes tea"; 3], &[Some(0.0), Some(30.0), Some(100_000.0)]);
    assert!(scores[0] > scores[1] && scores[1] > scores[2] && scores[2] > 0.6 * scores[0], "{scores:?}");
}

#[test]
fn the_beginning_of_a_word_counts_less() {
    let scores = scored("vegetar", &["vegetar", "vegetarianismo", "carne"], &[]);
    assert!(scores[0] > scores[1] && scores[1] > 0.0 && scores[2] == 0.0, "{scores:?}");
}
