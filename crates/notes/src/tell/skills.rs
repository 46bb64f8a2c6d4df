//! The section of skills: names, descriptions and paths; instructions only of vouched-for skills whose globs match
//! files here.

use super::words::{attribute, beginning, line, unmarked};
use super::{Told, Trust};
use std::fmt::Write as _;

const MAX_DESCRIPTION: usize = 1024;
/// Bytes of the whole list, and of instructions.
const MAX_LIST: usize = 24 << 10;
const MAX_BODY: usize = 16 << 10;
const MAX_BODIES: usize = 32 << 10;

/// A skill in the prompt.
#[derive(Clone, Copy, Debug)]
pub struct TellSkill<'s> {
    /// Its name.
    pub name: &'s str,
    /// Its description.
    pub description: &'s str,
    /// The path of its `SKILL.md`, as a reading tool accepts it.
    pub file: &'s str,
    /// Whether the user has vouched for it.
    pub trust: Trust,
    /// Its instructions, if its globs match a file of the workspace.
    pub body: Option<&'s str>,
}

/// The section; none without skills. Instructions of skills that the user has not vouched for are left out.
#[must_use]
pub fn skills_section(skills: &[TellSkill<'_>]) -> Option<Told> {
    if skills.is_empty() {
        return None;
    }
    let (mut text, mut cut) = (include_str!("../../prompts/skills.md").to_owned(), Vec::new());
    if skills.iter().any(|skill| skill.trust == Trust::Unvouched) {
        text.push_str(include_str!("../../prompts/skills_unvouched.md"));
    }
    text.push('\n');
    let mut room = MAX_LIST;
    let mut left_out = 0_usize;
    for skill in skills {
        let line = format!(
            "<skill name=\"{}\" file=\"{}\" accepted=\"{}\">{}</skill>\n",
            attribute(skill.name),
            attribute(skill.file),
            skill.trust.word(),
            line(skill.description, MAX_DESCRIPTION)
        );
        if line.len() > room {
            left_out += 1;
            cut.push(skill.file.to_owned());
        } else {
            room -= line.len();
            text.push_str(&line);
        }
    }
    if left_out > 0 {
        // ignored: writing to a String cannot fail.
        let _ = writeln!(text, "{left_out} more skills are not listed here: the list would be too long");
    }
    let mut room = MAX_BODIES;
    for skill in skills.iter().filter(|skill| skill.trust == Trust::Accepted) {
        let Some(body) = skill.body else { continue };
        let shown = beginning(body, MAX_BODY.min(room));
        room -= shown.len();
        // ignored: writing to a String cannot fail.
        let _ =
            writeln!(text, "\n<skill-instructions name=\"{}\">\n{}", attribute(skill.name), unmarked(shown).trim_end());
        if shown.len() < body.len() {
            // ignored: writing to a String cannot fail.
            let _ = writeln!(text, "[cut here: read {} for the rest]", attribute(skill.file));
            cut.push(skill.file.to_owned());
        }
        text.push_str("</skill-instructions>\n");
    }
    Some(Told { title: "Skills", text, cut })
}
