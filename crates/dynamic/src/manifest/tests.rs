use super::*;

fn file() -> Value {
    json!({
        "id": "word_count", "name": "word_count", "description": "Counts words.", "type": "command",
        "status": "pending", "createdBy": "default", "scope": "all",
        "parameters": {"text": {"type": "string", "description": "The text", "required": true}},
        "createdAt": "2026-02-21T10:00:00.000Z", "updatedAt": "2026-02-21T10:00:00.000Z", "mine": 1,
    })
}

fn read(file: &Value) -> Result<Manifest, Message> {
    Manifest::parse("word_count", &file.to_string())
}

#[test]
fn the_documented_file_is_read_and_written_back() {
    let manifest = read(&file()).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&manifest.text()).unwrap(), file());
    assert!(manifest.is_for("default") && manifest.is_for("ana"));
    let mut own = file();
    own["scope"] = json!("eva");
    let own = read(&own).unwrap();
    assert!(own.is_for("eva") && own.is_for("default") && !own.is_for("ana"));
}

#[test]
fn only_what_is_approved_is_in_the_digest() {
    let before = read(&file()).unwrap().digest("echo");
    for (key, value, is_same) in [
        ("status", json!("approved"), true),
        ("updatedAt", json!("2027"), true),
        ("rejectionNote", json!("no"), true),
        ("description", json!("Other."), false),
        ("scope", json!("ana"), false),
        ("createdBy", json!("ana"), false),
        ("parameters", json!({}), false),
        ("type", json!("typescript"), false),
        ("mine", json!(2), false),
    ] {
        let mut other = file();
        other[key] = value;
        assert_eq!(read(&other).unwrap().digest("echo") == before, is_same, "{key}");
    }
    assert!(read(&file()).unwrap().digest("echo ") != before);
}

#[test]
fn what_no_tool_may_be_is_refused() {
    for (key, value) in [
        ("id", json!("other")),
        ("name", json!("other")),
        ("description", json!(" ")),
        ("description", json!("x".repeat(1_001))),
        ("type", json!("python")),
        ("status", json!("maybe")),
        ("permissions", json!({"hosts": ["example.com"]})),
        ("parameters", json!({"_chatId": {"type": "string"}})),
    ] {
        let mut other = file();
        other[key] = value;
        assert!(read(&other).is_err(), "{key}");
    }
    assert!(read(&json!("x")).is_err());
}

#[test]
fn permissions_name_hosts_files_and_tools() {
    for (permissions, fits) in [
        (json!({"hosts": ["api.example.com"], "reads": ["notes"], "tools": ["file_read"]}), true),
        (json!({"hosts": ["api.example.com:8080"]}), true),
        (json!({"hosts": ["example.com:0"]}), false),
        (json!({"hosts": ["example.com:080"]}), false),
        (json!({"hosts": ["*"]}), false),
        (json!({"hosts": ["http://example.com"]}), false),
        (json!({"hosts": ["localhost"]}), false),
        (json!({"hosts": [""]}), false),
        (json!({"hosts": ["example.com/x"]}), false),
        (json!({"hosts": vec!["example.com"; MOST_PERMISSIONS + 1]}), false),
        (json!({"reads": ["/etc"]}), false),
        (json!({"reads": ["../x"]}), false),
        (json!({"reads": [""]}), false),
        (json!({"tools": [""]}), false),
        (json!({"tools": ["a b"]}), false),
        (json!({"tools": ["create_tool"]}), false),
        (json!({"writes": ["x"]}), false),
    ] {
        let mut script = file();
        script["type"] = json!("typescript");
        script["permissions"] = permissions.clone();
        assert_eq!(read(&script).is_ok(), fits, "{permissions}");
    }
}
