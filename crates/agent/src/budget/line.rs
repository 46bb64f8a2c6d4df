//! The cost of a run, as one line.

use crate::report::Costs;
use palanca_core::{Catalogue, Message};

/// `$0.0042 (12,450 in / 3,200 out / 500 cached)`; without the dollars where the price is not known, and without what was
/// cached where nothing was. In the language of the catalogue.
#[must_use]
pub fn summary_line(costs: &Costs, catalogue: &dyn Catalogue) -> String {
    let separator = catalogue.render(&Message::new("number-group"));
    let shown = |number| grouped(number, &separator);
    let (input, output) = (shown(costs.total_input_tokens), shown(costs.total_output_tokens));
    let tokens = catalogue.render(&match costs.total_cached_tokens {
        0 => Message::new("run-tokens").with("input", input).with("output", output),
        cached => {
            Message::new("run-tokens-cached").with("input", input).with("output", output).with("cached", shown(cached))
        }
    });
    match costs.total_cost_usd {
        Some(dollars) => format!("${dollars:.4} ({tokens})"),
        None => tokens,
    }
}

/// With a mark before every third digit from the end.
fn grouped(number: u64, separator: &str) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push_str(separator);
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn the_line_is_as_documented() {
        let english = palanca_text::FluentCatalogue::new(palanca_text::Locale::En);
        let costs = |dollars, input, output, cached| Costs {
            total_input_tokens: input,
            total_output_tokens: output,
            total_cached_tokens: cached,
            total_tokens: input + output,
            total_cost_usd: dollars,
            by_source: crate::report::BySource::default(),
        };
        for (costs, expected) in [
            (costs(Some(0.0042), 12_450, 3_200, 500), "$0.0042 (12,450 in / 3,200 out / 500 cached)"),
            (costs(Some(1.5), 1_000_000, 999, 0), "$1.5000 (1,000,000 in / 999 out)"),
            (costs(None, 7, 0, 0), "7 in / 0 out"),
        ] {
            assert_eq!(summary_line(&costs, &english), expected);
        }
        let spanish = palanca_text::FluentCatalogue::new(palanca_text::Locale::Es);
        let line = summary_line(&costs(None, 12_450, 32, 5), &spanish);
        assert_eq!(line, "12\u{a0}450 de entrada / 32 de salida / 5 en caché");
    }
}
