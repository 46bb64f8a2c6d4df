//! Verdicts on addresses: the network door's judgement before name resolution. Resolved addresses are judged when used.

use super::Verdict;
use palanca_core::Catalogue;
use palanca_core::call::HttpAccess;
use palanca_core::ports::Web;

/// Judges one address; the rule is the one that the gate would name.
pub(super) fn judge(door: &dyn Web, input: &str, catalogue: &dyn Catalogue) -> Verdict {
    match door.locate(&HttpAccess::get(input)) {
        Ok(_) => Verdict::allow(),
        Err(error) => {
            let rule = format!("net.{}", error.kind.name());
            Verdict::deny(rule, catalogue.render(error.into_tool_error().message()))
        }
    }
}
