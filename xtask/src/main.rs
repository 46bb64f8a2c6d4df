//! The project's rules that neither the compiler nor clippy can check: `cargo xtask check` runs them all, and `.ci/run` runs
//! it. Every finding names the file and what to do; all findings of all checks are printed before it fails.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod bench_guard;
mod egress;
mod examples;
mod generate;
mod hook_schemas;
mod invariants;
mod layers;
mod licences;
mod lines;
mod modules;
mod names;
mod pages;
mod reference;
mod report;
mod rooms;
mod size;
mod suites;
mod tool_pages;
mod workspace;

use std::process::ExitCode;

use anyhow::{Result, bail};
use report::Report;
use suites::Suite;
use workspace::Workspace;

const USAGE: &str = "\
usage: cargo xtask COMMAND
  check         everything below, and `gen --check`
  check-layers  dependencies only point to lower layers, in `core` those of modules, too
  check-size    files stay small, names say something
  check-egress  only crates/net names a socket or a client library
  check-rooms   every crate has a short README that names real tests, every dependency a row
  check-pages   every page under docs/ is in the index, every relative link leads to a file,
                every item of `palanca` has an example or a link to one
  check-licences  what comes from others is licensed as deny.toml allows, and comes from the registry
  bench-guard   counts the instructions of six everyday uses of the binary that the tests use, and
                compares them with xtask/instructions.txt; with --write replaces those
  stress        tests with bounds by the clock, thousands of tries, storms and random kills; wants
                the machine for itself
  peers         tests against other people's packages, from npm, PyPI and Debian
  lines         how many lines of code each crate has, without blank lines, comments and tests
  gen           write the generated files; with --check fail when one is stale";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(report) if report.is_clean() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(3)
        }
    }
}

fn run(words: &[&str]) -> Result<Report> {
    let mut report = Report::default();
    match words {
        ["check"] => {
            let workspace = Workspace::load()?;
            layers::check(&workspace, &mut report);
            modules::check(&workspace, &mut report)?;
            size::check(&workspace, &mut report)?;
            egress::check(&workspace, &mut report)?;
            rooms::check(&workspace, &mut report)?;
            invariants::check(&workspace, &mut report)?;
            pages::check(&workspace, &mut report)?;
            examples::check(&workspace, &mut report)?;
            generate::check(&workspace, &mut report)?;
            licences::check(&workspace.root, &mut report)?;
        }
        ["check-layers"] => {
            let workspace = Workspace::load()?;
            layers::check(&workspace, &mut report);
            modules::check(&workspace, &mut report)?;
        }
        ["check-size"] => size::check(&Workspace::load()?, &mut report)?,
        ["check-egress"] => egress::check(&Workspace::load()?, &mut report)?,
        ["check-rooms"] => {
            let workspace = Workspace::load()?;
            rooms::check(&workspace, &mut report)?;
            invariants::check(&workspace, &mut report)?;
        }
        ["check-pages"] => {
            let workspace = Workspace::load()?;
            pages::check(&workspace, &mut report)?;
            examples::check(&workspace, &mut report)?;
        }
        ["check-licences"] => licences::check(&Workspace::load()?.root, &mut report)?,
        ["stress"] => suites::run(&Workspace::load()?.root, Suite::Stress)?,
        ["peers"] => suites::run(&Workspace::load()?.root, Suite::Peers)?,
        ["bench-guard"] => bench_guard::check(&Workspace::load()?.root, &mut report)?,
        ["bench-guard", "--write"] => bench_guard::write(&Workspace::load()?.root)?,
        ["lines"] => lines::print(&Workspace::load()?)?,
        ["gen"] => generate::write(&Workspace::load()?)?,
        ["gen", "--check"] => generate::check(&Workspace::load()?, &mut report)?,
        _ => bail!("unknown command {words:?}\n{USAGE}"),
    }
    report.print();
    Ok(report)
}
