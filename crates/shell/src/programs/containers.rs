//! Containers and clusters: only what lists, as development tools, because it asks a service.

use super::refusal::Refusal;
use super::row::{Answer, Family, Operands::*, Row, Seen};
use crate::verdict::Class;

const LIST: &str =
    "-aqsl -n= -f= --all --quiet --size --latest --last= --filter= --format= --no-trunc --digests --help";

const DOCKER: &[Row] = &[
    Row::dev("ps|container ls|container ps|container list", LIST).takes(Nothing),
    Row::dev("images|image ls|image list", LIST).takes(Text),
    Row::dev(
        "network ls|volume ls|context ls|system df|compose ls",
        "-qv --verbose --quiet --filter= --format= --no-trunc",
    )
    .takes(Nothing),
    Row::dev("version|info", "-f= --format=").takes(Nothing),
    Row::dev("compose ps|compose images", "-aq --all --quiet --services --format= --filter= --status=").takes(Text),
];

const KUBECTL: &[Row] = &[
    Row::dev(
        "get",
        "-A -n= -o= -l= -L= --all-namespaces --namespace= --output= --selector= --field-selector= --show-labels \
         --no-headers --sort-by= --label-columns= --ignore-not-found --show-kind --chunk-size= \
         --show-managed-fields !-w !--watch !--watch-only !-f !--filename !-k !--kustomize !--raw !--template",
    )
    .takes(Text)
    .check(kubectl_get),
    Row::dev("version", "-o= --client[=] --short --output=").takes(Nothing),
    Row::dev("api-resources|api-versions|cluster-info", "-o= --output=").takes(Nothing),
];

/// The table.
pub(super) const FAMILIES: &[Family] =
    &[Family::new("docker podman", &[DOCKER]), Family::new("kubectl", &[KUBECTL]).globals("-n= --namespace=")];

/// Secrets are shown with their values; a format may be read from a file.
fn kubectl_get(seen: &Seen<'_>) -> Answer {
    let secret = |text: &str| text.split([',', '/', '.']).any(|kind| matches!(kind, "secret" | "secrets"));
    let formats = seen.given.values("-o --output").find(|word| word.to_string().contains("file"));
    let shown = seen.given.operands.iter().find(|word| secret(&word.to_string()));
    match formats.or(shown) {
        Some(word) => Err(Refusal::Operand(seen.program.to_owned(), word.to_string())),
        None => Ok(Class::Dev),
    }
}
