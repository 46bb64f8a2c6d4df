//! Search by meaning, where a model for it is configured: the index gets the vectors that it lacks, as many as there is time for, and the
//! question is compared with all of them. Whatever goes wrong with the model, the words are searched.

use palanca_core::ports::{Embedder, EmbedderHandle, FoundPassage, IndexFault, MemoryIndex, NoVectors};
use palanca_core::{Message, ToolCx};
use palanca_memory::{Near, Usual, packed};
use std::time::Duration;

/// Texts of one request.
const BATCH: usize = 16;
/// Characters of a text that are sent.
const LONGEST: usize = 8_000;
/// After this time no further request is made for one search.
const TIME: Duration = Duration::from_secs(10);

/// What a search by meaning needs, and what is to be said about it.
#[derive(Default)]
pub(super) struct Meaning {
    question: Option<Near>,
    pub(super) said: Option<Message>,
}

/// Readies the index, and the question's vector.
pub(super) async fn ready(
    cx: &ToolCx,
    index: &mut Box<dyn MemoryIndex>,
    question: &str,
) -> Result<Meaning, IndexFault> {
    let handle = cx.door::<EmbedderHandle>();
    let Some(embedder) = handle.granted() else { return Ok(Meaning::default()) };
    let measured = match embedder.embed(&[question]).await {
        Ok(measured) => measured,
        Err(NoVectors::Resting) => return Ok(Meaning::default()),
        Err(NoVectors::Failed(reason) | NoVectors::Refused(reason)) => {
            let said = Message::new("memory-without-meaning").with("reason", reason);
            return Ok(Meaning { question: None, said: Some(said) });
        }
    };
    let vector = measured.first().map(Vec::as_slice).unwrap_or_default();
    let space = format!("{} {}", embedder.name(), vector.len());
    index.measure(&space)?;
    let mut meaning = Meaning { question: Near::new(vector), said: None };
    let until = cx.clock().elapsed() + TIME;
    loop {
        let (texts, waiting) = index.unmeasured(BATCH)?;
        if texts.is_empty() {
            return Ok(meaning);
        }
        if cx.cancel().is_cancelled() || cx.clock().elapsed() >= until {
            meaning.said = Some(Message::new("memory-unmeasured").with("count", waiting));
            return Ok(meaning);
        }
        let words: Vec<&str> = texts.iter().map(|one| beginning(&one.text)).collect();
        match measure(embedder, &words, vector.len()).await {
            Ok(vectors) => {
                let packed: Vec<_> = texts.iter().map(|one| one.hash).zip(vectors).collect();
                index.keep(&space, &packed)?;
            }
            Err(reason) => {
                meaning.said = reason.map(|reason| Message::new("memory-not-measured").with("reason", reason));
                return Ok(meaning);
            }
        }
    }
}

fn beginning(text: &str) -> &str {
    let end = text.char_indices().nth(LONGEST).map_or(text.len(), |(end, _)| end);
    text.get(..end).unwrap_or_default()
}

/// The packed vectors of some texts. One that the model accepts not even alone gets one without direction, so that it is not sent again.
async fn measure(embedder: &dyn Embedder, texts: &[&str], dimensions: usize) -> Result<Vec<Vec<u8>>, Option<Message>> {
    match one_request(embedder, texts, dimensions).await {
        Err(NoVectors::Refused(_)) if texts.len() > 1 => {}
        Err(NoVectors::Refused(_)) => return Ok(vec![Vec::new()]),
        Err(NoVectors::Resting) => return Err(None),
        Err(NoVectors::Failed(reason)) => return Err(Some(reason)),
        Ok(vectors) => return Ok(vectors),
    }
    let mut all = Vec::new();
    for text in texts {
        match one_request(embedder, &[*text], dimensions).await {
            Ok(vectors) => all.extend(vectors),
            Err(NoVectors::Refused(_)) => all.push(Vec::new()),
            Err(NoVectors::Resting) => return Err(None),
            Err(NoVectors::Failed(reason)) => return Err(Some(reason)),
        }
    }
    Ok(all)
}

async fn one_request(embedder: &dyn Embedder, texts: &[&str], dimensions: usize) -> Result<Vec<Vec<u8>>, NoVectors> {
    let vectors = embedder.embed(texts).await?;
    if vectors.len() != texts.len() || vectors.iter().any(|vector| vector.len() != dimensions) {
        let found = vectors.iter().map(Vec::len).find(|found| *found != dimensions).unwrap_or_default();
        let reason = Message::new("memory-dimensions").with("expected", dimensions).with("found", found);
        return Err(NoVectors::Failed(reason));
    }
    Ok(vectors.iter().map(|vector| packed(vector)).collect())
}

impl Meaning {
    /// The passages nearest to the question, with scores.
    pub(super) fn near(&self, index: &dyn MemoryIndex, most: usize) -> Result<Vec<(f64, FoundPassage)>, IndexFault> {
        let Some(question) = &self.question else { return Ok(Vec::new()) };
        let mut all = Vec::new();
        index.vectors(&mut |number, vector| all.extend(question.cosine(vector).map(|cosine| (cosine, number))))?;
        let usual = Usual::of(all.iter().map(|(cosine, _)| *cosine));
        if all.len() > most {
            all.select_nth_unstable_by(most, |(one, _), (other, _)| other.total_cmp(one));
            all.truncate(most);
        }
        let numbers: Vec<i64> = all.iter().map(|(_, number)| *number).collect();
        let score = |number| all.iter().find(|(_, one)| *one == number).map_or(0.0, |(cosine, _)| usual.score(*cosine));
        Ok(index.measured(&numbers)?.into_iter().map(|(number, found)| (score(number), found)).collect())
    }
}
