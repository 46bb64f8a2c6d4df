//! A configuration that changes while the process runs.

use crate::house::{House, agent_of, block_on, call, session};
use palanca_host::Places;
use palanca_host::configuration::{Current, Needs};
use serde_json::json;
use std::fs;

pub fn what_changes_is_told_and_what_is_bad_changes_nothing() {
    let house = House::new();
    fs::create_dir(house.path("work")).unwrap();
    let (user, root) = (house.path("user"), house.path("work").display().to_string());
    fs::create_dir(&user).unwrap();
    let file = user.join("palanca.yaml");
    fs::write(&file, "guardrails: {max_files_modified: 1}\n").unwrap();
    let places = Places { user: Some(user), ..house.host.places().clone() };
    let current = Current::open(places, &house.path("work"), &[("--workspace", "workspace.root", root)]).unwrap();
    let limit = || current.config().guardrails.max_files_modified;
    let agent = || agent_of(&house.host, house.path("work"), |config| config.clone_from(&current.config()));
    assert_eq!(current.resolve_again().unwrap().changes, []);
    let old = session(&agent());

    fs::write(&file, "guardrails:\n  max_files_modified: many\n").unwrap();
    let fault = current.resolve_again().unwrap_err().message.plain();
    for part in ["palanca.yaml", "2:", "max_files_modified"] {
        assert!(fault.contains(part), "{part}: {fault}");
    }
    assert_eq!(limit(), Some(1), "the old one stays");

    fs::write(&file, "guardrails: {max_files_modified: 2}\nsessions: {cleanup_after_days: 9}\n").unwrap();
    fs::write(house.path("work/palanca.yaml"), "commands: {unsandboxed: true}\n").unwrap();
    let again = current.resolve_again().unwrap();
    let told: Vec<_> =
        again.changes.iter().map(|change| (&*change.key, &change.before, &change.after, change.needs)).collect();
    assert_eq!(
        told,
        [
            ("guardrails.max_files_modified", &json!(1), &json!(2), Needs::NewAgent),
            ("sessions.cleanup_after_days", &json!(7), &json!(9), Needs::Restart),
        ]
    );
    assert!(again.changes[0].place.contains("palanca.yaml"));
    assert!(again.unused.iter().any(|warning| warning.key == "commands.unsandboxed"), "{:?}", again.unused);
    let new = session(&agent());
    block_on(async {
        for (one, most) in [(&old, 1), (&new, 2)] {
            for number in 0..3 {
                let write = json!({"path": format!("{most}-{number}.txt"), "content": "x"});
                assert_eq!(call(one, "write_file", write).await.success, number < most, "{most} {number}");
            }
        }
    });
}
