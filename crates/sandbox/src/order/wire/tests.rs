#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use crate::order::{Level, Plan, Report, Request, Terminal};
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

fn order(argument: OsString) -> Order {
    Order {
        argv: vec!["true".into(), argument.clone()],
        environment: vec![("A".into(), "1".into())],
        directory: PathBuf::from(argument),
        terminal: Terminal::None,
    }
}

#[test]
fn a_room_arrives_as_it_was_sent() {
    for path in [OsString::from("/a"), OsString::from_vec(b"/\xff\n\0x".to_vec()), "x".repeat(300_000).into()] {
        let plan = Plan {
            supervised: false,
            level: Level::Full,
            writable: vec![PathBuf::from(&path), "/usr".into()],
            read_only: vec![".git".into()],
            masked: Vec::new(),
            readable: Vec::new(),
            growing: Vec::new(),
            unexecuted: Vec::new(),
            limits: Default::default(),
            home: None,
            layer: None,
            links: Vec::new(),
        };
        let environment = [("HOME".into(), "/home/one".into()), ("PATH".into(), "/usr/games:relative".into())];
        let sent = Room::new(plan, palanca_core::call::Network::Open, &environment);
        assert_eq!((sent.home(), sent.gits.as_slice()), (Some(Path::new("/home/one")), [].as_slice()));
        let (parent, helper) = UnixStream::pair().unwrap();
        let message = encode(&sent).unwrap();
        let writer = std::thread::spawn(move || (&parent).write_all(&message));
        assert_eq!(receive_room(&helper).unwrap(), sent);
        writer.join().unwrap().unwrap();
    }
}

#[test]
fn an_order_arrives_as_it_was_sent_with_its_descriptors() {
    for argument in [OsString::from("/a"), OsString::from_vec(b"/\xff\n\0x".to_vec()), "x".repeat(300_000).into()] {
        let sent = order(argument);
        let (parent, helper) = UnixStream::pair().unwrap();
        let message = encode(&sent).unwrap();
        let writer = std::thread::spawn(move || {
            let stdio = io::stderr();
            let count = attach_order(&parent, &message, &[stdio.as_fd(), stdio.as_fd(), stdio.as_fd()]).unwrap();
            (&parent).write_all(&message[count..]).unwrap();
            parent
        });
        let (received, stdio) = receive_order(&helper).unwrap();
        assert_eq!(received, sent);
        assert_eq!(stdio.each().len(), 3);
        writer.join().unwrap();
    }
}

#[test]
fn messages_may_come_in_pieces() {
    let bytes = [encode(&Request::Signal(15)).unwrap(), encode(&Request::Signal(9)).unwrap()].concat();
    let mut frames = Frames::default();
    let mut read = Vec::new();
    for byte in bytes {
        frames.push(&[byte]);
        read.extend(frames.next::<Request>().unwrap());
    }
    assert_eq!(read, [Request::Signal(15), Request::Signal(9)]);
}

#[test]
fn what_is_no_message_is_an_error() {
    for bytes in [b"\xff\xff\xff\xff".as_slice(), b"\0\0\0\x02{}", b"\0\0\0\0"] {
        let mut frames = Frames::default();
        frames.push(bytes);
        assert!(frames.next::<Report>().is_err(), "{bytes:?}");
    }
}

#[test]
fn an_order_without_descriptors_is_refused() {
    let (mut parent, helper) = UnixStream::pair().unwrap();
    parent.write_all(&encode(&order("/".into())).unwrap()).unwrap();
    assert!(receive_order(&helper).is_err());
    drop(parent);
    assert!(receive_order(&helper).is_err());
}

#[test]
fn of_two_orders_neither_is_taken() {
    let (parent, helper) = UnixStream::pair().unwrap();
    let message = encode(&order("/".into())).unwrap();
    let stdio = io::stderr();
    let twice = [message.as_slice(), &message].concat();
    attach_order(&parent, &twice, &[stdio.as_fd(), stdio.as_fd(), stdio.as_fd()]).unwrap();
    assert!(receive_order(&helper).is_err());
}
