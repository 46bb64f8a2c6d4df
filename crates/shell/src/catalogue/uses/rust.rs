//! cargo and rustfmt.

pub(super) const TABLE: &str = "
@build = -qvr -p= -F= -j= --quiet --verbose --release --workspace --all --exclude= --package= --lib --bins --bin=
    --examples --example= --tests --test= --benches --bench= --all-targets --features= --all-features
    --no-default-features --target= --target-dir=name --manifest-path=name --profile= --message-format= --jobs=
    --keep-going --color= --locked --offline --frozen --timings[=] --ignore-rust-version --future-incompat-report
    --help -h !--config !-Z !--artifact-dir !--out-dir !--lockfile-path
rustfmt = dev -qvl --check --edition= --emit= --color= --quiet --verbose --files-with-diff !--config !--config-path
    !--print-config

[cargo] = toolchain -qv --quiet --verbose --color= --locked --offline --frozen !--config !-Z !-C --list
build|b|check|c = dev nothing @build
test|t|bench = dev arguments --no-run --no-fail-fast --doc @build
clippy = dev arguments --no-deps --allow-no-vcs !--fix !--allow-dirty @build
fmt = dev arguments -p= --check --all --package= --quiet -qv --verbose --manifest-path=name --message-format=
doc|d = dev nothing --no-deps --document-private-items !--open @build
tree = dev text -e= -i= -d --edges= --invert= --prune= --depth= --prefix= --no-dedupe --duplicates --charset=
    --format= -f= @build
metadata = dev nothing --no-deps --format-version= --filter-platform= @build
nextest run|nextest list = dev arguments -E= --no-fail-fast --no-capture --nocapture --test-threads= --retries=
    --filterset= --run-ignored= --partition= @build
audit|deny check = dev text -q --quiet --json
version = safe nothing -v --verbose
pkgid|locate-project|verify-project = dev text --workspace --message-format= --manifest-path=name -q

[rustup] =
show|show active-toolchain|toolchain list|target list|component list = safe nothing -v --verbose --installed
    --toolchain= -q
";
