//! Programs of the kinds that models write, with what Node prints for each.
//!
//! `programs/AREA.ts` holds many programs, each below a line `//// NAME`; `programs/AREA.out` what Node prints, below the same
//! lines. A program in [`DIFFERENT`] prints something else here, and why is said.

use crate::bench::each;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

/// What differs from Node, and why.
pub(crate) const DIFFERENT: &[(&str, &str)] = &[
    ("collections/weakref", "what nothing else holds is gone at once"),
    ("console/format", "`%o` shows no hidden properties"),
    ("dates/strings", "the zone of time has no name"),
    ("objects/arguments", "they are shown as the list that they are"),
];

pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) source: String,
    pub(crate) printed: Option<String>,
}

pub(crate) fn directory() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engine/programs"))
}

/// The parts of a file, by name, in order.
fn parts(text: &str) -> Vec<(String, String)> {
    let parts = text.split("//// ").skip(1);
    parts
        .map(|part| part.split_once('\n').map(|(name, rest)| (name.trim().to_owned(), rest.to_owned())).unwrap())
        .collect()
}

pub(crate) fn areas() -> BTreeMap<String, Vec<Program>> {
    let files = std::fs::read_dir(directory()).unwrap().map(|file| file.unwrap().path());
    let sources = files.filter(|path| path.extension().is_some_and(|extension| extension == "ts"));
    let area = |path: PathBuf| {
        let printed: BTreeMap<_, _> = std::fs::read_to_string(path.with_extension("out"))
            .map_or_else(|_| BTreeMap::new(), |text| parts(&text).into_iter().collect());
        let programs = parts(&std::fs::read_to_string(&path).unwrap()).into_iter().map(|(name, source)| Program {
            printed: printed.get(&name).cloned(),
            name,
            source,
        });
        (path.file_stem().unwrap().to_string_lossy().into_owned(), programs.collect())
    };
    sources.map(area).collect()
}

pub(crate) fn they_print_what_node_prints() {
    let programs: Vec<(String, Program)> = areas()
        .into_iter()
        .flat_map(|(area, programs)| {
            programs.into_iter().map(move |program| (format!("{area}/{}", program.name), program))
        })
        .collect();
    let wrong = Mutex::new(Vec::new());
    each(&programs, |bench, (name, program)| {
        let printed = program.printed.as_ref().unwrap_or_else(|| panic!("{name}: record what Node prints"));
        // So that no output is taken for JSON.
        let ran = match bench.run(&format!("console.log('$');{}", program.source)) {
            Ok(outcome) => outcome.content.strip_prefix("$\n").unwrap_or_default().to_owned(),
            Err(error) => format!("{error:?}"),
        };
        let same = ran.trim_end_matches('\n') == printed.trim_end_matches('\n');
        if same == DIFFERENT.iter().any(|(different, _)| different == name) {
            wrong.lock().unwrap().push(format!("{name}\n--- node\n{printed}\n--- here\n{ran}"));
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), programs.len(), wrong.join("\n"));
    assert!(programs.len() >= 300, "{}", programs.len());
}
