//! What a system call asks for, its pointers not yet followed.

/// Where, as the call says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// A path from a folder's descriptor, or from the working folder.
    Path {
        directory: i32,
        /// Address of the text.
        path: u64,
        /// The link itself and not where it leads.
        itself: bool,
    },
    /// What is open already.
    Descriptor(i32),
}

/// What times are counted in, before there were nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Seconds,
    Microseconds,
}

/// Numbers and addresses as the call has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Open { at: At, flags: i32, mode: u32 },
    Truncate { at: At, length: u64 },
    Remove { at: At, flags: i32 },
    Rename { from: At, to: At, flags: u32 },
    HardLink { from: At, to: At, flags: i32 },
    Link { target: u64, at: At },
    Folder { at: At, mode: u32 },
    Node { at: At, mode: u32 },
    Mode { at: At, mode: u32 },
    Owner { at: At, ids: (u32, u32), flags: i32 },
    Times { at: At, times: u64, flags: i32 },
    OldTimes { at: At, times: u64, unit: Unit },
    SetAttribute { at: At, name: u64, value: (u64, u64), flags: u32 },
    RemoveAttribute { at: At, name: u64 },
    Bind { socket: i32, address: (u64, u64) },
    Connect { socket: i32, address: (u64, u64) },
    Umask,
}
