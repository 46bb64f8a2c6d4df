//! Guidance for a bot's tools: the blocks of the document, in its order, each only for tools that are offered.

use super::template;

/// What a bot is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BotMode {
    /// It talks with somebody.
    Conversation,
    /// It is one of several in a chat, and answers whoever addresses it.
    Group,
    /// Another bot asks it.
    Collaboration,
    /// Another bot speaks to it in a group, and people read along.
    Aloud,
    /// Nobody waits for its answer.
    Autonomous,
}

/// The language of the guidance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BotLanguage {
    /// English.
    English,
    /// Spanish.
    Spanish,
}

/// The texts of one language.
struct Blocks {
    /// For a bot without files that define it.
    base: &'static str,
    autonomous: &'static str,
    asked: &'static str,
    /// Each with the tools of which one must be offered.
    tools: [(&'static [&'static str], &'static str); 13],
    /// For a chat of several people.
    group: &'static str,
    /// For words of another bot there.
    aloud: &'static str,
    /// Takes the place of what is said of `memory_search` where something is recalled.
    recalling: &'static str,
    /// Stands above what is recalled.
    recalled: &'static str,
    reminder: &'static str,
    /// What stands above motivations, goals, core memory and recent memory.
    headings: [&'static str; 4],
}

macro_rules! text {
    ($language:literal, $name:literal) => {
        include_str!(concat!("../../prompts/bots/", $language, "/", $name, ".md"))
    };
}
macro_rules! blocks {
    ($language:literal, $headings:expr) => {
        Blocks {
            headings: $headings,
            base: text!($language, "base"),
            autonomous: text!($language, "autonomous"),
            asked: text!($language, "asked"),
            tools: [
                (&["web_search", "web_fetch"], text!($language, "web")),
                (&["save_memory"], text!($language, "soul")),
                (&["exec"], text!($language, "exec")),
                (&["file_read"], text!($language, "file")),
                (&["process"], text!($language, "process")),
                (&["memory_search"], text!($language, "memory")),
                (&["get_datetime"], text!($language, "datetime")),
                (&["phone_call"], text!($language, "phone")),
                (&["cron"], text!($language, "cron")),
                (&["delegate_to_bot"], text!($language, "delegation")),
                (&["collaborate"], text!($language, "collaboration")),
                (&["manage_goals"], text!($language, "goals")),
                (&["create_tool"], text!($language, "create_tool")),
            ],
            group: text!($language, "group"),
            aloud: text!($language, "aloud"),
            recalling: text!($language, "recalling"),
            recalled: text!($language, "recalled"),
            reminder: text!($language, "reminder"),
        }
    };
}
static ENGLISH: Blocks = blocks!("en", ["Your Inner Motivations", "Goals", "Core Memory", "Recent Memory"]);
static SPANISH: Blocks = blocks!("es", ["Tus motivaciones", "Metas", "Memoria esencial", "Memoria reciente"]);

/// What a bot's own files say of it; empty is what is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Soul {
    /// Its name.
    pub name: String,
    /// Its emoji.
    pub emoji: String,
    /// The impression that it makes.
    pub vibe: String,
    /// Personality, tone and rules of conduct.
    pub character: String,
    /// What drives it.
    pub motivations: String,
    /// What it works on.
    pub goals: String,
    /// What it knows for good.
    pub core_memory: String,
    /// What it noted, by date, the oldest first.
    pub recent_memory: Vec<(String, String)>,
    /// What its memory has on the words that it answers: data, between marks.
    pub recalled: String,
}

/// Who a bot is, and how it is guided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotPrompt {
    /// Who it is.
    pub soul: Soul,
    /// What it is doing.
    pub mode: BotMode,
    /// In which language it is guided.
    pub language: BotLanguage,
}

impl BotPrompt {
    /// Who it is, then the guidance.
    pub(super) fn parts(&self, offered: &dyn Fn(&str) -> bool) -> Vec<String> {
        let blocks = match self.language {
            BotLanguage::English => &ENGLISH,
            BotLanguage::Spanish => &SPANISH,
        };
        let mut parts = self.soul(blocks);
        match self.mode {
            BotMode::Conversation | BotMode::Group | BotMode::Aloud => {}
            BotMode::Collaboration => parts.push(blocks.asked.trim_end().to_owned()),
            BotMode::Autonomous => parts.push(blocks.autonomous.trim_end().to_owned()),
        }
        let counts = |gates: &[&str]| match self.mode {
            BotMode::Collaboration => matches!(gates, ["memory_search"] | ["save_memory"]),
            BotMode::Conversation | BotMode::Group | BotMode::Aloud | BotMode::Autonomous => true,
        };
        let open = blocks.tools.iter().filter(|(gates, _)| counts(gates) && gates.iter().any(|gate| offered(gate)));
        let recalled = self.soul.recalled.trim();
        let text = |gates: &[&str], text| match gates {
            ["memory_search"] if !recalled.is_empty() => blocks.recalling,
            _ => text,
        };
        parts.extend(open.map(|(gates, plain)| template::render(text(gates, *plain), offered)));
        if matches!(self.mode, BotMode::Group | BotMode::Aloud) {
            parts.push(blocks.group.trim_end().to_owned());
        }
        if self.mode == BotMode::Aloud {
            parts.push(blocks.aloud.trim_end().to_owned());
        }
        if !recalled.is_empty() {
            parts.push(format!("{}\n\n{recalled}", blocks.recalled.trim_end()));
        }
        parts.push(template::render(blocks.reminder, offered));
        parts.retain(|part| !part.is_empty());
        parts
    }

    fn soul(&self, blocks: &Blocks) -> Vec<String> {
        let Soul { character, motivations, goals, core_memory, recent_memory, .. } = &self.soul;
        let days: Vec<String> =
            recent_memory.iter().map(|(date, text)| format!("### {date}\n{}", text.trim())).collect();
        let mut parts = vec![self.identity()];
        parts.push(if character.trim().is_empty() { blocks.base } else { character }.trim().to_owned());
        let sections = [motivations, goals, core_memory, &days.join("\n\n")];
        let told = blocks.headings.iter().zip(sections).filter(|(_, text)| !text.trim().is_empty());
        parts.extend(told.map(|(heading, text)| format!("## {heading}\n{}", text.trim())));
        parts
    }

    fn identity(&self) -> String {
        let Soul { name, emoji, vibe, .. } = &self.soul;
        let called = format!("{name} {emoji}");
        let (called, vibe) = (called.trim(), vibe.trim());
        let (is, seems) = match self.language {
            BotLanguage::English => (format!("You are {called}."), format!("Your vibe: {vibe}.")),
            BotLanguage::Spanish => (format!("Eres {called}."), format!("Tu estilo: {vibe}.")),
        };
        let said = [(called, is), (vibe, seems)].into_iter().filter(|(what, _)| !what.is_empty());
        said.map(|(_, sentence)| sentence).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests;
