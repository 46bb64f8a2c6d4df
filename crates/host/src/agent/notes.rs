//! Project notes and skills of a command: found, ranked by trust, and added to the prompt.
//!
//! A workspace's own skill never takes the place of a user's of the same name before it was accepted; acceptance
//! is stored by content hash, so a change revokes it.

use crate::acceptance::{Accepted, accept};
use crate::configuration::catalogue;
use crate::fault::Fault;
use crate::notices::Notices;
use crate::places::Places;
use crate::workspace::disk;
use globset::{Glob, GlobSet, GlobSetBuilder};
use palanca_agent::Section;
use palanca_config::Config;
use palanca_core::ports::Redactor;
use palanca_core::{Catalogue as _, Message};
use palanca_files::{Disk, places as places_of};
use palanca_notes::{
    FoundSkill, Grade, Left, NOTE_NAMES, Note, Origin, SKILL_FOLDERS, SkillFolder, Survey, TellNote, TellSkill, Told,
    Trust, USER_SKILL_FOLDERS, manifest, notes, notes_section, skills_section, survey,
};
use std::collections::BTreeSet;
use std::path::Path;

/// A skill with what was decided about it.
pub struct Listed {
    /// The skill.
    pub skill: FoundSkill,
    /// Whether the user has accepted it.
    pub trust: Trust,
    /// The file of the skill of the same name that is used instead.
    pub shadowed_by: Option<String>,
}

impl Listed {
    /// Whether a model is told of it.
    pub fn is_offered(&self) -> bool {
        self.skill.reading.front.is_some() && self.shadowed_by.is_none()
    }
}

/// Folders of the user's own skills, outside the workspace: tools and programs may read them.
pub fn user_skill_roots(places: &Places, config: &Config) -> Vec<String> {
    if !config.skills.auto_discover {
        return Vec::new();
    }
    let real = |path: &Path| places_of(path).ok()?.pop();
    let workspace = real(config.workspace.root.as_ref());
    let own = places.user.iter().map(|folder| folder.join("skills"));
    let folders = own.chain(places.home.iter().flat_map(|home| USER_SKILL_FOLDERS.map(|name| home.join(name))));
    folders
        .filter(|folder| palanca_files::is_directory(folder))
        .filter(|folder| match (real(folder), &workspace) {
            (Some(folder), Some(workspace)) => !folder.starts_with(workspace) && !workspace.starts_with(&folder),
            _ => false,
        })
        .filter_map(|folder| folder.into_os_string().into_string().ok())
        .collect()
}

/// Everything that was found for a workspace.
pub struct Gathered {
    disk: Disk,
    accepted: Accepted,
    /// From the farthest to the nearest.
    pub notes: Vec<(Note, Trust)>,
    /// In the order in which they are told.
    pub skills: Vec<Listed>,
    /// What is there and is not used.
    pub left: Vec<Left>,
    /// Notes behind others of the same folder.
    behind: Vec<String>,
    survey: Survey,
    /// For each glob of the survey, the skill that it is of.
    owners: Vec<usize>,
}

/// Looks for notes and skills, as far as the configuration wants them.
///
/// # Errors
/// A workspace that is not there.
pub fn gather(places: &Places, config: &Config) -> Result<Gathered, Fault> {
    let disk = disk::disk(places, config)?;
    let mut gathered = Gathered {
        disk,
        accepted: Accepted::load(places),
        notes: Vec::new(),
        skills: Vec::new(),
        left: Vec::new(),
        behind: Vec::new(),
        survey: Survey::default(),
        owners: Vec::new(),
    };
    let chain = gathered.chain();
    if config.notes.enabled {
        gathered.find_notes(places, config, &chain)?;
    }
    if config.skills.auto_discover {
        gathered.find_skills(places, config, &chain);
    }
    let globs = gathered.globs(config);
    if config.notes.enabled || !globs.is_empty() {
        gathered.survey = survey(&gathered.disk, &globs);
    }
    Ok(gathered)
}

impl Gathered {
    /// The folders from the workspace's root to where the person works, relative to it.
    fn chain(&self) -> Vec<String> {
        let mut chain = vec![String::new()];
        let here = std::env::current_dir().ok();
        let below = here.as_deref().and_then(|here| here.strip_prefix(self.disk.workspace()).ok());
        let mut path = String::new();
        for name in below.into_iter().flat_map(Path::components) {
            let Some(name) = name.as_os_str().to_str() else { break };
            path = if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
            chain.push(path.clone());
        }
        chain
    }

    fn find_notes(&mut self, places: &Places, config: &Config, chain: &[String]) -> Result<(), Fault> {
        let own = places.user.as_ref().filter(|folder| palanca_files::is_directory(folder));
        if let Some(folder) = own
            && let Ok(disk) = Disk::open(folder, &[], disk::path_rules(places, config)?)
        {
            let found = notes(&disk, &[String::new()], Origin::User);
            let full = |path: &str| folder.join(path).display().to_string();
            self.left.extend(found.left.into_iter().map(|left| Left { path: full(&left.path), ..left }));
            let found = found.notes.into_iter().map(|note| Note { path: full(&note.path), ..note });
            self.notes.extend(found.map(|note| (note, Trust::Accepted)));
        }
        let found = notes(&self.disk, chain, Origin::Workspace);
        self.left.extend(found.left);
        self.behind = found.behind;
        for note in found.notes {
            let trust = self.trust(&note);
            self.notes.push((note, trust));
        }
        Ok(())
    }

    fn trust(&self, note: &Note) -> Trust {
        let held = note.is_whole() && self.accepted.holds(&self.place(&note.path), &note.text);
        if held { Trust::Accepted } else { Trust::Unvouched }
    }

    fn find_skills(&mut self, places: &Places, config: &Config, chain: &[String]) {
        let below = |folder: &String| {
            let folder = folder.clone();
            SKILL_FOLDERS.iter().map(move |name| SkillFolder {
                path: if folder.is_empty() { (*name).to_owned() } else { format!("{folder}/{name}") },
                origin: Origin::Workspace,
            })
        };
        let own = user_skill_roots(places, config).into_iter().map(|path| SkillFolder { path, origin: Origin::User });
        let folders: Vec<SkillFolder> = chain.iter().rev().flat_map(below).chain(own).collect();
        let found = palanca_notes::skills(&self.disk, &folders);
        self.left.extend(found.left);
        let mut listed: Vec<Listed> = found
            .skills
            .into_iter()
            .map(|skill| Listed { trust: self.vouched(&skill), skill, shadowed_by: None })
            .collect();
        // Stable: what is nearer stays before what is farther.
        listed.sort_by_key(|listed| match (listed.trust, listed.skill.origin) {
            (Trust::Accepted, Origin::Workspace) => 0,
            (Trust::Accepted, Origin::User) => 1,
            (Trust::Unvouched, _) => 2,
        });
        let mut used: Vec<(String, String)> = Vec::new();
        for listed in &mut listed {
            let Some(front) = &listed.skill.reading.front else { continue };
            match used.iter().find(|(name, _)| *name == front.name) {
                Some((_, file)) => listed.shadowed_by = Some(file.clone()),
                None => used.push((front.name.clone(), listed.skill.file.clone())),
            }
        }
        self.skills = listed;
    }

    fn vouched(&self, skill: &FoundSkill) -> Trust {
        let place = self.place(&skill.file);
        let held = || manifest(&self.disk, &skill.folder).is_some_and(|text| self.accepted.holds(&place, &text));
        // A folder is hashed only if it was accepted once.
        let accepted = skill.origin == Origin::User || (self.accepted.knows(&place) && held());
        if accepted { Trust::Accepted } else { Trust::Unvouched }
    }

    /// Where a file of the workspace is, for the record of what was accepted.
    fn place(&self, path: &str) -> String {
        self.disk.workspace().join(path).display().to_string()
    }

    fn globs(&mut self, config: &Config) -> GlobSet {
        let mut builder = GlobSetBuilder::new();
        if config.skills.inject_by_glob {
            for (number, listed) in self.skills.iter().enumerate() {
                let Some(front) = listed.skill.reading.front.as_ref().filter(|_| listed.is_offered()) else { continue };
                for glob in front.globs.iter().filter_map(|glob| Glob::new(glob).ok()) {
                    builder.add(glob);
                    self.owners.push(number);
                }
            }
        }
        builder.build().unwrap_or_else(|_| GlobSet::empty())
    }

    /// Accepts everything of the workspace as it is now; the files, for telling.
    ///
    /// # Errors
    /// When there is nowhere to keep it.
    pub fn accept(&self, places: &Places) -> Result<Vec<String>, Fault> {
        let mut files = Vec::new();
        let strays = notes(&self.disk, &self.stray_folders(), Origin::Workspace).notes;
        for note in self.notes.iter().map(|(note, _)| note).chain(&strays) {
            if note.origin == Origin::Workspace && note.is_whole() {
                accept(places, &self.place(&note.path), &note.text)?;
                files.push(note.path.clone());
            }
        }
        for listed in self.skills.iter().filter(|listed| listed.skill.origin == Origin::Workspace) {
            if let Some(text) = manifest(&self.disk, &listed.skill.folder) {
                accept(places, &self.place(&listed.skill.file), &text)?;
                files.push(listed.skill.file.clone());
            }
        }
        Ok(files)
    }

    fn stray_folders(&self) -> Vec<String> {
        let folder = |path: &String| path.rsplit_once('/').map(|(folder, _)| folder.to_owned()).unwrap_or_default();
        let told: BTreeSet<&str> = self.notes.iter().map(|(note, _)| note.folder.as_str()).collect();
        let chain = self.chain();
        let folders = self.survey.notes.iter().map(folder);
        folders.filter(|folder| !told.contains(folder.as_str()) && !chain.contains(folder)).collect()
    }

    /// The sections of a system prompt.
    fn sections(&self) -> Vec<Told> {
        let notes: Vec<TellNote<'_>> =
            self.notes.iter().map(|(note, trust)| TellNote { note, trust: *trust }).collect();
        let elsewhere: BTreeSet<String> = self.stray_folders().into_iter().collect();
        let strays: Vec<String> = self
            .survey
            .notes
            .iter()
            .filter(|path| path.rsplit_once('/').is_some_and(|(folder, _)| elsewhere.contains(folder)))
            .cloned()
            .collect();
        let wanted: BTreeSet<usize> =
            self.survey.matched.iter().filter_map(|glob| self.owners.get(*glob).copied()).collect();
        let skills: Vec<TellSkill<'_>> = self
            .skills
            .iter()
            .enumerate()
            .filter_map(|(number, listed)| {
                let reading = &listed.skill.reading;
                let front = reading.front.as_ref().filter(|_| listed.is_offered())?;
                Some(TellSkill {
                    name: &front.name,
                    description: &front.description,
                    file: &listed.skill.file,
                    trust: listed.trust,
                    body: wanted.contains(&number).then_some(&*reading.body),
                })
            })
            .collect();
        notes_section(&notes, &strays).into_iter().chain(skills_section(&skills)).collect()
    }

    /// Says which notes are read, in their order, and which are not because of them.
    fn say_order(&self, notices: &dyn Notices) {
        let read: Vec<&str> = self.notes.iter().map(|(note, _)| &*note.path).collect();
        if !read.is_empty() {
            notices.note(&Message::new("notes-read").with("paths", read.join(", ")));
        }
        if !self.behind.is_empty() {
            let order = NOTE_NAMES.join(", ");
            notices.note(&Message::new("notes-behind").with("paths", self.behind.join(", ")).with("order", order));
        }
    }

    /// Says what is there and is not used, or not as a whole.
    fn warn(&self, told: &[Told], config: &Config, notices: &dyn Notices) {
        let catalogue = catalogue(config);
        for left in &self.left {
            let why = catalogue.render(&left.why);
            notices
                .advise(&Message::new("notes-left").with("path", &left.path).with("reason", why.trim_end_matches('.')));
        }
        for listed in &self.skills {
            let file = &listed.skill.file;
            if let Some(other) = &listed.shadowed_by {
                notices.advise(&Message::new("skills-shadowed").with("path", file).with("other", other));
            } else if let Some(fault) = listed.skill.reading.faults.iter().find(|f| f.grade == Grade::Broken) {
                let why = catalogue.render(&fault.message);
                notices
                    .advise(&Message::new("notes-left").with("path", file).with("reason", why.trim_end_matches('.')));
            }
        }
        for path in told.iter().flat_map(|told| &told.cut) {
            notices.advise(&Message::new("notes-cut").with("path", path));
        }
    }
}

/// What a model is told of notes and skills, secrets taken out, and whether the user has accepted all of it.
///
/// # Errors
/// A workspace that is not there.
pub fn sections(
    (places, notices): (&Places, &dyn Notices),
    config: &Config,
    redactor: &dyn Redactor,
) -> Result<(Vec<Section>, Trust), Fault> {
    if !config.notes.enabled && !config.skills.auto_discover {
        return Ok((Vec::new(), Trust::Accepted));
    }
    let gathered = gather(places, config)?;
    let told = gathered.sections();
    gathered.warn(&told, config, notices);
    if config.logging.verbose > 0 {
        gathered.say_order(notices);
    }
    let section = |told: Told| Section { title: told.title.to_owned(), text: redactor.redact(&told.text).to_string() };
    let notes = gathered.notes.iter().map(|(_, trust)| *trust);
    let mut all = notes.chain(gathered.skills.iter().filter(|skill| skill.is_offered()).map(|skill| skill.trust));
    let trust = all.find(|one| *one == Trust::Unvouched).unwrap_or(Trust::Accepted);
    Ok((told.into_iter().map(section).collect(), trust))
}
