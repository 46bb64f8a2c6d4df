//! PicoClaw's callback channel: what the tool `message` says arrives in a function. `cargo run -p palanca --example callback_channel`
#![allow(clippy::print_stdout, clippy::disallowed_methods, missing_docs)]

use palanca::call::Outgoing;
use palanca::channels::ChannelSet;
use palanca::ports::{ChannelError, ChannelErrorKind};
use palanca::tools::{ChannelFrom, KnownChannel, MessageOptions, ToolOptions, ToolsetName, registry};
use palanca::{ConfirmMode, Gate};
use serde_json::json;
use std::sync::{Arc, Mutex};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sent = Arc::new(Mutex::new(Vec::new()));
    let outbox = Arc::clone(&sent);
    // It must not block; a channel that waits for something implements `Channel` instead.
    let callback = move |message: &Outgoing| {
        let fault =
            |detail: &str| ChannelError::new(ChannelErrorKind::Unreachable, &message.channel, detail.to_owned());
        outbox.lock().map_err(|_| fault("the outbox is lost"))?.push((message.to.clone(), message.text.clone()));
        Ok(())
    };

    let telegram = KnownChannel { name: "telegram".into(), default_to: None, from: ChannelFrom::Operator };
    let options = ToolOptions { message: MessageOptions { channels: vec![telegram] }, ..ToolOptions::default() };
    let gate = Gate::builder(registry(ToolsetName::Picoclaw, &options)?.into())
        .channels(Arc::new(ChannelSet::new().with("telegram", callback)))
        .mode(ConfirmMode::Yolo)
        .build();

    // The conversation is the call's, so two chats never mix.
    let hello = json!({"content": "The build is green."});
    let answer = gate.execute_with_context("message", hello, "telegram".into(), "123456".into()).await;
    println!("{}", answer.to_json(ToolsetName::Picoclaw));
    println!("{:?}", sent.lock().map_err(|_| "the outbox is lost")?);

    let nowhere = gate.execute("message", json!({"content": "Anybody?"})).await;
    println!("{}", nowhere.to_json(ToolsetName::Picoclaw));
    Ok(())
}
