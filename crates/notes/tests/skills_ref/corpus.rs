//! Skills, valid ones and broken ones: the public validator's own examples, every rule of the format from both sides, YAML
//! that two readers read differently, and generated neighbours of all these.

/// One skill: a folder's name and the bytes of its `SKILL.md`.
pub struct Case {
    pub id: String,
    pub folder: String,
    pub content: Vec<u8>,
}

fn case(id: impl Into<String>, folder: &str, content: impl AsRef<[u8]>) -> Case {
    Case { id: id.into(), folder: folder.to_owned(), content: content.as_ref().to_vec() }
}

pub fn corpus() -> Vec<Case> {
    let mut all = examples();
    all.extend(names());
    all.extend(lengths());
    all.extend(written());
    all.extend(placed());
    all
}

/// The examples of the validator's own tests.
fn examples() -> Vec<Case> {
    let skill = |front: &str| format!("---\n{front}\n---\n# My Skill\n");
    let rows = [
        ("valid", "my-skill", skill("name: my-skill\ndescription: A test skill")),
        ("upper", "MySkill", skill("name: MySkill\ndescription: A test skill")),
        ("leading", "-my-skill", skill("name: -my-skill\ndescription: A test skill")),
        ("trailing", "my-skill-", skill("name: my-skill-\ndescription: A test skill")),
        ("consecutive", "my--skill", skill("name: my--skill\ndescription: A test skill")),
        ("underscore", "my_skill", skill("name: my_skill\ndescription: A test skill")),
        ("mismatch", "wrong-name", skill("name: correct-name\ndescription: A test skill")),
        (
            "unexpected",
            "my-skill",
            skill("name: my-skill\ndescription: A test skill\nunknown_field: should not be here"),
        ),
        (
            "all-fields",
            "my-skill",
            skill("name: my-skill\ndescription: A test skill\nlicense: MIT\nmetadata:\n  author: Test\n  version: 1.0"),
        ),
        (
            "tools",
            "my-skill",
            skill("name: my-skill\ndescription: A test skill\nallowed-tools: Bash(jq:*) Bash(git:*)"),
        ),
        ("chinese", "技能", skill("name: 技能\ndescription: A skill with Chinese name")),
        ("russian", "мой-навык", skill("name: мой-навык\ndescription: A skill with Russian name")),
        ("russian-upper", "НАВЫК", skill("name: НАВЫК\ndescription: A skill with Russian uppercase name")),
        (
            "compatibility",
            "my-skill",
            skill("name: my-skill\ndescription: A test skill\ncompatibility: Requires Python 3.11+"),
        ),
        ("nfkc", "café", skill("name: cafe\u{301}\ndescription: A test skill")),
        ("nfkc-folder", "cafe\u{301}", skill("name: café\ndescription: A test skill")),
        ("unclosed", "my-skill", "---\nname: my-skill\ndescription: A test skill\n".to_owned()),
        ("no-front", "my-skill", "# No frontmatter here\n".to_owned()),
        ("invalid-yaml", "my-skill", "---\nname: [invalid\ndescription: broken\n---\nBody\n".to_owned()),
        ("not-mapping", "my-skill", "---\n- just\n- a\n- list\n---\nBody\n".to_owned()),
        ("no-name", "my-skill", skill("description: A test skill")),
        ("no-description", "my-skill", skill("name: my-skill")),
    ];
    rows.into_iter().map(|(id, folder, text)| case(format!("example/{id}"), folder, text)).collect()
}

/// Names in folders of the same name.
fn names() -> Vec<Case> {
    let names = [
        "a",
        "0",
        "a1",
        "1-2-3",
        "a-b-c",
        "-",
        "--",
        "a-",
        "-a",
        "a--b",
        "a---b",
        "A",
        "aB",
        "a b",
        "a.b",
        "a_b",
        "a+b",
        "a@b",
        "ñandú",
        "straße",
        "ß",
        "ẞ",
        "ı",
        "İ",
        "ﬁle",
        "①",
        "²",
        "½",
        "Ⅷ",
        "ⅷ",
        "٣",
        "अब",
        "हिन्दी",
        "ไทย",
        "ไม้",
        "한국어",
        "かな",
        "カナ",
        "ｱｲｳ",
        "ａｂｃ",
        "a‐b",
        "a–b",
        "a\u{200d}b",
        "a\u{ad}b",
        "ǆ",
        "ǅ",
        "σς",
        "ΑΣ",
        "😀",
        "a😀",
        "ªº",
        "ʰ",
        "ͅ",
        "ⓐ",
        "𝒶",
        "𝟙",
        "x\u{301}",
        "\u{301}x",
        "o\u{2019}b",
        "true",
        "null",
        "~",
        "1.0",
        "0x10",
        "1_000",
    ];
    let skill = |name: &str| format!("---\nname: {name}\ndescription: d\n---\n");
    let quoted = |name: &str| format!("---\nname: \"{name}\"\ndescription: d\n---\n");
    let plain = names.iter().enumerate().map(|(at, name)| case(format!("name/{at}"), name, skill(name)));
    let in_quotes = names.iter().enumerate().map(|(at, name)| case(format!("name-quoted/{at}"), name, quoted(name)));
    plain.chain(in_quotes).collect()
}

/// Every limit: one below, on it, one above, in letters of one and of several bytes.
fn lengths() -> Vec<Case> {
    let mut all = Vec::new();
    for (letter, unit) in [("ascii", "a"), ("wide", "ж"), ("astral", "𐐷")] {
        // A folder's name has at most 255 bytes.
        for length in [1, 63, 64, 65].into_iter().filter(|length| length * unit.len() <= 255) {
            let name = unit.repeat(length);
            all.push(case(
                format!("length/name/{letter}/{length}"),
                &name,
                format!("---\nname: {name}\ndescription: d\n---\n"),
            ));
        }
        for length in [1023, 1024, 1025] {
            let words = unit.repeat(length);
            let plain = format!("---\nname: x\ndescription: {words}\n---\n");
            let folded = format!("---\nname: x\ndescription: >\n  {words}\n---\n");
            let padded = format!("---\nname: x\ndescription: \"{} \"\n---\n", unit.repeat(length - 1));
            all.push(case(format!("length/description/{letter}/{length}"), "x", plain));
            all.push(case(format!("length/description-folded/{letter}/{length}"), "x", folded));
            all.push(case(format!("length/description-padded/{letter}/{length}"), "x", padded));
        }
        for length in [499, 500, 501] {
            let words = unit.repeat(length);
            let text = format!("---\nname: x\ndescription: d\ncompatibility: {words}\n---\n");
            all.push(case(format!("length/compatibility/{letter}/{length}"), "x", text));
        }
    }
    all
}

/// Whole files by hand.
fn written() -> Vec<Case> {
    let rows: &[(&str, &str)] = &[
        ("empty", ""),
        ("nothing", "---\n---\n"),
        ("word", "---\nhello\n---\n"),
        ("comment-only", "---\n# c\n---\n"),
        ("null", "---\nname: x\ndescription: null\n---\n"),
        ("tilde", "---\nname: x\ndescription: ~\n---\n"),
        ("number", "---\nname: x\ndescription: 12\n---\n"),
        ("flow-map", "---\nname: x\ndescription: d\nmetadata: {a: b}\n---\n"),
        ("flow-list", "---\nname: x\ndescription: d\nallowed-tools: [Read, Grep]\n---\n"),
        ("flow-whole", "---\n{name: x, description: d}\n---\n"),
        ("empty-description", "---\nname: x\ndescription:\n---\n"),
        ("blank-description", "---\nname: x\ndescription: \"  \"\n---\n"),
        ("empty-quotes", "---\nname: x\ndescription: \"\"\n---\n"),
        ("empty-name", "---\nname:\ndescription: d\n---\n"),
        ("rule-inside", "---\nname: x\ndescription: a --- b\n---\n"),
        ("rule-inside-cuts", "---\nname: x\ndescription: a --- b\nzzz: y\n---\n"),
        ("rule-in-literal", "---\nname: x\ndescription: |\n  a\n  ---\n  b\n---\n"),
        ("rule-in-quotes", "---\nname: x\ndescription: \"a --- b\"\n---\n"),
        ("colon", "---\nname: x\ndescription: a: b\n---\n"),
        ("colon-end", "---\nname: x\ndescription: a:\n---\n"),
        ("url", "---\nname: x\ndescription: see http://a:80/b\n---\n"),
        ("hash", "---\nname: x\ndescription: a # b\n---\n"),
        ("hash-first", "---\nname: x\ndescription: # b\n---\n"),
        ("anchor", "---\nname: &a x\ndescription: b\n---\n"),
        ("anchor-used", "---\nname: &a x\ndescription: *a\n---\n"),
        ("alias", "---\nname: x\ndescription: *a\n---\n"),
        ("tag", "---\nname: !!str x\ndescription: b\n---\n"),
        ("tag-own", "---\nname: !mine x\ndescription: b\n---\n"),
        ("tag-map", "---\n!!map\nname: x\ndescription: b\n---\n"),
        ("twice", "---\nname: x\nname: x\ndescription: b\n---\n"),
        ("twice-quoted", "---\nname: x\n\"name\": x\ndescription: b\n---\n"),
        ("twice-inside", "---\nname: x\ndescription: b\nmetadata:\n  a: 1\n  a: 2\n---\n"),
        ("merge", "---\nname: x\ndescription: b\n<<: z\n---\n"),
        ("merge-inside", "---\nname: x\ndescription: b\nmetadata:\n  <<: 1\n---\n"),
        ("merge-quoted", "---\nname: x\ndescription: b\nmetadata:\n  \"<<\": 1\n---\n"),
        ("folded", "---\nname: x\ndescription: >\n  a\n  b\n---\n"),
        ("literal", "---\nname: x\ndescription: |\n  a\n  b\n---\n"),
        ("literal-strip", "---\nname: x\ndescription: |2-\n    a\n---\n"),
        ("literal-bad", "---\nname: x\ndescription: |x\n  a\n---\n"),
        ("literal-dedent", "---\nname: x\ndescription: |\n    a\n  b\n---\n"),
        ("literal-tab", "---\nname: x\ndescription: |\n\ta\n---\n"),
        ("literal-tab-inside", "---\nname: x\ndescription: |\n  a\tb\n---\n"),
        ("literal-empty", "---\nname: x\ndescription: |\n---\n"),
        ("literal-name", "---\nname: |\n  x\ndescription: d\n---\n"),
        ("crlf", "---\r\nname: x\r\ndescription: b\r\n---\r\n"),
        ("cr", "---\rname: x\rdescription: b\r---\r"),
        ("mark", "\u{feff}---\nname: x\ndescription: b\n---\n"),
        ("space-before", " ---\nname: x\ndescription: b\n---\n"),
        ("line-before", "\n---\nname: x\ndescription: b\n---\n"),
        ("four", "----\nname: x\ndescription: b\n---\n"),
        ("same-line", "---name: x\ndescription: b\n---\n"),
        ("same-line-space", "--- name: x\ndescription: b\n---\n"),
        ("closed-with-four", "---\nname: x\ndescription: b\n----\n"),
        ("closed-with-dots", "---\nname: x\ndescription: b\n...\n"),
        ("dots-and-close", "---\nname: x\ndescription: b\n...\n---\n"),
        ("dots-between", "---\nname: x\n...\ndescription: b\n---\n"),
        ("no-newline", "---\nname: x\ndescription: b\n---"),
        ("closed-in-line", "---\nname: x\ndescription: b---\n"),
        ("second-document", "---\nname: x\ndescription: b\n--- \nfoo: bar\n"),
        ("complex-key", "---\n? name\n: x\ndescription: b\n---\n"),
        ("complex-key-list", "---\n? - a\n  - b\n: x\nname: x\ndescription: b\n---\n"),
        ("complex-key-map", "---\nname: x\ndescription: b\n? a: b\n: c\n---\n"),
        ("key-flow", "---\nname: x\ndescription: b\n[a]: c\n---\n"),
        ("key-number", "---\nname: x\ndescription: b\n1: z\n---\n"),
        ("key-bool", "---\nname: x\ndescription: b\ntrue: z\n---\n"),
        ("key-empty", "---\nname: x\ndescription: b\n: c\n---\n"),
        ("key-quoted", "---\n\"name\": x\n'description': b\n---\n"),
        ("key-blank-before-colon", "---\nname : x\ndescription: b\n---\n"),
        ("key-upper", "---\nName: x\ndescription: b\n---\n"),
        ("key-alone", "---\nname: x\ndescription: b\nlicense\n---\n"),
        ("key-no-space", "---\nname:x\ndescription: b\n---\n"),
        ("indented", "---\n  name: x\n  description: b\n---\n"),
        ("indented-uneven", "---\n  name: x\n description: b\n---\n"),
        ("depth-even", "---\nname: x\ndescription: b\nmetadata:\n  a: b\nlicense:\n  c: d\n---\n"),
        ("depth-uneven", "---\nname: x\ndescription: b\nmetadata:\n    a: b\nlicense:\n  c: d\n---\n"),
        ("depth-nested", "---\nname: x\ndescription: b\nmetadata:\n  a:\n    b: c\n  d:\n      e: f\n---\n"),
        ("depth-elsewhere", "---\nname: x\ndescription: b\nmetadata:\n  a:\n      b: c\nlicense:\n  d: e\n---\n"),
        ("metadata-list", "---\nname: x\ndescription: b\nmetadata:\n- a\n- b\n---\n"),
        ("metadata-list-in", "---\nname: x\ndescription: b\nmetadata:\n  - a\n---\n"),
        ("metadata-word", "---\nname: x\ndescription: b\nmetadata: word\n---\n"),
        ("metadata-empty", "---\nname: x\ndescription: b\nmetadata:\n---\n"),
        ("metadata-deep", "---\nname: x\ndescription: b\nmetadata:\n- - a\n  - b\n- c: d\n---\n"),
        ("metadata-rows", "---\nname: x\ndescription: b\nmetadata:\n- a: b\n  c: d\n- e\n---\n"),
        ("metadata-colon", "---\nname: x\ndescription: b\nmetadata:\n  a: b: c\n---\n"),
        ("metadata-key-blanks", "---\nname: x\ndescription: b\nmetadata:\n  a b c: y\n---\n"),
        ("license-list", "---\nname: x\ndescription: b\nlicense:\n- a\n---\n"),
        ("license-map", "---\nname: x\ndescription: b\nlicense:\n  a: b\n---\n"),
        ("license-empty", "---\nname: x\ndescription: b\nlicense:\n---\n"),
        ("tools-list", "---\nname: x\ndescription: b\nallowed-tools:\n- Read\n- Grep\n---\n"),
        ("compatibility-list", "---\nname: x\ndescription: b\ncompatibility:\n- a\n---\n"),
        ("compatibility-map", "---\nname: x\ndescription: b\ncompatibility:\n  a: b\n---\n"),
        ("compatibility-empty", "---\nname: x\ndescription: b\ncompatibility:\n---\n"),
        ("description-list", "---\nname: x\ndescription:\n- a\n---\n"),
        ("description-map", "---\nname: x\ndescription:\n  a: b\n---\n"),
        ("name-list", "---\nname:\n- x\ndescription: d\n---\n"),
        ("lines-plain", "---\nname: x\ndescription: a\n  b\n  c\n---\n"),
        ("lines-plain-out", "---\nname: x\ndescription: a\nb\n---\n"),
        ("lines-below", "---\nname: x\ndescription:\n  a\n  b\n---\n"),
        ("lines-quoted", "---\nname: x\ndescription: \"a\n  b\"\n---\n"),
        ("lines-quoted-out", "---\nname: x\ndescription: \"a\nb\"\n---\n"),
        ("lines-quoted-blank", "---\nname: x\ndescription: \"a\n\n\n  b\"\n---\n"),
        ("comments", "---\nname: x # c\n# d\ndescription: b\n\n\nlicense: c\n---\n"),
        ("comment-tab", "---\nname: x # c\td\ndescription: b\n---\n"),
        ("comment-in-lines", "---\nname: x\ndescription: a\n  # c\n  b\n---\n"),
        ("name-quoted", "---\nname: \"x\"\ndescription: b\n---\n"),
        ("name-blanks", "---\nname: \"  x \"\ndescription: b\n---\n"),
        ("name-lines", "---\nname: x\n  y\ndescription: b\n---\n"),
        ("directive", "---\n%YAML 1.1\nname: x\ndescription: b\n---\n"),
        ("escape-bad", "---\nname: x\ndescription: \"a\\q\"\n---\n"),
        ("escape-nul", "---\nname: x\ndescription: \"a\\0b\"\n---\n"),
        ("escape-wide", "---\nname: x\ndescription: \"\\x41\\u0042\\U00000043\"\n---\n"),
        ("escape-short", "---\nname: x\ndescription: \"\\x4\"\n---\n"),
        ("escape-surrogate", "---\nname: x\ndescription: \"\\ud800\"\n---\n"),
        ("escape-slash", "---\nname: x\ndescription: \"a\\/b\"\n---\n"),
        ("escape-tab", "---\nname: x\ndescription: \"a\\tb\\\tc\"\n---\n"),
        ("escape-newline", "---\nname: x\ndescription: \"a \\\n   b\"\n---\n"),
        ("escape-pair", "---\nname: x\ndescription: \"\\ud83d\\ude00 \\ude00\"\n---\n"),
        ("merge-map", "---\nname: x\ndescription: b\nmetadata:\n  <<:\n    a: b\n---\n"),
        ("equals-key", "---\nname: x\ndescription: b\nmetadata:\n  =: b\n---\n"),
        ("equals-item", "---\nname: x\ndescription: b\nmetadata:\n- =\n---\n"),
        ("merge-item", "---\nname: x\ndescription: b\nmetadata:\n- <<\n---\n"),
        ("lines-quoted-many", "---\nname: x\ndescription: \"a\nb\n\n\tc\n d\"\nlicense: 'e\nf'#g\n---\n"),
        ("lines-quoted-key", "---\nname: x\n\"descr\niption\": d\n---\n"),
        ("lines-quoted-dots", "---\nname: x\ndescription: \"a\n...\nb\"\n---\n"),
        ("quotes-open", "---\nname: x\ndescription: \"b\n---\n"),
        ("quotes-more", "---\nname: x\ndescription: \"a\" b\n---\n"),
        ("quotes-inside", "---\nname: x\ndescription: a \"b\" 'c'\n---\n"),
        ("single-twice", "---\nname: x\ndescription: 'it''s'\n---\n"),
        ("single-once", "---\nname: x\ndescription: 'it's'\n---\n"),
        ("single-comment", "---\nname: x\ndescription: 'a'#b\n---\n"),
        ("tab-line", "---\nname: x\n\tdescription: b\n---\n"),
        ("tab-after-colon", "---\nname:\tx\ndescription: b\n---\n"),
        ("tab-after-blank", "---\nname: \tx\ndescription: b\n---\n"),
        ("tab-end", "---\nname: x\t\ndescription: b\n---\n"),
        ("tab-inside", "---\nname: x\ndescription: a\tb\n---\n"),
        ("tab-blank-line", "---\nname: x\n\t\ndescription: b\n---\n"),
        ("tab-quoted", "---\nname: x\ndescription: \"a\tb\"\n---\n"),
        ("tab-quoted-line", "---\nname: x\ndescription: \"a\n\tb\"\n---\n"),
        ("tab-single", "---\nname: x\ndescription: 'a\tb'\n---\n"),
        ("tab-comment", "---\nname: x\n\t# c\ndescription: b\n---\n"),
        ("tab-continued", "---\nname: x\ndescription: a\n\tb\n---\n"),
        ("tab-after-quotes", "---\nname: \"x\"\t\ndescription: b\n---\n"),
        ("tab-after-pipe", "---\nname: x\ndescription: |\t\n  a\n---\n"),
        ("tab-before-comment", "---\nname: x\t# c\ndescription: b\n---\n"),
        ("nul", "---\nname: x\ndescription: \"a\0b\"\n---\n"),
        ("bell", "---\nname: x\ndescription: a\u{7}b\n---\n"),
        ("bell-in-body", "---\nname: x\ndescription: b\n---\n\u{7}\0\n"),
        ("delete", "---\nname: x\ndescription: a\u{7f}b\n---\n"),
        ("next-line", "---\nname: x\ndescription: a\u{85}b\n---\n"),
        ("next-line-colon", "---\nname: x\ndescription: a\u{85}b: c\n---\n"),
        ("separator", "---\nname: x\ndescription: a\u{2028}b\n---\n"),
        ("no-break", "---\nname: x\ndescription: a\u{a0}b\n---\n"),
        ("mark-inside", "---\nname: x\ndescription: a\u{feff}b\n---\n"),
        ("not-a-character", "---\nname: x\ndescription: a\u{fffe}b\n---\n"),
        ("emoji", "---\nname: x\ndescription: 😀\n---\n"),
        ("body-yaml", "---\nname: x\ndescription: b\n---\nname: y\n---\n[: {\n"),
    ];
    let mut all: Vec<Case> = rows.iter().map(|(id, text)| case(format!("written/{id}"), "x", text)).collect();
    let long = "k".repeat(1100);
    for (id, key) in [("plain", long.clone()), ("quoted", format!("\"{long}\"")), ("fits", "k".repeat(1000))] {
        let text = format!("---\nname: x\ndescription: b\nmetadata:\n  {key}: v\n---\n");
        all.push(case(format!("written/key-long-{id}"), "x", text));
    }
    let bytes: &[u8] = b"---\nname: x\ndescription: a\xffb\n---\n";
    all.push(case("written/not-utf8", "x", bytes));
    all.push(case("written/not-utf8-body", "x", b"---\nname: x\ndescription: a\n---\n\xff\n".as_slice()));
    all
}

/// Everything that means something in YAML, at every kind of place.
fn placed() -> Vec<Case> {
    let marks = [
        ":", ": ", " :", "#", " #", " # ", "-", "- ", "? ", "?", "&a ", "*a", "*a ", "!t ", "!", "|", ">", ">-", "%",
        "@", "`", "{", "}", "{}", "[", "]", "[]", ",", "'", "''", "\"", "\\", "~", "=", "<<", "--", "...", "\n",
        "\n\n", "\n ", "\n  ", " \n", "\u{a0}", "é", "::", "a:b", "a: ", "|-\n  x", "\u{3000}", "\u{200b}",
    ];
    let places: [(&str, &str); 12] = [
        ("first", "---\nname: x\ndescription: @b c\n---\n"),
        ("middle", "---\nname: x\ndescription: b@c\n---\n"),
        ("last", "---\nname: x\ndescription: b@\n---\n"),
        ("alone", "---\nname: x\ndescription: @\n---\n"),
        ("quoted", "---\nname: x\ndescription: \"b@c\"\n---\n"),
        ("single", "---\nname: x\ndescription: 'b@c'\n---\n"),
        ("literal", "---\nname: x\ndescription: |\n  b@c\n---\n"),
        ("line", "---\nname: x\n@\ndescription: b\n---\n"),
        ("before-key", "---\nname: x\n@description: b\n---\n"),
        ("after-key", "---\nname: x\nlicense@: y\ndescription: b\n---\n"),
        ("item", "---\nname: x\ndescription: b\nmetadata:\n- @a\n- b\n---\n"),
        ("value", "---\nname: x\ndescription: b\nmetadata:\n  k: @v\n  l: w\n---\n"),
    ];
    places
        .iter()
        .flat_map(|(place, text)| {
            marks
                .iter()
                .enumerate()
                .map(move |(at, mark)| case(format!("placed/{place}/{at}"), "x", text.replacen('@', mark, 1)))
        })
        .collect()
}
