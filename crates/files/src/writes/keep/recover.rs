//! Settles what processes left that were killed while their programs ran: the programs died with them.

use super::settle::{self, Left};
use super::touched::{Header, Touched};
use crate::beneath::file_type;
use crate::disk::Disk;
use crate::journal::batch::Batch;
use palanca_core::call::{CanonicalPath, Root};
use rustix::fs::FileType;
use std::path::PathBuf;

/// Returns how many there were in this workspace.
pub(crate) fn recover(disk: &Disk) -> usize {
    let Some(journal) = disk.journal() else { return 0 };
    let folder = |path: &std::path::Path| {
        let found = disk.look(&CanonicalPath::new(Root::Workspace, path.to_owned()));
        found.is_ok_and(|(_, stat)| file_type(&stat) == FileType::Directory)
    };
    let mut settled = 0;
    for (batch, record) in Batch::left_behind(journal) {
        let Some(end) = record.iter().position(|byte| *byte == b'\n') else { continue };
        let (header, events) = record.split_at(end + 1);
        let Ok(header) = serde_json::from_slice::<Header>(header) else { continue };
        if PathBuf::from(&header.workspace) != disk.workspace() {
            continue;
        }
        let touched = Touched::read(events, folder);
        if settle::settle((disk, journal), (&touched, Left::Nothing), (batch, &header.origin())).1.is_ok() {
            settled += 1;
        }
    }
    settled
}
