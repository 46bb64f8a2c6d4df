//! Which names can be a public host's, before resolution: at least two labels of letters, digits, hyphens and
//! underscores, below a top-level domain that the public DNS serves, and not a cloud's metadata.
//!
//! Names like `127.0.0.1.nip.io` pass here; their addresses are judged when they are resolved.

/// Top-level domains that lead into a private network, by reservation (RFC 6761, 6762, 7686, 8375, ICANN) or by custom.
const LOCAL: &str = "\
    localhost localdomain local lan internal intranet private corp home mail domain workgroup svc cluster consul \
    docker kube test invalid onion i2p alt bit arpa";

/// Names under public top-level domains that lead to a machine's credentials, and cluster names with two labels; names
/// below them are included.
const METADATA: &[&str] = &[
    "metadata.goog",
    "metadata.tencentyun.com",
    "metadata.packet.net",
    "metadata.platformequinix.com",
    "metadata.ec2.amazonaws.com",
    "kubernetes.default",
];

/// The rule against a name; it is in lower case, ASCII, without a dot at its end.
#[must_use]
pub fn rule(name: &str) -> Option<String> {
    let Some((_, top)) = name.rsplit_once('.') else {
        return Some("a name without a dot".to_owned());
    };
    if LOCAL.split(' ').any(|local| local == top) {
        return Some(format!("names below .{top} are not public"));
    }
    let is_metadata =
        |known: &&&str| name.strip_suffix(**known).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    METADATA.iter().find(is_metadata).map(|_| "cloud metadata".to_owned())
}

/// What is wrong with the spelling of a name.
#[must_use]
pub fn fault(name: &str) -> Option<&'static str> {
    if name.len() > 253 {
        return Some("the host's name is longer than 253 characters");
    }
    for label in name.split('.') {
        if label.is_empty() || label.len() > 63 {
            return Some("a part of the host's name is empty or longer than 63 characters");
        }
        if !label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')) {
            return Some("the host's name holds characters that no name has");
        }
    }
    None
}
