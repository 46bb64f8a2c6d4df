#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::super::{Checker, bounds};
use super::steps;
use jsonschema::Keyword;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Counts how often the schemas that have it are asked.
struct Counts(Arc<AtomicUsize>);
impl Keyword<'_> for Counts {
    fn validate(&self, _: &Value) -> Result<(), jsonschema::ValidationError<'static>> {
        self.0.fetch_add(1, Relaxed);
        Ok(())
    }
    fn is_valid(&self, _: &Value) -> bool {
        self.0.fetch_add(1, Relaxed);
        true
    }
}

/// A keyword in every schema that counts.
fn counted(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            map.values_mut().for_each(counted);
            map.shift_insert(0, "counts".to_owned(), json!(true));
        }
        Value::Array(items) => items.iter_mut().for_each(counted),
        _ => {}
    }
}

/// How often schemas are asked while these arguments are checked, and how many steps were foreseen.
fn asked(schema: &Value, arguments: &Value) -> (usize, Option<usize>) {
    const MOST: usize = 200_000;
    let foreseen = bounds::patterns(schema).ok().and_then(|patterns| steps(schema, &patterns, arguments, MOST));
    if foreseen.is_none() {
        return (0, None);
    }
    let mut schema = schema.clone();
    counted(&mut schema);
    let count = Arc::new(AtomicUsize::new(0));
    let keyword = Arc::clone(&count);
    let options =
        jsonschema::options().with_keyword("counts", move |_, _, _| Ok(Box::new(Counts(Arc::clone(&keyword)))));
    let Ok(validator) = options.build(&schema) else { return (0, None) };
    // The verdict is not asked for, only what it costs.
    let _ = validator.is_valid(arguments);
    (count.load(Relaxed), foreseen)
}

fn nested(levels: usize, leaf: Value) -> Value {
    (0..levels).fold(leaf, |inner, _| json!([inner]))
}

#[test]
fn what_doubles_with_every_level_is_not_checked() {
    let twice = json!({"type": "array", "anyOf": [{"minItems": 1, "items": {"$ref": "#"}}, {"items": {"$ref": "#"}}]});
    let unevaluated = (0..40).fold(
        json!({"prefixItems": [{}]}),
        |inner, _| json!({"unevaluatedItems": {"type": "string"}, "anyOf": [inner]}),
    );
    let circle = json!({"allOf": [{"$ref": "#"}, {"$ref": "#"}]});
    let slow = json!({"pattern": "^[ab]*a[ab]{900}c$"});
    let wide = json!({"items": {"anyOf": vec![json!({"const": 1}); 5_000]}});
    for (schema, arguments) in [
        (&twice, nested(100, json!(1))),
        (&unevaluated, json!(["a", 1])),
        (&circle, json!({})),
        (&slow, json!("ab".repeat(50_000))),
        (&wide, json!(vec![2; 5_000])),
    ] {
        let checker = Checker::new(schema);
        assert_eq!(checker.fault(), None);
        assert!(!checker.is_quick(&arguments));
        let errors = checker.errors(&arguments);
        assert!(errors.len() == 1 && errors[0].contains("steps"), "{errors:?}");
    }
    for (schema, arguments) in [(&twice, nested(4, json!([]))), (&slow, json!("a")), (&wide, json!([1]))] {
        let errors = Checker::new(schema).errors(&arguments);
        assert!(!errors.iter().any(|error| error.contains("steps")), "{errors:?}");
    }
    // As deep as may be checked, on the stack of a thread that blocks.
    let deep = json!({"allOf": [{"allOf": [{"items": {"$ref": "#"}}]}]});
    let levels = |levels| Checker::new(&deep).errors(&nested(levels, json!(1)));
    assert!(levels(98).is_empty() && levels(101)[0].contains("steps"));
    // Every error is made before the first one is given out, so many of them are one.
    let many = Checker::new(&json!({"items": {"type": "integer"}})).errors(&json!(vec!["x"; 100_000]));
    assert_eq!(many, ["they do not fit the tool's schema, and are too many to say where"]);
}

#[test]
fn the_usual_ones_are_quick() {
    let schema = json!({
        "type": "object",
        "properties": {
            "id": {"type": "string", "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}$"},
            "tags": {"type": "array", "uniqueItems": true, "items": {"$ref": "#/$defs/tag"}},
        },
        "$defs": {"tag": {"type": "string", "enum": ["a", "b"]}},
    });
    let checker = Checker::new(&schema);
    assert!(checker.is_quick(&json!({"id": "01234567-89ab", "tags": ["a", "b"]})));
    assert!(!checker.is_quick(&json!({"tags": vec!["a"; 10_000]})));
}

fn any_schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({})),
        Just(json!(false)),
        Just(json!({"type": "integer"})),
        Just(json!({"type": ["string", "array"]})),
        Just(json!({"pattern": "^a{1,3}$"})),
        Just(json!({"enum": ["a", 1, [1]]})),
        Just(json!({"uniqueItems": true, "minItems": 1})),
        "[a-c]|self".prop_map(|name| match name.as_str() {
            "self" => json!({"$ref": "#"}),
            name => json!({"$ref": format!("#/$defs/{name}")}),
        }),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let keyword = "allOf|anyOf|oneOf|not|if|then|else|items|prefixItems|contains|unevaluatedItems|additionalProperties|\
            unevaluatedProperties|propertyNames|properties|patternProperties|dependentSchemas";
        let part = (keyword, prop::collection::vec(inner, 1..3)).prop_map(|(keyword, mut schemas)| {
            let value = match keyword.as_str() {
                "allOf" | "anyOf" | "oneOf" | "prefixItems" => Value::Array(schemas),
                "properties" | "patternProperties" | "dependentSchemas" => {
                    Value::Object(["a", "b"].into_iter().map(str::to_owned).zip(schemas).collect())
                }
                _ => schemas.remove(0),
            };
            (keyword, value)
        });
        prop::collection::vec(part, 1..4).prop_map(|parts| Value::Object(parts.into_iter().collect::<Map<_, _>>()))
    })
}

fn any_arguments() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(json!(1)), Just(json!("a")), Just(json!([])), Just(json!({}))];
    leaf.prop_recursive(4, 20, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(Value::Array),
            prop::collection::vec(("[a-d]", inner), 1..4).prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn no_check_takes_more_steps_than_were_foreseen(
        parts in prop::collection::vec(any_schema(), 4),
        arguments in any_arguments(),
    ) {
        let mut parts = parts.into_iter();
        let mut schema = parts.next().unwrap();
        if let Some(root) = schema.as_object_mut() {
            root.insert("$defs".into(), Value::Object(["a", "b", "c"].into_iter().map(str::to_owned).zip(parts).collect()));
        }
        let (asked, foreseen) = asked(&schema, &arguments);
        prop_assert!(foreseen.is_none_or(|foreseen| asked <= foreseen), "{} > {:?}: {} {}", asked, foreseen, schema, arguments);
    }
}
