//! Tools that bots make, from the proposal to the call, with the person in another process.

use crate::harness::{Bench, Ended};
use palanca_testkit::{Manner, ScriptedServer, Turn};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

const CONFIG: &str =
    "toolset: bots\nbots: [{id: ana, model: 'openai:scripted'}, {id: eva}]\ndynamicTools: {enabled: true}\n";

fn bench(config: &str) -> Bench {
    let bench = Bench::new(&[]);
    std::fs::write(bench.home().join("bots.yaml"), config).unwrap();
    bench
}

fn with(bench: &Bench, arguments: &[&str]) -> Ended {
    let own = bench.home().join("bots.yaml").display().to_string();
    bench.run(&[&["-c", &own], arguments].concat())
}

fn word_count() -> Value {
    json!({
        "name": "word_count", "description": "Counts words.", "type": "command", "source": "printf %s {{text}} | wc -w",
        "parameters": {"text": {"type": "string", "required": true}},
    })
}

/// A chat that goes on while other processes work.
struct Chat {
    child: Child,
    lines: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Chat {
    fn with_ana(bench: &Bench, server: &ScriptedServer) -> Self {
        let own = bench.home().join("bots.yaml").display().to_string();
        let mut command = bench.command(&["-c", &own, "-m", "yolo", "chat", "ana"]);
        command.env("OPENAI_BASE_URL", server.openai_url()).env("OPENAI_API_KEY", "k");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (lines, answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, lines, answers }
    }

    fn say(&mut self, line: &str) -> String {
        writeln!(self.lines, "{line}").unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        answer
    }

    fn end(mut self) {
        drop(self.lines);
        assert!(self.child.wait().unwrap().success());
    }
}

fn offered(request: &Value) -> Vec<&str> {
    request["tools"].as_array().unwrap().iter().map(|tool| tool["function"]["name"].as_str().unwrap()).collect()
}

/// The last result that a model was sent.
fn result(request: &Value) -> &str {
    let said = request["messages"].as_array().unwrap().iter().rev().find(|said| said["role"] == "tool");
    said.unwrap()["content"].as_str().unwrap()
}

#[test]
fn a_bot_makes_a_tool_a_person_approves_it_elsewhere_and_the_same_conversation_uses_it() {
    let bench = bench(CONFIG);
    let call = || Turn::calls([("word_count", json!({"text": "one; two $(three)"}))]);
    let turns = vec![
        Turn::calls([("create_tool", word_count())]),
        call(),
        Turn::text("Made."),
        call(),
        Turn::text("Counted."),
        call(),
        Turn::text("Gone."),
    ];
    let server = ScriptedServer::spawn(turns, Manner::default());
    let mut chat = Chat::with_ana(&bench, &server);
    assert_eq!(chat.say("make one"), "Made.\n");
    let listed = with(&bench, &["dynamic", "list"]).expect(0).stdout;
    assert!(listed.starts_with("pending") && listed.contains("word_count"), "{listed}");
    // What the file says of itself approves nothing.
    let meta = bench.read("data/tools/word_count/meta.json");
    bench.write("data/tools/word_count/meta.json", &meta.replace("\"pending\"", "\"approved\""));
    with(&bench, &["--bot", "ana", "call", "word_count", "text=x"]).expect(1);
    let shown = with(&bench, &["dynamic", "approve", "word_count"]).expect(0).stdout;
    assert!(shown.contains("printf %s {{text}} | wc -w") && shown.contains("made by      ana"), "{shown}");
    assert_eq!(chat.say("count"), "Counted.\n");
    with(&bench, &["dynamic", "reject", "word_count", "--note", "no more"]).expect(0);
    assert_eq!(chat.say("again"), "Gone.\n");
    chat.end();
    let requests: Vec<Value> = server.requests().into_iter().map(|request| request.body).collect();
    let has_it: Vec<bool> = requests.iter().map(|request| offered(request).contains(&"word_count")).collect();
    assert_eq!(has_it, [false, false, false, true, true, false, false]);
    assert!(result(&requests[2]).contains("a person must approve it first"), "{}", result(&requests[2]));
    assert!(result(&requests[4]).contains('3'), "{}", result(&requests[4]));
    assert!(result(&requests[6]).contains("rejected by a person. no more"), "{}", result(&requests[6]));
}

#[test]
fn a_script_runs_once_it_is_approved_and_says_where_it_fails() {
    let bench = bench(CONFIG);
    let adder = json!({
        "name": "adder", "description": "Adds numbers.", "type": "typescript",
        "source": "type Args = { numbers: number[] };\nexport default function run({ numbers }: Args) {\n  \
            if (numbers.length === 0) throw new Error('nothing to add');\n  \
            return { success: true, content: `sum: ${numbers.reduce((a, b) => a + b, 0)}` };\n}\n",
        "parameters": {"numbers": {"type": "array", "required": true}},
    });
    with(&bench, &["-m", "yolo", "--bot", "ana", "call", "create_tool", &adder.to_string()]).expect(0);
    let numbers = |numbers: &str| {
        let arguments = format!("{{\"numbers\": {numbers}}}");
        with(&bench, &["-m", "yolo", "--bot", "ana", "call", "adder", &arguments])
    };
    numbers("[1]").expect(1);
    with(&bench, &["dynamic", "approve", "adder"]).expect(0);
    let added = numbers("[20, 22]").expect(0).stdout;
    assert!(added.contains("sum: 42"), "{added}");
    let failed = numbers("[]").expect(1);
    let said = failed.stdout + &failed.stderr;
    assert!(said.contains("nothing to add") && said.contains(":3"), "{said}");
}

#[test]
fn what_changes_after_the_approval_does_not_run_and_what_cannot_be_read_stops_no_other() {
    let bench = bench(CONFIG);
    let ana = |arguments: &[&str]| with(&bench, &[&["--bot", "ana", "-m", "yolo"], arguments].concat());
    ana(&["call", "create_tool", &word_count().to_string()]).expect(0);
    let tried = ana(&["dynamic", "test", "word_count", "text=a b c"]).expect(0).stdout;
    assert!(tried.contains('3'), "{tried}");
    let digest = with(&bench, &["dynamic", "show", "word_count", "--json"]).expect(0).json()["digest"].clone();
    bench.write("data/tools/word_count/tool.sh", "printf %s {{text}} | wc -c");
    let late = with(&bench, &["dynamic", "approve", "word_count", "--digest", digest.as_str().unwrap()]).expect(3);
    assert!(late.stderr.contains("not what was shown"), "{}", late.stderr);
    with(&bench, &["dynamic", "approve", "word_count"]).expect(0);
    bench.write("data/tools/broken/meta.json", "{");
    assert!(ana(&["call", "word_count", "text=a b c"]).expect(0).stdout.contains('5'));
    let again = ana(&["dynamic", "test", "word_count", "text=a b c"]).expect(0);
    assert!(again.stdout.contains('5') && !again.stderr.contains("not loaded"), "{}", again.stderr);
    assert!(with(&bench, &["--bot", "eva", "call", "word_count", "text=a"]).expect(0).stdout.contains('1'));
    let listed = with(&bench, &["dynamic", "list"]).expect(1);
    assert!(listed.stderr.contains("'broken' cannot be read") && listed.stdout.starts_with("approved"));
    for (file, text) in [
        ("tool.sh", "printf %s {{text}} | wc -w".to_owned()),
        ("meta.json", bench.read("data/tools/word_count/meta.json").replace("Counts words.", "Does it all.")),
    ] {
        let path = format!("data/tools/word_count/{file}");
        let before = bench.read(&path);
        bench.write(&path, &text);
        let ended = ana(&["call", "word_count", "text=a b c"]).expect(1);
        assert!(ended.stderr.contains("was changed after a person approved it"), "{}", ended.stderr);
        assert!(with(&bench, &["dynamic", "show", "word_count"]).expect(0).stdout.contains("changed"));
        bench.write(&path, &before);
        ana(&["call", "word_count", "text=a b c"]).expect(0);
    }
    with(&bench, &["dynamic", "delete", "word_count"]).expect(0);
    ana(&["call", "word_count", "text=a"]).expect(1);
    // One of the same name is another tool.
    ana(&["call", "create_tool", &word_count().to_string()]).expect(0);
    assert!(with(&bench, &["dynamic", "list"]).expect(1).stdout.starts_with("pending"));
    for id in ["../../x", "nothing", "Word"] {
        with(&bench, &["dynamic", "show", id]).expect(3);
    }
}

#[test]
fn what_is_off_is_neither_made_nor_there() {
    let bench = bench("toolset: bots\n");
    let ended = with(&bench, &["call", "create_tool", &word_count().to_string()]).expect(1);
    assert!(ended.stderr.contains("dynamicTools.enabled"), "{}", ended.stderr);
    let outside = self::bench("toolset: bots\ndynamicTools: {enabled: true, storePath: ../x}\n");
    assert!(with(&outside, &["tools", "list"]).expect(3).stderr.contains("dynamicTools.storePath"));
}
