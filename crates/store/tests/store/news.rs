//! What is new in a bot's sessions: what was added and what went, over copies of the database too.

use crate::home::Home;
use palanca_core::call::{BotId, Scope, SessionId};
use palanca_core::ports::{EventNumber, Extent, NewSession, Sessions as _, wait};
use palanca_store::Database;
use palanca_testkit::now;
use palanca_testkit::sessions::{new_event, new_session};

fn begin(database: &Database, (bot, workspace): (&str, &str), id: &str) {
    let scope = Scope { bot: Some(bot.into()), ..Scope::session(id.into()) };
    let session = NewSession { scope, workspace: Some(workspace.to_owned()), ..new_session(id) };
    now(database).begin(&session).unwrap();
    add(database, id, 0);
}

fn add(database: &Database, id: &str, after: u64) {
    now(database).append(&SessionId::new(id), EventNumber(after), &[new_event(after + 1, "said")], None).unwrap();
}

fn remove(database: &Database, id: &str) {
    wait(database.remove(&SessionId::new(id))).unwrap();
}

/// Whoever asks for what is new of ana in `/w` again and again.
#[derive(Default)]
struct Reader(Option<String>);

impl Reader {
    /// How many sessions were looked at, and which were told, with their last events.
    fn news(&mut self, database: &Database) -> (Extent, Vec<(String, u64)>) {
        let news = database.session_news("/w", &BotId::new("ana"), self.0.as_deref()).unwrap();
        self.0 = Some(news.mark);
        let mut told: Vec<_> =
            news.conversations.into_iter().map(|one| (one.session.to_string(), one.last.0)).collect();
        told.sort();
        (news.extent, told)
    }
}

fn told(all: &[(&str, u64)]) -> Vec<(String, u64)> {
    all.iter().map(|(id, last)| ((*id).to_owned(), *last)).collect()
}

#[test]
fn what_is_new_is_told_once_and_what_is_gone_has_all_told_again() {
    let (home, mut reader) = (Home::new(), Reader::default());
    let database = &*home.database();
    assert_eq!(reader.news(database), (Extent::All, vec![]));
    assert!(!home.state().exists(), "nobody kept anything");
    for (owner, id) in [(("ana", "/w"), "a"), (("ana", "/w"), "b"), (("eva", "/w"), "c"), (("ana", "/other"), "d")] {
        begin(database, owner, id);
    }
    assert_eq!(reader.news(database), (Extent::All, told(&[("a", 1), ("b", 1)])));
    assert_eq!(reader.news(database), (Extent::Changed, vec![]));
    for id in ["b", "c", "d"] {
        add(database, id, 1);
    }
    assert_eq!(reader.news(database), (Extent::Changed, told(&[("b", 2)])));
    // The last event of all, then one in the middle, then the row that keeps the last place.
    for (gone, left) in [("d", vec![("a", 1), ("b", 2)]), ("a", vec![("b", 2)])] {
        remove(database, gone);
        assert_eq!(reader.news(database), (Extent::All, told(&left)));
        assert_eq!(reader.news(database), (Extent::Changed, vec![]));
    }
    add(database, "b", 2);
    remove(database, "c");
    assert_eq!(reader.news(database), (Extent::All, told(&[("b", 3)])));
}

#[test]
fn a_database_that_was_put_back_from_a_copy_is_read_anew() {
    let (home, mut reader) = (Home::new(), Reader::default());
    let (before, after) = (home.fresh(), home.fresh());
    begin(&before, ("ana", "/w"), "a");
    add(&before, "a", 1);
    reader.news(&before);
    // As many events, other ones.
    begin(&after, ("ana", "/w"), "a");
    begin(&after, ("ana", "/w"), "b");
    assert_eq!(reader.news(&after), (Extent::All, told(&[("a", 1), ("b", 1)])));
    assert_eq!(reader.news(&after), (Extent::Changed, vec![]));
}
