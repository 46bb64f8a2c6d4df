#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use palanca_core::Registry;

#[test]
fn the_built_in_agents_are_as_documented() {
    let agents = Agents::built_in();
    let rows: Vec<_> = agents
        .iter()
        .map(|agent| {
            let Allowed::Usual(tools) = &agent.allowed else { panic!("{} has every tool", agent.name) };
            (agent.name.as_str(), tools.len(), agent.confirm_mode, agent.max_steps)
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("build", 23, ConfirmMode::ConfirmSensitive, 50),
            ("plan", 8, ConfirmMode::Yolo, 20),
            ("resume", 8, ConfirmMode::Yolo, 15),
            ("review", 8, ConfirmMode::Yolo, 20),
        ]
    );
}

#[test]
fn a_definition_changes_only_what_it_sets() {
    let mut agents = Agents::built_in();
    let before = agents.get("build").unwrap().clone();
    agents.define("build", AgentDefinition { max_steps: Some(80), ..AgentDefinition::default() });
    assert_eq!(agents.get("build").unwrap(), &Agent { max_steps: 80, ..before });
}

#[test]
fn a_new_agent_has_the_defaults() {
    let mut agents = Agents::built_in();
    agents.define(
        "docs",
        AgentDefinition {
            system_prompt: Some("Write documentation.".into()),
            allowed_tools: Some(vec!["read_file".into(), "nope".into()]),
            ..AgentDefinition::default()
        },
    );
    let docs = agents.get("docs").unwrap();
    assert_eq!((docs.max_steps, docs.confirm_mode), (20, ConfirmMode::ConfirmSensitive));
    assert_eq!(docs.instructions, Instructions::Own("Write documentation.".into()));
    let (toolset, unknown) = docs.offered(&Registry::new().snapshot());
    assert!(toolset.is_empty());
    assert_eq!(unknown, ["read_file", "nope"]);
}

#[test]
fn a_list_that_a_layer_only_repeats_misses_nothing() {
    let mut agents = Agents::built_in();
    let Allowed::Usual(usual) = agents.get("build").unwrap().allowed else { panic!("not the usual tools") };
    let repeated = usual.iter().map(|name| (*name).to_owned()).collect();
    agents.define("build", AgentDefinition { allowed_tools: Some(repeated), ..AgentDefinition::default() });
    let (_, missed) = agents.get("build").unwrap().offered(&Registry::new().snapshot());
    assert_eq!(missed, Vec::<String>::new());
}

#[test]
fn an_empty_list_of_tools_means_every_tool() {
    let mut agents = Agents::built_in();
    agents.define("plan", AgentDefinition { allowed_tools: Some(Vec::new()), ..AgentDefinition::default() });
    assert_eq!(agents.get("plan").unwrap().allowed, Allowed::Every);
}

#[test]
fn an_unknown_agent_is_told_with_its_neighbours() {
    let agents = Agents::built_in();
    assert_eq!(agents.get("bild").unwrap_err().to_string(), "no agent is called 'bild': use build");
    assert_eq!(agents.get("zzzzzz").unwrap_err().near, ["build", "plan", "resume", "review"]);
}
