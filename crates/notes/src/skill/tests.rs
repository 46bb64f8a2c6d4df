#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use proptest::prelude::*;

#[test]
fn no_name_leads_anywhere() {
    for name in [
        "", ".", "..", "../x", "x/..", "/x", "x/y", "x\\y", "x\0y", "x.y", "-", "a--b", "A", " ", "~", "%2e", "x ",
        "．．", "／", "․․", "a\nb",
    ] {
        assert!(
            SkillName::new(name).is_err()
                || !name.contains(['/', '.', '\\', '\0']) && SkillName::new(name).unwrap().as_str() == "x",
            "{name:?}"
        );
    }
    assert_eq!(SkillName::new("pdf-reader-2").unwrap().as_str(), "pdf-reader-2");
}

proptest! {
    #[test]
    fn what_is_a_name_is_one_plain_component(name in "\\PC{0,12}") {
        if let Ok(name) = SkillName::new(&name) {
            let name = name.as_str();
            prop_assert!(!name.is_empty() && !name.contains(['/', '\\', '.', '\0', ' ', ':']));
            prop_assert_eq!(SkillName::new(name).unwrap().to_string(), name);
        }
    }

    #[test]
    fn a_new_skill_is_valid_whatever_its_description(words in "\\PC{1,200}") {
        prop_assume!(!words.trim().is_empty());
        let name = SkillName::new("new").unwrap();
        let text = template(&name, &words);
        let reading = SkillText(&text).read("new");
        prop_assert!(words.contains("---") || reading.faults.is_empty(), "{:?}\n{}", reading.faults, text);
    }

    #[test]
    fn nothing_panics(text in "(---)?(\\PC|\n|\t| |:|-|#|\"|'|\\[|\\{){0,200}(---)?") {
        let _ = SkillText(&text).read("x");
    }
}

#[test]
fn fields_are_read_as_people_write_them() {
    let text = "---\nname: x\ndescription: |\n  Two\n  lines\nallowed-tools: [Read, Grep]\nglobs: ['*.py']\nmetadata:\n  a: 1\n---\n\nBody\n";
    let reading = SkillText(text).read("x");
    let front = reading.front.unwrap();
    let json = serde_json::json!({
        "name": "x", "description": "Two\n  lines".replace("  ", ""), "allowed-tools": "Read Grep", "metadata": {"a": "1"},
        "globs": ["*.py"],
    });
    assert_eq!(serde_json::to_value(&front).unwrap(), json);
    assert_eq!(reading.body, "Body");
    // Flow style twice and a field that the format has not: said, and the skill is usable.
    assert_eq!(reading.faults.len(), 3);
    assert!(reading.faults.iter().all(|fault| fault.grade == Grade::Unfit));
}
