//! One request as the operations of the web make it.

use palanca_core::call::HttpAccess;
use palanca_core::ports::http::Header;
use palanca_core::ports::{WebAnswer, WebError, WebHandle, WebLimits};
use std::time::Duration;

pub(super) struct Ask<'a> {
    pub(super) headers: &'a [Header],
    pub(super) limits: WebLimits,
    /// The oldest answer that will do.
    pub(super) fresh: Duration,
}

impl Ask<'_> {
    /// Sends it. What is kept in memory counts only if `worth` says so: a cached failure is not used.
    pub(super) async fn send(
        &self,
        web: &WebHandle,
        reach: &HttpAccess,
        worth: impl Fn(&WebAnswer) -> bool + Send,
    ) -> Result<WebAnswer, WebError> {
        let answer = web.open(reach, self.headers, self.limits, self.fresh).await?;
        if answer.age.is_none() || worth(&answer) {
            return Ok(answer);
        }
        web.open(reach, self.headers, self.limits, Duration::ZERO).await
    }
}
