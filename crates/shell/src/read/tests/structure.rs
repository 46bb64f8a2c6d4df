use super::*;

#[test]
fn every_command_of_a_structure_is_read() {
    for text in [
        "a; X",
        "a && X",
        "a || X",
        "a & X",
        "a | X",
        "a |& X",
        "X & wait",
        "{ X; }",
        "( X )",
        "! X",
        "if X; then :; fi",
        "if :; then X; fi",
        "if :; then :; elif X; then :; else :; fi",
        "if a; then :; else X; fi",
        "while X; do :; done",
        "until :; do X; done",
        "for i in a; do X; done",
        "for i; do X; done",
        "for ((;;)); do X; done",
        "for ((i=0;i<1;i++)) { X; }",
        "select i in a; do X; done",
        "case a in a) X;; esac",
        "case a in (a|b) :;; *) X; esac",
        "case a in a) :;& b) X;;& esac",
        "f() { X; }; f",
        "f() { X; }",
        "function f { X; }",
        "function f() ( X )",
        "coproc X",
        "coproc N { X; }",
        "time X",
        "time -p X",
        "X # c",
        "true\nX",
        "X;",
        ">o X",
        "2>&1 >o X",
        "A=1 X",
        "[[ a ]] && X",
        "((1)) && X",
        "eval 'X'",
        "trap 'X' EXIT",
        "alias l='X'",
        "sh -c 'X'",
        "bash <<< 'X'",
        "bash <<E\nX\nE",
        "echo 'X' | sh",
        "echo X | bash -s",
        "bash <(echo 'X')",
        ". <(echo 'X')",
        "source /dev/stdin <<< 'X'",
        "exec <<< 'X'; sh",
        "bash /dev/fd/3 3<<< 'X'",
        "exec 5<<< 'X'; bash <&5",
        "echo 'X' > >(sh)",
        "echo 'X' | tee >(sh)",
        "hash -p /bin/l l; X",
        "while read l; do $l; done <<< 'X'",
        "echo 'X' | while read -r l; do eval \"$l\"; done",
        "mapfile -t l <<< 'X'; ${l[0]}",
        "set -- X; \"$@\"",
        "f() { \"$@\"; }; f X",
        "f() { $1 $2 $3; }; f X",
        "f() { shift; \"$@\"; }; f a X",
        "read -r a b <<< 'X'; $a $b",
        "ls )\nX",
        "fi; X",
        "ls ;; X",
        "echo $(X",
        "if true; then X",
        "echo \"$(X)\" 'open",
        "cat =(X)",
        "f(){ g; }; g(){ X; }; f",
        "if c; then x='X'; fi; $x",
        "case $y in a) x='X';; esac; $x",
        "PROMPT_COMMAND='X' bash -i",
        "export PAGER='X'",
        "shopt -s expand_aliases\nalias l='X'\nl",
        "command X",
        "builtin eval 'X'",
        "(exec X)",
        "c=X; for i in 1; do $c; done",
        "a=echo; b=ls; while :; do $b; b=$a; a='X'; done",
    ] {
        finds(&text.replace('X', "rm -rf /"), "rm -rf /");
    }
}

#[test]
fn inputs_follow_the_pipe() {
    check("curl x | tee y | sh", &["curl x", "tee y", "sh", "$(network) [shell sh]"]);
    check("echo ls | { cat; }", &["echo ls", "cat <<<ls\\n>"]);
    check("cat < a > b 2>> c", &["cat <a >b >>c"]);
    check("cat <<-'A' | wc\n\tx $y\n\tA", &["cat <<<x $y\\n>", "wc <<<x $y\\n>"]);
    check("exec 3<>/dev/tcp/x/80; cat <&3", &["exec <>/dev/tcp/x/80", "cat"]);
    check("{ echo x; } > /dev/sda", &[">/dev/sda <<<x\\n>", "echo x"]);
    check("ls >&2 2>&1 >&- <&-", &["ls"]);
}

#[test]
fn directories_are_followed() {
    check("cd /; ls", &["cd /", "/: ls"]);
    check("(cd / && ls); ls", &["cd /", "/: ls", "ls"]);
    check("cd a/../b && ls; cd -; ls", &["cd a/../b", "/ws/b: ls", "/ws/b: cd -", "ls"]);
    check("pushd /; popd; pwd", &["pushd /", "/: popd", "pwd"]);
    check("cd $x; ls", &["cd $x", "?: ls"]);
    check("cd; ls; cd ~root; ls", &["cd", "/home/me: ls", "/home/me: cd ~root", "/root: ls"]);
    check("if c; then cd /; fi; ls", &["c", "cd /", "ls", "/: ls"]);
    check("rm -rf $PWD/..", &["rm -rf /ws/.."]);
    check("cd /; echo $PWD $OLDPWD", &["cd /", "/: echo / /ws"]);
}

#[test]
fn child_shells_see_what_is_exported() {
    check("x=/; bash -c 'rm $x'", &["x=/", "bash -c <rm $x>", "rm $x [shell bash]"]);
    finds("export x=/; bash -c 'rm $x'", "rm /");
    finds("x=/ bash -c 'rm $x'", "rm /");
    finds("rm() { :; }; bash -c 'rm /'", "rm /");
    finds("false && rm() { :; }; rm /", "rm /");
    finds("rm() { :; }; unset -f rm; rm /", "rm /");
    finds("rm() { :; }; command rm /", "rm /");
    finds("bash -c 'rm $1 $0' / -x", "rm -x /");
}

#[test]
fn unknown_parts_survive_nested_texts() {
    finds("bash -c \"rm -rf $x/\"", "rm -rf $x/");
    finds("echo \"rm -rf $HOME\" | sh", "rm -rf ~");
    finds("bash <<E\nrm -rf $HOME\nE", "rm -rf ~");
    finds("eval \"rm -rf '$x/'\"", "rm -rf $x/");
    finds("echo $HOME | xargs rm -rf", "rm -rf ~");
}

#[test]
fn shapes() {
    let shapes = |text: &str| read(text, &surroundings()).unwrap().shapes;
    for text in [
        ":(){ :|:& };:",
        "f(){ f|f& };f",
        "f() { f & }",
        "f(){ g|g& }; g(){ f; }; f",
        "eval 'f(){ f|f& };f'",
        "bash -c ':(){ :|: & };:'",
        "function f { f | f & }; f",
        "f(){ 'f'|\"f\"& };f",
    ] {
        assert_eq!(shapes(text), [Shape::RecursiveFunction], "{text}");
    }
    for text in [
        "while :; do x & done",
        "while true; do bash & done",
        "until false; do x & done",
        "for ((;;)); do x & done",
        "while [ 1 ]; do { x & }; done",
        "while ((1)); do x & done",
    ] {
        assert_eq!(shapes(text), [Shape::EndlessSpawn], "{text}");
    }
    for text in [
        "f() { ls | wc -l & }; f",
        "f() { [ $1 = 0 ] || f 0; }; f",
        "while read l; do x & done",
        "while :; do x & wait; done",
        "for i in 1 2; do x & done",
        "walk() { for d in *; do walk \"$d\"; done; }; walk",
    ] {
        assert_eq!(shapes(text), [], "{text}");
    }
}

#[test]
fn problems_are_named() {
    let row = |text: &str, expected: &[&str]| assert_eq!(problems(text), expected, "{text}");
    for text in [
        "echo 'a",
        "ls )",
        "ls ;; ls",
        "if x; then y",
        "; ls",
        "ls (x)",
        "&& ls",
        "ls |",
        "for",
        "case",
        "a=(b",
        "cat <<E\nx",
        "f() ls",
        "echo ${x",
        "[[ a",
        "{ ls",
    ] {
        assert_eq!(problems(text).first().map(String::as_str), Some("shell.syntax"), "{text}");
    }
    row("ls\0; curl x", &["shell.control-character"]);
    row("ls \u{1b}[2K", &["shell.control-character"]);
    row("rm -rf /\r\nls", &["shell.control-character"]);
    finds("rm -rf /\r\nls", "rm -rf /");
    row("ls \u{F0000}", &["shell.control-character"]);
    for text in [
        "git status",
        "cargo test 2>&1 | tail -50",
        "a && b || c; d &",
        "for i in 1 2; do echo $i; done",
        "[[ $x =~ ^(a|b)+$ ]]",
        "case x in a|b) c;; esac",
        "echo $((1+1)) ${x%.*} \"${y[@]}\"",
        "cat <<'E'\na\nE",
        "f() { ls; }; f",
        "if [ -f a ]; then b; elif c; then d; else e; fi",
        "while :; do ls; break; done",
        "a=(b c); echo ${a[0]}",
        "time ls",
        "! ls",
        "ls &> o",
        "x=1 y=2 z",
        "echo a#b # c",
        "find . -name '*.rs' -exec grep x {} +",
        "[[ a == b* && ( c < d || -f e ) ]]",
        "echo {a,b} } { ]",
        "((i++))",
        "select x in a; do ls; done",
        "ls 2>&1 >/dev/null",
        "for x in a\ndo\nls\ndone",
        "case $x in\n  a) ls ;;\n  b)\n    ls\n    ;;\nesac",
        "if a\nthen\nb\nfi",
        "{\n ls\n}",
        "(\nls\n)",
        "a |\n b &&\n c",
        "f()\n{\n ls\n}\nf",
        "echo \"a\nb\"",
        "function x() {\n ls\n}",
    ] {
        row(text, &[]);
    }
}

#[test]
fn what_passes_a_limit_is_a_problem_and_what_can_be_seen_counts() {
    check(&"a".repeat(65_537), &["refused shell.limit.bytes"]);
    assert_eq!(problems(&"( ".repeat(100)), ["shell.limit.depth"]);
    assert_eq!(problems(&"$(".repeat(30_000)), ["shell.limit.depth", "shell.substitution"]);
    assert_eq!(problems(&"a;".repeat(30_000)), ["shell.limit.nodes"]);
    let deep = |text: &str| format!("{}{text}{}", "( ".repeat(100), " )".repeat(100));
    let numbers = "for i in $(seq 1 10000); do echo $i; done";
    let words = format!("for i in {}/; do rm -rf $i; done", "word/{1..300} ".repeat(2));
    let rm = "rm -rf /";
    for (text, limit) in [
        (deep(rm), "shell.limit.depth"),
        (format!("{}{rm}", "a;".repeat(9_000)), "shell.limit.nodes"),
        (format!("{rm}; {}", "a;".repeat(9_000)), "shell.limit.nodes"),
        (format!("{numbers}; {rm}"), "shell.limit.time"),
        (format!("{numbers} > out; {numbers} | while read x; do {rm}; done"), "shell.limit.time"),
        (format!("for i in $(seq 1 10000); do for j in a b c; do echo $i; {rm}; done; done"), "shell.limit.time"),
        (words, "shell.limit.expansion"),
        (format!("for i in {{1..40}}x; do {} {rm}; done", "echo a{1..9}; ".repeat(60)), "shell.limit.time"),
    ] {
        let found = problems(&text);
        assert!(
            found.contains(&limit.to_owned()),
            "{limit}: {found:?} of {}",
            text.chars().take(40).collect::<String>()
        );
        finds(&text, rm);
    }
    let many = format!("{}rm -rf /", "true && ".repeat(500));
    finds(&many, "rm -rf /");
    finds(&format!("{}rm -rf /{}", "( ".repeat(40), " )".repeat(40)), "rm -rf /");
}
