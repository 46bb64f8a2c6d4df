use crate::check;
use crate::driver::{Place, users};
use std::fs;

fn filters(test: impl Fn(Place)) {
    users().into_iter().for_each(|user| test(Place::new(user, "filters")));
}

#[test]
fn without_namespaces_files_outside_are_still_out_of_reach() {
    filters(|place| {
        let other = tempfile::tempdir().unwrap();
        fs::write(other.path().join("secret"), "canary").unwrap();
        fs::set_permissions(other.path(), std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
        let name = other.path().display();
        for script in [
            format!("cat {name}/secret"),
            format!("echo x > {name}/new"),
            format!("ln -s {name}/secret l; cat l"),
            "echo x > /tmp/palanca-filters".to_owned(),
            "ls /root".to_owned(),
            "ls /home".to_owned(),
            "cat /proc/$PPID/environ".to_owned(),
            "kill -0 1".to_owned(),
            // The process that watches, and the one that waits for its end.
            "kill -0 $PPID".to_owned(),
            "for one in $(cat /proc/$PPID/task/$PPID/children); do test $one = $$ || kill -0 $one || exit 1; done"
                .to_owned(),
            "mknod n c 1 3".to_owned(),
            "unshare -Ur true".to_owned(),
        ] {
            check(&place, &format!("({script}) 2>/dev/null || echo refused"), "refused");
        }
        check(&place, "echo x > f && cat f && grep ^CapEff /proc/self/status | cut -f2", "x\n0000000000000000");
        assert_eq!(fs::read_dir(other.path()).unwrap().count(), 1);
    });
}

#[test]
fn without_namespaces_protected_paths_that_are_there_stay_and_what_is_beside_them_is_free() {
    filters(|place| {
        for file in [".git/config", ".git/hooks/h", ".git/objects/o", "src/main.c"] {
            place.file(file, "before");
        }
        let place = place.protect(&[".git/config", ".git/hooks", ".mcp.json"]);
        for attack in
            ["echo x > .git/config", "echo x > .git/hooks/new", "rm .git/config", "mv .git g", "rm -r .git/hooks"]
        {
            check(&place, &format!("({attack}) 2>/dev/null || echo refused"), "refused");
        }
        check(&place, "echo x > src/new && echo x > .git/objects/new && rm src/new && echo fine", "fine");
        // The price: nothing new beside what is protected.
        check(&place, "(echo x > new; echo x > .git/index) 2>/dev/null || echo refused", "refused");
        assert_eq!(fs::read_to_string(place.path(".git/config")).unwrap(), "before");
    });
}
