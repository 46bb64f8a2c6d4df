//! Dependencies only point downwards. Development dependencies are free: tests may stand on the shoulders of anything.

use crate::report::Report;
use crate::workspace::{From, Kind, Package, Workspace};

pub fn check(workspace: &Workspace, report: &mut Report) {
    for package in &workspace.packages {
        let Some(layer) = package.layer else {
            report.fail(format!(
                "{}: has no layer; add `[package.metadata.palanca] layer = N` to its Cargo.toml (ARCHITECTURE.md says which)",
                package.name
            ));
            continue;
        };
        for dependency in &package.dependencies {
            if dependency.from == From::Here && dependency.kind != Kind::Dev {
                edge(package, layer, workspace.package(&dependency.name), report);
            }
        }
    }
}

fn edge(package: &Package, layer: u64, target: Option<&Package>, report: &mut Report) {
    let Some((target, below)) = target.and_then(|target| Some((target, target.layer?))) else {
        return;
    };
    if below >= layer {
        report.fail(format!(
            "{} (layer {layer}) -> {} (layer {below}): a crate may only depend on lower layers; \
             move the code down, or pass it in through a port of core",
            package.name, target.name
        ));
    }
}

#[cfg(test)]
mod tests;
