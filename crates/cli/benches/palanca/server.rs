//! A model server for timing: Chat Completions over keep-alive, answering at once, with a clock on each turnaround.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

pub struct Server {
    address: std::net::SocketAddr,
    turnarounds: Arc<Mutex<Vec<Duration>>>,
}

impl Server {
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// From the last byte of an answer to the last byte of the next request.
    pub fn median_turnaround(&self) -> Duration {
        let mut times = self.turnarounds.lock().unwrap().clone();
        times.sort_unstable();
        times[times.len() / 2]
    }
}

/// Asks for `rounds` reads, one a turn, then says that it is done. Stateless: the round is the number of tool results.
pub async fn start(rounds: usize) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = Server { address: listener.local_addr().unwrap(), turnarounds: Arc::default() };
    let turnarounds = Arc::clone(&server.turnarounds);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, rounds, Arc::clone(&turnarounds)));
        }
    });
    server
}

async fn serve(mut stream: TcpStream, rounds: usize, turnarounds: Arc<Mutex<Vec<Duration>>>) {
    stream.set_nodelay(true).unwrap();
    let mut answered: Option<Instant> = None;
    while let Some(body) = request(&mut stream).await {
        if let Some(answered) = answered {
            turnarounds.lock().unwrap().push(answered.elapsed());
        }
        let round = body.matches(r#""role":"tool""#).count();
        let answer = answer(round, rounds);
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ";
        let whole = format!("{head}{}\r\n\r\n{answer}", answer.len());
        if stream.write_all(whole.as_bytes()).await.is_err() {
            return;
        }
        answered = Some(Instant::now());
    }
}

async fn request(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 65_536];
    loop {
        let read = stream.read(&mut buffer).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&buffer[..read]);
        let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let length: usize = head.split("content-length: ").nth(1)?.split("\r\n").next()?.parse().ok()?;
        if bytes.len() >= end + 4 + length {
            return Some(String::from_utf8_lossy(&bytes[end + 4..]).into_owned());
        }
    }
}

fn answer(round: usize, rounds: usize) -> String {
    let (delta, reason) = if round < rounds {
        let arguments = format!(r#"{{\"path\": \"f{:02}.txt\"}}"#, round % 40 + 1);
        let call =
            format!(r#"{{"index":0,"id":"call_{round}","function":{{"name":"read_file","arguments":"{arguments}"}}}}"#);
        (format!(r#"{{"role":"assistant","tool_calls":[{call}]}}"#), "tool_calls")
    } else {
        (r#"{"role":"assistant","content":"Done."}"#.to_owned(), "stop")
    };
    let chunk = |delta: &str, reason: &str| {
        format!(
            r#"data: {{"id":"c","object":"chat.completion.chunk","choices":[{{"index":0,"delta":{delta},"finish_reason":{reason}}}]}}"#
        )
    };
    let usage =
        r#"data: {"id":"c","choices":[],"usage":{"prompt_tokens":100,"completion_tokens":10,"total_tokens":110}}"#;
    format!("{}\n\n{}\n\n{usage}\n\ndata: [DONE]\n\n", chunk(&delta, "null"), chunk("{}", &format!("\"{reason}\"")))
}
