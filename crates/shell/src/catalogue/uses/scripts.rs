//! Programs whose operand is a program text.

pub(super) const TABLE: &str = "
sed gsed = safe pattern:-e,--expression guarded sed -nErsuz -e= -l= --quiet --silent --expression=
    --regexp-extended --null-data --separate --unbuffered --sandbox --line-length= --posix --debug --zero-terminated
    --help --version !-i !--in-place !-f !--file !-I !--follow-symlinks
awk gawk mawk nawk = safe pattern awk -F= -v= --field-separator= --assign= --posix --traditional --re-interval
    --version --help !-f !--file !-i !--include !-l !--load !-e !--source !-E !--exec !-p !--profile !-d
    !--dump-variables !-o !--pretty-print !-D !--debug !-W
jq = safe pattern guarded jq -rcsneSjaRMC --raw-output --compact-output --slurp --null-input --exit-status
    --sort-keys --join-output --tab --ascii-output --raw-input --monochrome-output --color-output --indent+ --arg=2
    --argjson=2 --seq --unbuffered --stream --args --jsonargs --raw-output0 --help --version -h !-f !--from-file !-L
    !--rawfile !--slurpfile !--argfile !--run-tests
";
