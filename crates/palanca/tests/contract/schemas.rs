//! The schema is what the types say, and the arguments are read by it.

use palanca::tool::Typed;
use palanca::{AnyTool as _, Args, Claims, Output, Scope, Spec, Tool, ToolCx, ToolError};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Its own words, which are not those of an argument.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq)]
enum Volume {
    #[default]
    Quiet,
    VeryLoud,
    #[arg(rename = "11")]
    Eleven,
}

#[derive(Args, Clone, Debug, PartialEq)]
struct Place {
    /// The line, from 1.
    #[arg(min = 1)]
    line: u32,
    /// The column.
    column: Option<u16>,
}

/// Everything that an argument may be. What stands here, models do not see.
#[derive(Args, Clone, Debug, PartialEq)]
struct Everything {
    /// Text.
    #[arg(max_length = 20)]
    text: String,
    /// Two lines,
    /// joined as they stand.
    ///
    ///  - and a list
    number: i64,
    /// Between.
    #[arg(min = 0.5, max = 1.5)]
    ratio: f64,
    /// Or not.
    #[arg(default = true)]
    flag: bool,
    /// Often.
    #[arg(default = 2, min = 1, max = 9)]
    times: u8,
    /// Where.
    #[arg(default = ".")]
    path: String,
    /// Loud.
    #[arg(default = Volume::VeryLoud)]
    volume: Volume,
    /// Loud or not.
    whisper: Option<Volume>,
    /// Names.
    #[arg(default = vec!["a".to_owned()])]
    names: Vec<String>,
    /// How many.
    #[arg(max = 9)]
    limit: Option<u32>,
    /// A note.
    #[arg(max_length = 5)]
    note: Option<String>,
    /// The environment.
    env: Option<BTreeMap<String, String>>,
    /// Where it stands.
    place: Option<Place>,
    /// Where else.
    #[arg(default = Vec::new(), max_length = 3)]
    places: Vec<u64>,
    /// A word that Rust keeps for itself.
    r#type: Option<String>,
    /// In the vocabulary of others.
    #[arg(rename = "replaceAll", default = false)]
    replace_all: bool,
    /// Anything.
    any: Option<Value>,
}

#[derive(Args, Clone, Debug, PartialEq)]
struct Nothing;

/// Keeps what it was given.
#[derive(Clone)]
struct Keeps<A>(Arc<Mutex<Option<A>>>);

impl<A: Args + Clone> Tool for Keeps<A> {
    type Args = A;

    fn spec(&self) -> Spec {
        Spec::new("keeps", "Keeps.")
    }

    fn effects(&self, args: &A, _scope: &Scope) -> Result<Claims, ToolError> {
        *self.0.lock().unwrap() = Some(args.clone());
        Ok(Claims::none())
    }

    async fn run(&self, _args: A, _cx: ToolCx) -> Result<Output, ToolError> {
        Ok("kept".into())
    }
}

fn read<A: Args + Clone>(arguments: &Value) -> Result<A, String> {
    let kept = Keeps(Arc::default());
    let tool = Typed::new(kept.clone());
    let prepared = tool.prepare(arguments).map_err(|error| error.to_string())?;
    prepared.claims(&Scope::session("s".into())).unwrap();
    Ok(kept.0.lock().unwrap().take().unwrap())
}

fn schema<A: Args + Clone>() -> Value {
    Typed::new(Keeps::<A>(Arc::default())).schema().clone()
}

#[test]
fn every_type_has_a_plain_schema() {
    let volume = json!(["quiet", "very_loud", "11"]);
    let expected = json!({
        "type": "object",
        "properties": {
            "text": {"type": "string", "maxLength": 20, "description": "Text."},
            "number": {"type": "integer", "description": "Two lines,\njoined as they stand.\n\n - and a list"},
            "ratio": {"type": "number", "minimum": 0.5, "maximum": 1.5, "description": "Between."},
            "flag": {"type": "boolean", "default": true, "description": "Or not."},
            "times": {"type": "integer", "minimum": 1, "maximum": 9, "default": 2, "description": "Often."},
            "path": {"type": "string", "default": ".", "description": "Where."},
            "volume": {"type": "string", "enum": volume, "default": "very_loud", "description": "Loud."},
            "whisper": {"type": "string", "enum": volume, "description": "Loud or not."},
            "names": {"type": "array", "items": {"type": "string"}, "default": ["a"], "description": "Names."},
            "limit": {"type": "integer", "minimum": 0, "maximum": 9, "description": "How many."},
            "note": {"type": "string", "maxLength": 5, "description": "A note."},
            "env": {"type": "object", "additionalProperties": {"type": "string"}, "description": "The environment."},
            "place": {
                "type": "object",
                "properties": {
                    "line": {"type": "integer", "minimum": 1, "description": "The line, from 1."},
                    "column": {"type": "integer", "minimum": 0, "maximum": 65535, "description": "The column."},
                },
                "required": ["line"],
                "additionalProperties": false,
                "description": "Where it stands.",
            },
            "places": {
                "type": "array",
                "items": {"type": "integer", "minimum": 0},
                "maxItems": 3,
                "default": [],
                "description": "Where else.",
            },
            "type": {"type": "string", "description": "A word that Rust keeps for itself."},
            "replaceAll": {"type": "boolean", "default": false, "description": "In the vocabulary of others."},
            "any": {"description": "Anything."},
        },
        "required": ["text", "number", "ratio"],
        "additionalProperties": false,
    });
    let schema = schema::<Everything>();
    assert_eq!(schema, expected, "{schema:#}");
    // In the order in which the author wrote them: a prompt that keeps its order is cached.
    let order = |value: &Value| value["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(order(&schema), order(&expected));
    assert_eq!(self::schema::<Nothing>(), json!({"type": "object", "properties": {}, "additionalProperties": false}));
}

#[test]
fn what_is_left_out_has_its_default() {
    let least = Everything {
        text: "t".to_owned(),
        number: 1,
        ratio: 1.0,
        flag: true,
        times: 2,
        path: ".".to_owned(),
        volume: Volume::VeryLoud,
        whisper: None,
        names: vec!["a".to_owned()],
        limit: None,
        note: None,
        env: None,
        place: None,
        places: Vec::new(),
        r#type: None,
        replace_all: false,
        any: None,
    };
    assert_eq!(read(&json!({"text": "t", "number": 1, "ratio": 1.0})), Ok(least.clone()));
    let given = json!({
        "text": "t", "number": 1, "ratio": 1.0, "flag": false, "times": 3, "path": "src", "volume": "11",
        "whisper": "quiet", "names": [], "limit": 4, "note": "n", "env": {"K": "v"}, "place": {"line": 7},
        "places": [1], "type": "x", "replaceAll": true, "any": [null],
    });
    let all = Everything {
        flag: false,
        times: 3,
        path: "src".to_owned(),
        volume: Volume::Eleven,
        whisper: Some(Volume::Quiet),
        names: Vec::new(),
        limit: Some(4),
        note: Some("n".to_owned()),
        env: Some(BTreeMap::from([("K".to_owned(), "v".to_owned())])),
        place: Some(Place { line: 7, column: None }),
        places: vec![1],
        r#type: Some("x".to_owned()),
        replace_all: true,
        any: Some(json!([null])),
        ..least
    };
    assert_eq!(read(&given), Ok(all));
    assert_eq!(read(&json!({})), Ok(Nothing));
}

#[test]
fn what_does_not_fit_is_an_error() {
    for (more, error) in [
        (json!({"volume": "loud"}), "unknown variant `loud`, expected one of `quiet`, `very_loud`, `11`"),
        (json!({"place": {"line": 1, "row": 2}}), "unknown field `row`, expected `line` or `column`"),
        (json!({"place": {}}), "missing field `line`"),
        (json!({"times": 300}), "invalid value: integer `300`, expected u8"),
        (json!({"unknown": 1}), "unknown field `unknown`"),
    ] {
        let mut given = json!({"text": "t", "number": 1, "ratio": 1.0});
        given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let said = read::<Everything>(&given).unwrap_err();
        assert!(said.contains(error), "{more}: {said}");
    }
}
