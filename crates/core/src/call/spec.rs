//! A tool's static specification: name, description, hints, limits.

use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;
use std::time::Duration;

/// Hints for clients and models. Never authority: the gate judges effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Annotations {
    /// Changes nothing.
    pub read_only: bool,
    /// May remove or overwrite.
    pub destructive: bool,
    /// Running it twice does no more than running it once.
    pub idempotent: bool,
    /// Reaches beyond this machine.
    pub open_world: bool,
}

impl Annotations {
    /// A tool that only reads, on this machine.
    pub const READ_ONLY: Self = Self { read_only: true, destructive: false, idempotent: true, open_world: false };
    /// A tool that changes files.
    pub const WRITES: Self = Self { read_only: false, destructive: true, idempotent: false, open_world: false };
}

/// Where a tool's run is polled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// On the runtime's workers: for tools that await, and neither block nor compute for long in between.
    ///
    /// **One that never awaits cannot be ended.** Time limits and cancellation take effect where it awaits; until then it holds
    /// its worker, and on a single-threaded runtime everything else, its own time limit included.
    Cooperative,
    /// On a thread of its own: for tools that block, or compute for long. At its time limit, or when it is cancelled, the call
    /// ends with that result and the tool's handles are void; one that never returns costs its thread and nothing else.
    Blocking,
    /// As `Blocking`, for tools that do nothing but read files. Where all of those are at hand
    /// ([`Files::is_at_hand`](crate::ports::Files::is_at_hand)), on a worker, because they are read before another thread
    /// has begun.
    Reading,
}

/// Whether a person is asked in the mode `confirm-sensitive`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sensitivity {
    /// Sensitive when an effect changes something.
    FromEffects,
    /// Always sensitive. A tool may raise its sensitivity, never lower it.
    Always,
}

/// What repeating the same call means for a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// A model that repeats itself is stuck.
    Stuck,
    /// The tool watches something that changes by itself.
    Watches,
}

/// Whether models are told of a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Exposure {
    /// With every request.
    #[default]
    Direct,
    /// Once it has been asked for ([`Toolset::asked_for`](crate::Toolset::asked_for)): a request stays small although there are
    /// many tools. It can be called before.
    Deferred,
    /// Never, and their calls do not reach it. People and programs call it by its name.
    Hidden,
}

/// A picture for a tool in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Icon {
    /// An `https:` or `data:` URI.
    pub src: Cow<'static, str>,
    /// The media type, if the URI does not tell it.
    #[serde(rename = "mimeType", skip_serializing_if = "Option::is_none")]
    pub media_type: Option<Cow<'static, str>>,
    /// Sizes it is made for: `48x48`, or `any`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<Cow<'static, str>>,
}

impl Icon {
    /// An icon of any size.
    #[must_use]
    pub fn new(src: impl Into<Cow<'static, str>>) -> Self {
        Self { src: src.into(), media_type: None, sizes: Vec::new() }
    }
}

/// A tool's specification.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::Spec;
/// use palanca::call::Annotations;
/// use std::time::Duration;
///
/// let spec = Spec::new("count_lines", "Counts the lines of a file.")
///     .annotated(Annotations::READ_ONLY)
///     .timeout(Duration::from_secs(5))
///     .blocking();
/// assert_eq!(spec.name, "count_lines");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// 1 to 64 characters of `[A-Za-z0-9_-]`, which every provider allows.
    pub name: Cow<'static, str>,
    /// The name for people, if it differs.
    pub title: Option<Cow<'static, str>>,
    /// For the model: what it does, when to use it.
    pub description: Cow<'static, str>,
    /// For lists of tools that people see.
    pub icons: Vec<Icon>,
    /// The JSON Schema of [`Output::data`](super::Output::data): an object schema. Data that does not fit is left out, and a
    /// note names what is wrong where: the tool has done its work, so a failure would only make a model do it again.
    pub output_schema: Option<Box<Value>>,
    /// Whether models are told of it.
    pub exposure: Exposure,
    /// Whether agents whose tools are a list have it although the list does not name it: the operator added it by other means.
    pub joins_lists: bool,
    /// Whether it makes calls of its own while it runs, each of which passes the gate ([`CallsHandle`](crate::gate::CallsHandle)).
    pub makes_calls: bool,
    /// Hints.
    pub annotations: Annotations,
    /// The time limit; then the call is stopped.
    pub timeout: Duration,
    /// Where it runs.
    pub lane: Lane,
    /// When it needs a person.
    pub sensitivity: Sensitivity,
    /// What repeated calls mean.
    pub repetition: Repetition,
}

impl Spec {
    /// The default time limit.
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(120);

    /// A specification with the defaults: two minutes, cooperative, sensitivity from effects, read-only hints.
    #[must_use]
    pub fn new(name: impl Into<Cow<'static, str>>, description: impl Into<Cow<'static, str>>) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: description.into(),
            icons: Vec::new(),
            output_schema: None,
            exposure: Exposure::Direct,
            joins_lists: false,
            makes_calls: false,
            annotations: Annotations::READ_ONLY,
            timeout: Self::DEFAULT_TIMEOUT,
            lane: Lane::Cooperative,
            sensitivity: Sensitivity::FromEffects,
            repetition: Repetition::Stuck,
        }
    }

    /// The same, with a name for people.
    #[must_use]
    pub fn titled(mut self, title: impl Into<Cow<'static, str>>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// The same, with one more icon.
    #[must_use]
    pub fn icon(mut self, icon: Icon) -> Self {
        self.icons.push(icon);
        self
    }

    /// The same, with the JSON Schema of the output's data.
    #[must_use]
    pub fn gives(mut self, schema: impl Into<Value>) -> Self {
        self.output_schema = Some(Box::new(schema.into()));
        self
    }

    /// The same, told to models only as this says.
    #[must_use]
    pub const fn exposed(mut self, exposure: Exposure) -> Self {
        self.exposure = exposure;
        self
    }

    /// The same, for a tool that blocks its thread while it works.
    #[must_use]
    pub fn blocking(mut self) -> Self {
        self.lane = Lane::Blocking;
        self
    }

    /// The same, with these hints.
    #[must_use]
    pub fn annotated(mut self, annotations: Annotations) -> Self {
        self.annotations = annotations;
        self
    }

    /// The same, for a tool that is called repeatedly to see whether something has changed.
    #[must_use]
    pub fn watching(mut self) -> Self {
        self.repetition = Repetition::Watches;
        self
    }

    /// The same, with another time limit.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }
}
