"""How much of a page's main text comes through, and how much else: our reading beside two other extractors.

Run by hand, in a folder where `pip install lxml trafilatura readability-lxml lxml_html_clean` and
`npm install @mozilla/readability turndown turndown-plugin-gfm jsdom` were run:

    measure.py expected            writes what each page of tests/data/pages is expected to hold, by the rules below
    measure.py compare OURS        OURS holds our reading, NAME.md, written by
                                   PALANCA_PAGES=OURS cargo test -p palanca-tools -- --ignored pages_are_written

The rules name, for each page, the elements that are its main text and those inside them that are not. They were written
by reading the pages, not by running an extractor. A word is counted as often as it occurs; addresses of links are not words.
"""

import collections
import pathlib
import re
import subprocess
import sys

PAGES = pathlib.Path(__file__).parents[2] / "tests/data/pages"
SIGNS = "//a[@class='headerlink' or @class='permalink' or @class='mark' or @class='id_link' or @class='anchor' or @class='doc-anchor']"
RULES = {
    "apache": (["//div[@id='page-content']"], ["//div[@class='toplang']", "//div[@id='quickview']", "//*[@class='top']", "//a[@class='permalink']"]),
    "apache-module": (["//div[@id='page-content']"], ["//div[@class='toplang']", "//div[@id='quickview']", "//*[@class='top']", "//a[@class='permalink']"]),
    "doxygen": (["//div[@class='headertitle']", "//div[@class='contents']"], ["//span[@class='permalink']"]),
    "expat": (["//body/div[1]", "//div[@class='content']"], ["//h2[text()='Table of Contents']", "//h2[text()='Table of Contents']/following-sibling::ul[1]"]),
    "javadoc": (["//main"], []),
    "libxslt": (["(//td[contains(.,'There is a number of language bindings')])[last()]", "//body/table[1]//h2"], []),
    "mdbook": (["//main"], []),
    "nodejs": (["//div[@id='apicontent']"], ["//a[@class='mark']", "//input", "//button"]),
    "postgresql": (["//div[@class='refentry']"], ["//a[@class='id_link']"]),
    "postgresql-index": (["//div[@class='book']"], ["//a[@class='id_link']"]),
    "postgresql-long": (["//div[@class='sect1']"], ["//div[@class='toc']", "//a[@class='id_link']"]),
    "rustdoc": (["//section[@id='main-content']"], ["//span[@class='rustdoc-breadcrumbs']", "//button", "//summary[@class='hideme']", "//a[@class='anchor' or @class='doc-anchor']", "//a[@class='tooltip']", "//rustdoc-toolbar"]),
    "sphinx": (["//div[@role='main']"], ["//a[@class='headerlink']"]),
    "sphinx-theme": (["//div[@role='main']"], ["//a[@class='headerlink']"]),
    "sqlite": (["//div[@class='fancy']"], ["//div[@class='fancy_toc']"]),
}
NODE = """
const {JSDOM} = require('jsdom'); const {Readability} = require('@mozilla/readability');
const Turndown = require('turndown'); const {gfm} = require('turndown-plugin-gfm');
const dom = new JSDOM(require('fs').readFileSync(process.argv[1]), {url: 'https://example.org/page.html'});
const article = new Readability(dom.window.document).parse();
const turndown = new Turndown({headingStyle: 'atx', codeBlockStyle: 'fenced'}); turndown.use(gfm);
process.stdout.write(article ? '# ' + (article.title || '') + '\\n' + turndown.turndown(article.content) : '');
"""


def words(text):
    text = re.sub(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(<?[^)\s]*>?(?: \"[^\"]*\")?\)", r"\2", text)
    text = re.sub(r"<https?://[^>]*>", "", text)
    # Some writers escape what markdown could take for a mark.
    text = re.sub(r"\\([\\`*_{}\[\]()#+\-.!>|~])", r"\1", text)
    return collections.Counter(re.findall(r"\w+", text.lower()))


def decoded(path):
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return path.read_text(encoding="iso-8859-1")


def expected(name):
    import lxml.html

    raw = decoded(PAGES / f"{name}.html").encode()
    page = lxml.html.document_fromstring(raw, parser=lxml.html.HTMLParser(encoding="utf-8"))
    mains, others = RULES[name]
    for rule in ["//script", "//style", "//noscript", "//template", *others]:
        for element in page.xpath(rule):
            element.drop_tree()
    parts = []
    for rule in mains:
        found = page.xpath(rule)
        assert found, (name, rule)
        for element in found:
            for inner in element.iter():
                if inner.tag in ("br", "p", "div", "li", "td", "th", "tr", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "dt", "dd", "section", "table", "ul", "ol", "dl", "summary", "details"):
                    inner.tail = "\n" + (inner.tail or "")
                    inner.text = "\n" + (inner.text or "") if inner.tag != "br" else inner.text
            lines = (" ".join(line.split()) for line in element.text_content().splitlines())
            parts.append("\n".join(line for line in lines if line))
    return "\n".join(parts) + "\n"


def peers(path):
    import readability
    import trafilatura

    html = decoded(path)
    summary = readability.Document(html)
    import lxml.html

    article = lxml.html.document_fromstring(summary.summary() or "<p></p>")
    for inner in article.iter():
        inner.tail = " " + (inner.tail or "")
    yield "readability-lxml", (summary.title() or "") + "\n" + article.text_content()
    yield "trafilatura", trafilatura.extract(html, output_format="markdown", include_links=True, include_tables=True) or ""
    run = subprocess.run(["node", "-e", NODE, str(path)], capture_output=True, text=True, check=True)
    yield "@mozilla/readability + turndown", run.stdout


def score(wanted, got):
    common = sum((wanted & got).values())
    return common / max(1, sum(wanted.values())), 1 - common / max(1, sum(got.values()))


def main():
    if sys.argv[1:2] == ["expected"]:
        for name in RULES:
            (PAGES / f"{name}.txt").write_text(expected(name), encoding="utf-8")
        return
    ours = pathlib.Path(sys.argv[2])
    table = collections.defaultdict(dict)
    for name in RULES:
        wanted = words((PAGES / f"{name}.txt").read_text(encoding="utf-8"))
        path = PAGES / f"{name}.html"
        readings = [("palanca", (ours / f"{name}.md").read_text(encoding="utf-8")), *peers(path)]
        for tool, text in readings:
            table[tool][name] = score(wanted, words(text))
    tools = list(table)
    print("| page | " + " | ".join(tools) + " |")
    print("|---" * (len(tools) + 1) + "|")
    cell = lambda pair: f"{pair[0] * 100:.1f} / {pair[1] * 100:.1f}"
    for name in RULES:
        print(f"| {name} | " + " | ".join(cell(table[tool][name]) for tool in tools) + " |")
    mean = lambda tool, at: sum(pair[at] for pair in table[tool].values()) / len(RULES)
    print("| **mean** | " + " | ".join(cell((mean(tool, 0), mean(tool, 1))) for tool in tools) + " |")


main()
