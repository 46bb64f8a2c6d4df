use super::*;

/// Texts that grow in every direction; whatever the answer is, it comes soon and without a panic.
/// Texts of up to this many bytes for each piece that may go wrong.
fn hostile(largest: usize) -> Vec<String> {
    let pieces = [
        "$(",
        "${",
        "$((",
        "((",
        "(",
        "`",
        "\"$(",
        "{",
        "{a,b}",
        "{a,",
        "<<a ",
        "<<a\n",
        "if ",
        "if x; then ",
        "while x; do ",
        "[[ ",
        "case x in ",
        "case x in a) ",
        "f(){ ",
        "f(){ f|f& };",
        "<(",
        ">(",
        "a=(",
        "a[",
        "${a[",
        "${x:-",
        "${x//",
        "$[",
        "!",
        "! ",
        "time ",
        "coproc ",
        "x=$x$x;",
        "eval ",
        "eval '",
        "sh -c \"",
        "\\",
        "'",
        "\"",
        "$'",
        "$'\\x",
        ";",
        "&",
        "|",
        "a|",
        "a&&",
        "a;",
        "a ",
        "a\n",
        "# ",
        "#\n",
        "~",
        "*",
        "[",
        "[a",
        "?(",
        "@(",
        "$a",
        "$a;",
        "a=$a\n",
        "a+=a;",
        "for i in ",
        "for i in a b; do ",
        "{1..99}",
        "x=1;",
        "\u{F0000}",
        "\u{F0001} ",
        "\0",
        "\r",
        "é",
        "<<<",
        "<<<a ",
        ">a ",
        "2>&1 ",
        "&>",
        "${!a}",
        "${a@P}",
        "$((a))",
        "(( a ))\n",
        "let a;",
        "export a=$a;",
        "a=b ",
        "f;",
        "alias a=a;a;",
        "function f { ",
        "} ",
        ") ",
        "fi ",
        "done ",
        "esac ",
        ";; ",
        "xargs ",
        "sudo ",
        "env ",
        "nice ",
        "trap '",
        "read a;",
        "set -- a a;shift;",
        "printf -v a a;",
        "echo a|",
        "<<a cat|",
    ];
    let mut all = Vec::new();
    for piece in pieces {
        for size in [40, 1000, largest] {
            all.push(piece.repeat(size / piece.len()));
        }
        all.push(format!(
            "x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; {}",
            piece.repeat(largest * 9 / 10 / piece.len())
        ));
    }
    all.push(format!("x={}; {}", "a".repeat(30_000), "echo ${x//a/b}; ".repeat(2_000)));
    all.push(format!("x={}; {}", "ab".repeat(15_000), "echo ${x%%*a*b*a*b*c}; ".repeat(1_200)));
    all.push(format!("x={}; {}", "a".repeat(30_000), "echo $x|cat;".repeat(2_500)));
    all.push(format!("{}f", "f(){ x=$x$x; g; }; g(){ f; };".repeat(1_000)));
    all.push(format!("{} a", "for i in 1 2 3 4 5 6 7 8; do ".repeat(30)));
    all.push(format!("x=a; {} echo $x", "x=$x$x; ".repeat(40)));
    all.push(format!("{} : ", "if a; then x=1; else x=2; fi; y=$x$y;".repeat(1_500)));
    all
}

#[test]
fn hostile_texts_are_answered() {
    answer(8_192);
}

mod stress {
    #[test]
    #[ignore = "cargo xtask stress"]
    fn hostile_texts_are_answered() {
        super::answer(65_536);
    }
}

fn answer(largest: usize) {
    for text in hostile(largest) {
        let _ = read(&text, &surroundings());
    }
}

/// Reading must fit the stack of an ordinary thread.
#[test]
fn depth_fits_a_small_stack() {
    let texts: Vec<String> = [
        "$(",
        "\"$(",
        "( ",
        "{ ",
        "if x; then ",
        "${x:-",
        "`",
        "f(){ ",
        "! ",
        "<(",
        "while a; do ",
        "case x in a) ",
        "eval eval ",
        "sh -c \"sh -c ",
        "nice ",
    ]
    .into_iter()
    .flat_map(|piece| (1..80).map(move |count| format!("{}id", piece.repeat(count))))
    .collect();
    let thread = std::thread::Builder::new().stack_size(1024 * 1024);
    thread.spawn(move || texts.iter().for_each(|text| drop(read(text, &surroundings())))).unwrap().join().unwrap();
}

#[test]
#[ignore = "prints how long reading takes; run it optimised"]
fn times() {
    let middle = |text: &str| {
        let mut all: Vec<_> = (0..200)
            .map(|_| {
                let start = std::time::Instant::now();
                let _ = read(text, &surroundings());
                start.elapsed()
            })
            .collect();
        all.sort();
        (all[100], all[198])
    };
    for text in ["git status", "cargo test 2>&1 | tail -50", "cd src && grep -rn 'x y' . | head -5 > out.txt"] {
        println!("{text}: {:?}", middle(text));
    }
    let unit = "if [ -f \"$x/foo.txt\" ]; then\n  git log --oneline -5 | head -n 3 > out.txt 2>&1\n  for f in *.rs; do echo \"${f%.rs}\" $(basename \"$f\"); done\nfi\n";
    println!("4 KiB script: {:?}", middle(&unit.repeat(29)));
    println!("64 KiB script: {:?} {:?}", middle(&unit.repeat(464)), lines(&unit.repeat(464)).len());
    let mut slow: Vec<(std::time::Duration, String)> = hostile(65_536)
        .into_iter()
        .map(|text| {
            let start = std::time::Instant::now();
            let answer = read(&text, &surroundings());
            let took = start.elapsed();
            if took.as_millis() > 200 {
                println!("SLOW {took:?} {} {:?}", text.len(), text.chars().take(30).collect::<String>());
            }
            let head: String = text.chars().take(30).collect();
            (
                took,
                format!(
                    "{} {head:?} {}",
                    text.len(),
                    answer.map_or_else(|limit| limit.rule.to_string(), |reading| reading.commands.len().to_string())
                ),
            )
        })
        .collect();
    slow.sort();
    for (took, what) in slow.iter().rev().take(40) {
        println!("{took:?} {what}");
    }
}

#[test]
#[ignore = "measures stacks"]
fn stacks() {
    let (Ok(piece), Ok(size)) = (std::env::var("PIECE"), std::env::var("STACK")) else { return };
    let size: usize = size.parse().unwrap();
    let texts: Vec<String> = (1..80).map(|count| format!("{}id", piece.repeat(count))).collect();
    let thread = std::thread::Builder::new().stack_size(size * 1024);
    thread.spawn(move || texts.iter().for_each(|text| drop(read(text, &surroundings())))).unwrap().join().unwrap();
}

#[test]
#[ignore = "reads one text again and again, to be watched by a profiler"]
fn spin() {
    let unit = "if [ -f \"$x/foo.txt\" ]; then\n  git log --oneline -5 | head -n 3 > out.txt 2>&1\n  for f in *.rs; do echo \"${f%.rs}\" $(basename \"$f\"); done\nfi\n";
    let text = unit.repeat(29);
    for _ in 0..3000 {
        let _ = read(&text, &surroundings());
    }
}
