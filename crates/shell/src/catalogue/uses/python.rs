//! Python's tools; those behind `python -m` and the runners of environments are judged by their own rows.

pub(super) const TABLE: &str = "
@pytest = -vqxslhV -k= -m= -r= -n= -W= -p= --version --help --verbose --quiet --exitfirst --lf --last-failed --ff
    --failed-first --nf --new-first --sw --stepwise --stepwise-skip --co --collect-only --no-header --no-summary
    --showlocals --no-showlocals --disable-warnings --disable-pytest-warnings --strict-markers --strict-config
    --strict --durations= --durations-min= --maxfail= --tb= --numprocesses= --dist= --cov[=]name --cov-report=rev
    --cov-append --cov-branch --cov-fail-under= --no-cov --no-cov-on-fail --cov-context= --timeout= --timeout-method=
    --color= --junitxml=name --junit-xml=name --junit-prefix= --ignore=name --ignore-glob= --deselect= --import-mode=
    --rootdir=name --confcutdir=name --capture= --count= --reruns= --reruns-delay= --randomly-seed= --asyncio-mode=
    --setup-show --setup-only --setup-plan --fixtures --fixtures-per-test --funcargs --markers --runxfail
    --cache-show[=] --cache-clear --keep-duplicates --noconftest --doctest-modules --doctest-glob= --no-migrations
    --reuse-db --create-db --snapshot-update --log-level= --log-cli-level= --show-capture= --verbosity= --full-trace
    --exitfirst --maxprocesses= --ds= --testmon --hypothesis-seed= --benchmark-skip --benchmark-only
    --benchmark-disable --no-testmon --force-sugar --sugar --assert= --force-short-summary !-c !--config-file !-o
    !--override-ini !--basetemp !--pdb !--pdbcls !--trace !--pyargs !--pastebin !--log-file !--debug !--inifile
    !--cov-config !--html !--rsyncdir !--tx !-d
@ruff = -qvse --select= --ignore= --extend-select= --extend-ignore= --line-length= --target-version= --output-format=
    --statistics --show-fixes --show-source --quiet --silent --verbose --exit-zero --exit-non-zero-on-fix --no-cache
    -n --preview --no-preview --isolated --exclude= --extend-exclude= --per-file-ignores= --config=read
    --cache-dir=name --diff --check --fix --no-fix --unsafe-fixes --no-unsafe-fixes --fix-only --fixable= --unfixable=
    --force-exclude --respect-gitignore --stdin-filename=name --show-files --show-settings --color= --range=
    --add-noqa !-w !--watch !-o !--output-file
@pip = -qvU --quiet --verbose --upgrade --no-deps --no-cache-dir --pre --force-reinstall --dry-run --no-input
    --disable-pip-version-check --no-color --progress-bar= --upgrade-strategy= --only-binary= --no-binary=
    --no-build-isolation --require-hashes --prefer-binary --retries= --timeout= --no-warn-script-location --no-clean
    --ignore-installed --require-virtualenv
pytest py.test = dev pytest @pytest
unittest = dev -vqfbch -k= -s=name -p= -t=name --verbose --quiet --failfast --catch --buffer --locals --durations=
    --start-directory=name --pattern= --top-level-directory=name
mypy dmypy = dev -hvV -p= -m= -c= --strict --ignore-missing-imports --pretty --python-version= --platform=
    --config-file=read --package= --module= --command= --exclude= --cache-dir=name --incremental --namespace-packages
    --follow-imports= --explicit-package-bases --check-untyped-defs --disallow-* --allow-* --warn-* --no-* --show-*
    --hide-* --strict-* --enable-error-code= --disable-error-code= --error-summary --color-output --sqlite-cache
    --implicit-optional --extra-checks --version --help --verbose --always-true= --always-false= --non-interactive
    --junit-xml=name --fast-module-lookup --exclude-gitignore --output= !--install-types !--python-executable
    !--custom-typeshed-dir !--shadow-file !--dump-graph !--pdb !--any-exprs-report !--html-report !--txt-report
    !--cobertura-xml-report
black = dev -qvSC -W= -l= -t= -c= -h --check --diff --color --no-color --quiet --verbose --line-length=
    --target-version= --code= --skip-string-normalization --skip-magic-trailing-comma --fast --safe --include=
    --exclude= --extend-exclude= --force-exclude= --config=read --preview --unstable --workers= --pyi --ipynb
    --stdin-filename=name --no-cache --required-version= --line-ranges= --help --version
flake8 pycodestyle pyflakes pydocstyle = dev -qv -j= --select= --ignore= --extend-ignore= --extend-select=
    --max-line-length= --max-complexity= --exclude= --extend-exclude= --per-file-ignores= --count --statistics
    --show-source --format= --jobs= --isolated --quiet --verbose --filename= --exit-zero --color= --doctests !--config
    !--append-config !--output-file !--tee !--enable-extensions
pylint = dev -rn -j= -d= -e= --disable= --enable= --errors-only -E --jobs= --output-format= --reports= --score=
    --recursive= --ignore= --ignore-patterns= --max-line-length= --fail-under= --fail-on= --py-version= !--init-hook
    !--load-plugins !--rcfile !--output !--plugins
isort = dev -cqv -m= -l= -w= --check --check-only --diff --quiet --verbose --profile= --line-length= --skip=
    --skip-glob= --multi-line= --color --stdout --atomic --float-to-top --recursive -rc !--settings-path
    !--settings-file !--config-root
pyright basedpyright = dev -p=read --project=read --level= --outputjson --pythonversion= --pythonplatform= --stats
    --warnings --verbose --threads[=] --skipunannotated !-w !--watch !--pythonpath !--venvpath !--createstub
bandit vulture codespell interrogate radon = dev -rqliv -s= --recursive --quiet --severity-level= --confidence-level=
    --min-confidence= --exclude= -x= --skip=
tox = dev nothing -qvrpl -e= --env= --recreate --parallel[=] --listenvs --skip-missing-interpreters[=] -s[=] -f=
    !-c !--conf !--workdir !-x !--override !--root !--installpkg !--force-dep
nox = dev nothing -lRrxv -s= -e= -k= -t= -p= --session= --sessions= --keywords= --tags= --list
    --reuse-existing-virtualenvs --no-install --stop-on-first-error !-f !--noxfile !--envdir
python python3 = dev raw text module
py_compile compileall = dev -qf

[ruff] = -qvs --quiet --verbose --silent --isolated
check|format = dev @ruff
rule|linter|config|version = safe text --all --output-format=
.|src|tests = dev @ruff

[pip pip3] = -qv --quiet --verbose --disable-pip-version-check --no-color --no-input --no-cache-dir
install = dev text pip_install -r=read -c=read -e= --requirement=read --constraint=read --editable= !-t !--target
    !--prefix !--root !-i !--user !--index-url !--extra-index-url !-f !--find-links !--trusted-host !--global-option
    !--config-settings !--python !--break-system-packages !--proxy !--cert !--src !--install-option !--isolated
    !--no-index !--log !--report @pip
list = safe nothing -lqv --local --format= --not-required --exclude= --editable -e --path=name
    --disable-pip-version-check !-o !--outdated !-u !--uptodate !-i !--index-url !--log
show = safe text -fqv --files --verbose --disable-pip-version-check
freeze = safe nothing -lqv -r=read --local --all --exclude= --exclude-editable --requirement=read --path=name
check = safe nothing -qv --disable-pip-version-check

[coverage] =
run = dev raw text coverage_run
report|html|xml|json|lcov|combine|erase = dev -miq --show-missing --skip-covered --skip-empty --fail-under= --include=
    --omit= --precision= --sort= --format= --append -a --keep --quiet --data-file=name -d=name -o=name
    --directory=name --ignore-errors --contexts= --title= --pretty-print !--rcfile

[poetry pipenv pdm hatch] =
run = dev raw text runs_tool
check = dev nothing -q

[uv] =
run = dev raw text runs_tool
pip list|pip freeze|pip check|pip show = safe text -q --quiet --format=
tree = dev nothing -q --depth= --frozen --locked
";
