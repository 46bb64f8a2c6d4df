//! The system or a home, removed or moved as a whole: `rm`, `mv`, `find -delete`, `rsync --delete` and their kin.

use super::found::{Choice, Found, names_any, starts};
use super::options::Options;
use super::target::Whole;
use super::view::View;
use crate::catalogue::{given, has};
use crate::command::Word;
use crate::unwrap::Inner;

pub(super) fn breaks(view: &View<'_>) -> Option<String> {
    let words = view.command.operands();
    let all = |operands: &[&Word]| whole(view, operands, Breadth::All);
    let told = |start: &str| view.texts().any(|text| text.starts_with(start));
    if view.program.is_any("rm grm zf_rm") || view.program.name().is_some_and(is_remove_item) {
        removed(view, words)
    } else if view.program.is_any("shred srm wipe scrub rimraf trash trash-put rmrf safe-rm") {
        all(&Options::read(words, "n s iterations size").operands)
    } else if view.program.is_any("mv gmv") {
        moved(view, words)
    } else if view.program.is("git") {
        cleaned(view, words)
    } else if view.program.is_any("find gfind bfs") {
        found(view)
    } else if view.program.is_any("gio btrfs") && (told("trash") || told("remove") || told("delete")) {
        let is_place = |word: &&Word| word.prefix().contains('/') || word.literal().is_none();
        all(&words.iter().filter(is_place).collect::<Vec<_>>())
    } else if view.program.is("rsync") {
        let options = Options::read(words, "e f B T M rsh exclude include filter");
        let into = options.operands.iter().skip(1).last().filter(|_| options.has_begun("del"));
        into.and_then(|into| all(&[*into]))
    } else if view.program.is_any("tar bsdtar gtar") && told("--remove-f") {
        all(&Options::read(words, "f C T X file directory").operands)
    } else if view.program.is("zip") && view.texts().any(|text| given(text, "--move -m")) {
        all(&words.iter().collect::<Vec<_>>())
    } else {
        None
    }
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
    let options = Options::read(words, "");
    let recursive = options.has("r R recursive") || options.doubtful || view.is_each();
    let operands: Vec<&Word> =
        options.operands.iter().copied().filter(|word| !(view.is_found() && word.has_glob())).collect();
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
    let options = Options::read(after.get(1..).unwrap_or_default(), "e exclude");
    if !options.has("f force") || options.has("n dry-run") || !options.has("d") {
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
    let options = Options::read(words, "t S target-directory suffix");
    let into = options.has("t target-directory");
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
