//! Every packet on `lo`, by where it goes, but the middles of connections: there is none without its first packet, and at full
//! speed no listener keeps up with them. A mark that is sent after the last packet says when all have been seen, so that
//! nothing has to wait for a time.

use palanca_testkit::PATIENCE;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::mpsc::{Receiver, channel};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The first packet of a connection.
    TcpBegin,
    /// An answer to it, or an end.
    Tcp,
    Udp,
    Other(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Packet {
    pub kind: Kind,
    /// Port 0 where the protocol has none.
    pub to: SocketAddr,
}

pub struct Capture {
    packets: Receiver<Packet>,
    socket: libc::c_int,
    marks: UdpSocket,
}

const PACKET_STATISTICS: libc::c_int = 6;
const PACKET_IGNORE_OUTGOING: libc::c_int = 23;

/// Not TCP, or TCP with one of the flags FIN, SYN and RST: what is accepted, in the kernel's filter language.
const FILTER: [(u16, u8, u8, u32); 14] = [
    (0x28, 0, 0, 12),     //  0 the frame's kind
    (0x15, 0, 5, 0x0800), //  1 IPv4, or to 7
    (0x30, 0, 0, 23),     //  2 the protocol
    (0x15, 0, 8, 6),      //  3 TCP, or accept
    (0xb1, 0, 0, 14),     //  4 the length of the header
    (0x50, 0, 0, 27),     //  5 the flags
    (0x05, 0, 0, 4),      //  6 to 11
    (0x15, 0, 5, 0x86dd), //  7 IPv6, or refuse
    (0x30, 0, 0, 20),     //  8 the protocol
    (0x15, 0, 2, 6),      //  9 TCP, or accept
    (0x30, 0, 0, 67),     // 10 the flags
    (0x45, 0, 1, 7),      // 11 one of the three, or refuse
    (0x06, 0, 0, 256),    // 12 accept
    (0x06, 0, 0, 0),      // 13 refuse
];

/// Where marks go; no test has business there.
const MARK: Ipv4Addr = Ipv4Addr::new(1, 2, 3, 4);
static NEXT_MARK: AtomicU16 = AtomicU16::new(20_000);

impl Capture {
    pub fn start() -> Self {
        let all = (libc::ETH_P_ALL as u16).to_be();
        let socket = unsafe { libc::socket(libc::AF_PACKET, libc::SOCK_RAW, i32::from(all)) };
        assert!(socket >= 0, "no packet socket: {}", std::io::Error::last_os_error());
        let room: libc::c_int = 64 << 20;
        unsafe {
            let mut address: libc::sockaddr_ll = std::mem::zeroed();
            address.sll_family = libc::AF_PACKET as u16;
            address.sll_protocol = all;
            address.sll_ifindex = 1;
            let mut filter = FILTER.map(|(code, jt, jf, k)| libc::sock_filter { code, jt, jf, k });
            let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
            let size = size_of_val(&program) as u32;
            let at = (&raw const program).cast();
            assert_eq!(libc::setsockopt(socket, libc::SOL_SOCKET, libc::SO_ATTACH_FILTER, at, size), 0);
            // On this device every packet that leaves also arrives.
            let on: libc::c_int = 1;
            let size = size_of_val(&on) as u32;
            libc::setsockopt(socket, libc::SOL_PACKET, PACKET_IGNORE_OUTGOING, (&raw const on).cast(), size);
            let bound = libc::bind(socket, (&raw const address).cast(), size_of_val(&address) as u32);
            assert_eq!(bound, 0, "{}", std::io::Error::last_os_error());
            // ignored: only root has this one, and what is lost is found out below.
            let size = size_of_val(&room) as u32;
            libc::setsockopt(socket, libc::SOL_SOCKET, libc::SO_RCVBUFFORCE, (&raw const room).cast(), size);
        }
        let (send, packets) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0_u8; 256];
            loop {
                let count = unsafe { libc::recv(socket, bytes.as_mut_ptr().cast(), bytes.len(), 0) };
                let Ok(count) = usize::try_from(count) else { return };
                if let Some(packet) = read(&bytes[..count])
                    && send.send(packet).is_err()
                {
                    return;
                }
            }
        });
        let marks = UdpSocket::bind("0.0.0.0:0").unwrap();
        Self { packets, socket, marks }
    }

    /// The packets since the last call, each destination once, in order.
    pub fn take(&self) -> Vec<Packet> {
        let port = NEXT_MARK.fetch_add(1, Ordering::Relaxed);
        let mark = SocketAddr::from((MARK, port));
        // ignored: nobody listens there, as an earlier mark may have told.
        while self.marks.send_to(b"", mark).is_err() {}
        let mut seen = Vec::new();
        loop {
            let packet = self.packets.recv_timeout(PATIENCE).expect("the mark is seen");
            if packet.to == mark {
                break;
            }
            if packet.to.ip() != IpAddr::V4(MARK) && !(matches!(packet.kind, Kind::Other(_)) && is_error(&packet)) {
                seen.push(packet);
            }
        }
        self.nothing_was_lost();
        seen.sort_unstable();
        seen.dedup();
        seen
    }

    fn nothing_was_lost(&self) {
        #[repr(C)]
        struct Statistics {
            packets: u32,
            drops: u32,
        }
        let mut statistics = Statistics { packets: 0, drops: 0 };
        let mut size = size_of::<Statistics>() as u32;
        let asked = unsafe {
            let at = (&raw mut statistics).cast();
            libc::getsockopt(self.socket, libc::SOL_PACKET, PACKET_STATISTICS, at, &raw mut size)
        };
        assert_eq!((asked, statistics.drops), (0, 0), "packets were not seen");
    }
}

/// A "port unreachable" that answers a mark comes back to where marks are sent from.
fn is_error(packet: &Packet) -> bool {
    packet.kind == Kind::Other(1) && packet.to.ip() == IpAddr::V4(MARK)
}

/// An Ethernet frame's destination.
fn read(frame: &[u8]) -> Option<Packet> {
    let word = |at: usize| Some(u16::from_be_bytes([*frame.get(at)?, *frame.get(at + 1)?]));
    let (protocol, to, transport) = match word(12)? {
        0x0800 => {
            let to: [u8; 4] = frame.get(30..34)?.try_into().ok()?;
            (*frame.get(23)?, IpAddr::V4(Ipv4Addr::from(to)), 14 + usize::from(frame.get(14)? & 15) * 4)
        }
        0x86dd => {
            let to: [u8; 16] = frame.get(38..54)?.try_into().ok()?;
            (*frame.get(20)?, IpAddr::V6(Ipv6Addr::from(to)), 54)
        }
        _ => return None,
    };
    let (kind, port) = match protocol {
        6 => {
            let flags = frame.get(transport + 13)?;
            let begins = flags & 0x12 == 0x02;
            (if begins { Kind::TcpBegin } else { Kind::Tcp }, word(transport + 2)?)
        }
        17 => (Kind::Udp, word(transport + 2)?),
        other => (Kind::Other(other), 0),
    };
    Some(Packet { kind, to: SocketAddr::new(to, port) })
}
