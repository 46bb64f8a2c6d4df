//! What the shell does itself. Builtins that change the shell, its variables or its options are in no table.

pub(super) const TABLE: &str = "
echo = safe raw text
printf = safe raw text printf
type = safe text -afpPt
command = safe text needs:-v,-V -vVp
help = safe text -dms
exit return break continue = safe text
jobs times = safe nothing -lnprs
test = safe raw test
[ [[ = safe raw bracket
";
