//! The framing of messages on the socket between parent and helper, independent of their meaning. A message that is too long
//! or does not parse is an error, never a guess.

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, IoSlice, IoSliceMut, Read};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use super::{Order, Room};

/// Bytes of one message: what the kernel takes as arguments and environment, written as JSON, fits.
const LIMIT: usize = 32 << 20;
/// Bytes that say how long a message is.
const HEADER: usize = 4;
/// Descriptors that come with an order, at most.
const DESCRIPTORS: usize = 4;

/// A message with its length in front.
pub(crate) fn encode(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let body = serde_json::to_vec(message).map_err(io::Error::other)?;
    let length = u32::try_from(body.len()).ok().filter(|_| body.len() <= LIMIT);
    let length = length.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the order is too long"))?;
    Ok([length.to_be_bytes().as_slice(), &body].concat())
}

/// Sends the first bytes of an order, and with them what is handed to the program. Returns how many bytes of
/// `message` went; the caller writes the others. `message` is what [`encode`] made of an [`Order`].
pub(crate) fn attach_order(socket: impl AsFd, message: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(io::Error::other("the descriptors do not fit"));
    }
    Ok(sendmsg(socket, &[IoSlice::new(message)], &mut control, SendFlags::NOSIGNAL)?)
}

/// The helper's side: waits for a room.
pub(crate) fn receive_room(socket: &UnixStream) -> io::Result<Room> {
    let mut frames = Frames::default();
    loop {
        frames.fill(socket)?;
        if let Some(room) = frames.next()? {
            return Ok(room);
        }
    }
}

/// The helper's side: waits for the one order and what is handed to the program, which is closed on exec.
pub(crate) fn receive_order(socket: &UnixStream) -> io::Result<(Order, Handed)> {
    let mut frames = Frames::default();
    let mut descriptors = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let mut parts = [IoSliceMut::new(&mut buffer)];
        let received = recvmsg(socket, &mut parts, &mut control, RecvFlags::CMSG_CLOEXEC)?;
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(rights) = message {
                descriptors.extend(rights);
            }
        }
        if received.bytes == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        frames.push(buffer.get(..received.bytes).unwrap_or_default());
        if let Some(order) = frames.next()? {
            let handed = Handed::of(descriptors).filter(|_| frames.bytes.is_empty());
            let handed = handed.ok_or_else(|| io::Error::other("an order comes alone and with descriptors"))?;
            return Ok((order, handed));
        }
    }
}

/// What a program gets beside its order.
#[derive(Debug)]
pub(crate) struct Handed {
    /// Stdin, stdout and stderr.
    pub(crate) stdio: [OwnedFd; 3],
    /// Where its writes are intercepted; without it they are not.
    pub(crate) supervisor: Option<OwnedFd>,
}

impl Handed {
    fn of(descriptors: Vec<OwnedFd>) -> Option<Self> {
        let mut descriptors = descriptors.into_iter();
        let stdio = [descriptors.next()?, descriptors.next()?, descriptors.next()?];
        Some(Self { stdio, supervisor: descriptors.next() })
    }

    /// In the order in which they travel.
    pub(crate) fn each(&self) -> Vec<BorrowedFd<'_>> {
        self.stdio.iter().chain(&self.supervisor).map(AsFd::as_fd).collect()
    }
}

/// Bytes as they come, messages as they are complete.
#[derive(Default)]
pub(crate) struct Frames {
    bytes: Vec<u8>,
}

impl Frames {
    /// Takes what was read.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Reads once from a socket that has something to read; [`io::ErrorKind::UnexpectedEof`] when it is closed.
    pub(crate) fn fill(&mut self, mut from: impl Read) -> io::Result<()> {
        let mut buffer = [0; 4096];
        let count = from.read(&mut buffer)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.push(buffer.get(..count).unwrap_or_default());
        Ok(())
    }

    /// The next message, when all of it is there.
    pub(crate) fn next<T: DeserializeOwned>(&mut self) -> io::Result<Option<T>> {
        let Some((header, rest)) = self.bytes.split_first_chunk::<HEADER>() else { return Ok(None) };
        let length = u32::from_be_bytes(*header) as usize;
        if length > LIMIT {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the message is too long"));
        }
        let Some(body) = rest.get(..length) else { return Ok(None) };
        let message = serde_json::from_slice(body).map_err(io::Error::other)?;
        self.bytes.drain(..HEADER + length);
        Ok(Some(message))
    }
}

/// Paths need not be text.
pub(super) mod path {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::ffi::OsString;
    use std::path::{Path, PathBuf};

    pub(crate) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        path.as_os_str().serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        OsString::deserialize(from).map(PathBuf::from)
    }
}

/// Several of them.
pub(super) mod paths {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::ffi::OsString;
    use std::path::PathBuf;

    pub(crate) fn serialize<S: Serializer>(paths: &[PathBuf], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(paths.iter().map(|path| path.as_os_str()))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<PathBuf>, D::Error> {
        Ok(Vec::<OsString>::deserialize(from)?.into_iter().map(PathBuf::from).collect())
    }
}

#[cfg(test)]
mod tests;
