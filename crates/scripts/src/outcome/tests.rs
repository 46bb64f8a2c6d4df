use super::*;

#[test]
fn documented_results_are_used_as_they_are() {
    for (text, success, content) in [
        ("plain\n", true, "plain"),
        ("", true, NOTHING),
        ("\n", true, NOTHING),
        (r#"{"success":true,"content":"yes"}"#, true, "yes"),
        (r#"{"success":false,"content":"no","more":1}"#, false, "no"),
        (r#"{"success":true,"content":{"b":1,"a":[2]}}"#, true, r#"{"b":1,"a":[2]}"#),
        (r#"{"success":true,"content":null}"#, true, "null"),
        (r#"{"success":"yes","content":"x"}"#, true, r#"{"success":"yes","content":"x"}"#),
        (r#"{ "a": 1 }"#, true, r#"{"a":1}"#),
        ("[1, 2]", true, "[1,2]"),
        ("12345678901234567890123", true, "12345678901234567890123"),
        ("007", true, "007"),
        ("{broken", true, "{broken"),
    ] {
        let outcome = Outcome::of(text, String::new());
        assert_eq!((outcome.success, outcome.content.as_str()), (success, content), "{text}");
    }
    let deep = "[".repeat(10_000);
    assert_eq!(Outcome::of(&deep, String::new()).content, deep);
}
