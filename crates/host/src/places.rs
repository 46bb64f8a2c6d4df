//! Where the files of this installation are.

use palanca_core::Message;
use palanca_files::{StateDirectory, places as places_of};
use std::path::{Path, PathBuf};

use crate::Fault;

/// In the order in which they are looked for; the first that is there is read.
pub(crate) const NAMES: [&str; 4] = ["palanca.yaml", "palanca.yml", "palanca.toml", "palanca.json"];

/// Where the files of this installation are. Every path is absolute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The state directory: audit log, database, undo. None where nothing is kept.
    pub state: Option<PathBuf>,
    /// The person's configuration.
    pub user: Option<PathBuf>,
    /// What `~` means.
    pub home: Option<PathBuf>,
    /// A configuration file named by the person, trusted like their own.
    pub named: Option<PathBuf>,
    /// The current folder by the person's own name, which may lead through links.
    pub folder: Option<PathBuf>,
}

impl Places {
    /// As the environment says: `$PALANCA_HOME` or the platform's data directory; `$XDG_CONFIG_HOME/palanca` or
    /// `~/.config/palanca`; `$HOME`; `$PWD`.
    ///
    /// # Errors
    /// A `$PALANCA_HOME` that is relative: it would be another folder in each one.
    pub fn of_the_environment() -> Result<Self, Fault> {
        let relative =
            std::env::var_os("PALANCA_HOME").filter(|home| !home.is_empty() && !Path::new(home).is_absolute());
        if let Some(home) = relative {
            let path = Path::new(&home).display().to_string();
            return Err(Fault::said(Message::new("cli-home-relative").with("path", path)));
        }
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = absolute("HOME");
        let base = absolute("XDG_CONFIG_HOME").or_else(|| Some(home.as_ref()?.join(".config")));
        Ok(Self {
            state: StateDirectory::default_path(|name| std::env::var_os(name)),
            user: base.map(|base| base.join("palanca")),
            home,
            named: None,
            folder: absolute("PWD"),
        })
    }

    /// A folder by the name that the person sees, if that leads to the same place; else by the name given.
    pub(crate) fn as_spelled(&self, folder: &Path) -> PathBuf {
        let spelled = self.folder.as_ref().map(|current| current.join(folder).components().collect::<PathBuf>());
        let real = |path: &Path| places_of(path).ok().and_then(|mut places| places.pop());
        spelled.filter(|path| real(path) == real(folder)).unwrap_or_else(|| folder.to_owned())
    }

    /// The state directory, for what does nothing without one: `audit`, `questions`, `sessions`, `store` or `trust`.
    ///
    /// # Errors
    /// When there is none.
    pub fn state_for(&self, what: &'static str) -> Result<&Path, Fault> {
        self.state.as_deref().ok_or_else(|| Fault::said(Message::new("cli-home-missing").with("what", what)))
    }

    /// The folders that no tool and no program may see.
    pub(crate) fn own(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.state, &self.user].into_iter().flatten()
    }

    /// Where the person's own configuration files would be; they may be links into another folder.
    pub fn user_files(&self) -> impl Iterator<Item = PathBuf> {
        self.user.iter().flat_map(|folder| NAMES.map(|name| folder.join(name)))
    }
}
