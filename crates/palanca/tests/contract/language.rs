//! What people and models read when nobody set a catalogue: sentences, not keys.

use palanca::call::Claims;
use palanca::files::Disk;
use palanca::message::Keys;
use palanca::policy::paths::PathRules;
use palanca::tools::products::{ProductId, Products, create_read_file_tool};
use palanca::tools::{ToolOptions, ToolsetName, register_all, registry};
use palanca::{Args, Gate, Message, Origin, Output, Registry, Scope, Spec, Tool, ToolCx, ToolError, tool};
use serde_json::json;
use std::sync::Arc;

/// Fails.
#[tool(pure)]
async fn fails() -> Result<String, ToolError> {
    Err(ToolError::from("the dog ate it"))
}

/// A tool without the macro.
struct ByHand;

#[derive(Args)]
struct ByHandArgs {
    /// A number.
    number: u8,
}

impl Tool for ByHand {
    type Args = ByHandArgs;

    fn spec(&self) -> Spec {
        Spec::new("by_hand", "A tool without the macro.")
    }

    fn effects(&self, _args: &ByHandArgs, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Claims::none())
    }

    async fn run(&self, args: ByHandArgs, _cx: ToolCx) -> Result<Output, ToolError> {
        Ok(Output::text(Message::new("write-created").with("path", "a.txt").with("bytes", args.number)))
    }
}

/// Neither a key nor `key(name=value)`.
#[track_caller]
fn is_a_sentence(text: &str) {
    let first = text.split([' ', '(']).next().unwrap_or_default();
    assert!(text.contains(' ') && !first.contains('-') && !text.contains("reasons="), "{text}");
}

#[tokio::test]
async fn every_text_is_readable_without_a_catalogue() {
    let own = Registry::new();
    own.register(Fails).unwrap();
    let by_hand = Registry::new();
    by_hand.register(ByHand).unwrap();
    let built_in = Registry::new();
    register_all(&built_in, ToolsetName::Palanca, &ToolOptions::default()).unwrap();
    let picoclaw = registry(ToolsetName::Picoclaw, &ToolOptions::default()).unwrap();
    for (registry, calls) in [
        (own, vec![("nope", json!({})), ("fails", json!({})), ("fails", json!({"x": 1}))]),
        (by_hand, vec![("nope", json!({})), ("by_hand", json!({"number": 300}))]),
        (built_in, vec![("read_file", json!({"path": "a"})), ("write_file", json!({"path": "a", "content": "x"}))]),
        (picoclaw, vec![("message", json!({"content": "hello"}))]),
    ] {
        let gate = Gate::builder(registry.into()).build();
        for (tool, arguments) in calls {
            is_a_sentence(&gate.execute(tool, arguments).await.error.unwrap());
        }
    }
    let who = (Origin::Person, Scope::session("s".into()));
    let folder = tempfile::tempdir().unwrap();
    let door = Disk::open(folder.path(), &[], Arc::new(PathRules::new(&[], &[], None).unwrap())).unwrap();
    let mut products = Products::new(ToolOptions::default(), who, |gate| gate).unwrap();
    products.connect(ProductId::new("shop"), Arc::new(door)).unwrap();
    for product in ["shop", "other"] {
        let answer = create_read_file_tool(&products, &ProductId::new(product)).execute(json!({"path": "nope"})).await;
        is_a_sentence(answer["error"].as_str().unwrap());
    }
}

#[tokio::test]
async fn a_tool_that_comes_later_brings_its_language_and_a_set_catalogue_wins() {
    let registry = Arc::new(Registry::new());
    let gate = Gate::builder(Arc::clone(&registry)).build();
    registry.register(ByHand).unwrap();
    let said = gate.execute("by_hand", json!({"number": 7})).await;
    assert_eq!((said.output.as_str(), said.error), ("File a.txt created (7 bytes)", None));
    let keys = Gate::builder(registry).catalogue(Arc::new(Keys)).build();
    assert_eq!(keys.execute("by_hand", json!({"number": 7})).await.output, "write-created(path=a.txt, bytes=7)");
}
