//! Programs that show, cut, order or compare text.

pub(super) const TABLE: &str = "
cat = safe files -AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs
    --show-nonprinting --help --version
bat batcat = safe files guarded -pnAu -l= -r= -H= --plain --number --show-all --language= --line-range=
    --highlight-line= --style= --color= --theme= --wrap= --tabs= --decorations= --list-languages --list-themes -P
    --no-pager !--pager !--paging !--config-file !--map-syntax
head = safe files -# -qvz -n= -c= --lines= --bytes= --quiet --silent --verbose --zero-terminated --help --version
tail = safe files -# -qvz -n= -c= --lines= --bytes= --quiet --silent --verbose --zero-terminated !-f !-F !--follow
    !--retry !-s !--sleep-interval !--pid !--max-unchanged-stats --help --version
tac = safe files -br -s= --before --regex --separator= --help --version
rev = safe files -0 --zero --help --version
wc = safe files -clLmw --bytes --chars --lines --max-line-length --words --total= !--files0-from --help --version
nl = safe files -p -b= -d= -f= -h= -i= -l= -n= -s= -v= -w= --body-numbering= --section-delimiter= --footer-numbering=
    --header-numbering= --line-increment= --join-blank-lines= --number-format= --no-renumber --number-separator=
    --starting-line-number= --number-width= --help --version
sort = safe files guarded -bdfgiMhnRrVcCmsuz -k= -t= -S= --ignore-leading-blanks --dictionary-order --ignore-case
    --sort= --check[=] --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort
    --random-sort --reverse --version-sort --batch-size= --debug --key= --merge --stable --buffer-size=
    --field-separator= --parallel= --unique --zero-terminated !-o !--output !-T !--temporary-directory
    !--compress-program !--files0-from !--random-source --help --version
uniq = safe at-most:1 -cdDiuz -f= -s= -w= --count --repeated --all-repeated[=] --skip-fields= --group[=] --ignore-case
    --skip-chars= --unique --zero-terminated --check-chars= --help --version
cut = safe files -nsz -b= -c= -d= -f= --bytes= --characters= --delimiter= --fields= --complement --only-delimited
    --output-delimiter= --zero-terminated --help --version
tr = safe text -cCdst --complement --delete --squeeze-repeats --truncate-set1 --help --version
paste = safe files -sz -d= --delimiters= --serial --zero-terminated --help --version
join = safe files -iz -a= -e= -j= -o= -t= -v= -1= -2= --ignore-case --check-order --nocheck-order --header
    --zero-terminated --help --version
comm = safe files -123z --check-order --nocheck-order --output-delimiter= --total --zero-terminated --help --version
diff = safe files guarded -# -qscuenypitETbwZBadrNPH -C= -U= -W= -F= -I= -x= -X=read -S= -D= --normal --brief
    --report-identical-files --context[=] --unified[=] --ed --rcs --side-by-side --width= --left-column
    --suppress-common-lines --show-c-function --show-function-line= --label= --expand-tabs --initial-tab --tabsize=
    --color[=] --suppress-blank-empty --recursive --no-dereference --new-file --unidirectional-new-file --exclude=
    --ignore-file-name-case --no-ignore-file-name-case --exclude-from=read --starting-file= --ignore-case
    --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --text
    --ignore-blank-lines --ignore-matching-lines= --strip-trailing-cr --ifdef= --minimal --horizon-lines=
    --speed-large-files --palette= !-l !--paginate !--to-file !--from-file --help --version
cmp = safe files -bls -i= -n= --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent --help --version
column = safe files -tJxendL -s= -o= -c= -N= -R= -T= -H= -O= -E= -W= -l= --table --separator= --output-separator=
    --json --output-width= --table-columns= --table-right= --table-name= --fillrows --table-noheadings
    --keep-empty-lines --help --version
fold = safe files -# -bs -w= --bytes --spaces --width= --help --version
fmt = safe files -# -cstu -p= -w= -g= --crown-margin --prefix= --split-only --tagged-paragraph --uniform-spacing
    --width= --goal= --help --version
expand unexpand = safe files -# -ai -t= --initial --all --first-only --tabs= --help --version
od = safe files -abcdfilosxv -A= -j= -N= -S= -t= -w[=] --address-radix= --skip-bytes= --read-bytes= --strings[=]
    --format= --output-duplicates --width[=] --endian= --traditional --help --version
hexdump hd = safe files -bcCdovx -e= -n= -s= -L[=] --canonical --length= --skip= --no-squeezing --help --version
// Its second operand is the file that it writes, and it knows long names after one dash.
xxd = safe at-most:1 -abCdeEipu -c= -g= -l= -n= -o= -s= !-r -v
strings = safe files -# -afow -n= -t= -e= --all --print-file-name --bytes= --radix= --encoding= --data
    --include-all-whitespace --help --version
base64 base32 basenc = safe at-most:1 -di -w= --decode --ignore-garbage --wrap= --base64 --base64url --base32 --base16
    !-o !--output --help --version
iconv = safe files guarded -cl -f= -t= --from-code= --to-code= --list !-o !--output --help --version
zcat = safe files -q
expr = safe raw text
factor = safe text --help --version
seq = safe text -w -s= -f= --equal-width --separator= --format= --help --version
md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum = safe files -bctwz -l= -a= --binary --check --tag
    --text --zero --ignore-missing --quiet --status --strict --warn --length= --algorithm= --help --version
shasum = safe files -bctsUw -a= --algorithm= --binary --check --text --quiet --status --warn
md5 = safe files -qr
";
