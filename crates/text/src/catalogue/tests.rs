#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;

fn say(locale: Locale, message: Message) -> String {
    FluentCatalogue::new(locale).render(&message)
}

#[test]
fn documented_spanish() {
    let check = |message: Message, expected: &str| assert_eq!(say(Locale::Es, message), expected);
    check(Message::new("arguments-invalid").with("reasons", "x"), "Argumentos inválidos: x");
    check(Message::new("guardrail"), "Guardrail:");
    check(Message::new("hook-blocked").with("reason", "no"), "Bloqueado por hook: no");
    check(Message::new("confirm-declined"), "Acción cancelada por usuario");
    check(
        Message::new("dry-run").with("tool", "write_file").with("arguments", "{}"),
        "[DRY-RUN] Se ejecutaría: write_file({})",
    );
    check(crate::questions::may_it_run("write_file", "...", 0), "¿Ejecutar 'write_file' con args=...? [y/n/a] (d, ?)");
    let begins = |message: Message, expected: &str| {
        let said = say(Locale::Es, message);
        assert!(said.starts_with(expected), "{said}");
    };
    begins(Message::new("tool-not-found").with("tool", "x").with("near", "y"), "Tool no encontrada");
    begins(Message::new("file-outside").with("path", "../x"), "Path '../x' escapa del workspace");
    let no_terminal = say(Locale::Es, Message::new("confirm-no-terminal").with("tool", "write_file"));
    assert!(no_terminal.starts_with("No hay TTY para confirmar"));
    for part in ["Modo confirm requiere TTY interactiva. En CI usa --mode yolo o --dry-run", "configuración"] {
        assert!(no_terminal.contains(part), "{no_terminal}");
    }
}

#[test]
fn values_are_shown_as_they_are() {
    for locale in Locale::ALL {
        let odd = "{ $x } \u{2028} \"q\" [a]\n\tb *bold* { 1 }";
        let said = say(locale, Message::new("tool-failed").with("reason", odd));
        assert_eq!(said, odd);
        let number =
            say(locale, Message::new("output-cut").with("omitted", 1_234_567_usize).with("whole", 2_000_000_u64));
        assert!(number.contains("1234567"), "{number}");
        assert!(!number.contains('\u{2068}'), "no isolation marks: {number}");
    }
}

#[test]
fn an_unknown_key_shows_itself() {
    let message = Message::new("no-such-key").with("a", 1_u8);
    assert_eq!(say(Locale::En, message), "no-such-key(a=1)");
}

#[test]
fn locales_are_read_from_what_systems_say() {
    for (text, expected) in [
        ("en", Some(Locale::En)),
        ("ES", Some(Locale::Es)),
        ("es_AR.UTF-8", Some(Locale::Es)),
        ("en-GB", Some(Locale::En)),
        ("fr", None),
        ("", None),
        ("english", None),
    ] {
        assert_eq!(text.parse::<Locale>().ok(), expected, "{text}");
    }
}

#[test]
fn a_hundred_threads_share_one_catalogue() {
    let catalogue = FluentCatalogue::new(Locale::En);
    let message = Message::new("file-not-found").with("path", "a");
    std::thread::scope(|scope| {
        for _ in 0..100 {
            scope.spawn(|| assert_eq!(catalogue.render(&message), "'a' does not exist."));
        }
    });
}

#[test]
fn each_sentence_alone_is_what_it_is_in_the_whole() {
    for locale in Locale::ALL {
        let whole = FluentResource::try_new(locale.source().to_owned()).map_err(|(_, errors)| errors).unwrap();
        let messages = whole.entries().filter(|entry| matches!(entry, Entry::Message(_)));
        for message in messages {
            let Entry::Message(parts) = message else { unreachable!() };
            let alone = parsed(entry(locale, parts.id.name).unwrap());
            assert!(
                matches!(alone.entries().collect::<Vec<_>>()[..], [Entry::Message(one)] if one.value == parts.value),
                "{}",
                parts.id.name
            );
            let whole = format!("{:?}", parts.value);
            assert!(!whole.contains("MessageReference") && !whole.contains("TermReference"), "{}", parts.id.name);
        }
    }
}
