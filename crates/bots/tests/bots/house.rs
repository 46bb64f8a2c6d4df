//! Bots of a configuration in temporary folders, with a scripted model.

use palanca_agent::{BotMode, Ended, Event, Inbox, Sink};
use palanca_bots::{Bots, Chat, Hearing};
use palanca_core::Message;
use palanca_core::ports::NoAsker;
use palanca_core::tool::Cancel;
use palanca_host::{Fault, Host, Notices, Places};
use palanca_testkit::{Manner, ScriptedServer, Turn};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

struct Deaf;

impl Notices for Deaf {
    fn warn(&self, _: &Message) {}
}

impl Sink for Deaf {
    fn event(&self, _: &Event<'_>) {}
}

pub struct House {
    folder: TempDir,
    server: ScriptedServer,
}

impl House {
    /// With these bots, in YAML, and a model that gives these answers.
    pub fn new(bots: &str, turns: Vec<Turn>) -> Self {
        Self::with("", bots, turns)
    }

    /// The same with more said of models. `SERVER` is the address of the scripted one.
    pub fn with(more: &str, bots: &str, turns: Vec<Turn>) -> Self {
        let (folder, server) = (tempfile::tempdir().unwrap(), ScriptedServer::spawn(turns, Manner::default()));
        std::fs::create_dir(folder.path().join("work")).unwrap();
        // Any value is a key to the scripted server.
        let url = server.openai_url();
        let llm = format!("llm: {{model: 'openai:a', api_base: '{url}', api_key_env: PATH{more}}}");
        let bots = bots.replace("SERVER", &url);
        let text = format!("{llm}\nfileTools: {{enabled: true}}\nexec: {{enabled: true}}\nbots: {bots}\n");
        std::fs::write(folder.path().join("bots.yaml"), text).unwrap();
        Self { folder, server }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("work").join(name)
    }

    /// Below the state directory.
    pub fn state(&self, name: &str) -> PathBuf {
        self.folder.path().join("state").join(name)
    }

    /// The bots of a process that begins now.
    pub fn bots(&self) -> Bots {
        let places = Places {
            state: Some(self.state("")),
            named: Some(self.folder.path().join("bots.yaml")),
            ..Places::default()
        };
        let root = ("test", "workspace.root", self.path("").display().to_string());
        Bots::open(&Host::new(places, Arc::new(Deaf)), &self.path(""), &[root]).unwrap()
    }

    /// What the model was sent each time, without instructions.
    pub fn heard(&self) -> Vec<Vec<String>> {
        let said = |body: &Value| {
            let messages = body["messages"].as_array().unwrap().iter().skip(1);
            messages.filter_map(|said| said["content"].as_str().map(str::to_owned)).collect()
        };
        self.server.requests().iter().map(|request| said(&request.body)).collect()
    }

    pub fn instructions(&self, request: usize) -> String {
        self.server.requests()[request].body["messages"][0]["content"].as_str().unwrap().to_owned()
    }
}

pub fn chat(name: &str) -> Chat {
    Chat { channel: "test".into(), name: name.into() }
}

pub async fn say(bots: &Bots, bot: &str, chat: &Chat, words: &str, cancel: Cancel) -> Result<Ended, Fault> {
    let (inbox, mode) = (Inbox::default(), BotMode::Conversation);
    let hearing = Hearing { sink: &Deaf, asker: Arc::new(NoAsker), front: "test", cancel, mode, inbox: &inbox };
    bots.say(bot, chat, words, hearing).await
}

pub fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(work)
}
