#![allow(clippy::unwrap_used, clippy::unwrap_in_result)]
use super::*;

#[test]
fn types_go_and_places_stay() {
    let stripped =
        strip("interface A { x: number }\nenum E { One = 1 }\n\nconst a: A = { x: E.One };\nthrow a;\n").unwrap();
    assert!(!stripped.code.contains("interface") && !stripped.code.contains(": A"), "{}", stripped.code);
    let line = stripped.code.lines().position(|line| line.contains("throw")).unwrap();
    assert_eq!(stripped.place(u32::try_from(line).unwrap() + 1, 1), (5, 1));
}

#[test]
fn what_cannot_run_is_refused_at_its_place() {
    for (source, line, column) in [
        ("const a = [1, 2;\n", 1, 16),
        ("let x = 1;\nlet x = 2;\n", 1, 5),
        ("\n\nimport fs from 'fs';\nfs.x();", 3, 1),
        ("import 'fs';", 1, 1),
        ("export * from 'fs';", 1, 1),
        ("export { x } from './x';", 1, 1),
        ("// a\u{202e}b", 1, 5),
    ] {
        let error = strip(source).err().unwrap_or_else(|| panic!("{source}"));
        assert_eq!((error.line, error.column), (line, column), "{source}: {error}");
    }
    strip("\u{feff}import type { Stats } from 'fs';\nexport type T = Stats;").unwrap();
}
