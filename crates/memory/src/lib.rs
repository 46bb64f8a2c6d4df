//! Search in notes, without the notes: text in; passages, stems, queries and scores out. No I/O, no clock, no database.
//!
//! Spanish and English are searched together, whichever a note or a question is in: each word is kept in its plain form and
//! with the stems of both languages, on both sides.

mod passages;
mod query;
mod score;
mod vectors;
mod words;

pub use passages::{Passage, passages};
pub use query::{LONGEST_QUERY, Query, Term};
pub use score::{Candidate, Corpus, aged, score};
pub use vectors::{Near, Usual, fused, packed};
pub use words::Stems;
