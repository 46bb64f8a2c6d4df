//! Programs whose purpose is to run others as another user. Only the program of a command counts, never an argument.

use super::options::Options;
use super::view::View;
use crate::catalogue::{Fact, given};

pub(super) fn breaks(view: &View<'_>) -> Option<String> {
    let raises = view.program.system_facts().any(|fact| match fact {
        Fact::Raises => true,
        Fact::RaisesWith(words) => view.texts().any(|text| given(text, words)),
        _ => false,
    });
    let root = |user: &str| matches!(user, "0" | "root" | "0:0" | "root:root");
    let words = view.command.operands();
    let becomes_root = if view.program.is("setpriv") {
        let long = "reuid ruid euid regid rgid egid";
        let options = Options::read(words, long);
        options.values(long).any(root)
    } else if view.program.is("systemd-run") {
        let options = Options::read(words, "p M H u t E uid gid property unit");
        let user = options.values("uid").any(root);
        user || options.values("p property").any(|value| value.strip_prefix("User=").is_some_and(root))
    } else {
        false
    };
    (raises || becomes_root).then(|| view.shown())
}
