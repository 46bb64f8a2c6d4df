use crate::driver::Place;
use crate::full;
use std::process::{Command, Stdio};

/// What developers do all day. A program that this machine lacks is left out; the shell's own must be there.
const WORK: [(&str, &str, &str); 11] = [
    (
        "git",
        "git init -q r && cd r && git config user.email a@b && git config user.name a && echo x > f && git add f && git commit -qm x && git log --oneline | wc -l",
        "1",
    ),
    ("cc", "printf '#include <stdio.h>\\nint main(){puts(\"hi\");}' > a.c && cc -o a a.c && ./a", "hi"),
    (
        "python3",
        "python3 -c 'import multiprocessing as m\nif __name__ == \"__main__\":\n  print(sum(m.Pool(2).map(abs, range(10))))'",
        "45",
    ),
    (
        "python3",
        "python3 -c 'import threading,socket\na,b=socket.socketpair()\nt=threading.Thread(target=lambda:a.send(b\"x\"));t.start();t.join();print(b.recv(1))'",
        "b'x'",
    ),
    ("python3", "python3 -c 'import pty,os\nprint(pty.spawn([\"sh\",\"-c\",\"test -t 0\"]))'", "0"),
    ("node", "node -e 'console.log([1,2].map(x=>x*2).join())'", "2,4"),
    ("make", "printf 'a: b\\n\\tcp b a\\nb:\\n\\techo x > b\\n' > Makefile && make -s && cat a", "x"),
    ("sort", "seq 200000 | sort -R | sort -n | tail -1", "200000"),
    ("xargs", "seq 20 | xargs -P4 -n1 echo | wc -l", "20"),
    ("tar", "mkdir d && echo x > d/f && tar czf d.tgz d && rm -r d && tar xzf d.tgz && cat d/f", "x"),
    (
        "sh",
        "cp /bin/true /tmp/t && /tmp/t && echo x | tee /dev/stderr 2>/dev/null && cat <<E\nhere\nE\ndate >/dev/null; mktemp -u | cut -c1-9",
        "x\nhere\n/tmp/tmp.",
    ),
];

#[test]
fn ordinary_work_is_done() {
    full(|place| {
        for (program, script, expected) in WORK {
            if !there(program) {
                palanca_testkit::skipped(program, "not where the sandbox shows programs");
                continue;
            }
            let place = Place::new(place.user, "full");
            let seen = place.sh(script);
            assert_eq!(seen.output.trim_end(), expected, "{program} as {:?}: {:?}", place.user, seen.report);
        }
    });
}

/// In a place that the sandbox shows.
fn there(program: &str) -> bool {
    let path = "/usr/local/bin:/usr/bin:/bin";
    let found = Command::new("/bin/sh")
        .args(["-c", "command -v \"$1\"", "-", program])
        .env("PATH", path)
        .stdout(Stdio::null())
        .status();
    found.is_ok_and(|status| status.success())
}
