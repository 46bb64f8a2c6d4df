//! Scripts in processes of their own. `main` is ours, because the sandbox starts this program again as its helper, and the
//! helper starts it as the process of a script.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    missing_docs
)]

mod bench;
mod corpus;
mod escapes;
mod forms;
mod limits;
mod peers;
mod programs;
mod requests;
mod spares;

use libtest_mimic::{Arguments, Trial};
use std::fs::File;
use std::process::ExitCode;
use std::sync::{PoisonError, RwLock};

/// Tests by their names.
macro_rules! tests {
    ($($room:ident::$test:ident),* $(,)?) => {
        [$((concat!(stringify!($room), "::", stringify!($test)), $room::$test as fn())),*]
    };
}

const TESTS: &[(&str, fn())] = &tests![
    forms::both_forms_give_their_result,
    forms::results_are_text_or_json,
    forms::errors_say_where,
    forms::what_cannot_be_read_says_where,
    forms::nothing_is_run_to_check,
    limits::what_does_not_end_is_ended,
    limits::what_ends_badly_says_why,
    requests::what_is_permitted_is_asked_for,
    requests::what_is_not_permitted_reaches_nobody,
    requests::many_at_once_keep_their_own_answers,
    requests::time_in_which_it_waits_does_not_count,
    escapes::none_of_the_ways_out_is_open,
    escapes::the_world_that_it_bends_is_its_own,
    corpus::every_row_is_contained,
    programs::they_print_what_node_prints,
];

/// They look for the processes of scripts: no other test runs meanwhile.
const ALONE: &[(&str, fn())] = &tests![
    limits::who_is_cancelled_leaves_nothing,
    spares::one_waits_and_serves_one_script,
    spares::it_is_used_with_its_own_limits_only,
    spares::it_ends_with_its_runtime_or_its_engine,
    spares::it_does_not_wait_for_ever,
    escapes::its_process_can_open_nothing,
];

/// With others' programs: `cargo xtask peers`.
const PEERS: &[(&str, fn())] = &tests![peers::node_prints_what_is_committed];

fn main() -> ExitCode {
    palanca_sandbox::enter();
    palanca_scripts::enter();
    let words: Vec<_> = std::env::args().collect();
    if let [_, word, path] = &words[..]
        && word == "--try"
    {
        bench::try_out(path);
        return ExitCode::SUCCESS;
    }
    let arguments = Arguments::from_args();
    // Two runs of this program would find each other's scripts; peers start none.
    let own = File::open(std::env::current_exe().unwrap()).unwrap();
    if !(arguments.list || arguments.ignored) {
        own.lock().unwrap();
    }
    let beside = TESTS.iter().map(|test| trial(test, Turn::Beside));
    let alone = ALONE.iter().map(|test| trial(test, Turn::Alone));
    let peers = PEERS.iter().map(|peer| trial(peer, Turn::Beside).with_ignored_flag(true));
    libtest_mimic::run(&arguments, beside.chain(alone).chain(peers).collect()).exit_code()
}

#[derive(Clone, Copy)]
enum Turn {
    Beside,
    Alone,
}

fn trial(&(name, test): &(&'static str, fn()), turn: Turn) -> Trial {
    static TURNS: RwLock<()> = RwLock::new(());
    Trial::test(name, move || {
        // What panicked has let go of everything.
        let (_beside, _alone);
        match turn {
            Turn::Beside => _beside = TURNS.read().unwrap_or_else(PoisonError::into_inner),
            Turn::Alone => _alone = TURNS.write().unwrap_or_else(PoisonError::into_inner),
        }
        test();
        Ok(())
    })
}
