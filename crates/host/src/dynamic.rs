//! Tools that bots made: the store that they are in, what people decided about them, and how they join the tools of a bot.
//!
//! A tool is a folder of the workspace with `meta.json` and a source. Whether it runs is decided here alone, by what is kept in the state
//! directory, where neither bots nor their programs write: the hash of exactly what a person approved. What the folder says
//! of itself approves nothing, and what differs from the hash does not run.

mod approvals;
mod joined;
mod made;
mod scripts;

pub use approvals::{Decided, Decision};
pub(crate) use joined::join;
pub use made::{Listing, MadeTool, Patch, Standing};
pub(crate) use scripts::Runner;

use crate::agent::{Extension, bots};
use crate::fault::Fault;
use crate::workspace::Workspace;
use approvals::Approvals;
use jiff::Timestamp;
use palanca_config::Config;
use palanca_core::call::{CallId, CanonicalPath, Digest, SessionId};
use palanca_core::message::Keys;
use palanca_core::ports::{Change, ChangeOrigin, EntryKind, Expect, FileError, FileErrorKind, Files as _, Processes};
use palanca_core::tool::Cancel;
use palanca_core::{Message, Registry};
use palanca_dynamic::{Kind, LARGEST_META, LARGEST_SOURCE, Manifest, Status, analyse, check_name};
use palanca_files::Disk;
use palanca_scripts::Engine;
use palanca_tools::Scripts as _;
use std::io::Read as _;
use std::sync::Arc;

/// Characters of what a person says of a rejection.
const LONGEST_NOTE: usize = 1_000;

/// The made tools of one workspace. Cheap to open and to clone: everything is read when it is asked for.
#[derive(Clone)]
pub struct DynamicTools {
    disk: Arc<Disk>,
    /// From the workspace's root.
    dir: String,
    approvals: Approvals,
    programs: Arc<dyn Processes>,
}

impl DynamicTools {
    /// Those that this configuration names (`dynamicTools.storePath`).
    #[must_use]
    pub fn open(workspace: &Workspace, config: &Config) -> Self {
        let dir = bots::made(config);
        let place = workspace.disk.workspace().join(&dir);
        let approvals = Approvals::new(workspace.host.places().state.as_deref(), &place);
        Self { disk: Arc::clone(&workspace.disk), dir, approvals, programs: workspace.programs() }
    }

    /// All of them, the oldest first, and the folders that hold none, each with what is wrong.
    ///
    /// # Errors
    /// The store itself cannot be read.
    pub fn list(&self) -> Result<Listing, Fault> {
        let mut listing = Listing::default();
        let entries = match self.store().and_then(|store| self.disk.entries(&store)) {
            Ok(entries) => entries,
            Err(error) if error.kind == FileErrorKind::NotFound => return Ok(listing),
            Err(error) => return Err(fault(error)),
        };
        for entry in entries.into_iter().filter(|entry| entry.kind != EntryKind::File) {
            match self.read(&entry.name) {
                Ok(Some(tool)) => listing.tools.push(tool),
                Ok(None) => {}
                Err(why) => listing.unreadable.push((entry.name, why)),
            }
        }
        listing.tools.sort_by_cached_key(|tool| (tool.manifest.created_at.clone(), tool.manifest.id.clone()));
        listing.unreadable.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(listing)
    }

    /// One of them.
    ///
    /// # Errors
    /// No such tool, or one that cannot be read.
    pub fn show(&self, id: &str) -> Result<MadeTool, Fault> {
        check_name(id).map_err(Fault::said)?;
        self.read(id).map_err(Fault::said)?.ok_or_else(|| Fault::said(Message::new("dynamic-unknown").with("name", id)))
    }

    /// Approves exactly what has this digest; it joins the tools of its bots at their next step. `by` is for the record.
    ///
    /// # Errors
    /// As [`Self::show`]; it is another by now, has a pattern that no tool may have, or the decision cannot be kept.
    pub fn approve(&self, id: &str, digest: &str, by: &str) -> Result<MadeTool, Fault> {
        let tool = self.as_shown(id, digest)?;
        if let Some(why) = tool.analysis().refused {
            return Err(Fault::said(Message::new("dynamic-not-approvable").with("name", id).with("reason", why)));
        }
        self.decide(tool, Decision::new(Decided::Approved, digest, by))
    }

    /// Rejects it: it leaves the tools of its bots, and its name stays taken.
    ///
    /// # Errors
    /// As [`Self::show`]; the decision cannot be kept.
    pub fn reject(&self, id: &str, note: Option<&str>, by: &str) -> Result<MadeTool, Fault> {
        let tool = self.show(id)?;
        let note = note.map(str::trim).filter(|note| !note.is_empty());
        let note = note.map(|note| note.chars().take(LONGEST_NOTE).collect());
        let decision = Decision { note, ..Decision::new(Decided::Rejected, &tool.digest, by) };
        self.decide(tool, decision)
    }

    /// Removes it with its folder: its name is free again, and what was decided counts for nothing.
    ///
    /// # Errors
    /// An unknown name; a folder that cannot be removed.
    pub fn delete(&self, id: &str, by: &str) -> Result<(), Fault> {
        check_name(id).map_err(Fault::said)?;
        let path = self.store().map_err(fault)?.join(id);
        match self.disk.info(&path) {
            Ok(_) => {}
            Err(error) if error.kind == FileErrorKind::NotFound => {
                return Err(Fault::said(Message::new("dynamic-unknown").with("name", id)));
            }
            Err(error) => return Err(fault(error)),
        }
        self.approvals.add(id, &Decision::new(Decided::Deleted, "", by))?;
        self.commit(&[Change::Delete { path, expect: Expect::Anything }])
    }

    /// Changes what a person may change of it. What was approved before does not cover it. Reads and writes files where it is called.
    ///
    /// # Errors
    /// As [`Self::show`]; it would be no tool.
    pub async fn update(&self, id: &str, patch: Patch, by: &str) -> Result<MadeTool, Fault> {
        let MadeTool { mut manifest, source: before, .. } = self.show(id)?;
        let source = patch.apply(&mut manifest, &before).map_err(Fault::said)?;
        manifest.check().map_err(Fault::said)?;
        if let Some(why) = analyse(&manifest, &source).refused {
            return Err(Fault::said(why));
        }
        if manifest.kind == Kind::Typescript && source != before {
            let engine = Engine::new(Arc::clone(&self.programs), Arc::new(Keys));
            Runner(engine).check(&source, &Cancel::new()).await.map_err(Fault::said)?;
        }
        (manifest.status, manifest.updated_at) = (Status::Pending, now());
        let folder = self.store().map_err(fault)?.join(id);
        let write = |name: &str, after: String, expect| Change::Write {
            path: folder.join(name),
            content: after.into_bytes(),
            expect,
            mode: None,
        };
        let same = Expect::Content(Digest::of_bytes(before.as_bytes()));
        self.commit(&[
            write("meta.json", manifest.text(), Expect::Anything),
            write(manifest.kind.file(), source, same),
        ])?;
        let tool = self.show(id)?;
        self.approvals.add(id, &Decision::new(Decided::Changed, &tool.digest, by))?;
        self.show(id)
    }

    /// The tool as it is now, approved or not, for one session of a person who tries it. It runs only as long as it has this digest.
    ///
    /// # Errors
    /// As [`Self::approve`].
    pub fn on_trial(&self, id: &str, digest: &str, config: &Config) -> Result<Arc<dyn Extension>, Fault> {
        joined::on_trial(self, &self.as_shown(id, digest)?, config).map_err(Fault::said)
    }

    /// The tool, if it still has the digest that somebody was shown.
    fn as_shown(&self, id: &str, digest: &str) -> Result<MadeTool, Fault> {
        let tool = self.show(id)?;
        if tool.digest == digest {
            return Ok(tool);
        }
        Err(Fault::said(Message::new("dynamic-changed-meanwhile").with("name", id)))
    }

    fn decide(&self, tool: MadeTool, decision: Decision) -> Result<MadeTool, Fault> {
        let MadeTool { mut manifest, source, digest, .. } = tool;
        let id = manifest.id.clone();
        let decision = match decision.what {
            Decided::Approved => Decision { manifest: Some(manifest.clone()), source: Some(source), ..decision },
            _ => decision,
        };
        manifest.status = if decision.what == Decided::Approved { Status::Approved } else { Status::Rejected };
        (manifest.updated_at, manifest.rejection_note) = (decision.at.clone(), decision.note.clone());
        let path = self.store().map_err(fault)?.join(&id).join("meta.json");
        // What people see in the file; it is the decision below that counts, and only for this digest.
        let content = manifest.text().into_bytes();
        self.commit(&[Change::Write { path, content, expect: Expect::Anything, mode: None }])?;
        self.approvals.add(&id, &decision)?;
        self.as_shown(&id, &digest)
    }

    fn commit(&self, changes: &[Change]) -> Result<(), Fault> {
        let session = SessionId::new(uuid::Uuid::now_v7().to_string());
        let origin = ChangeOrigin { session, call: CallId::new("dynamic") };
        self.disk.commit(changes, &origin).map(drop).map_err(fault)
    }

    fn store(&self) -> Result<CanonicalPath, FileError> {
        self.disk.locate(&self.dir)
    }

    /// The tool in this folder; None where the folder is empty.
    fn read(&self, id: &str) -> Result<Option<MadeTool>, Message> {
        check_name(id)?;
        let folder = self.store().map_err(said)?.join(id);
        let Some(meta) = self.text(&folder.join("meta.json"), LARGEST_META)? else {
            return match self.disk.entries(&folder) {
                Ok(entries) if entries.is_empty() => Ok(None),
                Ok(_) => Err(broken(id, "meta.json is missing")),
                Err(error) if error.kind == FileErrorKind::NotFound => Ok(None),
                Err(error) => Err(said(error)),
            };
        };
        let manifest = Manifest::parse(id, &meta)?;
        let file = manifest.kind.file();
        let source = self.text(&folder.join(file), LARGEST_SOURCE)?;
        let source = source.ok_or_else(|| broken(id, &format!("{file} is missing")))?;
        let history = self.approvals.of(id)?;
        Ok(Some(MadeTool::new(manifest, source, history)))
    }

    /// A text, opened without following a link; None where there is nothing.
    fn text(&self, path: &CanonicalPath, limit: usize) -> Result<Option<String>, Message> {
        let opened = match self.disk.open(path) {
            Ok(opened) => opened,
            Err(error) if error.kind == FileErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(said(error)),
        };
        let failed =
            |reason: String| Message::new("dynamic-unreadable").with("path", path.to_string()).with("reason", reason);
        let mut text = String::new();
        let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        opened.content.take(most).read_to_string(&mut text).map_err(|error| failed(error.to_string()))?;
        if text.len() > limit {
            return Err(failed(format!("longer than {limit} bytes")));
        }
        Ok(Some(text))
    }
}

fn now() -> String {
    Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

fn broken(id: &str, detail: &str) -> Message {
    Message::new("dynamic-meta-broken").with("tool", id).with("detail", detail)
}

fn said(error: FileError) -> Message {
    error.into_tool_error().message().clone()
}

fn fault(error: FileError) -> Fault {
    Fault::said(said(error))
}

/// Not a tool of the registry any more, if it is this one.
fn leave(registry: &Registry, tool: &Arc<dyn palanca_core::AnyTool>) {
    let name = &tool.spec().name;
    let known = registry.get(name);
    if known.is_ok_and(|known| std::ptr::addr_eq(Arc::as_ptr(&known), Arc::as_ptr(tool))) {
        registry.remove(name);
    }
}
