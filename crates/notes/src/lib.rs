//! Project notes (`AGENTS.md` and similar) and Agent Skills (`SKILL.md`): which files count, their validation, and the
//! prompt sections made from them. It reads files through the file door only and grants nothing: every call is judged
//! regardless of notes and skills.

mod find;
mod skill;
mod tell;

pub use find::{
    Content, FoundNotes, FoundSkill, FoundSkills, Left, NOTE_NAMES, Note, Origin, SKILL_FOLDERS, SkillFolder, Survey,
    USER_SKILL_FOLDERS, is_there, manifest, notes, read, skill_at, skills, survey,
};
pub use skill::{
    Fault, Front, Grade, MAX_SKILL_BYTES, Reading, SKILL_FILES, SkillName, SkillNameError, SkillText, template,
};
pub use tell::{TellNote, TellSkill, Told, Trust, notes_section, skills_section};
