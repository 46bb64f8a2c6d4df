//! Tools of the other languages: what tests, builds and checks.

use super::super::options::Style;
use super::super::row::{Family, Operands::*, Row};
use super::runs_tool;

const DOTNET: &[Row] = &[
    Row::dev(
        "build|test|restore|format",
        "-c= -v= -f= --configuration= --no-restore --no-build --verbosity= --nologo --filter= --framework= \
         --logger= -l= --collect= --results-directory=name --verify-no-changes --list-tests -t --blame \
         --no-incremental --no-dependencies !-p !-o !--output !-s !--source !--settings !-r !--test-adapter-path \
         !--configfile",
    ),
    Row::safe("--list-sdks|--list-runtimes", "").takes(Nothing),
];

const MIX: &[Row] = &[Row::dev(
    "test|compile|format|credo|dialyzer|deps.get|deps",
    "--check-formatted --warnings-as-errors --force --strict --trace --cover --stale --failed --max-failures= \
     --seed= --only= --exclude= --include=",
)];

const BUNDLE: &[Row] = &[
    Row::dev("exec", "").style(Style::Raw).takes(Text).check(runs_tool),
    Row::dev("install|check", "--quiet --jobs= --local --retry= --deployment --frozen !--path !--gemfile")
        .takes(Nothing),
    Row::safe("list", "--name-only --paths").takes(Nothing),
];

const COMPOSER: &[Row] = &[
    Row::dev(
        "install|validate|test|dump-autoload|audit",
        "-qvno --no-dev --no-interaction --prefer-dist --no-progress --no-scripts --no-plugins \
         --optimize-autoloader --quiet --strict --ansi --no-ansi --dry-run !-d !--working-dir",
    )
    .takes(Nothing),
    Row::safe("show|licenses", "-ti --tree --installed --direct --no-ansi --no-plugins").takes(Text),
];

const SWIFT: &[Row] = &[Row::dev(
    "build|test",
    "-c= -v --configuration= --verbose --filter= --skip= --parallel --target= --product= --enable-code-coverage \
     !--package-path",
)
.takes(Nothing)];

const FLUTTER: &[Row] = &[Row::dev(
    "test|analyze|pub get|format",
    "--no-pub --coverage --fatal-infos --set-exit-if-changed --reporter= -r= --name= --plain-name=",
)];

const HASKELL: &[Row] = &[Row::dev(
    "build|test|check",
    "-j[=] --fast --verbose -v[=] --enable-tests --pedantic !--exec !--ghc-options !--with-compiler !-w \
     !--stack-yaml !--test-wrapper",
)];

const ZIG: &[Row] =
    &[Row::dev("build|fmt", "--summary= --check --verbose -D* !--build-file !--build-runner !--zig-lib-dir")
        .style(Style::Words)
        .takes(Only("test check . src"))];

/// Programs with subcommands.
pub(in super::super) const FAMILIES: &[Family] = &[
    Family::new("dotnet", &[DOTNET]),
    Family::new("mix", &[MIX]),
    Family::new("bundle bundler", &[BUNDLE]),
    Family::new("composer", &[COMPOSER]),
    Family::new("swift", &[SWIFT]),
    Family::new("flutter dart", &[FLUTTER]),
    Family::new("stack cabal", &[HASKELL]),
    Family::new("zig", &[ZIG]),
    Family::new("terraform tofu", &[&[Row::dev("fmt|validate", "").style(Style::Words).takes(Nothing)]]),
    Family::new("helm", &[&[Row::dev("lint|list", "-Aa -n= -q")]]),
    Family::new("gem", &[&[Row::safe("list", "-lq --local --no-versions").takes(Text)]]),
];

/// Programs without.
pub(in super::super) const ROWS: &[Row] = &[
    Row::dev(
        "rspec",
        "-bcp -e= -f= -t= -P= --example= --format= --tag= --fail-fast[=] --order= --seed= --color --no-color \
         --profile[=] --only-failures --next-failure --backtrace --dry-run --bisect --pattern= --exclude-pattern= \
         !-r !--require !-I !-O !--options !-o !--out !--init",
    ),
    Row::dev(
        "rubocop",
        "-DESLPv -f= --format= --only= --except= --parallel --display-cop-names --extra-details --fail-level= \
         --lint --color --no-color --list-target-files --force-exclusion --cache= !-r !--require !-c !--config \
         !-o !--out !--plugin !-a !-A !-x !--autocorrect !--autocorrect-all !--auto-correct --cache-root=name",
    ),
    Row::dev(
        "rake",
        "-Tstv --tasks --trace --silent --quiet !-f !--rakefile !-e !--execute !-E !-p !-r !--require !-I !-R !-C \
         !--directory",
    )
    .takes(Only("test spec build lint rubocop default db:migrate:status routes")),
    Row::dev(
        "phpunit pest",
        "-v --filter= --testsuite= --group= --exclude-group= --stop-on-failure --stop-on-error --colors[=] \
         --testdox --no-coverage --coverage-text[=]name --verbose --debug --list-tests --order-by= \
         --random-order-seed= !--bootstrap !-c !--configuration !-d !--include-path !--printer !--extension \
         !--loader",
    ),
    Row::dev(
        "phpstan psalm phpcs",
        "--level= -l= --no-progress --error-format= --memory-limit= --standard= --report= --threads= --no-cache \
         !-c !--configuration !-a !--autoload-file !--plugin !--bootstrap",
    ),
];
