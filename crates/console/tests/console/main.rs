//! The console over real connections. `main` is ours, because the sandbox starts this program again as its helper.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    missing_docs
)]

mod approvals;
mod chats;
mod corpus;
mod pages;
mod sessions;
mod stream;
mod tools;
mod world;

use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;

/// Tests by their names.
macro_rules! tests {
    ($($room:ident::$test:ident),* $(,)?) => {
        [$((concat!(stringify!($room), "::", stringify!($test)), $room::$test as fn())),*]
    };
}

const TESTS: &[(&str, fn())] = &tests![
    approvals::a_question_is_read_and_answered,
    approvals::what_does_not_count_says_why,
    approvals::a_rule_goes_with_a_yes,
    approvals::pages_by_cursor,
    approvals::of_a_hundred_one_counts_and_the_others_are_told_whose,
    chats::a_bot_asks_and_is_answered_from_elsewhere,
    chats::a_no_and_its_reason_reach_the_model,
    chats::an_answer_is_stopped,
    chats::what_is_said_meanwhile_is_heard_or_answered_next,
    chats::no_secret_is_in_an_answer,
    chats::every_leak_as_labelled,
    chats::what_is_wrong_is_said,
    corpus::every_row_as_labelled,
    corpus::every_route_wants_a_key,
    pages::one_logs_in_and_out,
    pages::whoever_is_let_in_by_a_token_leaves_with_it,
    pages::a_question_is_answered_without_scripts,
    pages::what_comes_from_elsewhere_is_text,
    pages::every_page_in_both_languages,
    pages::a_page_of_a_browser_changes_nothing_without_its_word,
    pages::what_a_bot_has_written_is_shown_with_its_history,
    pages::a_version_of_a_bots_file_is_put_back_from_its_page,
    sessions::they_are_listed_page_by_page,
    sessions::one_is_read_with_its_events,
    sessions::what_a_session_changed_is_undone,
    stream::whoever_comes_back_misses_nothing,
    stream::questions_come_and_go,
    stream::a_stream_ends_with_the_key_that_opened_it,
    stream::what_is_of_others_is_not_told,
    stream::the_same_by_websocket,
    tools::a_made_tool_is_approved_as_it_was_shown,
    tools::a_made_tool_is_decided_on_its_page,
    tools::a_person_tries_a_tool_through_the_gate,
    tools::a_tool_is_switched_off_and_on_in_the_configuration,
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
