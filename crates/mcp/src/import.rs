//! Servers as other programs are configured with them, `mcpServers` and its relatives, in words of our own configuration.

mod hidden;

use hidden::{Hidden, Rows, hidden};
use jsonc_parser::{ParseOptions, parse_to_serde_value};
use palanca_core::Message;
use palanca_core::ports::Redactor;
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// Where the servers stand: Claude, Cursor and others; VS Code's own file.
const PLACES: [&str; 2] = ["mcpServers", "servers"];
/// Programs that fetch the server before they start it.
const FETCHING: [&str; 8] = ["npx", "bunx", "pnpx", "uvx", "uv", "pipx", "docker", "podman"];
/// What is carried over, or says nothing that we would do otherwise.
const KNOWN: [&str; 9] = ["type", "command", "args", "env", "url", "httpUrl", "serverUrl", "headers", "disabled"];

pub use hidden::ImportedSecret;

/// What was found in such a file.
#[derive(Debug, Default)]
pub struct Imported {
    /// The servers that can be taken over, in the order of their names.
    pub servers: Vec<ImportedServer>,
    /// What cannot be, and why.
    pub left_out: Vec<Message>,
}

/// A server in words of our configuration.
#[derive(Debug)]
pub struct ImportedServer {
    /// Its name.
    pub name: String,
    /// `- name: …` with all its keys, indented for `mcp.servers`.
    pub yaml: String,
    /// The same without what looks like a secret.
    pub shown: String,
    /// The same with variables in the place of it.
    pub portable: String,
    /// What looks like a secret.
    pub secrets: Vec<ImportedSecret>,
}

/// Reads such a file: JSON, in which there may be comments and trailing commas.
///
/// # Errors
/// It is no JSON, or has no servers.
pub fn import(text: &str, redactor: &dyn Redactor) -> Result<Imported, Message> {
    let file: Value = parse_to_serde_value(text.trim_start_matches('\u{feff}'), &ParseOptions::default())
        .map_err(|error| Message::new("mcp-import-unreadable").with("reason", error.to_string()))?;
    let inner = [Some(&file), file.get("mcp")];
    let mut places = inner.into_iter().flatten().flat_map(|place| PLACES.map(|name| place.get(name)));
    let servers = places.find_map(|place| place?.as_object()).ok_or_else(|| Message::new("mcp-import-none"))?;
    let mut imported = Imported::default();
    for (name, server) in servers {
        match taken(name, server, (redactor, &mut imported.left_out)) {
            Ok(server) => imported.servers.push(server),
            Err(why) => imported
                .left_out
                .push(Message::new("mcp-import-left-out").with("server", name.as_str()).with("why", why)),
        }
    }
    Ok(imported)
}

fn taken(
    name: &str,
    server: &Value,
    (redactor, told): (&dyn Redactor, &mut Vec<Message>),
) -> Result<ImportedServer, Message> {
    let server = server.as_object().ok_or_else(|| Message::new("mcp-import-no-server"))?;
    if server.get("disabled") == Some(&Value::Bool(true)) {
        return Err(Message::new("mcp-import-disabled"));
    }
    let plain = |one: char| if one.is_ascii_alphanumeric() || matches!(one, '-' | '_') { one } else { '-' };
    let ours: String = name.chars().map(plain).take(super::client::LONGEST_NAME).collect();
    let mut rows = Vec::new();
    let address = ["url", "httpUrl", "serverUrl"].iter().find_map(|key| server.get(*key));
    match (server.get("command"), address) {
        (Some(command), None) => {
            rows.push(("command", ours_of(command)?));
            keep(&mut rows, server, "args")?;
            keep(&mut rows, server, "env")?;
            let program = command.as_str().and_then(|command| command.rsplit('/').next()).unwrap_or_default();
            if FETCHING.contains(&program) {
                rows.push(("network", Value::Bool(true)));
            }
        }
        (None, Some(url)) => {
            rows.push(("url", ours_of(url)?));
            keep(&mut rows, server, "headers")?;
        }
        _ => return Err(Message::new("mcp-import-no-server")),
    }
    let others: Vec<_> = server.keys().map(String::as_str).filter(|key| !KNOWN.contains(key)).collect();
    if !others.is_empty() {
        told.push(Message::new("mcp-import-keys").with("server", name).with("keys", others.join(", ")));
    }
    let Hidden { shown, portable, secrets } = hidden(&ours, redactor, &rows);
    let (yaml, shown, portable) = (yaml(&ours, &rows), yaml(&ours, &shown), yaml(&ours, &portable));
    Ok(ImportedServer { name: ours, yaml, shown, portable, secrets })
}

fn keep(rows: &mut Rows, server: &Map<String, Value>, key: &'static str) -> Result<(), Message> {
    if let Some(value) = server.get(key).filter(|value| !value.as_array().is_some_and(Vec::is_empty)) {
        rows.push((key, ours_of(value)?));
    }
    Ok(())
}

/// As JSON, which YAML is a superset of.
fn yaml(name: &str, rows: &Rows) -> String {
    let mut yaml = format!("    - name: {name}\n");
    for (key, value) in rows {
        // ignored: writing to a string does not fail.
        let _ = writeln!(yaml, "      {key}: {value}");
    }
    yaml
}

/// With variables as we write them.
fn ours_of(value: &Value) -> Result<Value, Message> {
    Ok(match value {
        Value::String(text) => {
            let text = text.replace("${env:", "${");
            let mut inside = text.split("${").skip(1).filter_map(|rest| rest.split('}').next());
            let is_variable = |name: &&str| name.chars().all(|one| one.is_ascii_alphanumeric() || one == '_');
            match inside.find(|name| !is_variable(name)) {
                Some(name) => return Err(Message::new("mcp-import-variable").with("name", format!("${{{name}}}"))),
                None => Value::String(text),
            }
        }
        Value::Array(all) => Value::Array(all.iter().map(ours_of).collect::<Result<_, _>>()?),
        Value::Object(all) => {
            let all = all.iter().map(|(key, value)| Ok((key.clone(), ours_of(value)?)));
            Value::Object(all.collect::<Result<_, Message>>()?)
        }
        other => Value::String(other.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use palanca_config::Config;
    use palanca_host::agent::words;
    use serde_json::json;

    fn read(text: &str) -> Result<Imported, Message> {
        import(text, &words::secrets(&Config::default()))
    }

    fn one(server: Value) -> Result<String, String> {
        let mut imported = read(&json!({"mcpServers": {"my server": server}}).to_string()).unwrap();
        imported.servers.pop().map(|server| server.yaml).ok_or_else(|| format!("{:?}", imported.left_out))
    }

    #[test]
    fn the_usual_forms_become_ours() {
        let program = one(json!({
            "command": "npx", "args": ["-y", "@x/server", "${HOME}/a"], "env": {"KEY": "${env:KEY}", "PORT": 80},
        }));
        assert_eq!(
            program.unwrap(),
            "    - name: my-server\n      command: \"npx\"\n      args: [\"-y\",\"@x/server\",\"${HOME}/a\"]\n      \
             env: {\"KEY\":\"${KEY}\",\"PORT\":\"80\"}\n      network: true\n"
        );
        let address = json!({"type": "http", "url": "https://x/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}});
        assert_eq!(
            one(address).unwrap(),
            "    - name: my-server\n      url: \"https://x/mcp\"\n      headers: {\"Authorization\":\"Bearer ${TOKEN}\"}\n"
        );
        assert!(!one(json!({"command": "/opt/server", "args": []})).unwrap().contains("args"));
        let commented = "\u{feff}// mine\n{\"servers\": {\"a\": {\"url\": \"u\", /* no key */},}}";
        assert_eq!(read(commented).unwrap().servers[0].name, "a");
        for form in [json!({"servers": {"a": {"url": "u"}}}), json!({"mcp": {"servers": {"a": {"url": "u"}}}})] {
            assert_eq!(read(&form.to_string()).unwrap().servers[0].name, "a");
        }
    }

    #[test]
    fn what_cannot_be_taken_over_is_said() {
        for (server, key) in [
            (json!({"command": "a", "args": ["${input:key}"]}), "mcp-import-variable"),
            (json!({"command": "a", "url": "u"}), "mcp-import-no-server"),
            (json!({"command": "a", "disabled": true}), "mcp-import-disabled"),
            (json!("a"), "mcp-import-no-server"),
        ] {
            assert!(one(server).unwrap_err().contains(key));
        }
        let imported = read(r#"{"mcpServers": {"a": {"command": "a", "autoApprove": ["x"]}}}"#).unwrap();
        assert!(imported.servers.len() == 1 && imported.left_out[0].key() == "mcp-import-keys");
        assert_eq!(read("{").unwrap_err().key(), "mcp-import-unreadable");
        assert_eq!(read("{}").unwrap_err().key(), "mcp-import-none");
    }
}
