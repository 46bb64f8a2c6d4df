//! Many bots in one process. `main` is ours, because the sandbox starts this program again as its helper.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    missing_docs
)]

mod apart;
mod chats;
mod claude;
mod collaborate;
mod house;
mod improve;
mod jobs;
mod many;
mod memory;
mod phone;
mod twilio;

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
    claude::turns_without_tools_are_the_programs_and_those_with_tools_the_next_models,
    claude::it_is_shut_in_with_a_home_of_its_own_and_hears_everything_on_its_input,
    claude::where_it_does_not_answer_the_next_model_does_or_it_is_said_why,
    claude::alone_it_takes_no_turn_with_tools,
    claude::it_ends_with_its_turn,
    collaborate::others_are_discovered_with_what_they_can_do,
    collaborate::one_that_is_asked_is_itself_and_remembers_the_conversation,
    collaborate::who_is_asked_asks_nobody_further,
    collaborate::a_conversation_belongs_to_who_began_it,
    collaborate::messages_conversations_and_their_time_are_bounded,
    collaborate::a_pause_holds_for_delegation_too,
    collaborate::an_answer_that_is_late_ends_the_turn,
    collaborate::what_cannot_be_asked_is_said,
    collaborate::without_a_group_a_visible_message_is_internal_and_a_person_is_asked,
    collaborate::nobody_answers_for_the_one_that_is_asked,
    improve::a_program_revises_copies_and_the_call_makes_the_changes,
    improve::everything_is_revised_with_the_memory,
    improve::a_program_that_is_missing_fails_or_hangs_changes_nothing,
    improve::without_a_program_the_bots_own_model_revises,
    improve::what_may_not_be_revised_is_said_and_a_person_is_asked,
    memory::a_bot_finds_its_own_conversations_alone,
    memory::what_another_bot_said_stays_foreign,
    memory::what_a_message_is_about_is_recalled_where_it_is_switched_on,
    memory::foreign_text_is_not_recalled,
    memory::the_folder_is_tidied_when_somebody_talks_with_the_bot,
    jobs::a_damaged_file_is_put_aside_once_and_what_is_readable_goes_on,
    jobs::a_reload_keeps_time_going,
    jobs::a_change_is_seen_after_a_time_without_any,
    phone::someone_is_called_by_name_by_number_or_as_usual,
    phone::a_mode_without_questions_calls_nobody_new,
    phone::contacts_are_a_file_that_loses_nothing,
    phone::what_cannot_be_called_is_said_and_nothing_is_sent,
    phone::a_call_whose_outcome_is_unknown_is_not_placed_again,
    phone::another_configuration_forgets_no_call,
    phone::an_hour_has_a_number_of_calls,
    phone::what_is_missing_or_wrong_is_named,
];

/// What wants the machine for itself: `cargo xtask stress`.
const STRESS: &[(&str, fn())] = &[("stress::five_hundred_bots", many::five_hundred_bots)];

/// With others' programs: `cargo xtask peers`.
const PEERS: &[(&str, fn())] =
    &[("peers::twilios_own_document_takes_our_calls", phone::peers::twilios_own_document_takes_our_calls)];

fn main() -> ExitCode {
    palanca_host::enter();
    let trial = |(name, test): &(&'static str, fn())| {
        let test = *test;
        Trial::test(*name, move || {
            test();
            Ok(())
        })
    };
    let others = PEERS.iter().chain(STRESS).map(|other| trial(other).with_ignored_flag(true));
    libtest_mimic::run(&Arguments::from_args(), TESTS.iter().map(trial).chain(others).collect()).exit_code()
}
