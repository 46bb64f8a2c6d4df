//! npm, yarn, pnpm, bun and the tools of JavaScript and TypeScript. npm takes any of its settings as an option of any
//! command, so only a few are known.

pub(super) const TABLE: &str = "
@npm = -sSDEOPadq -w= --silent --quiet --if-present --workspaces --workspace= --include-workspace-root --save
    --save-dev --save-exact --save-optional --save-peer --save-prod --no-save --production --omit= --include=
    --dry-run --legacy-peer-deps --strict-peer-deps --ignore-scripts --no-audit --no-fund --no-progress
    --prefer-offline --prefer-dedupe --offline --json --long --parseable --all --depth= --loglevel= --audit-level=
    --package-lock-only --no-package-lock --no-optional --verbose --color[=] --no-color !-g !--global !--location
    !--prefix !-C !--registry !--script-shell !--node-options !--userconfig !--globalconfig !--force !--git
    !--install-links !--unsafe-perm
@yarn = --silent --frozen-lockfile --immutable --immutable-cache --check-cache --pure-lockfile --offline
    --prefer-offline --ignore-scripts --non-interactive --no-progress --production --dev --exact --peer --optional
    -DEPOWs --check-files --inline-builds --mode= --json --verbose --recursive --parallel --filter= --workspace-root
    --no-lockfile --save-dev --save-exact --save-prod --no-frozen-lockfile --lockfile-only --depth= --long
    --if-present --stream -r -F= --reporter= --workspace-concurrency= --aggregate-output --bail --no-bail
    --strict-peer-dependencies --no-optional --shamefully-hoist --fix-lockfile !--cwd !--use-yarnrc !--modules-folder
    !-g !--global !--global-dir !-C !--dir !--registry !--script-shell !--force !--store-dir !--config !--shell-mode
@vitest = -t= --testNamePattern= --coverage[=] --reporter= --run --bail= --silent --passWithNoTests --changed[=]
    --environment= --globals --no-color --project= --shard= --retry= --maxWorkers= --minWorkers= --pool= --dom
    --typecheck -u --update --testTimeout= --hideSkippedTests --no-coverage --logHeapUsage !-c !--config !-r !--root
    !--ui !--api !--outputFile
tsc = dev no_response_file -bdh -p=read -t= -m= --noEmit --project=read --build --strict --declaration
    --emitDeclarationOnly --pretty --skipLibCheck --target= --module= --moduleResolution= --jsx= --esModuleInterop
    --incremental --outDir=name --rootDir=name --outFile=name --declarationDir=name --tsBuildInfoFile=name --listFiles
    --listEmittedFiles --showConfig --sourceMap --allowJs --checkJs --lib= --types= --typeRoots=name
    --resolveJsonModule --isolatedModules --noUnusedLocals --noUnusedParameters --noImplicitAny --strictNullChecks
    --noErrorTruncation --diagnostics --extendedDiagnostics --verbose --dry --force --traceResolution --explainFiles
    --composite --help --all !-w !--watch !--init !--clean !--generateTrace !--generateCpuProfile !--locale
eslint = dev eslint -f= --ext= --quiet --max-warnings= --cache --cache-location=name --cache-strategy= --format=
    --ignore-pattern= --no-error-on-unmatched-pattern --pass-on-no-patterns --color --no-color
    --report-unused-disable-directives --report-unused-disable-directives-severity= --rule= --env= --global=
    --no-eslintrc --no-inline-config --stats --no-ignore --ignore-path=read --fix-dry-run --fix-type=
    --print-config=name --no-warn-ignored --debug --flag= --no-config-lookup --exit-on-fatal-error --parser-options=
    --env-info --help -h !--fix !-c !--config !--rulesdir !--plugin !--resolve-plugins-relative-to !--parser !-o
    !--output-file !--init !--inspect-config
prettier = dev -clu --check --list-different --ignore-path=read --log-level= --loglevel=
    --no-error-on-unmatched-pattern --parser= --ignore-unknown --no-config --no-editorconfig --cache --print-width=
    --tab-width= --use-tabs --no-semi --single-quote --trailing-comma= --color --no-color --file-info=name
    --find-config-path=name --support-info --stdin-filepath=name --check-ignore-pragma --end-of-line= --prose-wrap=
    --no-plugin-search --with-node-modules !-w !--write !--plugin !--plugin-search-dir !--config !--cache-location
jest = dev -itofub --ci --coverage[=] --runInBand --testNamePattern= --testPathPattern= --testPathPatterns=
    --onlyChanged --onlyFailures --bail[=] --verbose --silent --passWithNoTests --updateSnapshot --maxWorkers= -w=
    --no-cache --json --listTests --forceExit --detectOpenHandles --selectProjects= --changedSince= --no-coverage
    --colors --expand --findRelatedTests --runTestsByPath --testTimeout= --shard= --randomize --clearMocks
    --noStackTrace --showConfig !-c !--config !--rootDir !--setupFiles !--globalSetup !--runner !--transform !--watch
    !--watchAll !--reporters !--outputFile !--testRunner !--env !--preset !--resolver !--coverageDirectory
mocha = dev -buCc -g= -f= -R= -t= --bail --grep= --fgrep= --reporter= --timeout= --recursive --exit --parallel --color
    --no-color --forbid-only --check-leaks --retries= --ignore= --sort --extension= !-r !--require !--config
    !--package !-w !--watch !--import !--opts
stylelint markdownlint markdownlint-cli2 htmlhint = dev -q --quiet --formatter= -f= --ignore-path=read --max-warnings=
    --color --no-color
standard xo oxlint svelte-check vue-tsc = dev --noEmit --quiet --strict --pretty

[npm] = @npm
test|t|tst = dev @npm
run|run-script|rum|urn = dev @npm
ci|clean-install = dev nothing @npm
audit = dev only:fix,signatures @npm
install|i|in|add|install-test|it = dev text packages @npm
list|ls|la|ll = safe text @npm
outdated|view|info|explain|why|fund|doctor = dev text packages @npm
root|bin = safe nothing -s
ping|prefix = dev nothing -s

[yarn yarnpkg] = @yarn
|install|i|ci = dev nothing @yarn
test|t|run|build|lint|typecheck|type-check|format|check|audit = dev @yarn
add = dev text packages @yarn
list|ls|licenses = safe text @yarn
outdated|why|info = dev text packages @yarn
exec = dev raw text runs_tool

[pnpm] = @yarn
install|i = dev text packages @yarn
test|t|run|build|lint|typecheck|type-check|format|check|audit = dev @yarn
add = dev text packages @yarn
list|ls|ll|la = safe text @yarn
outdated|why = dev text packages @yarn
exec = dev raw text runs_tool

[bun] =
test = dev -t= --timeout= --bail[=] --coverage --only --todo --rerun-each= --test-name-pattern= !--preload !-r
    !--require !-c !--config !--watch !--hot
install|i|ci = dev text packages --frozen-lockfile --production --no-save --silent --dry-run
add = dev text packages -dDEO --dev --exact --optional
run = dev bun_script --silent --if-present

[deno] =
lint|check = dev -q --quiet --json --rules --compact
fmt = dev -q --quiet --check

[vitest] =
|run|related|list = dev @vitest

[biome] =
check|lint|format|ci = dev --diagnostic-level= --max-diagnostics= --colors= --reporter= --no-errors-on-unmatched
    !--write !--fix !--unsafe !--config-path
";
