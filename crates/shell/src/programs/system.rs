//! Programs that tell about the machine and the user, and manuals.

use super::place::Place;
use super::refusal::Refusal;
use super::row::{Answer, Operands::*, Row, Seen};
use crate::catalogue::has;
use crate::command::Word;
use crate::verdict::Class;

/// The table.
pub(super) const ROWS: &[Row] = &[
    Row::safe(
        "date",
        "-uR -d= -I[=] -r=name --date= --utc --universal --rfc-email --rfc-3339= --iso-8601[=] --reference=name \
         --debug !-s !--set !-f !--file --help --version",
    )
    .takes(Text)
    .guarded()
    .check(date),
    Row::safe(
        "uname",
        "-asnrvmpio --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor \
         --operating-system --hardware-platform --help --version",
    )
    .takes(Nothing),
    Row::safe("hostname", "-sf --short --fqdn --long").takes(Nothing),
    Row::safe("whoami logname arch tty", "-s --silent --quiet --help --version").takes(Nothing),
    Row::safe("groups", "--help --version").takes(Text),
    Row::safe("id", "-agGnruzZ --group --groups --name --real --user --zero --context --help --version").takes(Text),
    Row::safe("uptime", "-ps --pretty --since --help --version").takes(Nothing),
    Row::safe("nproc", "--all --ignore= --help --version").takes(Nothing),
    Row::safe(
        "free",
        "-bkmghltvw --bytes --kibi --mebi --gibi --tebi --human --lohi --total --wide --si --help --version",
    )
    .takes(Nothing),
    Row::safe("lscpu", "-abcBJy -e[=] -p[=] --all --json --extended[=] --parse[=] --help --version").takes(Nothing),
    Row::safe("getconf", "-a").takes(Text),
    Row::safe("locale", "-ackm --all-locales --charmaps --category-name --keyword-name --help --version").takes(Text),
    Row::safe("lsb_release", "-vidrcas --all --id --description --release --codename --short --version").takes(Nothing),
    Row::safe("cal ncal", "-# -hjyMbe -A= -B= -d= -m=").takes(Text),
    // Prints the environment that the program is given: an allow-list, with every secret removed.
    Row::safe("env", "").takes(Nothing),
    Row::safe(
        "man",
        "-kfwWaK -S= -s= --apropos --whatis --where --all --sections= --path --help --version !-H !--html !-P \
         !--pager !-X !-T !-C !-l !-p",
    )
    .check(manual),
    Row::safe("apropos whatis", "-a -e -s= --exact").takes(Text),
];

/// An operand that is no format sets the clock.
fn date(seen: &Seen<'_>) -> Answer {
    let setting = seen.given.operands.iter().find(|word| !word.prefix().starts_with('+'));
    setting.map_or(Ok(Class::Safe), |word| Err(Refusal::Operand("date".to_owned(), word.to_string())))
}

/// A page with a slash is a file, which the formatter runs.
fn manual(seen: &Seen<'_>) -> Answer {
    let file = seen.given.operands.iter().find(|word| word.literal().is_none_or(|page| page.contains('/')));
    file.map_or(Ok(Class::Safe), |word| Err(Refusal::Operand("man".to_owned(), word.to_string())))
}

/// `ps` mixes two ways of options; the `e` without a dash and the column `environ` show other programs' environments.
pub(super) fn processes(words: &[Word], _place: &Place) -> Answer {
    const DASHED: &str = "AadefFlNHjLmMTwyZ";
    const BARE: &str = "aArTxfhHjlLmnNSsuvwXc";
    const LONG: &str = "forest headers no-headers no-heading deselect help version cumulative";
    const LONG_VALUES: &str = "sort pid ppid user User group Group sid tty format cols columns rows width";
    let unknown = |word: &Word| Refusal::UnknownOption("ps".to_owned(), word.to_string());
    let columns = |word: Option<&Word>, text: &str| match text {
        text if text.contains("env") => Err(Refusal::HarmfulOption("ps".to_owned(), text.to_owned())),
        _ => word.map_or(Ok(()), |word| Err(unknown(word))),
    };
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = word.literal().ok_or_else(|| unknown(word))?;
        if let Some(long) = text.strip_prefix("--") {
            match long.split_once('=') {
                Some((name, value)) if has(LONG_VALUES, name) => columns(None, value)?,
                None if has(LONG, long) => {}
                None if has(LONG_VALUES, long) => {
                    let value = rest.next().and_then(Word::literal).ok_or_else(|| unknown(word))?;
                    columns(None, value)?;
                }
                _ => return Err(unknown(word)),
            }
            continue;
        }
        let (letters, plain, valued) = match text.strip_prefix('-') {
            Some(letters) => (letters, DASHED, "CgGopqstuUO"),
            None if text.chars().all(|letter| letter.is_ascii_digit() || letter == ',') => continue,
            None => (text, BARE, "ktpqUo"),
        };
        let end = letters.find(|letter| !plain.contains(letter)).unwrap_or(letters.len());
        let mut others = letters.get(end..).unwrap_or_default().chars();
        match others.next() {
            None => {}
            Some(letter) if valued.contains(letter) => {
                let attached = others.as_str();
                let value = if attached.is_empty() {
                    rest.next().and_then(Word::literal).ok_or_else(|| unknown(word))?
                } else {
                    attached
                };
                columns(None, value)?;
            }
            Some(_) => return Err(unknown(word)),
        }
    }
    Ok(Class::Safe)
}
