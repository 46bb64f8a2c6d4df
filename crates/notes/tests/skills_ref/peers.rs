//! The table is what the public validator says.

use crate::corpus::corpus;
use crate::{table, table_path};
use palanca_testkit::unreached;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const VERSION: &str = "0.1.1";

#[test]
#[ignore = "cargo xtask peers"]
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

/// The validator in an environment of its own, where there is a registry to get it from.
fn install(folder: &Path) -> Option<PathBuf> {
    let left_out = |what: &str, why: &str| {
        unreached("the public validator of skills", &format!("{what}: {why}"));
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
