use super::*;
use proptest::prelude::*;
use serde_json::json;

fn read(source: &str) -> Result<Template, Message> {
    let kinds = json!({
        "a": {"type": "string"}, "b": {"type": "string"}, "n": {"type": "integer"}, "x": {"type": "number"},
        "f": {"type": "string", "format": "workspace-path"}, "e": {"type": "string", "enum": ["one", "two"]},
        "d": {"type": "string", "default": "usual"}, "l": {"type": "array"}, "y": {"type": "boolean"},
    });
    Template::read(source, &Parameters::read(&kinds).unwrap())
}

fn call(source: &str, arguments: Value) -> Result<String, &'static str> {
    let template = read(source).map_err(|error| error.key())?;
    template.render(arguments.as_object().unwrap()).map_err(|error| error.key())
}

/// The arguments of the only command, as the reader sees them.
fn argv(text: &str) -> Vec<String> {
    let read = commands(&judged(text));
    assert_eq!(read.len(), 1, "{text}");
    read[0].words.iter().map(|word| word.literal().unwrap().to_owned()).collect()
}

#[test]
fn a_value_is_one_argument() {
    for (source, arguments, expected) in [
        ("echo {{a}}", json!({"a": ""}), vec!["echo", ""]),
        ("echo {{ a }}", json!({"a": "x"}), vec!["echo", "x"]),
        ("echo pre{{a}}post", json!({"a": "1 2"}), vec!["echo", "pre1 2post"]),
        ("echo \"{{a}}\"", json!({"a": "$(id)\""}), vec!["echo", "$(id)\""]),
        ("echo '{{a}}'", json!({"a": "'; id; '"}), vec!["echo", "'; id; '"]),
        ("echo \"it is {{a}} and {{b}}\"", json!({"a": "`x`", "b": "\\"}), vec!["echo", "it is `x` and \\"]),
        ("grep -e {{a}} -- {{b}}", json!({"a": "x", "b": "-f"}), vec!["grep", "-e", "x", "--", "-f"]),
        ("grep --regexp={{a}} notes", json!({"a": "-x"}), vec!["grep", "--regexp=-x", "notes"]),
        (
            "echo {{n}} {{x}} {{y}} {{d}}",
            json!({"n": -3, "x": 1.5, "y": true}),
            vec!["echo", "-3", "1.5", "true", "usual"],
        ),
        ("echo {{a}} {{b}}", json!({"a": "{{b}}", "b": "x"}), vec!["echo", "{{b}}", "x"]),
        ("echo {{a}}{{b}}", json!({"a": "1", "b": "2"}), vec!["echo", "12"]),
        ("timeout 5 cat {{f}}", json!({"f": "notes/a b.md"}), vec!["cat", "notes/a b.md"]),
        ("printf %s {{a}}", json!({"a": "-x"}), vec!["printf", "%s", "-x"]),
    ] {
        assert_eq!(argv(&call(source, arguments).unwrap()), expected, "{source}");
    }
    assert_eq!(call("printf %s {{a}} | wc -w", json!({"a": "a | b"})).unwrap(), "printf %s 'a | b' | wc -w");
    assert_eq!(call("ls", json!({})).unwrap(), "ls");
}

#[test]
fn a_hole_stands_only_where_arguments_stand() {
    for (source, key) in [
        ("{{a}} file", "dynamic-hole-program"),
        ("{{a}}/bin/x", "dynamic-hole-program"),
        ("ls; {{a}}", "dynamic-hole-program"),
        ("xargs {{a}}", "dynamic-hole-program"),
        ("env {{a}}", "dynamic-hole-program"),
        ("sh -c {{a}}", "dynamic-hole-program"),
        ("sh -c 'echo {{a}}'", "dynamic-hole-place"),
        ("bash -c \"echo '{{a}}'\"", "dynamic-hole-place"),
        ("eval echo {{a}}", "dynamic-hole-place"),
        ("echo x > {{a}}", "dynamic-hole-place"),
        ("cat < {{a}}", "dynamic-hole-place"),
        ("cat <<EOF\n{{a}}\nEOF", "dynamic-hole-place"),
        ("[[ {{a}} -eq 1 ]]", "dynamic-hole-place"),
        ("(( {{n}} ))", "dynamic-hole-place"),
        ("echo $(( {{n}} ))", "dynamic-hole-place"),
        ("echo $(cat {{a}})", "dynamic-hole-place"),
        ("echo \"$(cat {{a}})\"", "dynamic-hole-place"),
        ("echo `cat {{a}}`", "dynamic-hole-place"),
        ("X={{a}} env", "dynamic-hole-place"),
        ("X={{a}}; echo $X", "dynamic-hole-place"),
        ("for f in {{a}}; do cat $f; done", "dynamic-hole-place"),
        ("f() { echo $1; }; f {{a}}", "dynamic-hole-place"),
        ("echo ok # {{a}}", "dynamic-hole-place"),
        ("case {{a}} in x) ls;; esac", "dynamic-hole-place"),
        ("echo ${X:-{{a}}}", "dynamic-hole-place"),
        ("echo \"${X:-{{a}}}\"", "dynamic-hole-place"),
        ("echo $'{{a}}'", "dynamic-hole-place"),
        ("echo {{a", "dynamic-hole-malformed"),
        ("echo {{a}", "dynamic-hole-malformed"),
        ("echo {{a.b}}", "dynamic-hole-malformed"),
        ("echo {{.*}}", "dynamic-hole-malformed"),
        ("echo {{_botId}}", "dynamic-hole-malformed"),
        ("echo {{}}", "dynamic-hole-malformed"),
        ("echo {{c}}", "dynamic-hole-unknown"),
        ("echo {{l}}", "dynamic-hole-kind"),
        ("echo 'x", "dynamic-template-syntax"),
        ("if ls; then", "dynamic-template-syntax"),
        (" \n", "dynamic-missing"),
    ] {
        assert_eq!(read(source).map_err(|error| error.key().to_owned()).err().as_deref(), Some(key), "{source}");
    }
}

#[test]
fn values_are_of_their_parameters() {
    for (source, arguments, key) in [
        ("echo {{a}}", json!({}), "dynamic-value-missing"),
        ("echo {{a}}", json!({"a": null}), "dynamic-value-missing"),
        ("echo {{a}}", json!({"a": {"x": 1}}), "dynamic-value-invalid"),
        ("echo {{n}}", json!({"n": "1; id"}), "dynamic-value-invalid"),
        ("echo {{n}}", json!({"n": 1.5}), "dynamic-value-invalid"),
        ("echo {{x}}", json!({"x": "Infinity"}), "dynamic-value-invalid"),
        ("echo {{e}}", json!({"e": "three"}), "dynamic-value-invalid"),
        ("echo {{a}}", json!({"a": "a\u{0}b"}), "dynamic-value-invalid"),
        ("cat {{f}}", json!({"f": "/etc/passwd"}), "dynamic-value-invalid"),
        ("cat {{f}}", json!({"f": "a/../../b"}), "dynamic-value-invalid"),
        ("cat {{f}}", json!({"f": "-"}), "dynamic-value-invalid"),
        ("grep {{a}} file", json!({"a": "-f/etc/passwd"}), "dynamic-value-option"),
        ("find {{a}} -name x", json!({"a": "-delete"}), "dynamic-value-option"),
        ("timeout 5 sort {{a}}", json!({"a": "--compress-program=./x"}), "dynamic-value-option"),
        ("echo {{a}}", json!({"a": "x".repeat(60_000)}), "dynamic-value-long"),
    ] {
        assert_eq!(call(source, arguments.clone()), Err(key), "{source} {arguments}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn whatever_is_in_a_value_it_is_one_argument(a in ".{0,60}", b in "[ '\"\\\\$`;|&<>(){}*?~#!\n-]{0,20}") {
        for source in ["cat -- {{a}} {{b}}", "cat -- '{{a}}' \"{{b}}\"", "cat -- x{{a}}y \"$HOME\" z'{{b}}'"] {
            let Ok(text) = call(source, json!({"a": a, "b": b})) else { continue };
            let words = commands(&judged(&text)).remove(0).words;
            let literal = |at: usize| words[at].literal().unwrap().to_owned();
            let last = words.len() - 1;
            match source {
                _ if source.contains("HOME") => prop_assert_eq!((literal(2), literal(last)), (format!("x{a}y"), format!("z{b}"))),
                _ => prop_assert_eq!((literal(2), literal(last)), (a.clone(), b.clone())),
            }
        }
    }

    #[test]
    fn no_template_panics(source in "[a-z {}'\"$();|&<>=\n#!-]{0,40}") {
        let _ = read(&source);
        let _ = read(&format!("{source}{{{{a}}}}{source}"));
    }
}
