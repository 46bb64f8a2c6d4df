//! npm, yarn, pnpm, bun and the tools of JavaScript and TypeScript.

use super::super::refusal::Refusal;
use super::super::row::{Answer, Family, Operands::*, Row, Seen};
use super::{all, package, runs_tool};
use crate::catalogue::has;
use crate::command::Word;
use crate::verdict::Class;

/// npm takes any of its settings as an option of any command, so only these few are known.
const NPM: &str = "-sSDEOPadq -w= --silent --quiet --if-present --workspaces --workspace= --include-workspace-root \
    --save --save-dev --save-exact --save-optional --save-peer --save-prod --no-save --production --omit= --include= \
    --dry-run --legacy-peer-deps --strict-peer-deps --ignore-scripts --no-audit --no-fund --no-progress \
    --prefer-offline --prefer-dedupe --offline --json --long --parseable --all --depth= --loglevel= --audit-level= \
    --package-lock-only --no-package-lock --no-optional --verbose --color[=] --no-color !-g !--global !--location \
    !--prefix !-C !--registry !--script-shell !--node-options !--userconfig !--globalconfig !--force !--git \
    !--install-links !--unsafe-perm";

const YARN: &str = "--silent --frozen-lockfile --immutable --immutable-cache --check-cache --pure-lockfile --offline \
    --prefer-offline --ignore-scripts --non-interactive --no-progress --production --dev --exact --peer --optional \
    -DEPOWs --check-files --inline-builds --mode= --json --verbose --recursive --parallel --filter= --workspace-root \
    --no-lockfile --save-dev --save-exact --save-prod --no-frozen-lockfile --lockfile-only --depth= --long \
    --if-present --stream -r -F= --reporter= --workspace-concurrency= --aggregate-output --bail --no-bail \
    --strict-peer-dependencies --no-optional --shamefully-hoist --fix-lockfile !--cwd !--use-yarnrc !--modules-folder \
    !-g !--global !--global-dir !-C !--dir !--registry !--script-shell !--force !--store-dir !--config !--shell-mode";

const NPM_ROWS: &[Row] = &[
    Row::dev("test|t|tst", NPM),
    Row::dev("run|run-script|rum|urn", NPM),
    Row::dev("ci|clean-install", NPM).takes(Nothing),
    Row::dev("audit", NPM).takes(Only("fix signatures")),
    Row::dev("install|i|in|add|install-test|it", NPM).takes(Text).check(packages),
    Row::safe("list|ls|la|ll", NPM).takes(Text),
    Row::dev("outdated|view|info|explain|why|fund|doctor", NPM).takes(Text).check(packages),
    Row::safe("root|bin", "-s").takes(Nothing),
    Row::dev("ping|prefix", "-s").takes(Nothing),
];

const YARN_ROWS: &[Row] = &[
    Row::dev("|install|i|ci", YARN).takes(Nothing),
    Row::dev("test|t|run|build|lint|typecheck|type-check|format|check|audit", YARN),
    Row::dev("add", YARN).takes(Text).check(packages),
    Row::safe("list|ls|licenses", YARN).takes(Text),
    Row::dev("outdated|why|info", YARN).takes(Text).check(packages),
    Row::dev("exec", "").style(super::super::options::Style::Raw).takes(Text).check(runs_tool),
];

const PNPM_ROWS: &[Row] = &[
    Row::dev("install|i", YARN).takes(Text).check(packages),
    Row::dev("test|t|run|build|lint|typecheck|type-check|format|check|audit", YARN),
    Row::dev("add", YARN).takes(Text).check(packages),
    Row::safe("list|ls|ll|la", YARN).takes(Text),
    Row::dev("outdated|why", YARN).takes(Text).check(packages),
    Row::dev("exec", "").style(super::super::options::Style::Raw).takes(Text).check(runs_tool),
];

const BUN_ROWS: &[Row] = &[
    Row::dev(
        "test",
        "-t= --timeout= --bail[=] --coverage --only --todo --rerun-each= --test-name-pattern= !--preload !-r \
         !--require !-c !--config !--watch !--hot",
    ),
    Row::dev("install|i|ci", "--frozen-lockfile --production --no-save --silent --dry-run").takes(Text).check(packages),
    Row::dev("add", "-dDEO --dev --exact --optional").takes(Text).check(packages),
    Row::dev("run", "--silent --if-present").check(bun_script),
];

const DENO_ROWS: &[Row] =
    &[Row::dev("lint|check", "-q --quiet --json --rules --compact"), Row::dev("fmt", "-q --quiet --check")];

/// Programs with subcommands.
pub(in super::super) const FAMILIES: &[Family] = &[
    Family::new("npm", &[NPM_ROWS]).globals(NPM),
    Family::new("yarn yarnpkg", &[YARN_ROWS]).globals(YARN),
    Family::new("pnpm", &[PNPM_ROWS]).globals(YARN),
    Family::new("bun", &[BUN_ROWS]),
    Family::new("deno", &[DENO_ROWS]),
    Family::new("vitest", &[VITEST]),
    Family::new("biome", &[BIOME]),
];

const VITEST_OPTIONS: &str = "-t= --testNamePattern= --coverage[=] --reporter= --run --bail= --silent \
    --passWithNoTests --changed[=] --environment= --globals --no-color --project= --shard= --retry= --maxWorkers= \
    --minWorkers= --pool= --dom --typecheck -u --update --testTimeout= --hideSkippedTests --no-coverage \
    --logHeapUsage !-c !--config !-r !--root !--ui !--api !--outputFile";

const VITEST: &[Row] = &[Row::dev("|run|related|list", VITEST_OPTIONS)];

const BIOME: &[Row] = &[Row::dev(
    "check|lint|format|ci",
    "--diagnostic-level= --max-diagnostics= --colors= --reporter= --no-errors-on-unmatched !--write !--fix \
     !--unsafe !--config-path",
)];

/// Programs without.
pub(in super::super) const ROWS: &[Row] = &[
    Row::dev(
        "tsc",
        "-bdh -p=read -t= -m= --noEmit --project=read --build --strict --declaration --emitDeclarationOnly \
         --pretty --skipLibCheck --target= --module= --moduleResolution= --jsx= --esModuleInterop --incremental \
         --outDir=name --rootDir=name --outFile=name --declarationDir=name --tsBuildInfoFile=name --listFiles \
         --listEmittedFiles --showConfig --sourceMap --allowJs --checkJs --lib= --types= --typeRoots=name \
         --resolveJsonModule --isolatedModules --noUnusedLocals --noUnusedParameters --noImplicitAny \
         --strictNullChecks --noErrorTruncation --diagnostics --extendedDiagnostics --verbose --dry --force \
         --traceResolution --explainFiles --composite --help --all !-w !--watch !--init !--clean !--generateTrace \
         !--generateCpuProfile !--locale",
    )
    .check(no_response_file),
    Row::dev(
        "eslint",
        "-f= --ext= --quiet --max-warnings= --cache --cache-location=name --cache-strategy= --format= \
         --ignore-pattern= --no-error-on-unmatched-pattern --pass-on-no-patterns --color --no-color \
         --report-unused-disable-directives --report-unused-disable-directives-severity= --rule= --env= --global= \
         --no-eslintrc --no-inline-config --stats --no-ignore --ignore-path=read --fix-dry-run --fix-type= \
         --print-config=name --no-warn-ignored --debug --flag= --no-config-lookup --exit-on-fatal-error \
         --parser-options= --env-info --help -h !--fix !-c !--config !--rulesdir !--plugin \
         !--resolve-plugins-relative-to !--parser !-o !--output-file !--init !--inspect-config",
    )
    .check(eslint),
    Row::dev(
        "prettier",
        "-clu --check --list-different --ignore-path=read --log-level= --loglevel= \
         --no-error-on-unmatched-pattern --parser= --ignore-unknown --no-config --no-editorconfig --cache \
         --print-width= --tab-width= --use-tabs --no-semi --single-quote --trailing-comma= --color --no-color \
         --file-info=name --find-config-path=name --support-info --stdin-filepath=name --check-ignore-pragma \
         --end-of-line= --prose-wrap= --no-plugin-search --with-node-modules !-w !--write !--plugin \
         !--plugin-search-dir !--config !--cache-location",
    ),
    Row::dev(
        "jest",
        "-itofub --ci --coverage[=] --runInBand --testNamePattern= --testPathPattern= --testPathPatterns= \
         --onlyChanged --onlyFailures --bail[=] --verbose --silent --passWithNoTests --updateSnapshot \
         --maxWorkers= -w= --no-cache --json --listTests --forceExit --detectOpenHandles --selectProjects= \
         --changedSince= --no-coverage --colors --expand --findRelatedTests --runTestsByPath --testTimeout= \
         --shard= --randomize --clearMocks --noStackTrace --showConfig !-c !--config !--rootDir !--setupFiles \
         !--globalSetup !--runner !--transform !--watch !--watchAll !--reporters !--outputFile !--testRunner \
         !--env !--preset !--resolver !--coverageDirectory",
    ),
    Row::dev(
        "mocha",
        "-buCc -g= -f= -R= -t= --bail --grep= --fgrep= --reporter= --timeout= --recursive --exit --parallel \
         --color --no-color --forbid-only --check-leaks --retries= --ignore= --sort --extension= !-r !--require \
         !--config !--package !-w !--watch !--import !--opts",
    ),
    Row::dev(
        "stylelint markdownlint markdownlint-cli2 htmlhint",
        "-q --quiet --formatter= -f= --ignore-path=read --max-warnings= --color --no-color",
    ),
    Row::dev("standard xo oxlint svelte-check vue-tsc", "--noEmit --quiet --strict --pretty"),
];

fn packages(seen: &Seen<'_>) -> Answer {
    all(seen, package).map(|class| class.max(Class::Dev))
}

/// `@file` is read as more options.
fn no_response_file(seen: &Seen<'_>) -> Answer {
    all(seen, |text| !text.starts_with('@'))
}

/// A formatter that is not built in is code from a path.
fn eslint(seen: &Seen<'_>) -> Answer {
    const BUILT_IN: &str = "stylish json html compact unix junit json-with-metadata checkstyle tap visualstudio";
    let mut given = seen.given.values("-f --format");
    match given.find(|word| !word.literal().is_some_and(|name| has(BUILT_IN, name))) {
        Some(word) => Err(Refusal::HarmfulOption(seen.program.to_owned(), format!("--format={word}"))),
        None => Ok(Class::Dev),
    }
}

/// `bun run x` runs the script of that name, `bun run x.ts` any file.
fn bun_script(seen: &Seen<'_>) -> Answer {
    match seen.given.operands.first().and_then(Word::literal) {
        Some(name) if !name.contains(['.', '/']) && name != "-" => Ok(Class::Dev),
        other => Err(Refusal::Operand(seen.program.to_owned(), other.unwrap_or_default().to_owned())),
    }
}
