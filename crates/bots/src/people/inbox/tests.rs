#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, clippy::indexing_slicing, missing_docs)]
use super::*;
use palanca_channels::{Addressed, Audience, Person};

fn heard(number: i64) -> Heard {
    Heard {
        number,
        chat: "7".into(),
        audience: Audience::Private,
        from: Person::default(),
        text: format!("words {number}"),
        addressed: Addressed::ToMe,
        forwarded: None,
        files: Vec::new(),
        album: None,
        exchange: None,
    }
}

fn path(state: &tempfile::TempDir) -> std::path::PathBuf {
    state.path().join("chats/x-1.jsonl")
}

#[test]
fn what_has_come_in_is_kept_once_until_it_is_answered() {
    let state = tempfile::tempdir().unwrap();
    let open = || Inbox::open(Some(state.path()), "x-1").unwrap();
    let inbox = open();
    assert_eq!(inbox.take(&[4, 5, 6], vec![heard(5), heard(6)]).unwrap(), [heard(5), heard(6)]);
    // Killed before the messenger knew.
    let inbox = open();
    assert_eq!(inbox.take(&[4, 5, 6, 7], vec![heard(5), heard(6), heard(7)]).unwrap(), [heard(7)]);
    assert!(!inbox.is_new(4) && inbox.is_new(8));
    inbox.done(&[5, 7]).unwrap();
    assert_eq!(open().waiting(), [heard(6)]);
    // Numbers may begin anywhere after a quiet week.
    assert_eq!(inbox.take(&[2], vec![heard(2)]).unwrap(), [heard(2)]);
}

#[test]
fn a_damaged_file_is_left_as_it_is() {
    let state = tempfile::tempdir().unwrap();
    Inbox::open(Some(state.path()), "x-1").unwrap().take(&[1], vec![heard(1)]).unwrap();
    let damaged = format!("{{\n{}", std::fs::read_to_string(path(&state)).unwrap());
    std::fs::write(path(&state), &damaged).unwrap();
    let error = Inbox::open(Some(state.path()), "x-1").err().unwrap().to_string();
    assert!(error.contains("line 1 of") && error.contains("x-1.jsonl"), "{error}");
    assert_eq!(std::fs::read_to_string(path(&state)).unwrap(), damaged);
}

#[test]
fn a_line_that_was_being_written_costs_nothing_that_had_arrived() {
    let state = tempfile::tempdir().unwrap();
    let open = || Inbox::open(Some(state.path()), "x-1").unwrap();
    open().take(&[1], vec![heard(1)]).unwrap();
    let whole = std::fs::read(path(&state)).unwrap();
    open().take(&[2, 3], vec![heard(2), heard(3)]).unwrap();
    let longer = std::fs::read(path(&state)).unwrap();
    for torn in whole.len()..longer.len() {
        std::fs::write(path(&state), &longer[..torn]).unwrap();
        let inbox = open();
        assert_eq!(inbox.waiting(), [heard(1)], "{torn}");
        // It is delivered again.
        assert_eq!(inbox.take(&[2, 3], vec![heard(2), heard(3)]).unwrap().len(), 2);
        inbox.done(&[1]).unwrap();
        assert_eq!(open().waiting(), [heard(2), heard(3)]);
    }
}

#[test]
fn the_log_is_written_anew_when_most_of_it_is_over() {
    let state = tempfile::tempdir().unwrap();
    let open = || Inbox::open(Some(state.path()), "x-1").unwrap();
    let inbox = open();
    inbox.take(&[1], vec![heard(1)]).unwrap();
    let mut longest = 0;
    for number in 2..700 {
        inbox.take(&[number], vec![heard(number)]).unwrap();
        inbox.done(&[number]).unwrap();
        longest = longest.max(std::fs::read_to_string(path(&state)).unwrap().lines().count());
    }
    assert!(longest <= OVER + 10, "{longest}");
    let inbox = open();
    assert_eq!(inbox.waiting(), [heard(1)]);
    assert!(!inbox.is_new(699) && !inbox.is_new(699 - 200));
}

#[test]
fn so_much_waits_and_no_more() {
    let mut inbox = Inbox::open(None, "x-1").unwrap();
    inbox.most = 2;
    inbox.take(&[1, 2], vec![heard(1), heard(2)]).unwrap();
    assert!(inbox.is_full());
    inbox.done(&[1]).unwrap();
    assert!(!inbox.is_full());
}

#[test]
fn a_chat_has_a_share_of_it_and_no_more() {
    let state = tempfile::tempdir().unwrap();
    let open = || {
        let mut inbox = Inbox::open(Some(state.path()), "x-1").unwrap();
        inbox.most = 30;
        inbox
    };
    let (flooded, other) = ("7".into(), "8".into());
    let inbox = open();
    assert_eq!((inbox.share(), inbox.room(&flooded)), (3, 3));
    inbox.take(&[1, 2, 3], vec![heard(1), heard(2), heard(3)]).unwrap();
    assert_eq!((inbox.room(&flooded), inbox.room(&other)), (0, 3));
    // It counts over a kill, too.
    let inbox = open();
    inbox.done(&[2, 2, 9]).unwrap();
    assert_eq!(inbox.room(&flooded), 1);
    inbox.done(&[1, 3]).unwrap();
    assert_eq!((inbox.room(&flooded), inbox.kept.lock().of_chats.len()), (3, 0));
}
