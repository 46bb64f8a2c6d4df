//! Our tools as clients see them. `main` is ours, because the sandbox starts this program again as its helper.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::disallowed_methods, missing_docs)]

mod asked;
mod bench;
mod calls;
mod fixture;
mod foreign;
mod hostile;
mod lines;
mod measure;
mod peers;
mod pins;

use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;

/// Tests by their names.
macro_rules! tests {
    ($($room:ident::$test:ident),* $(,)?) => {
        [$((concat!(stringify!($room), "::", stringify!($test)), $room::$test as fn())),*]
    };
}

const TESTS: &[(&str, fn())] = &tests![
    asked::a_form_decides,
    asked::a_rule_made_in_a_form_holds,
    asked::who_has_no_forms_is_refused,
    asked::without_a_handshake_the_call_comes_again,
    asked::an_answer_is_for_its_own_call,
    calls::tools_are_listed_and_called,
    calls::what_fails_is_a_result,
    calls::many_at_once_keep_their_own_results,
    calls::one_that_is_cancelled_ends_alone,
    calls::a_client_that_goes_leaves_nothing,
    calls::what_cannot_be_opened_is_said,
    foreign::tools_of_a_program_are_ours,
    foreign::hostile_words_stay_between_their_marks,
    foreign::each_call_is_asked_for_and_a_rule_covers_it,
    foreign::tools_are_offered_before_their_server_runs,
    foreign::a_program_is_kept_in,
    foreign::each_has_a_home_of_its_own_that_is_kept,
    foreign::progress_is_heard_and_a_call_that_is_given_up_is_cancelled,
    foreign::one_that_dies_is_told_and_comes_back,
    foreign::the_dead_and_the_silent_delay_nobody,
    foreign::only_what_is_allowed_is_taken,
    foreign::of_two_tools_with_one_name_one_is_left_out,
    foreign::what_cannot_be_a_server_is_said,
    foreign::tools_pass_through_to_clients,
    pins::what_changes_or_comes_while_it_runs_is_off,
    pins::a_change_between_two_starts_needs_a_person,
    pins::another_command_line_is_not_started,
    pins::a_secret_is_pinned_and_not_kept,
    pins::what_cannot_be_read_any_more_is_a_change,
    pins::what_is_allowed_later_was_agreed_to_with_the_others,
    hostile::of_a_hundred_the_five_that_live_are_offered_at_once,
    hostile::servers_are_started_side_by_side,
    hostile::one_that_floods_or_stalls_is_named_and_the_others_go_on,
    hostile::noise_between_messages_is_passed_over,
    lines::nonsense_is_answered_and_the_rest_goes_on,
];

/// With others' programs: `cargo xtask peers`.
const PEERS: &[(&str, fn())] =
    &tests![peers::the_python_sdk_is_spoken_to_over_pipes_and_http, peers::the_conformance_suite_passes_this_client];

fn main() -> ExitCode {
    palanca_host::enter();
    let arguments: Vec<_> = std::env::args().collect();
    if let [_, first, .., url] = &arguments[..]
        && first == peers::ARGUMENT
    {
        peers::drive(url);
        return ExitCode::SUCCESS;
    }
    if arguments.get(1).is_some_and(|first| first == measure::ARGUMENT) {
        measure::measure();
        return ExitCode::SUCCESS;
    }
    if let Some(mode) = std::env::args().skip_while(|argument| argument != fixture::ARGUMENT).nth(1) {
        fixture::serve(&mode);
        return ExitCode::SUCCESS;
    }
    let trial = |(name, test): &(&'static str, fn())| {
        let test = *test;
        Trial::test(*name, move || {
            test();
            Ok(())
        })
    };
    let peers = PEERS.iter().map(|peer| trial(peer).with_ignored_flag(true));
    libtest_mimic::run(&Arguments::from_args(), TESTS.iter().map(trial).chain(peers).collect()).exit_code()
}
