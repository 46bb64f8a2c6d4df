//! A server of embeddings on loopback, in OpenAI's form and Ollama's, whose model knows some words that mean the same.

use parking_lot::Mutex;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;

/// Words of one meaning. Any other means only itself.
const MEANINGS: [&[&str]; 4] = [
    &["car", "automobile", "coche", "vehicle"],
    &["dog", "perro", "puppy"],
    &["physician", "doctor", "médico"],
    &["tired", "sleepy", "cansado"],
];
/// Numbers of a vector.
pub const DIMENSIONS: usize = 64;

/// The vector of a text.
#[must_use]
pub fn meaning(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0; DIMENSIONS];
    for word in text.to_lowercase().split(|one: char| !one.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let known = MEANINGS.iter().position(|words| words.contains(&word));
        let other =
            || word.bytes().fold(7_usize, |sum, byte| sum * 31 % 9973 + usize::from(byte)) % (DIMENSIONS - 8) + 8;
        vector[known.unwrap_or_else(other)] += if known.is_some() { 1.0 } else { 0.2 };
    }
    vector
}

/// One request.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedded {
    /// `/v1/embeddings` or `/api/embed`.
    pub path: String,
    /// The value of `authorization`.
    pub key: Option<String>,
    /// The model that was named.
    pub model: String,
    /// What was to be embedded.
    pub texts: Vec<String>,
}

/// The running server. It answers as long as the test process lives.
#[derive(Clone)]
pub struct EmbeddingServer {
    address: SocketAddr,
    scene: Arc<Mutex<Scene>>,
}

#[derive(Default)]
struct Scene {
    asked: Vec<Embedded>,
    instead: Option<(u16, String)>,
}

impl Default for EmbeddingServer {
    fn default() -> Self {
        Self::start()
    }
}

impl EmbeddingServer {
    /// Starts a server.
    #[must_use]
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port");
        let address = listener.local_addr().expect("a bound socket");
        let scene = Arc::new(Mutex::new(Scene::default()));
        let served = Arc::clone(&scene);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let scene = Arc::clone(&served);
                // A client that disconnects is a normal end.
                std::thread::spawn(move || drop(connection(&stream, &scene)));
            }
        });
        Self { address, scene }
    }

    /// Its address, without a path.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Everything is answered so from now on; `None` for vectors again.
    pub fn instead(&self, answer: Option<(u16, &str)>) {
        self.scene.lock().instead = answer.map(|(status, body)| (status, body.to_owned()));
    }

    /// The requests until now; from now on those that come.
    #[must_use]
    pub fn asked(&self) -> Vec<Embedded> {
        std::mem::take(&mut self.scene.lock().asked)
    }
}

fn connection(stream: &TcpStream, scene: &Mutex<Scene>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
        let (mut length, mut key) = (0, None);
        loop {
            let mut header = String::new();
            reader.read_line(&mut header)?;
            if header.trim().is_empty() {
                break;
            }
            let (name, value) = header.split_once(':').unwrap_or_default();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse().unwrap_or_default(),
                "authorization" => key = Some(value.trim().to_owned()),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let (status, answer) = answer(path, key, &serde_json::from_slice(&body).unwrap_or_default(), scene);
        let head = format!(
            "HTTP/1.1 {status} x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            answer.len()
        );
        let mut stream = stream;
        stream.write_all(head.as_bytes())?;
        stream.write_all(answer.as_bytes())?;
    }
}

fn answer(path: String, key: Option<String>, body: &Value, scene: &Mutex<Scene>) -> (u16, String) {
    let texts: Vec<String> = serde_json::from_value(body["input"].clone()).unwrap_or_default();
    let vectors: Vec<Vec<f32>> = texts.iter().map(|text| meaning(text)).collect();
    let is_ollama = path.ends_with("/api/embed");
    let model = body["model"].as_str().unwrap_or_default().to_owned();
    let mut scene = scene.lock();
    scene.asked.push(Embedded { path, key, model, texts });
    if let Some(instead) = scene.instead.clone() {
        return instead;
    }
    let item = |(index, vector)| json!({"object": "embedding", "index": index, "embedding": vector});
    let answer = if is_ollama {
        json!({ "embeddings": vectors })
    } else {
        json!({"object": "list", "data": vectors.iter().enumerate().map(item).collect::<Vec<_>>()})
    };
    (200, answer.to_string())
}
