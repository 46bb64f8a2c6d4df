//! Programs that search. Following links out of the workspace and running filters is what they must not do.

pub(super) const TABLE: &str = "
grep egrep fgrep = safe pattern:-e,-f,--regexp,--file -# -EFGPiyvwxcLlqsbHhnTUZaIroz -e= -f=read -m= -A= -B= -C= -d=
    --extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp= --file=read --ignore-case
    --no-ignore-case --word-regexp --line-regexp --null-data --no-messages --invert-match --max-count= --byte-offset
    --line-number --line-buffered --with-filename --no-filename --label= --only-matching --quiet --silent
    --binary-files= --text --directories= --recursive --include= --exclude= --exclude-from=read --exclude-dir=
    --files-without-match --files-with-matches --count --initial-tab --null --before-context= --after-context=
    --context= --group-separator= --no-group-separator --color[=] --colour[=] --binary --help --version -V !-R
    !--dereference-recursive !-D !--devices
rg = safe pattern:-e,-f,--regexp,--file,--files,--type-list guarded -aisSvwxclnNouPUFHIpq0.hV -e= -f=read -g= -t= -T=
    -A= -B= -C= -m= -M= -j= -d= -E= -r= --text --ignore-case --case-sensitive --smart-case --invert-match
    --word-regexp --line-regexp --count --count-matches --files-with-matches --files-without-match --line-number
    --no-line-number --only-matching --unrestricted --pcre2 --auto-hybrid-regex --multiline --multiline-dotall
    --fixed-strings --with-filename --no-filename --pretty --quiet --null --null-data --hidden --no-hidden --no-ignore
    --no-ignore-vcs --no-ignore-global --no-ignore-parent --no-ignore-dot --no-ignore-exclude --no-ignore-files
    --no-ignore-messages --no-messages --regexp= --file=read --glob= --iglob= --glob-case-insensitive --type=
    --type-not= --type-add= --type-clear= --type-list --after-context= --before-context= --context=
    --context-separator= --no-context-separator --max-count= --max-columns= --max-columns-preview --max-depth=
    --maxdepth= --max-filesize= --threads= --encoding= --no-encoding --replace= --color= --colors= --column
    --no-column --heading --no-heading --crlf --json --no-json --stats --sort= --sortr= --sort-files --trim --vimgrep
    --passthru --files --engine= --debug --ignore-file=read --ignore-file-case-insensitive --one-file-system
    --no-config --no-follow --no-pre --no-search-zip --no-mmap --mmap --no-unicode --line-buffered --block-buffered
    --byte-offset --binary --include-zero --dfa-size-limit= --regex-size-limit= --path-separator=
    --field-match-separator= --field-context-separator= --stop-on-nonmatch --help --version !--pre !--pre-glob
    !--hostname-bin -b !--search-zip !-z !--follow !-L !--hyperlink-format !--generate
find = safe words expression -print -print0 -ls -prune -quit -true -false -empty -depth -d -mount -xdev -daystart
    -noleaf -nouser -nogroup -readable -writable -executable -o -or -a -and -not -ignore_readdir_race
    -noignore_readdir_race -warn -nowarn -help --help -version --version -P -H -O* -name= -iname= -path= -ipath=
    -wholename= -iwholename= -regex= -iregex= -lname= -ilname= -regextype= -type= -xtype= -size= -mtime= -atime=
    -ctime= -mmin= -amin= -cmin= -used= -perm= -user= -group= -uid= -gid= -links= -inum= -maxdepth= -mindepth=
    -fstype= -printf= -context= -newermt= -newerat= -newerct= -newerBt= -newer=name -anewer=name -cnewer=name
    -samefile=name -newer* !-delete !-exec !-execdir !-ok !-okdir !-fprint !-fprint0 !-fprintf !-fls !-files0-from !-L
    !-follow
fd fdfind = safe guarded -HIuisgFap01q -d= -t= -e= -E= -S= -c= -j= --hidden --no-ignore --unrestricted --ignore-case
    --case-sensitive --glob --fixed-strings --absolute-path --full-path --print0 --max-depth= --min-depth=
    --exact-depth= --type= --extension= --exclude= --size= --color= --threads= --max-results= --changed-within=
    --changed-before= --quiet --no-ignore-vcs --no-ignore-parent --relative-path --one-file-system --regex --prune
    --help --version !-x !--exec !-X !--exec-batch !-l !--list-details !-L !--follow !-C !--base-directory
    !--search-path !--ignore-file
";
