//! Python's tools, also behind `python -m` and the runners of environments.

use super::super::options::Style;
use super::super::refusal::Refusal;
use super::super::row::{Answer, Family, Operands::*, Row, Seen};
use super::super::tables;
use super::{package, runs_tool, text_of};
use crate::catalogue::has;
use crate::command::Word;
use crate::verdict::Class;

const PYTEST: &str = "-vqxslhV -k= -m= -r= -n= -W= -p= --version --help --verbose --quiet --exitfirst --lf \
    --last-failed --ff --failed-first --nf --new-first --sw --stepwise --stepwise-skip --co --collect-only \
    --no-header --no-summary --showlocals --no-showlocals --disable-warnings --disable-pytest-warnings \
    --strict-markers --strict-config --strict --durations= --durations-min= --maxfail= --tb= --numprocesses= --dist= \
    --cov[=]name --cov-report=rev --cov-append --cov-branch --cov-fail-under= --no-cov --no-cov-on-fail \
    --cov-context= --timeout= --timeout-method= --color= --junitxml=name --junit-xml=name --junit-prefix= \
    --ignore=name --ignore-glob= --deselect= --import-mode= --rootdir=name --confcutdir=name --capture= --count= \
    --reruns= --reruns-delay= --randomly-seed= --asyncio-mode= --setup-show --setup-only --setup-plan --fixtures \
    --fixtures-per-test --funcargs --markers --runxfail --cache-show[=] --cache-clear --keep-duplicates --noconftest \
    --doctest-modules --doctest-glob= --no-migrations --reuse-db --create-db --snapshot-update --log-level= \
    --log-cli-level= --show-capture= --verbosity= --full-trace --exitfirst --maxprocesses= --ds= --testmon \
    --hypothesis-seed= --benchmark-skip --benchmark-only --benchmark-disable --no-testmon --force-sugar --sugar \
    --assert= --force-short-summary !-c !--config-file !-o !--override-ini !--basetemp !--pdb !--pdbcls !--trace \
    !--pyargs !--pastebin !--log-file !--debug !--inifile !--cov-config !--html !--rsyncdir !--tx !-d";

/// Programs without subcommands.
pub(in super::super) const ROWS: &[Row] = &[
    Row::dev("pytest py.test", PYTEST).check(pytest),
    Row::dev(
        "unittest",
        "-vqfbch -k= -s=name -p= -t=name --verbose --quiet --failfast --catch --buffer --locals --durations= \
         --start-directory=name --pattern= --top-level-directory=name",
    ),
    Row::dev(
        "mypy dmypy",
        "-hvV -p= -m= -c= --strict --ignore-missing-imports --pretty --python-version= --platform= \
         --config-file=read --package= --module= --command= --exclude= --cache-dir=name --incremental \
         --namespace-packages --follow-imports= --explicit-package-bases --check-untyped-defs --disallow-* \
         --allow-* --warn-* --no-* --show-* --hide-* --strict-* --enable-error-code= --disable-error-code= \
         --error-summary --color-output --sqlite-cache --implicit-optional --extra-checks --version --help \
         --verbose --always-true= --always-false= --non-interactive --junit-xml=name --fast-module-lookup \
         --exclude-gitignore --output= !--install-types !--python-executable !--custom-typeshed-dir \
         !--shadow-file !--dump-graph !--pdb !--any-exprs-report !--html-report !--txt-report \
         !--cobertura-xml-report",
    ),
    Row::dev(
        "black",
        "-qvSC -W= -l= -t= -c= -h --check --diff --color --no-color --quiet --verbose --line-length= \
         --target-version= --code= --skip-string-normalization --skip-magic-trailing-comma --fast --safe \
         --include= --exclude= --extend-exclude= --force-exclude= --config=read --preview --unstable --workers= \
         --pyi --ipynb --stdin-filename=name --no-cache --required-version= --line-ranges= --help --version",
    ),
    Row::dev(
        "flake8 pycodestyle pyflakes pydocstyle",
        "-qv -j= --select= --ignore= --extend-ignore= --extend-select= --max-line-length= --max-complexity= \
         --exclude= --extend-exclude= --per-file-ignores= --count --statistics --show-source --format= --jobs= \
         --isolated --quiet --verbose --filename= --exit-zero --color= --doctests !--config !--append-config \
         !--output-file !--tee !--enable-extensions",
    ),
    Row::dev(
        "pylint",
        "-rn -j= -d= -e= --disable= --enable= --errors-only -E --jobs= --output-format= --reports= --score= \
         --recursive= --ignore= --ignore-patterns= --max-line-length= --fail-under= --fail-on= --py-version= \
         !--init-hook !--load-plugins !--rcfile !--output !--plugins",
    ),
    Row::dev(
        "isort",
        "-cqv -m= -l= -w= --check --check-only --diff --quiet --verbose --profile= --line-length= --skip= \
         --skip-glob= --multi-line= --color --stdout --atomic --float-to-top --recursive -rc !--settings-path \
         !--settings-file !--config-root",
    ),
    Row::dev(
        "pyright basedpyright",
        "-p=read --project=read --level= --outputjson --pythonversion= --pythonplatform= --stats --warnings \
         --verbose --threads[=] --skipunannotated !-w !--watch !--pythonpath !--venvpath !--createstub",
    ),
    Row::dev(
        "bandit vulture codespell interrogate radon",
        "-rqliv -s= --recursive --quiet --severity-level= --confidence-level= --min-confidence= --exclude= -x= \
         --skip=",
    ),
    Row::dev(
        "tox",
        "-qvrpl -e= --env= --recreate --parallel[=] --listenvs --skip-missing-interpreters[=] -s[=] -f= !-c \
         !--conf !--workdir !-x !--override !--root !--installpkg !--force-dep",
    )
    .check(no_arguments),
    Row::dev(
        "nox",
        "-lRrxv -s= -e= -k= -t= -p= --session= --sessions= --keywords= --tags= --list \
         --reuse-existing-virtualenvs --no-install --stop-on-first-error !-f !--noxfile !--envdir",
    )
    .check(no_arguments),
    Row::dev("python python3", "").style(Style::Raw).takes(Text).check(module),
    Row::dev("py_compile compileall", "-qf"),
];

const RUFF: &str = "-qvse --select= --ignore= --extend-select= --extend-ignore= --line-length= --target-version= \
    --output-format= --statistics --show-fixes --show-source --quiet --silent --verbose --exit-zero \
    --exit-non-zero-on-fix --no-cache -n --preview --no-preview --isolated --exclude= --extend-exclude= \
    --per-file-ignores= --config=read --cache-dir=name --diff --check --fix --no-fix --unsafe-fixes --no-unsafe-fixes \
    --fix-only --fixable= --unfixable= --force-exclude --respect-gitignore --stdin-filename=name --show-files \
    --show-settings --color= --range= --add-noqa !-w !--watch !-o !--output-file";

const RUFF_ROWS: &[Row] = &[
    Row::dev("check|format", RUFF),
    Row::safe("rule|linter|config|version", "--all --output-format=").takes(Text),
    Row::dev(".|src|tests", RUFF),
];

const PIP: &str = "-qvU --quiet --verbose --upgrade --no-deps --no-cache-dir --pre --force-reinstall --dry-run \
    --no-input --disable-pip-version-check --no-color --progress-bar= --upgrade-strategy= --only-binary= --no-binary= \
    --no-build-isolation --require-hashes --prefer-binary --retries= --timeout= --no-warn-script-location --no-clean \
    --ignore-installed --require-virtualenv";

const PIP_ROWS: &[Row] = &[
    Row::dev(
        "install",
        "-r=read -c=read -e= --requirement=read --constraint=read --editable= !-t !--target !--prefix !--root !-i \
         !--user !--index-url !--extra-index-url !-f !--find-links !--trusted-host !--global-option \
         !--config-settings !--python !--break-system-packages !--proxy !--cert !--src !--install-option \
         !--isolated !--no-index !--log !--report",
    )
    .with(PIP)
    .takes(Text)
    .check(pip_install),
    Row::safe(
        "list",
        "-lqv --local --format= --not-required --exclude= --editable -e --path=name --disable-pip-version-check \
         !-o !--outdated !-u !--uptodate !-i !--index-url !--log",
    )
    .takes(Nothing),
    Row::safe("show", "-fqv --files --verbose --disable-pip-version-check").takes(Text),
    Row::safe("freeze", "-lqv -r=read --local --all --exclude= --exclude-editable --requirement=read --path=name")
        .takes(Nothing),
    Row::safe("check", "-qv --disable-pip-version-check").takes(Nothing),
];

const COVERAGE: &[Row] = &[
    Row::dev("run", "").style(Style::Raw).takes(Text).check(coverage_run),
    Row::dev(
        "report|html|xml|json|lcov|combine|erase",
        "-miq --show-missing --skip-covered --skip-empty --fail-under= --include= --omit= --precision= --sort= \
         --format= --append -a --keep --quiet --data-file=name -d=name -o=name --directory=name --ignore-errors \
         --contexts= --title= --pretty-print !--rcfile",
    ),
];

const RUNNERS: &[Row] =
    &[Row::dev("run", "").style(Style::Raw).takes(Text).check(runs_tool), Row::dev("check", "-q").takes(Nothing)];

const UV: &[Row] = &[
    Row::dev("run", "").style(Style::Raw).takes(Text).check(runs_tool),
    Row::safe("pip list|pip freeze|pip check|pip show", "-q --quiet --format=").takes(Text),
    Row::dev("tree", "-q --depth= --frozen --locked").takes(Nothing),
];

/// Programs with subcommands.
pub(in super::super) const FAMILIES: &[Family] = &[
    Family::new("ruff", &[RUFF_ROWS]).globals("-qvs --quiet --verbose --silent --isolated"),
    Family::new("pip pip3", &[PIP_ROWS])
        .globals("-qv --quiet --verbose --disable-pip-version-check --no-color --no-input --no-cache-dir"),
    Family::new("coverage", &[COVERAGE]),
    Family::new("poetry pipenv pdm hatch", &[RUNNERS]),
    Family::new("uv", &[UV]),
];

/// `-p` loads a plugin, unless it says `no:`.
fn pytest(seen: &Seen<'_>) -> Answer {
    match seen.given.values("-p").find(|word| !word.prefix().starts_with("no:")) {
        Some(word) => Err(Refusal::HarmfulOption(seen.program.to_owned(), format!("-p {word}"))),
        None => Ok(Class::Dev),
    }
}

/// What stands behind `--` may be anything that the sessions run.
fn no_arguments(seen: &Seen<'_>) -> Answer {
    match seen.given.operands.first() {
        Some(word) => Err(Refusal::Operand(seen.program.to_owned(), word.to_string())),
        None => Ok(Class::Dev),
    }
}

/// `python -m pytest`: only modules that are tools, with the rules of the tool.
fn module(seen: &Seen<'_>) -> Answer {
    const TOOLS: &str = "pytest unittest mypy ruff black coverage flake8 pylint isort pip tox nox pyright py_compile \
        compileall bandit pycodestyle pyflakes pydocstyle vulture";
    const FLAGS: &str = "-B -u -s -E -I -O -q -b -bb";
    let words = seen.given.operands.as_slice();
    let flags = words.iter().take_while(|word| word.literal().is_some_and(|text| has(FLAGS, text))).count();
    let rest = words.get(flags..).unwrap_or_default();
    match rest {
        [dash_m, name, ..] if dash_m.literal() == Some("-m") && has(TOOLS, text_of(Some(name))) => {
            tables::judge_inner(rest.get(1..).unwrap_or_default(), seen.place, seen.depth)
        }
        [first, ..] => Err(Refusal::Operand(seen.program.to_owned(), first.to_string())),
        [] => Err(Refusal::NoInput(seen.program.to_owned())),
    }
}

/// A script would run like any other; a test runner is one of the tools.
fn coverage_run(seen: &Seen<'_>) -> Answer {
    const FLAGS: &str = "--branch -a --append -p --parallel-mode";
    let plain = |word: &&Word| {
        let text = text_of(Some(word));
        has(FLAGS, text) || text.strip_prefix("--source=").is_some_and(super::plain_value)
    };
    let words = seen.given.operands.as_slice();
    let rest = words.get(words.iter().take_while(plain).count()..).unwrap_or_default();
    match rest {
        [dash_m, tool, ..]
            if dash_m.literal() == Some("-m") && matches!(text_of(Some(tool)), "pytest" | "unittest") =>
        {
            tables::judge_inner(rest.get(1..).unwrap_or_default(), seen.place, seen.depth)
        }
        other => {
            Err(Refusal::Operand(seen.program.to_owned(), other.first().map(ToString::to_string).unwrap_or_default()))
        }
    }
}

/// Packages by name, or the project itself.
fn pip_install(seen: &Seen<'_>) -> Answer {
    let own = |text: &str| {
        let path = text.split('[').next().unwrap_or(text);
        path == "." || path.starts_with("./")
    };
    let refuse = |word: &Word| Err(Refusal::Operand(seen.program.to_owned(), word.to_string()));
    for word in seen.given.values("-e --editable") {
        if !own(text_of(Some(word))) {
            return refuse(word);
        }
        seen.place.names(word)?;
    }
    for word in &seen.given.operands {
        match word.literal() {
            Some(text) if own(text) => seen.place.names(word)?,
            Some(text) if package(text) => {}
            _ => return refuse(word),
        }
    }
    Ok(Class::Dev)
}
