#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;

#[test]
fn the_longest_entry_wins_and_nothing_is_guessed() {
    let prices = Prices::default();
    let input = |model: &str| match prices.lookup(model) {
        Lookup::Known(price) => Some(price.input),
        Lookup::Unknown => None,
    };
    for (model, expected) in [
        ("gpt-4o", Some(2.5)),
        ("gpt-4o-2024-08-06", Some(2.5)),
        ("gpt-4o-mini", Some(0.15)),
        ("gpt-4o-mini-2024-07-18", Some(0.15)),
        ("gpt-4.1-nano-2025-04-14", Some(0.1)),
        ("o3-mini-2025-01-31", Some(1.1)),
        ("o1-2024-12-17", Some(15.0)),
        ("claude-sonnet-4-6-latest", Some(3.0)),
        ("claude-opus-4-6@20260101", Some(15.0)),
        ("openai/gpt-4.1-mini", Some(0.4)),
        ("gpt-5", None),
        ("gpt-4o-audio", None),
        ("o1-mini", None),
        ("o3", None),
        ("claude-3-haiku-x", None),
        ("", None),
    ] {
        assert_eq!(input(model), expected, "{model}");
    }
}

#[test]
fn cost_is_input_cached_and_output() {
    let prices = Prices::default();
    let spec: ModelSpec = "openai:gpt-4o".parse().unwrap();
    let usage = Usage { input: 1_000_000, cached: 400_000, output: 100_000, ..Usage::default() };
    assert_eq!(prices.cost(&spec, &usage), Cost::Usd(0.6 * 2.5 + 0.4 * 1.25 + 0.1 * 10.0));
    let price = Price { input: 2.0, output: 0.0, cached_input: None };
    assert!((price.cost(&usage) - 2.0).abs() < 1e-9);
    assert_eq!(prices.cost(&"openai:x".parse().unwrap(), &usage), Cost::Unknown);
    assert_eq!(prices.cost(&"ollama:qwen3:8b".parse().unwrap(), &usage), Cost::Usd(0.0));
    assert_eq!(prices.cost(&"replay:a".parse().unwrap(), &usage), Cost::Usd(0.0));
}

#[test]
fn rows_can_be_added() {
    let mut prices = Prices::default();
    prices.set("gpt-5", Price { input: 9.0, output: 1.0, cached_input: None });
    assert_eq!(prices.lookup("gpt-5-2026-01-01"), Lookup::Known(Price { input: 9.0, output: 1.0, cached_input: None }));
}

#[test]
fn a_file_adds_to_the_table_and_wins_over_it() {
    let mut prices = Prices::default();
    prices
        .add_file(
            r#"{"acme": {"input": 1, "output": 2}, "acme-mini": {"input_per_million": 0.5, "output_per_million": 1},
                "gpt-4o": {"input": 7, "output": 8, "cached_input": 0.1}, "ollama:qwen3": {"input": 3, "output": 0}}"#,
        )
        .unwrap();
    for (model, expected) in [
        ("openai:acme", Some(1.0)),
        ("openai:acme-large-v2", Some(1.0)),
        ("openai:acme-mini", Some(0.5)),
        ("openai:acme-mini-2026", Some(0.5)),
        ("openai:vendor/acme:free", Some(1.0)),
        ("openai:acmes", None),
        ("openai:gpt-4o", Some(7.0)),
        ("openai:gpt-4o-mini", Some(0.15)),
        ("anthropic:claude-haiku-4-5", Some(0.8)),
        ("ollama:qwen3:8b", Some(3.0)),
        ("ollama:llama3", Some(0.0)),
    ] {
        let input = match prices.named(model) {
            Lookup::Known(price) => Some(price.input),
            Lookup::Unknown => None,
        };
        assert_eq!(input, expected, "{model}");
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
fn a31_the_longest_name_is_billed_whatever_the_order_of_the_rows() {
    let rows = [("m-1", 1.0), ("m-1-2", 2.0), ("m-1-2-3", 3.0)];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut prices = Prices::default();
        for at in order {
            let (name, input) = rows[at];
            prices.set(name, Price { input, output: 0.0, cached_input: None });
        }
        for (model, expected) in
            [("m-1", 1.0), ("m-1-3", 1.0), ("m-1-2", 2.0), ("m-1-2@9", 2.0), ("m-1-2-3", 3.0), ("v/m-1-2-3-4", 3.0)]
        {
            assert_eq!(
                prices.cost(&format!("openai:{model}").parse().unwrap(), &million()),
                Cost::Usd(expected),
                "{model}"
            );
        }
    }
    for (name, input, ..) in BUILT_IN {
        let dated = format!("openai:{name}-2026-01-01").parse().unwrap();
        assert_eq!(Prices::default().cost(&dated, &million()), Cost::Usd(input), "{name}");
    }
}

fn million() -> Usage {
    Usage { input: 1_000_000, ..Usage::default() }
}
