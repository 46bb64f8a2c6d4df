//! The system or a home, removed or moved as a whole: `rm`, `mv`, `find -delete`, `rsync --delete` and their kin.

use super::Rule;
use super::found::{Choice, Found, names_any, starts};
use super::options::{Options, Valued};
use super::target::Whole;
use super::view::View;
use crate::catalogue::has;
use crate::command::{Command, Piece, Via, Word};
use crate::unwrap::Inner;

pub(super) const RULE: Rule = Rule {
    id: "shell.block.remove",
    key: "shell-block-remove",
    breaks,
    matches: &[
        "rm -rf /",
        "rm -r -f -- /etc/",
        "rm --recur --forc ~",
        "rm -rf $UNSET/",
        "rm -rf \"$HOME\"/*",
        "rm -rf /h*",
        "cd /usr && rm -rf *",
        "rm -rf ../../../../../../../..",
        "mv /usr /tmp/x",
        "mv -t /tmp/x /home",
        "find / -xdev -type f -delete",
        "find ~ -delete",
        "rsync -a --delete empty/ /",
        "tar -cf x.tar --remove-files /etc",
        "shred -u /boot/*",
        "/???/r? -rf /",
    ],
    spares: &[
        "rm -rf build",
        "rm -rf ./build/*",
        "rm -rf -- target/debug",
        "rm -f ./*.o",
        "mv src/etc src/usr",
        "mv build /tmp/x",
        "find . -name '*.pyc' -delete",
        "find ./target -type f -delete",
        "rsync -a --delete src/ out/",
        "echo rm -rf /",
        "git rm -r etc",
        "rm -rf /srv/site/cache/*",
        "rm -rf /var/lib/apt/lists/*",
    ],
};

fn breaks(view: &View<'_>) -> Option<String> {
    let words = view.command.operands();
    if view.program.is_any("rm grm zf_rm") || view.program.name().is_some_and(is_remove_item) {
        return removed(view, words);
    }
    if view.program.is_any("shred srm wipe scrub rimraf trash trash-put rmrf safe-rm") {
        let options = Options::read(words, Valued { short: "ns", long: "iterations size" });
        return whole(view, &options.operands, Breadth::All);
    }
    if view.program.is_any("mv gmv") {
        return moved(view, words);
    }
    if view.program.is("git") {
        return cleaned(view, words);
    }
    if view.program.is_any("find gfind bfs") {
        return found(view);
    }
    if view.program.is_any("gio btrfs") && view.texts().any(|text| matches!(text, "trash" | "remove" | "delete")) {
        return whole(
            view,
            &words.iter().filter(|word| word.prefix().contains('/') || word.literal().is_none()).collect::<Vec<_>>(),
            Breadth::All,
        );
    }
    if view.program.is("rsync") {
        let options = Options::read(words, Valued { short: "efBTM", long: "rsh exclude include filter" });
        let destination = options.operands.get(1..).and_then(<[_]>::last).filter(|_| options.name_begins("del"));
        return whole(view, destination.map(std::slice::from_ref).unwrap_or_default(), Breadth::All);
    }
    if view.program.is_any("tar bsdtar gtar") && view.texts().any(|text| text.starts_with("--remove-f")) {
        let options = Options::read(words, Valued { short: "fCTX", long: "file directory" });
        return whole(view, &options.operands, Breadth::All);
    }
    if view.program.is("zip")
        && view.texts().any(|text| text == "--move" || (text.starts_with('-') && text.contains('m')))
    {
        return whole(view, &words.iter().collect::<Vec<_>>(), Breadth::All);
    }
    None
}

/// Which wholes count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Breadth {
    All,
    SystemOnly,
}

fn whole<'a>(view: &View<'_>, words: &[&'a Word], breadth: Breadth) -> Option<String> {
    let lost = |word: &&&'a Word| match view.target(word).and_then(|target| target.whole(view.surroundings)) {
        Some(Whole::System) => true,
        Some(Whole::Home) => breadth == Breadth::All,
        None => false,
    };
    words.iter().find(lost).map(|word| shown(word))
}

fn shown(word: &Word) -> String {
    match word.to_string() {
        text if text.is_empty() => "''".to_owned(),
        text => text,
    }
}

fn removed(view: &View<'_>, words: &[Word]) -> Option<String> {
    let options = Options::read(words, Valued::default());
    let each = view.command.via.iter().any(|via| matches!(via, Via::Each(_)));
    let recursive = options.letter('r') || options.letter('R') || options.name("recursive") || options.doubtful || each;
    // What `find` finds is judged where `find` is: there its filters are seen.
    let by_find =
        view.command.via.iter().any(|via| matches!(via, Via::Each(name) if name == "find" || name == "gfind"));
    let operands: Vec<&Word> = options.operands.iter().copied().filter(|word| !(by_find && word.has_glob())).collect();
    whole(view, &operands, if recursive { Breadth::All } else { Breadth::SystemOnly })
}

/// PowerShell's own name, in any case; its `-Recurse` reads as a cluster with an `r` in it.
fn is_remove_item(name: &str) -> bool {
    name.eq_ignore_ascii_case("Remove-Item")
}

/// `git clean` where everything below is not tracked.
fn cleaned(view: &View<'_>, words: &[Word]) -> Option<String> {
    let at = words.iter().position(|word| word.literal() == Some("clean"))?;
    let (before, after) = words.split_at_checked(at)?;
    let options = Options::read(after.get(1..).unwrap_or_default(), Valued { short: "e", long: "exclude" });
    let forced = options.letter('f') || options.name("force");
    if !forced || options.letter('n') || options.name("dry-run") || !options.letter('d') {
        return None;
    }
    let here = Word::text(".");
    let mut root = &here;
    let glued: Vec<Word> =
        before.iter().filter_map(|word| word.prefix().strip_prefix("--work-tree=").map(Word::text)).collect();
    for pair in before.windows(2) {
        if let [option, value] = pair
            && matches!(option.literal(), Some("-C" | "--work-tree"))
        {
            root = value;
        }
    }
    whole(view, &[glued.last().unwrap_or(root)], Breadth::All)
}

fn moved(view: &View<'_>, words: &[Word]) -> Option<String> {
    let options = Options::read(words, Valued { short: "tS", long: "target-directory suffix" });
    let into = options.values('t', "target-directory").next().is_some();
    let sources = match options.operands.split_last() {
        _ if into => options.operands.as_slice(),
        Some((_, sources)) => sources,
        None => return None,
    };
    whole(view, sources, Breadth::All)
}

const REMOVERS: &str = "rm shred unlink mv srm wipe rimraf trash trash-put";

fn found(view: &View<'_>) -> Option<String> {
    let found = Found::read(view.command.operands());
    if let Some(inner) = executed(view, found.tests) {
        return Some(inner);
    }
    let breadth = match found.choice() {
        Choice::ByName => return None,
        Choice::ByAge => Breadth::SystemOnly,
        Choice::All => Breadth::All,
    };
    let here = Word::text(".");
    let roots: Vec<&Word> = if found.roots.is_empty() { vec![&here] } else { found.roots.iter().collect() };
    let lost = whole(view, &roots, breadth)?;
    let removes = |inner: &Inner| match inner {
        Inner::Command(inner) => {
            inner.program().is_some_and(|program| has(REMOVERS, program))
                || inner.operands().iter().any(removes_in_code)
        }
        Inner::Script(script) => names_any(&script.text, REMOVERS),
    };
    (found.has("-delete") || starts(view.command, view.surroundings, &removes)).then_some(lost)
}

/// Whether a word is code that calls something which removes.
fn removes_in_code(word: &Word) -> bool {
    const CALLS: &str = "unlink rmtree rm_rf os.remove rmSync removeSync";
    word.literal().is_some_and(|text| text.contains([' ', '(']) && CALLS.split(' ').any(|call| text.contains(call)))
}

/// What `-exec` would remove by its own words, whatever is found.
fn executed(view: &View<'_>, tests: &[Word]) -> Option<String> {
    for (at, word) in tests.iter().enumerate() {
        let Some("-exec" | "-execdir" | "-ok" | "-okdir") = word.literal() else { continue };
        let words = tests.get(at + 1..).unwrap_or_default();
        let end = words.iter().position(|word| matches!(word.literal(), Some(";" | "+"))).unwrap_or(words.len());
        let own = words.get(..end).unwrap_or_default().iter();
        let own: Vec<Word> = own.filter(|word| !has_braces(word)).cloned().collect();
        let Some(program) = own.first().and_then(Word::literal) else { continue };
        if matches!(program.rsplit('/').next(), Some("rm" | "shred" | "srm")) {
            let command = Command { words: own, ..view.command.clone() };
            let inner = View { command: &command, ..*view };
            if let Some(what) = removed(&inner, command.operands()) {
                return Some(what);
            }
        }
    }
    None
}

fn has_braces(word: &Word) -> bool {
    word.pieces.iter().any(|piece| matches!(piece, Piece::Text(text) if text.contains("{}")))
}
