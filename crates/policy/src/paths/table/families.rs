//! Name families that a fixed pattern cannot describe: environment files with their harmless templates, and SSH keys
//! with their public halves. Everything here sees folded, peeled names.

use super::super::fold::split_extension;

/// Words that mark an environment file as a template to copy, not to use.
const TEMPLATE_WORDS: &[&[u8]] =
    &[b"example", b"examples", b"sample", b"template", b"tmpl", b"tpl", b"dist", b"default", b"defaults", b"schema"];

/// Extensions that no private key has: public halves, prose and source code.
const NOT_A_KEY: &[&[u8]] = &[
    b"pub", b"md", b"rst", b"adoc", b"html", b"htm", b"css", b"scss", b"svg", b"png", b"rs", b"py", b"go", b"js",
    b"mjs", b"cjs", b"jsx", b"ts", b"tsx", b"java", b"kt", b"c", b"cc", b"cpp", b"h", b"hpp", b"rb", b"php", b"cs",
    b"swift", b"sh", b"ps1", b"pyi", b"lua", b"ex", b"exs", b"zig",
];

const SSH_KEYS: &[&[u8]] =
    &[b"id_rsa", b"id_dsa", b"id_ecdsa", b"id_ed25519", b"id_ecdsa_sk", b"id_ed25519_sk", b"id_xmss"];

/// `.env`, `.env.production`, `.env-local`, `.envrc`, `prod.env`; not `.env.example`, `sample.env`, `.environment`.
pub(super) fn environment_file(name: &[u8]) -> bool {
    if let Some(rest) = name.strip_prefix(b".env") {
        return match rest.first() {
            None => true,
            Some(next) if next.is_ascii_alphanumeric() => rest == b"rc" || rest == b"rc.local",
            Some(_) => !rest
                .rsplit(|byte| matches!(byte, b'.' | b'-' | b'_'))
                .next()
                .is_some_and(|word| TEMPLATE_WORDS.contains(&word)),
        };
    }
    match name.strip_suffix(b".env") {
        Some(stem) => !stem.split(|byte| matches!(byte, b'.' | b'-' | b'_')).any(|word| TEMPLATE_WORDS.contains(&word)),
        None => false,
    }
}

/// `id_rsa`, `id_ed25519_work`, `id_rsa.txt`, `ssh_host_rsa_key`, `deploy_ed25519`; not `id_rsa.pub`, `id_rsa_howto.md`.
pub(super) fn ssh_private_key(name: &[u8]) -> bool {
    let (_, extension) = split_extension(name);
    if extension.is_some_and(|known| NOT_A_KEY.contains(&known)) {
        return false;
    }
    if name.starts_with(b"ssh_host_") && name.ends_with(b"_key") {
        return true;
    }
    if extension.is_none() && [&b"_rsa"[..], b"_dsa", b"_ecdsa", b"_ed25519"].iter().any(|end| name.ends_with(end)) {
        return true;
    }
    SSH_KEYS.iter().any(|key| {
        name.strip_prefix(*key).is_some_and(|rest| rest.first().is_none_or(|next| !next.is_ascii_alphanumeric()))
    })
}
