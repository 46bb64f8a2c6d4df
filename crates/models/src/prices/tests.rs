#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;

fn input(prices: &Prices, model: &str) -> Option<f64> {
    match prices.named(model) {
        Lookup::Known(price) => Some(price.input),
        Lookup::Unknown => None,
    }
}

#[test]
fn a_snapshot_is_its_model_and_nothing_is_guessed() {
    let prices = Prices::default();
    for (model, expected) in [
        ("gpt-4o", Some(2.5)),
        ("gpt-4o-2024-08-06", Some(2.5)),
        ("gpt-4o-mini", Some(0.15)),
        ("gpt-4o-mini-2024-07-18", Some(0.15)),
        ("gpt-4.1-nano-2025-04-14", Some(0.1)),
        ("o3-mini-2025-01-31", Some(1.1)),
        ("o1-2024-12-17", Some(15.0)),
        ("claude-sonnet-4-5", Some(3.0)),
        ("claude-sonnet-4-5-20250929", Some(3.0)),
        ("claude-sonnet-4-6-latest", Some(3.0)),
        ("claude-opus-4-6", Some(5.0)),
        ("claude-opus-4-6@20260101", Some(5.0)),
        ("claude-opus-4-1-20250805", Some(15.0)),
        ("claude-haiku-4-5-20251001", Some(1.0)),
        ("openai/gpt-4.1-mini", Some(0.4)),
        ("gateway/anthropic/claude-haiku-4-5", Some(1.0)),
        // Other models, other makers, and what only looks like a date.
        ("claude-opus-4", None),
        ("claude-opus-4-9", None),
        ("claude-opus-4-60", None),
        ("claude-opus-5-7", None),
        ("claude-sonnet-4-5-2", None),
        ("claude-haiku-4-5-fast", None),
        ("claude-haiku-4-5-2025", None),
        ("claude-haiku-4-5-20251001-fast", None),
        ("gpt-4o-2024-08", None),
        ("gpt-4o-2024-0a-06", None),
        ("gpt-5-pro", None),
        ("gpt-5.9", None),
        ("gpt-4o-audio", None),
        ("gpt-4oo", None),
        ("o1-mini", None),
        ("vendor/gpt-4o", None),
        ("claude-3-haiku-x", None),
        ("", None),
    ] {
        assert_eq!(input(&prices, model), expected, "{model}");
    }
}

#[test]
fn a_program_has_no_price_but_ones_own_and_none_is_missed() {
    let mut prices = Prices::default();
    assert_eq!(input(&prices, "claude-cli:claude-sonnet-4-5"), None, "not the one of the model by itself");
    let lack = |prices: &Prices| ["claude-cli:sonnet", "openai:acme", "ollama:b"].map(|model| prices.lack(model));
    assert_eq!(lack(&prices), [false, true, false]);
    prices.set("claude-cli:*", Price::FREE);
    assert_eq!(input(&prices, "claude-cli:sonnet"), Some(0.0));
    assert_eq!(lack(&Prices::off()), [false; 3]);
}

#[test]
fn prices_are_the_published_ones() {
    let prices = Prices::default();
    for (model, expected) in [("opus-4-6", (5.0, 25.0, 0.5, 6.25)), ("haiku-4-5", (1.0, 5.0, 0.1, 1.25))] {
        let Lookup::Known(price) = prices.lookup(&format!("claude-{model}")) else { panic!("{model}") };
        let Price { input, output, cached_input, cache_write } = price;
        assert_eq!((input, output, cached_input.unwrap(), cache_write.unwrap()), expected, "{model}");
    }
    for (name, price, origin) in prices.rows() {
        let read = price.cached_input.unwrap();
        assert!(read < price.input && price.input < price.output, "{name}: {price:?}");
        assert!(price.cache_write.is_none_or(|write| write == price.input * 1.25), "{name}: {price:?}");
        assert_ne!(origin, PriceOrigin::Own);
    }
}

#[test]
fn cost_is_input_cached_and_output() {
    let prices = Prices::default();
    let spec: ModelSpec = "openai:gpt-4o".parse().unwrap();
    let usage = Usage { input: 1_000_000, cached: 400_000, output: 100_000, ..Usage::default() };
    assert_eq!(prices.cost(&spec, &usage), Cost::Usd(0.6 * 2.5 + 0.4 * 1.25 + 0.1 * 10.0));
    assert!((Price::new(2.0, 0.0).cost(&usage) - 2.0).abs() < 1e-9);
    let usage = Usage { cache_written: 500_000, ..usage };
    let price = Price { input: 4.0, output: 10.0, cached_input: Some(0.4), cache_write: Some(5.0) };
    assert!((price.cost(&usage) - (0.1 * 4.0 + 0.4 * 0.4 + 0.5 * 5.0 + 0.1 * 10.0)).abs() < 1e-9);
    assert!((price.at_most(1_000_000, 100_000) - 6.0).abs() < 1e-9, "all of it may be written to the cache");
    assert_eq!(prices.cost(&"openai:x".parse().unwrap(), &usage), Cost::Unknown);
    assert_eq!(prices.cost(&"ollama:qwen3:8b".parse().unwrap(), &usage), Cost::Usd(0.0));
    assert_eq!(prices.cost(&"replay:a".parse().unwrap(), &usage), Cost::Usd(0.0));
}

#[test]
fn rows_can_be_added() {
    let mut prices = Prices::default();
    prices.set("gpt-5", Price::new(9.0, 1.0));
    assert_eq!(prices.lookup("gpt-5-2026-01-01"), Lookup::Known(Price::new(9.0, 1.0)));
}

#[test]
fn a_file_adds_to_the_table_and_wins_over_it() {
    let mut prices = Prices::default();
    prices
        .add_file(
            r#"{"acme*": {"input": 1, "output": 2}, "acme-mini": {"input_per_million": 0.5, "output_per_million": 1},
                "gpt-4o": {"input": 7, "output": 8, "cached_input": 0.1, "cache_write": 9}, "plain": {"input": 4, "output": 4},
                "ollama:qwen3*": {"input": 3, "output": 0}}"#,
        )
        .unwrap();
    for (model, expected) in [
        ("openai:acme", Some(1.0)),
        ("openai:acme-large-v2", Some(1.0)),
        ("openai:acme-mini", Some(0.5)),
        ("openai:acme-mini-2026-05-05", Some(0.5)),
        ("openai:acme-mini-2", Some(1.0)),
        ("openai:vendor/acme:free", Some(1.0)),
        ("openai:plain", Some(4.0)),
        ("openai:vendor/plain", Some(4.0)),
        ("openai:plain-large", None),
        ("openai:gpt-4o", Some(7.0)),
        ("openai:gpt-4o-audio", None),
        ("openai:gpt-4o-mini", Some(0.15)),
        ("anthropic:claude-haiku-4-5", Some(1.0)),
        ("ollama:qwen3:8b", Some(3.0)),
        ("ollama:llama3", Some(0.0)),
    ] {
        assert_eq!(input(&prices, model), expected, "{model}");
    }
    let off = Prices::off();
    assert_eq!(
        (off.named("openai:gpt-4o"), off.named("ollama:x"), off.are_counted()),
        (Lookup::Unknown, Lookup::Unknown, false)
    );
}

#[test]
fn a_bad_file_is_refused_whole_and_says_where() {
    for (text, expected) in [
        ("{\n  \"a\": {\"input\": 1,,}\n}", "prices-not-json(line=2, column=20"),
        ("", "prices-not-json(line=1"),
        ("[]", "prices-no-object("),
        (r#"{"a": 3}"#, "prices-no-entry(key=a)"),
        (r#"{"ok": {"input": 1, "output": 1}, "a": {"input": 1, "output": "2"}}"#, "prices-no-price(key=a.output)"),
        (r#"{"a": {"input": -1, "output": 2}}"#, "prices-no-price(key=a.input)"),
        (r#"{"a": {"input": 1, "output": null}}"#, "prices-no-price(key=a.output)"),
        (r#"{"a": {"input": 1}}"#, "prices-missing(key=a.output)"),
        (r#"{"a": {"inptu": 1, "output": 1}}"#, "prices-unknown-key(key=a.inptu)"),
        (r#"{"a": {"input": 1, "output": 1, "input_per_million": 1}}"#, "prices-twice(key=a.input_per_million)"),
    ] {
        let mut prices = Prices::default();
        let said = prices.add_file(text).unwrap_err().message().to_string();
        assert!(said.starts_with(expected), "{text}: {said}");
        assert_eq!(prices, Prices::default());
    }
}

#[test]
fn the_longest_name_is_billed_whatever_the_order_of_the_rows() {
    let rows = [("m-1*", 1.0), ("m-1-2*", 2.0), ("m-1-2-3", 3.0)];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut prices = Prices::default();
        for at in order {
            let (name, input) = rows[at];
            prices.set(name, Price::new(input, 0.0));
        }
        for (model, expected) in [
            ("m-1", 1.0),
            ("m-1-3", 1.0),
            ("m-1-2", 2.0),
            ("m-1-2@9", 2.0),
            ("m-1-2-3", 3.0),
            ("v/m-1-2-3-latest", 3.0),
        ] {
            let spec = format!("openai:{model}").parse().unwrap();
            assert_eq!(prices.cost(&spec, &million()), Cost::Usd(expected), "{model}");
        }
    }
    let prices = Prices::default();
    for (name, price, _) in prices.rows() {
        let dated = format!("openai:{name}-2026-01-01").parse().unwrap();
        assert_eq!(prices.cost(&dated, &million()), Cost::Usd(price.input), "{name}");
    }
}

fn million() -> Usage {
    Usage { input: 1_000_000, ..Usage::default() }
}
