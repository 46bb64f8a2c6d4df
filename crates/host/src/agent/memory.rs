//! Where search in memory keeps its indexes: beside the store; nowhere in a dry run, whose notes may be imagined.

use crate::workspace::Workspace;
use palanca_core::ports::MemoryIndexes;
use palanca_store::MemoryFiles;
use std::sync::Arc;

pub(crate) fn indexes(place: &Workspace) -> Arc<dyn MemoryIndexes> {
    let state = place.host.places().state.as_ref();
    Arc::new(state.map_or_else(MemoryFiles::nowhere, |state| MemoryFiles::new(state, place.disk.workspace())))
}

pub(crate) fn nowhere() -> Arc<dyn MemoryIndexes> {
    Arc::new(MemoryFiles::nowhere())
}
