//! A server of this machine in place of Twilio's.

use std::collections::VecDeque;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What it does with a request.
pub enum Answer {
    Status(u16, &'static str),
    /// It ends the connection without a word.
    Nothing,
}

#[derive(Clone, Default)]
pub struct Twilio {
    port: u16,
    answers: Arc<Mutex<VecDeque<Answer>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Twilio {
    /// After these answers every call is taken.
    pub fn start(answers: impl IntoIterator<Item = Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let answers = Arc::new(Mutex::new(answers.into_iter().collect()));
        let server = Self { port: listener.local_addr().unwrap().port(), answers, asked: Arc::default() };
        let own = server.clone();
        std::thread::spawn(move || listener.incoming().flatten().for_each(|stream| own.answer(stream)));
        server
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Every request: its head, and the form as text.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    fn answer(&self, mut stream: TcpStream) {
        let (mut head, mut byte) = (Vec::new(), [0]);
        while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
            head.push(byte[0]);
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        let lower = head.to_ascii_lowercase();
        let length = lower.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        stream.read_exact(&mut body).unwrap();
        self.asked.lock().unwrap().push(head + &String::from_utf8(body).unwrap());
        let answer = self.answers.lock().unwrap().pop_front();
        let (status, body) = match answer {
            Some(Answer::Nothing) => return,
            Some(Answer::Status(status, body)) => (status, body),
            None => (201, r#"{"sid": "CA0123456789abcdef", "status": "queued"}"#),
        };
        let head =
            format!("HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.len());
        let _ = stream.write_all((head + body).as_bytes());
    }
}
