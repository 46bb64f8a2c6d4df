//! Lists of which all layers have a part: `mcp.servers`.

use super::{TRUSTED, UNTRUSTED};
use crate::*;

const OWN: &str =
    "mcp:\n  servers:\n    - {name: mine, command: /mine}\n    - {name: both, command: /own, network: true}\n";
const PROJECT: &str =
    "\nmcp: {servers: [{name: both, url: 'https://project.example'}, {name: theirs, command: /theirs}]}\n";

fn with_project(source: Source) -> Loaded {
    Layers::new().file(Source::User, "u.yaml", OWN).file(source, "palanca.yaml", PROJECT).resolve().unwrap()
}

fn names(loaded: &Loaded) -> Vec<&str> {
    loaded.config.mcp.servers.iter().map(|server| &*server.name).collect()
}

#[test]
fn servers_of_all_layers_join_and_the_nearer_one_of_a_name_counts_as_a_whole() {
    let loaded = with_project(TRUSTED);
    assert_eq!(names(&loaded), ["mine", "both", "theirs"]);
    let both = &loaded.config.mcp.servers[1];
    assert_eq!((both.url.as_deref(), &both.command, both.network), (Some("https://project.example"), &None, false));
    let from = |key: &str| {
        let entry = loaded.entries().into_iter().find(|entry| entry.key == key).unwrap();
        entry.place.to_string()
    };
    assert_eq!(["mcp.servers[0]", "mcp.servers[1]"].map(from), ["u.yaml:2", "palanca.yaml:2"]);
    let steps = loaded.explain("mcp.servers").unwrap().steps;
    let said: Vec<_> =
        steps.iter().map(|step| (step.place.to_string(), step.value.as_array().unwrap().len())).collect();
    assert_eq!(said, [("default".into(), 0), ("u.yaml:2".into(), 2), ("palanca.yaml:2".into(), 2)]);
}

#[test]
fn two_servers_of_one_name_in_one_file_are_both_there_to_be_told_of() {
    let twice = "mcp: {servers: [{name: both, command: /a}, {name: both, command: /b}]}";
    let loaded =
        Layers::new().file(Source::User, "u.yaml", OWN).file(Source::Named, "n.yaml", twice).resolve().unwrap();
    assert_eq!(names(&loaded), ["mine", "both", "both"]);
}

#[test]
fn an_untrusted_project_adds_no_server_and_hides_none() {
    let loaded = with_project(UNTRUSTED);
    let alone = Layers::new().file(Source::User, "u.yaml", OWN).resolve().unwrap();
    assert_eq!(loaded.config, alone.config);
    let [told] = &loaded.warnings[..] else { panic!("{:?}", loaded.warnings) };
    assert!(told.key == "mcp.servers" && told.kind == WarningKind::NotTrusted, "{told}");
}
