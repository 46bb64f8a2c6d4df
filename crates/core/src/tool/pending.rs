//! One call's arguments in the tool's own form, until they run: shown as often as needed, run once.

use super::erased::{AnyTool, Prepared};
use crate::call::{Preview, Spec, ToolError};
use crate::ports::{CalledTool, PreviewCx};
use parking_lot::Mutex;
use std::sync::Arc;

pub(crate) struct Pending {
    tool: Arc<dyn AnyTool>,
    prepared: Mutex<Option<Box<dyn Prepared>>>,
}

impl Pending {
    pub(crate) fn new(tool: Arc<dyn AnyTool>, prepared: Box<dyn Prepared>) -> Arc<Self> {
        Arc::new(Self { tool, prepared: Mutex::new(Some(prepared)) })
    }

    /// The prepared call; none once taken.
    pub(crate) fn take(&self) -> Option<Box<dyn Prepared>> {
        self.prepared.lock().take()
    }
}

impl CalledTool for Pending {
    fn spec(&self) -> &Spec {
        self.tool.spec()
    }

    fn preview(&self, cx: &PreviewCx) -> Result<Option<Preview>, ToolError> {
        self.prepared.lock().as_ref().map_or(Ok(None), |prepared| prepared.preview(cx))
    }
}
