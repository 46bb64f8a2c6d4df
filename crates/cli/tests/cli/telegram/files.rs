//! Photos and files that people send.

use super::*;

/// The eight bytes that a PNG begins with, and some more.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\nnot much of a picture";
const JPEG: &[u8] = b"\xff\xd8\xff\xe0not much of a picture, either";
/// The name of the text `milk and bread` as an artifact: the beginning of its SHA-256.
const LIST: &str = "art-b87ae7de7952fe44b4a5";

fn photo(id: &str) -> Value {
    json!([{"file_id": "small", "width": 90, "height": 90}, {"file_id": id, "width": 800, "height": 800, "file_size": 31}])
}

/// A bot whose model sees.
fn seeing(turns: Vec<Turn>) -> House {
    let house = House::of_ana(turns);
    let config = std::fs::read_to_string(house.bench.workspace().join("bots.yaml")).unwrap();
    house.bench.write("bots.yaml", &config.replace("llm: {", "llm: {vision: on, "));
    for (id, bytes) in [("a.png", PNG), ("b.jpg", JPEG), ("c.png", PNG)] {
        house.telegram.file(TOKEN, id, bytes);
    }
    house
}

/// The messages of the last request that have parts, as their texts and how many images they have.
fn seen(house: &House) -> Vec<(String, usize)> {
    let requests = house.model.requests();
    let messages = requests.last().unwrap().body["messages"].as_array().unwrap().clone();
    let with_parts = messages.iter().filter_map(|said| said["content"].as_array());
    with_parts
        .map(|parts| {
            let texts: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
            (texts.join("\n"), parts.iter().filter(|part| part["type"] == "image_url").count())
        })
        .collect()
}

/// Whether some file of the state holds these bytes.
fn is_kept(house: &House, bytes: &[u8]) -> bool {
    let mut folders = vec![house.bench.home()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else if std::fs::read(entry.path()).is_ok_and(|read| read.windows(bytes.len()).any(|part| part == bytes))
            {
                return true;
            }
        }
    }
    false
}

#[test]
fn a_model_that_sees_is_shown_a_photo_also_after_a_restart_and_no_row_holds_it() {
    let house = seeing(vec![Turn::text("A cat."), Turn::text("Black."), Turn::text("Two.")]);
    let serving = house.serve();
    house.telegram.sends(TOKEN, ANA, &json!({"photo": photo("a.png"), "caption": "what is this?"}));
    assert_eq!(house.sends(1), ["A cat."]);
    assert_eq!(seen(&house), [("what is this?".to_owned(), 1)]);
    serving.kill();
    let serving = house.serve();
    house.says("which colour?");
    assert_eq!(house.said_up_to("Black."), ["A cat.", "Black."]);
    assert_eq!(seen(&house), [("what is this?".to_owned(), 1)]);
    // Without a word.
    house.telegram.sends(TOKEN, ANA, &json!({"photo": photo("b.jpg")}));
    assert_eq!(house.said_up_to("Two."), ["A cat.", "Black.", "Two."]);
    assert_eq!(seen(&house), [("what is this?".to_owned(), 1), ("[photo.jpg]".to_owned(), 1)]);
    let ended = serving.end().expect(0);
    assert_eq!(house.telegram.fetched(TOKEN), ["a.png", "b.jpg"]);
    assert!(is_kept(&house, PNG) && !is_kept(&house, b"iVBORw0KGgo"), "as bytes, and never as base64");
    is_secret(&house, &(ended.stdout + &ended.stderr));
}

#[test]
fn an_album_is_one_message() {
    let house = seeing(vec![Turn::text("Three.")]);
    let serving = house.serve();
    for (id, caption) in [("a.png", Some("these")), ("b.jpg", None), ("c.png", None)] {
        let part = json!({"photo": photo(id), "caption": caption, "media_group_id": "g"});
        house.telegram.sends(TOKEN, ANA, &part);
    }
    assert_eq!(house.sends(1), ["Three."]);
    assert_eq!(seen(&house), [("these\n[photo.jpg]\n[photo.jpg]".to_owned(), 3)]);
    serving.end().expect(0);
}

#[test]
fn a_model_that_does_not_see_is_told_and_a_text_is_read_by_its_name() {
    let read = Turn::calls([("read_artifact", json!({"id": LIST}))]);
    let house = House::of_ana(vec![Turn::text("I cannot see it."), read, Turn::text("Milk.")]);
    house.telegram.file(TOKEN, "a.png", PNG);
    house.telegram.file(TOKEN, "list.txt", b"milk and bread\n");
    let serving = house.serve();
    house.telegram.sends(TOKEN, ANA, &json!({"photo": photo("a.png"), "caption": "look"}));
    house.sends(1);
    let (words, images) = seen(&house).remove(0);
    assert!(images == 0 && words.contains("stored as art-") && words.contains("takes no images"), "{words}");
    let list = json!({"file_id": "list.txt", "file_name": "list.txt", "mime_type": "text/plain", "file_size": 15});
    house.telegram.sends(TOKEN, ANA, &json!({"document": list, "caption": "what do we need?"}));
    assert_eq!(house.sends(2)[1], "Milk.");
    assert!(seen(&house)[1].0.contains(&format!("[link] list.txt: artifact:{LIST} (text/plain; 15 bytes)")));
    assert!(house.told().iter().any(|told| told.contains("milk and bread") && !told.contains("FOREIGN")));
    serving.end().expect(0);
}

#[test]
fn what_cannot_be_read_is_told_and_what_is_too_large_is_not_asked_for() {
    let house = House::of_ana(vec![Turn::text("Only words.")]);
    house.telegram.file(TOKEN, "a.zip", b"PK\x03\x04\xff\xfe");
    let serving = house.serve();
    let file = |bytes: u64| json!({"file_id": "a.zip", "file_name": "a.zip", "file_size": bytes});
    for (number, (message, says)) in [
        (json!({"document": file(6)}), "a.zip: I cannot read this."),
        (json!({"document": file(11 << 20)}), "a.zip is too large for me to read (the limit: 10 MB)."),
        (json!({"document": {"file_id": "gone", "file_name": "gone.txt"}}), "gone.txt could not be fetched: "),
        (json!({"sticker": {"file_id": "s"}}), "I cannot read this."),
        (json!({"video": {"file_id": "v"}}), "I cannot read this."),
    ]
    .into_iter()
    .enumerate()
    {
        house.telegram.sends(TOKEN, ANA, &message);
        let said = house.sends(number + 1).remove(number);
        assert!(said.contains(says), "{said}");
    }
    for path in ["/etc/passwd", "../../x", "a?b", "http://127.0.0.1:1/x"] {
        let body = json!({"ok": true, "result": {"file_id": "x", "file_path": path}});
        house.telegram.instead("getFile", 200, &body.to_string());
        let before = house.sent().len();
        house.telegram.sends(TOKEN, ANA, &json!({"document": file(6)}));
        assert!(house.sends(before + 1)[before].contains("did not say where it is"), "{path}");
    }
    assert_eq!(house.telegram.fetched(TOKEN), ["a.zip"]);
    // Words with it are answered.
    house.telegram.sends(TOKEN, ANA, &json!({"video": {"file_id": "v"}, "caption": "funny"}));
    until("it answers", || house.sent().last().unwrap() == "Only words.");
    assert!(house.told().last().unwrap().starts_with("funny\n[video: I cannot read this."));
    is_secret(&house, &serving.end().expect(0).stderr);
}

#[test]
fn a_strangers_file_is_foreign_text() {
    let read = Turn::calls([("read_artifact", json!({"id": LIST}))]);
    let house = House::new(&format!("[{{id: ana, token: '{TOKEN}'}}]"), vec![read, Turn::text("Milk.")]);
    house.telegram.file(TOKEN, "list.txt", b"milk and bread\n");
    let serving = house.serve();
    let list = json!({"file_id": "list.txt", "file_name": "list.txt"});
    house.telegram.sends(TOKEN, MALLORY, &json!({"document": list, "caption": "do it"}));
    assert_eq!(house.sends(1), ["Milk."]);
    let read = house.told().into_iter().find(|told| told.contains("milk and bread")).unwrap();
    assert!(read.starts_with("<<<") && read.contains("P66"), "{read}");
    serving.end().expect(0);
}

/// A PDF document with one page that says this.
fn pdf(words: &str) -> Vec<u8> {
    let drawing = format!("BT /F1 12 Tf 10 700 Td ({words}) Tj ET");
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>".to_owned(),
        format!("<</Length {}>>stream\n{drawing}\nendstream", drawing.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>".to_owned(),
    ];
    let (mut file, mut table) = ("%PDF-1.4\n".to_owned(), "0000000000 65535 f \n".to_owned());
    for (object, number) in objects.iter().zip(1..) {
        table += &format!("{:010} 00000 n \n", file.len());
        file += &format!("{number} 0 obj{object}endobj\n");
    }
    let size = objects.len() + 1;
    let end = format!("trailer<</Root 1 0 R/Size {size}>>\nstartxref\n{}\n%%EOF\n", file.len());
    (file + &format!("xref\n0 {size}\n{table}") + &end).into_bytes()
}

#[test]
fn the_text_of_a_pdf_document_is_foreign_text_whoever_sends_it() {
    // The beginning of the SHA-256 of its text.
    let read = Turn::calls([("read_artifact", json!({"id": "art-75b65e94726b54d7bccf"}))]);
    let house = House::of_ana(vec![read, Turn::text("Milk.")]);
    house.telegram.file(TOKEN, "a.pdf", &pdf("milk and bread"));
    house.telegram.file(TOKEN, "scan.pdf", &pdf(""));
    let serving = house.serve();
    let file = |id: &str| json!({"document": {"file_id": id, "file_name": id}, "caption": ""});
    house.telegram.sends(TOKEN, ANA, &file("a.pdf"));
    assert_eq!(house.sends(1), ["Milk."]);
    let read = house.told().into_iter().find(|told| told.contains("milk and bread")).unwrap();
    assert!(read.starts_with("<<<") && read.contains("a.pdf"), "{read}");
    house.telegram.sends(TOKEN, ANA, &file("scan.pdf"));
    let said = house.sends(2).remove(1);
    assert!(said.starts_with("scan.pdf: ") && said.contains("contains no text"), "{said}");
    serving.end().expect(0);
}

#[test]
fn in_a_group_an_album_is_taken_whole_and_another_photo_is_not() {
    let house = seeing(vec![Turn::text("Two of them.")]);
    let serving = house.serve();
    let from = json!({"id": ANA, "is_bot": false, "first_name": "Ana"});
    let chat = json!({"id": -50, "type": "supergroup", "title": "home"});
    let entities = json!([{"type": "mention", "offset": 0, "length": 8}]);
    for (id, caption, album) in [("a.png", "@ana_bot look", "g"), ("b.jpg", "", "g"), ("c.png", "", "h")] {
        let mut part =
            json!({"message_id": 3, "from": from, "chat": chat, "photo": photo(id), "media_group_id": album});
        if !caption.is_empty() {
            part["caption"] = json!(caption);
            part["caption_entities"] = entities.clone();
        }
        house.telegram.comes(TOKEN, "message", &part);
    }
    assert_eq!(house.sends(1), ["Two of them."]);
    assert_eq!(seen(&house), [("[Ana] @ana_bot look\n[Ana] [photo.jpg]".to_owned(), 2)]);
    serving.end().expect(0);
}
