use super::*;
use proptest::prelude::*;

/// What a text reads as, without how it was reached.
fn bare(text: &str) -> Vec<String> {
    let mut all: Vec<String> =
        lines(text).into_iter().map(|line| line.split(" [").next().unwrap_or_default().to_owned()).collect();
    all.sort();
    all.dedup();
    all
}

fn texts() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "rm -rf /",
        "git status",
        "x=1; echo $x",
        "ls | wc -l",
        "cd /; rm -rf *",
        "for i in a b; do echo $i; done",
        "a=(b c); ${a[@]}",
        "f() { echo $1; }; f x",
        "echo a{b,c}d > out",
    ])
}

/// One character, written in one of the ways that mean the same.
fn dressed(character: char, way: usize) -> String {
    match way % 6 {
        0 => character.to_string(),
        1 => format!("'{character}'"),
        2 => format!("\"{character}\""),
        3 => format!("\\{character}"),
        4 => format!("$'\\x{:02x}'", u32::from(character)),
        _ => format!("$'\\{:03o}'", u32::from(character)),
    }
}

proptest! {
    #[test]
    fn arbitrary_texts_are_answered(text in any::<String>()) {
        let _ = read(&text, &surroundings());
    }

    #[test]
    fn texts_of_shell_characters_are_answered(text in r#"[a-c0-2$(){}\[\]<>|&;"'`\\ \n=~*?!#@%/:,^+-]{0,120}"#) {
        let _ = read(&text, &surroundings());
    }

    #[test]
    fn texts_of_shell_words_are_answered(words in prop::collection::vec(prop::sample::select(vec![
        "if", "then", "fi", "for", "in", "do", "done", "case", "esac", "while", "{", "}", "(", ")", "((", "))", "[[", "]]", "$(", "${x", "`", "'", "\"",
        ";", ";;", "&", "&&", "|", "<<a", "a", "\n", "<", ">", "f()", "x=", "$x", "\\", "eval", "sh -c", "$'", "}", "=~", "!", "time", "coproc", "function",
    ]), 0..40)) {
        let _ = read(&words.join(" "), &surroundings());
        let _ = read(&words.concat(), &surroundings());
    }

    #[test]
    fn quoting_means_nothing(ways in prop::collection::vec(0_usize..6, 24)) {
        let mut ways = ways.into_iter();
        let dress = |word: &str, ways: &mut std::vec::IntoIter<usize>| -> String {
            word.chars().map(|character| dressed(character, ways.next().unwrap_or(0))).collect()
        };
        let text = format!("{} {} {}", dress("remove", &mut ways), dress("-rf", &mut ways), dress("/etc", &mut ways));
        prop_assert_eq!(lines(&text), vec!["remove -rf /etc".to_owned()], "{}", text);
    }

    #[test]
    fn blanks_mean_nothing(gaps in prop::collection::vec("[ \t]{1,3}|\\\\\n", 2)) {
        let text = format!("cargo{}test{}--all", gaps[0], gaps[1]);
        let text = text.replace("\\\n", " \\\n ");
        prop_assert_eq!(lines(&text), vec!["cargo test --all".to_owned()], "{}", text);
    }

    #[test]
    fn wrapping_a_text_keeps_its_commands(text in texts(), wraps in prop::collection::vec(0_usize..8, 1..4)) {
        let mut wrapped = text.to_owned();
        for wrap in wraps {
            wrapped = match wrap {
                0 => format!("{{ {wrapped}; }}"),
                1 => format!("( {wrapped} )"),
                2 => format!("eval '{}'", wrapped.replace('\'', "'\\''")),
                3 => format!("if true; then {wrapped}; fi"),
                4 => format!("true && {{ {wrapped}; }}"),
                5 => format!("g() {{ {wrapped}; }}; g"),
                6 => format!("while :; do {wrapped}; done"),
                _ => format!("! {{ {wrapped}; }}"),
            };
        }
        let inside = bare(&wrapped);
        for line in bare(text) {
            prop_assert!(inside.contains(&line), "{} lacks {}: {:?}", wrapped, line, inside);
        }
    }
}
