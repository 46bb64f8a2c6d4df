//! `message`: who is meant, what is said when nobody is, and that two chats at once never mix.

use crate::support::{builder, failed, options};
use palanca_core::call::{Effect, Outgoing};
use palanca_core::ports::{ChannelError, ChannelErrorKind, Channels, StageDecision};
use palanca_core::tool::Cancel;
use palanca_core::{ConfirmMode, Scope};
use palanca_testkit::{FakeChannels, TempWorkspace, TestGate};
use palanca_text::Locale;
use palanca_tools::{ChannelFrom, KnownChannel, ToolOptions, ToolsetName};
use serde_json::{Value, json};
use std::sync::Arc;

fn known(name: &str, default_to: Option<&str>, from: ChannelFrom) -> KnownChannel {
    KnownChannel { name: name.into(), default_to: default_to.map(Into::into), from }
}

fn with(channels: Vec<KnownChannel>) -> ToolOptions {
    let mut options = options();
    options.message.channels = channels;
    options
}

struct Desk {
    gate: TestGate,
    people: Arc<FakeChannels>,
    _workspace: TempWorkspace,
}

fn desk(channels: Vec<KnownChannel>) -> Desk {
    let (workspace, people) = (TempWorkspace::new(), Arc::new(FakeChannels::default()));
    let gate = builder(&workspace, ToolsetName::Picoclaw, &with(channels))
        .with(|gate| gate.channels(Arc::clone(&people) as _))
        .build();
    Desk { gate, people, _workspace: workspace }
}

fn outgoing(channel: &str, to: &str, text: &str) -> Outgoing {
    Outgoing { channel: channel.into(), to: to.into(), text: text.to_owned() }
}

/// `ch:id`, or the code and the error.
async fn told(desk: &Desk, scope: Option<(&str, &str)>, arguments: Value) -> Result<String, String> {
    let mut call = desk.gate.submission("message", arguments);
    if let Some((channel, chat)) = scope {
        call.scope = Scope::session("s".into()).in_chat(channel.into(), chat.into());
    }
    let before = desk.people.sent().len();
    let result = desk.gate.gate.submit(&desk.gate.toolset, call).await;
    let sent = desk.people.sent().split_off(before);
    match result.error {
        None => {
            let [message] = sent.as_slice() else { panic!("one message: {sent:?}") };
            let address = format!("{}:{}", message.channel, message.to);
            assert_eq!(result.output, format!("Message sent to {address}"));
            assert_eq!(result.data, Some(json!({"channel": message.channel, "to": message.to})));
            Ok(address)
        }
        Some(error) => {
            assert_eq!(sent, []);
            Err(format!("{}: {error}", result.code.unwrap()))
        }
    }
}

#[tokio::test]
async fn who_is_meant() {
    use ChannelFrom::{BuiltIn, Operator};
    let no_target = Err("invalid_arguments: No target channel/chat specified".to_owned());
    let to = |address: &str| Ok(address.to_owned());
    let terminal = || known("terminal", Some("user"), BuiltIn);
    let ops = || known("ops", Some("alerts"), Operator);
    let chat = Some(("telegram", "123456"));
    for (channels, scope, arguments, expected) in [
        // Nothing is known of the channels: as the document's own example.
        (vec![], chat, json!({}), to("telegram:123456")),
        (vec![], chat, json!({"to": "7"}), to("telegram:7")),
        (vec![], chat, json!({"channel": "telegram"}), to("telegram:123456")),
        (vec![], chat, json!({"channel": "slack"}), no_target.clone()),
        (vec![], chat, json!({"channel": "slack", "to": "7"}), to("slack:7")),
        (vec![], chat, json!({"channel": "", "to": " "}), to("telegram:123456")),
        (vec![], chat, json!({"channel": null, "to": null}), to("telegram:123456")),
        (vec![], None, json!({}), no_target.clone()),
        (vec![], None, json!({"channel": "slack"}), no_target.clone()),
        (vec![], None, json!({"to": "7"}), no_target.clone()),
        (vec![], None, json!({"channel": "slack", "chat_id": "7"}), to("slack:7")),
        (vec![], None, json!({"channel": "slack", "to": 7}), to("slack:7")),
        // What is always there is meant by its name, or where there is nothing else.
        (vec![terminal()], None, json!({}), to("terminal:user")),
        (vec![terminal()], None, json!({"to": "ana"}), to("terminal:ana")),
        (vec![known("ops", None, Operator), terminal()], None, json!({}), no_target.clone()),
        (vec![terminal()], None, json!({"channel": "terminal"}), to("terminal:user")),
        (vec![terminal()], None, json!({"channel": "terminal", "to": "ana"}), to("terminal:ana")),
        (
            vec![terminal()],
            None,
            json!({"channel": "telegram", "to": "123456"}),
            Err("not_found: Message sending not configured".to_owned()),
        ),
        (vec![terminal()], chat, json!({}), Err("not_found: Message sending not configured".to_owned())),
        // What the operator has set up is meant where nothing else is.
        (vec![ops(), terminal()], None, json!({}), to("ops:alerts")),
        (vec![ops(), terminal()], None, json!({"to": "night"}), to("ops:night")),
        (vec![known("ops", None, Operator)], None, json!({"to": "night"}), to("ops:night")),
        (vec![known("ops", None, Operator)], None, json!({}), no_target.clone()),
        (vec![ops(), known("b", None, Operator)], None, json!({}), to("ops:alerts")),
        (vec![ops(), known("b", Some("x"), Operator)], None, json!({}), no_target.clone()),
        (vec![ops(), known("b", Some("x"), Operator)], None, json!({"channel": "b"}), to("b:x")),
        (vec![ops(), known("b", Some("x"), Operator)], Some(("b", "y")), json!({}), to("b:y")),
        (vec![ops(), known("b", Some("x"), Operator)], Some(("b", "y")), json!({"channel": "ops"}), to("ops:alerts")),
        (
            vec![ops(), terminal()],
            None,
            json!({"channel": "Ops"}),
            Err("not_found: There is no channel 'Ops': use ops, terminal.".to_owned()),
        ),
    ] {
        let desk = desk(channels);
        let mut whole = arguments.clone();
        whole["content"] = json!("hola");
        assert_eq!(told(&desk, scope, whole).await, expected, "{scope:?} {arguments}");
    }
}

#[tokio::test]
async fn what_is_no_message_is_said() {
    let desk = desk(vec![]);
    for (arguments, says) in [
        (json!({"channel": "a", "to": "b"}), "content"),
        (json!({"content": "", "channel": "a", "to": "b"}), "`content` is empty: there is nothing to send."),
        (json!({"content": " \n", "channel": "a", "to": "b"}), "`content` is empty: there is nothing to send."),
        (json!({"content": ["x"], "channel": "a", "to": "b"}), "content"),
        (json!({"content": "x", "channel": "a\u{7}", "to": "b"}), "`channel` contains control characters"),
        (json!({"content": "x", "channel": "a", "to": "b\nc"}), "`to` contains control characters"),
        (json!({"content": "x", "channel": "a", "to": "b".repeat(257)}), "exceeds the limit"),
    ] {
        let (code, text) = failed(&desk.gate, "message", arguments.clone()).await;
        assert_eq!(code, "invalid_arguments", "{arguments}: {text}");
        assert!(text.contains(says), "{arguments}: {text}");
    }
    let (code, text) =
        failed(&builder(&TempWorkspace::new(), ToolsetName::Picoclaw, &with(vec![])).build(), "message", {
            json!({"content": "x", "channel": "a", "to": "b"})
        })
        .await;
    assert_eq!((code.as_str(), text.as_str()), ("not_found", "Error: Message sending not configured"));
}

#[tokio::test]
async fn a_channel_that_fails_is_said_in_both_languages() {
    struct Fails(ChannelErrorKind);
    impl Channels for Fails {
        fn names(&self) -> Vec<palanca_core::call::ChannelId> {
            Vec::new()
        }
        fn send<'a>(
            &'a self,
            message: &'a Outgoing,
            _cancel: &'a Cancel,
        ) -> futures_util::future::BoxFuture<'a, Result<(), ChannelError>> {
            Box::pin(async { Err(ChannelError::new(self.0, &message.channel, "it answered 503")) })
        }
    }
    use ChannelErrorKind as K;
    let kinds = [K::NotConfigured, K::Unknown, K::TooLong, K::Refused, K::Unreachable, K::Cancelled];
    for locale in Locale::ALL {
        let mut said = Vec::new();
        for kind in kinds {
            let gate = builder(&TempWorkspace::new(), ToolsetName::Picoclaw, &with(vec![]))
                .with(|gate| gate.channels(Arc::new(Fails(kind))))
                .locale(locale)
                .build();
            let (_, text) = failed(&gate, "message", json!({"content": "x", "channel": "ops", "to": "b"})).await;
            assert!(kind == K::NotConfigured || text.contains("ops"), "{text}");
            said.push(text);
        }
        said.sort_unstable();
        said.dedup();
        assert_eq!(said.len(), kinds.len(), "each has its own");
    }
}

/// P7 of the weaknesses to beat: the registry of old kept the chat in the tool, so two at once could mix.
#[test]
fn chats_that_speak_at_once_never_mix() {
    const CHATS: usize = 16;
    const EACH: usize = 50;
    let desk = desk(vec![]);
    let gate = &desk.gate.gate;
    std::thread::scope(|scope| {
        for chat in 0..CHATS {
            scope.spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                for number in 0..EACH {
                    let (channel, id) = (format!("channel{}", chat % 3), format!("chat{chat}"));
                    let text = format!("{channel}:{id} says {number}");
                    let arguments = json!({"content": text});
                    let sent =
                        gate.execute_with_context("message", arguments, channel.as_str().into(), id.as_str().into());
                    let result = runtime.block_on(sent);
                    assert_eq!(result.output, format!("Message sent to {channel}:{id}"));
                }
            });
        }
    });
    let sent = desk.people.sent();
    assert_eq!(sent.len(), CHATS * EACH);
    for message in &sent {
        let whose = format!("{}:{} says ", message.channel, message.to);
        assert!(message.text.starts_with(&whose), "{message:?}");
    }
    for chat in 0..CHATS {
        let own: Vec<&str> = sent
            .iter()
            .filter(|message| message.to.as_str() == format!("chat{chat}"))
            .map(|message| message.text.rsplit(' ').next().unwrap())
            .collect();
        let expected: Vec<String> = (0..EACH).map(|number| number.to_string()).collect();
        assert_eq!(own, expected, "each chat's messages, all of them, in their order");
    }
}

#[tokio::test]
async fn what_is_asked_explained_and_rehearsed_is_the_message_itself() {
    let workspace = TempWorkspace::new();
    let people = Arc::new(FakeChannels::default());
    let open = |mode| {
        builder(&workspace, ToolsetName::Palanca, &options())
            .with(|gate| gate.channels(Arc::clone(&people) as _))
            .mode(mode)
    };
    let message = outgoing("ops", "alerts", "built");
    let gate = open(ConfirmMode::ConfirmSensitive).build();
    let call = gate.submission("message", json!({"content": "built"}));
    let explained = gate.gate.explain(&gate.toolset, &call).await;
    assert_eq!(explained.effects, [Effect::Message(Box::new(message.clone()))]);
    assert_eq!(explained.stages.last().unwrap().verdict, StageDecision::Ask);
    assert_eq!(people.sent(), []);
    let result = gate.gate.submit(&gate.toolset, call).await;
    assert!(result.success, "{}", result.for_model());
    let asked = gate.answers.asked();
    assert_eq!(asked[0].effects.iter().collect::<Vec<_>>(), [&Effect::Message(Box::new(message.clone()))]);
    assert_eq!(people.sent(), [message]);
    let dry = open(ConfirmMode::Yolo).dry_run(&workspace).build();
    let result = dry.call("message", json!({"content": "built", "to": "night"})).await;
    assert!(
        result.output.contains("[DRY-RUN] Would run: message(") && result.output.contains("send ops:night \"built\""),
        "{}",
        result.output
    );
    assert_eq!(people.sent().len(), 1, "a rehearsal tells nobody");
}

#[test]
fn our_own_vocabulary_has_it_where_there_is_a_channel() {
    let has = |toolset, channels| palanca_tools::registry(toolset, &with(channels)).unwrap().has_tool("message");
    for (toolset, channels, expected) in [
        (ToolsetName::Palanca, vec![], false),
        (ToolsetName::Palanca, vec![known("terminal", None, ChannelFrom::BuiltIn)], false),
        (ToolsetName::Palanca, vec![known("ops", None, ChannelFrom::Operator)], true),
        (ToolsetName::Picoclaw, vec![], true),
        (ToolsetName::Architect, vec![known("ops", None, ChannelFrom::Operator)], false),
    ] {
        assert_eq!(has(toolset, channels.clone()), expected, "{toolset} {channels:?}");
    }
}
