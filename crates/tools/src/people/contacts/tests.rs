#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use proptest::prelude::*;

#[test]
fn a_number_has_its_country_and_nothing_but_digits() {
    for (given, read) in [
        ("+5491155550000", Some("+5491155550000")),
        (" +54 (9) 11 5555-0000 ", Some("+5491155550000")),
        ("+34.600.123.456", Some("+34600123456")),
        ("+2907123", Some("+2907123")),
        ("+123456789012345", Some("+123456789012345")),
        ("+1234567890123456", None),
        ("+123456", None),
        ("+0123456789", None),
        ("5491155550000", None),
        ("0034600123456", None),
        ("+34600123456;ext=1", None),
        ("+34 600 CALLME", None),
        ("+٣٤٦٠٠١٢٣٤٥٦", None),
        ("++34600123456", None),
        ("+34600+123456", None),
        ("+", None),
        ("", None),
        ("911", None),
    ] {
        assert_eq!(PhoneNumber::parse(given).map(|number| number.0).as_deref(), read, "{given}");
    }
}

#[test]
fn names_are_found_in_any_letter_case_and_nothing_is_inherited() {
    let mut contacts = Contacts::parse(r#"{"Ana": "+5491155550000", "notes": {"kept": 1}, "bob": 7}"#).unwrap();
    assert_eq!(contacts.find(" ANA "), Some("+5491155550000"));
    for name in ["constructor", "__proto__", "toString", "notes", "bob", ""] {
        assert_eq!(contacts.find(name), None, "{name}");
    }
    let number = PhoneNumber::parse("+34600123456").unwrap();
    assert!(!contacts.has(&number));
    assert_eq!(contacts.set("ANA", &number).as_deref(), Some("+5491155550000"));
    assert!(contacts.has(&number));
    assert_eq!(contacts.remove("notes"), None, "what is no contact stays");
    let text = contacts.text();
    assert_eq!(text, "{\n  \"notes\": {\n    \"kept\": 1\n  },\n  \"bob\": 7,\n  \"ana\": \"+34600123456\"\n}\n");
    assert_eq!(Contacts::parse(&text).unwrap(), contacts);
    let mut twice = Contacts::parse(r#"{"Ana": "+5491155550000", "ANA": "+5491155550001"}"#).unwrap();
    twice.set("ana", &number);
    assert_eq!(twice.find("ana"), Some("+34600123456"), "{twice:?}");
    assert!(Contacts::parse("[1]").is_err() && Contacts::parse("{").unwrap_err().contains("line 1"));
    assert_eq!(Contacts::parse(" \n").unwrap(), Contacts::default());
}

proptest! {
    #[test]
    fn what_is_read_is_of_the_form_that_is_called(text in "\\PC{0,24}") {
        if let Some(number) = PhoneNumber::parse(&text) {
            let digits = number.as_str().strip_prefix('+').unwrap();
            prop_assert!(DIGITS.contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit()));
            prop_assert_eq!(PhoneNumber::parse(number.as_str()), Some(number));
        }
    }
}
