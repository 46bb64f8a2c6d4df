//! Verdicts on addresses: what the network door says before it asks anybody. Where a name leads is judged when it is used.

use super::Verdict;
use palanca_core::ToolError;
use palanca_core::call::Reach;
use palanca_core::ports::Web;

/// Judges one address. `told` turns an error into a rule and a reason.
pub(super) fn judge(door: &dyn Web, input: &str, told: impl Fn(&ToolError) -> (String, String)) -> Verdict {
    match door.locate(&Reach::get(input)) {
        Ok(_) => Verdict::allow(),
        Err(error) => {
            let (rule, reason) = told(&error.into_tool_error());
            Verdict::deny(rule, reason)
        }
    }
}
