#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use lopdf::{Stream, dictionary};
use palanca_testkit::spent;

/// A document with one page for each drawing.
fn document(drawings: &[Vec<u8>]) -> Document {
    let mut document = Document::with_version("1.5");
    let tree = document.new_object_id();
    let font = document.add_object(dictionary! {
        "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Courier", "Encoding" => "WinAnsiEncoding",
    });
    let resources = document.add_object(dictionary! { "Font" => dictionary! { "F1" => font } });
    let pages: Vec<Object> = drawings
        .iter()
        .map(|drawing| {
            let mut stream = Stream::new(dictionary! {}, drawing.clone());
            stream.compress().unwrap();
            let content = document.add_object(stream);
            document
                .add_object(
                    dictionary! { "Type" => "Page", "Parent" => tree, "Contents" => content, "Resources" => resources },
                )
                .into()
        })
        .collect();
    let count = i64::try_from(pages.len()).unwrap();
    document
        .objects
        .insert(tree, Object::Dictionary(dictionary! { "Type" => "Pages", "Kids" => pages, "Count" => count }));
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    let about = document.add_object(dictionary! { "Title" => Object::string_literal("About\x07 it") });
    document.trailer.set("Root", catalog);
    document.trailer.set("Info", about);
    document
}

fn bytes(document: &mut Document) -> Vec<u8> {
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    bytes
}

fn shown(body: &[u8], completeness: Completeness) -> (String, Vec<&'static str>) {
    let page = read(&Source { body, content_type: None, url: "", completeness });
    assert_eq!(page.kind, PageKind::Pdf);
    (page.text, page.notes.iter().map(Message::key).collect())
}

fn words(text: &str) -> Vec<u8> {
    format!("BT /F1 12 Tf 10 700 Td ({text}) Tj ET").into_bytes()
}

#[test]
fn text_is_read_in_lines_and_paragraphs() {
    let drawing = b"BT /F1 10 Tf 1 0 0 1 50 700 Tm (one) Tj 20 0 Td (two) Tj 0 -12 Td [(th) -20 (ree) -300 (four)] TJ \
        0 -40 Td (five\x1b) Tj ET BT (\xf1) ' ET"
        .to_vec();
    let mut document = document(&[drawing, words("second page")]);
    let body = bytes(&mut document);
    assert_eq!(shown(&body, Completeness::Whole), ("one two\nthree four\n\nfive\nñ\n\nsecond page".to_owned(), vec![]));
    let page = read(&Source { body: &body, content_type: None, url: "", completeness: Completeness::Whole });
    assert_eq!(page.title.as_deref(), Some("About it"));
}

#[test]
fn what_cannot_be_read_is_said() {
    let body = bytes(&mut document(&[words("a")]));
    assert_eq!(shown(&body, Completeness::Cut), (String::new(), vec!["page-pdf-cut"]));
    assert_eq!(shown(&bytes(&mut document(&[b"0 0 m 1 1 l S".to_vec()])), Completeness::Whole).1, ["page-pdf-no-text"]);
    assert_eq!(shown(b"%PDF-1.4 and then nothing", Completeness::Whole).1, ["page-pdf-broken"]);
    let many = bytes(&mut document(&vec![words("p"); PAGES + 5]));
    let (text, notes) = shown(&many, Completeness::Whole);
    assert_eq!((text.matches('p').count(), notes), (PAGES, vec!["page-pdf-pages"]));
}

#[test]
fn what_unpacks_to_too_much_is_left_out() {
    let bomb = [b"BT /F1 12 Tf (never) Tj ET ".to_vec(), vec![b' '; 64 << 20]].concat();
    let body = bytes(&mut document(&[bomb, words("after")]));
    assert!(body.len() < 1 << 20, "it is small: {}", body.len());
    assert_eq!(shown(&body, Completeness::Whole), ("after".to_owned(), vec![]));
}

#[test]
fn packs_of_objects_that_unpack_to_too_much_are_refused_however_they_are_named() {
    for name in ["ObjStm", "Obj#53tm", "#4f#62jStm"] {
        let mut packed =
            Stream::new(dictionary! {}, [b"1000 0 [".to_vec(), b"0 ".repeat(2 << 20), b"]".to_vec()].concat());
        packed.compress().unwrap();
        let mut body = b"%PDF-1.5\n".to_vec();
        for number in 1..=200 {
            let head = format!(
                "{number} 0 obj\n<</Type/{name}/N 1/First 7/Filter/FlateDecode/Length {}>>\nstream\n",
                packed.content.len()
            );
            body.extend([head.as_bytes(), &packed.content, b"\nendstream\nendobj\n"].concat());
        }
        body.extend(b"trailer\n<</Root 1 0 R>>\n");
        let ((_, notes), time) = spent(|| shown(&body, Completeness::Whole));
        assert_eq!(notes, ["page-pdf-broken"], "{name}");
        assert!(time < Duration::from_secs(20), "{name}: {time:?}");
    }
}

#[test]
fn damaged_documents_end_neither_the_program_nor_the_time() {
    let body = bytes(&mut document(&[words("hello"), words("there")]));
    // Each byte lost, each byte another, and every beginning.
    let mut read_all_the_same = 0;
    let ((), time) = spent(|| {
        for at in (0..body.len()).step_by(3) {
            let mut other = body.clone();
            other[at] ^= 0x55;
            read_all_the_same += usize::from(shown(&other, Completeness::Whole).0.contains("hello"));
            let mut shorter = body.clone();
            shorter.remove(at);
            shown(&shorter, Completeness::Whole);
            shown(&body[..at], Completeness::Whole);
        }
    });
    assert!(read_all_the_same > body.len() / 6, "{read_all_the_same} of {}", body.len() / 3);
    assert!(time < Duration::from_secs(60), "{time:?}");
    let deep = format!("%PDF-1.4\n1 0 obj\n{}\nendobj\ntrailer <</Root 1 0 R>>", "[".repeat(1_000_000));
    shown(deep.as_bytes(), Completeness::Whole);
    let names = format!("%PDF-1.4\n1 0 obj\n{}\nendobj\ntrailer <</Root 1 0 R>>", "<</A ".repeat(300_000));
    shown(names.as_bytes(), Completeness::Whole);
}
