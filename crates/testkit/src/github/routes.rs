//! Routes requests to answers.

use super::http::{Answer, Asked};
use super::repository::{FakeRepository, Thing, bytes, object};
use super::{Instead, State};
use data_encoding::BASE64;
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use std::time::{SystemTime, UNIX_EPOCH};

/// The path of archives on this server.
const ARCHIVES: &str = "/_codeload";

pub(super) fn answer(asked: &Asked, state: &State) -> Answer {
    let scripted = {
        let mut scripted = state.scripted.lock();
        let at = scripted.iter().position(|(needle, _)| asked.path.contains(needle.as_str()));
        at.and_then(|at| scripted.remove(at)).map(|(_, instead)| instead)
    };
    match scripted {
        Some(Instead::Status(status, headers, body)) => Answer::new(status, body).with(headers),
        Some(Instead::CutShort) => Answer { cut: true, ..honest(asked, state) },
        Some(Instead::Silent) => Answer { silent: true, ..honest(asked, state) },
        None => honest(asked, state),
    }
}

fn said(status: u16, message: &str) -> Answer {
    Answer::new(status, json!({"message": message, "documentation_url": "https://docs.example/rest"}).to_string())
}

fn honest(asked: &Asked, state: &State) -> Answer {
    let repository = state.repository.lock();
    let path = asked.path.split('?').next().unwrap_or_default();
    if let Some(rest) = path.strip_prefix(ARCHIVES) {
        let known = rest == format!("/{}/legacy.tar.gz/{}", repository.name, repository.commit);
        return if known { Answer::bytes(repository.archive()) } else { said(404, "Not Found") };
    }
    if asked.header("authorization") != Some(&format!("Bearer {}", state.token)) {
        return said(401, "Bad credentials");
    }
    if state.left.load(Ordering::Relaxed) <= 0 {
        let reset = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() + 600;
        return said(403, "API rate limit exceeded for user ID 1.")
            .with(vec![("x-ratelimit-remaining", "0".to_owned()), ("x-ratelimit-reset", reset.to_string())]);
    }
    let mut answer = of_repository(path, asked, &repository, state);
    if answer.status == 200 {
        let tag = format!("\"{}\"", object(answer.body.as_slice()));
        if asked.header("if-none-match") == Some(&tag) {
            answer = Answer::new(304, String::new());
        } else {
            state.left.fetch_sub(1, Ordering::Relaxed);
        }
        answer = answer.with(vec![("etag", tag)]);
    } else {
        state.left.fetch_sub(1, Ordering::Relaxed);
    }
    let left = state.left.load(Ordering::Relaxed);
    answer.with(vec![("x-ratelimit-remaining", left.max(1).to_string())])
}

fn of_repository(path: &str, asked: &Asked, repository: &FakeRepository, state: &State) -> Answer {
    if let Some(old) = &repository.old_name
        && let Some(rest) = path.strip_prefix(&format!("/repos/{old}"))
    {
        let to = format!("http://{}/repos/{}{rest}", state.address, repository.name);
        return said(301, "Moved Permanently").with(vec![("location", to)]);
    }
    let Some(rest) = path.strip_prefix(&format!("/repos/{}", repository.name)) else {
        return said(404, "Not Found");
    };
    if rest.is_empty() {
        let about = json!({"full_name": repository.name, "default_branch": repository.branch, "private": true});
        return Answer::new(200, about.to_string());
    }
    if repository.empty {
        return said(409, "Git Repository is empty.");
    }
    let recursive = asked.path.contains("recursive=1");
    let part =
        |prefix: &str| rest.strip_prefix(prefix).map(|part| percent_decode_str(part).decode_utf8_lossy().into_owned());
    if let Some(reference) = part("/commits/") {
        commit(&reference, repository)
    } else if let Some(sha) = part("/git/trees/") {
        tree(&sha, recursive, repository)
    } else if let Some(sha) = part("/git/blobs/") {
        match repository.blob(&sha) {
            Some(content) => Answer::new(200, encoded(&content).to_string()),
            None => said(404, "Not Found"),
        }
    } else if let Some(path) = part("/contents/") {
        match repository.at(&path) {
            Some(thing @ Thing::File(_)) => Answer::new(200, encoded(&bytes(thing)).to_string()),
            _ => said(404, "Not Found"),
        }
    } else if let Some(reference) = part("/tarball/") {
        let at = repository.archives_at.clone().unwrap_or_else(|| format!("http://{}", state.address));
        let to = format!("{at}{ARCHIVES}/{}/legacy.tar.gz/{reference}", repository.name);
        Answer::new(302, String::new()).with(vec![("location", to)])
    } else {
        said(404, "Not Found")
    }
}

fn commit(reference: &str, repository: &FakeRepository) -> Answer {
    if reference != repository.branch && reference != repository.commit {
        return said(422, &format!("No commit found for SHA: {reference}"));
    }
    let tree = json!({"sha": repository.directory_object("")});
    let about = json!({"sha": repository.commit, "commit": {"message": "whatever", "tree": tree}, "files": []});
    Answer::new(200, about.to_string())
}

fn tree(sha: &str, recursive: bool, repository: &FakeRepository) -> Answer {
    let Some(path) = repository.directories().remove(sha) else { return said(404, "Not Found") };
    let truncated = recursive && repository.truncated;
    let mut entries = repository.entries(&path, recursive);
    if truncated {
        entries.truncate(entries.len() / 2);
    }
    Answer::new(200, json!({"sha": sha, "tree": entries, "truncated": truncated}).to_string())
}

/// In lines of sixty characters, like the API.
fn encoded(content: &[u8]) -> Value {
    let text = BASE64.encode(content);
    let lines: Vec<&str> = text.as_bytes().chunks(60).map(|line| std::str::from_utf8(line).expect("ASCII")).collect();
    json!({"encoding": "base64", "size": content.len(), "content": format!("{}\n", lines.join("\n"))})
}
