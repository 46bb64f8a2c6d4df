//! Where each sentence of a catalogue lies, in the order of the keys: one is found without reading the others, so a longer catalogue
//! makes no command slower.
//!
//! A sentence begins with its key at the start of a line and goes on in lines that begin with anything but a letter or a comment sign.

#![expect(clippy::disallowed_methods, reason = "part of the build, not of the program")]

use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var_os("OUT_DIR").ok_or("cargo says where to write")?;
    for language in ["en", "es"] {
        let file = format!("locales/{language}.ftl");
        println!("cargo::rerun-if-changed={file}");
        let places = format!("&{:?}", places(&fs::read_to_string(&file)?));
        fs::write(Path::new(&out).join(language), places)?;
    }
    Ok(())
}

/// First and last byte, the last excluded, of every sentence.
fn places(source: &str) -> Vec<(usize, usize)> {
    let mut sentences: Vec<(&str, usize, usize)> = Vec::new();
    let (mut at, mut within) = (0, false);
    for line in source.split_inclusive('\n') {
        let end = at + line.len();
        if line.starts_with(|first: char| first.is_ascii_alphabetic()) {
            let key = line.split_once(" =").map_or(line, |(key, _)| key);
            sentences.push((key, at, end));
            within = true;
        } else if line.starts_with('#') {
            within = false;
        } else if let Some((_, _, last)) = sentences.last_mut().filter(|_| within) {
            *last = end;
        }
        at = end;
    }
    sentences.sort_unstable();
    sentences.into_iter().map(|(_, start, end)| (start, end)).collect()
}
