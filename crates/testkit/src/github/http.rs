//! The part of HTTP/1.1 that this server needs.

use super::{State, routes};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;

/// One request as received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Path and query.
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
}

impl Asked {
    /// The first header of this lower-case name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Vec<u8>,
    pub(super) cut: bool,
    pub(super) silent: bool,
}

impl Answer {
    pub(super) fn new(status: u16, body: String) -> Self {
        Self { status, headers: Vec::new(), body: body.into_bytes(), cut: false, silent: false }
    }

    pub(super) fn bytes(body: Vec<u8>) -> Self {
        Self { status: 200, headers: Vec::new(), body, cut: false, silent: false }
    }

    pub(super) fn with(mut self, headers: Vec<(&'static str, String)>) -> Self {
        self.headers.extend(headers);
        self
    }
}

pub(super) fn serve(stream: TcpStream, state: &State) {
    // ignored: otherwise each body waits 40 ms for the client to confirm its head.
    let _ = stream.set_nodelay(true);
    let Ok(mut writer) = stream.try_clone() else { return };
    let mut reader = BufReader::new(stream);
    while let Some(asked) = read(&mut reader) {
        state.asked.lock().push(asked.clone());
        let answer = routes::answer(&asked, state);
        if write(&mut writer, &answer).is_err() || answer.cut {
            return;
        }
        if answer.silent {
            // Until the client hangs up. ignored: either way the connection has ended.
            let _ = reader.read(&mut [0]);
            return;
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Asked> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    Some(Asked { path, headers })
}

fn write(writer: &mut TcpStream, answer: &Answer) -> std::io::Result<()> {
    let mut head = format!("HTTP/1.1 {} Played\r\n", answer.status);
    for (name, value) in &answer.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if answer.status != 304 {
        head.push_str(&format!("content-length: {}\r\n", answer.body.len()));
    }
    head.push_str("\r\n");
    writer.write_all(head.as_bytes())?;
    let sent = match (answer.silent, answer.cut) {
        (true, _) => 0,
        (false, true) => answer.body.len() / 2,
        (false, false) => answer.body.len(),
    };
    writer.write_all(&answer.body[..sent])?;
    writer.flush()
}
