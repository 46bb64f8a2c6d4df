//! Programs that list names and facts about files, never their content.

pub(super) const TABLE: &str = "
ls dir vdir = safe -aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1 -I= -w= -T= --all --almost-all --author --escape
    --block-size= --ignore-backups --color[=] --directory --dired --classify[=] --file-type --format= --full-time
    --no-group --group-directories-first --human-readable --si --dereference --dereference-command-line --hide= --zero
    --dereference-command-line-symlink-to-dir --hyperlink[=] --indicator-style= --inode --ignore= --kibibytes
    --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name --quoting-style= --reverse
    --recursive --size --sort= --time= --time-style= --tabsize= --width= --context --help --version
tree = safe guarded -adfxpugshDFqNQrtcUvnCASJXi -L+ -P+ -I+ -T+ !-o !-R !-l !-H --du --si --noreport --dirsfirst
    --filesfirst --gitignore --filelimit= --timefmt= --sort= --prune --matchdirs --ignore-case --inodes --device
    --charset= --nolinks --metafirst --help --version !--output !--fromfile !--gitfile !--infofile
stat = safe -Lft -c= --format= --printf= --terse --dereference --file-system --cached= --help --version
du = safe -0abcDhHklmsSx -B= -d= -t= -X=read --all --apparent-size --block-size= --bytes --total --max-depth= --inodes
    --human-readable --si --summarize --separate-dirs --one-file-system --threshold= --time[=] --time-style=
    --exclude= --exclude-from=read --null --count-links --dereference-args --help --version !--files0-from !-L
    !--dereference
df = safe -ahHiklPTv -B= -t= -x= --all --block-size= --human-readable --si --inodes --local --output[=] --portability
    --total --type= --print-type --exclude-type= --help --version
file = safe guarded -bhikLNrs -F= -P= --brief --mime --mime-type --mime-encoding --extension --keep-going --no-pad
    --raw --no-dereference --dereference --separator= --parameter= --print0 -0 --help --version !-C !--compile !-f
    !--files-from !-m !--magic-file !-z !-Z !--uncompress !--uncompress-noreport
realpath = safe -emLPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet
    --relative-to=name --relative-base=name --strip --no-symlinks --zero --help --version
readlink = safe -femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent
    --verbose --zero --help --version
basename = safe text -az -s= --multiple --suffix= --zero --help --version
dirname = safe text -z --zero --help --version
pwd = safe nothing -LP --logical --physical
which = safe text -as --all --skip-alias --help --version
whereis = safe text -bmsu
cd = safe cd -LP
true false : = safe raw text
";
