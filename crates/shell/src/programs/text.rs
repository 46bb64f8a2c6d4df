//! Programs that show, cut, order or compare text.

use super::options::Style;
use super::row::{Operands::*, Row};

/// The table.
pub(super) const ROWS: &[Row] = &[
    Row::safe(
        "cat",
        "-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs \
         --show-nonprinting --help --version",
    )
    .takes(Files),
    Row::safe(
        "bat batcat",
        "-pnAu -l= -r= -H= --plain --number --show-all --language= --line-range= --highlight-line= --style= \
         --color= --theme= --wrap= --tabs= --decorations= --list-languages --list-themes -P --no-pager !--pager \
         !--paging !--config-file !--map-syntax",
    )
    .takes(Files)
    .guarded(),
    Row::safe(
        "head",
        "-# -qvz -n= -c= --lines= --bytes= --quiet --silent --verbose --zero-terminated --help --version",
    )
    .takes(Files),
    Row::safe(
        "tail",
        "-# -qvz -n= -c= --lines= --bytes= --quiet --silent --verbose --zero-terminated !-f !-F !--follow \
         !--retry !-s !--sleep-interval !--pid !--max-unchanged-stats --help --version",
    )
    .takes(Files),
    Row::safe("tac", "-br -s= --before --regex --separator= --help --version").takes(Files),
    Row::safe("rev", "-0 --zero --help --version").takes(Files),
    Row::safe(
        "wc",
        "-clLmw --bytes --chars --lines --max-line-length --words --total= !--files0-from --help --version",
    )
    .takes(Files),
    Row::safe(
        "nl",
        "-p -b= -d= -f= -h= -i= -l= -n= -s= -v= -w= --body-numbering= --section-delimiter= --footer-numbering= \
         --header-numbering= --line-increment= --join-blank-lines= --number-format= --no-renumber \
         --number-separator= --starting-line-number= --number-width= --help --version",
    )
    .takes(Files),
    Row::safe(
        "sort",
        "-bdfgiMhnRrVcCmsuz -k= -t= -S= --ignore-leading-blanks --dictionary-order --ignore-case --sort= \
         --check[=] --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort \
         --random-sort --reverse --version-sort --batch-size= --debug --key= --merge --stable --buffer-size= \
         --field-separator= --parallel= --unique --zero-terminated !-o !--output !-T !--temporary-directory \
         !--compress-program !--files0-from !--random-source --help --version",
    )
    .takes(Files)
    .guarded(),
    Row::safe(
        "uniq",
        "-cdDiuz -f= -s= -w= --count --repeated --all-repeated[=] --skip-fields= --group[=] --ignore-case \
         --skip-chars= --unique --zero-terminated --check-chars= --help --version",
    )
    .takes(AtMost(1)),
    Row::safe(
        "cut",
        "-nsz -b= -c= -d= -f= --bytes= --characters= --delimiter= --fields= --complement --only-delimited \
         --output-delimiter= --zero-terminated --help --version",
    )
    .takes(Files),
    Row::safe("tr", "-cCdst --complement --delete --squeeze-repeats --truncate-set1 --help --version").takes(Text),
    Row::safe("paste", "-sz -d= --delimiters= --serial --zero-terminated --help --version").takes(Files),
    Row::safe(
        "join",
        "-iz -a= -e= -j= -o= -t= -v= -1= -2= --ignore-case --check-order --nocheck-order --header \
         --zero-terminated --help --version",
    )
    .takes(Files),
    Row::safe(
        "comm",
        "-123z --check-order --nocheck-order --output-delimiter= --total --zero-terminated --help --version",
    )
    .takes(Files),
    Row::safe(
        "diff",
        "-# -qscuenypitETbwZBadrNPH -C= -U= -W= -F= -I= -x= -X=read -S= -D= --normal --brief \
         --report-identical-files --context[=] --unified[=] --ed --rcs --side-by-side --width= --left-column \
         --suppress-common-lines --show-c-function --show-function-line= --label= --expand-tabs --initial-tab \
         --tabsize= --color[=] --suppress-blank-empty --recursive --no-dereference --new-file \
         --unidirectional-new-file --exclude= --ignore-file-name-case --no-ignore-file-name-case \
         --exclude-from=read --starting-file= --ignore-case --ignore-tab-expansion --ignore-trailing-space \
         --ignore-space-change --ignore-all-space --text --ignore-blank-lines --ignore-matching-lines= \
         --strip-trailing-cr --ifdef= --minimal --horizon-lines= --speed-large-files --palette= !-l !--paginate \
         !--to-file !--from-file --help --version",
    )
    .takes(Files)
    .guarded(),
    Row::safe(
        "cmp",
        "-bls -i= -n= --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent --help --version",
    )
    .takes(Files),
    Row::safe(
        "column",
        "-tJxendL -s= -o= -c= -N= -R= -T= -H= -O= -E= -W= -l= --table --separator= --output-separator= --json \
         --output-width= --table-columns= --table-right= --table-name= --fillrows --table-noheadings \
         --keep-empty-lines --help --version",
    )
    .takes(Files),
    Row::safe("fold", "-# -bs -w= --bytes --spaces --width= --help --version").takes(Files),
    Row::safe(
        "fmt",
        "-# -cstu -p= -w= -g= --crown-margin --prefix= --split-only --tagged-paragraph --uniform-spacing --width= \
         --goal= --help --version",
    )
    .takes(Files),
    Row::safe("expand unexpand", "-# -ai -t= --initial --all --first-only --tabs= --help --version").takes(Files),
    Row::safe(
        "od",
        "-abcdfilosxv -A= -j= -N= -S= -t= -w[=] --address-radix= --skip-bytes= --read-bytes= --strings[=] \
         --format= --output-duplicates --width[=] --endian= --traditional --help --version",
    )
    .takes(Files),
    Row::safe("hexdump hd", "-bcCdovx -e= -n= -s= -L[=] --canonical --length= --skip= --no-squeezing --help --version")
        .takes(Files),
    // Its second operand is the file that it writes, and it knows long names after one dash.
    Row::safe("xxd", "-abCdeEipu -c= -g= -l= -n= -o= -s= !-r -v").takes(AtMost(1)),
    Row::safe(
        "strings",
        "-# -afow -n= -t= -e= --all --print-file-name --bytes= --radix= --encoding= --data \
         --include-all-whitespace --help --version",
    )
    .takes(Files),
    Row::safe(
        "base64 base32 basenc",
        "-di -w= --decode --ignore-garbage --wrap= --base64 --base64url --base32 --base16 !-o !--output --help \
         --version",
    )
    .takes(AtMost(1)),
    Row::safe("iconv", "-cl -f= -t= --from-code= --to-code= --list !-o !--output --help --version")
        .takes(Files)
        .guarded(),
    Row::safe("zcat", "-q").takes(Files),
    Row::safe("expr", "").style(Style::Raw).takes(Text),
    Row::safe("factor", "--help --version").takes(Text),
    Row::safe("seq", "-w -s= -f= --equal-width --separator= --format= --help --version").takes(Text),
];

/// Sums of files.
pub(super) const SUMS: &[Row] = &[
    Row::safe(
        "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum",
        "-bctwz -l= -a= --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn \
         --length= --algorithm= --help --version",
    )
    .takes(Files),
    Row::safe("shasum", "-bctsUw -a= --algorithm= --binary --check --text --quiet --status --warn").takes(Files),
    Row::safe("md5", "-qr").takes(Files),
];
