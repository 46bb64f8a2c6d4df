//! Development tools run the project's own code, so they are never safe. What they must not be told is to run other
//! programs, to work elsewhere, to install from anywhere or to rewrite files unasked.

use super::refusal::Refusal;
use super::row::{Answer, Seen};
use super::tables;
use crate::catalogue::has;
use crate::command::Word;
use crate::verdict::Class;

/// A runner (`uv run`, `bundle exec`): what it runs must be a development tool itself.
pub(super) fn runs_tool(seen: &Seen<'_>) -> Answer {
    let class = tables::judge_inner(&seen.given.operands, seen.place, seen.depth)?;
    Ok(class.max(Class::Dev))
}

/// Names of packages.
pub(super) fn packages(seen: &Seen<'_>) -> Answer {
    seen.all(package)
}

/// A name as package registries have them, with a scope, extras or a version, and no address.
fn package(text: &str) -> bool {
    let name = text.strip_prefix('@').unwrap_or(text);
    let scoped = text.starts_with('@');
    let slashes = name.matches('/').count();
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.@/~^<>=!*+,[] |".contains(letter);
    let begins = name.starts_with(|letter: char| letter.is_ascii_alphanumeric());
    begins
        && slashes == usize::from(scoped)
        && name.chars().all(allowed)
        && !name.contains(" @")
        && !name.contains("@ ")
}

/// A word that no shell, linker or interpreter would take for more than a name or a number.
pub(super) fn plain_value(text: &str) -> bool {
    text.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-.,:+".contains(letter))
}

/// `NAME=value`; a name alone has an empty value.
fn pair(text: &str) -> (&str, &str) {
    text.split_once('=').unwrap_or((text, ""))
}

fn text_of(word: &Word) -> &str {
    word.literal().unwrap_or_default()
}

/// What stands behind `--` goes to the test binary, the compiler or the formatter.
pub(super) fn arguments(seen: &Seen<'_>) -> Answer {
    const HARMFUL: &str = "linker --fix --logfile --config codegen -C -Z -o --emit --out-dir";
    let passed = seen.given.operands.iter().skip(seen.given.dashes.unwrap_or(usize::MAX)).map(ToString::to_string);
    match passed.into_iter().find(|text| HARMFUL.split(' ').any(|harmful| text.contains(harmful))) {
        Some(text) => Err(Refusal::HarmfulOption(seen.program.to_owned(), text)),
        None => Ok(seen.class),
    }
}

/// Flags for go's linker may name another linker.
pub(super) fn linker(seen: &Seen<'_>) -> Answer {
    seen.values("-ldflags", |flags| !flags.contains("ext"))
}

/// `go env` sets what has a value.
pub(super) fn shows(seen: &Seen<'_>) -> Answer {
    seen.all(|text| !text.contains('='))
}

/// Phases, the goals of plug-ins that only look, and properties that skip, choose or only inform; others may name a program
/// to run.
pub(super) fn maven(seen: &Seen<'_>) -> Answer {
    const GOALS: &str = "validate initialize generate-sources compile process-classes test-compile test package verify \
        integration-test install clean dependency:tree dependency:list dependency:analyze checkstyle:check \
        spotless:check spotbugs:check pmd:check surefire:test failsafe:verify";
    const NAMES: &str = "skipTests skipITs skip.tests maven.test.skip test it.test groups excludedGroups style.color \
        failIfNoTests surefire.failIfNoSpecifiedTests maven.test.failure.ignore checkstyle.skip \
        maven.javadoc.skip enforcer.skip jacoco.skip spotless.check.skip revision maven.compiler.source \
        maven.compiler.target maven.compiler.release trimStackTrace surefire.useFile includes verbose";
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.,:+#*!$".contains(letter);
    seen.values("-D --define", |text| has(NAMES, pair(text).0) && pair(text).1.chars().all(plain))?;
    seen.all(|goal| has(GOALS, goal))
}

/// Tasks by name, in any project of the build.
pub(super) fn gradle(seen: &Seen<'_>) -> Answer {
    const TASKS: &str = "test build check assemble compileJava compileTestJava compileKotlin compileTestKotlin classes \
        testClasses jar clean tasks dependencies projects properties lint detekt ktlintCheck \
        spotlessCheck checkstyleMain integrationTest javadoc assembleDebug testDebugUnitTest lintDebug \
        dependencyInsight help jacocoTestReport spotbugsMain pmdMain bootJar war";
    seen.values("-P --project-prop", |text| plain_value(&text.replacen('=', "", 1)))?;
    seen.all(|task| has(TASKS, task.rsplit(':').next().unwrap_or(task)))
}

/// Targets by name; a variable must not name a program, a path or flags.
pub(super) fn make(seen: &Seen<'_>) -> Answer {
    const PROGRAMS: &str = "SHELL CC CXX CPP LD AR AS MAKE MAKEFLAGS MAKEFILES PYTHON NODE RM INSTALL CARGO GO RUSTC \
        DOCKER NPM CMD COMMAND EXEC RUN RUNNER PREFIX DESTDIR VPATH";
    let harmless = |word: &&Word| {
        text_of(word).split_once('=').is_none_or(|(name, value)| {
            let name = name.trim_end_matches([':', '?', '+']);
            let harmful = has(PROGRAMS, name) || name.ends_with("FLAGS") || name.starts_with('.');
            !harmful && plain_value(name) && plain_value(value)
        })
    };
    match seen.given.operands.iter().find(|word| !harmless(word)) {
        Some(word) => Err(seen.refused(word)),
        None => Ok(seen.class),
    }
}

/// A cache entry must not name a program or flags.
pub(super) fn cmake(seen: &Seen<'_>) -> Answer {
    const NAMES: &str =
        "CMAKE_BUILD_TYPE BUILD_TESTING BUILD_SHARED_LIBS CMAKE_EXPORT_COMPILE_COMMANDS CMAKE_CXX_STANDARD";
    let known = |name: &str| has(NAMES, name.split(':').next().unwrap_or(name));
    seen.values("-D", |text| known(pair(text).0) && plain_value(pair(text).1))
}

/// `@file` is read as more options.
pub(super) fn no_response_file(seen: &Seen<'_>) -> Answer {
    seen.all(|text| !text.starts_with('@'))
}

/// A formatter that is not built in is code from a path.
pub(super) fn eslint(seen: &Seen<'_>) -> Answer {
    const BUILT_IN: &str = "stylish json html compact unix junit json-with-metadata checkstyle tap visualstudio";
    seen.values("-f --format", |name| has(BUILT_IN, name))
}

/// `bun run x` runs the script of that name, `bun run x.ts` any file.
pub(super) fn bun_script(seen: &Seen<'_>) -> Answer {
    let script = seen.given.operands.first().cloned().unwrap_or_default();
    match script.literal() {
        Some(name) if !name.is_empty() && !name.contains(['.', '/']) && name != "-" => Ok(seen.class),
        _ => Err(seen.refused(&script)),
    }
}

/// `-p` loads a plugin, unless it says `no:`.
pub(super) fn pytest(seen: &Seen<'_>) -> Answer {
    seen.values("-p", |plugin| plugin.starts_with("no:"))
}

/// `python -m pytest`: only modules that are tools, with the rules of the tool.
pub(super) fn module(seen: &Seen<'_>) -> Answer {
    const TOOLS: &str = "pytest unittest mypy ruff black coverage flake8 pylint isort pip tox nox pyright py_compile \
        compileall bandit pycodestyle pyflakes pydocstyle vulture";
    const FLAGS: &str = "-B -u -s -E -I -P -O -q -b -bb";
    runs_module(seen, |flag| has(FLAGS, flag), TOOLS)
}

/// A script would run like any other; a test runner is one of the tools.
pub(super) fn coverage_run(seen: &Seen<'_>) -> Answer {
    const FLAGS: &str = "--branch -a --append -p --parallel-mode";
    runs_module(
        seen,
        |flag| has(FLAGS, flag) || flag.strip_prefix("--source=").is_some_and(plain_value),
        "pytest unittest",
    )
}

fn runs_module(seen: &Seen<'_>, is_flag: impl Fn(&str) -> bool, tools: &str) -> Answer {
    let words = seen.given.operands.as_ref();
    let flags = words.iter().take_while(|word| word.literal().is_some_and(&is_flag)).count();
    match words.get(flags..).unwrap_or_default() {
        [dash_m, tool @ ..]
            if text_of(dash_m) == "-m" && tool.first().is_some_and(|name| has(tools, text_of(name))) =>
        {
            tables::judge_inner(tool, seen.place, seen.depth)
        }
        [first, ..] => Err(seen.refused(first)),
        [] => Err(Refusal::NoInput(seen.program.to_owned())),
    }
}

/// Packages by name, or the project itself.
pub(super) fn pip_install(seen: &Seen<'_>) -> Answer {
    let own = |text: &str| {
        let path = text.split('[').next().unwrap_or(text);
        path == "." || path.starts_with("./")
    };
    let editable = seen.given.values("-e --editable").map(|word| (word, false));
    for (word, by_name) in editable.chain(seen.given.operands.iter().map(|word| (word, true))) {
        match text_of(word) {
            text if own(text) => seen.place.names(word)?,
            text if by_name && package(text) => {}
            _ => return Err(seen.refused(word)),
        }
    }
    Ok(seen.class)
}
