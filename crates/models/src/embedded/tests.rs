#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::disallowed_methods, missing_docs)]
use super::*;
use crate::request::ToolOffer;
use proptest::prelude::*;
use serde_json::json;

mod forms;
mod words;

fn offers() -> Vec<ToolOffer> {
    let text = json!({"type": "string"});
    let typed = json!({"properties": {
        "n": {"type": "integer"}, "x": {"type": "number"}, "on": {"type": "boolean"}, "list": {"type": "array"},
        "map": {"type": "object"}, "text": text, "note": {"type": ["string", "null"]}, "kind": {"enum": ["1", "b"]},
        "either": {"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/flag"}]}, "any": {},
    }, "$defs": {"flag": {"type": "boolean"}}});
    vec![
        ToolOffer::new("read_file", "", &json!({"properties": {"path": text}})),
        ToolOffer::new("write_file", "", &json!({"properties": {"path": text, "content": text}})),
        ToolOffer::new("mcp.search", "", &json!({})),
        ToolOffer::new("list_files", "", &json!({})),
        ToolOffer::new("set", "", &typed),
    ]
}

/// What an answer comes to: the text that is shown, and how it ends.
fn scan(model: &str, text: &str, size: usize) -> (String, String) {
    let offered = offers();
    let names = Names::new(&offered);
    let mut scanner = Scanner::new(model, Fences::Count);
    let mut shown = String::new();
    let characters: Vec<char> = text.chars().collect();
    for piece in characters.chunks(size) {
        shown.push_str(&scanner.push(piece.iter().collect(), &names));
    }
    let last = scanner.finish(&names);
    shown.push_str(&last.text);
    let ending = match last.ending {
        Ending::Words => String::new(),
        Ending::Calls(calls, held) => {
            assert!(text.ends_with(&held), "{text}");
            calls.iter().map(|call| format!("{} {}", call.name, call.arguments)).collect::<Vec<_>>().join(" + ")
        }
        Ending::Misread(Misread { cause, text: held, .. }) => {
            assert_eq!(format!("{shown}{held}"), text);
            match cause {
                MisreadCause::CutOff => "cut off".to_owned(),
                MisreadCause::Unreadable => "unreadable".to_owned(),
                MisreadCause::UnknownTool(name) => format!("no tool {name}"),
            }
        }
    };
    (shown, ending)
}

fn check(model: &str, text: &str, shown: &str, ending: &str) {
    for size in [1, 2, 3, 7, 20, usize::MAX] {
        let got = scan(model, text, size);
        assert_eq!((got.0.as_str(), got.1.as_str()), (shown, ending), "{model}: {text:?} in pieces of {size}");
    }
}

#[test]
fn text_is_held_back_only_while_it_may_be_a_call() {
    let offered = offers();
    let names = Names::new(&offered);
    let mut scanner = Scanner::new("m", Fences::Count);
    let mut push = |text: &str| scanner.push(text.to_owned(), &names);
    assert_eq!(push("Hello "), "Hello ");
    assert_eq!(push("there `"), "there ");
    assert_eq!(push("x` ```"), "`x` ");
    assert_eq!(push("rust\nfn"), "```rust\nfn");
    assert_eq!(push(" main\n```\nI call <too"), " main\n```\nI call ");
    assert_eq!(push("ls of the trade. <tool_call>{\"name\": \"read_file\""), "<tools of the trade. ");
    assert_eq!(push(", \"arguments\": {}}</tool_call>\n"), "");
    let said = " is what I would write.";
    assert!(push(said).ends_with(said));
}

/// Printed by `cargo test --release -p palanca-models -- --ignored --nocapture own_time`.
#[test]
#[ignore = "a measurement, not a test"]
fn own_time_of_answers() {
    const REPEATS: usize = 10_000;
    let offered = offers();
    let names = Names::new(&offered);
    let texts = [
        ("words", "The parser reads one token after the other, `peek()` looks ahead, and Vec<T> grows [as needed].\n"),
        ("one long line", "The parser reads one token after the other, `peek()` looks ahead, and 3 < 4 {as needed}. "),
        ("marks of calls", "<tool_call>{\"name\": [TOOL_CALLS]<function=x> <think> ` "),
    ];
    for ((what, words), model) in texts.into_iter().flat_map(|text| [(text, "local"), (text, "qwen3")]) {
        let mut scanner = Scanner::new(model, Fences::Quote);
        let pieces: Vec<String> = words.repeat(REPEATS).split_inclusive(' ').map(str::to_owned).collect();
        let count = u32::try_from(pieces.len()).unwrap();
        let start = std::time::Instant::now();
        let shown: usize = pieces.into_iter().map(|piece| scanner.push(piece, &names).len()).sum();
        let last = scanner.finish(&names).text.len();
        println!("{what}, {model}: {:?} a piece of {count}, {} bytes shown", start.elapsed() / count, shown + last);
    }
}

proptest! {
    #[test]
    fn the_same_in_any_pieces(
        parts in prop::collection::vec(prop::sample::select(forms::PARTS), 0..8),
        size in 1_usize..25,
        model in prop::sample::select(&["m", "qwen3", "llama-3.1", "deepseek", "gemma-3", "gpt-oss", "xlam", "functionary", "glm-4.5"][..]),
    ) {
        let text = parts.concat();
        prop_assert_eq!(scan(model, &text, size), scan(model, &text, usize::MAX));
    }

    #[test]
    fn nothing_is_lost_and_nothing_panics(text in "([a-zé `<>{}\\[\\]\":\n|~]|```|```json\n|<tool_call>|</think>|<\\|){0,40}", size in 1_usize..6) {
        let (shown, ending) = scan("m", &text, size);
        prop_assert!(["", "cut off", "unreadable"].contains(&ending.as_str()), "{}", ending);
        let whole = if ending.is_empty() { shown == text } else { text.starts_with(&shown) };
        prop_assert!(whole, "{}", shown);
    }
}
