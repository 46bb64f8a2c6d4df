//! Outputs that are kept whole, and `read_artifact`, which pages through them.

use crate::support::{builder, failed, options};
use palanca_core::call::{ArtifactId, Media, Part, Resource};
use palanca_core::gate::Limits;
use palanca_core::ports::Exit;
use palanca_core::{ConfirmMode, ToolResult};
use palanca_testkit::processes::finished;
use palanca_testkit::{FakeProcesses, ForeignPage, MemoryArtifacts, TempWorkspace, TestGate};
use palanca_tools::{ToolOptions, ToolsetName, registry};
use serde_json::json;
use std::sync::Arc;

/// A gate that keeps what is longer than a thousand bytes, and pages of 500.
fn keeping(workspace: &TempWorkspace, toolset: ToolsetName, foreign: Option<ForeignPage>) -> TestGate {
    let options = ToolOptions { artifact_page_bytes: 500, ..options() };
    let registry = registry(toolset, &options).unwrap();
    if let Some(page) = foreign {
        registry.register_any(Arc::new(page), palanca_core::registry::Override::Refuse).unwrap();
    }
    TestGate::builder(workspace, registry)
        .mode(ConfirmMode::Yolo)
        .processes(Arc::new(FakeProcesses::these([finished(Exit::Code(0), long(), "")])) as _)
        .limits(Limits { artifact_bytes: 1000, ..Limits::default() })
        .with(|gate| {
            gate.artifacts(Arc::new(MemoryArtifacts::default()))
                .marker(Arc::new(palanca_policy::marking::ExternalMarker::new(|| 7)))
        })
        .build()
}

fn long() -> String {
    (0..180).map(|line| format!("line {line} ñ\n")).collect()
}

fn kept(result: &ToolResult) -> ArtifactId {
    result.artifact.clone().unwrap_or_else(|| panic!("nothing was kept of {}", result.output))
}

async fn pages(gate: &TestGate, id: &ArtifactId) -> (String, usize) {
    let (mut text, mut offset, mut count) = (String::new(), 0, 0);
    loop {
        let result = gate.call("read_artifact", json!({"id": id.as_str(), "offset": offset})).await;
        assert!(result.success, "{}", result.for_model());
        assert!(result.output.len() < 1000 && result.artifact.is_none());
        let data = result.data.unwrap();
        text.push_str(data["text"].as_str().unwrap());
        count += 1;
        match data["next_offset"].as_u64() {
            Some(next) => {
                assert!(result.truncated && result.output.contains(&format!("continue with offset {next}]")));
                let lines = data["text"].as_str().unwrap().contains('\n');
                assert!(!lines || data["text"].as_str().unwrap().ends_with('\n'), "a page ends at a line");
                assert!(next > offset);
                offset = next;
            }
            None => {
                assert!(!result.truncated && result.output.contains("this is the end]"));
                return (text, count);
            }
        }
    }
}

#[tokio::test]
async fn every_byte_of_what_was_cut_is_there_page_by_page() {
    for (toolset, tool, arguments) in [
        (ToolsetName::Palanca, "run_command", json!({"command": "make"})),
        (ToolsetName::Architect, "run_command", json!({"command": "make"})),
        (ToolsetName::Bots, "exec", json!({"command": "make"})),
        (ToolsetName::Picoclaw, "exec", json!({"command": "make"})),
    ] {
        let workspace = TempWorkspace::new();
        let gate = keeping(&workspace, toolset, None);
        let result = gate.call(tool, arguments).await;
        let id = kept(&result);
        let (text, count) = pages(&gate, &id).await;
        assert_eq!(text, result.output, "{toolset}");
        assert!(text.contains(long().trim_end()) && count >= 4, "{toolset}: {count}");
    }
    let workspace = TempWorkspace::with(&[("long.txt", &long())]);
    let gate = keeping(&workspace, ToolsetName::Contracts, None);
    let result = gate.call("read_file", json!({"path": "long.txt"})).await;
    let (text, _) = pages(&gate, &kept(&result)).await;
    assert!(text.contains("line 179"), "{text}");
}

#[tokio::test]
async fn an_image_is_seen_again_byte_for_byte_and_is_as_foreign_as_before() {
    let image: Vec<u8> = b"\x89PNG\r\n\x1a\n".iter().copied().chain((0..5000).map(|at| (at % 251) as u8)).collect();
    let pdf = Media::new("application/pdf", image.clone()).unwrap();
    let page = ForeignPage::new("a picture")
        .with_part(Part::image("image/png", image.clone()).unwrap())
        .with_part(Resource::bytes("file:///a.pdf", pdf).unwrap())
        .with_part(Part::image("image/gif", b"GIF89a".to_vec()).unwrap());
    let workspace = TempWorkspace::new();
    let gate = keeping(&workspace, ToolsetName::Palanca, Some(page));
    let result = gate.call(ForeignPage::NAME, json!({})).await;
    let ids: Vec<_> = result.parts.iter().map(|part| part.media().unwrap().artifact().cloned()).collect();
    let [Some(png), Some(pdf), None] = &ids[..] else { panic!("only large ones are kept: {ids:?}") };
    for (id, media_type) in [(png, "image/png"), (pdf, "application/pdf")] {
        let again = gate.call("read_artifact", json!({"id": id.as_str()})).await;
        assert!(again.success && again.foreign, "{}", again.for_model());
        let seen = again.parts[0].media().unwrap();
        assert_eq!((seen.media_type(), &seen.bytes()[..], seen.artifact()), (media_type, &image[..], None));
    }
}

#[tokio::test]
async fn a_page_is_as_long_as_asked_and_otherwise_as_a_result_may_be() {
    let workspace = TempWorkspace::new();
    let gate = keeping(&workspace, ToolsetName::Palanca, None);
    let id = kept(&gate.call("run_command", json!({"command": "make"})).await);
    let page = |arguments: serde_json::Value| {
        let mut arguments = arguments;
        arguments["id"] = json!(id.as_str());
        gate.json("read_artifact", arguments)
    };
    let usual = page(json!({})).await;
    let text = usual["data"]["text"].as_str().unwrap();
    assert!((400..=500).contains(&text.len()), "{}", text.len());
    let whole = page(json!({"limit": 1_000_000})).await;
    assert_eq!(whole["data"]["text"].as_str().unwrap().len() as u64, whole["data"]["bytes"].as_u64().unwrap());
    let few = page(json!({"limit": 3, "offset": 10})).await;
    assert_eq!(few["data"]["text"].as_str().unwrap().len(), 3);
    let (code, text) = failed(&gate, "read_artifact", json!({"id": id.as_str(), "offset": 1_000_000})).await;
    assert_eq!(code, "invalid_arguments");
    assert!(text.contains("nothing is at offset 1000000"), "{text}");
    for wrong in [json!({}), json!({"id": id.as_str(), "limit": 0}), json!({"id": id.as_str(), "offset": -1})] {
        assert_eq!(failed(&gate, "read_artifact", wrong).await.0, "invalid_arguments");
    }
}

#[tokio::test]
async fn what_is_not_kept_here_is_named() {
    let workspace = TempWorkspace::with(&[("art-1", "secret")]);
    let gate = keeping(&workspace, ToolsetName::Palanca, None);
    let id = kept(&gate.call("run_command", json!({"command": "make"})).await);
    for name in ["art-0", "", "../../etc/passwd", "art-1", "*"] {
        let (code, text) = failed(&gate, "read_artifact", json!({"id": name})).await;
        assert_eq!(code, "not_found", "{name}");
        assert!(text.contains(&format!("Nothing is stored as '{}'", name.trim())), "{text}");
    }
    let without = builder(&workspace, ToolsetName::Palanca, &options()).build();
    assert_eq!(failed(&without, "read_artifact", json!({"id": id.as_str()})).await.0, "not_found");
}

#[tokio::test]
async fn a_page_of_foreign_text_is_foreign() {
    let workspace = TempWorkspace::new();
    let gate = keeping(&workspace, ToolsetName::Palanca, Some(ForeignPage::new(long())));
    let result = gate.call("foreign_page", json!({})).await;
    assert!(result.output.starts_with("<<<EXTERNAL_UNTRUSTED_CONTENT"), "{}", result.for_model());
    let id = kept(&result);
    for arguments in [json!({"id": id.as_str()}), json!({"id": id.as_str(), "offset": 1500})] {
        let page = gate.call("read_artifact", arguments).await;
        assert!(page.output.starts_with("<<<EXTERNAL_UNTRUSTED_CONTENT"), "{}", page.output);
        assert!(page.output.contains("line "));
    }
}
