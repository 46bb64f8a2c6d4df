#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use WebErrorKind as K;

fn rules(options: &WebOptions) -> Rules {
    Rules::new(options).unwrap()
}

fn judge(options: &WebOptions, url: &str) -> Result<String, WebErrorKind> {
    rules(options).judge(&HttpAccess::get(url)).map(|target| target.url.into()).map_err(|error| error.kind)
}

#[test]
fn the_spelling_is_one() {
    for (given, canonical) in [
        ("https://example.com", "https://example.com/"),
        ("HTTPS://EXAMPLE.COM:443/A/../B/./c?q=1#part", "https://example.com/B/c?q=1"),
        ("http://example.com:80/", "http://example.com/"),
        ("http://example.com:0080/", "http://example.com/"),
        ("http://example.com./a", "http://example.com/a"),
        ("https://exämple.com/ü?ü", "https://xn--exmple-cua.com/%C3%BC?%C3%BC"),
        ("https://ｅｘａｍｐｌｅ.com/", "https://example.com/"),
        ("https://example。com/", "https://example.com/"),
        ("http:example.com/a", "http://example.com/a"),
        ("http:\\\\example.com\\a", "http://example.com/a"),
        (" https://example.com/ ", "https://example.com/"),
        ("https://exa\tmple.com/\n", "https://example.com/"),
        ("http://0x08080808/", "http://8.8.8.8/"),
        ("http://134744072/", "http://8.8.8.8/"),
        ("http://010.8.8.8/", "http://8.8.8.8/"),
        ("https://example.com/%2e%2e/x", "https://example.com/x"),
        ("https://example.com/a@b", "https://example.com/a@b"),
        ("https://example.com/?user=a@b", "https://example.com/?user=a@b"),
        ("http://ex_ample.com/", "http://ex_ample.com/"),
        ("http://[2606:4700:0:0::1111]/", "http://[2606:4700::1111]/"),
    ] {
        assert_eq!(judge(&WebOptions::default(), given).as_deref(), Ok(canonical), "{given}");
    }
}

#[test]
fn every_spelling_of_a_forbidden_address_is_refused_for_what_it_is() {
    for (kind, urls) in [
        (
            K::Private,
            &[
                "http://127.0.0.1/",
                "http://127.1/",
                "http://127.0.1/",
                "http://2130706433/",
                "http://0x7f000001/",
                "http://0X7F.1/",
                "http://0177.0.0.1/",
                "http://017700000001/",
                "http://0x7f.0x0.0x0.0x1/",
                "http://127.0.0.1./",
                "http://127%2e0%2e0%2e1/",
                "http://%31%32%37.0.0.1/",
                "http://１２７.0.0.1/",
                "http://①②⑦.0.0.1/",
                "http://127。0。0。1/",
                "http://127．0．0．1/",
                "http://0/",
                "http://0x0/",
                "http://00000/",
                "http://[::1]/",
                "http://[::]/",
                "http://[::ffff:7f00:1]/",
                "http://[::ffff:127.0.0.1]:8080/",
                "http://[64:ff9b::7f00:1]/",
                "http://[2002:7f00:1::]/",
                "http://[fe80::1]/",
                "http:127.0.0.1",
                "http:/127.1",
                "http:////127.0.0.1/",
                "http:\\\\127.0.0.1\\x",
                "ht\ntp://127.0.0.1/",
                "http://127.0.\t0.1/",
                "http://localhost/",
                "http://LOCALHOST./",
                "http://a.localhost/",
                "http://loc\u{ad}alhost/",
                "http://ｌｏｃａｌｈｏｓｔ/",
                "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
                "http://%6cocalhost/",
                "http://intranet/",
                "http://wpad/",
                "http://metadata/",
                "http://metadata.google.internal/",
                "http://x.internal./",
                "http://router.local/",
                "http://printer.lan/",
                "http://nas.home.arpa/",
                "http://1.0.0.127.in-addr.arpa/",
                "http://a.svc/",
                "http://kubernetes.default/",
                "http://x.onion/",
                "http://wiki.corp/",
                "http://x.test/",
                "http://metadata.goog/",
                "http://x.metadata.goog/",
                "http://a.b.metadata.tencentyun.com./",
                "http://127.0.0.1#@example.com/",
                "http://127.0.0.1?@example.com/",
                "http://127.0.0.1\\@example.com/",
                "http://localhost\u{3002}/",
                "http://169.254.169.254/",
                "http://[fd00:ec2::254]/",
                "http://0251.0376.0251.0376/",
                "http://2852039166/",
            ][..],
        ),
        (
            K::Credentials,
            &[
                "http://user@example.com/",
                "http://user:pw@example.com/",
                "http://:pw@example.com/",
                "http://@example.com/",
                "http://:@example.com/",
                "http://127.0.0.1@example.com/",
                "http://example.com@127.0.0.1/",
                "http://example.com:80@127.0.0.1/",
                "http://a@b@example.com/",
                "http://example.com%2f@127.0.0.1/",
                "http:@example.com/",
                "http:\\\\@example.com/",
            ][..],
        ),
        (
            K::Port,
            &[
                "http://example.com:22/",
                "https://example.com:25/",
                "http://example.com:6379/",
                "http://example.com:0/",
                "http://8.8.8.8:53/",
                "http://example.com:2375/",
                "http://example.com:10250/",
                "http://example.com:0022/",
            ][..],
        ),
        (
            K::Scheme,
            &[
                "ftp://example.com/",
                "file:///etc/passwd",
                "FILE://localhost/etc/passwd",
                "gopher://example.com/",
                "data:text/html,x",
                "javascript:alert(1)",
                "ws://example.com/",
                "unix:///run/docker.sock",
                "about:blank",
                "blob:http://example.com/x",
                "jar:http://example.com/a!/b",
                "view-source:http://example.com/",
                "url:http://127.0.0.1/",
                "localhost:8080/",
                "mailto:a@example.com",
                "httpss://example.com/",
            ][..],
        ),
        (
            K::InvalidUrl,
            &[
                "",
                " ",
                "example.com",
                "//example.com/",
                "/etc/passwd",
                "http://",
                "https:///",
                "http://?x",
                "http://#x",
                "http://[::1",
                "http://[example.com]/",
                "http://[::1%25lo]/",
                "http://[fe80::1%eth0]/",
                "http://example.com:99999/",
                "http://example.com:-1/",
                "http://example.com:80x/",
                "http://1.2.3.4.5/",
                "http://256.1.1.1/",
                "http://1.1.1.1.1/",
                "http://0x100000000/",
                "http://09.1.1.1/",
                "http://example.com%00.127.0.0.1/",
                "http://127.0.0.1%00.example.com/",
                "http://a\0b.com/",
                "http://example.com%40127.0.0.1/",
                "http://exa mple.com/",
                "http://example..com/",
                "http://.example.com/",
                "http://example.com../",
                "http://exa<mple.com/",
                "http://exa!mple.com/",
                "http://*.example.com/",
                "http://a'b.com/",
                "http://(x).com/",
                "http://a;b.com/",
                "http://xn--a.com/",
                "http://l\u{200d}ocalhost/",
                "http://exa|mple.com/",
                "http://%/",
            ][..],
        ),
    ] {
        for url in urls {
            assert_eq!(judge(&WebOptions::default(), url), Err(kind), "{url}");
        }
    }
    let long = format!("https://example.com/{}", "a".repeat(8 << 10));
    assert_eq!(judge(&WebOptions::default(), &long), Err(K::InvalidUrl));
    let name = format!("https://{}.com/", "a".repeat(64));
    assert_eq!(judge(&WebOptions::default(), &name), Err(K::InvalidUrl));
}

#[test]
fn a_public_name_that_looks_private_is_public() {
    for url in [
        "http://10.com/",
        "http://127.foo.com/",
        "https://localhost.example.com/",
        "https://127.0.0.1.example.com/",
        "https://metadata.example.com/",
        "https://xmetadata.goog/",
        "https://internal.example.com/",
        "https://mylocal.net/",
        "https://notlocalhost.com/",
        "https://example.com/localhost",
        "https://169.254.169.254.nip.io/",
        "https://lan.com/",
        "https://local.dev/",
    ] {
        assert!(judge(&WebOptions::default(), url).is_ok(), "{url}");
    }
}

#[test]
fn lists_decide_before_resolution() {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let nothing = WebOptions { allow_hosts: Vec::new(), ..WebOptions::default() };
    assert_eq!(judge(&nothing, "https://example.com/"), Err(K::NotAllowed));
    let some = WebOptions { allow_hosts: texts(&["example.com"]), ..WebOptions::default() };
    assert!(judge(&some, "https://example.com./").is_ok());
    assert_eq!(judge(&some, "https://evil.com/example.com"), Err(K::NotAllowed));
    assert_eq!(judge(&some, "https://example.com.evil.com/"), Err(K::NotAllowed));
    let denied = WebOptions { deny_hosts: texts(&["evil.com"]), ..WebOptions::default() };
    assert_eq!(judge(&denied, "https://www.EVIL.com./"), Err(K::Denied));
    let listed = ["wiki", "db.corp:5432", "127.0.0.1:9000", "169.254.169.254", "0.0.0.0"];
    let private = WebOptions { private_hosts: texts(&listed), ..WebOptions::default() };
    for (url, expected) in [
        ("http://wiki/", None),
        ("http://wiki:22/", Some(K::Port)),
        ("http://db.corp:5432/", None),
        ("http://db.corp/", Some(K::Private)),
        ("http://127.1:9000/", None),
        ("http://127.0.0.1/", Some(K::Private)),
        ("http://wiki2/", Some(K::Private)),
        // Not even by its address: a page could have any token read that is there.
        ("http://169.254.169.254/", Some(K::Private)),
        ("http://0.0.0.0/", Some(K::Private)),
    ] {
        assert_eq!(judge(&private, url).err(), expected, "{url}");
    }
    // A private host has to be allowed, too.
    let both = WebOptions { allow_hosts: Vec::new(), private_hosts: texts(&["wiki"]), ..WebOptions::default() };
    assert_eq!(judge(&both, "http://wiki/"), Err(K::NotAllowed));
}

#[test]
fn a_provider_is_below_its_address() {
    let providers = [("local", "http://localhost:8888/searx"), ("brave", "https://api.example.com/v1/search")];
    let options = WebOptions {
        providers: providers.map(|(name, base)| (name.to_owned(), base.to_owned())).into(),
        allow_hosts: Vec::new(),
        ..WebOptions::default()
    };
    let rules = rules(&options);
    for (provider, url, allowed) in [
        ("local", "http://localhost:8888/searx", true),
        ("local", "http://LOCALHOST:8888/searx/search?q=a%2Fb", true),
        ("local", "http://localhost:8888/searx?q=../x", true),
        ("local", "http://localhost:8888/searxx", false),
        ("local", "http://localhost:8888/", false),
        ("local", "http://localhost:8888/searx/../admin", false),
        ("local", "http://localhost:8888/searx/%2e%2e/admin", false),
        ("local", "http://localhost:8888/searx/..%2Fadmin", false),
        ("local", "http://localhost:8888/searx/%2e%2e%5cadmin", false),
        ("local", "http://localhost:8888/searx/..;/admin", false),
        ("local", "http://localhost:8888/searx/..;a=b/admin", false),
        ("local", "http://localhost:8888/searx/..%3B/admin", false),
        ("local", "http://localhost:8888/searx/%252e%252e/admin", false),
        ("local", "http://localhost:8888/searx/%25252e%25252e%25252fadmin", false),
        ("local", "http://localhost:8888/searx/%2525252525252e./admin", false),
        ("local", "http://localhost:8888/searx/.%00./admin", false),
        ("local", "http://localhost:8888/searx/a%2500", false),
        ("local", "http://localhost:8888/searx/..%20/admin", false),
        ("local", "http://localhost:8888/searx/a;b=..;c/100%25/a..b/.../%zz/ü", true),
        ("local", "https://localhost:8888/searx/a", false),
        ("local", "http://localhost/searx/a", false),
        ("local", "http://127.0.0.1:8888/searx/a", false),
        ("local", "http://user@localhost:8888/searx/a", false),
        ("brave", "https://api.example.com/v1/search?q=x", true),
        ("brave", "https://api.example.com.evil.com/v1/search?q=x", false),
        ("other", "https://api.example.com/v1/search?q=x", false),
    ] {
        let judged = rules.judge(&HttpAccess::get(url).provider(provider));
        assert_eq!(judged.is_ok(), allowed, "{provider} {url}: {judged:?}");
    }
    // A call that names the same address by itself gets no farther for it.
    assert_eq!(rules.judge(&HttpAccess::get("http://localhost:8888/searx")).unwrap_err().kind, K::NotAllowed);
    let denied = WebOptions { deny_hosts: vec!["example.com".to_owned()], ..options };
    let judged =
        Rules::new(&denied).unwrap().judge(&HttpAccess::get("https://api.example.com/v1/search").provider("brave"));
    assert_eq!(judged.unwrap_err().kind, K::Denied);
    for base in
        ["localhost:8080", "ftp://example.com", "http://user:pw@example.com/", "http://169.254.169.254/", "nonsense"]
    {
        let providers = [("x".to_owned(), base.to_owned())].into();
        assert!(Rules::new(&WebOptions { providers, ..WebOptions::default() }).is_err(), "{base}");
    }
}

#[test]
fn what_is_told_is_no_more_than_the_origin() {
    for (url, told) in [
        ("http://user:pw@example.com/a?key=1#x", "http://example.com"),
        ("http://user:pw@exa mple.com/a?key=1", "…"),
        ("user:pw@host", "…"),
        ("ftp://u:pw@example.com/x", "ftp://example.com"),
        ("http://127.0.0.1/botpw/send", "http://127.0.0.1"),
        ("pw?key=1", "…"),
    ] {
        let error = rules(&WebOptions::default()).judge(&HttpAccess::get(url)).unwrap_err();
        assert_eq!(error.origin, told, "{url}");
        assert!(!error.to_string().contains("pw") && !error.to_string().contains("key=1"), "{error}");
    }
}
