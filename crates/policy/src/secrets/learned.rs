//! Values that became known while the process runs, such as tokens that a provider hands out.

use super::Known;
use parking_lot::RwLock;
use std::sync::Arc;

/// Values that became known while the process runs: whatever [shares](super::Secrets::sharing) them takes them out from then on,
/// texts that are on their way included. Clones are the same.
#[derive(Clone, Default)]
pub struct Learned(Arc<RwLock<Arc<Known>>>);

impl Learned {
    /// Makes a value known, with the name that is shown in its place. Values that [`Secrets::new`](super::Secrets::new) would
    /// leave out are left out.
    pub fn learn(&self, name: &str, value: &str) {
        let mut known = self.0.write();
        let values = known.values.iter().map(|(name, value)| (name.to_string(), value.clone()));
        *known = Arc::new(Known::new(values.chain([(name.to_owned(), value.to_owned())])));
    }

    pub(super) fn known(&self) -> Arc<Known> {
        Arc::clone(&self.0.read())
    }
}
