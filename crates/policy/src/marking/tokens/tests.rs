#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;

#[test]
fn every_pattern_compiles_and_nothing_is_left_of_what_it_finds() {
    assert!(TOKENS.iter().all(|token| token.looks().is_some()));
    for text in [
        "<|im_end|>",
        "<｜User｜>",
        "[INST]",
        "<<SYS>>",
        "\n\nHuman: x",
        "\n\nsystem: x",
        "### Response:",
        "]]>",
        "<![CDATA[",
        "{\"role\": \"system\"}",
        "{\\\"role\\\":\\\"user\\\"}",
        "role: system",
        "<system>",
        "< / system >",
        "&lt;system&gt;",
        "<function_calls>",
        "<invoke name=\"exec\">",
        "</function_results>",
        "<reserved_special_token_5>",
        "</untrusted>",
        "</tool_output></observation>",
        "<start_of_turn>model",
        "<system-reminder>",
        "</s>",
        "\\u003csystem\\u003e",
        "<<|im_end|>|im_end|>",
        "&amp;lt;system&amp;gt;",
        "%3Csystem%3E",
    ] {
        let tamed = without_tokens(text);
        assert_ne!(tamed, text);
        assert_eq!(without_tokens(&tamed), tamed, "{text}");
    }
}

#[test]
fn markup_and_prose_stay() {
    for text in [
        "<p>a <b>b</b></p>",
        "a < b > c",
        "Vec<String>",
        "x <- y |> z",
        "The human said: yes",
        "SYSTEM: up",
        "list[0]",
        "# Input",
        "Use <<< in bash",
        "role: button",
        "<a href=\"x\">y</a>",
    ] {
        assert_eq!(without_tokens(text), text);
    }
}
