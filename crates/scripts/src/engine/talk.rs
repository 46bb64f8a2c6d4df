//! One script's conversation with its parent, from its order to its end.

use super::Ended;
use super::child::{Child, line};
use crate::error::ScriptError;
use crate::limits::{Limit, Limits};
use crate::permissions::Permissions;
use crate::request::{Request, Requests};
use crate::wire::{Answered, Order, Reply, Said};
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use palanca_core::Catalogue;
use palanca_core::ports::Exit;
use serde::Serialize;
use std::pin::pin;
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep_until};

/// A script ends itself when its time is over; one that cannot is given this much more.
const GRACE: Duration = Duration::from_secs(1);
/// How long our binary may take until it has read its order and the source.
const STARTING: Duration = Duration::from_secs(30);

pub(super) struct Talk<'a> {
    pub(super) permissions: &'a Permissions,
    pub(super) requests: &'a dyn Requests,
    pub(super) words: &'a dyn Catalogue,
    pub(super) limits: Limits,
}

impl Talk<'_> {
    pub(super) async fn with(&self, child: &mut Child, order: &Order) -> Result<Ended, ScriptError> {
        let (send, mut queue) = unbounded_channel::<Vec<u8>>();
        put(&send, order);
        let Child { attached, lines, input } = child;
        let end = Child::end(attached);
        // Apart from reading, so that a script that is not read does not keep us from reading it.
        let mut writing = pin!(async {
            while let Some(line) = queue.recv().await {
                // A script that has hung up says so where it is read.
                if input.write_all(&line).await.is_err() {
                    break;
                }
            }
            std::future::pending::<()>().await;
        });
        let (mut open, mut clock, mut read, mut asked) = (FuturesUnordered::new(), Clock::new(STARTING), false, 0);
        let said = loop {
            let said = tokio::select! {
                () = &mut writing => continue,
                said = lines.next() => said?,
                Some((id, answer)) = open.next() => {
                    put(&send, &Reply { id, answer });
                    if open.is_empty() {
                        clock.goes_on();
                    }
                    continue;
                }
                () = sleep_until(clock.ends()), if open.is_empty() => {
                    return Err(ScriptError::Limited { limit: Limit::Time, limits: self.limits });
                }
            };
            match said {
                Some(Said::Read) if !read => {
                    (read, clock) = (true, Clock::new(self.limits.time + GRACE));
                }
                // It would have its time once more.
                Some(Said::Read) => return Err(ScriptError::Broken("it began twice".to_owned())),
                Some(Said::Asks { .. }) if asked == self.limits.requests => {
                    return Err(ScriptError::Limited { limit: Limit::Requests, limits: self.limits });
                }
                Some(Said::Asks { id, request }) => {
                    asked += 1;
                    clock.stands();
                    open.push(async move { (id, self.answer(request).await) });
                }
                Some(Said::Ended { how, stdout, stderr }) => break Some(Ended { how, stdout, stderr }),
                None => break None,
            }
        };
        match said {
            Some(ended) => Ok(ended),
            None => Err(self.hung_up(end.await, read)),
        }
    }

    async fn answer(&self, request: Request) -> Answered {
        let answer = match self.permissions.judge(request) {
            Ok(request) => self.requests.answer(request).await,
            Err(refused) => Err(refused),
        };
        match answer {
            Ok(answer) => Answered::of(answer),
            Err(refused) => Answered::Refused(self.words.render(&refused)),
        }
    }

    fn hung_up(&self, (exit, said): (Exit, String), read: bool) -> ScriptError {
        match exit {
            // A stack that overflows, or memory that is not there.
            Exit::Signal(_) if !read => ScriptError::Nested,
            Exit::Signal(_) | Exit::Limited(_) => ScriptError::Limited { limit: Limit::Memory, limits: self.limits },
            exit => ScriptError::Broken(format!("{exit:?} {}", said.trim())),
        }
    }
}

fn put(to: &UnboundedSender<Vec<u8>>, content: &impl Serialize) {
    // ignored: the other end lives as long as this one.
    let _ = to.send(line(content));
}

/// Counts the time in which nobody is asked.
struct Clock {
    left: Duration,
    since: Option<Instant>,
}

impl Clock {
    fn new(time: Duration) -> Self {
        Self { left: time, since: Some(Instant::now()) }
    }

    fn stands(&mut self) {
        if let Some(since) = self.since.take() {
            self.left = self.left.saturating_sub(since.elapsed());
        }
    }

    fn goes_on(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    fn ends(&self) -> Instant {
        self.since.unwrap_or_else(Instant::now) + self.left
    }
}
