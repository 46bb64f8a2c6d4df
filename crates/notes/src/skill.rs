//! Agent Skills, by the public format: a folder with a `SKILL.md`, front matter in YAML, then instructions. The verdict
//! on a folder is the public validator's (`skills-ref`), checked against a table of its verdicts; which invalid skills
//! are still usable is our decision.

mod fault;
mod front;
mod lenient;
mod name;
mod yaml;

pub use fault::{Fault, Grade};
pub use front::{Front, Reading, SkillText};
pub use name::{SkillName, SkillNameError};

/// The file of a skill; the first existing one counts.
pub const SKILL_FILES: [&str; 2] = ["SKILL.md", "skill.md"];
/// Longer files are not usable instructions.
pub const MAX_SKILL_BYTES: u64 = 1 << 20;

/// The `SKILL.md` of a new skill.
#[must_use]
pub fn template(name: &SkillName, description: &str) -> String {
    let quoted = description.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r', '\t'], " ");
    // Quoted, so that no description can be read as anything but text.
    format!(
        "---\nname: \"{name}\"\ndescription: \"{quoted}\"\n---\n\n# {name}\n\nWhen to use it, what to do step by step, and how to \
         tell that it worked.\n"
    )
}

#[cfg(test)]
mod tests;
