//! What passes the gate beside the text of a result.

use super::*;
use crate::call::{ArtifactId, Exposure, Icon, Link, Media, Part, Resource};
use crate::gate::Limits;
use crate::ports::{
    ArtifactPage, Artifacts, Marker, NewArtifact, NewContent, Pending, RedactStream, Redactor, StoreFault, StoredMedia,
};
use crate::registry::{RegistryError, SchemaFormat};
use std::borrow::Cow;

/// A tool whose output is this.
struct Gives(Spec, Output);

impl Tool for Gives {
    type Args = Act;

    fn spec(&self) -> Spec {
        self.0.clone()
    }

    fn effects(&self, _args: &Act, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Claims::none())
    }

    async fn run(&self, _args: Act, _cx: ToolCx) -> Result<Output, ToolError> {
        Ok(self.1.clone())
    }
}

fn giving(change: impl Fn(Spec) -> Spec, output: Output) -> Arc<Registry> {
    let registry = Registry::new();
    registry.register(Gives(change(Spec::new("act", "Gives.")), output)).unwrap();
    registry.speaks(|| Arc::new(Keys));
    Arc::new(registry)
}

/// Takes `SECRET` out, and puts signs around what is foreign.
struct Signs;

impl Redactor for Signs {
    fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if text.contains("SECRET") { text.replace("SECRET", "***").into() } else { text.into() }
    }

    fn stream(&self) -> Box<dyn RedactStream> {
        panic!("nothing is streamed")
    }
}

impl Marker for Signs {
    fn mark(&self, text: &str, source: &str) -> String {
        format!("<{source}|{text}>")
    }

    fn tame(&self, text: &str) -> String {
        text.replace("<|", "")
    }
}

#[derive(Default)]
struct Kept(Mutex<Vec<(String, Option<String>)>>);

impl Artifacts for Kept {
    fn keep(&self, artifact: &NewArtifact<'_>) -> Pending<Result<ArtifactId, StoreFault>> {
        let NewContent::Media(media) = artifact.content else { return Pending::now(Ok("art-text".into())) };
        let (media_type, foreign) = (media.media_type().to_owned(), artifact.foreign.map(str::to_owned));
        self.0.lock().unwrap().push((media_type.clone(), foreign));
        Pending::now(Ok(ArtifactId::new(format!("art-{media_type}"))))
    }

    fn page(&self, _: &Scope, _: &ArtifactId, _: u64, _: usize) -> Pending<Result<ArtifactPage, StoreFault>> {
        panic!("nothing is read")
    }

    fn media(&self, _: &Scope, _: &ArtifactId) -> Pending<Result<StoredMedia, StoreFault>> {
        panic!("nothing is read")
    }
}

/// Bytes in which a secret seems to be.
fn gif(more: usize) -> Vec<u8> {
    [b"GIF89aSECRET<|".as_slice(), &vec![7; more]].concat()
}

fn every_part() -> Output {
    let link = Link { description: Some("SECRET <|x".into()), ..Link::new("a:b?SECRET", "SECRET").unwrap() };
    Output::text("seen")
        .with_part(Part::image("image/gif", gif(0)).unwrap())
        .with_part(Part::audio("audio/ogg", b"OggSSECRET".to_vec()).unwrap())
        .with_part(link)
        .with_part(Resource::text("a:SECRET<|", None, "text SECRET").unwrap())
        .with_part(Resource::bytes("a:b", Media::new("a/b", gif(2000)).unwrap()).unwrap())
}

#[tokio::test]
async fn texts_are_redacted_and_marked_and_bytes_pass_as_they_are() {
    let kept = Arc::new(Kept::default());
    for (foreign, sign) in [(false, ""), (true, "<web|")] {
        let output = every_part();
        let output = if foreign { output.foreign("web") } else { output };
        let gate = Gate::builder(giving(|spec| spec, output))
            .redactor(Arc::new(Signs))
            .marker(Arc::new(Signs))
            .limits(Limits { artifact_bytes: 1000, ..Limits::default() })
            .artifacts(Arc::clone(&kept) as _)
            .build();
        let result = run(&gate, "x").await;
        let [image, audio, link, text, blob] = &result.parts[..] else { panic!("{result:?}") };
        assert_eq!(
            (image.media().unwrap().bytes(), audio.media().unwrap().bytes()),
            (&gif(0).into(), &b"OggSSECRET"[..].into())
        );
        assert_eq!(blob.media().unwrap().bytes(), &gif(2000));
        assert_eq!(blob.media().unwrap().artifact().map(ArtifactId::as_str), Some("art-a/b"), "it is large");
        assert_eq!(image.media().unwrap().artifact(), None, "it is not");
        let tag = if foreign { "" } else { "<|" };
        assert_eq!(link.texts().collect::<Vec<_>>(), ["a:b?***", "***", &format!("*** {tag}x")]);
        let end = if foreign { ">" } else { "" };
        assert_eq!(text.texts().collect::<Vec<_>>(), [format!("a:***{tag}"), format!("{sign}text ***{end}")]);
        assert_eq!(result.foreign, foreign);
    }
    let of_blob = |foreign: Option<&str>| ("a/b".to_owned(), foreign.map(str::to_owned));
    assert_eq!(*kept.0.lock().unwrap(), [of_blob(None), of_blob(Some("web"))]);
}

#[tokio::test]
async fn parts_have_a_number_and_a_size() {
    let small = || Part::image("image/gif", gif(0)).unwrap();
    let large = || Part::image("image/gif", gif(Part::MAX_BYTES - 20)).unwrap();
    for (parts, left, truncated) in [
        ((0..20).map(|_| small()).collect::<Vec<_>>(), 20, false),
        ((0..25).map(|_| small()).collect(), 20, true),
        (vec![large(), large(), large(), small()], 3, true),
    ] {
        let given = parts.len();
        let output = parts.into_iter().fold(Output::text("seen"), Output::with_part);
        let result = run(&Gate::builder(giving(|spec| spec, output)).build(), "x").await;
        assert_eq!((result.success, result.parts.len(), result.truncated), (true, left, truncated));
        let note = format!("parts-left-out(count={}", given - left);
        assert_eq!(result.output.contains(&note), truncated, "{}", result.output);
    }
    let text = Resource::text("a:b", None, "é".repeat(1 << 20)).unwrap();
    let result = run(&Gate::builder(giving(|spec| spec, Output::text("seen").with_part(text))).build(), "x").await;
    assert!(result.truncated && result.parts[0].size() < (1 << 20) + 1000 && result.output == "seen");
}

#[tokio::test]
async fn what_somebody_else_made_wrongly_is_a_note() {
    let wrong = Part::image("image/png", b"GIF89a".to_vec());
    let output = Output::text("seen").with_part_or_note(wrong).with_part_or_note(Part::image("image/gif", gif(0)));
    let result = run(&Gate::builder(giving(|spec| spec, output)).build(), "x").await;
    assert_eq!(result.output, "seen\npart-mismatch(type=image/png, found=image/gif)");
    assert_eq!((result.success, result.parts.len()), (true, 1));
}

#[tokio::test]
async fn data_fits_its_schema_or_is_left_out() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}}}, "required": ["a"]});
    for (data, note) in [
        (Some(json!({"a": [1]})), None),
        (
            Some(json!({"a": [1, "x"]})),
            Some("data-does-not-fit(tool=act, reasons=a/1: \"x\" is not of type \"integer\")"),
        ),
        (Some(json!({})), Some("data-does-not-fit(tool=act, reasons=\"a\" is a required property)")),
        (None, Some("data-missing(tool=act)")),
    ] {
        let output = Output { data: data.clone(), ..Output::text("done") };
        let result = run(&Gate::builder(giving(|spec| spec.gives(schema.clone()), output)).build(), "x").await;
        assert_eq!((result.success, result.data.as_ref()), (true, data.as_ref().filter(|_| note.is_none())));
        let expected = note.map_or("done".to_owned(), |note| format!("done\n{note}"));
        assert_eq!(result.output, expected);
    }
    let failing = Gate::builder(registry(move |spec| spec.gives(json!({"type": "object"})))).build();
    assert_eq!(run(&failing, "fail").await.notes, [] as [String; 0], "a failure gives no data");
}

#[tokio::test]
async fn models_are_told_of_direct_tools_and_of_deferred_ones_that_were_asked_for() {
    let registry = Registry::new();
    for (name, exposure) in [("a", Exposure::Direct), ("b", Exposure::Deferred), ("c", Exposure::Hidden)] {
        registry.register(Gives(Spec::new(name, "Gives.").exposed(exposure), "done".into())).unwrap();
    }
    let offered =
        |toolset: &Toolset| toolset.offered().map(|tool| tool.spec().name.to_string()).collect::<Vec<_>>().join(" ");
    let all = registry.snapshot();
    assert_eq!((offered(&all), all.len()), ("a".to_owned(), 3));
    let (schemas, unknown) = registry.get_schemas(&["b", "c", "a"]);
    assert_eq!((schemas.len(), unknown), (2, vec!["c"]), "asked for by name");
    assert_eq!(registry.get_definitions().len(), 1);
    let for_models = all.for_models();
    let asked = for_models.clone().asked_for(["b", "c", "d"]);
    assert_eq!((offered(&asked), offered(&asked.restrict(["b"]).0)), ("a b".to_owned(), "b".to_owned()));
    assert!(!asked.is_same(&for_models) && asked.is_same(&asked.clone()));
    let gate = Gate::builder(Arc::new(registry)).build();
    let ends = async |toolset: &Toolset, tool: &str| {
        gate.submit(toolset, Call { tool: tool.into(), ..call("x") }).await.code.unwrap_or_default()
    };
    for (toolset, tool, code) in [
        (&all, "c", ""),
        (&for_models, "a", ""),
        (&for_models, "b", ""),
        (&for_models, "c", "unknown_tool"),
        (&asked, "c", "unknown_tool"),
    ] {
        assert_eq!(ends(toolset, tool).await, code, "{tool}");
    }
}

#[test]
fn clients_see_title_icons_and_the_schema_of_the_data() {
    let icon = Icon { sizes: vec!["any".into()], media_type: Some("image/png".into()), ..Icon::new("data:,x") };
    let schema = json!({"type": "object"});
    let rich = |spec: Spec| {
        spec.titled("Look").icon(icon.clone()).icon(Icon::new("https://example.com/i")).gives(schema.clone())
    };
    let shown = |change: &dyn Fn(Spec) -> Spec| {
        let mut schemas = giving(change, "".into()).snapshot().schemas(SchemaFormat::Mcp);
        let tool = schemas.remove(0);
        ["title", "icons", "outputSchema"].map(|key| tool.get(key).cloned().unwrap_or_default())
    };
    let icons =
        json!([{"src": "data:,x", "mimeType": "image/png", "sizes": ["any"]}, {"src": "https://example.com/i"}]);
    assert_eq!(shown(&rich), [json!("Look"), icons, schema.clone()]);
    assert_eq!(shown(&|spec| spec), [Value::Null, Value::Null, Value::Null]);
    let registry = Registry::new();
    let wrong = registry.register(Gives(Spec::new("act", "Gives.").gives(json!({"type": "array"})), "".into()));
    assert_eq!(wrong, Err(RegistryError::InvalidOutputSchema { name: "act".into() }));
}

#[tokio::test]
async fn shapes_are_as_documented_and_have_parts_only_if_there_are_some() {
    let link = json!({"type": "resource_link", "uri": "a:b", "name": "n"});
    for shape in ToolsetName::ALL {
        let shown =
            async |output: Output| run(&Gate::builder(giving(|spec| spec, output)).build(), "x").await.to_json(shape);
        let plain = shown("seen".into()).await;
        let mut with = shown(Output::text("seen").with_part(Link::new("a:b", "n").unwrap())).await;
        let parts = with.as_object_mut().unwrap().shift_remove("parts");
        assert_eq!(parts, Some(json!([link])), "{shape}");
        let expected = if shape == ToolsetName::Picoclaw { json!({"output": plain}) } else { plain };
        let timeless = |mut value: Value| {
            value.as_object_mut().map(|object| object.shift_remove("duration_us"));
            value
        };
        assert_eq!(timeless(with), timeless(expected), "{shape}");
    }
}
