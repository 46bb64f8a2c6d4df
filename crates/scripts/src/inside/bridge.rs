//! Between the engine and this process: what the script's own world (`prelude`) is made of, and what it reports.
//!
//! The bridge keeps nothing that a script could reach: functions of ours that the prelude holds in its own scope, and strings. A
//! script that bends its world bends it for itself; what it may do is decided by its parent.

mod natives;

use super::work::Work;
use crate::limits::Limit;
use crate::wire::{Answered, How, Reply};
use data_encoding::BASE64;
use rquickjs::function::Function;
use rquickjs::runtime::RejectionTracker;
use rquickjs::{Array, Ctx, IntoJs as _, Object, Persistent, Promise, Result, TypedArray, Value};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

/// The script's world, in order.
const PRELUDE: &str = concat!(
    "(function (native) { 'use strict';\n",
    include_str!("prelude/primordials.js"),
    include_str!("prelude/inspect.js"),
    include_str!("prelude/console.js"),
    include_str!("prelude/timers.js"),
    include_str!("prelude/bytes.js"),
    include_str!("prelude/url.js"),
    include_str!("prelude/asking.js"),
    include_str!("prelude/process.js"),
    include_str!("prelude/numbers.js"),
    include_str!("prelude/run.js"),
    "\n})"
);

/// What uncaught exceptions are when memory is at its end.
const NO_MEMORY: &str = "InternalError: out of memory";

pub(super) struct Bridge<'js> {
    ctx: Ctx<'js>,
    work: Rc<Work>,
    world: Object<'js>,
}

impl<'js> Bridge<'js> {
    pub(super) fn build(ctx: &Ctx<'js>, work: &Rc<Work>) -> Result<Self> {
        let native = natives::natives(ctx, work)?;
        let build: Function<'js> = ctx.eval(PRELUDE)?;
        let world = build.call((native,))?;
        Ok(Self { ctx: ctx.clone(), work: Rc::clone(work), world })
    }

    /// The arguments of the program, as JSON text, before it begins.
    pub(super) fn given(&self, arguments: &str) -> Result<()> {
        self.world.get::<_, Function<'js>>("given")?.call((arguments,))
    }

    /// The promise of the whole run.
    pub(super) fn begin(&self, evaluated: Promise<'js>, namespace: Object<'js>) -> Result<Promise<'js>> {
        self.world.get::<_, Function<'js>>("run")?.call((evaluated, namespace))
    }

    /// How the settled promise of the whole run ends it.
    pub(super) fn result(&self, promise: &Promise<'js>) -> How {
        let result = promise.result::<Array<'js>>();
        let read = |result: Array<'js>| Ok((result.get::<String>(0)?, result.get::<Option<String>>(1)?));
        match result.map(|result| result.and_then(read)) {
            Some(Ok((kind, text))) => match (&*kind, text) {
                ("finished", _) => How::Finished,
                ("returned", Some(text)) if text.len() > self.work.limits.output => How::Limited(Limit::Output),
                ("returned", text) => How::Returned(text),
                (_, text) => threw(text.unwrap_or_default()),
            },
            _ => How::Limited(Limit::Memory),
        }
    }

    /// A promise that was rejected while nobody listened.
    pub(super) fn unhandled(&self) -> Option<How> {
        let described = self.world.get::<_, Function<'js>>("unhandled").and_then(|unhandled| unhandled.call(()));
        described.unwrap_or_else(|_| Some(NO_MEMORY.to_owned())).map(threw)
    }

    pub(super) fn threw(&self, error: Value<'js>) -> How {
        let described = self.world.get::<_, Function<'js>>("describe").and_then(|describe| describe.call((error,)));
        // Where there is no memory to describe it.
        described.map_or(How::Limited(Limit::Memory), threw)
    }

    /// When the next timer is due.
    pub(super) fn next_timer(&self) -> Result<Option<Duration>> {
        let due: f64 = self.world.get::<_, Function<'js>>("nextTimer")?.call(())?;
        Ok((due >= 0.0).then(|| Duration::from_secs_f64(due.min(1e9) / 1e3)))
    }

    /// Runs the timers that are due.
    pub(super) fn fire(&self) -> Result<()> {
        self.world.get::<_, Function<'js>>("fire")?.call(())
    }

    pub(super) fn deliver(&self, reply: Reply) -> Result<()> {
        let ctx = &self.ctx;
        self.work.open.set(self.work.open.get().saturating_sub(1));
        let deliver: Function<'js> = self.world.get("deliver")?;
        let value = match reply.answer {
            Answered::Refused(why) => return deliver.call((reply.id, why, rquickjs::Undefined)),
            Answered::Text(text) => text.into_js(ctx)?,
            Answered::Result { success, content } => {
                let result = Object::new(ctx.clone())?;
                result.set("success", success)?;
                result.set("content", content)?;
                result.into_value()
            }
            Answered::Response { status, url, headers, body, encoded } => {
                let response = Object::new(ctx.clone())?;
                response.set("status", status)?;
                response.set("url", url)?;
                let headers: Vec<Vec<String>> = headers.into_iter().map(|(name, value)| vec![name, value]).collect();
                response.set("headers", headers)?;
                let body = if encoded { BASE64.decode(body.as_bytes()).unwrap_or_default() } else { body.into_bytes() };
                response.set("body", TypedArray::new(ctx.clone(), body)?)?;
                response.into_value()
            }
        };
        deliver.call((reply.id, rquickjs::Null, value))
    }
}

/// Tells the world of promises that are rejected while nobody listens. Made before there is one.
#[derive(Default)]
pub(super) struct Rejected(Rc<RefCell<Option<Persistent<Function<'static>>>>>);

impl Rejected {
    pub(super) fn told_to<'js>(&self, ctx: &Ctx<'js>, bridge: &Bridge<'js>) -> Result<()> {
        let rejected: Function<'js> = bridge.world.get("rejected")?;
        self.0.replace(Some(Persistent::save(ctx, rejected)));
        Ok(())
    }

    pub(super) fn tracker(&self) -> RejectionTracker {
        let told = Rc::clone(&self.0);
        Box::new(move |ctx, promise, reason, is_handled| {
            let Some(told) = told.borrow().clone() else { return };
            if told.restore(&ctx).and_then(|told| told.call::<_, ()>((promise, reason, is_handled))).is_err() {
                // ignored: without memory for it, the script ends anyway.
                drop(ctx.catch());
            }
        })
    }
}

fn threw(described: String) -> How {
    if described.starts_with(NO_MEMORY) { How::Limited(Limit::Memory) } else { How::Threw(described) }
}
