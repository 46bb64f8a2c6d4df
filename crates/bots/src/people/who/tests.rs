#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;

fn of(bot: &str) -> Result<Manners, Message> {
    let bot: Bot = serde_json::from_str(bot).unwrap();
    Manners::new(&bot, &BufferSettings::default())
}

fn person(id: i64, username: &str) -> Person {
    let username = Some(username.to_owned()).filter(|name| !name.is_empty());
    Person { id, username, name: format!("Person {id}") }
}

fn heard(text: &str, audience: Audience) -> Heard {
    Heard {
        number: 1,
        chat: "5".into(),
        audience,
        from: person(7, "eva"),
        text: text.to_owned(),
        addressed: Addressed::ToNobody,
        forwarded: None,
        exchange: None,
        files: Vec::new(),
        album: None,
    }
}

#[test]
fn people_are_let_in_by_number_or_name_and_nobody_by_default() {
    use Standing::{Anyone, Listed, Nobody};
    for (allowed, expected) in [
        (r#"[]"#, [Anyone, Anyone, Anyone]),
        (r#"["7"]"#, [Listed, Nobody, Nobody]),
        (r#"["@EVA", " "]"#, [Listed, Nobody, Nobody]),
        (r#"["eva", "*"]"#, [Listed, Anyone, Anyone]),
        (r#"["*"]"#, [Anyone, Anyone, Anyone]),
        // A name that looks like another's number is a name.
        (r#"["8"]"#, [Nobody, Listed, Nobody]),
    ] {
        let manners = of(&format!(r#"{{"id": "a", "allowedUsers": {allowed}}}"#)).unwrap();
        let standing = [person(7, "Eva"), person(8, "evan"), person(9, "")].map(|person| manners.standing(&person));
        assert_eq!(standing, expected, "{allowed}");
        assert_eq!(manners.are_open(), allowed == "[]");
    }
}

#[test]
fn in_a_group_only_what_speaks_to_it_concerns_a_bot() {
    let manners = of(r#"{"id": "a", "mentionPatterns": ["\\bana\\b"]}"#).unwrap();
    for (text, audience, expected) in [
        ("hello", Audience::Private, true),
        ("hello", Audience::Group, false),
        ("Hello ANA!", Audience::Group, true),
        ("banana", Audience::Group, false),
    ] {
        assert_eq!(manners.concern(&heard(text, audience)), expected, "{text}");
    }
    let mentioned = Heard { addressed: Addressed::ToMe, ..heard("hello", Audience::Group) };
    assert!(manners.concern(&mentioned));
    assert!(of(r#"{"id": "a", "mentionPatterns": ["("]}"#).is_err());
    assert!(of(r#"{"id": "a", "mentionPatterns": ["(a{1000}){1000}"]}"#).is_err());
}

#[test]
fn words_are_the_users_only_where_a_listed_person_wrote_them() {
    let listed = of(r#"{"id": "a", "allowedUsers": ["eva"]}"#).unwrap();
    let anyone = of(r#"{"id": "a", "allowedUsers": ["*"]}"#).unwrap();
    let name = "Person 7".to_owned();
    let (private, group) = (heard("x", Audience::Private), heard("x", Audience::Group));
    assert_eq!(listed.speaker(&private), Speaker::User);
    assert_eq!(listed.speaker(&group), Speaker::Trusted { name: name.clone() });
    assert_eq!(anyone.speaker(&private), Speaker::Stranger { name });
    let passed_on = Heard { forwarded: Some("Mal".to_owned()), ..private };
    assert_eq!(listed.speaker(&passed_on), Speaker::Stranger { name: "Mal, passed on by Person 7".to_owned() });
    assert_eq!(told(&group), "[Person 7] x");
}

#[test]
fn orders_are_whole_messages() {
    let me = person(9, "Ana_Bot");
    for (text, expected) in [
        ("/start", Some(Order::Greet)),
        ("/start from-a-link", Some(Order::Greet)),
        ("/stop", Some(Order::Stop)),
        ("/stop@ana_bot", Some(Order::Stop)),
        ("@Ana_Bot stop!", Some(Order::Stop)),
        ("Para", Some(Order::Stop)),
        ("stop the music", None),
        ("/starting", None),
        ("", None),
    ] {
        assert_eq!(order(&heard(text, Audience::Group), &me), expected, "{text}");
    }
    let passed_on = Heard { forwarded: Some("Mal".to_owned()), ..heard("/stop", Audience::Private) };
    assert_eq!(order(&passed_on, &me), None);
}
