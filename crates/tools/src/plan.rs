//! Plans, and the check of answers that have an agreed form. Pure functions: the output depends only on
//! the input, and nothing is kept between calls.

mod domain_map;
mod steps;

mod validate_output;

pub(crate) use steps::SetPlan;
pub(crate) use validate_output::Validate;
