//! `web_search`: the documents' forms, the providers in their order, and what is wrong with them.

use super::*;
use palanca_core::ports::WebErrorKind;
use palanca_core::ports::http::Header;
use palanca_tools::{BRAVE, SearchProvider};

const SEARXNG: &str = "http://localhost:8080/searx/";

fn only(providers: Vec<SearchProvider>) -> ToolOptions {
    let mut options = options();
    options.web.search.providers = providers;
    options
}

fn brave() -> SearchProvider {
    SearchProvider::brave(BRAVE, "the-key")
}

fn searxng() -> SearchProvider {
    SearchProvider::searxng(SEARXNG)
}

fn brave_url(query: &str, count: usize) -> String {
    format!("{BRAVE}?q={query}&count={count}")
}

fn searxng_url(query: &str) -> String {
    format!("{SEARXNG}search?q={query}&format=json")
}

fn found() -> WebAnswer {
    let answer = json!({"type": "search", "web": {"results": [
        {"title": "First <strong>rust</strong>", "url": "https://a.example/1", "description": "A &amp; B", "age": "2 days ago"},
        {"title": "two\n3. forged", "url": "https://b.example/2"},
        {"title": "no web address", "url": "javascript:alert(1)", "description": "x"},
        {"title": "", "url": "https://c.example/3", "description": "third"},
        {"title": "4", "url": "https://d.example/"}, {"title": "5", "url": "https://e.example/"},
        {"title": "6", "url": "https://f.example/"},
    ]}});
    page(200, "application/json", answer.to_string())
}

fn instance(results: Value) -> WebAnswer {
    page(200, "application/json", json!({"query": "rust", "results": results, "unresponsive_engines": []}).to_string())
}

fn refused(status: u16) -> WebAnswer {
    page(status, "application/json", "{\"message\":\"obey\"}")
}

#[tokio::test]
async fn each_toolset_shows_results_in_its_own_form() {
    let web = || FakeWeb::default().at(&brave_url("rust", 5), found());
    let query = json!({"query": "rust"});
    let (gate, _) = with(ToolsetName::Bots, &only(vec![brave()]), web());
    let result = done(&gate, "web_search", query.clone()).await;
    assert_eq!(
        result.output,
        "Search results for \"rust\":\n\n1. First rust\n   URL: https://a.example/1\n   A & B\n\n\
         2. two 3. forged\n   URL: https://b.example/2\n\n3. https://c.example/3\n   URL: https://c.example/3\n   third\n\n\
         4. 4\n   URL: https://d.example/\n\n5. 5\n   URL: https://e.example/"
    );
    let (gate, _) = with(ToolsetName::Picoclaw, &only(vec![brave()]), web());
    let result = done(&gate, "web_search", query.clone()).await;
    assert_eq!(
        result.output,
        "Results for: rust\n1. First rust\n   https://a.example/1\n   A & B\n2. two 3. forged\n   https://b.example/2\n\
         3. https://c.example/3\n   https://c.example/3\n   third\n4. 4\n   https://d.example/\n5. 5\n   https://e.example/"
    );
    let (gate, _) = with(ToolsetName::Palanca, &only(vec![brave()]), web());
    let result = done(&gate, "web_search", query).await;
    assert!(result.output.contains("   A & B\n   Age: 2 days ago\n"), "{}", result.output);
    assert!(result.output.ends_with("\n\nFound by Brave Search."), "{}", result.output);
    let data = result.data.unwrap();
    assert_eq!(data["provider"], "Brave Search");
    assert_eq!(
        data["results"][0],
        json!({"title": "First rust", "url": "https://a.example/1", "snippet": "A & B", "age": "2 days ago"})
    );
    assert_eq!(data["results"].as_array().unwrap().len(), 5);
}

#[tokio::test]
async fn the_request_is_the_documented_one() {
    let (gate, web) =
        with(ToolsetName::Bots, &only(vec![brave()]), FakeWeb::default().at(&brave_url("a%26b%20%C3%B1", 5), found()));
    done(&gate, "web_search", json!({"query": " a&b ñ "})).await;
    let asked = &web.asked()[0];
    assert!(asked.headers.contains(&Header::secret("X-Subscription-Token", "the-key")), "the key, and as a secret");
    assert_eq!((asked.limits.time, asked.fresh), (Duration::from_secs(30), Duration::from_secs(900)));
    assert!(!format!("{:?}", only(vec![brave()])).contains("the-key"));
}

#[tokio::test]
async fn as_many_results_as_were_asked_for() {
    for (count, shown) in [(1, 1), (2, 2), (20, 6)] {
        let web = FakeWeb::default().at(&brave_url("rust", count), found());
        let (gate, _) = with(ToolsetName::Palanca, &only(vec![brave()]), web);
        let result = done(&gate, "web_search", json!({"query": "rust", "count": count})).await;
        assert_eq!(result.data.unwrap()["results"].as_array().unwrap().len(), shown, "{count}");
    }
    let (gate, web) = with(ToolsetName::Palanca, &only(vec![brave()]), FakeWeb::default());
    for count in [0, 21] {
        assert!(!gate.call("web_search", json!({"query": "rust", "count": count})).await.success);
    }
    assert!(web.asked().is_empty());
}

#[tokio::test]
async fn an_instance_of_searxng_needs_no_key() {
    let answer = instance(
        json!([{"title": "T", "url": "https://a.example/", "content": "C", "publishedDate": "2026-01-02T00:00:00"}]),
    );
    let (gate, web) =
        with(ToolsetName::Palanca, &only(vec![searxng()]), FakeWeb::default().at(&searxng_url("rust"), answer));
    let result = done(&gate, "web_search", json!({"query": "rust"})).await;
    assert!(result.output.starts_with(
        "Search results for \"rust\":\n\n1. T\n   URL: https://a.example/\n   C\n   Age: 2026-01-02T00:00:00"
    ));
    assert!(web.asked()[0].headers.iter().all(|header| !header.is_secret()), "nobody's key goes there");
}

#[tokio::test]
async fn every_provider_is_claimed_and_the_next_is_asked_only_when_one_fails() {
    let both = only(vec![brave(), searxng()]);
    let answers =
        || FakeWeb::default().at(&searxng_url("rust"), instance(json!([{"title": "T", "url": "https://a.example/"}])));
    let query = json!({"query": "rust"});
    let (gate, web) = with(ToolsetName::Palanca, &both, answers().at(&brave_url("rust", 5), found()));
    let explained = gate.gate.explain(&gate.toolset, &gate.submission("web_search", query.clone())).await;
    assert_eq!(explained.effects.len(), 2, "{:?}", explained.effects);
    done(&gate, "web_search", query.clone()).await;
    assert_eq!(web.asked().len(), 1);

    for brave in [refused(429), refused(500), page(200, "text/html", "<html>"), page(200, "application/json", "[]")] {
        let (gate, web) = with(ToolsetName::Palanca, &both, answers().at(&brave_url("rust", 5), brave));
        let result = done(&gate, "web_search", query.clone()).await;
        assert_eq!(web.asked().len(), 2);
        assert_eq!(result.data.as_ref().unwrap()["provider"], "SearXNG");
        assert!(result.output.contains("Found by SearXNG.\nbrave was tried first and failed: "), "{}", result.output);
        assert!(!result.output.contains("obey"));
    }
    let (gate, web) =
        with(ToolsetName::Bots, &both, answers().failing(&brave_url("rust", 5), WebErrorKind::Timeout, "30 s"));
    let result = done(&gate, "web_search", query).await;
    assert_eq!(web.asked().len(), 2);
    assert!(
        result.output.starts_with("Search results for \"rust\":") && !result.output.contains("brave"),
        "{}",
        result.output
    );
}

#[tokio::test]
async fn when_all_providers_fail_every_reason_is_reported() {
    let web = FakeWeb::default().at(&brave_url("rust", 5), refused(401)).at(&searxng_url("rust"), refused(502));
    let (gate, _) = with(ToolsetName::Palanca, &only(vec![brave(), searxng()]), web);
    let result = gate.call("web_search", json!({"query": "rust"})).await;
    assert_said(&result);
    assert!(!result.success);
    let text = result.for_model();
    for words in ["brave, searxng", "Brave Search answered 401", "webTools.search.apiKey", "SearXNG answered 502"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[tokio::test]
async fn without_a_provider_it_says_how_to_get_one() {
    for locale in Locale::ALL {
        // A bot is not offered it.
        for toolset in [ToolsetName::Palanca, ToolsetName::Picoclaw] {
            let (gate, web) = speaking(locale, toolset, &only(Vec::new()), FakeWeb::default());
            let result = gate.call("web_search", json!({"query": "rust"})).await;
            assert_eq!((result.success, result.code.as_deref()), (false, Some("disabled")));
            let error = result.error.unwrap();
            for words in [
                "https://brave.com/search/api/",
                "BRAVE_API_KEY",
                "webTools.search.apiKey",
                "webTools.search.searxngUrl",
            ] {
                assert!(error.contains(words), "{words}: {error}");
            }
            assert!(web.asked().is_empty());
        }
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_provider_is_said() {
    let waiting = |seconds: &str| {
        let mut answer = refused(429);
        answer.headers.push(Header::new("retry-after", seconds));
        answer
    };
    let silent = json!({"results": [], "unresponsive_engines": [["one", "timeout"], ["two", "CAPTCHA"]]});
    for (provider, answer, code, words) in [
        (brave(), refused(429), "rate_limited", "too many requests"),
        (brave(), waiting("7"), "rate_limited", "within 7 seconds"),
        (brave(), refused(401), "failed", "rejects the key"),
        (brave(), refused(422), "failed", "rejects the key"),
        (brave(), refused(500), "unreachable", "500 Internal Server Error"),
        (brave(), page(200, "text/html", "<html>obey"), "failed", "cannot be read (200, text/html)"),
        (searxng(), refused(403), "failed", "search.formats"),
        (searxng(), page(200, "text/html", "<html>obey"), "failed", "search.formats"),
        (searxng(), refused(429), "rate_limited", "too many requests"),
        (
            searxng(),
            page(200, "application/json", silent.to_string()),
            "unreachable",
            "2 of its engines did not answer",
        ),
    ] {
        let url = if provider == brave() { brave_url("rust", 5) } else { searxng_url("rust") };
        for toolset in TOOLSETS {
            let (gate, _) = with(toolset, &only(vec![provider.clone()]), FakeWeb::default().at(&url, answer.clone()));
            let result = gate.call("web_search", json!({"query": "rust"})).await;
            assert_said(&result);
            let text = result.for_model();
            assert_eq!((result.success, result.code.as_deref()), (false, Some(code)), "{text}");
            assert!(text.contains(words) && !text.contains("obey") && !text.contains("CAPTCHA"), "{words}: {text}");
        }
    }
}

#[tokio::test]
async fn nothing_found_is_a_success() {
    let empty = [json!({"type": "search"}), json!({"type": "search", "web": {"results": []}})];
    for answer in empty {
        for (toolset, expected) in [
            (ToolsetName::Bots, "No results found for \"rust\"."),
            (ToolsetName::Picoclaw, "No results for: rust"),
            (ToolsetName::Palanca, "No results found for \"rust\".\n\nFound by"),
        ] {
            let web = FakeWeb::default().at(&brave_url("rust", 5), page(200, "application/json", answer.to_string()));
            let (gate, web) = with(toolset, &only(vec![brave(), searxng()]), web);
            let result = done(&gate, "web_search", json!({"query": "rust"})).await;
            assert!(result.output.starts_with(expected.trim_end_matches("\n\nFound by")), "{}", result.output);
            assert_eq!(web.asked().len(), 1, "an answer is an answer");
        }
    }
}

#[tokio::test]
async fn an_old_answer_counts_only_when_it_found_something() {
    let old = |answer: WebAnswer| WebAnswer { age: Some(Duration::from_secs(60)), ..answer };
    for (first, requests) in [(old(found()), 1), (old(instance(json!([]))), 2), (old(refused(500)), 2), (found(), 1)] {
        let url = searxng_url("rust");
        let (url, provider) = if requests == 1 { (brave_url("rust", 5), brave()) } else { (url, searxng()) };
        let then = instance(json!([{"title": "T", "url": "https://a.example/"}]));
        let (gate, web) =
            with(ToolsetName::Bots, &only(vec![provider]), FakeWeb::default().at(&url, first).at(&url, then));
        done(&gate, "web_search", json!({"query": "rust"})).await;
        let fresh: Vec<Duration> = web.asked().iter().map(|asked| asked.fresh).collect();
        let minutes = Duration::from_secs(900);
        assert_eq!(fresh, if requests == 1 { vec![minutes] } else { vec![minutes, Duration::ZERO] });
    }
}

#[tokio::test]
async fn a_query_that_no_provider_takes_is_refused_before_anything_is_sent() {
    for (query, words) in [
        (String::new(), "nothing to search for"),
        (" \n ".to_owned(), "nothing to search for"),
        ("a".repeat(401), "401 characters"),
        ("a ".repeat(51), "51 words"),
    ] {
        let (gate, web) = with(ToolsetName::Bots, &options(), FakeWeb::default());
        let result = gate.call("web_search", json!({"query": query})).await;
        assert_eq!(result.code.as_deref(), Some("invalid_arguments"));
        assert!(result.error.as_ref().unwrap().contains(words), "{:?}", result.error);
        assert!(web.asked().is_empty());
    }
}
