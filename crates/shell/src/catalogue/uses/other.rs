//! Tools of the other languages: what tests, builds and checks.

pub(super) const TABLE: &str = "
rspec = dev -bcp -e= -f= -t= -P= --example= --format= --tag= --fail-fast[=] --order= --seed= --color --no-color
    --profile[=] --only-failures --next-failure --backtrace --dry-run --bisect --pattern= --exclude-pattern= !-r
    !--require !-I !-O !--options !-o !--out !--init
rubocop = dev -DESLPv -f= --format= --only= --except= --parallel --display-cop-names --extra-details --fail-level=
    --lint --color --no-color --list-target-files --force-exclusion --cache= !-r !--require !-c !--config !-o !--out
    !--plugin !-a !-A !-x !--autocorrect !--autocorrect-all !--auto-correct --cache-root=name
rake = dev only:test,spec,build,lint,rubocop,default,db:migrate:status,routes -Tstv --tasks --trace --silent --quiet
    !-f !--rakefile !-e !--execute !-E !-p !-r !--require !-I !-R !-C !--directory
phpunit pest = dev -v --filter= --testsuite= --group= --exclude-group= --stop-on-failure --stop-on-error --colors[=]
    --testdox --no-coverage --coverage-text[=]name --verbose --debug --list-tests --order-by= --random-order-seed=
    !--bootstrap !-c !--configuration !-d !--include-path !--printer !--extension !--loader
phpstan psalm phpcs = dev --level= -l= --no-progress --error-format= --memory-limit= --standard= --report= --threads=
    --no-cache !-c !--configuration !-a !--autoload-file !--plugin !--bootstrap

[dotnet] =
build|test|restore|format = dev -c= -v= -f= --configuration= --no-restore --no-build --verbosity= --nologo --filter=
    --framework= --logger= -l= --collect= --results-directory=name --verify-no-changes --list-tests -t --blame
    --no-incremental --no-dependencies !-p !-o !--output !-s !--source !--settings !-r !--test-adapter-path
    !--configfile
--list-sdks|--list-runtimes = safe nothing

[mix] =
test|compile|format|credo|dialyzer|deps.get|deps = dev --check-formatted --warnings-as-errors --force --strict --trace
    --cover --stale --failed --max-failures= --seed= --only= --exclude= --include=

[bundle bundler] =
exec = dev raw text runs_tool
install|check = dev nothing --quiet --jobs= --local --retry= --deployment --frozen !--path !--gemfile
list = safe nothing --name-only --paths

[composer] =
install|validate|test|dump-autoload|audit = dev nothing -qvno --no-dev --no-interaction --prefer-dist --no-progress
    --no-scripts --no-plugins --optimize-autoloader --quiet --strict --ansi --no-ansi --dry-run !-d !--working-dir
show|licenses = safe text -ti --tree --installed --direct --no-ansi --no-plugins

[swift] =
build|test = dev nothing -c= -v --configuration= --verbose --filter= --skip= --parallel --target= --product=
    --enable-code-coverage !--package-path

[flutter dart] =
test|analyze|pub get|format = dev --no-pub --coverage --fatal-infos --set-exit-if-changed --reporter= -r= --name=
    --plain-name=

[stack cabal] =
build|test|check = dev -j[=] --fast --verbose -v[=] --enable-tests --pedantic !--exec !--ghc-options !--with-compiler
    !-w !--stack-yaml !--test-wrapper

[zig] =
build|fmt = dev words only:test,check,.,src --summary= --check --verbose -D* !--build-file !--build-runner
    !--zig-lib-dir

[terraform tofu] =
fmt|validate = dev words nothing

[helm] =
lint|list = dev -Aa -n= -q

[gem] =
list = safe text -lq --local --no-versions
";
