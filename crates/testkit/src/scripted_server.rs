//! A model server that follows a script: real HTTP on loopback, three wire formats, faults on demand.
//!
//! The path of a request decides its wire format (`…/chat/completions`, `…/responses`, `…/messages`), its `stream`
//! field whether the answer streams. Every request takes the next turn of the script; after the last turn it answers
//! 400 and says so. The server has its own thread and runtime, so that tests may block, and stops when dropped.

mod http;
mod turn;
mod wires;

#[cfg(test)]
mod tests;

pub use turn::Turn;

use parking_lot::Mutex;
use serde_json::Value;
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use turn::Kind;
use wires::Wire;

/// One request as the server received it.
#[derive(Clone, Debug, PartialEq)]
pub struct Received {
    /// Path and query.
    pub path: String,
    /// Names in lower case, in sending order.
    pub headers: Vec<(String, String)>,
    /// The body as JSON; null if it is not.
    pub body: Value,
}

impl Received {
    /// The first header of this lower-case name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// The server's behaviour in every turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// Bytes in each piece of a body.
    pub chunk: usize,
    /// What its token counts include.
    pub tools: Tools,
}

/// How a server treats offered tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tools {
    /// Reads them.
    Read,
    /// Leaves them out of the prompt, visible in its token counts.
    Ignored,
}

impl Default for Manner {
    fn default() -> Self {
        Self { chunk: usize::MAX, tools: Tools::Read }
    }
}

#[derive(Debug)]
struct Script {
    turns: Mutex<VecDeque<Turn>>,
    received: Mutex<Vec<Received>>,
    manner: Manner,
}

/// The running server.
#[derive(Debug)]
pub struct ScriptedServer {
    address: SocketAddr,
    script: Arc<Script>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ScriptedServer {
    /// Starts a server that answers in whole pieces.
    pub async fn start(turns: Vec<Turn>) -> Self {
        Self::spawn(turns, Manner::default())
    }

    /// Starts a server whose bodies come in pieces of this many bytes.
    pub async fn start_in_chunks(turns: Vec<Turn>, chunk: usize) -> Self {
        let manner = Manner { chunk, ..Manner::default() };
        Self::spawn(turns, manner)
    }

    /// Starts a server, for tests that are not asynchronous.
    #[must_use]
    pub fn spawn(turns: Vec<Turn>, manner: Manner) -> Self {
        let script = Arc::new(Script { turns: Mutex::new(turns.into()), received: Mutex::new(Vec::new()), manner });
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a loopback port");
        listener.set_nonblocking(true).expect("a socket option");
        let address = listener.local_addr().expect("a bound socket");
        let (stop, stopped) = oneshot::channel();
        let served = Arc::clone(&script);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            // Dropping the runtime ends every connection, hanging ones included.
            runtime.block_on(async move {
                tokio::select! {
                    () = serve(listener, served) => {}
                    _ = stopped => {}
                }
            });
        });
        Self { address, script, stop: Some(stop), thread: Some(thread) }
    }

    /// The root: the value for `ANTHROPIC_BASE_URL` and `OLLAMA_HOST`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The value for `OPENAI_BASE_URL`.
    #[must_use]
    pub fn openai_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The requests so far, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<Received> {
        self.script.received.lock().clone()
    }

    /// How many turns of the script are left.
    #[must_use]
    pub fn turns_left(&self) -> usize {
        self.script.turns.lock().len()
    }
}

impl Drop for ScriptedServer {
    fn drop(&mut self) {
        // Both fail only if the thread has already ended.
        let _ = self.stop.take().map(|stop| stop.send(()));
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

async fn serve(listener: std::net::TcpListener, script: Arc<Script>) {
    let listener = TcpListener::from_std(listener).expect("a listening socket");
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            continue;
        };
        let script = Arc::clone(&script);
        tokio::spawn(async move {
            // A client that disconnects is a normal end.
            let _ = connection(stream, &script).await;
        });
    }
}

async fn connection(mut stream: TcpStream, script: &Script) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = Vec::new();
    while let Some(received) = http::read(&mut stream, &mut buffer).await? {
        let streamed = received.body.get("stream") == Some(&Value::Bool(true));
        let Some(wire) = Wire::of(&received.path) else {
            http::whole(&mut stream, 404, "{\"error\":{\"message\":\"no such endpoint\"}}").await?;
            continue;
        };
        let prompt = wires::prompt_tokens(&received.body, script.manner.tools);
        script.received.lock().push(received);
        let turn = script.turns.lock().pop_front();
        let Some(turn) = turn else {
            let body = "{\"error\":{\"message\":\"the script has no further turn\"}}";
            http::whole(&mut stream, 400, body).await?;
            continue;
        };
        if act(&mut stream, &Scene { wire, streamed, prompt, chunk: script.manner.chunk }, turn).await? {
            continue;
        }
        return Ok(());
    }
    Ok(())
}

/// The parts of a request that a turn needs.
struct Scene {
    wire: Wire,
    streamed: bool,
    prompt: u64,
    chunk: usize,
}

/// Plays one turn; `false` when the connection is over.
async fn act(stream: &mut TcpStream, scene: &Scene, turn: Turn) -> std::io::Result<bool> {
    let Scene { wire, streamed, prompt, chunk } = *scene;
    match &turn.kind {
        Kind::Hang => {
            std::future::pending::<()>().await;
            Ok(false)
        }
        Kind::Hangup => Ok(false),
        Kind::Status { code, retry_after, message } => {
            let body = wire.error(*code, message);
            http::status(stream, *code, *retry_after, &body).await?;
            Ok(true)
        }
        Kind::Raw { content_type, body } => {
            http::typed(stream, content_type, body).await?;
            Ok(true)
        }
        Kind::Answer { fault, .. } if streamed => {
            let mut body = wire.stream(&turn, prompt);
            if *fault == turn::Fault::Malformed {
                body.insert(body.len() / 2, "data: {\"broken\n\n".to_owned());
            }
            let mut bytes = body.concat().into_bytes();
            if let turn::Fault::DisconnectAfter(limit) = fault {
                bytes.truncate(*limit);
                http::chunked(stream, &bytes, chunk).await?;
                return Ok(false);
            }
            http::chunked(stream, &bytes, chunk).await?;
            http::last_chunk(stream).await?;
            Ok(true)
        }
        Kind::Answer { fault, .. } => {
            let body = wire.whole(&turn, prompt);
            match fault {
                turn::Fault::None => http::whole(stream, 200, &body).await?,
                turn::Fault::Malformed => http::whole(stream, 200, "{\"broken").await?,
                turn::Fault::DisconnectAfter(limit) => {
                    http::cut(stream, &body, *limit).await?;
                    return Ok(false);
                }
            }
            Ok(true)
        }
    }
}
