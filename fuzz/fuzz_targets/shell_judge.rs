//! Any text as a command: no panic, no hang, the same answer twice; nothing that could write is safe; a blocked command
//! stays blocked behind whatever comes before it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use palanca_policy::commands::{Rules, judge, secret_names};
use palanca_shell::{Class, Surroundings};

fuzz_target!(|text: &str| {
    let surroundings = Surroundings {
        workspace: "/home/me/project".into(),
        directory: "/home/me/project".into(),
        home: Some("/home/me".into()),
        environment: Vec::new(),
        secrets: secret_names(),
    };
    let rules = Rules::default();
    let judged = judge(text, &surroundings, &rules);
    assert_eq!(judged, judge(text, &surroundings, &rules));
    if text.contains("$(") || text.contains('`') {
        // Quoted, these are only characters; then nothing of them may have been run.
        assert!(judged.class > Class::Safe || !judged.parts.is_empty());
    }
    let behind = format!("{text}\n:\nrm -rf /\n");
    // An open quote or here-document swallows what comes after it; then the text is at least not understood.
    assert!(judge(&behind, &surroundings, &rules).class > Class::Dev, "{behind:?}");
});
