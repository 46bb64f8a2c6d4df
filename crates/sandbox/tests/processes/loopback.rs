//! The loopback of a program's own network: it works as on any machine, and leads to nobody else.

use crate::space::{Space, limits, script, text};
use palanca_core::call::Network;
use palanca_core::ports::Finished;
use palanca_sandbox::Level;
use palanca_testkit::PATIENCE;
use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};

/// Serves and calls itself in every way, then tries to leave; prints what worked.
const TALKS: &str = r#"
import socket, sys, threading, http.server, urllib.request
def can(name, act):
    try:
        act(); print(name)
    except OSError as error:
        print(f"{name}: {error}", file=sys.stderr)
def tcp(family, bound, called):
    server = socket.socket(family, 1); server.bind((bound, 0)); server.listen()
    client = socket.socket(family, 1); client.connect((called, server.getsockname()[1])); client.sendall(b"own")
    assert server.accept()[0].recv(3) == b"own"
def udp(family, address):
    server = socket.socket(family, 2); server.bind((address, 0))
    socket.socket(family, 2).sendto(b"own", server.getsockname())
    assert server.recv(3) == b"own"
def web():
    server = http.server.ThreadingHTTPServer(("localhost", 0), http.server.SimpleHTTPRequestHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    assert urllib.request.urlopen(f"http://localhost:{server.server_port}/").status == 200
    server.shutdown()
def later():
    server = socket.create_server(("127.0.0.1", 0)); client = socket.socket(); client.setblocking(False)
    client.connect_ex(server.getsockname()); assert server.accept()
def out(kind, address):
    s = socket.socket(socket.AF_INET6 if ":" in address[0] else socket.AF_INET, kind)
    s.connect(address); s.send(b"leak")
four, six = socket.AF_INET, socket.AF_INET6
can("tcp", lambda: tcp(four, "127.0.0.1", "127.0.0.1"))
can("everywhere", lambda: tcp(four, "0.0.0.0", "127.9.9.9"))
can("udp", lambda: udp(four, "127.0.0.1"))
can("tcp6", lambda: tcp(six, "::1", "::1"))
can("both", lambda: tcp(six, "::", "::ffff:127.0.0.1"))
can("udp6", lambda: udp(six, "::1"))
can("web", web)
can("later", later)
can("privileged", lambda: socket.socket().bind(("127.0.0.1", 997)))
can("raw", lambda: socket.socket(four, 3))
can("netlink", lambda: socket.socket(16, 3))
can("packet", lambda: socket.socket(17, 3))
for host in ("127.0.0.1", "::1", "0.0.0.0"):
    can("host-tcp", lambda: out(1, (host, int(sys.argv[1]))))
for host in ("192.0.2.1", "2001:db8::1", "8.8.8.8", "169.254.169.254", "255.255.255.255", "224.0.0.1", "ff02::1"):
    can("away-tcp", lambda: out(1, (host, 80)))
    can("away-udp", lambda: out(2, (host, 53)))
can("sent", lambda: socket.socket(four, 2).sendto(b"leak", ("127.0.0.1", int(sys.argv[2]))) and None)
socket.create_connection(("127.0.0.1", 1))
"#;
const WORKS: &str = "tcp everywhere udp tcp6 both udp6 web later sent";

fn notes(finished: &Finished) -> Vec<&str> {
    finished.notes.iter().map(palanca_core::Message::key).collect()
}

#[test]
fn a_program_serves_and_calls_itself_and_nothing_leaves() {
    let space = Space::new();
    let level = space.door().level();
    if level == Level::None {
        return;
    }
    std::fs::write(space.path("ws/talks.py"), TALKS).unwrap();
    let (tcp, udp) = (TcpListener::bind("0.0.0.0:0").unwrap(), UdpSocket::bind("0.0.0.0:0").unwrap());
    let port = tcp.local_addr().unwrap().port();
    // Where the machine has the newer protocol at all.
    let six = TcpListener::bind(("::1", port));
    let line = format!("python3 talks.py {port} {}", udp.local_addr().unwrap().port());
    let seen = space.sh(&line);
    let words = text(&seen.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    let told = text(&seen.stderr);
    match level {
        Level::Full if six.is_ok() => assert_eq!(words, WORKS, "{told}"),
        Level::Full => assert_eq!(words, WORKS.replace("tcp6 both udp6 ", ""), "{told}"),
        _ => assert_eq!(words, "", "{told}"),
    }
    // It says why to whoever wonders.
    let expected = if level == Level::Full { "network-alone" } else { "network-no-sockets" };
    assert_eq!(notes(&seen), [expected], "{told}");
    tcp.set_nonblocking(true).unwrap();
    udp.set_nonblocking(true).unwrap();
    assert_eq!(tcp.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "{told}");
    assert_eq!(udp.recv(&mut [0; 8]).unwrap_err().kind(), ErrorKind::WouldBlock, "{told}");
    if let Ok(six) = six {
        six.set_nonblocking(true).unwrap();
        assert_eq!(six.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "{told}");
    }
}

#[test]
fn two_programs_have_two_loopbacks() {
    let space = Space::new();
    if space.door().level() != Level::Full {
        return crate::space::without("a loopback for each program", "only where each has a network of its own");
    }
    let serve = "import socket, time, os; s = socket.create_server(('127.0.0.1', 4567)); open('ready', 'w').close()\n\
                 while not os.path.exists('tried'): time.sleep(0.01)\n\
                 s.setblocking(False); s.accept()";
    let call = "import socket, os, time\n\
                while not os.path.exists('ready'): time.sleep(0.01)\n\
                try: socket.create_connection(('127.0.0.1', 4567)); print('reached')\n\
                finally: open('tried', 'w').close()";
    std::fs::write(space.path("ws/serve.py"), serve).unwrap();
    std::fs::write(space.path("ws/call.py"), call).unwrap();
    let (client, server) = std::thread::scope(|scope| {
        let server = scope.spawn(|| space.sh("python3 serve.py"));
        (space.sh("python3 call.py"), server.join().unwrap())
    });
    for ended in [&server, &client] {
        assert!(!text(&ended.stdout).contains("reached"), "{}", text(&ended.stdout));
    }
    assert!(text(&client.stderr).contains("ConnectionRefused"), "{}", text(&client.stderr));
    assert!(text(&server.stderr).contains("BlockingIOError"), "{}", text(&server.stderr));
}

#[test]
fn with_the_network_who_cannot_listen_is_told_why() {
    let space = Space::new();
    if space.door().level() == Level::None {
        return;
    }
    let mut launch = script("python3 -c 'import socket; socket.create_server((\"127.0.0.1\", 0))'");
    launch.network = Network::Open;
    let seen = space.run(&launch, limits(PATIENCE)).unwrap();
    assert_eq!(notes(&seen), ["network-no-listening"], "{}", text(&seen.stderr));
}
