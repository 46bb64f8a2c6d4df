//! kubectl: what it shows may be a secret.

use super::row::{Answer, Seen};

/// Secrets are shown with their values; a format may be read from a file.
pub(super) fn kubectl_get(seen: &Seen<'_>) -> Answer {
    seen.values("-o --output", |format| !format.contains("file"))?;
    seen.all(|text| !text.split([',', '/', '.']).any(|kind| matches!(kind, "secret" | "secrets")))
}
