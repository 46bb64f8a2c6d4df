//! `improve`.

use crate::operation::{Annotations, Offer, Operation, ToolOptions};
use crate::soul::{Dated, ImproveArgs};
use std::time::Duration;

impl Offer for Dated<ImproveArgs> {
    const NAME: &'static str = "improve";
    const DESCRIPTION: &'static str = "Have your own files (SOUL.md, IDENTITY.md, MOTIVATIONS.md, memory) reviewed and improved: clearer, without contradictions and duplicates. What they were is kept. It may take minutes.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn longest(options: &ToolOptions) -> Option<Duration> {
        Some(options.improve.longest)
    }

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        self.improve(options)
    }
}
