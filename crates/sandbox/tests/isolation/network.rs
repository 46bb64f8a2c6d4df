use crate::driver::{Network, Place};
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};

/// Prints a word for each kind of socket that can be made, and for what can be done with them.
const SOCKETS: &str = r#"
import socket, sys
inet, unix = socket.AF_INET, socket.AF_UNIX
def can(name, act):
    try:
        act()
        print(name)
    except OSError:
        pass
def abstract(kind):
    socket.socket(unix, kind).connect("\0" + sys.argv[2])
def pair():
    one, other = socket.socketpair(unix, socket.SOCK_DGRAM)
    one.sendto(b"x", "\0" + sys.argv[2] + "-datagram")
can("tcp", lambda: socket.socket(inet, 1))
can("tcp6", lambda: socket.socket(socket.AF_INET6, 1))
can("udp", lambda: socket.socket(inet, 2))
can("called", lambda: socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5))
can("raw", lambda: socket.socket(inet, 3))
can("icmp", lambda: socket.socket(inet, 2, 1))
can("sctp", lambda: socket.socket(inet, 1, 132))
can("mptcp", lambda: socket.socket(inet, 1, 262))
can("netlink", lambda: socket.socket(16, 3))
can("packet", lambda: socket.socket(17, 3))
can("vsock", lambda: socket.socket(40, 1))
can("crypto", lambda: socket.socket(38, 5))
can("listens", lambda: (lambda s: (s.bind(("127.0.0.1", 0)), s.listen()))(socket.socket(inet, 1)))
can("listens-unbound", lambda: socket.socket(inet, 1).listen())
can("low-tcp", lambda: socket.socket(inet, 1).bind(("127.0.0.1", 997)))
can("low-udp", lambda: socket.socket(inet, 2).bind(("127.0.0.1", 997)))
can("abstract", lambda: abstract(1))
can("abstract-datagram", pair)
can("nameserver", lambda: open("/etc/resolv.conf"))
"#;

#[test]
fn with_network_a_program_calls_and_is_not_called() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let name = format!("palanca-test-{}", std::process::id());
    let _abstract = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    let datagrams = SocketAddr::from_abstract_name(format!("{name}-datagram")).unwrap();
    let _datagrams = std::os::unix::net::UnixDatagram::bind_addr(&datagrams).unwrap();
    for level in ["full", "filters"] {
        for user in crate::users() {
            // In a network of its own a program is alone, and may do what it likes there.
            let own = if level == "full" { "tcp tcp6 udp listens listens-unbound nameserver" } else { "nameserver" };
            for (network, expected) in [(Network::Open, "tcp tcp6 udp called nameserver"), (Network::None, own)] {
                let mut place = Place::new(user, level);
                place.network = network;
                place.file("sockets.py", SOCKETS);
                let seen = place.run(&["/usr/bin/python3", "sockets.py", &port, &name]);
                let words = seen.output.split_whitespace().collect::<Vec<_>>().join(" ");
                assert_eq!(words, expected, "{user:?} {level} {network:?}: {:?}", seen.report);
            }
        }
    }
}
