//! Finds notes and skills of a workspace, read through the file door and within limits. An unusable file is reported
//! with its reason and never stops the search.

mod notes;
mod read;
mod skills;
mod survey;

pub use notes::{FoundNotes, NOTE_NAMES, Note, notes};
pub use read::{Content, Left, Origin, is_there, read};
pub use skills::{FoundSkill, FoundSkills, SKILL_FOLDERS, SkillFolder, USER_SKILL_FOLDERS, manifest, skill_at, skills};
pub use survey::{Survey, survey};
