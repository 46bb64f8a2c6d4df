//! Ports to the rest of the program: one trait per file, no implementation that does I/O.

mod acts;
mod approvals;
mod artifacts;
mod asker;
mod channels;
mod checked;
mod clock;
mod commands;
mod conversations;
mod doors;
mod embedder;
mod files;
mod guard;
mod hook;
pub mod http;
mod keeping;
mod memory;
mod pending;
mod processes;
mod recorder;
mod repositories;
mod sessions;
mod subagents;
mod undo;
mod voice;
mod web;
mod words;
mod writes;

pub use acts::{Acts, ActsHandle, Performers};
pub use approvals::{ApprovalRules, Lasts, Questions, RuleDraft, Ruling, Unkept};
pub use artifacts::{ArtifactPage, Artifacts, ArtifactsHandle, NewArtifact, NewContent, NoArtifacts, StoredMedia};
pub use asker::{Answer, Asker, Elsewhere, NoAsker, Question, Reason};
pub use channels::{ChannelError, ChannelErrorKind, Channels, ChannelsHandle, NoChannels};
pub(crate) use checked::CalledTool;
pub use checked::{CheckedCall, PreviewCx};
pub use clock::{Clock, SystemClock};
pub use commands::{CommandClass, CommandPart, CommandReader, CommandReading, CommandWord, Leaves, NoReader};
pub use conversations::{
    Conversation, Conversations, ConversationsHandle, Extent, News, Stretch, Utterance, Utterances,
};
pub(crate) use doors::Doors;
pub use doors::{Grant, Handle};
pub use embedder::{Embedder, EmbedderHandle, NoVectors};
pub use files::{
    Change, ChangeOrigin, ClosedBy, Committed, ContentHash, Entry, EntryContent, EntryKind, EntryOpener, Expect,
    FileError, FileErrorKind, Files, FilesHandle, Flow, Inclusion, Metadata, NoFiles, NotKept, OpenFile, PathRefusal,
    PathRules, Reader, RemoteFault, Visit, WalkEnd, WalkEntry, WalkOptions, lexical,
};
pub use guard::{Decision, Guard, Past, Verdict};
pub use hook::{Hook, HookReply};
pub use keeping::StoreFault;
pub use memory::{
    FoundPassage, IndexFault, IndexOwner, IndexedSource, MemoryIndex, MemoryIndexHandle, MemoryIndexes, NewPassage,
    NewSource, PassageCounts, UnmeasuredText,
};
pub use pending::{Owed, Pending, wait};
pub use processes::{
    Attach, Attached, AwaitedAnswer, By, Captured, Ended, Exit, Finished, Input, Keep, LimitMet, NoProcesses, Output,
    Owner, Polled, ProcessError, ProcessErrorKind, ProcessStatus, Processes, ProcessesHandle, Profile, ProgramLimit,
    Run, RunLimits, Tail, WorkspaceAccess, WriteAnswer, WriteQuestion, WriteQuestions,
};
pub(crate) use processes::{ChangedFiles, WriteQuestionSender};
pub use recorder::{NoRecorder, Record, Recorder, StageDecision, StageRecord};
pub use repositories::{GitPart, GitPlace, GitRules, NoGitRules};
pub use sessions::{
    Addition, Claim, EventFilter, EventNumber, Fence, Level, NewEvent, NewSession, Sequence, SequencedEvent,
    SessionCursor, SessionFilter, SessionStatus, SessionSummary, Sessions, StoredEvent, StoredSession,
};
pub(crate) use subagents::CallSubagents;
pub use subagents::{NotTaken, SubagentsHandle, TaskState, TaskStatus};
pub use undo::{UndoIndex, UndoLine, UndoNumber, UndoSession};
pub use voice::{Heard, Hearing, Inquiry, LogLevel, LogLine, NoReply, Progress, Voice};
pub use web::{
    AnyHop, BodyEnd, Hops, NoWeb, SocketError, SocketLimits, SocketMessage, Web, WebAnswer, WebError, WebErrorKind,
    WebHandle, WebLimits, WebRequest, WebSocket, WebStream,
};
pub(crate) use words::each_text;
pub use words::{AsItIs, Marker, RedactStream, Redactor, SHORTEST_SECRET, is_searchable};
pub use writes::{
    ClosedPlaces, CommandText, Found, FreeWrites, NameChange, NewName, Place, ProgramWrites, RefusedWrite, Step,
    Undoable, WriteLog, Written,
};
