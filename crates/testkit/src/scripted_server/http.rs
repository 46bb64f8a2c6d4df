//! The part of HTTP/1.1 that a scripted server needs.

use super::Received;
use serde_json::Value;
use std::io::Result;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// The next request; none when the client closed. `buffer` keeps what was read beyond it.
pub(super) async fn read(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Result<Option<Received>> {
    loop {
        if let Some(received) = parse(buffer) {
            return Ok(Some(received));
        }
        if stream.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    }
}

fn parse(buffer: &mut Vec<u8>) -> Option<Received> {
    let end = buffer.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(buffer.get(..end)?).into_owned();
    let mut lines = head.lines();
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let size = headers
        .iter()
        .find(|(name, _)| name == "content-length")
        .and_then(|(_, value)| value.parse().ok())
        .unwrap_or(0);
    let body = buffer.get(end + 4..end + 4 + size)?;
    let body = serde_json::from_slice(body).unwrap_or(Value::Null);
    buffer.drain(..end + 4 + size);
    Some(Received { path, headers, body })
}

pub(super) async fn whole(stream: &mut TcpStream, code: u16, body: &str) -> Result<()> {
    status(stream, code, None, body).await
}

pub(super) async fn status(stream: &mut TcpStream, code: u16, retry_after: Option<u32>, body: &str) -> Result<()> {
    let retry = retry_after.map_or(String::new(), |seconds| format!("retry-after: {seconds}\r\n"));
    let length = body.len();
    let text = format!(
        "HTTP/1.1 {code} Scripted\r\ncontent-type: application/json\r\n{retry}content-length: {length}\r\n\r\n{body}"
    );
    stream.write_all(text.as_bytes()).await
}

pub(super) async fn typed(stream: &mut TcpStream, content_type: &str, body: &str) -> Result<()> {
    let length = body.len();
    let text = format!("HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\n\r\n{body}");
    stream.write_all(text.as_bytes()).await
}

/// A body that announces its full length and then ends early.
pub(super) async fn cut(stream: &mut TcpStream, body: &str, limit: usize) -> Result<()> {
    let length = body.len();
    let sent = body.as_bytes().get(..limit).unwrap_or(body.as_bytes());
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(sent).await
}

/// A stream's head and its body in pieces of `size` bytes, without the end.
pub(super) async fn chunked(stream: &mut TcpStream, body: &[u8], size: usize) -> Result<()> {
    let mut bytes =
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n"
            .to_vec();
    for piece in body.chunks(size.max(1)) {
        bytes.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
        bytes.extend_from_slice(piece);
        bytes.extend_from_slice(b"\r\n");
    }
    stream.write_all(&bytes).await
}

pub(super) async fn last_chunk(stream: &mut TcpStream) -> Result<()> {
    stream.write_all(b"0\r\n\r\n").await
}
