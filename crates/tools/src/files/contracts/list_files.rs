//! The regular files of one directory with their sizes, by name. Never what is below it: a pattern names files, not
//! directories.

use super::{directory, output, start};
use crate::operation::Operation;
use crate::search::{Case, Glob, unusable_glob};
use palanca_core::call::{Claims, Effect, ErrorKind};
use palanca_core::ports::{EntryKind, FileErrorKind};
use palanca_core::{Message, Output, ToolCx, ToolError};
use serde_json::{Value, json};

pub(crate) struct ListFiles<'a> {
    pub(crate) path: &'a str,
    pub(crate) pattern: Option<&'a str>,
    pub(crate) limit: usize,
}

impl ListFiles<'_> {
    fn glob(&self) -> Result<Option<Glob>, ToolError> {
        let Some(pattern) = self.pattern else { return Ok(None) };
        let glob = Glob::new(pattern.strip_prefix("**/").unwrap_or(pattern), Case::Sensitive)
            .map_err(|error| unusable_glob(&error))?;
        if glob.as_str().contains('/') {
            let message = Message::new("list-one-directory").with("pattern", pattern);
            return Err(ToolError::new(ErrorKind::InvalidArguments, message));
        }
        Ok(Some(glob))
    }
}

impl Operation for ListFiles<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        self.glob()?;
        Ok(Effect::ReadTree(start(self.path).to_owned()).into())
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let files = cx.files();
        let glob = self.glob()?;
        let path = directory(files, self.path)?;
        let mut found: Vec<Value> = Vec::new();
        let mut truncated = false;
        for entry in files.entries(&path)? {
            let wanted = glob.as_ref().is_none_or(|glob| glob.matches(entry.name.as_ref()));
            if entry.kind != EntryKind::File || !wanted {
                continue;
            }
            let file = path.join(&entry.name);
            let size = match files.info(&file) {
                Ok(info) => info.size,
                // Closed by the policy, or gone since its name was read.
                Err(error) if matches!(error.kind, FileErrorKind::Secret(_) | FileErrorKind::NotFound) => continue,
                Err(error) => return Err(error.into()),
            };
            if found.len() == self.limit {
                truncated = true;
                break;
            }
            found.push(json!({"path": file.to_string(), "name": entry.name, "size": size}));
        }
        let listed = output(json!({"files": found, "truncated": truncated}));
        Ok(if truncated { listed.truncated() } else { listed })
    }
}
