use crate::driver::{Place, User};
use crate::{check, full};
use std::fs;

#[test]
fn the_workspace_is_written_and_private_places_stay_private() {
    full(|place| {
        check(&place, "echo x > f && cat f && pwd", &format!("x\n{}", place.workspace().display()));
        assert_eq!(fs::read_to_string(place.path("f")).unwrap(), "x\n");
        for directory in ["/tmp", "/var/tmp", "/run", "/dev/shm", "$HOME"] {
            check(
                &place,
                &format!("echo mine > {directory}/palanca-private && cat {directory}/palanca-private"),
                "mine",
            );
        }
        for directory in ["/tmp", "/var/tmp", "/run", "/dev/shm", "/home/someone"] {
            assert!(!std::path::Path::new(directory).join("palanca-private").exists());
        }
    });
}

#[test]
fn nothing_outside_is_written() {
    full(|place| {
        let other = place.workspace().with_extension("other");
        fs::create_dir(&other).unwrap();
        fs::write(other.join("file"), "theirs").unwrap();
        fs::set_permissions(&other, std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
        let other_name = other.display();
        for script in [
            format!("echo x > {other_name}/new"),
            format!("echo x >> {other_name}/file"),
            format!("cat {other_name}/file"),
            format!("ln -s {other_name}/file l; cat l"),
            format!("cat /proc/1/root{other_name}/file"),
            "echo x > /etc/palanca".to_owned(),
            "echo x > /usr/bin/palanca".to_owned(),
            "echo x > /palanca".to_owned(),
            "chmod 777 /usr/bin/env".to_owned(),
            "touch /usr/bin/env".to_owned(),
            "chmod 000 /dev/null".to_owned(),
            "echo core > /proc/sys/kernel/core_pattern".to_owned(),
            "echo h > /proc/sysrq-trigger".to_owned(),
            "mkdir /sys/fs".to_owned(),
        ] {
            check(&place, &format!("({script}) 2>/dev/null || echo refused"), "refused");
        }
        assert_eq!(fs::read_dir(&other).unwrap().count(), 1);
        fs::remove_dir_all(other).unwrap();
    });
}

#[test]
fn homes_secrets_and_devices_are_not_there() {
    full(|place| {
        check(&place, "ls -A ~ /sys /home | grep -v someone", "/home:\n\n\n/sys:");
        for path in ["/root/.ssh", "/var/lib", "/boot", "/mnt", "/dev/vda", "/dev/kvm", "/dev/vsock", "/proc/vmcore"] {
            check(&place, &format!("test -e {path} || echo absent"), "absent");
        }
        for path in ["/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/ssh/ssh_host_rsa_key", "/proc/kcore"] {
            check(&place, &format!("head -c1 {path} 2>/dev/null | wc -c"), "0");
        }
        check(&place, "head -1 /etc/passwd | cut -d: -f1", "root");
        check(
            &place,
            "ls /dev | tr '\\n' ' '",
            "fd full null ptmx pts random shm stderr stdin stdout tty urandom zero",
        );
    });
}

#[test]
fn masked_paths_are_empty_and_readable_ones_are_read() {
    full(|mut place| {
        place.file(".env", "KEY=canary");
        place.file("secret/deep/key", "canary");
        let tools = tempfile::tempdir().unwrap();
        fs::set_permissions(tools.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        fs::write(tools.path().join("tool"), "tool").unwrap();
        place.masked = vec![place.path(".env"), place.path("secret"), place.path("absent")];
        place.readable = vec![tools.path().to_owned(), "/nonexistent".into()];
        check(&place, "cat .env; ls -A secret; grep -r canary . ; test -e absent || echo none", "none");
        check(
            &place,
            "(echo x > .env; rm -f .env; mv secret s; rm -rf secret; echo x > secret/n) 2>/dev/null; true",
            "",
        );
        let tool = tools.path().display();
        check(
            &place,
            &format!("cat {tool}/tool; echo x > {tool}/tool"),
            &format!("toolsh: 1: cannot create {tool}/tool: Read-only file system"),
        );
        assert_eq!(fs::read_to_string(place.path(".env")).unwrap(), "KEY=canary");
        assert!(place.path("secret/deep/key").exists());
    });
}

#[test]
fn a_home_above_the_workspace_shows_the_workspace_alone() {
    full(|mut place| {
        let home = place.workspace().parent().unwrap().to_owned();
        place.environment.retain(|(name, _)| name != "HOME");
        place.environment.push(("HOME".to_owned(), home.display().to_string()));
        let name = place.workspace().file_name().unwrap().to_str().unwrap().to_owned();
        check(&place, "ls -A ~", &name);
    });
}

#[test]
fn no_file_that_runs_as_its_owner_and_no_device_is_left_behind() {
    full(|place| {
        place.file("f", "");
        for script in
            ["chmod 4755 f", "chmod u+s f", "chmod g+s f", "mknod n c 1 3", "mknod n b 1 0", "install -m 4755 f g"]
        {
            check(&place, &format!("{script} 2>/dev/null || echo refused"), "refused");
        }
        check(&place, "chmod 755 f && chmod 1777 . && mkfifo p && echo fine", "fine");
    });
}

#[test]
fn what_cannot_start_says_why() {
    full(|mut place| {
        let check = |place: &Place, argv: &[&str], expected| {
            let seen = place.run(argv);
            assert_eq!(seen.failed(), Some(expected), "{argv:?}: {seen:?}");
        };
        place.file("plain", "no program");
        check(&place, &["palanca-no-such-program"], ("exec", Some(2)));
        check(&place, &["./absent"], ("exec", Some(2)));
        check(&place, &["./plain"], ("exec", Some(13)));
        check(&place, &[], ("exec", None));
        place.level = "filters";
        check(&place, &["./absent"], ("exec", Some(2)));
        let gone = Place::new(User::Own, "full");
        fs::remove_dir(gone.workspace()).unwrap();
        check(&gone, &["true"], ("plan", Some(2)));
        fs::create_dir(gone.workspace()).unwrap();
    });
}

/// What a container often is: root in a checkout that belongs to somebody else.
#[test]
fn root_works_as_the_owner_of_the_workspace() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
    if !rustix::process::geteuid().is_root() {
        return palanca_testkit::skipped("the workspace of another", "only root can be at work there");
    }
    let place = Place::new(User::Own, "full").protect(&[".git/hooks", "kept"]);
    place.file("src/old", "theirs\n");
    place.file("kept", "kept\n");
    for path in ["", "src", "src/old", "kept"] {
        chown(place.path(path), Some(1001), Some(1001)).unwrap();
    }
    check(
        &place,
        "id -u; id -g; echo new > made; echo more >> src/old; cat src/old; echo seen > /dev/stderr; echo no 2> /dev/null > kept; \
         mkdir .git 2> /dev/null; cat /etc/shadow 2> /dev/null; grep CapEff /proc/self/status",
        "1001\n1001\ntheirs\nmore\nseen\nCapEff:\t0000000000000000",
    );
    assert_eq!(fs::metadata(place.path("made")).unwrap().uid(), 1001);
    assert_eq!(fs::read_to_string(place.path("kept")).unwrap(), "kept\n");
    assert_eq!(fs::metadata("/dev/null").unwrap().uid(), 0);
    assert!(!place.path(".git").exists());
    // Where the owner could not get in, root stays root: it reads what it may.
    let closed = place.path("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    fs::create_dir(closed.join("tools")).unwrap();
    let mut place = place;
    place.readable.push(closed.join("tools"));
    check(&place, "id -u", "0");
}
