//! Reads one descriptor to its end without blocking. Pipes and terminals look the same here.

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use std::io;
use std::os::fd::OwnedFd;
use tokio::io::unix::AsyncFd;

/// Our end of a pipe or a terminal.
pub(crate) struct Stream(AsyncFd<OwnedFd>);

impl Stream {
    /// Must be called on the thread that serves programs.
    #[allow(unsafe_code, reason = "the runtime has no safe way to wait for a terminal")]
    pub(crate) fn new(descriptor: OwnedFd) -> io::Result<Self> {
        fcntl_setfl(&descriptor, fcntl_getfl(&descriptor)? | OFlags::NONBLOCK)?;
        // SAFETY: an owned descriptor names the same open file until it is dropped, and it is never taken out of here.
        Ok(Self(unsafe { AsyncFd::register(descriptor) }?))
    }

    /// Nothing read means the end.
    async fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let mut ready = self.0.readable().await?;
            match ready.try_io(|inner| Ok(rustix::io::read(inner, &mut *buffer)?)) {
                // A terminal reports its last closing as an error.
                Ok(Err(error)) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => return Ok(0),
                Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(done) => return done,
                Err(_would_block) => {}
            }
        }
    }

    /// Returns once all is taken; `taken` counts on the way, also for a caller that gives up.
    pub(crate) async fn write_all(&self, mut bytes: &[u8], taken: &mut usize) -> io::Result<()> {
        while !bytes.is_empty() {
            let mut ready = self.0.writable().await?;
            match ready.try_io(|inner| Ok(rustix::io::write(inner, bytes)?)) {
                Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(written) => {
                    let written = written?;
                    *taken += written;
                    bytes = bytes.get(written..).unwrap_or_default();
                }
                Err(_would_block) => {}
            }
        }
        Ok(())
    }
}

/// Hands every chunk to `sink` until the stream ends. A failing stream has ended too: what came before it counts.
pub(crate) async fn pump(stream: &Stream, chunk: usize, mut sink: impl FnMut(&[u8])) {
    let mut buffer = vec![0; chunk];
    while let Ok(read @ 1..) = stream.read(&mut buffer).await {
        sink(buffer.get(..read).unwrap_or_default());
    }
}
