//! Runs of jobs: taken once, by whom, and what they say.

use crate::home::Home;
use palanca_store::{JobClaim, JobEnd, JobInbox, JobKey, JobMark, JobState, JobWords};

fn key(bot: &str, job: &str, due_ms: i64) -> JobKey {
    JobKey { workspace: "/w".to_owned(), bot: bot.to_owned(), job: job.to_owned(), due_ms }
}

fn says(text: &str) -> JobEnd {
    let words =
        JobWords { channel: "terminal".to_owned(), chat: "operator".to_owned(), text: text.to_owned(), foreign: false };
    JobEnd { state: JobState::Ok, error: None, session: None, says: Some(words) }
}

#[test]
fn a_moment_is_settled_once_and_says_its_words_once() {
    let home = Home::new();
    let (one, two) = (home.database(), home.database());
    assert!(one.settle_job(&key("ana", "j", 1), "tea", &says("Tea")).unwrap());
    assert!(!two.settle_job(&key("ana", "j", 1), "tea", &says("Tea")).unwrap());
    for other in [key("ana", "j", 2), key("ana", "j_", 1), key("an", "j", 1), key("ana%", "j", 1)] {
        assert!(two.settle_job(&other, "tea", &says("Tea")).unwrap(), "{other:?}");
    }
    let open = |bot: &str| one.job_messages("/w", bot, JobInbox::Undelivered).unwrap();
    let unseen = |chat: &str| one.job_messages("/w", "ana", JobInbox::Unseen("terminal", chat)).unwrap().len();
    let first = open("ana").remove(0);
    assert_eq!((open("ana").len(), open("an").len(), unseen("operator"), unseen("operato_")), (3, 1, 3, 0));
    one.mark_job_message(first.id, JobMark::Delivered).unwrap();
    assert_eq!((open("ana").len(), unseen("operator")), (2, 3));
    one.mark_job_message(first.id, JobMark::Shown).unwrap();
    assert_eq!((open("ana").len(), unseen("operator")), (2, 2));
}

#[test]
fn what_takes_time_is_one_process_s_until_it_dies() {
    let home = Home::new();
    let (one, two) = (home.database(), home.database());
    let (mine, theirs) = (one.job_owner().unwrap(), two.job_owner().unwrap());
    let run = key("ana", "j", 1);
    assert_eq!(one.claim_job(&run, "sum", &mine).unwrap(), JobClaim::Mine(1));
    assert_eq!(one.claim_job(&run, "sum", &mine).unwrap(), JobClaim::Taken, "it works on it");
    assert_eq!(two.claim_job(&run, "sum", &theirs).unwrap(), JobClaim::Taken);
    assert!(!two.end_job(&run, "sum", &theirs, &says("never")).unwrap());
    // As when its process dies.
    drop(mine);
    let again = one.job_owner().unwrap();
    assert_eq!(two.claim_job(&run, "sum", &theirs).unwrap(), JobClaim::Mine(2));
    assert_eq!(one.claim_job(&run, "sum", &again).unwrap(), JobClaim::Taken);
    let failed = JobEnd {
        state: JobState::Error,
        error: Some("no model".to_owned()),
        session: Some("s".to_owned()),
        says: None,
    };
    assert!(
        two.end_job(&run, "sum", &theirs, &failed).unwrap() && !two.end_job(&run, "sum", &theirs, &failed).unwrap()
    );
    assert_eq!(one.claim_job(&run, "sum", &again).unwrap(), JobClaim::Over(Some("no model".to_owned())));
    let runs = one.job_runs("/w", None, Some("SUM"), 9).unwrap();
    assert_eq!((runs.len(), runs[0].attempt, &*runs[0].state, runs[0].session.as_deref()), (1, 2, "error", Some("s")));
    assert!(one.job_runs("/w", Some("an"), None, 9).unwrap().is_empty());
    assert!(one.job_messages("/w", "ana", JobInbox::Undelivered).unwrap().is_empty());
}

/// Many threads with connections of their own: one is first.
#[test]
fn of_many_one_is_first() {
    let home = Home::new();
    home.database().settle_job(&key("ana", "warm", 0), "x", &says("x")).unwrap();
    for due in 1..20 {
        let first = std::thread::scope(|scope| {
            let all: Vec<_> = (0..8)
                .map(|_| {
                    let database = home.database();
                    scope.spawn(move || database.settle_job(&key("ana", "j", due), "x", &says("x")).unwrap())
                })
                .collect();
            all.into_iter().map(|one| u32::from(one.join().unwrap())).sum::<u32>()
        });
        assert_eq!(first, 1, "{due}");
    }
}
