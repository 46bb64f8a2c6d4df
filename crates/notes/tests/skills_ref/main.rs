//! Our verdict on a skill is the public validator's, `skills-ref`: on its own examples, on broken ones, and on what is
//! generated. Its verdicts are kept as a table, so that this holds without a network; where there is one, the table itself
//! is held against the validator. `PALANCA_BLESS=1` writes the table anew.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stderr,
    missing_docs
)]

mod corpus;

use corpus::{Case, corpus};
use palanca_notes::SkillText;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const VERSION: &str = "0.1.1";

fn table_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/skills_ref/verdicts.tsv")
}

fn table() -> BTreeMap<String, bool> {
    let text = std::fs::read_to_string(table_path()).unwrap_or_default();
    let row = |line: &str| {
        let (id, verdict) = line.split_once('\t').unwrap();
        (id.to_owned(), verdict == "valid")
    };
    text.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

/// Ours: what is no UTF-8 is refused where files are read, before this room sees text.
fn ours(case: &Case) -> bool {
    std::str::from_utf8(&case.content).is_ok_and(|text| SkillText(text).read(&case.folder).faults.is_empty())
}

#[test]
fn ids_are_single_and_the_table_knows_each() {
    let cases = corpus();
    let ids: std::collections::BTreeSet<_> = cases.iter().map(|case| case.id.clone()).collect();
    assert_eq!(ids.len(), cases.len());
    assert!(table().into_keys().eq(ids), "PALANCA_BLESS=1 writes the table anew");
    let valid = table().into_values().filter(|valid| *valid).count();
    assert!(valid >= 150 && cases.len() - valid >= 150, "{valid} of {} are valid", cases.len());
}

#[test]
fn every_verdict_is_the_public_validators() {
    let table = table();
    let wrong: Vec<String> = corpus()
        .iter()
        .filter(|case| table.get(&case.id) != Some(&ours(case)))
        .map(|case| {
            let text = String::from_utf8_lossy(&case.content);
            let faults = SkillText(&text).read(&case.folder).faults;
            format!("{}: theirs {:?}, ours {faults:?}\n{text:?}", case.id, table.get(&case.id))
        })
        .collect();
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_table_is_what_the_public_validator_says() {
    let folder = tempfile::tempdir().unwrap();
    let Some(python) = install(folder.path()) else { return };
    let cases = corpus();
    let mut lines = String::new();
    for (number, case) in cases.iter().enumerate() {
        let skill = folder.path().join("skills").join(number.to_string()).join(&case.folder);
        std::fs::create_dir_all(&skill).unwrap();
        std::fs::write(skill.join("SKILL.md"), &case.content).unwrap();
        lines.push_str(&format!("{}\n", skill.display()));
    }
    std::fs::write(folder.path().join("list"), lines).unwrap();
    let script = "import sys, pathlib\nfrom skills_ref.validator import validate\n\
                  for line in open(sys.argv[1], encoding='utf-8').read().split('\\n')[:-1]:\n\
                  \x20   try:\n        ok = validate(pathlib.Path(line)) == []\n\
                  \x20   except Exception:\n        ok = False\n    print('valid' if ok else 'invalid')\n";
    let output = Command::new(python).args(["-c", script]).arg(folder.path().join("list")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let stdout = String::from_utf8(output.stdout).unwrap();
    let verdicts: Vec<&str> = stdout.lines().collect();
    assert_eq!(verdicts.len(), cases.len());
    let theirs: BTreeMap<_, _> = cases.iter().map(|case| case.id.clone()).zip(verdicts).collect();
    if std::env::var_os("PALANCA_BLESS").is_some() {
        let rows: String = theirs.iter().map(|(id, verdict)| format!("{id}\t{verdict}\n")).collect();
        std::fs::write(table_path(), format!("# skills-ref {VERSION} on every case of corpus.rs\n{rows}")).unwrap();
        return;
    }
    let theirs: BTreeMap<_, _> = theirs.into_iter().map(|(id, verdict)| (id, verdict == "valid")).collect();
    assert_eq!(table(), theirs);
}

/// The validator in an environment of its own; without Python or a package registry the test is left out, and says so.
fn install(folder: &Path) -> Option<PathBuf> {
    let left_out = |what: &str, why: &str| {
        eprintln!("LEFT OUT: the public validator is not asked, only its table: {what}: {why}");
        None
    };
    let environment = folder.join("venv");
    match Command::new("python3").args(["-m", "venv"]).arg(&environment).output() {
        Err(error) => return left_out("python3", &error.to_string()),
        Ok(made) if !made.status.success() => {
            return left_out("python3 -m venv", &String::from_utf8_lossy(&made.stderr));
        }
        Ok(_) => {}
    }
    let python = environment.join("bin/python");
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "20"];
    let installed = Command::new(&python).args(pip).arg(format!("skills-ref=={VERSION}")).output().unwrap();
    if !installed.status.success() {
        return left_out("pip install skills-ref", &String::from_utf8_lossy(&installed.stderr));
    }
    Some(python)
}
