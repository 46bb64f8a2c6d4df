#![allow(missing_docs)]

use super::reached;
use crate::{Surroundings, judge};
use std::path::Path;

/// The hosts, joined; nothing where no network is known to be needed.
fn read(text: &str) -> Option<String> {
    read_in(text, REPOSITORY)
}

/// The same, in `/w/repository` with this configuration.
fn read_in(text: &str, config: &[u8]) -> Option<String> {
    let surroundings = Surroundings {
        workspace: "/w".into(),
        directory: "/w".into(),
        home: Some("/home/me".into()),
        environment: Vec::new(),
        secrets: crate::secret_names::of_tests(),
    };
    let config = config.to_vec();
    let configured = move |directory: &Path| (directory == Path::new("/w/repository")).then(|| config.clone());
    reached(&judge(text, &surroundings).parts, Some(&configured)).map(|reached| reached.hosts.join(" "))
}

const REPOSITORY: &[u8] =
    b"[remote \"origin\"]\n\turl = git@github.com:me/x.git\n\tpushurl = https://key@push.example:8443/x\n\
    [remote \"up.stream\"]\n\turl = https://git.example/x\n[remote \"disk\"]\n\turl = ../copy\n\
    [url \"ssh://git@mirror.example/\"]\n\tinsteadOf = https://other.example/\n";

#[test]
fn git_names_the_hosts_of_the_remotes_that_it_would_reach() {
    let cases = [
        ("git push", "github.com push.example:8443 git.example mirror.example"),
        ("git push -u origin main", "github.com push.example:8443 mirror.example"),
        ("git fetch up.stream", "git.example mirror.example"),
        ("git pull disk", "mirror.example"),
        ("git fetch https://elsewhere.example/x", "elsewhere.example"),
        // Another repository, or other settings.
        ("git -C ../other push", ""),
        ("git -c remote.origin.url=https://hidden.example/x push", ""),
        ("cd /w && git push", ""),
    ];
    for (text, hosts) in cases {
        assert_eq!(read(&format!("cd repository && {text}")).as_deref(), Some(hosts), "{text}");
    }
    let local = b"[remote \"origin\"]\n\turl = ../bare.git\n[remote \"b\"]\n\turl = copies/b\n";
    for text in ["git push", "git pull origin main", "git fetch b"] {
        assert_eq!(read_in(&format!("cd repository && {text}"), local), None, "{text}");
    }
}

#[test]
fn commands_that_fetch_or_send_need_the_network() {
    let cases = [
        ("cargo fetch", ""),
        ("cargo +nightly install ripgrep", ""),
        ("cargo --config net.git-fetch-with-cli=true update", ""),
        ("pip install requests", ""),
        ("python3 -m pip install -r requirements.txt", ""),
        ("pip install git+https://github.com/psf/requests", "github.com"),
        ("pip install --index-url=https://pypi.example:8443/simple x", "pypi.example:8443"),
        ("uv pip install x", ""),
        ("npm ci && npm test", ""),
        ("yarn", ""),
        ("go mod download", ""),
        ("git push", ""),
        ("git push origin main", ""),
        ("git -C sub fetch --all", ""),
        ("git clone https://github.com/rust-lang/log", "github.com"),
        ("git clone git@github.com:rust-lang/log.git here", "github.com"),
        ("git push https://user:secret@git.example/x HEAD", "git.example"),
        ("curl -fsS https://example.org/a -o a", "example.org"),
        ("curl localhost:3000/health", "localhost:3000"),
        ("curl -o out.tar https://example.org/x", "example.org"),
        ("curl -o out.tar example.org/x", "example.org"),
        ("curl http://localhost:3000/health", "localhost:3000"),
        ("curl example.org/a", "example.org"),
        ("wget -q https://a.example/x https://b.example/y", "a.example b.example"),
        ("ssh me@build.example uptime", "build.example"),
        ("scp out.tar me@host:/srv", "host"),
        ("rsync -a out/ host::module", "host"),
        ("gh pr list", ""),
        ("sh -c 'cd sub && npm install'", ""),
        ("nice env A=1 timeout 60 cargo fetch", ""),
        ("echo x | xargs curl https://example.org", "example.org"),
        ("if true; then pip download x; fi", ""),
        ("(cd a && git pull) || echo no", ""),
        ("kubectl get pods", ""),
        ("terraform init", ""),
    ];
    for (text, hosts) in cases {
        assert_eq!(read(text).as_deref(), Some(hosts), "{text}");
    }
}

#[test]
fn other_commands_do_not() {
    let cases = [
        "cargo build",
        "cargo fetch --offline",
        "cargo test fetch",
        "pip --version",
        "pip install --no-index --find-links wheels x",
        "pip list",
        "npm test",
        "npm run install-hooks",
        "git status",
        "git log push",
        "git remote -v",
        "git clone ./a b",
        "git clone file:///w/a b",
        "git clone a b",
        "git push ../copy main",
        "git commit -m 'git push'",
        "curl --version",
        "curl",
        "rsync -a a/ b/",
        "scp a b",
        "echo 'curl https://example.org'",
        "grep -r https://example.org .",
        "python3 -m http.server",
        "go build ./...",
        "make",
        "ls",
    ];
    for text in cases {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn a_host_deceives_nobody() {
    assert_eq!(read("curl 'https://exa\u{202e}mple.org/'").as_deref(), Some(""));
    assert_eq!(read("curl \"https://$HOST/x\"").as_deref(), Some(""));
    let many: String = (0..40).map(|number| format!(" https://h{number}.example/")).collect();
    assert_eq!(read(&format!("curl{many}")).unwrap().split(' ').count(), 8);
}

#[test]
fn a_client_of_a_server_in_the_same_text_needs_no_network() {
    for text in [
        "node server.js & sleep 1; curl -s http://127.0.0.1:3000/x; kill %1",
        "(cd web && npm run dev) & curl localhost:8000",
        "nohup python3 -m http.server 8000 > log 2>&1 & sleep 1 && wget -qO- 'http://[::1]:8000/'",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
    for (text, hosts) in [
        // Nothing else of this text could answer.
        ("curl localhost:3000 | python3 -m json.tool", "localhost:3000"),
        ("ls & curl localhost:3000", "localhost:3000"),
        ("curl localhost:3000 &", "localhost:3000"),
        // The server would not see who is elsewhere.
        ("node server.js & curl localhost:3000; curl https://a.example/", "a.example"),
        ("node server.js & pip install x", ""),
    ] {
        assert_eq!(read(text).as_deref(), Some(hosts), "{text}");
    }
}
