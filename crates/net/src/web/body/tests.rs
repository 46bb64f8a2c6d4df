#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use flate2::Compression;
use flate2::write::GzEncoder;

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn unpack(encoding: Encoding, cap: usize, pieces: &[&[u8]]) -> (Vec<u8>, BodyEnd) {
    let mut unpacked = Unpacked::new(encoding, cap);
    let end = pieces.iter().find_map(|piece| unpacked.take(piece).err());
    let end = end.unwrap_or_else(|| unpacked.end());
    (unpacked.into_bytes().to_vec(), end)
}

#[test]
fn the_limit_is_exact() {
    let page = b"0123456789";
    let packed = gzip(page);
    for (cap, expected, end) in [
        (11, &page[..], BodyEnd::Complete),
        (10, &page[..], BodyEnd::Complete),
        (9, &page[..9], BodyEnd::Bytes),
        (0, &[], BodyEnd::Bytes),
    ] {
        assert_eq!(unpack(Encoding::AsSent, cap, &[page]), (expected.to_vec(), end), "{cap} plain");
        assert_eq!(unpack(Encoding::Gzip, cap, &[&packed]), (expected.to_vec(), end), "{cap} gzip");
        let bytes: Vec<&[u8]> = packed.chunks(1).collect();
        assert_eq!(unpack(Encoding::Gzip, cap, &bytes), (expected.to_vec(), end), "{cap} byte by byte");
    }
}

#[test]
fn a_bomb_stops_at_the_limit() {
    let bomb = gzip(&vec![0; 64 << 20]);
    assert!(bomb.len() < 1 << 17, "{}", bomb.len());
    let (bytes, end) = unpack(Encoding::Gzip, 1 << 20, &[&bomb]);
    assert_eq!((bytes.len(), end), (1 << 20, BodyEnd::Bytes));
    assert!(bytes.capacity() <= 2 << 20, "{}", bytes.capacity());
}

#[test]
fn what_is_broken_is_handed_out_up_to_there() {
    let page: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
    let packed = gzip(&page);
    let (bytes, end) = unpack(Encoding::Gzip, 1 << 20, &[&packed[..packed.len() / 2]]);
    assert_eq!(end, BodyEnd::Broken);
    assert!(bytes.len() > 100_000 && page.starts_with(&bytes), "{}", bytes.len());
    assert_eq!(unpack(Encoding::Gzip, 100, &[b"no gzip at all, by any means"]), (Vec::new(), BodyEnd::Broken));
    let mut twisted = gzip(b"text");
    let last = twisted.len() - 1;
    twisted[last] ^= 1;
    assert_eq!(unpack(Encoding::Gzip, 100, &[&twisted]).1, BodyEnd::Broken);
}

#[test]
fn members_are_joined() {
    let both = [gzip(b"one "), gzip(b"two")].concat();
    assert_eq!(unpack(Encoding::Gzip, 100, &[&both]), (b"one two".to_vec(), BodyEnd::Complete));
}

#[test]
fn only_plain_gzip_is_unpacked() {
    let of = |values: &[&'static str]| {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(CONTENT_ENCODING, hyper::header::HeaderValue::from_static(value));
        }
        Encoding::of(&headers)
    };
    for gzip in ["gzip", "GZIP", "x-gzip", " gzip "] {
        assert_eq!(of(&[gzip]), Encoding::Gzip, "{gzip}");
    }
    for other in [&["br"][..], &["deflate"], &["gzip, gzip"], &["gzip", "gzip"], &["identity"], &["zstd"], &[]] {
        assert_eq!(of(other), Encoding::AsSent, "{other:?}");
    }
}
