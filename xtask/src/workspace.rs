//! The workspace as `cargo metadata` tells it, reduced to what the checks ask.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

#[derive(Debug, PartialEq, Eq)]
pub struct Workspace {
    pub root: PathBuf,
    /// Sorted by name.
    pub packages: Vec<Package>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Package {
    pub name: String,
    pub folder: PathBuf,
    /// `package.metadata.palanca.layer`.
    pub layer: Option<u64>,
    /// `package.metadata.palanca.modules`: from the lowest up; empty where modules have no order.
    pub modules: Vec<String>,
    pub dependencies: Vec<Dependency>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Dependency {
    pub name: String,
    pub kind: Kind,
    pub from: From,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Normal,
    Build,
    Dev,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// A member of this workspace.
    Here,
    Registry,
}

impl Workspace {
    /// Asks cargo about the workspace of the current directory.
    pub fn load() -> Result<Self> {
        Self::from_metadata(&metadata(&["--no-deps"])?)
    }

    /// Reads the JSON of `cargo metadata --no-deps --format-version 1`.
    pub fn from_metadata(metadata: &Value) -> Result<Self> {
        let root = text(metadata, "workspace_root")?;
        let mut packages = list(metadata, "packages")?.iter().map(package).collect::<Result<Vec<_>>>()?;
        packages.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self { root: root.into(), packages })
    }

    pub fn package(&self, name: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.name == name)
    }

    /// A path as people write it: relative to the root, with `/`.
    pub fn relative(&self, path: &Path) -> String {
        let relative = path.strip_prefix(&self.root).unwrap_or(path);
        relative.to_string_lossy().replace('\\', "/")
    }
}

/// What `cargo metadata` says with these options.
pub fn metadata(options: &[&str]) -> Result<Value> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    let output = command.args(["metadata", "--format-version", "1"]).args(options).output();
    let output = output.context("cannot run `cargo metadata`")?;
    if !output.status.success() {
        bail!("`cargo metadata` failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn package(value: &Value) -> Result<Package> {
    let name = text(value, "name")?.to_owned();
    let manifest = Path::new(text(value, "manifest_path")?);
    let folder = manifest.parent().context("a manifest has a folder")?.into();
    let layer = value.pointer("/metadata/palanca/layer");
    let modules = value.pointer("/metadata/palanca/modules").and_then(Value::as_array).into_iter().flatten();
    let modules = modules.filter_map(Value::as_str).map(str::to_owned).collect();
    let dependencies = list(value, "dependencies")?
        .iter()
        .map(|dependency| {
            Ok(Dependency {
                name: text(dependency, "name")?.to_owned(),
                kind: match dependency.get("kind").and_then(Value::as_str) {
                    Some("dev") => Kind::Dev,
                    Some("build") => Kind::Build,
                    _ => Kind::Normal,
                },
                from: match dependency.get("source") {
                    Some(Value::String(_)) => From::Registry,
                    _ => From::Here,
                },
            })
        })
        .collect::<Result<_>>()?;
    Ok(Package { name, folder, layer: layer.and_then(Value::as_u64), modules, dependencies })
}

fn text<'v>(value: &'v Value, key: &str) -> Result<&'v str> {
    value.get(key).and_then(Value::as_str).with_context(|| format!("cargo metadata has no text \"{key}\""))
}

fn list<'v>(value: &'v Value, key: &str) -> Result<&'v Vec<Value>> {
    value.get(key).and_then(Value::as_array).with_context(|| format!("cargo metadata has no list \"{key}\""))
}
