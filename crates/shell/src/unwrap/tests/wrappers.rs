#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::super::{Outer, unwrap};
use super::{command, inner, place};
use crate::command::Directory;
use std::path::Path;

#[test]
fn the_command_is_found_behind_options_and_operands() {
    let rows = [
        "env {}",
        "env -i {}",
        "env -u X -C / A=1 B=2 {}",
        "env -uX --unset=Y --chdir /tmp -- {}",
        "env -S '{}'",
        "env -vS'A=1 {}'",
        "env --split-string='{}'",
        "env --split='-i {}'",
        "nice {}",
        "nice -n 5 {}",
        "nice -n5 {}",
        "nice -5 {}",
        "nice --adjustment=5 {}",
        "nice --adj 5 {}",
        "ionice -c3 {}",
        "ionice -c 2 -n 0 {}",
        "chrt -f 10 {}",
        "chrt -b 0 {}",
        "chrt --batch {}",
        "taskset -c 0,1 {}",
        "taskset 0x1 {}",
        "nohup {}",
        "nohup -- {}",
        "setsid -w {}",
        "setsid --fork {}",
        "timeout 5 {}",
        "timeout -k 1 9s {}",
        "timeout --signal=KILL 5 {}",
        "timeout -s 9 -- 5 {}",
        "time -p {}",
        "time -f %e -o out {}",
        "stdbuf -oL {}",
        "stdbuf -o L --error=0 {}",
        "unbuffer {}",
        "command {}",
        "command -p -- {}",
        "builtin {}",
        "exec -a x {}",
        "exec -cl {}",
        "chroot / {}",
        "chroot --userspec=a:b /mnt {}",
        "unshare -rm {}",
        "unshare --map-root-user --mount {}",
        "nsenter -t 1 -m {}",
        "nsenter --target 1 --all {}",
        "linux32 {}",
        "setarch x86_64 -R {}",
        "setarch -R {}",
        "prlimit --nofile=10 {}",
        "choom -n 5 -- {}",
        "firejail --quiet {}",
        "proot -r /x -b /y {}",
        "fakeroot {}",
        "fakeroot -- {}",
        "systemd-run {}",
        "systemd-run --user --scope -p X=1 {}",
        "systemd-inhibit --what=idle {}",
        "dbus-run-session -- {}",
        "strace -f -e trace=file -o x {}",
        "ltrace {}",
        "valgrind --tool=memcheck {}",
        "watch -n1 {}",
        "watch -n 1 -d -x {}",
        "script -c '{}' /dev/null",
        "script -qec '{}' x",
        "script x -c '{}'",
        "flock x {}",
        "flock -n /tmp/x -c '{}'",
        "flock -w 5 x {}",
        "caffeinate -i {}",
        "rlwrap {}",
        "chpst -u me {}",
        "sudo {}",
        "sudo -u root -E {}",
        "sudo -n -- {}",
        "sudo A=1 {}",
        "doas -u root {}",
        "su -c '{}'",
        "su root -c '{}'",
        "su - root -c '{}'",
        "runuser -u x -- {}",
        "runuser -l x -c '{}'",
        "pkexec {}",
        "sg root -c '{}'",
        "setpriv --reuid 0 {}",
        "busybox {}",
        "toybox {}",
        "faketime '2020-01-01' {}",
        "torsocks {}",
        "proxychains4 -q {}",
        "hyperfine '{}'",
        "ssh h {}",
        "ssh -p 22 -o X=y me@h '{}'",
        "ssh h -p 22 {}",
        "npx -y {}",
        "npx -c '{}'",
        "/lib64/ld-linux-x86-64.so.2 {}",
        "/usr/bin/env {}",
        "entr -r {}",
    ];
    for row in rows {
        let text = row.replace("{}", "rm -rf /x");
        let found = inner(&command(&text));
        let hit = found.iter().any(|one| one.trim_start_matches("sh: ") == "rm -rf /x");
        assert!(hit, "{text}: {found:?}");
    }
}

#[test]
fn what_starts_nothing_is_left_alone() {
    for text in [
        "command -v rm",
        "command -V rm",
        "env",
        "env A=1",
        "exec",
        "nice",
        "taskset -p 1",
        "busybox --list",
        "ls rm -rf /",
        "ionice -p 5",
    ] {
        assert_eq!(unwrap(&command(text), &place()), None, "{text}");
    }
}

#[test]
fn an_option_that_nobody_knows_hides_nothing() {
    for text in [
        "nice --odd rm -rf /",
        "nice --odd 5 rm -rf /",
        "timeout --odd 5 rm -rf /",
        "stdbuf -q rm -rf /",
        "nohup --odd=1 rm -rf /",
    ] {
        let found = unwrap(&command(text), &place()).unwrap();
        assert_eq!(found.outer, Outer::Judged, "{text}");
        assert!(inner(&command(text)).contains(&"rm -rf /".to_owned()), "{text}: {:?}", inner(&command(text)));
    }
}

#[test]
fn the_directory_is_followed() {
    for (text, expected) in [
        ("env -C / rm -rf .", "/"),
        ("env --chdir=../x ls", "/x"),
        ("env -C ./a ls", "/w/a"),
        ("sudo -D /etc ls", "/etc"),
    ] {
        let found = unwrap(&command(text), &place()).unwrap();
        let super::Inner::Command(inner) = &found.inner[0] else { panic!("{text}") };
        assert_eq!(inner.directory, Directory::Known(Path::new(expected).into()), "{text}");
    }
}

#[test]
fn assignments_reach_the_command() {
    let found = unwrap(&command("env A=1 -- B=2 ls"), &place()).unwrap();
    let super::Inner::Command(inner) = &found.inner[0] else { panic!() };
    assert!(inner.assignments.iter().any(|one| one.name == "A"));
}
