//! Programs that decode what they print, and those that print what they read, changed.

use super::Row;
use super::fact::{Changes::*, Fact::*};
use super::interpreters::Language::Awk;

/// Unpacks to stdout; without a dash as it is mostly written.
pub(super) const TAR: &str = "--to-stdout -O xOf xfO xOzf xzOf xzfO xvOf Oxf Oxzf xOjf xjOf xOJf xJOf";

pub(super) const ROWS: &[Row] = &[
    (
        "zcat gzcat bzcat xzcat unlzma lzcat zstdcat lz4cat unlz4 uncompress funzip uudecode unlzop unbrotli \
         lzfgrep zless zmore zgrep ccat unar lsar mimedecode munpack qprint ascii85 base58 base91 recode unrar \
         xz-decode unpigz lbzcat",
        &[Decodes],
    ),
    ("gunzip bunzip2 unxz unzstd", &[Decodes, Changes(Every)]),
    (
        "pigz pbzip2 lbzip2 pixz lzma pzstd lz4 lzop brotli compress gpg2 age rage ccrypt mcrypt zlib-flate \
         mimencode base64 base32 basenc uuencode lrzip snzip ansible-vault sops",
        &[DecodesIfTold],
    ),
    ("bzip2 xz zstd", &[DecodesIfTold, Changes(Every)]),
    ("gzip", &[DecodesIfTold, Changes(Every), Version("")]),
    ("gpg", &[DecodesIfTold, RunsAnything, Version("")]),
    ("openssl", &[DecodesIfTold, ClientWith("s_client s_time"), Version("version")]),
    (
        "tar",
        &[
            DecodesWith(TAR),
            ExecutesFed(
                "--to-command --use-compress-program -I --rsh-command --info-script --new-volume-script -F --rmt-command",
            ),
            Version(""),
        ],
    ),
    ("zip", &[ExecutesText("-TT --unzip-command"), Version("")]),
    ("unzip", &[DecodesWith("-p -c"), Version("")]),
    ("7z 7za 7zr p7zip", &[DecodesWith("-so")]),
    ("cpio", &[DecodesWith("--to-stdout")]),
    ("ar", &[DecodesWith("p pv -p")]),
    ("convert pandoc tree file bc fd bat", &[Version("")]),
    ("ffmpeg", &[Version("-version")]),
    ("sort", &[Filters, ExecutesWords("--compress-program")]),
    (
        "egrep fgrep head tail uniq cut tr iconv column fold nl od hexdump less more envsubst xmllint tidy pup \
         hxselect gron mlr csvtool tsort comm join pr ts unbuffer xsel wc vis unvis m4 cpp rev tac sql",
        &[Filters],
    ),
    ("split", &[Filters, Changes(Every), ExecutesText("--filter")]),
    ("csplit sponge", &[Filters, Changes(Every)]),
    ("xmlstarlet", &[Filters, Changes(InPlace)]),
    ("dd", &[Filters, Changes(Output)]),
    ("rg", &[Filters, ExecutesWords("--pre --hostname-bin"), Version("")]),
    ("grep", &[Filters, Version("")]),
    ("patch", &[Filters, Changes(Every), Version("")]),
    ("xargs", &[Filters, RunsAnything, Version("")]),
    ("awk gawk", &[Speaks(Awk), Filters, TakesCode, RunsAnything, Changes(InPlace), Version("")]),
    ("original-awk goawk igawk pgawk bwk", &[Speaks(Awk)]),
    ("mawk nawk", &[Speaks(Awk), Filters, TakesCode, RunsAnything]),
    ("sed yq", &[Filters, TakesCode, Changes(InPlace), Version("")]),
    ("gsed", &[TakesCode, Changes(InPlace)]),
    ("jq", &[Filters, TakesCode, Version("")]),
    ("find", &[RunsAnythingWith("-exec"), Version("")]),
    ("fzf", &[ExecutesText("--preview -c --cmd"), Version("")]),
];
