//! What of the host a program in the sandbox would like to reach: files, sockets, a process, shared memory.

use crate::driver::{ORDINARY, User};
use std::fs::{self, Permissions};
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// All of it open to the user who tries: only the sandbox is in between.
pub struct Host {
    directory: TempDir,
    tcp: TcpListener,
    udp: Option<UdpSocket>,
    path: UnixListener,
    datagram: UnixDatagram,
    name: UnixListener,
    process: Child,
    memory: Option<String>,
}

impl Host {
    pub fn new(user: User) -> Self {
        let directory = TempDir::new().expect("a directory");
        fs::set_permissions(directory.path(), Permissions::from_mode(0o777)).expect("its mode");
        for name in ["secret", "moved", "gone"] {
            let file = directory.path().join(name);
            fs::write(&file, "canary").expect("a file");
            fs::set_permissions(&file, Permissions::from_mode(0o666)).expect("its mode");
            give(user, &file);
        }
        let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = tcp.local_addr().expect("its number").port();
        let path = UnixListener::bind(directory.path().join("socket")).expect("a socket");
        let datagram = UnixDatagram::bind(directory.path().join("datagram")).expect("a socket");
        for name in ["socket", "datagram"] {
            fs::set_permissions(directory.path().join(name), Permissions::from_mode(0o777)).expect("its mode");
        }
        let name = SocketAddr::from_abstract_name(format!("palanca-escape-{port}")).expect("a name");
        Self {
            udp: UdpSocket::bind(("127.0.0.1", port)).ok(),
            name: UnixListener::bind_addr(&name).expect("a socket"),
            process: as_user(user, Command::new("sleep").arg("1000")).spawn().expect("a process"),
            memory: shared_memory(user),
            directory,
            tcp,
            path,
            datagram,
        }
    }

    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// As the probes want to be told.
    pub fn arguments(&self) -> Vec<String> {
        let port = self.tcp.local_addr().expect("a port").port();
        let memory = self.memory.clone().unwrap_or_else(|| "-1".to_owned());
        let directory = self.directory().display().to_string();
        vec![directory, port.to_string(), self.process.id().to_string(), memory]
    }

    /// Whether somebody called it, or sent it something, by its addresses.
    pub fn was_called(&self) -> bool {
        self.tcp.set_nonblocking(true).expect("its mode");
        let told = self.udp.as_ref().is_some_and(|udp| {
            udp.set_nonblocking(true).expect("its mode");
            udp.recv(&mut [0; 1]).is_ok()
        });
        told || self.tcp.accept().is_ok()
    }

    pub fn shares_memory(&self) -> bool {
        self.memory.is_some()
    }

    /// What is in the directory, with modes and contents.
    pub fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.directory()).expect("a directory").flatten();
        let mut found: Vec<String> = entries
            .map(|entry| {
                let mode = entry.metadata().expect("its facts").permissions().mode();
                let text = fs::read_to_string(entry.path()).unwrap_or_default();
                format!("{} {mode:o} {text}", entry.file_name().display())
            })
            .collect();
        found.sort();
        found
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        if let Some(memory) = &self.memory {
            let _ = Command::new("ipcrm").args(["-m", memory]).stderr(Stdio::null()).status();
        }
    }
}

/// A command that runs as this user.
pub fn as_user(user: User, command: &mut Command) -> &mut Command {
    if user == User::Ordinary { command.uid(ORDINARY).gid(ORDINARY) } else { command }
}

pub fn give(user: User, path: &Path) {
    if user == User::Ordinary {
        chown(path, Some(ORDINARY), Some(ORDINARY)).expect("an owner");
    }
}

/// Its number.
fn shared_memory(user: User) -> Option<String> {
    let made = as_user(user, Command::new("ipcmk").args(["-M", "4096"])).output().ok()?;
    let text = String::from_utf8(made.stdout).ok()?;
    Some(text.trim().rsplit(' ').next()?.to_owned())
}
