//! A network namespace where every address is local, made without any program's help.

use palanca_testkit::skipped;
use std::ffi::CString;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Output};

const INSIDE: &str = "PALANCA_TEST_SPACE";
/// As which resolver everybody in the namespace is asked: a public address, so that no packet to a private one is right.
pub const NAMESERVER: [u8; 4] = [9, 9, 9, 9];

const HOSTS: &str = "127.0.0.1 localhost\n::1 localhost\n127.0.0.1 loopback.hosts.example.com\n\
    10.0.0.7 private.hosts.example.com\n93.184.215.14 public.hosts.example.com\n\
    93.184.215.14 mixed.hosts.example.com\n192.168.3.4 mixed.hosts.example.com\n";

/// Whether the caller is inside a namespace and may go on. Outside, the test that is called `name` is run inside, and its
/// failure is this one's.
pub fn enter(name: &str) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        furnish();
        return true;
    }
    let mut command = again(name);
    let root = unsafe { libc::geteuid() } == 0;
    let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
    let maps =
        [("setgroups", "deny".to_owned()), ("uid_map", format!("0 {user} 1")), ("gid_map", format!("0 {group} 1"))]
            .map(|(file, text)| (CString::new(format!("/proc/self/{file}")).unwrap(), text));
    unsafe {
        command.pre_exec(move || {
            let flags = libc::CLONE_NEWNET | libc::CLONE_NEWNS;
            if root {
                return done(libc::unshare(flags));
            }
            done(libc::unshare(flags | libc::CLONE_NEWUSER))?;
            for (file, text) in &maps {
                let file = libc::open(file.as_ptr(), libc::O_WRONLY);
                done(file)?;
                let written = libc::write(file, text.as_ptr().cast(), text.len());
                done(written as libc::c_int)?;
                done(libc::close(file))?;
            }
            Ok(())
        });
    }
    match command.output() {
        Err(error)
            if matches!(error.raw_os_error(), Some(libc::EPERM | libc::EACCES | libc::ENOSPC | libc::ENOSYS)) =>
        {
            skipped(name, &format!("no network namespace can be made here: {error}"));
        }
        output => passed(name, output),
    }
    false
}

/// Whether the caller has a process to itself and may go on. Otherwise the test that is called `name` is run in one, and
/// its failure is this one's.
pub fn child(name: &str) -> bool {
    let inside = std::env::var_os(INSIDE).is_some();
    if !inside {
        passed(name, again(name).output());
    }
    inside
}

fn again(name: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", name, "--include-ignored", "--nocapture", "--test-threads", "1"]).env(INSIDE, "1");
    command
}

fn passed(name: &str, output: io::Result<Output>) {
    let output = output.unwrap_or_else(|error| panic!("{name}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && text.contains("test result: ok. 1 passed"),
        "inside: {}\n{text}\n{errors}",
        output.status
    );
    eprintln!("{errors}");
}

fn done(result: libc::c_int) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Names are asked of a server of our own, `lo` is up, and every address of both families is this machine's.
fn furnish() {
    let private = unsafe {
        libc::mount(
            c"none".as_ptr(),
            c"/".as_ptr(),
            std::ptr::null(),
            libc::MS_REC | libc::MS_PRIVATE,
            std::ptr::null(),
        )
    };
    done(private).expect("a private mount namespace");
    let folder = std::env::temp_dir().join(format!("palanca-door-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let [a, b, c, d] = NAMESERVER;
    put(&folder, "/etc/resolv.conf", &format!("nameserver {a}.{b}.{c}.{d}\noptions timeout:2 attempts:1\n"));
    put(&folder, "/etc/hosts", HOSTS);
    put(&folder, "/etc/nsswitch.conf", "hosts: files dns\n");
    std::fs::remove_dir_all(&folder).unwrap();
    up();
    route(libc::AF_INET);
    route(libc::AF_INET6);
}

/// Covers a file with another text. The mount outlives the file's name.
fn put(folder: &Path, file: &str, text: &str) {
    let Ok(target) = std::fs::canonicalize(file) else { return };
    let source = folder.join(target.file_name().unwrap());
    std::fs::write(&source, text).unwrap();
    let path = |path: &Path| CString::new(path.to_str().unwrap()).unwrap();
    let (from, to) = (path(&source), path(&target));
    let mounted = unsafe { libc::mount(from.as_ptr(), to.as_ptr(), std::ptr::null(), libc::MS_BIND, std::ptr::null()) };
    done(mounted).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert_eq!(std::fs::read_to_string(file).unwrap(), text);
}

fn up() {
    unsafe {
        let socket = libc::socket(libc::AF_INET, libc::SOCK_DGRAM, 0);
        done(socket).unwrap();
        let mut request: libc::ifreq = std::mem::zeroed();
        request.ifr_name[0] = b'l' as libc::c_char;
        request.ifr_name[1] = b'o' as libc::c_char;
        request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
        done(libc::ioctl(socket, libc::SIOCSIFFLAGS as _, &request)).expect("lo comes up");
        libc::close(socket);
    }
}

const LOOPBACK: u32 = 1;

/// `ip route add local 0.0.0.0/0 dev lo`, or the same for `::/0`, as one netlink message.
fn route(family: libc::c_int) {
    let flags = (libc::NLM_F_REQUEST | libc::NLM_F_ACK | libc::NLM_F_CREATE) as u16;
    let mut message = Vec::new();
    message.extend_from_slice(&36_u32.to_ne_bytes());
    message.extend_from_slice(&libc::RTM_NEWROUTE.to_ne_bytes());
    message.extend_from_slice(&flags.to_ne_bytes());
    message.extend_from_slice(&1_u32.to_ne_bytes());
    message.extend_from_slice(&0_u32.to_ne_bytes());
    let scope = if family == libc::AF_INET { libc::RT_SCOPE_HOST } else { libc::RT_SCOPE_UNIVERSE };
    // Family, lengths of destination and source, type of service, table, origin, scope, kind; then four bytes of flags.
    message.extend_from_slice(&[family as u8, 0, 0, 0, libc::RT_TABLE_LOCAL, 3, scope, libc::RTN_LOCAL, 0, 0, 0, 0]);
    message.extend_from_slice(&8_u16.to_ne_bytes());
    message.extend_from_slice(&libc::RTA_OIF.to_ne_bytes());
    message.extend_from_slice(&LOOPBACK.to_ne_bytes());
    assert_eq!(message.len(), 36);
    unsafe {
        let socket = libc::socket(libc::AF_NETLINK, libc::SOCK_RAW, libc::NETLINK_ROUTE);
        done(socket).unwrap();
        let sent = libc::send(socket, message.as_ptr().cast(), message.len(), 0);
        done(sent as libc::c_int).unwrap();
        let mut answer = [0_u8; 1024];
        let received = libc::recv(socket, answer.as_mut_ptr().cast(), answer.len(), 0);
        done(received as libc::c_int).unwrap();
        libc::close(socket);
        let kind = u16::from_ne_bytes([answer[4], answer[5]]);
        let error = i32::from_ne_bytes([answer[16], answer[17], answer[18], answer[19]]);
        assert_eq!((i32::from(kind), error), (libc::NLMSG_ERROR, 0), "no local route for family {family}");
    }
}
