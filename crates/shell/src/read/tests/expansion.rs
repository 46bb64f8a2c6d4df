use super::*;

#[test]
fn quotes_and_escapes() {
    for text in [
        "rm -rf /",
        "r\\m -rf \\/",
        "'rm' \"-rf\" /",
        "\"r\"'m' -r\"f\" ''/",
        "$'\\x72m' $'-r\\146' $'\\u002f'",
        "$\"rm\" -rf /",
        "r\\\nm -rf /",
        "rm\t-rf \\\n /",
        "'r''m' -rf \"/\"",
        "$'\\162\\155' -rf /",
        "$'r\\x6d' -rf $'/\\0etc'",
        "rm -rf / # rf",
        "\\rm -rf /",
    ] {
        check(text, &["rm -rf /"]);
    }
    check("echo 'a b' \"a  b\" a\\ b ''", &["echo <a b> <a  b> <a b> <>"]);
    check("echo \"\\$x \\a\" '\\n' $'\\n\\t'", &["echo <$x \\a> \\n <\\n\\t>"]);
}

#[test]
fn braces() {
    check("{rm,-rf,/}", &["rm -rf /"]);
    check("echo a{b,c{d,e}}f {1..3} {03..1} {a..c} {1..7..3}", &["echo abf acdf acef 1 2 3 03 02 01 a b c 1 4 7"]);
    check("echo {a} {} '{a,b}' {a,b {a..} \"{a,b}\"", &["echo {a} {} {a,b} {a,b {a..} {a,b}"]);
    check("rm -rf /{bin,etc}", &["rm -rf /bin /etc"]);
    assert_eq!(problems(&format!("echo {}", "{a,b}".repeat(15))), ["shell.limit.time"]);
}

#[test]
fn variables() {
    check("x=/; rm -rf $x", &["x=/", "rm -rf /"]);
    check("a=-rf b='/ /etc'; rm $a $b", &["a=-rf b=</ /etc>", "rm -rf / /etc"]);
    check("rm -rf \"$x/\" $y", &["rm -rf $x/ $y"]);
    check("unset x; rm -rf $x/", &["unset x", "rm -rf /"]);
    check("p=r s=m; $p$s -rf /", &["p=r s=m", "rm -rf /"]);
    check("x=r; x+=m; $x /", &["x=r", "x=m", "rm /"]);
    check("zw=rm; zr=zw; ${!zr} /", &["zw=rm", "zr=zw", "rm /"]);
    check("declare -n r=y; y=rm; $r /", &["declare -n r=y", "y=rm", "rm /"]);
    check("a=(rm -rf /); ${a[0]} \"${a[@]:1}\" ${#a[@]}", &["a=<rm -rf />", "rm -rf / 3"]);
    check("a[1]=/; a[0]=rm; \"${a[@]}\"", &["a=/", "a=rm", "rm /"]);
    check("IFS=,; x=rm,-rf,/; $x", &["IFS=,", "x=rm,-rf,/", "rm -rf /"]);
    check("$x rm -rf /", &["rm -rf /", "$x rm -rf /"]);
}

#[test]
fn operators() {
    let row = |text: &str, expected: &str| finds(&format!("x=abcabc; e=; echo {text}"), &format!("echo {expected}"));
    for (text, expected) in [
        ("${x#a}", "bcabc"),
        ("${x#*b}", "cabc"),
        ("${x##*b}", "c"),
        ("${x%c*}", "abcab"),
        ("${x%%b*}", "a"),
        ("${x/b/X}", "aXcabc"),
        ("${x//b/X}", "aXcaXc"),
        ("${x//[bc]}", "aa"),
        ("${x/#a/X}", "Xbcabc"),
        ("${x/%c/X}", "abcabX"),
        ("${x^}${x^^}", "AbcabcABCABC"),
        ("${x^^[ab]}", "ABcABc"),
        ("${x:1:2}${x: -2}${x:(-1)}", "bcbcc"),
        ("${#x}", "6"),
        ("${x:+y}${e:+n}${e:-d}${e-n}", "yd"),
        ("${e:=z}$e", "zz"),
        ("${x@U}${x@Q}", "ABCABC'abcabc'"),
        ("$((1+2*3)),$[7/2],$((2**10)),$((0x1f))", "7,3,1024,31"),
        // Only sums are computed.
        ("$((1?2:3)),$((1<2))", "$?,$?"),
    ] {
        row(text, expected);
    }
    finds("x=RM; ${x,,} -rf /", "rm -rf /");
    finds("${PATH:0:1}bin${PATH:0:1}rm /", "/bin/rm /");
    finds("rm -rf ${HOME%%[!/]*}", "rm -rf /");
    finds("${nope:-rm} -rf /", "rm -rf /");
    finds("rm${IFS}-rf${IFS%??}/", "rm -rf /");
}

#[test]
fn what_is_not_known_stays_unknown() {
    check("echo ~ ~root/x a~ \"~\" $HOME ${HOME}/y", &["echo ~ ~root/x a~ ~ ~ ~/y"]);
    check("ls *.rs [a-c]x 'a*' a[b", &["ls {*}.rs {[a-c]}x a* a[b"]);
    finds("rm -rf \"$(mktemp -d)\"", "rm -rf $(program)");
    finds("rm -rf $(curl x)", "rm -rf $(network)");
}

#[test]
fn outputs_are_folded() {
    finds("$(echo rm) -rf /", "rm -rf /");
    finds("`echo rm` -rf `printf /`", "rm -rf /");
    finds("x=$(printf 'r%s' m); $x -rf /", "rm -rf /");
    finds("$(rev <<< mr) -rf /", "rm -rf /");
    finds("$(f() { echo rm; }; f) -rf /", "rm -rf /");
    finds("$(if true; then echo rm; fi) -rf /", "rm -rf /");
    finds("$(bash -c 'echo rm') -rf /", "rm -rf /");
    finds("rm -rf \"$(echo $HOME)\"", "rm -rf ~");
}

#[test]
fn substitutions_run_wherever_they_stand() {
    for text in [
        "echo \"$(X)\"",
        ": ${a:-$(X)}",
        "echo ${a[$(X)]}",
        "echo $((1 + $(X)))",
        "a=$(X)",
        "export A=$(X)",
        "for i in $(X); do :; done",
        "cat <<E\n$(X)\nE",
        "cat <<< $(X)",
        "diff <(X) b",
        "case $(X) in a) ;; esac",
        "[[ -n $(X) ]]",
        "ls > $(X)",
        "a=($(X))",
        "a[$(X)]=1",
        "echo ${a/$(X)/b}",
        "echo ${a:$(X)}",
        "echo `X`",
        "((a=$(X)))",
        "x='a[$(X)]'; echo $((x))",
        "x='a[$(X)]'; [[ $x -eq 1 ]]",
        "declare -i n='a[$(X)]'",
        "let 'a[$(X)]=1'",
        "test -v 'a[$(X)]'",
        "y='$(X)'; echo ${y@P}",
        "PS4='$(X)' bash -x y",
        "echo \"${a:+`X`}\"",
        "for ((i=$(X);;)); do :; done",
        "unset 'a[$(X)]'",
        "echo $[$(X)]",
        "echo ${ X; }",
    ] {
        let text = text.replace('X', "rm -rf /");
        finds(&text, "rm -rf /");
        assert!(problems(&text).contains(&"shell.substitution".to_owned()), "{text}");
    }
    for text in
        ["echo '$(rm -rf /)'", "echo \"\\$(rm -rf /)\"", "cat <<'E'\n$(rm -rf /)\nE", "cat <<\\E\n`rm -rf /`\nE"]
    {
        assert_eq!(lines(text).len(), 1, "{text}");
        assert_eq!(problems(text), Vec::<String>::new(), "{text}");
    }
}
