//! The table of forms in which open models write calls into their text: one row per form.
//!
//! A model whose name is in the table is read by its own rows only; any other by every row with a mark of its own, and by
//! calls that are the whole answer. What the forms look like is known from the models' chat templates and from the parsers
//! of vLLM, SGLang and llama.cpp.

use super::cursor::{Cursor, Read};
use super::{Fences, Said, readers};
use crate::names::Names;

/// Where a call of a form begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// At one of its marks.
    Mark,
    /// At the beginning of the answer, ignoring thoughts; also for unknown models.
    Start,
    /// At the beginning of a line. Only for the row's models.
    Line,
    /// As [`Place::Start`], but too common to be searched for in answers of other models.
    StartOfOwn,
    /// At a code fence. Only for the row's models, and never if the server supports tools.
    Fence,
}

/// One form.
pub(super) struct Format {
    /// Its name in the documentation.
    pub(super) title: &'static str,
    /// Parts of model names, in lower case.
    pub(super) models: &'static [&'static str],
    pub(super) place: Place,
    /// The beginning of a call; the reader starts after it.
    pub(super) marks: &'static [&'static str],
    /// The end of the last call; empty if there is none.
    pub(super) close: &'static str,
    pub(super) read: Reader,
    /// The example shown to a model.
    pub(super) example: &'static str,
}

/// Takes what closes the row's calls, too.
pub(super) type Reader = fn(&mut Cursor<'_>, &Names<'_>, &str) -> Read<Vec<Said>>;

/// The rows used for a model.
pub(super) struct Forms {
    pub(super) rows: Vec<&'static Format>,
    /// Whether they are its own.
    pub(super) own: bool,
}

impl Forms {
    pub(super) fn of(model: &str, fences: Fences) -> Self {
        let model = model.to_lowercase();
        let mut rows: Vec<_> =
            FORMATS.iter().filter(|row| row.models.iter().any(|part| model.contains(part))).collect();
        let own = !rows.is_empty();
        if own {
            rows.retain(|row| row.place != Place::Fence || fences == Fences::Count);
        } else {
            rows = FORMATS.iter().filter(|row| matches!(row.place, Place::Mark | Place::Start)).collect();
        }
        Self { rows, own }
    }
}

macro_rules! formats {
    ($($title:literal, $place:ident, [$($mark:literal),*] .. $close:literal, $read:ident,
        [$($model:literal),*], $example:literal;)*) => {
        pub(super) const FORMATS: &[Format] = &[$(Format {
            title: $title,
            models: &[$($model),*],
            place: Place::$place,
            marks: &[$($mark),*],
            close: $close,
            read: readers::$read,
            example: $example,
        }),*];
    };
}

formats! {
    "Hermes", Mark, ["<tool_call>"] .. "</tool_call>", json,
        ["hermes", "nous", "qwen", "qwq", "ernie", "mimo", "smollm", "intern-s1", "internvl", "exaone", "trinity", "xlam",
         "granite", "dots", "jan-", "minicpm", "step", "pangu", "jamba", "glm"],
        r#"<tool_call>{"name": NAME, "arguments": {…}}</tool_call>"#;
    "Qwen3-Coder", Mark, ["<tool_call>"] .. "</tool_call>", functions,
        ["qwen", "nemotron", "step", "mimo", "minicpm"],
        "<tool_call><function=NAME><parameter=KEY>VALUE</parameter></function></tool_call>";
    "GLM", Mark, ["<tool_call>"] .. "</tool_call>", keyed_in_tool_call,
        ["glm", "poolside", "laguna"],
        "<tool_call>NAME<arg_key>KEY</arg_key><arg_value>VALUE</arg_value></tool_call>";
    "Llama function", Mark, ["<function="] .. "</function>", function,
        ["llama", "functionary", "qwen", "nemotron", "step", "mimo", "hermes"],
        "<function=NAME>{…}</function>";
    "MiniCPM", Mark, ["<function name=\""] .. "</function>", function_name,
        ["minicpm", "hermes", "qwen"],
        r#"<function name="NAME"><param name="KEY">VALUE</param></function>"#;
    "Seed-OSS", Mark, ["<seed:tool_call>"] .. "</seed:tool_call>", functions,
        ["seed"],
        "<seed:tool_call><function=NAME><parameter=KEY>VALUE</parameter></function></seed:tool_call>";
    "Granite 20B", Mark, ["<function_call>"] .. "</function_call>", json_perhaps_closed,
        ["granite", "hermes", "qwen"],
        r#"<function_call>{"name": NAME, "arguments": {…}}"#;
    "Hermes, other tags", Mark, ["<tools>", "<tool>", "<response>", "<json>", "<JSON>", "<xml>"] .. "", other_tags,
        ["qwen", "hermes"],
        r#"<tools>{"name": NAME, "arguments": {…}}</tools>"#;
    "LongCat", Mark, ["<longcat_tool_call>"] .. "</longcat_tool_call>", json,
        ["longcat"],
        r#"<longcat_tool_call>{"name": NAME, "arguments": {…}}</longcat_tool_call>"#;
    "Hunyuan, Jamba, Apriel, MiniMax M1", Mark, ["<tool_calls>"] .. "</tool_calls>", tool_calls,
        ["hunyuan", "hy-v", "jamba", "apriel", "minimax", "ernie"],
        r#"<tool_calls>[{"name": NAME, "arguments": {…}}]</tool_calls>"#;
    "Nemotron Nano", Mark, ["<TOOLCALL>"] .. "</TOOLCALL>", json,
        ["nemotron"],
        r#"<TOOLCALL>[{"name": NAME, "arguments": {…}}]</TOOLCALL>"#;
    "Granite, Phi-4", Mark, ["<|tool_call|>"] .. "<|/tool_call|>", json_perhaps_closed,
        ["granite", "phi-", "phi3", "phi4"],
        r#"<|tool_call|>[{"name": NAME, "arguments": {…}}]"#;
    "Phi-4 mini, FireFunction", Mark, ["functools"] .. "", functools,
        ["phi-", "phi3", "phi4", "firefunction"],
        r#"functools[{"name": NAME, "arguments": {…}}]"#;
    "Command R", Mark, ["<|START_ACTION|>"] .. "<|END_ACTION|>", json,
        ["command", "cohere", "c4ai", "aya"],
        r#"<|START_ACTION|>[{"tool_name": NAME, "parameters": {…}}]<|END_ACTION|>"#;
    "InternLM", Mark, ["<|action_start|>"] .. "<|action_end|>", internlm,
        ["internlm", "intern"],
        r#"<|action_start|><|plugin|>{"name": NAME, "parameters": {…}}<|action_end|>"#;
    "GigaChat", Mark, ["<|function_call|>", "<|message_sep|>", "function call<|role_sep|>"] .. "", gigachat,
        ["gigachat"],
        r#"<|function_call|>{"name": NAME, "arguments": {…}}"#;
    "Inkling", Mark, ["<|message_model|>", "<|content_invoke_tool_json|>"] .. "<|end_message|>", inkling,
        ["inkling"],
        r#"<|message_model|>NAME<|content_invoke_tool_json|>{"name": NAME, "args": {…}}<|end_message|>"#;
    "Apertus", Mark, ["<|tools_prefix|>"] .. "<|tools_suffix|>", apertus,
        ["apertus"],
        "<|tools_prefix|>[{NAME: {…}}]<|tools_suffix|>";
    "Solar", Mark, ["<|tool_calls|>", "<|tool_call:begin|>"] .. "<|tool_call:end|>", solar,
        ["solar"],
        "<|tool_calls|><|tool_call:begin|>ID<|tool_call:name|>NAME<|tool_call:args|>{…}<|tool_call:end|>";
    "Mistral", Mark, ["[TOOL_CALLS]"] .. "", mistral,
        ["mistral", "mixtral", "ministral", "magistral", "devstral", "codestral", "pixtral", "xlam"],
        "[TOOL_CALLS]NAME[ARGS]{…}";
    "DeepSeek V3, R1, V3.1; Step-3", Mark,
        ["<｜tool▁calls▁begin｜>", "<｜tool_calls_begin｜>", "<｜tool calls begin｜>", "<｜tool\\_calls\\_begin｜>", "<｜tool▁calls｜>",
         "<｜tool▁call▁begin｜>", "<｜tool_call_begin｜>"] .. "<｜tool▁calls▁end｜>", deepseek,
        ["deepseek", "step"],
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>NAME<｜tool▁sep｜>{…}<｜tool▁call▁end｜><｜tool▁calls▁end｜>";
    "DeepSeek V3.2 and V4", Mark,
        ["<｜DSML｜function_calls>", "<｜DSML｜tool_calls>"] .. "</｜DSML｜function_calls>", dsml,
        ["deepseek"],
        "<｜DSML｜function_calls><｜DSML｜invoke name=\"NAME\"><｜DSML｜parameter name=\"KEY\" string=\"true\">VALUE</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜function_calls>";
    "DeepSeek V3.2 without its outer tag", Mark, ["<｜DSML｜invoke name=\""] .. "</｜DSML｜invoke>", dsml_invoke,
        ["deepseek"],
        "<｜DSML｜invoke name=\"NAME\"><｜DSML｜parameter name=\"KEY\" string=\"true\">VALUE</｜DSML｜parameter></｜DSML｜invoke>";
    "Kimi K2", Mark,
        ["<|tool_calls_section_begin|>", "<|tool_call_section_begin|>", "<|tool_call_begin|>"]
            .. "<|tool_calls_section_end|>", kimi,
        ["kimi", "moonshot"],
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.NAME:0<|tool_call_argument_begin|>{…}<|tool_call_end|><|tool_calls_section_end|>";
    "gpt-oss", Mark,
        ["<|start|>assistant", "<|channel|>commentary", "<|channel|>analysis"] .. "<|call|>", harmony,
        ["gpt-oss", "gpt_oss", "gptoss"],
        "<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{…}<|call|>";
    "gpt-oss without tokens", Mark, ["commentary to=functions.", "to=functions."] .. "", harmony_stripped,
        ["gpt-oss", "gpt_oss", "gptoss"],
        "<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{…}<|call|>";
    "MiniMax M2", Mark, ["<minimax:tool_call>"] .. "</minimax:tool_call>", minimax,
        ["minimax"],
        "<minimax:tool_call><invoke name=\"NAME\"><parameter name=\"KEY\">VALUE</parameter></invoke></minimax:tool_call>";
    "MiniMax M3", Mark, ["]<]minimax[>["] .. "]<]minimax[>[</tool_call>", minimax_m3,
        ["minimax"],
        "]<]minimax[>[<tool_call>]<]minimax[>[<invoke name=\"NAME\">]<]minimax[>[<KEY>VALUE]<]minimax[>[</KEY>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>";
    "Anthropic", Mark, ["<function_calls>"] .. "</function_calls>", anthropic,
        ["claude"],
        "<function_calls><invoke name=\"NAME\"><parameter name=\"KEY\">VALUE</parameter></invoke></function_calls>";
    "Anthropic without its outer tag", Mark, ["<invoke name=\""] .. "</invoke>", invoke,
        ["claude", "minimax"],
        "<invoke name=\"NAME\"><parameter name=\"KEY\">VALUE</parameter></invoke>";
    "Olmo 3", Mark, ["<function_calls>"] .. "</function_calls>", olmo,
        ["olmo"],
        "<function_calls>NAME(KEY=VALUE)</function_calls>";
    "LFM2", Mark, ["<|tool_call_start|>"] .. "<|tool_call_end|>", json_or_python_closed,
        ["lfm"],
        "<|tool_call_start|>[NAME(KEY=VALUE)]<|tool_call_end|>";
    "Llama 4", Mark, ["<|python_start|>"] .. "<|python_end|>", json_or_python_closed,
        ["llama"],
        "<|python_start|>[NAME(KEY=VALUE)]<|python_end|>";
    "Llama 3.1", Mark, ["<|python_tag|>"] .. "", python_tag,
        ["llama", "functionary"],
        r#"<|python_tag|>{"name": NAME, "parameters": {…}}"#;
    "Functionary 3.2", Mark, [">>>"] .. "", functionary,
        ["functionary"],
        ">>>NAME\n{…}";
    "FunctionGemma", Mark, ["<start_function_call>"] .. "<end_function_call>", gemma,
        ["gemma"],
        "<start_function_call>call:NAME{KEY:<escape>VALUE<escape>}<end_function_call>";
    "Gemma 4", Mark, ["<|tool_call>"] .. "<tool_call|>", gemma,
        ["gemma"],
        "<|tool_call>call:NAME{KEY:<|\"|>VALUE<|\"|>}<tool_call|>";
    "JSON", Start, [] .. "", bare_json,
        ["llama", "qwen", "mistral", "ministral", "mixtral", "phi-", "phi3", "phi4", "gemma", "command", "granite", "hermes", "xlam", "hammer",
         "smollm", "deepseek", "intern", "falcon", "firefunction", "minicpm", "yi-", "jamba"],
        r#"{"name": NAME, "arguments": {…}}"#;
    "JSON after text", Line, [] .. "", bare_json,
        ["llama", "xlam", "hammer", "firefunction"],
        r#"{"name": NAME, "arguments": {…}}"#;
    "Python", Start, [] .. "", bare_python,
        ["llama", "toolace", "watt", "olmo", "lfm", "gemma", "granite", "gorilla", "salesforce"],
        "[NAME(KEY=VALUE)]";
    "Name and JSON", StartOfOwn, [] .. "", bare_name,
        ["functionary", "glm-4", "mistral", "ministral"],
        "NAME\n{…}";
    "Gemma 3", Fence, ["```tool_code", "```tool_call"] .. "```", fence,
        ["gemma"],
        "```tool_code\nNAME(KEY=VALUE)\n```";
    "xLAM", Fence, ["```json", "```"] .. "```", fence,
        ["xlam", "hammer"],
        "```json\n[{\"name\": NAME, \"arguments\": {…}}]\n```";
}
