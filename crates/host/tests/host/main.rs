//! One process, many sessions. `main` is ours, because the sandbox starts this program again as its helper.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    missing_docs
)]

mod changing;
mod ending;
mod engine;
mod faults;
mod house;
mod made;
mod many;
mod scripts;
mod secrets;
mod together;
mod traced;

use libtest_mimic::{Arguments, Trial};
use parking_lot::RwLock;
use std::process::ExitCode;

/// Tests by their names.
macro_rules! tests {
    ($($room:ident::$test:ident),* $(,)?) => {
        [$((concat!(stringify!($room), "::", stringify!($test)), $room::$test as fn())),*]
    };
}

const TESTS: &[(&str, fn())] = &tests![
    changing::what_changes_is_told_and_what_is_bad_changes_nothing,
    ending::what_ends_in_time_is_not_cut_off_and_nothing_new_begins,
    ending::what_does_not_is_ended_recorded_and_told,
    ending::a_turn_ends_after_its_step_and_can_be_resumed,
    engine::a_workspace_that_goes_takes_its_own_programs_along,
    faults::a_workspace_that_vanishes_stops_no_other,
    faults::a_home_that_cannot_be_used_is_said_once,
    faults::two_processes_share_one_home,
    faults::a_store_that_is_held_stops_no_call_that_only_reads,
    faults::what_cannot_be_built_says_what_and_where,
    made::what_is_swapped_between_approval_and_run_does_not_run,
    made::while_its_files_change_a_call_is_refused_or_what_was_approved,
    made::what_is_swapped_while_a_person_is_asked_does_not_run,
    made::arguments_that_are_swapped_after_the_yes_do_not_run,
    made::a_change_of_a_script_that_cannot_be_read_is_none,
    made::what_the_folder_says_of_itself_approves_nothing,
    made::links_in_the_store_are_no_tools,
    made::a_person_changes_rejects_and_deletes,
    many::each_is_judged_as_if_it_were_alone,
    many::a_rule_holds_at_once_in_every_session_that_it_covers,
    many::one_that_was_let_go_begins_anew,
    many::what_is_old_goes_and_what_is_worked_on_stays,
    scripts::what_is_permitted_is_done_and_nothing_else,
    scripts::a_host_is_asked_as_the_network_allows_and_no_redirect_leaves_it,
    scripts::rules_questions_and_taint_hold_for_what_is_asked,
    scripts::scripts_go_in_no_circles_and_a_dry_run_changes_nothing,
    scripts::source_that_cannot_be_read_is_no_tool,
    secrets::a_secret_file_made_meanwhile_is_closed_to_the_next_program,
    secrets::what_is_learned_meanwhile_is_in_nothing_that_is_shown_or_kept,
    together::each_session_undoes_its_own,
    together::commands_and_writes_wait_for_each_other,
    traced::the_program_that_is_traced,
    traced::a_collector_gets_the_spans_of_a_run_and_no_word_of_it,
];
/// Thousands of tries, for `cargo xtask stress`.
const STRESS: &[(&str, fn())] = &[
    ("stress::two_thousand_swaps", made::stress::two_thousand_swaps),
    ("stress::two_thousand_swaps_of_a_script", made::stress::two_thousand_swaps_of_a_script),
    ("stress::two_thousand_swaps_of_arguments", made::stress::two_thousand_swaps_of_arguments),
    ("stress::two_thousand_races", made::stress::two_thousand_races),
];

/// What counts the threads and descriptors of this process, and so runs beside nothing else.
const ALONE: &[(&str, fn())] = &tests![engine::fifty_workspaces_cost_one_engine];

/// Read by tests that run beside each other.
static BESIDE: RwLock<()> = RwLock::new(());

fn main() -> ExitCode {
    palanca_host::enter();
    let beside = TESTS.iter().map(|(name, test)| {
        Trial::test(*name, || {
            let _others = BESIDE.read();
            test();
            Ok(())
        })
    });
    let alone = ALONE.iter().map(|(name, test)| {
        Trial::test(*name, || {
            let _nobody = BESIDE.write();
            test();
            Ok(())
        })
    });
    let stress = STRESS.iter().map(|(name, test)| {
        let test = Trial::test(*name, || {
            test();
            Ok(())
        });
        test.with_ignored_flag(true)
    });
    libtest_mimic::run(&Arguments::from_args(), beside.chain(alone).chain(stress).collect()).exit_code()
}
