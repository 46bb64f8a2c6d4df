//! Looking at readings by hand; every test here prints and asserts nothing.

#![allow(clippy::disallowed_methods)]

use super::*;

#[test]
#[ignore = "prints what texts read as: SHELL_TEXTS names a file of them, one a line"]
fn show() {
    let Ok(file) = std::env::var("SHELL_TEXTS") else { return };
    for text in std::fs::read_to_string(file).unwrap().lines() {
        let text = text.replace("\\n", "\n");
        println!("{text:?}");
        for line in lines(&text) {
            println!("    {line}");
        }
        if let Ok(reading) = read(&text, &surroundings()) {
            for problem in &reading.problems {
                println!("    ! {}", problem.rule);
            }
            for shape in &reading.shapes {
                println!("    # {shape:?}");
            }
        }
    }
}

#[test]
#[ignore = "prints the words of `p` in each text of the file SHELL_TEXTS, to be compared with what a shell passes"]
fn words() {
    let Ok(file) = std::env::var("SHELL_TEXTS") else { return };
    for text in std::fs::read_to_string(file).unwrap().lines() {
        let all = match read(text, &surroundings()) {
            Ok(reading) => reading.commands,
            Err(reason) => {
                println!("@refused {}", reason.rule);
                continue;
            }
        };
        let problems = problems(text);
        let broken = problems.iter().any(|rule| rule == "shell.syntax");
        let found = all.iter().rfind(|command| command.program() == Some("p") && command.via.is_empty());
        let shown: Option<Vec<String>> =
            found.map(|command| command.words.iter().map(|word| format!("{word}")).collect());
        println!(
            "@{}{}",
            if broken { "!" } else { "" },
            shown.unwrap_or_default().join("\u{1f}").replace('\n', "\u{2}")
        );
    }
}

#[test]
#[ignore = "prints which of the scripts named in the file SHELL_TEXTS are refused or taken for broken"]
fn scripts() {
    let Ok(file) = std::env::var("SHELL_TEXTS") else { return };
    for path in std::fs::read_to_string(file).unwrap().lines() {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        match read(&text, &surroundings()) {
            Ok(reading) => {
                for problem in reading.problems.iter().filter(|problem| problem.rule == "shell.syntax") {
                    println!("@{path} {} {:?}", problem.rule, problem.message);
                }
            }
            Err(reason) => println!("@{path} {} {}", reason.rule, text.len()),
        }
    }
}
