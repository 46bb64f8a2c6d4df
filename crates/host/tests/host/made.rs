//! Tools that bots made: whoever changes their files when, only what a person approved runs.

use crate::house::{House, asked, block_on, call, session};
use futures_util::future::BoxFuture;
use palanca_config::Config;
use palanca_core::call::{QuestionId, RawArguments};
use palanca_core::gate::CallOrder;
use palanca_core::ports::{Answer, Asker, Question};
use palanca_core::{CallId, Catalogue as _, ConfirmMode, ToolResult, ToolsetName};
use palanca_host::dynamic::{DynamicTools, Patch, Standing};
use palanca_host::{Agent, Keeping, Session, SessionSettings};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const SOURCE: &str = "printf good-%s {{a}}";

fn bots(config: &mut Config) {
    config.toolset = ToolsetName::Bots;
    config.dynamic_tools.enabled = true;
}

/// The same as a script.
const SCRIPT: &str = "export default (args: any) => `good-${args.a}`";

fn script(name: &str) -> Value {
    let mut tool = tool(name);
    (tool["type"], tool["source"]) = (json!("typescript"), json!(SCRIPT));
    tool["permissions"] = json!({"reads": ["data"]});
    tool
}

fn tool(name: &str) -> Value {
    json!({
        "name": name, "description": "Says it.", "type": "command", "source": SOURCE,
        "parameters": {"a": {"type": "string"}},
    })
}

/// A workspace whose bot has one approved tool.
struct Shop {
    house: House,
    agent: Arc<Agent>,
    session: Session,
    tools: DynamicTools,
}

impl Shop {
    fn open() -> Self {
        Self::with(tool("say_it"))
    }

    fn with(tool: Value) -> Self {
        let house = House::new();
        let agent = house.agent("work", bots);
        let mut config = Config::default();
        config.workspace.root = house.path("work").display().to_string();
        bots(&mut config);
        let config = Arc::new(config);
        let tools = DynamicTools::open(&house.host.workspace(&config).unwrap(), &config);
        let session = session(&agent);
        let made = block_on(call(&session, "create_tool", tool));
        assert!(made.success, "{made:?}");
        Self { house, agent, session, tools }
    }

    fn approve(&self) {
        let digest = self.tools.show("say_it").unwrap().digest;
        self.tools.approve("say_it", &digest, "test").unwrap();
    }

    fn file(&self, name: &str) -> PathBuf {
        self.house.path("work/data/tools/say_it").join(name)
    }

    /// A call at the tools that there are now.
    async fn say(&self, a: &str) -> ToolResult {
        let toolset = self.session.gate().registry().snapshot();
        let call = self.session.call(CallId::new("1"), "say_it".to_owned(), RawArguments::Json(json!({"a": a})));
        self.session.gate().submit(&toolset, call).await
    }
}

/// What somebody may put in the place of what was approved.
fn swaps(shop: &Shop, round: usize) -> (PathBuf, String) {
    let meta = fs::read_to_string(shop.file("meta.json")).unwrap();
    let with = |from: &str, to: &str| (shop.file("meta.json"), meta.replace(from, to));
    let is_script = shop.file("tool.ts").exists();
    match round % 6 {
        0 if is_script => (shop.file("tool.ts"), format!("console.log('evil-{round}')")),
        1 if is_script => with("\"data\"", "\".\""),
        0 => (shop.file("tool.sh"), format!("printf evil-{round}-%s {{{{a}}}}")),
        1 => (shop.file("tool.sh"), format!("{SOURCE}; printf evil-{round}")),
        2 => with("\"Says it.\"", "\"Says it, evil.\""),
        3 => with("\"type\": \"string\"", "\"type\": \"integer\""),
        4 => with("\"scope\": \"all\"", "\"scope\": \"default\""),
        _ => with("\"createdBy\": \"default\"", "\"createdBy\": \"evil\""),
    }
}

/// Changes between approval and run, one after another: none runs, and the tool that was approved comes back with its files.
pub(super) fn swapped(tries: usize, tool: Value) {
    let shop = Shop::with(tool);
    shop.approve();
    block_on(async {
        for round in 0..tries {
            let before = shop.session.gate().registry().snapshot();
            let (path, evil) = swaps(&shop, round);
            let good = fs::read_to_string(&path).unwrap();
            assert!(good != evil, "{round}");
            fs::write(&path, &evil).unwrap();
            // Both at the tools of a step that began before, and of one that begins now.
            let call = shop.session.call(CallId::new("1"), "say_it".to_owned(), RawArguments::Json(json!({"a": "x"})));
            let late = shop.session.gate().submit(&before, call).await;
            assert_eq!(late.code.as_deref(), Some("disabled"), "{round}: {late:?}");
            let now = shop.say("x").await;
            assert!(!now.success && now.for_model().contains("changed"), "{round}: {now:?}");
            fs::write(&path, &good).unwrap();
            if round % 50 == 0 {
                let again = shop.say("x").await;
                assert!(again.success && again.output.contains("good-x"), "{round}: {again:?}");
            }
        }
    });
}

pub fn what_is_swapped_between_approval_and_run_does_not_run() {
    swapped(24, tool("say_it"));
    swapped(12, script("say_it"));
}

/// Files that change all the time beside calls: each call is refused, or is exactly what was approved.
pub(super) fn raced(tries: usize) {
    let shop = Shop::open();
    shop.approve();
    let (source, ends) = (shop.file("tool.sh"), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !ends.load(Ordering::Relaxed) {
                // Renamed, so that no half-written file is seen.
                for text in ["printf evil-%s {{a}}", SOURCE] {
                    let other = source.with_extension("new");
                    fs::write(&other, text).unwrap();
                    fs::rename(&other, &source).unwrap();
                }
            }
        });
        block_on(async {
            for _ in 0..tries {
                let result = shop.say("x").await;
                assert!(!format!("{result:?}").contains("evil-"), "{result:?}");
                assert!(!result.success || result.output.contains("good-x"), "{result:?}");
            }
        });
        ends.store(true, Ordering::Relaxed);
    });
}

pub fn while_its_files_change_a_call_is_refused_or_what_was_approved() {
    raced(24);
}

pub fn what_the_folder_says_of_itself_approves_nothing() {
    let shop = Shop::open();
    let meta = fs::read_to_string(shop.file("meta.json")).unwrap();
    fs::write(shop.file("meta.json"), meta.replace("\"pending\"", "\"approved\"")).unwrap();
    assert_eq!(shop.tools.show("say_it").unwrap().standing, Standing::Pending);
    let result = block_on(shop.say("x"));
    assert!(!result.success && result.for_model().contains("approve it first"), "{result:?}");
    // An approval of what was shown, after it was changed.
    let shown = shop.tools.show("say_it").unwrap().digest;
    fs::write(shop.file("tool.sh"), "printf evil-%s {{a}}").unwrap();
    assert_eq!(shop.tools.approve("say_it", &shown, "test").unwrap_err().message.key(), "dynamic-changed-meanwhile");
    // A folder that no `create_tool` looked at.
    fs::write(shop.file("tool.sh"), "rm -rf x {{a}}").unwrap();
    let digest = shop.tools.show("say_it").unwrap().digest;
    assert_eq!(shop.tools.approve("say_it", &digest, "test").unwrap_err().message.key(), "dynamic-not-approvable");
}

pub fn links_in_the_store_are_no_tools() {
    let shop = Shop::open();
    shop.approve();
    assert!(block_on(shop.say("x")).success);
    fs::rename(shop.file("tool.sh"), shop.house.path("work/same.sh")).unwrap();
    std::os::unix::fs::symlink("../../../same.sh", shop.file("tool.sh")).unwrap();
    let result = block_on(shop.say("x"));
    assert!(!result.success, "{result:?}");
    assert!(shop.house.heard.keys().iter().any(|key| !key.is_empty()));
}

pub fn a_person_changes_rejects_and_deletes() {
    let shop = Shop::open();
    shop.approve();
    let patch = Patch { source: Some("printf other-%s {{a}}".to_owned()), ..Patch::default() };
    let changed = block_on(shop.tools.update("say_it", patch, "test")).unwrap();
    assert_eq!((changed.standing, changed.version()), (Standing::Changed, 1));
    assert!(changed.diff().contains("+printf other-%s {{a}}"), "{}", changed.diff());
    assert!(!block_on(shop.say("x")).success);
    shop.approve();
    assert!(block_on(shop.say("x")).output.contains("other-x"));
    let rejected = shop.tools.reject("say_it", Some("no"), "test").unwrap();
    assert_eq!((rejected.standing, rejected.manifest.rejection_note.as_deref()), (Standing::Rejected, Some("no")));
    let result = block_on(shop.say("x"));
    assert!(!result.success && result.for_model().contains("rejected"), "{result:?}");
    let again = block_on(call(&shop.session, "create_tool", tool("say_it")));
    assert_eq!(again.code.as_deref(), Some("exists"), "{again:?}");
    shop.tools.delete("say_it", "test").unwrap();
    assert!(shop.tools.show("say_it").is_err() && !shop.file("").exists());
    assert!(block_on(call(&shop.session, "create_tool", tool("say_it"))).success);
    assert_eq!(shop.tools.show("say_it").unwrap().standing, Standing::Pending);
    let bad = Patch { source: Some("rm -rf {{a}}".to_owned()), ..Patch::default() };
    assert!(block_on(shop.tools.update("say_it", bad, "test")).is_err());
    assert!(shop.tools.show("../say_it").is_err());
}

pub fn a_change_of_a_script_that_cannot_be_read_is_none() {
    let shop = Shop::with(script("say_it"));
    shop.approve();
    let patch = Patch { source: Some("export default (args) => {\n  return args.;\n}".to_owned()), ..Patch::default() };
    let fault = block_on(shop.tools.update("say_it", patch, "test")).unwrap_err();
    let said = palanca_text::FluentCatalogue::new(palanca_text::Locale::En).render(&fault.message);
    assert!(said.contains("at 2:15") && said.contains('^'), "{said}");
    assert_eq!(fs::read_to_string(shop.file("tool.ts")).unwrap(), SCRIPT);
    assert!(block_on(shop.say("x")).output.contains("good-x"), "it is still approved");
    // What is no source is not read again.
    let patch = Patch { description: Some("Says it well.".to_owned()), ..Patch::default() };
    assert_eq!(block_on(shop.tools.update("say_it", patch, "test")).unwrap().standing, Standing::Changed);
}

/// Leaves its question to whoever answers it later.
#[derive(Default)]
struct Later(Mutex<Option<Question>>);

impl Asker for Later {
    fn can_answer(&self, _question: &Question) -> bool {
        true
    }

    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        *self.0.lock() = Some(question.clone());
        Box::pin(async { None })
    }
}

/// A person says yes to a call, which then comes with other arguments: it does not run, and the call that was shown still does.
pub(super) fn other_arguments(tries: usize, tool: Value) {
    let shop = Shop::with(tool);
    shop.approve();
    let later = Arc::new(Later::default());
    let settings = SessionSettings {
        asker: Arc::clone(&later) as _,
        mode: ConfirmMode::ConfirmAll,
        keeping: Keeping::Nothing,
        ..SessionSettings::default()
    };
    let session = Session::new(&shop.agent, settings).unwrap();
    let submit = async |a: &str, asked: Option<QuestionId>| {
        let toolset = session.gate().registry().snapshot();
        let call = session.call(CallId::new("1"), "say_it".to_owned(), RawArguments::Json(json!({"a": a})));
        session.gate().submit_in_order(CallOrder::new().ticket().asked(asked), &toolset, call).await
    };
    block_on(async {
        for round in 0..tries {
            let parked = submit("x", None).await;
            let question = later.0.lock().take().unwrap_or_else(|| panic!("{round}: {parked:?}"));
            assert_eq!(parked.question.as_ref(), Some(&question.id), "{round}: {parked:?}");
            session.questions().settle(&question, Answer::Yes).await.unwrap();
            let evil = submit(&format!("evil-{round}"), parked.question.clone()).await;
            assert!(!evil.success && evil.for_model().contains("was for other arguments"), "{round}: {evil:?}");
            if round % 50 == 0 {
                let good = submit("x", parked.question.clone()).await;
                assert!(good.success && good.output.contains("good-x"), "{round}: {good:?}");
                let again = submit("x", parked.question).await;
                assert!(!again.success, "{round}: {again:?}");
            }
        }
    });
}

pub fn arguments_that_are_swapped_after_the_yes_do_not_run() {
    other_arguments(8, tool("say_it"));
    other_arguments(4, script("say_it"));
}

/// Says yes, after the files were changed.
struct Swaps(PathBuf);

impl Asker for Swaps {
    fn can_answer(&self, _question: &Question) -> bool {
        true
    }

    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        assert!(format!("{question:?}").contains("touch -- "), "{question:?}");
        fs::write(&self.0, "touch -- evil {{a}}").unwrap();
        Box::pin(async { Some(Answer::Yes) })
    }
}

pub fn what_is_swapped_while_a_person_is_asked_does_not_run() {
    let shop = Shop::open();
    let patch = Patch { source: Some("touch -- {{a}}".to_owned()), ..Patch::default() };
    block_on(shop.tools.update("say_it", patch, "test")).unwrap();
    shop.approve();
    let session = asked(&shop.agent, Arc::new(Swaps(shop.file("tool.sh"))));
    let result = block_on(call(&session, "say_it", json!({"a": "made"})));
    assert_eq!(result.code.as_deref(), Some("disabled"), "{result:?}");
    assert!(!shop.house.path("work/made").exists() && !shop.house.path("work/evil").exists());
}

/// In full: `cargo xtask stress`.
pub mod stress {
    pub fn two_thousand_swaps() {
        super::swapped(2_000, super::tool("say_it"));
    }

    pub fn two_thousand_swaps_of_a_script() {
        super::swapped(2_000, super::script("say_it"));
    }

    pub fn two_thousand_swaps_of_arguments() {
        super::other_arguments(2_000, super::tool("say_it"));
    }

    pub fn two_thousand_races() {
        super::raced(2_000);
    }
}
