//! Maps transport failures to the caller's errors.

use super::HttpModel;
use crate::error::{Cause, MAX_MESSAGE, MAX_NONSENSE, ModelError, ModelErrorKind, Retry, quote};
use crate::retry::asked_pause;
use crate::wire::{Fault, classify, server_message};
use futures_util::StreamExt as _;
use palanca_core::call::shown_origin;
use palanca_core::ports::http::{HttpError, HttpErrorKind, HttpResponse, Phase};
use palanca_core::ports::is_searchable;

/// Longest error page that is read; only its first 500 characters are shown.
const MAX_PAGE: usize = 64 << 10;

impl HttpModel {
    pub(super) fn transport_error(&self, error: &HttpError) -> ModelError {
        let limit = self.options.timeout;
        let words = || Cause::Words(self.without_key(&error.detail));
        let (kind, cause) = match error.kind {
            HttpErrorKind::Timeout(Phase::Connect) => (ModelErrorKind::Timeout, Cause::NoConnection),
            HttpErrorKind::Timeout(Phase::FirstByte) => (ModelErrorKind::Timeout, Cause::NoAnswer { within: limit }),
            HttpErrorKind::Timeout(Phase::Idle) => (ModelErrorKind::Timeout, Cause::Silence { of: limit }),
            HttpErrorKind::Interrupted => (ModelErrorKind::Interrupted, words()),
            _ => (ModelErrorKind::Unreachable, words()),
        };
        let failure = ModelError::because(kind, &self.endpoint.place, cause);
        match error.kind {
            // A retry changes neither an address nor a certificate.
            HttpErrorKind::InvalidUrl | HttpErrorKind::NotAllowed | HttpErrorKind::Tls => {
                failure.with_retry(Retry::Never)
            }
            _ => failure,
        }
    }

    /// `received` is the beginning of the body, for answers that are not even events.
    pub(super) fn fault(&self, fault: Fault, received: &[u8]) -> ModelError {
        let place = &self.endpoint.place;
        match fault {
            Fault::Nonsense(shown) => ModelError::new(ModelErrorKind::Malformed, place, self.without_key(&shown)),
            Fault::Silence => {
                let head = quote(&String::from_utf8_lossy(received), MAX_NONSENSE);
                let cause = if head.is_empty() { Cause::Nothing } else { Cause::Words(self.without_key(&head)) };
                ModelError::because(ModelErrorKind::Malformed, place, cause)
            }
            Fault::Server(report) => {
                let (kind, retry) = classify(None, &report);
                let message = quote(&report.message, MAX_MESSAGE);
                ModelError::new(kind, place, self.without_key(&message)).with_retry(retry)
            }
            Fault::Cut => ModelError::because(ModelErrorKind::Interrupted, place, Cause::Unclosed),
        }
    }

    /// The error of a response whose status says that it is no answer; the report, for callers that need its details.
    pub(super) async fn status_error(&self, mut response: HttpResponse) -> (ModelError, crate::wire::Report) {
        let mut page = Vec::new();
        // A truncated page still says more than none.
        while let Some(Ok(piece)) = response.body.next().await {
            page.extend_from_slice(&piece);
            if page.len() > MAX_PAGE {
                page.truncate(MAX_PAGE);
                break;
            }
        }
        let report = server_message(&page);
        let status = response.status;
        let (kind, mut retry) = classify(Some(status), &report);
        let number = |name: &str| response.header(name)?.trim().parse::<f64>().ok();
        if retry == Retry::Soon
            && let Some(asked) = asked_pause(number)
        {
            retry = Retry::After(asked);
        }
        let redirect = response
            .header("location")
            .filter(|_| (300..400).contains(&status))
            .map(|to| format!(", which points to {}", shown_origin(to)))
            .unwrap_or_default();
        let detail = format!("HTTP {status}{redirect}: {}", report.message);
        let error = ModelError::new(kind, &self.endpoint.place, self.without_key(&detail))
            .with_status(status)
            .with_retry(retry);
        (error, report)
    }

    /// Some servers quote the key back.
    fn without_key(&self, text: &str) -> String {
        match self.endpoint.key.as_ref().map(|key| key.expose()) {
            Some(key) if is_searchable(key) => text.replace(key, "(the key)"),
            _ => text.to_owned(),
        }
    }
}
