//! `palanca models`: the providers, which model a run would use, and what tokens cost.

use crate::args::{Global, Listing};
use crate::exit::{Ended, Exit};
use crate::render::stdout;
use crate::say::say;
use crate::wire::runtime::{self, Threads};
use crate::wire::settings;
use palanca_core::Message;
use palanca_host::agent::limits;
use palanca_host::agent::model::{self, ProviderState};
use palanca_models::{PUBLISHED, Price, PriceOrigin, Prices};
use serde_json::{Value, json};

pub fn models(global: &Global, args: &Listing) -> Ended {
    let loaded = settings::load(global, &[])?;
    let prices = limits::prices(&loaded.config)?;
    let (providers, chosen) = runtime::block_on(Threads::One, async move {
        let chosen = model::chosen(&loaded.config).await.ok();
        Ok((model::providers(&loaded.config, chosen.as_ref()).await, chosen.map(|spec| spec.to_string())))
    })?;
    if args.json {
        stdout::json(&json!({
            "model": chosen,
            "providers": providers.iter().map(provider_json).collect::<Vec<_>>(),
            "prices": { "published": PUBLISHED, "unit": "USD per million tokens", "models": prices_json(&prices) },
        }))?;
        return Ok(Exit::Success);
    }
    let mut page = String::new();
    for ProviderState { name, state, .. } in &providers {
        page += &format!("{name:<17} {}\n", say(state));
    }
    page += &match chosen {
        Some(model) => format!("\n{}\n", say(&Message::new("models-chosen").with("model", model))),
        None => format!("\n{}\n", say(&Message::new("models-none"))),
    };
    page += &format!("\n{}\n", say(&Message::new("models-prices").with("date", PUBLISHED)));
    let heading = |key: &'static str| say(&Message::new(key));
    page += &row(
        &heading("models-model"),
        ["models-input", "models-output", "models-cache-read", "models-cache-write"].map(heading),
    );
    for (name, price, _) in prices.rows() {
        page += &row(name, columns(price).map(|dollars| dollars.to_string()));
    }
    stdout::text(&page)?;
    Ok(Exit::Success)
}

fn row(name: &str, [input, output, read, write]: [String; 4]) -> String {
    format!("{name:<20} {input:>8} {output:>8} {read:>12} {write:>12}\n")
}

/// Input, output, read from the cache, written to the cache.
fn columns(price: Price) -> [f64; 4] {
    let Price { input, output, cached_input, cache_write } = price;
    [input, output, cached_input.unwrap_or(input), cache_write.unwrap_or(input)]
}

fn provider_json(provider: &ProviderState) -> Value {
    json!({
        "name": provider.name, "ready": provider.is_ready, "endpoint": provider.endpoint,
        "installed": provider.installed, "state": say(&provider.state),
    })
}

fn prices_json(prices: &Prices) -> Vec<Value> {
    let rows = prices.rows().map(|(name, price, origin)| {
        let [input, output, cached_input, cache_write] = columns(price);
        json!({
            "model": name, "input": input, "output": output, "cached_input": cached_input, "cache_write": cache_write,
            "origin": match origin { PriceOrigin::Published(maker) => maker, PriceOrigin::Own => "prices_file" },
        })
    });
    rows.collect()
}
