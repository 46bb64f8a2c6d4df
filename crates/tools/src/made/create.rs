//! `create_tool`: checks what can be checked, and writes the tool into the store as pending.
//!
//! How many there are is counted once more after the files are written, whoever writes at the same time, and one too many is taken back:
//! the last of two writers sees both, so there are never more than the limit, without a lock that another process would have to hold.

use super::script::ScriptsHandle;
use crate::edit::diff;
use crate::files::{Delta, Found, Plan, commit, find};
use crate::list::BUILT_IN;
use crate::operation::{Operation, ToolOptions};
use palanca_core::call::{Act, ActKind, CanonicalPath, Claims, Effect, ErrorKind, WriteKind};
use palanca_core::ports::{Change, EntryKind, Expect, FileError, FileErrorKind, FilesHandle};
use palanca_core::{Message, Output, Preview, Text, ToolCx, ToolError};
use palanca_dynamic::{Kind, LARGEST_META, Manifest, analyse, check_name};
use serde_json::{Value, json};

pub(crate) struct Create<'a> {
    /// As it would be; or what cannot be read of the arguments.
    pub(crate) manifest: Result<Manifest, Message>,
    pub(crate) source: &'a str,
    pub(crate) options: &'a ToolOptions,
}

impl Operation for Create<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        let manifest = self.checked()?;
        let write = |path| Effect::WriteFile { path, kind: WriteKind::Replace };
        let act = Act::new(ActKind::MakeTool, manifest.name.as_str(), self.source);
        Ok([
            Effect::Act(Box::new(act)),
            Effect::ReadTree(self.options.dynamic.dir.clone()),
            write(self.meta(manifest)),
            write(self.script(manifest)),
        ]
        .into_iter()
        .collect())
    }

    fn preview(&self, files: &FilesHandle) -> Result<Option<Preview>, ToolError> {
        Ok(Some(self.plan(files)?.preview()))
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let (files, manifest) = (cx.files(), self.checked()?);
        if manifest.kind == Kind::Typescript {
            cx.door::<ScriptsHandle>().check(self.source).await.map_err(invalid)?;
        }
        let plan = commit(files, || self.plan(files))?;
        if self.made(files)? > self.options.dynamic.most {
            self.take_back(files, manifest)?;
            return Err(self.too_many());
        }
        let name = manifest.name.as_str();
        let made = Message::new("dynamic-created").with("name", name);
        let findings = analyse(manifest, self.source).findings;
        let text = findings.into_iter().fold(Text::from(made), Text::line);
        Ok(Output::text(text).with_data(json!({"id": name, "status": "pending"})).with_diff(plan.diff))
    }
}

impl Create<'_> {
    fn checked(&self) -> Result<&Manifest, ToolError> {
        let manifest = self.manifest.as_ref().map_err(|why| invalid(why.clone()))?;
        check_name(&manifest.name).map_err(invalid)?;
        if BUILT_IN.iter().any(|tool| tool.name == manifest.name) {
            return Err(invalid(Message::new("dynamic-name-reserved").with("name", manifest.name.as_str())));
        }
        manifest.check().map_err(invalid)?;
        let bots = &self.options.bots;
        let is_known =
            |scope: &str| scope == "all" || scope == bots.own || bots.others.iter().any(|other| other.id == scope);
        if !is_known(&manifest.scope) {
            let names: Vec<&str> =
                ["all", &bots.own].into_iter().chain(bots.others.iter().map(|other| other.id.as_str())).collect();
            let (scope, names) = (manifest.scope.as_str(), names.join(", "));
            return Err(invalid(Message::new("dynamic-scope-unknown").with("scope", scope).with("names", names)));
        }
        match analyse(manifest, self.source).refused {
            Some(why) => Err(invalid(why)),
            None => Ok(manifest),
        }
    }

    fn meta(&self, manifest: &Manifest) -> String {
        format!("{}/{}/meta.json", self.options.dynamic.dir, manifest.name)
    }

    fn script(&self, manifest: &Manifest) -> String {
        format!("{}/{}/{}", self.options.dynamic.dir, manifest.name, manifest.kind.file())
    }

    fn plan(&self, files: &FilesHandle) -> Result<Plan<()>, ToolError> {
        let manifest = self.checked()?;
        let store = files.locate(&self.options.dynamic.dir)?;
        if let Some(status) = status(files, &store.join(&manifest.name))? {
            let name = manifest.name.as_str();
            let taken = Message::new("dynamic-exists").with("name", name).with("status", status);
            return Err(ToolError::new(ErrorKind::Exists, taken));
        }
        if self.made(files)? >= self.options.dynamic.most {
            return Err(self.too_many());
        }
        let mut plan = Plan { changes: Vec::new(), diff: String::new(), deltas: Vec::new(), report: () };
        for (path, content) in [(self.meta(manifest), &*manifest.text()), (self.script(manifest), self.source)] {
            let path = files.locate(&path)?;
            let shown = diff::unified(&path.to_string(), None, Some(content));
            plan.diff.push_str(&shown.text);
            plan.deltas.push(Delta::of(shown.stat));
            let content = content.as_bytes().to_vec();
            plan.changes.push(Change::Write { path, content, expect: Expect::Absent, mode: None });
        }
        Ok(plan)
    }

    /// How many tools of this bot there are, whatever was decided about them.
    fn made(&self, files: &FilesHandle) -> Result<usize, ToolError> {
        let store = files.locate(&self.options.dynamic.dir)?;
        let is_own = |folder: &String| {
            let meta = read_meta(files, &store.join(folder));
            meta.is_ok_and(|meta| {
                meta.is_some_and(|meta| meta.get("createdBy").is_some_and(|by| by == self.options.bots.own.as_str()))
            })
        };
        Ok(folders(files, &store)?.iter().filter(|folder| is_own(folder)).count())
    }

    fn too_many(&self) -> ToolError {
        let most = self.options.dynamic.most;
        ToolError::new(ErrorKind::Failed, Message::new("dynamic-too-many").with("most", most))
    }

    fn take_back(&self, files: &FilesHandle, manifest: &Manifest) -> Result<(), ToolError> {
        let gone = |path: String| {
            let path = files.locate(&path)?;
            Ok::<_, ToolError>(Change::Delete { path, expect: Expect::Anything })
        };
        files.commit(&[gone(self.meta(manifest))?, gone(self.script(manifest))?])?;
        Ok(())
    }
}

fn invalid(why: Message) -> ToolError {
    ToolError::new(ErrorKind::InvalidArguments, why)
}

/// The folders of the store; none where there is no store yet.
fn folders(files: &FilesHandle, store: &CanonicalPath) -> Result<Vec<String>, FileError> {
    match files.entries(store) {
        Ok(entries) => {
            Ok(entries.into_iter().filter(|entry| entry.kind == EntryKind::Directory).map(|entry| entry.name).collect())
        }
        Err(error) if error.kind == FileErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// The manifest in a folder as JSON; None where there is none, or it is no JSON.
fn read_meta(files: &FilesHandle, folder: &CanonicalPath) -> Result<Option<Value>, FileError> {
    match find(files, &folder.join("meta.json"), LARGEST_META as u64)? {
        Found::Text { text, .. } => Ok(serde_json::from_str(&text).ok()),
        _ => Ok(None),
    }
}

/// What is said of the tool in a folder; None where nothing is there. An empty folder is nothing: a tool was taken back there.
fn status(files: &FilesHandle, folder: &CanonicalPath) -> Result<Option<String>, ToolError> {
    match files.entries(folder) {
        Ok(entries) if entries.is_empty() => Ok(None),
        Err(error) if error.kind == FileErrorKind::NotFound => Ok(None),
        Ok(_) => {
            let meta = read_meta(files, folder)?.unwrap_or_default();
            Ok(Some(meta.get("status").and_then(Value::as_str).unwrap_or("unreadable").to_owned()))
        }
        Err(error) => Err(error.into()),
    }
}
