//! An in-memory artifact store, and the test suite for every implementation.

use crate::now::{Now, now};
use palanca_core::Scope;
use palanca_core::call::{ArtifactId, CallId, Digest, Media, SessionId};
use palanca_core::ports::{ArtifactPage, Artifacts, NewArtifact, NewContent, Pending, StoreFault, StoredMedia};
use parking_lot::Mutex;
use std::collections::HashMap;

/// The reference implementation of [`Artifacts`]: keeps every text forever.
#[derive(Debug)]
pub struct MemoryArtifacts {
    limit: u64,
    /// By session and name.
    texts: Mutex<HashMap<(SessionId, ArtifactId), Kept>>,
    media: Mutex<HashMap<(SessionId, ArtifactId), StoredMedia>>,
}

/// A text and its source.
type Kept = (String, Option<String>);

impl MemoryArtifacts {
    /// A store whose texts have at most this many bytes.
    #[must_use]
    pub fn up_to(limit: u64) -> Self {
        Self { limit, texts: Mutex::default(), media: Mutex::default() }
    }
}

impl Default for MemoryArtifacts {
    /// 16 MiB.
    fn default() -> Self {
        Self::up_to(16 << 20)
    }
}

impl Artifacts for MemoryArtifacts {
    fn keep(&self, artifact: &NewArtifact<'_>) -> Pending<Result<ArtifactId, StoreFault>> {
        let NewArtifact { scope, call, content, foreign } = *artifact;
        if content.bytes().len() as u64 > self.limit {
            return Pending::now(Err(StoreFault::TooLarge { what: format!("output {call}"), limit: self.limit }));
        }
        let media_type = content.media_type().map(|named| [named.as_bytes(), b"\0"].concat()).unwrap_or_default();
        let digest = Digest::of_bytes(&[&media_type, content.bytes()].concat()).to_hex();
        let id = ArtifactId::new(format!("art-{}", &digest[..20]));
        let key = (scope.session.clone(), id.clone());
        let own = foreign.map(str::to_owned);
        match content {
            NewContent::Text(text) => {
                let mut texts = self.texts.lock();
                let before = texts.remove(&key).and_then(|(_, foreign)| foreign);
                texts.insert(key, (text.to_owned(), own.or(before)));
            }
            NewContent::Media(media) => {
                let mut kept = self.media.lock();
                let before = kept.remove(&key).and_then(|kept| kept.foreign);
                kept.insert(key, StoredMedia { media: media.clone(), foreign: own.or(before) });
            }
        }
        Pending::now(Ok(id))
    }

    fn page(
        &self,
        scope: &Scope,
        id: &ArtifactId,
        offset: u64,
        bytes: usize,
    ) -> Pending<Result<ArtifactPage, StoreFault>> {
        if self.media.lock().contains_key(&(scope.session.clone(), id.clone())) {
            return Pending::now(Err(StoreFault::NotText { what: format!("artifact {id}") }));
        }
        let texts = self.texts.lock();
        let kept = texts.get(&(scope.session.clone(), id.clone()));
        let Some((text, foreign)) = kept else {
            return Pending::now(Err(StoreFault::Missing { what: format!("artifact {id}") }));
        };
        let start = text.floor_char_boundary(usize::try_from(offset).unwrap_or(usize::MAX));
        let mut end = text.floor_char_boundary(start.saturating_add(bytes));
        if end == start && start < text.len() {
            end = text.ceil_char_boundary(start + 1);
        }
        Pending::now(Ok(ArtifactPage {
            text: text[start..end].to_owned(),
            offset: start as u64,
            bytes: text.len() as u64,
            foreign: foreign.clone(),
        }))
    }

    fn media(&self, scope: &Scope, id: &ArtifactId) -> Pending<Result<StoredMedia, StoreFault>> {
        let kept = self.media.lock().get(&(scope.session.clone(), id.clone())).cloned();
        Pending::now(kept.ok_or_else(|| StoreFault::Missing { what: format!("artifact {id}") }))
    }
}

/// The test suite of every artifact store. `make` gives an empty one that accepts texts of a million bytes.
///
/// # Panics
/// At the first violation.
pub fn artifacts_conform<A: Artifacts>(make: impl Fn() -> A) {
    an_empty_place_has_nothing(&now(&make()));
    a_text_comes_back_page_by_page(&now(&make()));
    a_name_comes_from_the_content(&now(&make()));
    only_its_session_reads_it(&now(&make()));
    foreign_text_stays_foreign(&now(&make()));
    any_text_is_a_name(&now(&make()));
    many_keep_the_same_at_once(&now(&make()));
    media_come_back_byte_for_byte(&now(&make()));
}

/// The test suite for texts that are too large. `make` gives a store whose texts have at most 1,000 bytes.
///
/// # Panics
/// At the first violation.
pub fn small_artifacts_conform<A: Artifacts>(make: impl Fn() -> A) {
    let made = make();
    let place = now(&made);
    kept(&place, "s", &"x".repeat(1_000));
    let (scope, call) = (scope("s"), CallId::new("c"));
    let large = "x".repeat(1_001);
    let refused =
        place.keep(&NewArtifact { scope: &scope, call: &call, content: NewContent::Text(&large), foreign: None });
    let too_large = StoreFault::TooLarge { what: "output c".to_owned(), limit: 1_000 };
    assert_eq!(refused, Err(too_large.clone()));
    let large = [b"GIF89a".as_slice(), &[0; 995]].concat();
    let media = Media::new("image/gif", large).expect("it begins like one");
    let new = NewArtifact { scope: &scope, call: &call, content: NewContent::Media(&media), foreign: None };
    assert_eq!(place.keep(&new), Err(too_large));
}

fn media_come_back_byte_for_byte(place: &Now<'_, impl Artifacts>) {
    let long: Vec<u8> =
        b"\x89PNG\r\n\x1a\n".iter().copied().chain((0..200_000_u32).map(|at| (at % 251) as u8)).collect();
    let call = CallId::new("c");
    for (media_type, bytes) in [
        ("image/gif", b"GIF89a".to_vec()),
        ("image/png", long),
        ("application/pdf", b"GIF89a".to_vec()),
        ("application/octet-stream", Vec::new()),
    ] {
        let media = Media::new(media_type, bytes.clone()).expect("it is one");
        let keep = |session: &str, foreign| {
            let new = NewArtifact { scope: &scope(session), call: &call, content: NewContent::Media(&media), foreign };
            place.keep(&new).expect("it can be kept")
        };
        let id = keep("s", Some("example.org"));
        assert_eq!(keep("s", None), id, "the name is made from what it is");
        let read = place.media(&scope("s"), &id).expect("it is there");
        assert_eq!((read.media.media_type(), &read.media.bytes()[..]), (media_type, &bytes[..]));
        assert_eq!(read.foreign.as_deref(), Some("example.org"), "{media_type}");
        let what = format!("artifact {id}");
        assert_eq!(
            place.media(&scope("t"), &id),
            Err(StoreFault::Missing { what: what.clone() }),
            "of another session"
        );
        assert_eq!(place.page(&scope("s"), &id, 0, 10), Err(StoreFault::NotText { what }));
    }
    let text = kept(place, "s", "GIF89a");
    assert_eq!(
        place.page(&scope("s"), &text, 0, 10).map(|page| page.text),
        Ok("GIF89a".to_owned()),
        "no name of media"
    );
    assert_eq!(place.media(&scope("s"), &text), Err(StoreFault::Missing { what: format!("artifact {text}") }));
}

fn scope(session: &str) -> Scope {
    Scope::session(SessionId::new(session))
}

fn kept_from(place: &Now<'_, impl Artifacts>, session: &str, text: &str, foreign: Option<&str>) -> ArtifactId {
    let new = NewArtifact { scope: &scope(session), call: &CallId::new("c"), content: NewContent::Text(text), foreign };
    place.keep(&new).expect("a text can be kept")
}

fn kept(place: &Now<'_, impl Artifacts>, session: &str, text: &str) -> ArtifactId {
    kept_from(place, session, text, None)
}

fn an_empty_place_has_nothing(place: &Now<'_, impl Artifacts>) {
    let id = ArtifactId::new("art-0123456789abcdef0123");
    let missing = Err(StoreFault::Missing { what: "artifact art-0123456789abcdef0123".to_owned() });
    assert_eq!(place.page(&scope("s"), &id, 0, 10), missing);
}

fn a_text_comes_back_page_by_page(place: &Now<'_, impl Artifacts>) {
    for text in ["", "a", "ñandú, 漢字 and 🦀🦀", &"0123456789abcdéf\n".repeat(20_000), &"🦀".repeat(70_001)]
    {
        let id = kept(place, "s", text);
        for size in [1, 3, 7, 4_096, 65_536, 65_537, 1 << 20, usize::MAX] {
            if text.len() / size > 5_000 {
                continue;
            }
            let mut whole = String::new();
            while whole.len() < text.len() {
                let page = place.page(&scope("s"), &id, whole.len() as u64, size).expect("it is there");
                assert_eq!((page.offset, page.bytes), (whole.len() as u64, text.len() as u64));
                assert!(!page.text.is_empty(), "a page makes progress");
                assert!(page.text.len() <= size.max(4), "{} bytes for {size}", page.text.len());
                whole.push_str(&page.text);
            }
            assert!(whole == text, "pages of {size} bytes make the whole");
        }
        for beyond in [text.len() as u64, text.len() as u64 + 1, u64::MAX] {
            let page = place.page(&scope("s"), &id, beyond, 10).expect("it is there");
            let bytes = text.len() as u64;
            assert_eq!(page, ArtifactPage { text: String::new(), offset: bytes, bytes, foreign: None });
        }
    }
    let id = kept(place, "s", "aé🦀b");
    let page = |offset, bytes| {
        let page = place.page(&scope("s"), &id, offset, bytes).expect("it is there");
        (page.offset, page.text)
    };
    for (offset, bytes, expected) in [
        (2, 10, (1, "é🦀b")),
        (6, 4, (3, "🦀")),
        (4, 1, (3, "🦀")),
        (0, 2, (0, "a")),
        (0, 3, (0, "aé")),
        (7, 0, (7, "b")),
    ] {
        assert_eq!(page(offset, bytes), (expected.0, expected.1.to_owned()), "{bytes} from {offset}");
    }
}

fn a_name_comes_from_the_content(place: &Now<'_, impl Artifacts>) {
    let (one, again, other) = (kept(place, "s", "one"), kept(place, "s", "one"), kept(place, "s", "other"));
    assert_eq!(one, again);
    assert_ne!(one, other);
    assert!(one.as_str().starts_with("art-"), "{one}");
    assert_eq!(kept(place, "t", "one"), one, "in every session");
}

fn only_its_session_reads_it(place: &Now<'_, impl Artifacts>) {
    let id = kept(place, "s", "mine");
    let missing = Err(StoreFault::Missing { what: format!("artifact {id}") });
    assert_eq!(place.page(&scope("t"), &id, 0, 10), missing, "knowing the name is not enough");
    kept(place, "t", "mine");
    let page = |session| place.page(&scope(session), &id, 0, 10).map(|page| page.text);
    assert_eq!((page("s"), page("t")), (Ok("mine".to_owned()), Ok("mine".to_owned())));
}

fn foreign_text_stays_foreign(place: &Now<'_, impl Artifacts>) {
    let source = |session: &str, id| place.page(&scope(session), id, 0, 1).expect("it is there").foreign;
    let id = kept_from(place, "s", "page", Some("example.org"));
    assert_eq!(source("s", &id).as_deref(), Some("example.org"));
    kept(place, "s", "page");
    assert_eq!(source("s", &id).as_deref(), Some("example.org"), "seen once more, it is no less foreign");
    kept(place, "t", "page");
    assert_eq!(source("t", &id), None, "another session has it from elsewhere");
}

fn any_text_is_a_name(place: &Now<'_, impl Artifacts>) {
    kept(place, "s", "text");
    for name in ["../../etc/passwd", "/etc/passwd", "", "art-", "art-%", "a\u{0}b", "' OR 1=1 --"] {
        let page = place.page(&scope("s"), &ArtifactId::new(name), 0, 10);
        assert_eq!(page, Err(StoreFault::Missing { what: format!("artifact {name}") }));
    }
    let id = kept(place, "../s", "elsewhere");
    assert_eq!(place.page(&scope("../s"), &id, 0, 10).map(|page| page.text), Ok("elsewhere".to_owned()));
}

fn many_keep_the_same_at_once(place: &Now<'_, impl Artifacts>) {
    std::thread::scope(|threads| {
        for thread in 0..4 {
            threads.spawn(move || {
                for number in 0..25 {
                    let text = format!("{number} ").repeat(5_000);
                    let id = kept(place, &format!("s{thread}"), &text);
                    let page = place.page(&scope(&format!("s{thread}")), &id, 0, usize::MAX).expect("it is there");
                    assert!(page.text == text);
                }
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_holds_what_it_asks_of_others() {
        artifacts_conform(MemoryArtifacts::default);
        small_artifacts_conform(|| MemoryArtifacts::up_to(1_000));
    }
}
