//! Goals are edited, and what people wrote survives.

use super::*;
use jiff::civil::date;

fn change(action: GoalAction, goal: &str) -> GoalChange {
    GoalChange { action, goal: Some(goal.to_owned()), status: None, priority: None, notes: None, outcome: None }
}

fn done(before: &str, change: &GoalChange) -> String {
    change.of(Some(before), date(2026, 11, 28)).unwrap().0
}

fn refused(before: &str, change: &GoalChange) -> String {
    change.of(Some(before), date(2026, 11, 28)).unwrap_err().message().to_string()
}

#[test]
fn a_goal_is_added_updated_and_completed() {
    let one = change(GoalAction::Add, "learn Basque").of(None, date(2026, 11, 28)).unwrap().0;
    let expected =
        "## Active Goals\n- [ ] learn Basque\n  - status: pending\n  - priority: medium\n\n## Completed\n(none yet)\n";
    assert_eq!(one, expected);
    let update = GoalChange {
        status: Some(Status::InProgress),
        notes: Some("lesson 3".to_owned()),
        ..change(GoalAction::Update, "BASQUE")
    };
    let two = done(&one, &update);
    let fields = "- [ ] learn Basque\n  - status: in_progress\n  - priority: medium\n  - notes: lesson 3\n\n";
    assert!(two.contains(fields), "{two}");
    let complete = GoalChange { outcome: Some("can order tea".to_owned()), ..change(GoalAction::Complete, "1") };
    assert_eq!(
        done(&two, &complete),
        "## Active Goals\n(no active goals)\n\n## Completed\n- [x] learn Basque\n  - completed: 2026-11-28\n  - outcome: can order tea\n"
    );
}

#[test]
fn what_people_wrote_survives() {
    let before = "# Ana's goals\n\nBe kind.\n\n## Active Goals\n\n- [ ] one\n  - owner: Ana\n  - status: pending\n    more of it\n\
                  - [ ] two\n\nA remark.\n\n## Ideas\n- [ ] three\n\n## Completed\n- [x] zero\n";
    let after = done(before, &GoalChange { priority: Some(Priority::High), ..change(GoalAction::Update, "one") });
    assert_eq!(after, before.replace("    more of it\n", "    more of it\n  - priority: high\n"));
    let completed = done(before, &change(GoalAction::Complete, "two"));
    assert_eq!(
        completed,
        before.replace("- [ ] two\n", "").replace("- [x] zero\n", "- [x] zero\n- [x] two\n  - completed: 2026-11-28\n")
    );
    assert!(
        refused(before, &change(GoalAction::Complete, "three")).contains("goals-none"),
        "an idea is no active goal"
    );
}

#[test]
fn who_means_two_goals_or_none_is_told_of_them() {
    let before = "## Active Goals\n- [ ] read a book\n- [ ] read a paper\n- [ ] read\n";
    let several = refused(before, &change(GoalAction::Complete, "read a"));
    assert!(several.contains("goals-several") && several.contains("read a book; read a paper"), "{several}");
    let none = refused(before, &change(GoalAction::Complete, "swim"));
    assert!(none.contains("read a book; read a paper; read"), "{none}");
    assert!(done(before, &change(GoalAction::Complete, "Read")).contains("- [x] read\n"), "its whole name");
    for wrong in ["", "  ", "a\n- [ ] b"] {
        assert!(change(GoalAction::Add, wrong).of(None, date(2026, 11, 28)).is_err(), "{wrong:?}");
    }
    assert!(refused(before, &change(GoalAction::Update, "1")).contains("soul-missing"));
}

#[test]
fn the_last_ten_completed_are_kept() {
    let mut text = String::new();
    for number in 0..12 {
        text = done(&text, &change(GoalAction::Add, &format!("goal {number:02}")));
        text = done(&text, &change(GoalAction::Complete, &format!("goal {number:02}")));
    }
    assert_eq!(text.matches("- [x]").count(), 10);
    assert!(!text.contains("goal 01") && text.contains("goal 02") && text.contains("goal 11"), "{text}");
}
