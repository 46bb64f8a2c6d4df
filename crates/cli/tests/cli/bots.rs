//! The tools of bots, as a program and its person see them.

use crate::harness::Bench;

fn bench(more: &str) -> Bench {
    let bench = Bench::new(&[]);
    std::fs::write(bench.home().join("bots.yaml"), format!("toolset: bots\n{more}")).unwrap();
    bench
}

fn with(bench: &Bench, arguments: &[&str]) -> crate::harness::Ended {
    let own = bench.home().join("bots.yaml").display().to_string();
    bench.run(&[&["-c", &own], arguments].concat())
}

#[test]
fn a_bot_writes_its_own_folder_unasked_and_nothing_else() {
    let bench = bench("fileTools: {enabled: true}\nbots: [{id: off, enabled: false}, {id: ana}, {id: eva}]\n");
    with(&bench, &["call", "update_soul", "content=Be kind."]).expect(0);
    assert_eq!(bench.read("config/soul/ana/SOUL.md"), "Be kind.\n");
    let saved = with(&bench, &["call", "save_memory", "fact=likes tea", "--json"]).expect(0).json();
    assert_eq!(saved, serde_json::json!({"success": true, "content": "Saved to memory: likes tea"}));
    with(&bench, &["call", "manage_goals", "action=add", "goal=learn Basque"]).expect(0);
    for path in ["notes.md", "config/soul/eva/SOUL.md"] {
        with(&bench, &["call", "file_write", &format!("path={path}"), "content=x"]).expect(6);
        assert!(!bench.workspace().join(path).exists());
    }
}

#[test]
fn where_a_bot_lives_and_what_it_has_is_configured() {
    let elsewhere = bench("bots: [{id: ana, soulDir: ./people/ana/}]\nsoul: {versioning: {enabled: false}}\n");
    for content in ["content=Be kind.", "content=Be brief."] {
        with(&elsewhere, &["call", "update_soul", content]).expect(0);
    }
    assert_eq!(elsewhere.read("people/ana/SOUL.md"), "Be brief.\n");
    assert!(!elsewhere.workspace().join("people/ana/.versions").exists());
    let told = bench("bots: [{id: ana, model: x, disabledTools: [update_soul, cron]}]\n");
    let listed = with(&told, &["tools", "list"]).expect(0);
    assert!(!listed.stdout.contains("update_soul") && listed.stdout.contains("save_memory"), "{}", listed.stdout);
    assert!(
        listed.stderr.contains("bots[0].model: not implemented") && !listed.stderr.contains("[0].id"),
        "{}",
        listed.stderr
    );
    with(&told, &["call", "update_soul", "content=x"]).expect(1);
    let off = bench("soul: {enabled: false}\n");
    assert!(with(&off, &["call", "update_soul", "content=x"]).expect(1).stderr.contains("soul.enabled"));
    for (settings, words) in [
        ("soul: {dir: /elsewhere}\n", "soul.dir"),
        ("soul: {dir: ../x}\n", "soul.dir"),
        ("bots: [{id: ana, soulDir: .}]\n", "soul.dir"),
        ("bots: [{id: ana, soulDir: ./}]\n", "soul.dir"),
        ("fileTools: {basePath: ../x}\n", "fileTools.basePath"),
        ("fileTools: {deniedPatterns: ['(']}\n", "fileTools.deniedPatterns"),
        ("datetime: {timezone: Madrid}\n", "datetime.timezone"),
    ] {
        let ended = with(&bench(settings), &["tools", "list"]).expect(3);
        assert!(ended.stderr.contains(words), "{}", ended.stderr);
    }
}
