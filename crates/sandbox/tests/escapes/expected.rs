//! What every probe must come to. Denied, unless it stands here.

use crate::driver::User;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Allowed,
    Denied,
}

/// What programs need, or what does no harm: allowed at both levels.
const HARMLESS: [&str; 11] = [
    "unix-pair",
    "memfd-exec",
    "read-passwd",
    "null",
    "random",
    "fork",
    "write-beside",
    "tty-size",
    "tty-process-group",
    "tty-waiting",
    "personality-32",
];

/// Allowed at the full level alone: the places are the program's own there.
const PRIVATE: [&str; 5] = ["private-tmp", "private-var-tmp", "own-socket", "write-in-.git", "workspace-file"];

/// Also at the full level alone: the network is the program's own, so nobody hears it. Whether the host did is asked there.
const ALONE: [&str; 3] = ["udp", "listen", "listen-6"];

/// Whoever puts a socket into the workspace gives it to the programs there: the kernel's files know no way to take it
/// away. Landlock will, from version 9.
const GIVEN: [&str; 1] = ["unix-path-in-workspace"];

/// What the full level keeps and the filters alone cannot: the price of a machine without namespaces. Landlock does not
/// govern who looks at a file's facts, or changes its mode or times; processes of the host have names; and what is absent
/// cannot be kept from being made, except by freezing the directory where it would be.
const LOST: [&str; 16] = [
    "xattr-outside",
    "acl-outside",
    "owner-outside",
    "watch-outside",
    "pidfd-host",
    "proc-host-cmdline",
    "stat-outside",
    "chmod-outside",
    "utime-outside",
    "chmod-.git/config",
    "make-sub/.git/config",
    "make-sub/deep/.mcp.json",
    "chmod-device",
    "chmod-usr",
    "chmod-input",
    "chmod-input-path",
];

/// Of these, what an ordinary user may do nowhere.
const ROOTS: [&str; 4] = ["chmod-device", "chmod-usr", "chmod-input", "chmod-input-path"];

/// Of processes without capabilities: root's have some.
const LOST_TO_OTHERS: [&str; 2] = ["nice-host", "affinity-host"];

pub fn expected(name: &str, level: &str, user: User) -> Verdict {
    let root = user == User::Own && rustix::process::geteuid().is_root();
    let lost = (LOST.contains(&name) && (root || !ROOTS.contains(&name))) || (LOST_TO_OTHERS.contains(&name) && !root);
    let allowed = match level {
        "full" => [&PRIVATE[..], &ALONE, &GIVEN].concat().contains(&name),
        _ => lost,
    };
    if allowed || HARMLESS.contains(&name) { Verdict::Allowed } else { Verdict::Denied }
}
