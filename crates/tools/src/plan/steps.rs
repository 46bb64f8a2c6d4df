//! A plan of at most [`MOST`] steps, given in full each time. At most one step is in progress; if none is, the first pending
//! one becomes it.

use palanca_core::call::{Claims, ErrorKind, Scope};
use palanca_core::tool::Annotations;
use palanca_core::{Message, Output, Spec, Tool, ToolCx, ToolError};
use palanca_derive::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// Steps of one plan.
const MOST: usize = 15;

/// Written out for one thing that `#[derive(Args)]` does not say: how long a list may be.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct PlanArgs {
    /// The whole plan in order, at most 15 steps; it replaces the one before.
    #[schemars(length(max = MOST))]
    items: Vec<Step>,
}

impl palanca_core::Args for PlanArgs {}

#[derive(Args)]
struct Step {
    /// As an earlier result gave it; steps are numbered anew by their order.
    #[expect(dead_code, reason = "models send back what they were given; the order alone decides")]
    id: Option<String>,
    /// What is to be done: `Map domains`.
    content: String,
    /// The same while it is being done: `Mapping domains`.
    #[arg(rename = "activeForm")]
    active_form: String,
    /// Where it stands; at most one step is `in_progress`.
    status: Status,
}

#[derive(Args, Clone, Copy, PartialEq, Eq)]
enum Status {
    /// Not begun.
    Pending,
    /// Under way.
    InProgress,
    /// Done.
    Completed,
}

impl Status {
    const fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
        }
    }
}

pub(crate) struct SetPlan;

impl Tool for SetPlan {
    type Args = PlanArgs;

    fn spec(&self) -> Spec {
        Spec::new(
            "todo_manager",
            "Set the plan: the whole list of steps each time, at most 15, at most one of them in_progress. Returns {items, maxItems, currentItem}.",
        )
        .annotated(Annotations::READ_ONLY)
    }

    fn effects(&self, args: &PlanArgs, _scope: &Scope) -> Result<Claims, ToolError> {
        check(&args.items)?;
        Ok(Claims::none())
    }

    async fn run(&self, args: PlanArgs, _cx: ToolCx) -> Result<Output, ToolError> {
        let plan = plan(&args.items);
        Ok(Output::text(plan.to_string()).with_data(plan))
    }
}

fn check(steps: &[Step]) -> Result<(), ToolError> {
    let invalid = |message| Err(ToolError::new(ErrorKind::InvalidArguments, message));
    if steps.len() > MOST {
        return invalid(Message::new("plan-too-long").with("count", steps.len()).with("most", MOST));
    }
    for (index, step) in steps.iter().enumerate() {
        for (field, text) in [("content", &step.content), ("activeForm", &step.active_form)] {
            if text.trim().is_empty() {
                return invalid(Message::new("plan-blank").with("step", index + 1).with("field", field));
            }
        }
    }
    let under_way: Vec<String> = (1..)
        .zip(steps)
        .filter(|(_, step)| step.status == Status::InProgress)
        .map(|(number, _): (usize, _)| number.to_string())
        .collect();
    if under_way.len() > 1 {
        return invalid(Message::new("plan-two-under-way").with("steps", under_way.join(", ")));
    }
    Ok(())
}

fn plan(steps: &[Step]) -> Value {
    let current = steps
        .iter()
        .position(|step| step.status == Status::InProgress)
        .or_else(|| steps.iter().position(|step| step.status == Status::Pending));
    let item = |(index, step): (usize, &Step)| {
        let status = if Some(index) == current { Status::InProgress } else { step.status };
        json!({
            "id": format!("step-{}", index + 1),
            "content": step.content,
            "activeForm": step.active_form,
            "status": status.word(),
        })
    };
    let items: Vec<Value> = steps.iter().enumerate().map(item).collect();
    let current = current.and_then(|index| items.get(index)).cloned().unwrap_or_default();
    json!({"items": items, "maxItems": MOST, "currentItem": current})
}
