#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::{check, command, surroundings};
use crate::command::{Assignment, Directory, Via, Word};
use crate::programs::class;
use crate::{Class, Class::Dev};
use std::path::Path;

#[test]
fn tools() {
    check(
        Dev,
        &[
            "pytest",
            "pytest tests/test_sudo.py",
            "pytest tests/a.py::test_b -k 'a and b'",
            "pytest -xvs --cov=src --cov-report=html",
            "python -m pytest -x",
            "python3 -m unittest discover -s tests",
            "python -m mypy src",
            "mypy --strict src",
            "ruff check .",
            "ruff format --check src",
            "ruff .",
            "black .",
            "black --check .",
            "coverage report -m",
            "coverage run -m pytest",
            "flake8 src",
            "isort --check .",
            "tox -e py311",
            "pip install requests",
            "pip install -r requirements.txt",
            "pip install -e .",
            "pip install 'requests>=2,<3'",
            "pip install '.[dev]'",
            "uv run pytest -x",
            "poetry run pytest",
            "uv run python -m pytest",
            "npm test",
            "npm run build",
            "npm run 'reboot:dev'",
            "npm run test -- --watch=false",
            "npm ci",
            "npm audit",
            "npm install",
            "npm install sudo-prompt",
            "npm i -D @types/node@20",
            "yarn",
            "yarn test",
            "yarn run build",
            "yarn install --frozen-lockfile",
            "pnpm run build",
            "pnpm install",
            "pnpm test",
            "tsc",
            "tsc --noEmit",
            "tsc -p tsconfig.json",
            "eslint src",
            "eslint . --ext .ts,.tsx",
            "prettier --check .",
            "jest",
            "jest src --coverage",
            "vitest run",
            "bun test",
            "cargo test",
            "cargo test kill",
            "cargo build --release",
            "cargo check --workspace --all-targets",
            "cargo clippy -- -D warnings",
            "cargo fmt",
            "cargo fmt --check",
            "cargo fmt -- --check",
            "cargo test -- --nocapture",
            "cargo doc --no-deps",
            "cargo +nightly build",
            "cargo tree",
            "go vet ./...",
            "go test ./...",
            "go test -run TestX -v ./pkg",
            "go build",
            "go build -o bin/app ./cmd/app",
            "go fmt ./...",
            "go mod tidy",
            "go list ./...",
            "golangci-lint run",
            "make",
            "make halt",
            "make -j4 test",
            "make test V=1",
            "make -C sub all",
            "cmake --build build -j 4",
            "ninja -C build",
            "mvn test",
            "mvn -q -DskipTests package",
            "mvn clean verify",
            "gradle test",
            "gradle build -x lint",
            "gradle :app:test --info",
            "dotnet test",
            "mix test",
            "bundle exec rspec",
            "rspec spec/a_spec.rb:3",
            "docker ps",
            "docker ps -a",
            "docker images",
            "kubectl get pods",
            "kubectl get pods -n kube-system -o wide",
            "swift build",
            "phpunit tests",
            "composer install",
            "deno lint",
            "shellcheck a.sh",
        ],
    );
}

#[test]
fn git() {
    check(
        Dev,
        &[
            "git commit -m 'remove sudo'",
            "git commit -m 'rm -rf / fix'",
            "git commit -am 'shutdown hook'",
            "git add .",
            "git add -A",
            "git tag v1",
            "git tag -a v1 -m x",
            "git fetch",
            "git fetch origin main",
            "git fetch --all --prune",
            "git branch topic",
            "git switch main",
            "git switch -c topic",
            "git checkout -b topic",
            "git stash",
            "git stash push -m x",
        ],
    );
}

#[test]
fn around() {
    let judge = |command: &crate::Command| class(command, &surroundings()).0;
    let assigned = |name: &str, value: &str, text: &str| {
        let mut command = command(text);
        command.assignments.push(Assignment { name: name.into(), value: Word::text(value) });
        command
    };
    for (name, value) in [("RUST_BACKTRACE", "1"), ("CI", "true"), ("FOO", "1"), ("NODE_ENV", "test")] {
        assert_eq!(judge(&assigned(name, value, "cargo test")), Dev, "{name}");
        assert_eq!(judge(&assigned(name, value, "ls")), Class::Dangerous, "{name}");
    }
    for name in [
        "LD_PRELOAD",
        "PATH",
        "NODE_OPTIONS",
        "GIT_SSH_COMMAND",
        "RUSTC_WRAPPER",
        "PYTHONPATH",
        "CARGO_BUILD_RUSTC",
        "PAGER",
        "http_proxy",
    ] {
        assert_eq!(judge(&assigned(name, "x", "cargo test")), Class::Dangerous, "{name}");
    }
    for (via, text, expected) in [
        (Via::Wrapper("time".into()), "cargo build", Dev),
        (Via::Wrapper("nohup".into()), "cargo build", Dev),
        (Via::Wrapper("nohup".into()), "ls", Class::Dangerous),
        (Via::Wrapper("timeout".into()), "ls", Class::Safe),
        (Via::Wrapper("setsid".into()), "ls", Class::Dangerous),
        (Via::Each("xargs".into()), "ls", Class::Dangerous),
        (Via::Shell("sh".into()), "ls", Class::Dangerous),
        (Via::Substitution, "ls", Class::Dangerous),
        (Via::Elsewhere("ssh".into()), "ls", Class::Dangerous),
    ] {
        let mut command = command(text);
        command.via.push(via.clone());
        assert_eq!(judge(&command), expected, "{via:?} {text}");
    }
    for (directory, text, expected) in [
        (Directory::Known(Path::new("/w/sub").into()), "pytest", Dev),
        (Directory::Known(Path::new("/w/sub").into()), "ls ..", Class::Safe),
        (Directory::Known(Path::new("/w/sub").into()), "ls ../..", Class::Dangerous),
        (Directory::Known(Path::new("/w-evil").into()), "ls", Class::Dangerous),
        (Directory::Known(Path::new("/").into()), "ls", Class::Dangerous),
        (Directory::Unknown, "pytest", Class::Dangerous),
    ] {
        let mut command = command(text);
        command.directory = directory;
        assert_eq!(judge(&command), expected, "{text} in {:?}", command.directory);
    }
}
