#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use tokio::time::advance;

const FRESH: Duration = Duration::from_secs(60);

fn key(url: &str) -> Key {
    Key::of(&HttpAccess::get(url), &[]).unwrap()
}

fn answer(body: &str) -> WebAnswer {
    WebAnswer {
        status: 200,
        url: "https://example.com/".to_owned(),
        hops: Vec::new(),
        headers: Vec::new(),
        body: body.to_owned().into(),
        end: BodyEnd::Complete,
        age: None,
    }
}

fn cache(entries: usize, bytes: usize) -> Cache {
    Cache::new(CacheLimits { entries, bytes, age: Duration::from_secs(900) })
}

fn has(cache: &Cache, url: &str) -> bool {
    cache.get(&key(url), FRESH, WebLimits::default()).is_some()
}

#[tokio::test(start_paused = true)]
async fn memory_is_bounded_in_number_and_the_oldest_use_goes_first() {
    let cache = cache(3, 1 << 20);
    for url in ["a", "b", "c"] {
        cache.put(key(url), &answer(url));
    }
    assert!(has(&cache, "a"));
    cache.put(key("d"), &answer("d"));
    assert_eq!(["a", "b", "c", "d"].map(|url| has(&cache, url)), [true, false, true, true]);
    for number in 0..10_000 {
        cache.put(key(&format!("https://example.com/{number}")), &answer("x"));
    }
    assert_eq!(cache.lock().entries.len(), 3);
}

#[tokio::test(start_paused = true)]
async fn memory_is_bounded_in_bytes() {
    let cache = cache(1000, 100_000);
    for number in 0..100 {
        cache.put(key(&number.to_string()), &answer(&"x".repeat(10_000)));
        let kept = cache.lock();
        assert!(kept.bytes <= 100_000);
        assert_eq!(kept.bytes, kept.entries.values().map(|entry| entry.size).sum::<usize>());
    }
    assert!(cache.lock().entries.len() >= 8);
    cache.put(key("large"), &answer(&"x".repeat(25_001)));
    assert!(!has(&cache, "large"));
}

#[tokio::test(start_paused = true)]
async fn expired_answers_are_evicted_without_a_request() {
    let cache = cache(10, 1 << 20);
    cache.put(key("a"), &answer("a"));
    advance(Duration::from_secs(59)).await;
    let kept = cache.get(&key("a"), FRESH, WebLimits::default()).unwrap();
    assert_eq!(kept.age, Some(Duration::from_secs(59)));
    advance(Duration::from_secs(2)).await;
    assert!(!has(&cache, "a"));
    assert!(cache.get(&key("a"), Duration::from_secs(100), WebLimits::default()).is_some());
    assert!(cache.get(&key("a"), Duration::ZERO, WebLimits::default()).is_none());
    advance(Duration::from_secs(900)).await;
    cache.put(key("b"), &answer("b"));
    assert_eq!(cache.lock().entries.len(), 1);
    advance(Duration::from_secs(901)).await;
    assert!(!has(&cache, "other"));
    let kept = cache.lock();
    assert_eq!((kept.entries.len(), kept.bytes), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn only_answers_that_are_worth_it_are_kept() {
    let header = |name: &'static str, value: &str| vec![Header::new(name, value)];
    for (kept, answer) in [
        (true, answer("x")),
        (true, WebAnswer { end: BodyEnd::Bytes, body: vec![0; 2 << 20].into(), ..answer("") }),
        (true, WebAnswer { headers: header("Cache-Control", "no-cache"), ..answer("x") }),
        (false, WebAnswer { status: 404, ..answer("x") }),
        (false, WebAnswer { status: 500, ..answer("x") }),
        (false, WebAnswer { status: 307, ..answer("x") }),
        (false, WebAnswer { end: BodyEnd::Time, ..answer("x") }),
        (false, WebAnswer { end: BodyEnd::Broken, ..answer("x") }),
        (false, WebAnswer { headers: header("cache-control", "private, No-Store"), ..answer("x") }),
    ] {
        let cache = cache(10, 16 << 20);
        cache.put(key("a"), &answer);
        assert_eq!(has(&cache, "a"), kept, "{:?}", answer.headers);
    }
}

#[tokio::test(start_paused = true)]
async fn a_failure_takes_the_place_of_nothing_and_a_new_answer_that_of_the_old() {
    let cache = cache(10, 1 << 20);
    cache.put(key("a"), &answer("old"));
    cache.put(key("a"), &answer("new"));
    let body = |cache: &Cache| cache.get(&key("a"), FRESH, WebLimits::default()).map(|kept| kept.body);
    assert_eq!(body(&cache).unwrap(), "new");
    cache.put(key("a"), &WebAnswer { status: 503, ..answer("sorry") });
    assert_eq!(body(&cache), None);
}

#[tokio::test(start_paused = true)]
async fn answers_are_keyed_by_the_whole_request() {
    let reach = HttpAccess::get("https://example.com/");
    let of = |headers: &[Header]| Key::of(&reach, headers);
    let plain = of(&[]).unwrap();
    assert!(plain != of(&[Header::secret("X-Key", "a")]).unwrap());
    assert!(of(&[Header::secret("X-Key", "b")]).unwrap() != of(&[Header::secret("X-Key", "a")]).unwrap());
    assert!(of(&[Header::new("Accept", "a")]).unwrap() == of(&[Header::new("accept", "a")]).unwrap());
    assert!(plain != Key::of(&HttpAccess { method: palanca_core::call::Method::Head, ..reach.clone() }, &[]).unwrap());
    assert!(plain != Key::of(&reach.clone().provider("p"), &[]).unwrap());
    assert!(of(&[Header::new("Cache-Control", "no-store")]).is_none());
    assert!(Key::of(&HttpAccess { method: palanca_core::call::Method::Post, ..reach.clone() }, &[]).is_none());
}

#[tokio::test(start_paused = true)]
async fn an_answer_is_as_long_as_the_limits_ask_for() {
    let cache = cache(10, 1 << 20);
    let within = |bytes, redirects| WebLimits { bytes, redirects, ..WebLimits::default() };
    cache.put(key("whole"), &WebAnswer { hops: vec!["x".to_owned()], ..answer("0123456789") });
    let cut = cache.get(&key("whole"), FRESH, within(4, 1)).unwrap();
    assert_eq!((&*cut.body, cut.end), (&b"0123"[..], BodyEnd::Bytes));
    assert_eq!(cache.get(&key("whole"), FRESH, within(10, 1)).unwrap().end, BodyEnd::Complete);
    assert!(cache.get(&key("whole"), FRESH, within(10, 0)).is_none());
    cache.put(key("cut"), &WebAnswer { end: BodyEnd::Bytes, ..answer("0123456789") });
    assert!(cache.get(&key("cut"), FRESH, within(11, 1)).is_none());
    assert_eq!(cache.get(&key("cut"), FRESH, within(10, 1)).unwrap().end, BodyEnd::Bytes);
}
