#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;

fn resolve(spec: &str, env: &[(&str, &str)]) -> Result<Endpoint, EndpointError> {
    let env = |name: &str| env.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
    Endpoint::resolve(&spec.parse().unwrap(), &Overrides::default(), &env)
}

#[test]
fn bases_follow_each_providers_custom() {
    let check = |spec: &str, env: &[(&str, &str)], url: &str| {
        let endpoint = resolve(spec, env).unwrap();
        assert_eq!(format!("{}{}", endpoint.base, endpoint.wire.path()), url, "{spec} {env:?}");
    };
    let key = ("OPENAI_API_KEY", "k");
    check("openai:m", &[key], "https://api.openai.com/v1/chat/completions");
    check("openai-responses:m", &[key], "https://api.openai.com/v1/responses");
    check("openai:m", &[("OPENAI_BASE_URL", "http://x/v1/")], "http://x/v1/chat/completions");
    check("openai:m", &[key, ("OPENAI_BASE_URL", "  ")], "https://api.openai.com/v1/chat/completions");
    check("anthropic:m", &[("ANTHROPIC_API_KEY", "k")], "https://api.anthropic.com/v1/messages");
    for base in ["http://x", "http://x/", "http://x/v1", "http://x/v1/"] {
        check("anthropic:m", &[("ANTHROPIC_BASE_URL", base)], "http://x/v1/messages");
    }
    for (host, url) in [
        ("", "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:1234", "http://127.0.0.1:1234"),
        ("box", "http://box:11434"),
        ("box:99", "http://box:99"),
        ("http://box:99/", "http://box:99"),
        ("https://box", "https://box"),
        ("http://box/ollama", "http://box:11434/ollama"),
        ("http://box:1/v1", "http://box:1"),
    ] {
        check("ollama:m", &[("OLLAMA_HOST", host)], &format!("{url}/v1/chat/completions"));
    }
}

#[test]
fn what_is_missing_is_named() {
    let fail = |spec: &str, env: &[(&str, &str)]| resolve(spec, env).unwrap_err().to_string();
    assert_eq!(
        fail("openai:gpt-4.1", &[]),
        "openai:gpt-4.1 needs a key: set OPENAI_API_KEY, or point OPENAI_BASE_URL at a server that needs none"
    );
    assert!(fail("anthropic:m", &[("ANTHROPIC_API_KEY", " ")]).contains("set ANTHROPIC_API_KEY"));
    assert_eq!(
        fail("openai:m", &[("OPENAI_BASE_URL", "localhost:80")]),
        "the model's address is not an http or https URL. Set OPENAI_BASE_URL to one such as https://api.openai.com/v1"
    );
    assert!(fail("replay:f", &[]).contains("recorded session"));
}

#[test]
fn keys_and_logins_are_never_shown() {
    let env = [("OPENAI_API_KEY", "sk-secret"), ("OPENAI_BASE_URL", "http://host/v1?q=hidden")];
    let endpoint = resolve("openai:m", &env).unwrap();
    assert_eq!(endpoint.key.as_ref().map(ApiKey::expose), Some("sk-secret"));
    assert_eq!(endpoint.place().endpoint, "http://host");
    let shown = format!("{:?}", endpoint.key);
    assert_eq!(shown, "Some(ApiKey(hidden))");
    assert!(
        !format!("{:?} {:?}", endpoint.wire.headers(endpoint.key.as_ref()), endpoint.place()).contains("sk-secret")
    );
    assert!(!format!("{endpoint:?}").contains("hidden"));
}

#[test]
fn a_login_in_the_address_is_refused_and_not_repeated() {
    for (given, shown) in [
        ("http://me:SECRETMARK@host/v1", "http://host"),
        ("https://me@host:1/v1?key=SECRETMARK", "https://host:1"),
        ("http://:SECRETMARK@host", "http://host"),
        ("http://a@b@host/x@y", "http://host"),
        ("me:SECRETMARK@host:1/v1", "…"),
        ("http://me:SECRETMARK@host\\x@y", "http://host"),
    ] {
        for (spec, variable) in
            [("openai:m", "OPENAI_BASE_URL"), ("anthropic:m", "ANTHROPIC_BASE_URL"), ("ollama:m", "OLLAMA_HOST")]
        {
            let error = resolve(spec, &[(variable, given)]).unwrap_err();
            let EndpointError::LoginInBase { shown: said, variable: named, .. } = &error else {
                panic!("{given}: {error}")
            };
            assert_eq!((said.as_str(), *named), (shown, variable), "{given}");
            assert!(!format!("{error} {error:?} {:?}", error.message()).contains("SECRETMARK"), "{given}: {error}");
        }
    }
    assert!(resolve("openai:m", &[("OPENAI_BASE_URL", "http://host/a@b")]).is_ok());
}

#[test]
fn overrides_win() {
    let overrides =
        Overrides { api_base: Some("http://other/v1".to_owned()), key_variable: Some("MY_KEY".to_owned()), key: None };
    let env = |name: &str| (name == "MY_KEY").then(|| "mine".to_owned());
    let endpoint = Endpoint::resolve(&"openai:m".parse().unwrap(), &overrides, &env).unwrap();
    assert_eq!((endpoint.base.as_str(), endpoint.key.unwrap().expose()), ("http://other/v1", "mine"));
    assert_eq!(endpoint.place.key_variable, "MY_KEY");
}

#[test]
fn the_default_is_the_provider_with_a_key() {
    let with = |name: &'static str| move |asked: &str| (asked == name).then(|| "k".to_owned());
    let shown = |spec: Option<ModelSpec>| spec.map(|spec| spec.to_string());
    assert_eq!(shown(default_spec(&with("OPENAI_API_KEY"))).unwrap(), "openai:gpt-4.1");
    assert_eq!(shown(default_spec(&with("ANTHROPIC_API_KEY"))).unwrap(), "anthropic:claude-sonnet-4-6");
    assert_eq!(shown(default_spec(&with("OTHER"))), None);
}
