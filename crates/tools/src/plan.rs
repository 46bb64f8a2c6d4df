//! Plans, and the check of answers that have an agreed form. Nothing here touches the world: what comes in decides what
//! comes out, and nothing is kept between calls.

mod domain_map;
mod steps;

mod validate_output;

pub(crate) use steps::SetPlan;
pub(crate) use validate_output::Validate;
