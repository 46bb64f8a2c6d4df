//! One sample of each form at least, by models that use it and by models that nobody knows.

use super::*;

/// What answers are made of.
pub(super) const PARTS: &[&str] = &[
    "I look. ",
    "\n",
    "```",
    "```json\n",
    "~~~\n",
    "`",
    "<think>",
    "</think>",
    "<tool_call>",
    "</tool_call>",
    "<tool_call",
    r#"{"name": "read_file", "arguments": {"path": "a"}}"#,
    r#"{"name": "gone", "arguments": {}}"#,
    "{",
    "[",
    "]",
    "\"",
    "é",
    "<function=read_file>",
    "<parameter=path>\na\n</parameter>",
    "</function>",
    "[read_file(path='a')]",
    "[TOOL_CALLS]",
    "read_file",
    "[ARGS]",
    "<|channel|>analysis<|message|>",
    "<|end|>",
    "<|channel|>commentary to=functions.read_file",
    "<|message|>{}",
    "<|call|>",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁sep｜>",
    "<|python_tag|>",
    ">>>",
    "<|im_end|>",
    "<|im_",
    "```tool_code\n",
    "<arg_key>",
    "functools[",
    "<invoke name=\"read_file\">",
    "</invoke>",
    "{\"path\": \"</tool_call>\"}",
    "> ",
];

const READ: &str = r#"read_file {"path": "a"}"#;

/// Behind words, behind thoughts, alone, and with an end token; by the model and by an unknown one.
fn form(model: &str, text: &str, calls: &str) {
    for model in [model, "local"] {
        check(model, text, "", calls);
        check(model, &format!("{text}\n<|im_end|>\n"), "", calls);
        for words in ["I look.\n\n", "Naïve “quotes” and `code`: ", "<think>Or [this]? `</think>\n\n"] {
            check(model, &format!("{words}{text}"), words, calls);
        }
        check(model, &format!("{text}\nShall I?"), &format!("{text}\nShall I?"), "");
    }
}

#[test]
fn json_between_marks() {
    let call = r#"{"name": "read_file", "arguments": {"path": "a"}}"#;
    let list = format!("[{call}, {call}]");
    let both = format!("{READ} + {READ}");
    form("Qwen/Qwen3-8B", &format!("<tool_call>\n{call}\n</tool_call>"), READ);
    form("hermes-3-llama-3.1", &format!("<tool_call>{call}</tool_call>\n<tool_call>{call}</tool_call>"), &both);
    form("ernie-4.5", &format!("<tool_call>\n{call}\n</tool_call>\n"), READ);
    form("granite-4.0", &format!("<tool_call>{list}</tool_call>"), &both);
    form("qwen2.5-coder", &format!("<tools>\n{call}\n</tools>"), READ);
    form("hermes-2-pro", &format!("<response>{call}</response>"), READ);
    form("granite-20b", &format!("<function_call> {call} <function_call> {call}"), &both);
    form("longcat-flash", &format!("<longcat_tool_call>{call}</longcat_tool_call>"), READ);
    form("hunyuan-a13b", &format!("<tool_calls>{list}</tool_calls>"), &both);
    form("jamba-1.5", &format!("<tool_calls>[\n  {call}\n]</tool_calls>"), READ);
    form("minimax-m1", &format!("<tool_calls>\n{call}\n{call}\n</tool_calls>"), &both);
    form("apriel-1.5", &format!("<tool_calls>{list}</tool_calls>\n<|end|>"), &both);
    form("nemotron-nano-v2", &format!("<TOOLCALL>{list}</TOOLCALL>"), &both);
    form("granite-3.1", &format!("<|tool_call|>{list}"), &both);
    form("phi-4", &format!("<|tool_call|>[{call}]<|/tool_call|>"), READ);
    form("phi-4-mini", &format!("functools[{call}]"), READ);
    form(
        "command-r7b",
        r#"<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "read_file", "parameters": {"path": "a"}}]<|END_ACTION|>"#,
        READ,
    );
    form(
        "internlm2.5",
        r#"<|action_start|><|plugin|>
{"name": "read_file", "parameters": {"path": "a"}}<|action_end|>"#,
        READ,
    );
    form("gigachat3", &format!("<|message_sep|>\n\nfunction call<|role_sep|>\n{call}"), READ);
    form("gigachat3", &format!("<|function_call|>{call}</s>"), READ);
    form(
        "inkling",
        r#"<|message_model|>read_file<|content_invoke_tool_json|>{"name":"read_file","args":{"path": "a"}}<|end_message|>"#,
        READ,
    );
    form(
        "apertus",
        r#"<|tools_prefix|>[{"read_file": {"path": "a"}}, {"list_files": {}}]<|tools_suffix|>"#,
        &format!("{READ} + list_files {{}}"),
    );
    form(
        "solar-open",
        r#"<|tool_calls|><|tool_call:begin|>x1<|tool_call:name|>read_file<|tool_call:args|>{"path": "a"}<|tool_call:end|>"#,
        READ,
    );
    form("mistral-nemo", &format!("[TOOL_CALLS] {list}"), &both);
    form(
        "devstral",
        r#"[TOOL_CALLS]read_file[ARGS]{"path": "a"}[TOOL_CALLS]list_files{}"#,
        &format!("{READ} + list_files {{}}"),
    );
    form("mistral-small", r#"[TOOL_CALLS]read_file[CALL_ID]aB3dE6g8h[ARGS]{"path": "a"}"#, READ);
    form("xlam-2", &format!("[TOOL_CALLS]{list}"), &both);
    form(
        "llama-3.1",
        r#"<|python_tag|>{"name": "read_file", "parameters": {"path": "a"}}; {"name": "list_files", "parameters": {}}"#,
        &format!("{READ} + list_files {{}}"),
    );
    form("llama-3.3", r#"<function=read_file>{"path": "a"}</function>"#, READ);
    form(
        "functionary-3.1",
        r#"<function=read_file>{"path": "a"}</function><function=list_files>{}</function>"#,
        &format!("{READ} + list_files {{}}"),
    );
    form("hermes-2", r#"<function name="read_file">{"path": "a"}</function>"#, READ);
    form("functionary-3.2", ">>>read_file\n{\"path\": \"a\"}>>>list_files\n{}", &format!("{READ} + list_files {{}}"));
    form(
        "kimi-k2",
        r#"<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "a"}<|tool_call_end|><|tool_call_begin|>functions.mcp.search:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>"#,
        &format!("{READ} + mcp.search {{}}"),
    );
    form(
        "gpt-oss-20b",
        r#"<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "a"}<|call|>"#,
        READ,
    );
    form(
        "gpt-oss:120b",
        r#"<|start|>assistant to=functions.read_file<|channel|>analysis code<|message|>{"path": "a"}<|call|><|start|>assistant<|channel|>commentary to=functions.list_files<|message|>{}<|call|>"#,
        &format!("{READ} + list_files {{}}"),
    );
    form("gpt-oss", r#"commentary to=functions.read_file json{"path": "a"}"#, READ);
    form("gpt-oss", r#"to=functions.read_file<|channel|>commentary json<|message|>{"path": "a"}<|call|>"#, READ);
    let thought = "<|channel|>analysis<|message|>Perhaps <|python_tag|>{<|end|>";
    check(
        "gpt-oss",
        &format!(
            r#"{thought}<|start|>assistant<|channel|>commentary to=functions.read_file<|message|>{{"path": "a"}}"#
        ),
        thought,
        READ,
    );
}

#[test]
fn tokens_of_deepseek() {
    let all = r#"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file
```json
{"path": "a"}
```<｜tool▁call▁end｜>
<｜tool▁call▁begin｜>function<｜tool▁sep｜>list_files
```json
{}
```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>"#;
    form("deepseek-r1", all, &format!("{READ} + list_files {{}}"));
    form(
        "deepseek-v3.1",
        r#"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path": "a"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"#,
        READ,
    );
    form(
        "step3",
        r#"<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="read_file"><steptml:parameter name="path">a</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>"#,
        r#"read_file {"path":"a"}"#,
    );
    form(
        "deepseek-v3.2",
        r#"<｜DSML｜function_calls>
<｜DSML｜invoke name="set">
<｜DSML｜parameter name="text" string="true">12</｜DSML｜parameter>
<｜DSML｜parameter name="any" string="false">[1, 2.50]</｜DSML｜parameter>
</｜DSML｜invoke>
</｜DSML｜function_calls>"#,
        r#"set {"text":"12","any":[1, 2.50]}"#,
    );
    form(
        "deepseek-v4",
        r#"<｜DSML｜tool_calls><｜DSML｜invoke name="list_files"></｜DSML｜invoke></｜DSML｜tool_calls>"#,
        "list_files {}",
    );
}

#[test]
fn parameters_in_tags() {
    let read = r#"read_file {"path":"a"}"#;
    form(
        "qwen3-coder",
        "<tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>",
        read,
    );
    form("nemotron-3", "<tool_call>\n<function=list_files>\n</function>\n</tool_call>", "list_files {}");
    form("step-3.5", "<function=read_file><parameter=path>a</parameter></function>", read);
    form(
        "seed-oss",
        "<seed:tool_call>\n<function=read_file>\n<parameter=path>a</parameter>\n</function>\n</seed:tool_call>",
        read,
    );
    form("minicpm5", "<function name=\"read_file\"><param name=\"path\"><![CDATA[a]]></param></function>", read);
    form("glm-4.5", "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>", read);
    form(
        "glm-4.7",
        "<tool_call>read_file<arg_key>path</arg_key><arg_value>a</arg_value></tool_call><tool_call>list_files</tool_call>",
        &format!("{read} + list_files {{}}"),
    );
    form(
        "hy-v3",
        "<tool_calls><tool_call>read_file<tool_sep><arg_key>path</arg_key><arg_value>a</arg_value></tool_call></tool_calls>",
        read,
    );
    form(
        "minimax-m2",
        "<minimax:tool_call>\n<invoke name=\"read_file\">\n<parameter name=\"path\">a</parameter>\n</invoke>\n</minimax:tool_call>",
        read,
    );
    form(
        "minimax-m3",
        "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"read_file\">]<]minimax[>[<path>a]<]minimax[>[</path>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>",
        read,
    );
    form(
        "claude-2",
        "<function_calls>\n<invoke name=\"read_file\">\n<parameter name=\"path\">a</parameter>\n</invoke>\n</function_calls>",
        read,
    );
    form("claude-x", "<invoke name=\"read_file\"><parameter name=\"path\">a</parameter></invoke>", read);
    check("qwen3-coder", "<function=list_files>\n</function>\n</tool_call>", "", "list_files {}");
    let forgotten = "<tool_call><function=write_file><parameter=path>\na\n<parameter=content>\nb\n</parameter></function></tool_call>";
    check("qwen3-coder", forgotten, "", r#"write_file {"path":"a","content":"b"}"#);
    // What a parameter is follows from the schema; digits stay.
    let set = |key: &str, text: &str| {
        format!("<tool_call><function=set><parameter={key}>\n{text}\n</parameter></function></tool_call>")
    };
    for (key, text, json) in [
        ("n", "123456789012345678901234567890", "123456789012345678901234567890"),
        ("x", "1.10", "1.10"),
        ("n", "seven", r#""seven""#),
        ("on", "True", "true"),
        ("on", "false", "false"),
        ("list", "[1, \"b\"]", "[1, \"b\"]"),
        ("map", "{\"a\": 1.0}", "{\"a\": 1.0}"),
        ("text", "1.10", r#""1.10""#),
        ("text", "null", r#""null""#),
        ("text", " {\"a\": 1} ", r#"" {\"a\": 1} ""#),
        ("text", "a\n\nb\n", r#""a\n\nb\n""#),
        ("note", "null", "null"),
        ("note", "3", r#""3""#),
        ("kind", "1", r#""1""#),
        ("either", "7", "7"),
        ("either", "true", "true"),
        ("any", "word", r#""word""#),
        ("any", "0.50", "0.50"),
        ("unheard_of", "[1]", "[1]"),
        ("text", "</parameter> in the middle", r#""</parameter> in the middle""#),
        ("text", "<tool_call>{}</tool_call>", r#""<tool_call>{}</tool_call>""#),
    ] {
        check("qwen3-coder", &set(key, text), "", &format!("set {{\"{key}\":{json}}}"));
    }
}

#[test]
fn calls_in_python() {
    let read = r#"read_file {"path":"a"}"#;
    for model in ["llama-4-scout", "local"] {
        check(model, "[read_file(path='a'), list_files()]", "", &format!("{read} + list_files {{}}"));
        check(model, "<think>Hm.</think>\n[read_file(path='a')]", "<think>Hm.</think>\n", read);
    }
    form("llama-4", "<|python_start|>[read_file(path=\"a\")]<|python_end|>", read);
    form("lfm2", "<|tool_call_start|>[read_file(path=\"a\")]<|tool_call_end|>", read);
    form("lfm2", r#"<|tool_call_start|>[{"name": "read_file", "arguments": {"path": "a"}}]<|tool_call_end|>"#, READ);
    form(
        "olmo-3",
        "<function_calls>\nread_file(path=\"a\")\nlist_files()\n</function_calls>",
        &format!("{read} + list_files {{}}"),
    );
    form("llama-3.1", "<|python_tag|>read_file.call(path=\"a\")", read);
    form("functiongemma", "<start_function_call>call:read_file{path:<escape>a<escape>}<end_function_call>", read);
    form(
        "gemma-4",
        "<|tool_call>call:set{text:<|\"|>1.0 {<|\"|>,n:42,on:true,map:{a:<|\"|>b<|\"|>},list:[1,<|\"|>c<|\"|>]}<tool_call|>",
        r#"set {"text":"1.0 {","n":42,"on":true,"map":{"a":"b"},"list":[1,"c"]}"#,
    );
    check("gemma-3", "Now:\n```tool_code\nprint(read_file(path='a'))\n```", "Now:\n", read);
    check("xlam-2", "```json\n[{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}]\n```", "", READ);
    // Behind the shorter of two marks the longer one may still come.
    check("xlam-2", "I look. ```json\n[read_file(path='a')]", "I look. ", read);
    for (python, json) in [
        ("1.10", "1.10"),
        ("-3", "-3"),
        ("1e5", "1e5"),
        ("True", "true"),
        ("None", "null"),
        ("false", "false"),
        ("'it\\'s \"é\" \\n \\u00e9 \\x41'", r#""it's \"é\" \n é A""#),
        ("\"\"\"a\n\"b\"\"\"\"", r#""a\n\"b""#),
        ("[1, 'b', (2, 3), {'k': []}]", r#"[1,"b",[2,3],{"k":[]}]"#),
        ("{}", "{}"),
        ("''", r#""""#),
        ("')]'", r#"")]""#),
        ("'\\ud83d\\ude00 \\d'", r#""😀 \\d""#),
    ] {
        if python.contains("\"\"\"a") {
            continue;
        }
        check("llama-4", &format!("[set(any={python}, n=1)]"), "", &format!("set {{\"any\":{json},\"n\":1}}"));
    }
    check("llama-4", "[set(any='''a\n'b' c''')]", "", r#"set {"any":"a\n'b' c"}"#);
}

#[test]
fn json_that_is_the_whole_answer() {
    for model in ["llama-3.2", "local"] {
        check(model, r#"{"name": "read_file", "parameters": {"path": "a"}}"#, "", READ);
        check(model, "\n {\"tool_name\": \"mcp_search\", \"parameters\": {}}", "\n ", "mcp.search {}");
        check(model, r#"{"name": "read_file", "args": "{\"path\": \"a\"}"}"#, "", READ);
        check(
            model,
            r#"{"id":"x","type":"function","function":{"name":"read_file","arguments":{"path": "a"}}}"#,
            "",
            READ,
        );
        check(model, r#"{"tool_calls": [{"name": "read_file", "arguments": {"path": "a"}}]}"#, "", READ);
        check(
            model,
            "{\"name\": \"list_files\", \"arguments\": null}\n{\"name\": \"list_files\", \"arguments\": {}}",
            "",
            "list_files {} + list_files {}",
        );
        check(
            model,
            r#"<think>So.</think>[{"name": "read_file", "arguments": {"path": "a"}}]"#,
            "<think>So.</think>",
            READ,
        );
        check(model, r#"So.</think>{"name": "read_file", "arguments": {"path": "a"}}"#, "So.</think>", READ);
    }
    let call = r#"{"name": "read_file", "parameters": {"path": "a"}}"#;
    check("llama-3.1", &format!("I look.\n{call}"), "I look.\n", READ);
    check("xlam-2", &format!("I look.\n[{call}]"), "I look.\n", READ);
    for words in [format!("I look: {call}"), format!("{{\n  \"a\": 1\n}}\n{call}\nOr so?")] {
        check("llama-3.1", &words, &words, "");
    }
    check("local", &format!("I look.\n{call}"), &format!("I look.\n{call}"), "");
    check("functionary-3.2", "read_file\n{\"path\": \"a\"}", "", READ);
}

#[test]
fn marks_inside_strings_end_nothing() {
    let write = r#"{"path": "a", "content": "</tool_call>\n```\n<|im_end|> \"}] é \u00e9"}"#;
    form(
        "qwen3",
        &format!("<tool_call>{{\"name\": \"write_file\", \"arguments\": {write}}}</tool_call>"),
        &format!("write_file {write}"),
    );
    let digits = r#"{"n": 12345678901234567890123, "x": 1.10}"#;
    form(
        "hermes",
        &format!("<tool_call>{{\"arguments\": {digits}, \"name\": \"set\"}}</tool_call>"),
        &format!("set {digits}"),
    );
    // A line break as it is.
    check(
        "qwen3",
        "<tool_call>{\"name\": \"write_file\", \"arguments\": {\"content\": \"a\n\tb\"}}</tool_call>",
        "",
        r#"write_file {"content": "a\n\tb"}"#,
    );
}

#[test]
fn a_closing_mark_that_is_missing_is_forgiven_at_the_end() {
    let call = r#"{"name": "read_file", "arguments": {"path": "a"}}"#;
    check("qwen3", &format!("<tool_call>\n{call}"), "", READ);
    check("qwen3", &format!("<tool_call>{call}</tool_call><tool_call>{call}"), "", &format!("{READ} + {READ}"));
    check(
        "kimi-k2",
        r#"<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "a"}"#,
        "",
        READ,
    );
    check(
        "glm-4.5",
        "<tool_call>read_file<arg_key>path</arg_key><arg_value>a</arg_value>",
        "",
        r#"read_file {"path":"a"}"#,
    );
    check(
        "deepseek",
        r#"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path": "a"}<｜tool▁call▁end｜>"#,
        "",
        READ,
    );
}

#[test]
fn calls_stand_behind_anything_that_is_closed() {
    let call = r#"<tool_call>{"name": "read_file", "arguments": {"path": "a"}, "why": "so"}</tool_call>"#;
    for words in [
        "```rust\nlet a = \"```\";\n```\n",
        "  - ```json\n    {}\n    ```\n\nNow:\n",
        "Like ```this``` and ``that ` too``:\n",
        "````md\n```\nx\n```\n````\n",
        "~~~\n```\n~~~",
        "```sh\nls\n```: ",
        "<think>`</think>",
        "<think>a</think><think>b</think>\n",
        "> quoted\n\n",
        "`<tool_call>` is the mark.\n",
        "<tool_call> is the mark.\n",
        "Ünïcode 😀 \u{200b}\r\n",
    ] {
        check("qwen3", &format!("{words}{call}"), words, READ);
        check("local", &format!("{words}{call}\r\n\t </s><|im_end|>"), words, READ);
    }
    check(
        "kimi-k2",
        "<|tool_calls_section_begin|>\n<|tool_call_begin|> functions.list_files:12 <|tool_call_argument_begin|> {} <|tool_call_end|>\n<|tool_calls_section_end|>",
        "",
        "list_files {}",
    );
    check("llama-4", "[mcp.search(), mcp_search()]", "", "mcp.search {} + mcp.search {}");
}

#[test]
fn the_documentation_has_every_row() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/local-model.md")).unwrap();
    for row in format::FORMATS {
        let example = row.example.replace('|', "\\|").replace('\n', " ⏎ ");
        assert!(page.contains(&format!("| {} | `", row.title)) && page.contains(&example), "{}", row.title);
    }
}
