use crate::driver::Place;
use crate::{check, full};

/// Prints one line for each attempt: its name and how it ended.
const ATTEMPTS: &str = include_str!("attempts.c");

fn attempts(place: &Place) -> String {
    let program = palanca_testkit::compiled(env!("CARGO_TARGET_TMPDIR"), "attempts", ATTEMPTS, &[]);
    place.install(&program, "attempts");
    place.run(&["./attempts"]).output
}

#[test]
fn no_capability_is_left_and_none_can_be_had() {
    full(|place| {
        check(
            &place,
            "grep -E '^(Cap|NoNew|Seccomp:)' /proc/self/status | tr -d '\\t' | tr '\\n' ' '",
            "CapInh:0000000000000000 CapPrm:0000000000000000 CapEff:0000000000000000 CapBnd:0000000000000000 \
             CapAmb:0000000000000000 NoNewPrivs:1 Seccomp:2 ",
        );
        for script in [
            "unshare -Ur true",
            "unshare -m true",
            "mount -t tmpfs none /tmp",
            "mount -o remount,rw,bind /",
            "mount -t cgroup2 none /tmp",
            "umount /etc",
            "chroot / true",
            "nsenter -t 1 -m true",
            "su -c true nobody",
        ] {
            check(&place, &format!("{script} 2>/dev/null </dev/null || echo refused"), "refused");
        }
    });
}

#[test]
fn system_calls_are_answered_as_the_table_says() {
    users_of_both_levels(|place| {
        let seen = attempts(&place);
        let mut wrong = Vec::new();
        for line in seen.lines() {
            let (name, outcome) = line.split_once(' ').expect("a name and an outcome");
            let fine = match name.split_once('/').map_or("", |(kind, _)| kind) {
                "denied" => outcome == "EPERM" || outcome == "EACCES",
                // In a network of its own it may; the host's it does not get unasked.
                "own" => outcome == if place.level == "full" { "ok" } else { "EPERM" },
                "absent" => outcome == "ENOSYS",
                "killed" => outcome == "SIGSYS",
                // The terminals in the host's /dev, and unix sockets without a network namespace, are not only the
                // program's own.
                "allowed" => {
                    outcome == "ok" || (matches!(name, "allowed/pty" | "allowed/unix") && place.level == "filters")
                }
                _ => false,
            };
            if !fine {
                wrong.push(line);
            }
        }
        assert!(wrong.is_empty(), "{:?} {}: {wrong:#?}", place.user, place.level);
        assert!(seen.lines().count() > 50, "{seen}");
    });
}

fn users_of_both_levels(test: impl Fn(Place)) {
    for level in ["full", "filters"] {
        for user in crate::users() {
            test(Place::new(user, level));
        }
    }
}

#[test]
fn the_host_s_processes_and_network_are_not_there() {
    full(|place| {
        check(&place, "ls -d /proc/[0-9]* | wc -l | awk '{print ($1 < 8) ? \"few\" : \"many\"}'", "few");
        check(&place, "cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d ' '", "lo");
        check(
            &place,
            "(cat /proc/1/environ || ls /proc/1/fd/ | xargs -I% readlink /proc/1/fd/% || ls /proc/1/root/) 2>/dev/null | head -1",
            "",
        );
        check(&place, "kill -9 1 2>/dev/null || echo refused", "refused");
        check(&place, "kill -9 -1 2>/dev/null; true", "");
    });
}

#[test]
fn nothing_is_inherited_but_three_descriptors() {
    full(|place| {
        check(
            &place,
            "for n in 3 4 5 6 7 8 9 10 11 12 13 251; do test -e /proc/$$/fd/$n && echo $n; done; env | sort | tr '\\n' ' '",
            &format!("HOME=/home/someone PATH=/usr/local/bin:/usr/bin:/bin PWD={} ", place.workspace().display()),
        );
        check(
            &place,
            "ulimit -c; trap; grep -E '^Sig(Blk|Ign)' /proc/self/status | tr -d '\\t' | tr '\\n' ' '",
            "0\nSigBlk:0000000000000000 SigIgn:0000000000000000 ",
        );
    });
}
