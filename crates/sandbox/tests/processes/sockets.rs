//! Unix sockets: a program reaches those of the workspace and its own, and no other, by whatever name.

use crate::space::{Space, limits, script, text};
use palanca_core::call::Network;
use palanca_testkit::PATIENCE;
use std::fs::Permissions;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};

/// Tries a path in every way that there is, and prints the names of those that reached somebody.
const TRIES: &str = r#"
import socket, sys, threading
U = socket.AF_UNIX
path = sys.argv[1].replace("@", "\0", 1)
def stream(kind):
    s = socket.socket(U, kind); s.connect(path); s.sendall(b"leak")
def later():
    s = socket.socket(U, 1); s.setblocking(False); s.connect(path); s.setblocking(True); s.sendall(b"leak")
def sent(make, send):
    send(make())
single = lambda kind: socket.socket(U, kind)
pair = lambda kind: socket.socketpair(U, kind)[0]
ways = {"stream": lambda: stream(1), "seqpacket": lambda: stream(5), "nonblocking": later}
for name, make in {"single": single, "pair": pair}.items():
    for kind in (1, 2, 3, 5):
        ways[f"sendto-{name}-{kind}"] = lambda make=make, kind=kind: make(kind).sendto(b"leak", path)
        ways[f"sendmsg-{name}-{kind}"] = lambda make=make, kind=kind: make(kind).sendmsg([b"leak"], [], 0, path)
        ways[f"connect-{name}-{kind}"] = lambda make=make, kind=kind: (lambda s: (s.connect(path), s.send(b"leak")))(make(kind))
for name, way in ways.items():
    try:
        way(); print(name)
    except OSError:
        pass
"#;

/// Talks to itself over a socket at this path.
const OWN: &str = r#"
import socket, sys
s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen()
c = socket.socket(socket.AF_UNIX); c.connect(sys.argv[1]); c.sendall(b"own")
print(s.accept()[0].recv(3).decode())
"#;

#[test]
fn no_socket_outside_is_reached_and_those_of_the_workspace_are() {
    let space = Space::with(|settings| {
        let tools = settings.workspace.parent().unwrap().join("tools");
        std::fs::create_dir_all(&tools).unwrap();
        settings.readable = vec![tools.canonicalize().unwrap()];
    });
    if !space.door().supervises() || space.door().level() != palanca_sandbox::Level::Full {
        return crate::space::without("sockets by path", "only where writes are asked for, in namespaces");
    }
    let tools = space.path("tools").canonicalize().unwrap();
    let open = |path: &std::path::Path| std::fs::set_permissions(path, Permissions::from_mode(0o777)).unwrap();
    let (stream, datagram) = (tools.join("stream"), tools.join("datagram"));
    let streams = UnixListener::bind(&stream).unwrap();
    let datagrams = UnixDatagram::bind(&datagram).unwrap();
    let name = format!("palanca-sockets-{}", std::process::id());
    let abstracts = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    [&streams, &abstracts].into_iter().for_each(|listener| listener.set_nonblocking(true).unwrap());
    datagrams.set_nonblocking(true).unwrap();
    [&stream, &datagram].into_iter().for_each(|path| open(path));
    symlink(&stream, space.path("ws/link")).unwrap();
    symlink(&tools, space.path("ws/folder")).unwrap();
    std::fs::write(space.path("ws/tries.py"), TRIES).unwrap();
    std::fs::write(space.path("ws/own.py"), OWN).unwrap();
    let (stream, datagram) = (stream.display().to_string(), datagram.display().to_string());
    let root = format!("/proc/self/root{stream}");
    let away = format!("@{name}");
    for network in [Network::None, Network::Open] {
        let run = |command: &str| {
            let mut launch = script(command);
            launch.network = network;
            space.run(&launch, limits(PATIENCE)).unwrap()
        };
        for path in [&*stream, &*datagram, &*root, &*away, "link", "folder/stream", "../ws/link", "folder/datagram"] {
            let seen = run(&format!("python3 tries.py '{path}'"));
            assert_eq!(text(&seen.stdout), "", "{network:?} {path}: {}", text(&seen.stderr));
        }
        assert_eq!(streams.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
        assert_eq!(abstracts.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
        assert_eq!(datagrams.recv(&mut [0; 9]).unwrap_err().kind(), ErrorKind::WouldBlock);
        for own in ["socket", "$TMPDIR/socket", "$PWD/absolute"] {
            // With network a program is not called, but it may call.
            let seen = run(&format!("rm -f socket absolute; python3 own.py {own}"));
            let expected = if network == Network::None { "own\n" } else { "" };
            assert_eq!(text(&seen.stdout), expected, "{network:?} {own}: {}", text(&seen.stderr));
        }
    }
    let given = UnixListener::bind(space.path("ws/given")).unwrap();
    open(&space.path("ws/given"));
    let seen = space.sh("python3 tries.py given");
    assert_eq!(text(&seen.stdout), "stream\nnonblocking\nconnect-single-1\n", "{}", text(&seen.stderr));
    assert!(seen.written.refused.is_empty(), "{:?}", seen.written);
    drop(given);
}

#[test]
fn with_network_a_program_connects_as_before() {
    let space = Space::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let source = format!(
        "import socket,select\n\
         a=socket.create_connection(('127.0.0.1',{port}))\n\
         b=socket.socket(); b.setblocking(False); print(b.connect_ex(('127.0.0.1',{port})) in (0,115))\n\
         select.select([],[b],[]); print(b.getsockopt(socket.SOL_SOCKET,socket.SO_ERROR))\n\
         c=socket.socket(); print(c.connect_ex(('127.0.0.1',1)))\n\
         d=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); d.connect(('127.0.0.1',9)); print('udp')\n"
    );
    std::fs::write(space.path("ws/connects.py"), source).unwrap();
    let mut launch = script("python3 connects.py");
    launch.network = Network::Open;
    let seen = space.run(&launch, limits(PATIENCE)).unwrap();
    assert_eq!(text(&seen.stdout), "True\n0\n111\nudp\n", "{}", text(&seen.stderr));
}
