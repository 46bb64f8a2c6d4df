#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use palanca_core::ToolResult;
use palanca_core::call::{Link, OutcomeKind, Resource};
use palanca_core::message::Keys;
use palanca_core::tool::Extent;

fn shortened(text: &str, limit: usize) -> Option<String> {
    let marker = shorten::Marker { result: &result(Extent::Open), catalogue: &Keys };
    shorten::shorten(text, (limit, shorten::Keeps::Both), &marker)
}

fn result(extent: Extent) -> ToolResult {
    ToolResult {
        id: palanca_core::CallId::new("1"),
        tool: "look".into(),
        input: serde_json::Value::Null,
        success: true,
        output: String::new(),
        error: None,
        code: None,
        outcome: OutcomeKind::Done,
        data: None,
        parts: Vec::new(),
        notes: Vec::new(),
        diff: None,
        truncated: false,
        extent,
        foreign: false,
        artifact: None,
        question: None,
        repairs: Vec::new(),
        duration: std::time::Duration::ZERO,
        timings: Vec::new(),
    }
}

#[test]
fn what_fits_is_not_touched() {
    assert_eq!(shortened("abc", 3), None);
    assert_eq!(shortened("ñññ", 3), None, "characters count, not bytes");
    assert_eq!(shortened(&"x".repeat(9000), 0), None, "0 switches it off");
}

#[test]
fn few_long_lines_are_cut_by_characters() {
    let text: String = "0123456789".repeat(100);
    let cut = shortened(&text, 100).unwrap();
    let lines: Vec<&str> = cut.lines().collect();
    assert_eq!((lines[0], lines[2]), (&text[..67], &text[text.len() - 33..]));
    assert_eq!(lines[1], "agent-result-shortened(lines=1, characters=900)");
    for limit in 1..8 {
        let odd = shortened("ñandú €", limit.min(6)).unwrap();
        assert!(odd.contains("agent-result-shortened"), "{limit}: {odd}");
    }
}

#[test]
fn lines_that_are_too_long_fall_back_to_characters() {
    let text = format!("{}\n", "y".repeat(500)).repeat(100);
    let cut = shortened(&text, 8000).unwrap();
    assert!(cut.chars().count() < 8100, "{}", cut.len());
}

#[test]
fn an_allowance_is_used_up_in_whole_lines() {
    for (width, lines) in [(1, 9000), (10, 3000), (60, 400), (300, 90)] {
        let text = format!("{}\n", "z".repeat(width)).repeat(lines);
        let cut = shortened(&text, 8000).unwrap();
        let kept = cut.lines().filter(|line| line.starts_with('z')).collect::<Vec<_>>();
        assert!(kept.iter().all(|line| line.len() == width), "{width}");
        assert!(kept.len() * (width + 1) + 2 * (width + 1) > 8000 - 1, "{width}: {} lines", kept.len());
    }
}

#[test]
fn a_range_that_was_asked_for_is_told_whole_as_long_as_there_is_room() {
    let lines = |count: usize| (0..count).map(|line| format!("{line:05} | {}\n", "x".repeat(40))).collect::<String>();
    let told = |allowance: &Allowance, extent, count| {
        let result = ToolResult { output: lines(count), ..result(extent) };
        allowance.told(&result, &Keys).0
    };
    let mut history = History::new(ContextLimits::default());
    history.ask("task", Vec::new());
    assert_eq!(told(&history.allowance(), Extent::Chosen, 401), lines(401));
    assert!(told(&history.allowance(), Extent::Open, 401).contains("agent-result-shortened"));
    // 80,000 tokens, three quarters of them for everything: 240,000 characters.
    let allowance = history.allowance();
    assert_eq!(told(&allowance, Extent::Chosen, 3000), lines(3000));
    let cut = told(&allowance, Extent::Chosen, 3000);
    let (head, marker) = cut.split_once("agent-result-shortened(").unwrap();
    assert!(lines(3000).starts_with(head) && head.lines().count() > 1500, "{}", head.len());
    assert_eq!(marker.lines().count(), 1, "what was asked for begins at its beginning and has no end");
    let crowded = told(&allowance, Extent::Chosen, 3000);
    assert!((7000..9000).contains(&crowded.len()), "its own allowance is always there: {}", crowded.len());
    let unlimited = History::new(ContextLimits { max_context_tokens: 0, ..ContextLimits::default() }).allowance();
    assert_eq!(told(&unlimited, Extent::Chosen, 9000), lines(9000));
}

#[test]
fn size_is_counted_as_it_grows() {
    let mut history = History::new(ContextLimits::default());
    history.instruct("12345678".into());
    history.ask("1234", Vec::new());
    assert_eq!(history.tokens(), (8 + 16 + 4 + 16) / 4);
    history.instruct("1234".into());
    history.ask("12345678", Vec::new());
    assert_eq!(history.tokens(), (4 + 16 + 4 + 16 + 8 + 16) / 4);
    assert_eq!(history.messages().len(), 3);
    let whole: usize = history.messages().iter().map(size_of).sum();
    assert_eq!(history.size, whole);
}

mod compaction {
    use super::*;
    use palanca_core::CallId;
    use palanca_models::ToolCall;
    use proptest::prelude::*;

    /// One step or one word from outside.
    #[derive(Clone, Debug)]
    enum Event {
        Step { text: usize, results: Vec<usize> },
        Told(usize),
        Task(usize),
    }

    fn event() -> impl Strategy<Value = Event> {
        prop_oneof![
            8 => (0..200_usize, proptest::collection::vec(0..1500_usize, 0..4))
                .prop_map(|(text, results)| Event::Step { text: text + 1, results }),
            1 => (1..300_usize).prop_map(Event::Told),
            1 => (1..100_usize).prop_map(Event::Task),
        ]
    }

    fn add(history: &mut History, event: &Event, at: usize) {
        match event {
            Event::Step { text, results } => {
                let id = |number: usize| CallId::new(format!("{at}-{number}"));
                let call = |number| ToolCall { id: id(number), name: "look".into(), arguments: "{}".into() };
                let calls = (0..results.len()).map(call).collect();
                history.push(Said::calling("s".repeat(*text), calls));
                for (number, length) in results.iter().enumerate() {
                    let content = "r".repeat(*length);
                    history.push(Said::Tool {
                        call_id: id(number),
                        name: "look".into(),
                        content: content.into(),
                        is_error: false,
                        parts: Vec::new(),
                    });
                }
            }
            Event::Told(length) => history.push(Said::user("t".repeat(*length))),
            Event::Task(length) => history.ask(&format!("task {at}{}", "w".repeat(*length)), Vec::new()),
        }
    }

    fn is_whole(messages: &[Said]) -> bool {
        mend::mend(messages.to_vec(), &Keys) == messages
    }

    fn texts(history: &History) -> Vec<&str> {
        let messages = history.messages().iter();
        messages
            .filter_map(|said| if let Said::User { text, .. } = said { Some(text.as_str()) } else { None })
            .collect()
    }

    fn limits(max_context_tokens: usize) -> ContextLimits {
        ContextLimits { max_context_tokens, ..ContextLimits::default() }
    }

    proptest! {
        #[test]
        fn whatever_is_summarised_no_call_loses_its_result_and_the_task_stays(
            events in proptest::collection::vec(event(), 1..60),
            room in 500..4000_usize,
            model in proptest::option::of(1..3000_usize),
        ) {
            let mut history = History::new(limits(room));
            history.instruct("system".into());
            history.ask("the first task", Vec::new());
            let (mut present, mut before) = ("the first task".to_owned(), 0);
            for (at, event) in events.iter().enumerate() {
                add(&mut history, event, at);
                if let Event::Task(length) = event {
                    present = format!("task {at}{}", "w".repeat(*length));
                }
                if let Some(older) = history.older() {
                    let words = model.map(|length| format!("summary {at} {}", "m".repeat(length)));
                    let (size, messages) = (history.size, history.messages().len());
                    let count = history.summarise(&older, words.as_deref());
                    prop_assert!(count > 0 && history.summarised() == before + count);
                    before = history.summarised();
                    prop_assert!(history.messages().len() <= messages);
                    prop_assert!(history.size <= size + LEAST_MORE, "{} {}", history.size, size);
                    let summary = history.summary().unwrap();
                    prop_assert!(model.is_none() || summary.starts_with(&format!("summary {at}")), "{summary}");
                    // Everything but what may not leave is gone.
                    let steps = history.messages().iter().filter(|said| matches!(said, Said::Assistant { .. })).count();
                    prop_assert_eq!(steps, 4);
                    let pinned: usize = (0..history.sizes.len())
                        .filter(|at| history.is_pinned(*at)).map(|at| history.sizes[at]).sum();
                    let begins = history.messages().iter().position(|said| matches!(said, Said::Assistant { .. }));
                    let recent: usize = history.sizes[begins.unwrap()..].iter().sum();
                    prop_assert!(history.size <= pinned + recent);
                }
                prop_assert_eq!(history.size, history.messages().iter().map(size_of).sum::<usize>());
                let summary = history.summary().map(str::to_owned);
                history.fit(&Keys);
                prop_assert!(is_whole(history.messages()));
                prop_assert_eq!(history.summary().map(str::to_owned), summary, "no window takes the summary");
                let texts = texts(&history);
                prop_assert!(texts[0].starts_with("the first task"), "{:?}", texts);
                prop_assert!(texts.iter().any(|text| text.starts_with(&present)));
                let first = matches!(history.messages()[0], Said::System { .. });
                prop_assert!(first);
                // What is kept is all that is needed to go on.
                let kept = history.conversation();
                let json = serde_json::to_string(&kept).unwrap();
                let again = serde_json::from_str(&json).unwrap();
                let mut again = History::restored(limits(room), again, Calls::Ended, &Keys);
                prop_assert_eq!(again.conversation(), kept);
                again.instruct("system".into());
                prop_assert_eq!(again.messages(), history.messages());
                prop_assert_eq!((again.size, again.task), (history.size, history.task));
            }
        }
    }

    /// A first summary of very little may be longer than what it stands for.
    const LEAST_MORE: usize = 600;

    fn long(steps: usize) -> History {
        let mut history = History::new(limits(2000));
        history.instruct("system".into());
        history.ask("task", Vec::new());
        for at in 0..steps {
            add(&mut history, &Event::Step { text: 10, results: vec![800] }, at);
        }
        history
    }

    #[test]
    fn it_is_due_above_three_quarters_and_after_so_many_steps() {
        assert!(long(7).older().is_none(), "not enough steps");
        assert!(long(8).older().is_some());
        let roomy = History { limits: limits(20_000), ..long(8) };
        assert!(roomy.older().is_none(), "not crowded");
        for off in [
            limits(0),
            ContextLimits { summarize_after_steps: 0, ..limits(2000) },
            ContextLimits { keep_recent_steps: 8, ..limits(2000) },
        ] {
            assert!(History { limits: off, ..long(8) }.older().is_none(), "{off:?}");
        }
        let mut all = History { limits: ContextLimits { keep_recent_steps: 0, ..limits(2000) }, ..long(8) };
        let older = all.older().unwrap();
        assert_eq!(all.summarise(&older, Some("s")), 14, "the newest step stays");
    }

    #[test]
    fn one_summary_is_pinned_and_written_anew_from_itself() {
        let mut history = long(8);
        let older = history.older().unwrap();
        assert!(history.to_summarise(&older).starts_with("# The summary so far\n(none)\n"));
        assert_eq!(history.summarise(&older, Some("first summary")), 8);
        assert_eq!(texts(&history), ["task".to_owned(), format!("{}\nfirst summary", compact::HEADER)]);
        for at in 10..16 {
            add(&mut history, &Event::Step { text: 10, results: vec![800] }, at);
        }
        let older = history.older().unwrap();
        assert!(history.to_summarise(&older).starts_with("# The summary so far\nfirst summary\n\n# What"));
        history.summarise(&older, Some("second summary"));
        assert_eq!(texts(&history), ["task".to_owned(), format!("{}\nsecond summary", compact::HEADER)]);
        assert!(matches!(history.messages()[2], Said::User { .. }), "a user's message, behind the task");
    }

    #[test]
    fn without_a_model_the_bare_facts_stay() {
        let mut history = History::new(limits(2000));
        history.instruct("system".into());
        history.ask("task", Vec::new());
        for at in 0..9 {
            let id = CallId::new(format!("{at}"));
            let arguments = format!(r#"{{"path": "file{at}"}}"#);
            let call = ToolCall { id: id.clone(), name: "read_file".into(), arguments };
            history.push(Said::calling(format!("Reading {at}."), vec![call]));
            let content = format!("line {at}\n{}", "x".repeat(700));
            history.push(Said::Tool {
                call_id: id,
                name: "read_file".into(),
                content: content.into(),
                is_error: at == 1,
                parts: Vec::new(),
            });
        }
        let older = history.older().unwrap();
        history.summarise(&older, None);
        let summary = history.summary().unwrap();
        let lines: Vec<&str> = summary.lines().collect();
        assert_eq!(lines[0], "- said: Reading 0.");
        assert!(lines[1].starts_with(r#"- read_file({"path": "file0"}): line 0 xxx"#), "{}", lines[1]);
        assert!(lines[1].ends_with("x…") && lines[1].chars().count() < 360);
        assert!(lines[3].starts_with(r#"- read_file({"path": "file1"}) failed: "#));
        for at in 20..28 {
            add(&mut history, &Event::Step { text: 10, results: vec![700] }, at);
        }
        let older = history.older().unwrap();
        history.summarise(&older, None);
        assert!(history.summary().unwrap().starts_with("- said: Reading 0."), "the old facts stay");
    }
}

#[test]
fn an_end_that_tells_how_it_ended_gets_more_room() {
    let noise = |count: usize| (0..count).map(|line| format!("   Compiling crate number {line}\n")).collect::<String>();
    let traceback: String = (0..60).map(|line| format!("  File \"a.py\", line {line}, in call\n")).collect();
    let text = format!("{}Traceback (most recent call last):\n{traceback}ValueError: no\n", noise(3000));
    let cut = shortened(&text, 8000).unwrap();
    assert!(cut.contains("Traceback (most recent call last):\n  File \"a.py\", line 0,"), "{cut}");
    assert!(cut.ends_with("ValueError: no\n") && cut.starts_with("   Compiling crate number 0\n"));
    assert!(cut.chars().count() <= 8000 + 100, "{}", cut.chars().count());
    for (end, kept) in [
        ("test result: FAILED. 3 passed; 1 failed", true),
        ("process exited with status 2", true),
        ("thread 'main' panicked at src/main.rs:2", true),
        ("BUILD FAILED in 3s", true),
        ("all quiet", false),
    ] {
        let text = format!("{}{end}\n{}", noise(2000), "more after it\n".repeat(250));
        assert_eq!(shortened(&text, 8000).unwrap().contains(end), kept, "{end}");
    }
}

#[test]
fn no_text_is_cut_wrongly() {
    let pieces = ["error\n", "ñ", "\n", "x", "at €\n", "  \n", "panicked\r\n"];
    for seed in 0..3000_usize {
        let text: String = (0..400).map(|at| pieces[(seed * 31 + at * at * 7 + at) % pieces.len()]).collect();
        for limit in [1, 2, 7, 40, 200] {
            let Some(cut) = shortened(&text, limit) else { continue };
            let (head, rest) = cut.split_once("agent-result-shortened(").unwrap();
            let (_, tail) = rest.split_once(")\n").unwrap();
            assert!(text.starts_with(head.trim_end_matches('\n')) && text.ends_with(tail));
            assert!(head.chars().count() + tail.chars().count() <= limit + 1, "{limit}: {cut:?}");
        }
    }
}

#[test]
fn the_marker_says_where_the_whole_is_kept() {
    let output: String = (0..3000).map(|line| format!("line {line}\n")).collect();
    let artifact = Some(palanca_core::call::ArtifactId::new("art-7"));
    let mut result = ToolResult { output: output.clone(), artifact, ..result(Extent::Open) };
    let check = |result: &ToolResult| {
        let content = History::new(ContextLimits::default()).allowance().told(result, &Keys).0;
        let marker = content.lines().find(|line| line.contains("agent-result-kept(")).unwrap();
        assert!(marker.contains("artifact=art-7"), "{marker}");
        let offset: usize =
            marker.split("offset=").nth(1).unwrap().trim_end_matches(')').split(',').next().unwrap().parse().unwrap();
        let (head, _) = content.split_once("agent-result-kept(").unwrap();
        let last = head.trim_end().rsplit("line ").next().unwrap().parse::<usize>().unwrap();
        let missing = output.find(&format!("line {}\n", last + 1)).unwrap();
        assert!(offset <= missing && missing - offset <= 300, "{offset} for {missing}");
    };
    check(&result);
    result.error = Some("it failed".into());
    result.success = false;
    check(&result);
    result.output = format!("<<<MARK id=1>>>\nSource: web\n---\n{output}\n<<<END_MARK id=1>>>");
    check(&result);
}

#[test]
fn what_is_beside_a_text_counts_and_a_summary_names_it() {
    let image = Part::image("image/png", b"\x89PNG\r\n\x1a\n".to_vec()).unwrap();
    let link = Link::new("https://example.com/a", "n").unwrap();
    let text = Resource::text("file:///a", None, "x".repeat(20_000)).unwrap();
    let parts = vec![image.clone(), link.into(), text.into()];
    let result = ToolResult { parts, output: "seen".into(), ..result(Extent::Open) };
    let mut history = History::new(ContextLimits::default());
    let (content, parts) = history.allowance().told(&result, &Keys);
    assert_eq!((content.as_str(), &parts[0]), ("seen", &image));
    assert!((8_000..9_000).contains(&parts[2].size()), "shortened as a result is: {}", parts[2].size());
    history.ask("task", Vec::new());
    let before = history.tokens();
    let call_id = palanca_core::CallId::new("1");
    history.push(Said::Tool { call_id, name: "look".into(), content: content.into(), is_error: false, parts });
    let counted = history.tokens() - before;
    assert!((2_700..4_000).contains(&counted), "1600 for the image, more for the text: {counted}");
    let words = summary::mechanical(None, history.messages().iter());
    let named = "[image/png, 8 bytes: left out here] [link https://example.com/a] [resource file:///a: left out here]";
    assert!(words.ends_with(&format!("- look(): seen {named}")), "{words}");
    let shown = summary::transcript(|| history.messages().iter(), 0);
    assert!(shown.contains(&named.replace("] [", "]\n[")) && !shown.contains("xxx"), "{shown}");
}
