//! The end of a dry run: everything that would change, as one diff that `git apply` takes.

use crate::exit::Failure;
use palanca_files::{Overlay, text};
use palanca_tools::edit::diff;

/// One unified diff over all files; binary ones are named and left out.
pub fn diff(overlay: &Overlay) -> Result<String, Failure> {
    let mut whole = String::new();
    for changed in overlay.changes()? {
        let path = changed.path.to_string();
        let (Some(before), Some(after)) = (readable(changed.before.as_deref()), readable(changed.after.as_deref()))
        else {
            whole.push_str(&format!("Binary file {path} would change\n"));
            continue;
        };
        whole.push_str(&diff::unified(&path, before.as_deref(), after.as_deref()).text);
    }
    Ok(whole)
}

/// The text, where there is a file; nothing at all when it is no text.
fn readable(bytes: Option<&[u8]>) -> Option<Option<String>> {
    match bytes {
        None => Some(None),
        Some(bytes) => text::decode(bytes).ok().map(|decoded| Some(decoded.text)),
    }
}
