#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::{command, fed, inner};

#[test]
fn items_of_a_known_input_are_put_in() {
    let rows: &[(&str, &str, &[&str])] = &[
        ("xargs rm -rf", "/\n", &["rm -rf /"]),
        ("xargs -n1 rm", "a b", &["rm a", "rm b"]),
        ("xargs -I{} sh -c {}", "rm -rf /\n", &["sh -c rm -rf /"]),
        ("xargs -I % rm -rf %/x", "/a\n/b\n", &["rm -rf /a/x", "rm -rf /b/x"]),
        ("xargs -i rm {}", "a", &["rm a"]),
        ("xargs --replace=@ rm @", "a", &["rm a"]),
        ("xargs -0 pkill", "-9\0-f\0x\0", &["pkill -9 -f x"]),
        ("xargs -d, rm", "a,b", &["rm a b"]),
        ("xargs -r -P 4 -n 2 rm", "a b c", &["rm a b", "rm c"]),
        ("xargs", "rm -rf /", &["echo rm -rf /"]),
        ("xargs --odd rm", "/", &["rm /", "echo /"]),
        ("parallel rm -rf", "/\n", &["sh: rm -rf /", "rm -rf /"]),
        ("parallel", "rm -rf /\n", &["sh: rm -rf /"]),
    ];
    for (text, input, expected) in rows {
        assert_eq!(inner(&fed(text, input)), *expected, "{text}");
    }
}

#[test]
fn items_that_are_not_known_are_holes_or_names_below_the_start() {
    let rows: &[(&str, &[&str])] = &[
        ("xargs rm -rf", &["rm -rf $(…)"]),
        ("xargs -a f rm", &["rm $(…)"]),
        ("xargs -I{} rm -rf {}/x", &["rm -rf $(…)/x"]),
        ("find / -exec chmod 777 {} +", &["chmod 777 /*"]),
        ("find / -type f -exec rm -f {} ;", &["rm -f /*"]),
        ("find -L /etc/ ~x -name a -execdir rm {} ;", &["rm /etc/*", "rm ~x/*"]),
        ("find -exec rm {} ;", &["rm ./*"]),
        ("find . -execdir rm -rf / ;", &["rm -rf /"]),
        ("find . ( -name x -o -name y ) -ok rm {} ; -exec ls {} +", &["rm ./*", "ls ./*"]),
        ("find . -maxdepth 0 -exec cat x ;", &["cat x"]),
        ("find /x -maxdepth 0 -exec rm {} ;", &["rm /x"]),
        ("find . -exec sh -c 'rm $1' _ {} ;", &["sh -c rm $1 _ ./*"]),
        ("find . -exec rm {}", &["rm ./*"]),
        ("fd -e txt -x rm -rf", &["rm -rf ./*"]),
        ("fd . / -X rm", &["rm /*"]),
        ("fd x --exec rm {} ;", &["rm ./*"]),
        ("parallel rm -rf ::: / /x", &["sh: rm -rf /", "rm -rf /", "sh: rm -rf /x", "rm -rf /x"]),
        ("parallel -j4 'rm -rf {}' ::: /", &["sh: rm -rf /"]),
        ("parallel ::: 'rm -rf /'", &["sh: rm -rf /"]),
        ("parallel rm :::: f", &["sh: rm $(…)", "rm $(…)"]),
        ("git submodule foreach --recursive rm -rf /", &["sh: rm -rf /"]),
        ("git bisect run rm -rf /", &["rm -rf /"]),
        ("git rebase -x 'rm -rf /' main", &["sh: rm -rf /"]),
        ("git -C x rebase --exec='rm -rf /' main", &["sh: rm -rf /"]),
        ("git filter-branch --tree-filter 'rm -rf /' HEAD", &["sh: rm -rf /"]),
        ("git clone 'ext::rm -rf /'", &["sh: rm -rf /"]),
        ("git clone -u 'rm -rf /' x", &["sh: rm -rf /"]),
        ("git difftool -x 'rm -rf /'", &["sh: rm -rf /"]),
    ];
    for (text, expected) in rows {
        assert_eq!(inner(&command(text)), *expected, "{text}");
    }
    for text in ["find . -name x", "find / -delete", "git log", "git rebase main", "fd x", "git grep -n x"] {
        assert_eq!(inner(&command(text)), [""; 0], "{text}");
    }
}
