//! Programs that tell about the machine and the user, and manuals.

pub(super) const TABLE: &str = "
date = safe text guarded date -uR -d= -I[=] -r=name --date= --utc --universal --rfc-email --rfc-3339= --iso-8601[=]
    --reference=name --debug !-s !--set !-f !--file --help --version
uname = safe nothing -asnrvmpio --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor
    --operating-system --hardware-platform --help --version
hostname = safe nothing -sf --short --fqdn --long
whoami logname arch tty = safe nothing -s --silent --quiet --help --version
groups = safe text --help --version
id = safe text -agGnruzZ --group --groups --name --real --user --zero --context --help --version
uptime = safe nothing -ps --pretty --since --help --version
nproc = safe nothing --all --ignore= --help --version
free = safe nothing -bkmghltvw --bytes --kibi --mebi --gibi --tebi --human --lohi --total --wide --si --help --version
lscpu = safe nothing -abcBJy -e[=] -p[=] --all --json --extended[=] --parse[=] --help --version
getconf = safe text -a
locale = safe text -ackm --all-locales --charmaps --category-name --keyword-name --help --version
lsb_release = safe nothing -vidrcas --all --id --description --release --codename --short --version
cal ncal = safe text -# -hjyMbe -A= -B= -d= -m=
// Prints the environment that the program is given: an allow-list, with every secret removed.
env = safe nothing
man = safe manual -kfwWaK -S= -s= --apropos --whatis --where --all --sections= --path --help --version !-H !--html !-P
    !--pager !-X !-T !-C !-l !-p
apropos whatis = safe text -a -e -s= --exact
ps = safe text processes -AadefFlNHjLmMTwyZ -C= -g= -G= -o= -p= -q= -s= -t= -u= -U= -O= --forest --headers
    --no-headers --no-heading --deselect --help --version --cumulative --sort= --pid= --ppid= --user= --User= --group=
    --Group= --sid= --tty= --format= --cols= --columns= --rows= --width=
";
