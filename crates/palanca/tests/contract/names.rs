//! No name that an author may choose gets in the way of what the macros write.

use palanca::{Args, Gate, Registry, ToolCx, ToolError, tool};
use serde_json::json;

/// Parameters that are called like the function, and like what surrounds it.
#[tool(reads(args))]
async fn cx(
    /// A word.
    cx: String,
    /// A word.
    args: String,
    context: ToolCx,
    /// A word.
    scope: String,
    /// A word.
    mut ended: String,
    /// A word.
    #[arg(default = "e")]
    output: String,
) -> Result<String, ToolError> {
    ended.push_str(&output);
    Ok(format!("{cx}{args}{scope}{ended} {}", context.scope().session))
}

/// Calls itself.
#[tool(pure)]
fn countdown(
    /// From here.
    countdown: u32,
) -> Result<String, ToolError> {
    fn down(from: u32) -> String {
        if from == 0 { "0".to_owned() } else { format!("{from} {}", down(from - 1)) }
    }
    Ok(down(countdown))
}

/// A keyword.
#[tool(pure)]
async fn r#move(
    /// A keyword.
    r#type: String,
) -> Result<String, ToolError> {
    Ok(r#type)
}

mod inner {
    use super::{ToolError, tool};

    /// Seen from outside.
    #[tool(pure)]
    pub(super) async fn visible(
        /// Seen, too.
        word: String,
    ) -> Result<String, ToolError> {
        Ok(word)
    }
}

/// Types that are called like what the derive writes, and like what it uses.
#[allow(dead_code, reason = "only to compile")]
mod shadows {
    use super::Args;

    pub type Result = bool;
    pub type Option<T> = ::std::option::Option<T>;
    pub mod serde {}
    pub mod schemars {}
    pub mod core {}
    pub mod std {}
    pub struct Vec;

    #[derive(Args)]
    pub struct Mirror {
        /// A type of the same name.
        pub mirror: D,
        /// A type of a name that generic parameters like.
        pub words: T,
        /// Another meaning of the word.
        #[arg(default = false)]
        pub result: Result,
    }

    #[derive(Args)]
    pub struct D {
        /// A field.
        pub generator: u8,
    }

    #[derive(Args)]
    pub enum T {
        Serialize,
        Deserialize,
    }
}

#[tokio::test]
async fn names_do_not_get_in_the_way() {
    let registry = Registry::new();
    registry.register(Countdown).unwrap();
    registry.register(Move).unwrap();
    registry.register(inner::Visible).unwrap();
    assert_eq!(inner::VisibleArgs { word: "w".to_owned() }.word, "w");
    let gate = Gate::builder(registry.into()).build();
    for (tool, arguments, output) in [
        ("countdown", json!({"countdown": 2}), "2 1 0"),
        ("move", json!({"type": "t"}), "t"),
        ("visible", json!({"word": "w"}), "w"),
    ] {
        assert_eq!(gate.execute(tool, arguments).await.output, output, "{tool}");
    }
}

#[test]
fn a_parameter_may_be_called_like_anything() {
    use palanca::{AnyTool as _, Claims, Effect, Scope, tool::Typed};
    let arguments = json!({"cx": "a", "args": "b", "scope": "c", "ended": "d"});
    let claims = Typed::new(Cx).prepare(&arguments).unwrap().claims(&Scope::session("s".into()));
    assert_eq!(claims, Ok(Claims::from(Effect::ReadFile("b".to_owned()))));
}
