//! Intercepts every write of a program at its system call.
//!
//! The program's filter turns each call that would change a file or a name, or connect to one, into a request ([`table`]). A thread of ours
//! reads what is meant, finds it itself, by handle, in the program's root ([`resolve`]), asks the workspace's
//! [`WriteLog`] where it lies in the workspace, does the work with the program's rights ([`identity`]) and returns the
//! descriptor, or an error. The kernel never continues with a path that was read here: another thread could have changed it.
//! If this thread ends, for any reason, the kernel fails all further requests.

mod act;
mod asking;
mod bind;
mod caller;
mod connect;
mod drafts;
mod identity;
mod names;
mod open;
pub(crate) mod raw;
mod request;
mod resolve;
pub(crate) mod table;
mod times;
mod wait;
mod zones;

use act::Reply;
use asking::Asking;
use caller::Caller;
use drafts::Drafts;
use identity::Identity;
use palanca_core::ports::{
    FileError, FileErrorKind, Found, NameChange, NotKept, Place, RefusedWrite, Step, WriteLog, WriteQuestions, Written,
};
use parking_lot::Mutex;
use raw::{Answer, Notification};
use resolve::{Spot, View};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use std::collections::HashMap;
use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_util::task::TaskTracker;
use zones::{Zone, Zones};

pub(crate) use zones::Places;

/// Refusals that are told.
const TOLD: usize = 20;
/// For what remains to be written down after the end of a program.
const SETTLING: Duration = Duration::from_secs(30);
/// Programs whose umask is remembered.
const MASKS: usize = 1024;

/// A program under supervision.
pub(crate) struct Supervision {
    written: oneshot::Receiver<Written>,
}

impl Supervision {
    /// Starts the thread. The first end of the socket goes to the program, which sends its listener and its root.
    pub(crate) fn start(
        log: Box<dyn WriteLog>,
        places: Places,
        questions: Option<WriteQuestions>,
        (turn, reapers): (Arc<Mutex<()>>, &TaskTracker),
    ) -> io::Result<(OwnedFd, Self)> {
        let (ours, theirs) = UnixStream::pair()?;
        let (tell, written) = oneshot::channel();
        // Waiting for remaining programs includes waiting for this.
        let (alive, ended) = oneshot::channel::<()>();
        reapers.spawn(async { drop(ended.await) });
        std::thread::Builder::new().name("palanca-writes".to_owned()).spawn(move || {
            // ignored: a caller that abandoned the program does not wait for its writes.
            let _ = tell.send(supervise(&ours, log, (places, questions), &turn));
            drop(alive);
        })?;
        Ok((theirs.into(), Self { written }))
    }

    /// What was written, once nothing of the program is left. Of a file system that hangs nobody waits for the end: what
    /// the thread still finds is a step of its session all the same.
    pub(crate) async fn written(self) -> Written {
        timeout(SETTLING, self.written).await.ok().and_then(Result::ok).unwrap_or_default()
    }
}

fn supervise(
    socket: &UnixStream,
    log: Box<dyn WriteLog>,
    (places, questions): (Places, Option<WriteQuestions>),
    turn: &Mutex<()>,
) -> Written {
    let Ok((listener, root, (user, group))) = receive(socket) else {
        // It never began.
        return Written { changed: log.finish(), refused: Vec::new() };
    };
    raw::answer_at_once(listener.as_fd());
    let ready = raw::own_surroundings();
    let identity = Identity::take(user, group);
    let zones = match Zones::new(places, root.as_fd()) {
        Ok(zones) if ready.is_ok() && identity.is_program() => zones,
        // With no listener the kernel fails every request.
        _ => return Written { changed: identity.as_ourselves(|| log.finish()), refused: Vec::new() },
    };
    let mut supervisor = Supervisor {
        listener: Arc::new(listener),
        view: View::new(root),
        zones,
        identity,
        log,
        prepared: false,
        masks: HashMap::new(),
        drafts: Drafts::default(),
        asking: Asking::of(questions),
        changing: None,
        refused: Vec::new(),
        id: 0,
        caller: Caller { thread: 0 },
    };
    // After a panic nothing can be relied on but what was written down until then.
    let served = catch_unwind(AssertUnwindSafe(|| {
        supervisor.serve(turn);
        // ignored: it is told.
        let _ = supervisor.in_turn(turn, Supervisor::place_all_drafts);
    }));
    if served.is_err() {
        supervisor.log.release();
        let error = FileError::new(FileErrorKind::Io, ".").detail("the supervisor of writes failed");
        let caller = supervisor.caller;
        supervisor.tell(error, || caller.command());
    }
    let Supervisor { listener, log, refused, identity, .. } = supervisor;
    drop(listener);
    Written { changed: identity.as_ourselves(|| log.finish()), refused }
}

/// What works for one program.
struct Supervisor {
    listener: Arc<OwnedFd>,
    view: View,
    zones: Zones,
    identity: Identity,
    log: Box<dyn WriteLog>,
    /// Whether the log has set up what it needs.
    prepared: bool,
    /// By thread.
    masks: HashMap<u32, Mode>,
    drafts: Drafts,
    /// Calls that wait for a person.
    asking: Asking,
    /// Who was last told to change its umask, and has not asked anything since.
    changing: Option<u32>,
    refused: Vec<RefusedWrite>,
    /// The question that is being answered, and whose it is.
    id: u64,
    caller: Caller,
}

impl Supervisor {
    /// Until nothing of the program is left.
    fn serve(&mut self, turn: &Mutex<()>) {
        loop {
            let look_again = self.settle_answers(turn);
            let listener = self.listener.as_fd();
            // What else there is to wait for, or the same again.
            let drafts = self.drafts.watched().unwrap_or(listener);
            let mut watched = [listener, drafts].map(|one| PollFd::from_borrowed_fd(one, PollFlags::IN));
            match poll(&mut watched, look_again.as_ref()) {
                Ok(_) => {}
                Err(Errno::INTR) => continue,
                Err(_) => return,
            }
            let [events, _] = watched.map(|one| one.revents());
            if events.is_empty() {
                // ignored: it is told, and tried again.
                let _ = self.in_turn(turn, Self::place_drafts);
                continue;
            }
            if !events.contains(PollFlags::IN) {
                return;
            }
            match raw::receive(self.listener.as_fd()) {
                Ok(asked) => self.answer(asked, turn),
                // The asking process is gone, or was interrupted.
                Err(Errno::NOENT | Errno::INTR | Errno::AGAIN) => {}
                Err(_) => return,
            }
        }
    }

    fn answer(&mut self, asked: Notification, turn: &Mutex<()>) {
        self.id = asked.id;
        self.caller = Caller { thread: asked.thread };
        self.changing = self.changing.filter(|thread| *thread != asked.thread);
        let reply = self.in_turn(turn, |this| {
            // The asking process may have closed one before.
            this.place_drafts();
            match table::read(asked.call, &asked.arguments) {
                Some(request) => this.act(request),
                None => Err(Errno::NOSYS),
            }
        });
        let reply = reply.and_then(|reply| reply);
        if !self.asking.keeps(asked) {
            self.reply(reply);
        }
    }

    /// One change of a workspace at a time, whoever makes it: what was judged is what is there.
    ///
    /// # Errors
    /// Someone else's change does not come to an end.
    fn in_turn<T>(&mut self, turn: &Mutex<()>, work: impl FnOnce(&mut Self) -> T) -> Result<T, Errno> {
        let _turn = turn.lock();
        if let Err(error) = self.log.hold() {
            let (number, caller) = (number_of(&error), self.caller);
            self.tell(error, || caller.command());
            return Err(number);
        }
        let done = work(self);
        self.log.release();
        Ok(done)
    }

    fn reply(&self, reply: Result<Reply, Errno>) {
        let listener = self.listener.as_fd();
        let answer = match reply {
            Ok(Reply::Later) => return,
            Ok(Reply::Value(value)) => Answer::Value(value),
            Ok(Reply::Continue) => Answer::Continue,
            Ok(Reply::Hand(descriptor, flags)) => match raw::hand((listener, self.id), descriptor, flags) {
                Ok(()) => return,
                Err(error) => Answer::Error(error),
            },
            Err(error) => Answer::Error(error),
        };
        // ignored: the asking process is gone.
        let _ = raw::answer(listener, self.id, answer);
    }

    /// Whose this name is, while the thread that named it still waits.
    fn may_change(&self, spot: &Spot) -> Result<Zone, Errno> {
        self.waits()?;
        self.zones.of_name(spot)
    }

    /// Whether the thread that asked still waits: what was read of one that is gone may be another's.
    fn waits(&self) -> Result<(), Errno> {
        if raw::still_waits(self.listener.as_fd(), self.id) { Ok(()) } else { Err(Errno::SRCH) }
    }

    /// # Errors
    /// It must not happen.
    fn ask(&mut self, change: &NameChange<'_>) -> Result<Step, Errno> {
        let Self { identity, log, prepared, .. } = self;
        let ready = if *prepared { Ok(()) } else { identity.as_ourselves(|| log.prepare(change)) };
        *prepared = ready.is_ok();
        // What is new replaces nothing: mostly the program's own rights are enough to judge it.
        let judged = ready.and_then(|()| match change {
            NameChange::Create { .. } => match log.before(change) {
                Err(error) if error.kind == FileErrorKind::PermissionDenied => {
                    identity.as_ourselves(|| log.before(change))
                }
                judged => judged,
            },
            _ => identity.as_ourselves(|| log.before(change)),
        });
        let step = judged.map_err(|error| {
            let number = number_of(&error);
            // What is moved file by file instead was not refused.
            if number != Errno::XDEV && !self.waits_for_a_person(change, &error) {
                let caller = self.caller;
                self.tell(error, || caller.command());
            }
            number
        })?;
        // Judging may have taken longer than the program lived.
        if step != Step::Done {
            self.waits().inspect_err(|_| self.failed(change))?;
        }
        Ok(step)
    }

    /// Remembers a refusal, once.
    fn tell(&mut self, error: FileError, program: impl FnOnce() -> String) {
        if self.refused.len() < TOLD && self.refused.iter().all(|told| told.error != error) {
            let declined = self.asking.declined(&error);
            self.refused.push(RefusedWrite { error, program: program(), declined });
        }
    }

    fn made(&mut self, at: &Place<'_>, found: Found) {
        self.log.made(at, found);
    }

    fn failed(&mut self, change: &NameChange<'_>) {
        self.log.failed(change);
    }

    /// New files get the permissions that the program's own would have.
    fn with_umask(&mut self) {
        if self.masks.len() >= MASKS {
            self.masks.clear();
        }
        let caller = self.caller;
        let known = self.masks.get(&caller.thread).copied();
        let mask = known.unwrap_or_else(|| Mode::from_raw_mode(caller.umask().unwrap_or(0o077)));
        // Threads may share a umask that is only about to change.
        if self.changing.is_none() {
            self.masks.insert(caller.thread, mask);
        }
        rustix::process::umask(mask);
    }
}

/// What a program is told of a refusal.
fn number_of(error: &FileError) -> Errno {
    match error.kind {
        FileErrorKind::DiskFull | FileErrorKind::NotKept(NotKept::DiskFull) => Errno::NOSPC,
        FileErrorKind::TooLarge => Errno::FBIG,
        FileErrorKind::Io | FileErrorKind::NotKept(NotKept::Io) => Errno::IO,
        FileErrorKind::NotFound => Errno::NOENT,
        FileErrorKind::Exists => Errno::EXIST,
        FileErrorKind::MoveByFile => Errno::XDEV,
        _ => Errno::ACCESS,
    }
}

/// Grants the first question of a program that opens this file: for the probe.
pub(crate) fn answer_one(socket: &UnixStream, path: &str) -> io::Result<()> {
    let (listener, _, _) = receive(socket)?;
    let asked = raw::receive(listener.as_fd())?;
    let file = rustix::fs::open(path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
    raw::hand((listener.as_fd(), asked.id), file, 0)?;
    Ok(())
}

/// The program's listener, its root, and as whom it runs.
fn receive(socket: &UnixStream) -> io::Result<(OwnedFd, OwnedFd, (u32, u32))> {
    let mut ids = [0; 8];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let received =
        recvmsg(socket, &mut [IoSliceMut::new(&mut ids)], &mut control, RecvFlags::CMSG_CLOEXEC | RecvFlags::WAITALL)?;
    let mut descriptors = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            descriptors.extend(rights);
        }
    }
    let descriptors = <[OwnedFd; 2]>::try_from(descriptors);
    let ([listener, root], true) =
        (descriptors.map_err(|_| io::ErrorKind::UnexpectedEof)?, received.bytes == ids.len())
    else {
        return Err(io::ErrorKind::UnexpectedEof.into());
    };
    let [u0, u1, u2, u3, g0, g1, g2, g3] = ids;
    Ok((listener, root, (u32::from_ne_bytes([u0, u1, u2, u3]), u32::from_ne_bytes([g0, g1, g2, g3]))))
}
