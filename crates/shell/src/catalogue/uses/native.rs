//! make, cmake, ninja and their kin.

pub(super) const TABLE: &str = "
make gmake = dev make -ksBnqwSit -j[=] -l[=] -C=name -O[=] --jobs[=] --load-average[=] --keep-going --silent --quiet
    --always-make --dry-run --just-print --recon --question --print-directory --no-print-directory --directory=name
    --output-sync[=] --no-keep-going --stop --trace --warn-undefined-variables --no-builtin-rules
    --no-builtin-variables -rR -p --print-data-base --debug[=] -d --version --help !-f !--file !--makefile !-I
    !--include-dir !-E !--eval !-e !--environment-overrides !-o !--old-file !-W !--what-if
cmake = dev cmake -v -t= -j[=] --build=name --target= --config= --parallel[=] --clean-first --verbose -S=name -B=name
    --fresh -D[=] -L -N -A= -W[=] --list-presets[=] --no-warn-unused-cli !-P !-E !-C !-G !--install !--open !-i
    !--preset !--toolchain !--graphviz !--trace-redirect !-U !--workflow
ninja = dev -nv -d= -C=name -j= -k= -l= --verbose --quiet --version !-f !-t
ctest = dev -VNQ -j= -R= -E= -L= -j= -C= --output-on-failure --test-dir=name --parallel= --tests-regex=
    --exclude-regex= --rerun-failed --stop-on-failure --timeout= --verbose --progress --show-only[=] --no-tests= !-S
    !-D !--script !--build-and-test !-T !-M !-O !--output-log !--build-makeprogram
shellcheck = dev files -ax -s= -e= -f= -S= -i= -C[=] -W= --shell= --exclude= --format= --severity= --include=
    --color[=] --external-sources
shfmt = dev -dlsp -i= --diff --list --simplify --indent=
hadolint yamllint actionlint jsonlint typos = dev files -s -f= --strict --format= --no-color
clang-format = dev files -n --dry-run --Werror --style= --verbose !--files
pkg-config = dev text --exists --modversion --cflags --libs --list-all --print-errors --static
";
