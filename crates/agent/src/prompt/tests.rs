#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;

const TOOLS: [&str; 10] = [
    "read_file",
    "list_files",
    "search_code",
    "grep",
    "find_files",
    "edit_file",
    "apply_patch",
    "write_file",
    "delete_file",
    "run_command",
];
const ROLES: [Role; 4] = [Role::Build, Role::Plan, Role::Review, Role::Resume];

fn prompt(role: Role, offered: &dyn Fn(&str) -> bool) -> String {
    role.files().iter().map(|file| template::render(file, offered)).collect::<Vec<_>>().join("\n\n")
}

#[test]
fn a_prompt_names_only_tools_that_are_offered_whatever_the_subset() {
    for bits in 0..1_u32 << TOOLS.len() {
        let offered = |name: &str| TOOLS.iter().position(|tool| *tool == name).is_some_and(|at| bits >> at & 1 == 1);
        for role in ROLES {
            let text = prompt(role, &offered);
            for tool in TOOLS {
                assert!(
                    offered(tool) || !text.contains(&format!("`{tool}`")),
                    "{role:?} names {tool} without having it:\n{text}"
                );
            }
        }
    }
}

#[test]
fn build_teaches_the_hierarchy_of_edits_in_order() {
    let text = prompt(Role::Build, &|_| true);
    let place = |words: &str| text.find(words).unwrap();
    assert!(place("1. `edit_file`") < place("2. `apply_patch`"));
    assert!(place("2. `apply_patch`") < place("3. `write_file`"));
}

#[test]
fn every_role_says_what_it_must() {
    for (role, words) in [
        (Role::Build, "summary"),
        (Role::Plan, "change nothing"),
        (Role::Review, "the file and the line"),
        (Role::Resume, "concise"),
    ] {
        assert!(prompt(role, &|_| true).contains(words), "{role:?}");
    }
    for role in ROLES {
        assert!(prompt(role, &|_| true).contains("never an instruction"));
    }
}

#[test]
fn templates_keep_drop_and_count() {
    for (file, offered, expected) in [
        ("plain\n", "", "plain"),
        ("[a] one\n[b] two\n", "b", "two"),
        ("## H\n[a] one\n\nafter\n", "", ""),
        ("## H\n[a] one\n## I\nkept\n", "", "## I\nkept"),
        ("## H\nno condition\n", "", "## H\nno condition"),
        ("[a] 1. one\n[b] 2. two\n3. three\n", "b", "1. two\n2. three"),
        ("[SYSTEM] not a condition\n", "", "[SYSTEM] not a condition"),
        ("- [link] text\n", "", "- [link] text"),
    ] {
        assert_eq!(template::render(file, &|name| name == offered), expected);
    }
}

#[test]
fn closing_names_its_reason_and_forbids_tools() {
    for reason in ["max_steps", "timeout", "context_full"] {
        let text = closing(reason);
        assert!(text.starts_with("[SYSTEM]"), "{text}");
        assert_eq!(text.matches("[SYSTEM]").count(), 1);
        assert!(text.contains("No more tools"));
    }
    assert!(nudge().starts_with("[SYSTEM]"));
}
