//! Git's object names: hashes, so that a name proves its content.
//!
//! An archive is made like a checkout, with `.gitattributes` applied: line ends converted, `$Format$` replaced, LFS
//! files fetched. So content from an archive is accepted only if it has the expected hash.

use bytes::Bytes;
use data_encoding::HEXLOWER;
use ring::digest::{Context, SHA1_FOR_LEGACY_USE_ONLY};
use sha2::{Digest as _, Sha256};

/// Hexadecimal digits of a name in a repository that uses SHA-256.
const SHA256_DIGITS: usize = 64;

/// The name of a blob with this content, in the hash format of the object name `like`.
pub(super) fn blob_name(content: &[u8], like: &str) -> String {
    let header = format!("blob {}\0", content.len());
    if like.len() == SHA256_DIGITS {
        return HEXLOWER.encode(&Sha256::new().chain_update(header).chain_update(content).finalize());
    }
    let mut context = Context::new(&SHA1_FOR_LEGACY_USE_ONLY);
    context.update(header.as_bytes());
    context.update(content);
    HEXLOWER.encode(context.finish().as_ref())
}

/// The content of the blob `name`, from a file of an archive: the file itself, or the file with the line endings from
/// before `eol=crlf`. None if it is neither.
pub(super) fn blob_of(file: Bytes, name: &str) -> Option<Bytes> {
    if blob_name(&file, name) == name {
        return Some(file);
    }
    let unix = without_carriage_returns(&file)?;
    (blob_name(&unix, name) == name).then(|| unix.into())
}

/// Replaces every `\r\n` by `\n`; none if there is none.
fn without_carriage_returns(file: &[u8]) -> Option<Vec<u8>> {
    memchr::memmem::find(file, b"\r\n")?;
    let mut unix = Vec::with_capacity(file.len());
    let mut bytes = file.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        if byte != b'\r' || bytes.peek() != Some(&b'\n') {
            unix.push(byte);
        }
    }
    Some(unix)
}

#[cfg(test)]
mod tests {
    #![allow(missing_docs)]
    use super::*;

    /// As printed by `git hash-object`.
    const EMPTY: &str = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
    const HELLO: &str = "ce013625030ba8dba906f756967f9e9ca394464a";
    const HELLO_SHA256: &str = "2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4";

    #[test]
    fn names_are_those_of_git() {
        for (content, name) in [("", EMPTY), ("hello\n", HELLO), ("hello\n", HELLO_SHA256)] {
            assert_eq!(blob_name(content.as_bytes(), name), name);
        }
    }

    #[test]
    fn a_file_of_an_archive_counts_as_its_blob_or_not_at_all() {
        let blob = |file: &'static str, name: &str| blob_of(Bytes::from_static(file.as_bytes()), name);
        assert_eq!(blob("hello\n", HELLO).as_deref(), Some(b"hello\n".as_slice()));
        assert_eq!(blob("hello\r\n", HELLO).as_deref(), Some(b"hello\n".as_slice()), "eol=crlf");
        for other in ["", "hello", "hello\r", "hello\r\r\n", "hello\n\r\n"] {
            assert_eq!(blob(other, HELLO), None, "{other:?}");
        }
    }
}
