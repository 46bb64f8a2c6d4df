//! Name families that a fixed pattern cannot describe: environment files with their harmless templates, and SSH keys
//! with their public halves. Everything here sees folded, peeled names.

use super::super::fold::split_extension;

/// Words that mark an environment file as a template to copy, not to use.
const TEMPLATE_WORDS: &str = "example examples sample template tmpl tpl dist default defaults schema";

/// Extensions that no private key has: public halves, prose and source code.
const NOT_A_KEY: &str = "pub md rst adoc html htm css scss svg png rs py go js mjs cjs jsx ts tsx java kt c cc cpp h \
    hpp rb php cs swift sh ps1 pyi lua ex exs zig";

const SSH_KEYS: &str = "id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk id_xmss";

fn holds(list: &str, name: &[u8]) -> bool {
    list.split(' ').any(|known| known.as_bytes() == name)
}

/// `.env`, `.env.production`, `.env-local`, `.envrc`, `prod.env`; not `.env.example`, `sample.env`, `.environment`.
pub(super) fn environment_file(name: &[u8]) -> bool {
    if let Some(rest) = name.strip_prefix(b".env") {
        return match rest.first() {
            None => true,
            Some(next) if next.is_ascii_alphanumeric() => rest == b"rc" || rest == b"rc.local",
            Some(_) => !rest
                .rsplit(|byte| matches!(byte, b'.' | b'-' | b'_'))
                .next()
                .is_some_and(|word| holds(TEMPLATE_WORDS, word)),
        };
    }
    match name.strip_suffix(b".env") {
        Some(stem) => !stem.split(|byte| matches!(byte, b'.' | b'-' | b'_')).any(|word| holds(TEMPLATE_WORDS, word)),
        None => false,
    }
}

/// `id_rsa`, `id_ed25519_work`, `id_rsa.txt`, `ssh_host_rsa_key`, `deploy_ed25519`; not `id_rsa.pub`, `id_rsa_howto.md`.
pub(super) fn ssh_private_key(name: &[u8]) -> bool {
    let (_, extension) = split_extension(name);
    let ends = ["_rsa", "_dsa", "_ecdsa", "_ed25519"];
    let is_key = |key: &str| {
        name.strip_prefix(key.as_bytes())
            .is_some_and(|rest| rest.first().is_none_or(|next| !next.is_ascii_alphanumeric()))
    };
    let named = (name.starts_with(b"ssh_host_") && name.ends_with(b"_key"))
        || (extension.is_none() && ends.iter().any(|end| name.ends_with(end.as_bytes())))
        || (name.starts_with(b"id_") && SSH_KEYS.split(' ').any(is_key));
    named && !extension.is_some_and(|known| holds(NOT_A_KEY, known))
}
