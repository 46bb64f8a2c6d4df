//! Many bots in one process. `main` is ours, because the sandbox starts this program again as its helper.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    missing_docs
)]

mod apart;
mod chats;
mod house;

use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;

/// Tests by their names.
macro_rules! tests {
    ($($room:ident::$test:ident),* $(,)?) => {
        [$((concat!(stringify!($room), "::", stringify!($test)), $room::$test as fn())),*]
    };
}

const TESTS: &[(&str, fn())] = &tests![
    apart::each_has_its_own_tools,
    apart::each_acts_as_itself,
    apart::what_is_wrong_with_one_stops_no_other,
    chats::a_chat_goes_on_where_it_was_left,
    chats::messages_of_a_chat_are_answered_one_after_another,
    chats::a_turn_that_is_ended_leaves_the_chat,
];

fn main() -> ExitCode {
    palanca_host::enter();
    let trials = TESTS.iter().map(|(name, test)| {
        Trial::test(*name, move || {
            test();
            Ok(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}
