//! Checking an answer before it is given: `validate_output` of the document.

use crate::operation::Offer;
use crate::options::ToolOptions;
use crate::plan;
use palanca_core::tool::Annotations;
use palanca_derive::Args;
use serde_json::Value;

#[derive(Args)]
pub(crate) struct ValidateArgs {
    /// What the answer is to be: `domain_map`, or a type of the configuration.
    #[arg(rename = "outputType")]
    output_type: String,
    /// The answer.
    data: Value,
}

pub(crate) struct ValidateOutput;

impl Offer for ValidateOutput {
    type Args = ValidateArgs;
    type Operation<'a> = plan::Validate<'a>;
    const NAME: &'static str = "validate_output";
    const DESCRIPTION: &'static str =
        "Check an answer against its type: {valid, errors, warnings}. Warnings never make an answer invalid.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;

    fn operation<'a>(args: &'a ValidateArgs, options: &'a ToolOptions) -> plan::Validate<'a> {
        plan::Validate { output_type: &args.output_type, data: &args.data, types: &options.output_types }
    }
}
