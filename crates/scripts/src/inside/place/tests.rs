use super::*;

#[test]
fn the_caret_stands_under_the_place() {
    for (source, at, shown) in [
        ("let a = ;", 8, "1:9: no\n1 | let a = ;\n  |         ^"),
        ("a\nbé\t= ;\r\nc", 8, "2:6: no\n2 | bé = ;\n  |      ^"),
        ("a\n", 2, "2:1: no\n2 | \n  | ^"),
        ("", 9, "1:1: no\n1 | \n  | ^"),
        ("é", 1, "1:1: no\n1 | é\n  | ^"),
        ("x\u{202e}y", 1, "1:2: no\n1 | x\u{fffd}y\n  |  ^"),
    ] {
        assert_eq!(wrong_at(source, at, "no").to_string(), shown, "{source:?}");
    }
    let long = wrong_at(&"x".repeat(1000), 500, "no");
    assert_eq!((long.column, long.caret, long.excerpt.len()), (501, AROUND, 2 * AROUND));
}
