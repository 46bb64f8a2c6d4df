//! The world's servers: one of names, and web servers behind every address on the ports that a test names.

use palanca_testkit::PATIENCE;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::collections::{HashMap, HashSet, VecDeque};
use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::os::fd::{AsRawFd as _, FromRawFd as _};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const CA: &[u8] = include_bytes!("../data/tls/ca.der");
pub const LEAF: &[u8] = include_bytes!("../data/tls/leaf.der");
pub const KEY: &[u8] = include_bytes!("../data/tls/leaf.key.der");

/// What a web server does with the next request.
#[derive(Clone, Debug)]
pub enum Reply {
    Redirect(String),
    /// Head without its last line, and body; the connection ends.
    Whole(String, Vec<u8>),
    /// The same, and the body again and again until the other side has enough.
    Endless(String, Vec<u8>),
    /// A byte of the body every ten milliseconds, for ever.
    Drip(String),
    Silence,
    Reset,
}

impl Reply {
    pub fn page(text: &str) -> Self {
        Self::Whole(format!("200 OK\r\nContent-Type: text/html\r\nContent-Length: {}", text.len()), text.into())
    }
}

#[derive(Default)]
pub struct Script {
    /// What a name leads to: one set of addresses for every time that it is asked for, the last one for ever.
    pub names: HashMap<String, VecDeque<Vec<IpAddr>>>,
    /// The replies in order; then the page `played`.
    pub replies: VecDeque<Reply>,
    pub log: Vec<Received>,
    pub asked: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Received {
    /// The address that the client meant.
    pub at: SocketAddr,
    pub head: String,
}

pub type Shared = Arc<Mutex<Script>>;

pub fn authority() -> CertificateDer<'static> {
    CertificateDer::from(CA.to_vec())
}

pub fn names(script: Shared) {
    let socket = UdpSocket::bind("0.0.0.0:53").unwrap();
    thread::spawn(move || {
        let mut turns: HashMap<(String, u16), usize> = HashMap::new();
        let mut question = [0_u8; 512];
        while let Ok((count, from)) = socket.recv_from(&mut question) {
            if let Some(answer) = answer(&question[..count], &script, &mut turns) {
                socket.send_to(&answer, from).unwrap();
            }
        }
    });
}

const DEFAULT: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(93, 184, 215, 14));

/// RFC 1035: one question, its addresses of that family, for no time at all.
fn answer(question: &[u8], script: &Shared, turns: &mut HashMap<(String, u16), usize>) -> Option<Vec<u8>> {
    let mut at = 12;
    let mut labels = Vec::new();
    loop {
        let length = usize::from(*question.get(at)?);
        if length == 0 {
            break;
        }
        labels.push(String::from_utf8_lossy(question.get(at + 1..at + 1 + length)?).to_ascii_lowercase());
        at += 1 + length;
    }
    let name = labels.join(".");
    let family = u16::from_be_bytes([*question.get(at + 1)?, *question.get(at + 2)?]);
    let question_end = at + 5;
    let mut script = script.lock().unwrap();
    script.asked.push(name.clone());
    let all = match script.names.get(&name) {
        Some(sets) => {
            let turn = turns.entry((name, family)).or_insert(0);
            let set = sets.get(*turn).or(sets.back()).cloned().unwrap_or_default();
            *turn += 1;
            set
        }
        None => vec![DEFAULT],
    };
    let mut records = Vec::new();
    let mut count = 0_u16;
    for address in all {
        let bytes = match (family, address) {
            (1, IpAddr::V4(address)) => address.octets().to_vec(),
            (28, IpAddr::V6(address)) => address.octets().to_vec(),
            _ => continue,
        };
        count += 1;
        records.extend_from_slice(&[0xc0, 12]);
        records.extend_from_slice(&family.to_be_bytes());
        records.extend_from_slice(&[0, 1, 0, 0, 0, 0]);
        records.extend_from_slice(&(bytes.len() as u16).to_be_bytes());
        records.extend_from_slice(&bytes);
    }
    let mut answer = question.get(..2)?.to_vec();
    answer.extend_from_slice(&[0x81, 0x80, 0, 1]);
    answer.extend_from_slice(&count.to_be_bytes());
    answer.extend_from_slice(&[0, 0, 0, 0]);
    answer.extend_from_slice(question.get(12..question_end)?);
    answer.extend_from_slice(&records);
    Some(answer)
}

/// Serves these ports at every address of both families.
pub fn web(script: &Shared, ports: &HashSet<u16>) {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let key = PrivateKeyDer::try_from(KEY.to_vec()).unwrap();
    let tls = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![CertificateDer::from(LEAF.to_vec())], key)
        .unwrap();
    let tls = Arc::new(tls);
    for port in ports.iter().copied().filter(|port| *port != 0) {
        for listener in [TcpListener::bind(("0.0.0.0", port)).unwrap(), only_v6(port)] {
            let (script, tls) = (Arc::clone(script), Arc::clone(&tls));
            thread::spawn(move || {
                while let Ok((stream, _)) = listener.accept() {
                    let (script, tls) = (Arc::clone(&script), Arc::clone(&tls));
                    // ignored: a client that has enough hangs up.
                    thread::spawn(move || drop(serve(stream, &script, tls)));
                }
            });
        }
    }
}

/// The library's own listener would take the IPv4 addresses, too.
fn only_v6(port: u16) -> TcpListener {
    unsafe {
        let socket = libc::socket(libc::AF_INET6, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, 0);
        assert!(socket >= 0, "{}", io::Error::last_os_error());
        let listener = TcpListener::from_raw_fd(socket);
        let on: libc::c_int = 1;
        let size = size_of_val(&on) as u32;
        libc::setsockopt(socket, libc::IPPROTO_IPV6, libc::IPV6_V6ONLY, (&raw const on).cast(), size);
        let mut address: libc::sockaddr_in6 = std::mem::zeroed();
        address.sin6_family = libc::AF_INET6 as u16;
        address.sin6_port = port.to_be();
        let size = size_of_val(&address) as u32;
        assert_eq!(libc::bind(socket, (&raw const address).cast(), size), 0, "{port}: {}", io::Error::last_os_error());
        assert_eq!(libc::listen(socket, 128), 0);
        listener
    }
}

trait Line: Read + Write {}
impl<T: Read + Write> Line for T {}

fn serve(stream: TcpStream, script: &Shared, tls: Arc<rustls::ServerConfig>) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let at = stream.local_addr()?;
    let mut first = [0];
    stream.peek(&mut first)?;
    let raw = stream.try_clone()?;
    let mut line: Box<dyn Line> = if first[0] == 0x16 {
        let session = rustls::ServerConnection::new(tls).map_err(io::Error::other)?;
        Box::new(rustls::StreamOwned::new(session, stream))
    } else {
        Box::new(stream)
    };
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if line.read(&mut byte)? == 0 {
            return Ok(());
        }
        head.push(byte[0]);
    }
    let reply = {
        let mut script = script.lock().unwrap();
        script.log.push(Received { at, head: String::from_utf8_lossy(&head).into_owned() });
        script.replies.pop_front().unwrap_or_else(|| Reply::page("played"))
    };
    match reply {
        Reply::Redirect(to) => write!(line, "HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n")?,
        Reply::Whole(head, body) => {
            write!(line, "HTTP/1.1 {head}\r\nConnection: close\r\n\r\n")?;
            line.write_all(&body)?;
        }
        Reply::Endless(head, body) => {
            write!(line, "HTTP/1.1 {head}\r\nConnection: close\r\n\r\n")?;
            loop {
                line.write_all(&body)?;
            }
        }
        Reply::Drip(head) => {
            write!(line, "HTTP/1.1 {head}\r\nConnection: close\r\n\r\n")?;
            loop {
                line.write_all(b".")?;
                line.flush()?;
                thread::sleep(Duration::from_millis(10));
            }
        }
        Reply::Silence => while line.read(&mut first)? > 0 {},
        Reply::Reset => {
            let now = libc::linger { l_onoff: 1, l_linger: 0 };
            let size = size_of_val(&now) as u32;
            unsafe {
                libc::setsockopt(raw.as_raw_fd(), libc::SOL_SOCKET, libc::SO_LINGER, (&raw const now).cast(), size);
            }
            return Ok(());
        }
    }
    line.flush()?;
    raw.shutdown(std::net::Shutdown::Write)
}
