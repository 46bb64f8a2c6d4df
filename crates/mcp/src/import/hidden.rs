//! What looks like a secret in a server of another program's file: not shown, and how it can be said with a variable instead.

use palanca_core::ports::Redactor;
use palanca_host::agent::words::is_secret;
use serde_json::{Map, Value};

/// Shown in the place of it.
const HIDDEN: &str = "***";

/// The keys of one server.
pub(super) type Rows = Vec<(&'static str, Value)>;

/// A value that looks like a secret, and how it can be said instead.
#[derive(Debug, PartialEq, Eq)]
pub struct ImportedSecret {
    /// Where it stands: `env.TOKEN`.
    pub key: String,
    /// The variable that would hold it.
    pub variable: String,
    /// What would stand there instead.
    pub form: String,
}

/// One server twice, and what both have otherwise.
#[derive(Default)]
pub(super) struct Hidden {
    pub(super) shown: Rows,
    /// With variables.
    pub(super) portable: Rows,
    pub(super) secrets: Vec<ImportedSecret>,
}

/// The keys of this server without what looks like a secret.
pub(super) fn hidden(server: &str, redactor: &dyn Redactor, rows: &Rows) -> Hidden {
    let looks = Looks { server, redactor };
    let mut hidden = Hidden::default();
    for (key, value) in rows {
        match value {
            Value::Object(all) => hidden.named(key, all, &looks),
            Value::Array(all) => hidden.listed(key, all, &looks),
            Value::String(text) if looks.is_secret("", text) => {
                hidden.shown.push((key, redactor.redact(text).into_owned().into()));
                let instead = hidden.instead((*key).to_owned(), looks.variable(key));
                hidden.portable.push((key, instead));
            }
            other => hidden.same(key, other),
        }
    }
    hidden
}

impl Hidden {
    fn same(&mut self, key: &'static str, value: &Value) {
        self.shown.push((key, value.clone()));
        self.portable.push((key, value.clone()));
    }

    /// `env` and `headers`.
    fn named(&mut self, key: &'static str, all: &Map<String, Value>, looks: &Looks<'_>) {
        let (mut shown, mut portable) = (all.clone(), all.clone());
        for (name, value) in all {
            let text = value.as_str().unwrap_or_default();
            let is_authorization = key == "headers" && name.eq_ignore_ascii_case("authorization");
            if !looks.is_secret(if is_authorization { "AUTH" } else { name }, text) {
                continue;
            }
            shown.insert(name.clone(), HIDDEN.into());
            let at = format!("{key}.{name}");
            if is_authorization && text.starts_with("Bearer ") {
                let variable = looks.variable("token");
                portable.shift_remove(name);
                self.portable.push(("token_env", variable.clone().into()));
                self.secrets.push(ImportedSecret { key: at, form: format!("token_env: {variable}"), variable });
            } else {
                let variable = if key == "env" { name.clone() } else { looks.variable(name) };
                portable.insert(name.clone(), self.instead(at, variable));
            }
        }
        self.shown.push((key, shown.into()));
        if !portable.is_empty() {
            self.portable.push((key, portable.into()));
        }
    }

    /// `args`: the value of an option may be in the next one.
    fn listed(&mut self, key: &'static str, all: &[Value], looks: &Looks<'_>) {
        let (mut shown, mut portable) = (all.to_vec(), all.to_vec());
        let mut before = "";
        for (number, value) in all.iter().enumerate() {
            let text = value.as_str().unwrap_or_default();
            let (option, said) = text.split_once('=').unwrap_or((before, text));
            before = if text.starts_with('-') { text } else { "" };
            if looks.is_secret(option.trim_start_matches('-'), said) && !said.starts_with('-') {
                let instead = self.instead(format!("{key}[{number}]"), looks.variable(&format!("{key}_{number}")));
                if let (Some(shown), Some(portable)) = (shown.get_mut(number), portable.get_mut(number)) {
                    (*shown, *portable) = (HIDDEN.into(), instead);
                }
            }
        }
        self.shown.push((key, shown.into()));
        self.portable.push((key, portable.into()));
    }

    fn instead(&mut self, key: String, variable: String) -> Value {
        let form = format!("${{{variable}}}");
        self.secrets.push(ImportedSecret { key, variable, form: form.clone() });
        form.into()
    }
}

struct Looks<'a> {
    server: &'a str,
    redactor: &'a dyn Redactor,
}

impl Looks<'_> {
    /// By its name or its form; what has a variable in it is said without the secret already.
    fn is_secret(&self, name: &str, value: &str) -> bool {
        let looks = is_secret(&name.replace('-', "_")) || self.redactor.redact(value) != value;
        looks && !value.is_empty() && !value.contains("${")
    }

    /// `SERVER_NAME`.
    fn variable(&self, name: &str) -> String {
        let plain = |one: char| if one.is_ascii_alphanumeric() { one.to_ascii_uppercase() } else { '_' };
        format!("{}_{name}", self.server).chars().map(plain).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::import;
    use palanca_config::Config;
    use palanca_host::agent::words;
    use serde_json::json;

    const SECRET: &str = "ghp_7KU0eVduYDFOGxO780wTzy8FwpdKGt8Xyxqv";

    #[test]
    fn what_looks_like_a_secret_is_not_shown_and_has_another_form() {
        let check = |server: serde_json::Value, portable: &[&str]| {
            let text = json!({"mcpServers": {"b-c": server}}).to_string();
            let server = import(&text, &words::secrets(&Config::default())).unwrap().servers.remove(0);
            for secret in ["k1", "k2", "k3", "k4", "k5", SECRET] {
                assert!(!server.shown.contains(secret) && !server.portable.contains(secret), "{server:?}");
            }
            let rows: Vec<_> = server.portable.lines().skip(1).map(str::trim).collect();
            assert_eq!(rows, portable);
            assert_eq!(server.yaml != server.portable, !server.secrets.is_empty());
        };
        check(
            json!({"command": "x", "args": ["--api-key", "k1", "--token=k2", SECRET, "-v"]}),
            &[r#"command: "x""#, r#"args: ["--api-key","${B_C_ARGS_1}","${B_C_ARGS_2}","${B_C_ARGS_3}","-v"]"#],
        );
        check(
            json!({"command": "x", "env": {"A_KEY": "k3", "B": SECRET, "C": "c", "D_TOKEN": "${D_TOKEN}"}}),
            &[r#"command: "x""#, r#"env: {"A_KEY":"${A_KEY}","B":"${B}","C":"c","D_TOKEN":"${D_TOKEN}"}"#],
        );
        check(
            json!({"url": "https://x/mcp", "headers": {"Authorization": "Bearer k4", "X-Api-Key": "k5", "X-Trace": "on"}}),
            &[
                r#"url: "https://x/mcp""#,
                r#"token_env: "B_C_TOKEN""#,
                r#"headers: {"X-Api-Key":"${B_C_X_API_KEY}","X-Trace":"on"}"#,
            ],
        );
        check(
            json!({"url": format!("https://x/mcp?key={SECRET}"), "headers": {"Authorization": "Bearer ${TOKEN}"}}),
            &[r#"url: "${B_C_URL}""#, r#"headers: {"Authorization":"Bearer ${TOKEN}"}"#],
        );
    }
}
