#![allow(warnings)]
use palanca_policy::shell::*;
use palanca_core::ports::CommandReader;
use palanca_core::call::*;
#[test]
fn probe() {
    let j = CommandJudge::new(Rules::default(), ("/w/p".into(), vec![]), Some("/home/u".into()));
    for t in ["cargo test", "cargo test -q | tail -5", "cd crates && cargo test", "env X=1 cargo test", "env cargo test", "timeout 5 cargo test", "nice -n 5 cargo test", "xargs cargo test < a", "X=1 cargo test", "X=1; cargo test", "export PATH=/x; cargo test", "cargo test $(ls)", "cargo test $X", "cargo test > out.txt", "cargo test < in.txt", "cargo test <<E\nhi\nE", "echo hi | cargo run", "sh -c 'cargo test'", "bash x.sh", "python -c 'print(1)'", "python x.py", "python -m pytest", "node x.js", "npx foo", "npm run build", "npm test", "make test", "ssh h cargo test", "docker exec c cargo test", "find . -name x -exec cargo test \\;", "git status", "git -c a.b=c status", "git commit -m x", "git push", "git -C sub commit -m x", "eval cargo test", "cargo() { rm x; }; cargo test", "for i in 1 2; do cargo test $i; done", "rm *.o", "rm a", "cargo +nightly test", "cargo test --config 'build.rustc=\"x\"'", "cargo test 2>&1 >/dev/null", "cargo test &", "! cargo test", "time cargo test", "cd $X && cargo test", "(cd /tmp; cargo test)", "/usr/bin/cargo test", "./cargo test","cargo run", "hash -p ./evil cargo; cargo test", "alias cargo=rm; cargo test", "go run x.go", "uv run pytest", "pip install x", "trap 'rm x' EXIT; cargo test", "cargo test; rm -rf x", "cargo 'te'st", "command cargo test", "exec cargo test", "curl http://x"] {
        let r = j.read(&Launch::script(Shell::Sh, t, CanonicalPath::new(Root::Workspace, "".into())));
        println!("== {t:?} {} {} refused={}", r.class.name(), r.rule, r.refused.is_some());
        for p in r.parts { println!("    {} {:?} as={:?} re={:?} dir={:?} {}", p.class.name(), p.words, p.assignments, p.redirects, p.directory, p.rule); }
    }
}
