//! What happens, as it happens: one stream over all sessions, numbered, so that a reader who comes back misses nothing; and which
//! questions are open.
//!
//! Nobody looks for news: one task hears of writes to the database and wakes the streams, and each reads its own rows at its own
//! pace. So a reader that stalls holds up nobody and costs no memory.

use crate::access::Visitor;
use crate::console::Shared;
use crate::input::{Parameters, known};
use crate::problem::Problem;
use axum::body::Body;
use axum::extract::{Query, Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::unfold;
use palanca_core::Message;
use palanca_core::ports::{EventFilter, Sequence, SequencedEvent, Sessions as _, SocketLimits, SocketMessage};
use palanca_net::listen;
use palanca_store::{Approvals as _, Which};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// Rows read at a time.
const TOGETHER: usize = 64;
/// A sign of life where nothing happens; proxies close what is silent.
const SILENCE: Duration = Duration::from_secs(15);
/// Questions expire without a write where nobody waits for them.
const EXPIRY: Duration = Duration::from_secs(10);
/// Bytes of an event's body in the stream; a longer one is read with its session.
const BODY: usize = 64 << 10;

/// What wakes the streams.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct News {
    last: Sequence,
    open: Arc<[String]>,
}

/// Hears of writes and tells the streams, for ever.
pub(crate) async fn watch(shared: &Shared) {
    let mut writes = shared.database.writes();
    loop {
        let news = look(shared).await;
        shared.news.send_if_modified(|before| {
            let is_new = news.as_ref().is_some_and(|news| news != before);
            if let (true, Some(news)) = (is_new, news) {
                *before = news;
            }
            is_new
        });
        // ignored: it is looked at the clock, too.
        let _ = tokio::time::timeout(EXPIRY, writes.next()).await;
    }
}

/// What there is now. None where the database cannot be read, which whoever asks it is told.
async fn look(shared: &Shared) -> Option<News> {
    let open = shared.desk.questions(Which::Active).await.ok()?;
    let last = shared.database.last_sequence().ok()?;
    Some(News { last, open: open.into_iter().map(|question| question.id.to_string()).collect() })
}

/// One thing that a reader is told.
pub(crate) struct Told {
    /// Its place, where it has one.
    id: Option<u64>,
    kind: &'static str,
    data: Value,
}

impl Told {
    /// As a server-sent event.
    fn frame(&self) -> String {
        let id = self.id.map(|id| format!("id: {id}\n")).unwrap_or_default();
        format!("{id}event: {}\ndata: {}\n\n", self.kind, self.data)
    }

    fn message(&self) -> String {
        json!({"id": self.id, "event": self.kind, "data": self.data}).to_string()
    }
}

/// A reader of the stream.
struct Reader {
    shared: Arc<Shared>,
    /// The key that let it in: the stream ends with it.
    key: String,
    wanted: EventFilter,
    after: Sequence,
    news: watch::Receiver<News>,
    open: Option<Arc<[String]>>,
    ready: VecDeque<Told>,
}

impl Reader {
    fn new(shared: &Arc<Shared>, key: String, (wanted, after): (EventFilter, Option<u64>)) -> Result<Self, Problem> {
        let news = shared.news.subscribe();
        let last = shared.database.last_sequence()?;
        let mut ready = VecDeque::new();
        let after = match after.map(Sequence) {
            // Of another database: nothing can be said of what happened since.
            Some(after) if after > last => {
                ready.push_back(Told { id: Some(last.0), kind: "gap", data: json!({"after": after, "last": last}) });
                last
            }
            Some(after) => after,
            None => last,
        };
        Ok(Self { shared: Arc::clone(shared), key, wanted, after, news, open: None, ready })
    }

    /// The next thing, or a sign of life.
    async fn next(&mut self) -> Option<Told> {
        loop {
            if let Some(told) = self.ready.pop_front() {
                return Some(told);
            }
            if !matches!(self.shared.keys.opens(&self.key), Ok(true)) {
                return None;
            }
            let News { last, open } = self.news.borrow_and_update().clone();
            if self.open.as_ref() != Some(&open) {
                self.ready.push_back(Told { id: None, kind: "approvals", data: json!({"open": &*open}) });
                self.open = Some(open);
            }
            match self.shared.database.happened(self.after, &self.wanted, TOGETHER).await {
                Ok(rows) => {
                    // What is not wanted is not looked at again.
                    if rows.len() < TOGETHER {
                        self.after = self.after.max(last);
                    }
                    for row in rows {
                        self.after = self.after.max(row.sequence);
                        self.ready.push_back(told(row));
                    }
                }
                Err(_) => return None,
            }
            if self.ready.is_empty() {
                tokio::select! {
                    changed = self.news.changed() => changed.ok()?,
                    () = self.shared.cancel.cancelled() => return None,
                    () = tokio::time::sleep(SILENCE) => return Some(Told { id: None, kind: "alive", data: json!({}) }),
                }
            }
        }
    }
}

fn told(row: SequencedEvent) -> Told {
    let SequencedEvent { sequence, scope, event } = row;
    let body = (event.body.len() <= BODY).then(|| serde_json::from_str::<Value>(&event.body).unwrap_or_default());
    Told {
        id: Some(sequence.0),
        kind: "session",
        data: json!({
            "session": scope.session, "bot": scope.bot, "chat": scope.chat, "channel": scope.channel,
            "number": event.number, "at_ms": event.at_ms, "kind": event.kind, "call": event.call, "body": body,
        }),
    }
}

const FILTERS: [&str; 3] = ["session", "bot", "after"];

fn reader(shared: &Arc<Shared>, parameters: &Parameters, request: &Request) -> Result<Reader, Problem> {
    known(parameters.keys().map(String::as_str), &FILTERS)?;
    let last = request.headers().get("last-event-id").and_then(|id| id.to_str().ok()).map(str::to_owned);
    let after = last.or_else(|| parameters.get("after").cloned());
    let bad = |_| Problem::wrong(Message::new("console-bad-event-id"));
    let after = after.filter(|id| !id.is_empty()).map(|id| id.parse().map_err(bad)).transpose()?;
    let wanted = EventFilter {
        session: parameters.get("session").map(|id| id.as_str().into()),
        bot: parameters.get("bot").map(|id| id.as_str().into()),
        ..EventFilter::default()
    };
    let visitor = request.extensions().get::<Visitor>().ok_or_else(Problem::stranger)?;
    Reader::new(shared, visitor.key.id.clone(), (wanted, after))
}

/// `GET /api/events`
pub(crate) async fn stream(
    State(shared): State<Arc<Shared>>,
    Query(parameters): Query<Parameters>,
    request: Request,
) -> Result<Response, Problem> {
    let reader = reader(&shared, &parameters, &request)?;
    let frames = unfold(reader, |mut reader| async move {
        let told = reader.next().await?;
        Some((Ok::<_, Infallible>(told.frame()), reader))
    });
    Ok(sent(Body::from_stream(frames)))
}

/// An answer that goes on.
pub(crate) fn sent(body: Body) -> Response {
    ([(CONTENT_TYPE, "text/event-stream")], body).into_response()
}

/// `GET /ws`: the same, one JSON object a message.
pub(crate) async fn socket(
    State(shared): State<Arc<Shared>>,
    Query(parameters): Query<Parameters>,
    mut request: Request,
) -> Result<Response, Problem> {
    let mut reader = reader(&shared, &parameters, &request)?;
    let wanted = Message::new("console-no-websocket");
    let (answer, opening) = listen::websocket(&mut request, SocketLimits::default())
        .ok_or_else(|| Problem::new(StatusCode::UPGRADE_REQUIRED, "no_websocket", wanted))?;
    tokio::spawn(async move {
        let Ok(mut socket) = opening.await else { return };
        loop {
            tokio::select! {
                told = reader.next() => {
                    let Some(told) = told else { return };
                    if socket.send(SocketMessage::Text(told.message())).await.is_err() {
                        return;
                    }
                }
                // Nothing that is said here means anything; an end does.
                said = socket.receive() => if said.is_err() { return },
            }
        }
    });
    Ok(answer.map(Body::new))
}
