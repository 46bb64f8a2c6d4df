//! The engine and its loop: jobs, then timers and answers, until the result is there.

use super::CALLS;
use super::bridge::{Bridge, Rejected};
use super::pipes::Pipes;
use super::strip::Stripped;
use super::work::Work;
use crate::limits::Limits;
use crate::wire::{FILE, How, Reply, Said};
use rquickjs::promise::PromiseState;
use rquickjs::{CatchResultExt as _, Context, Ctx, Module, Object, Promise, Result, Runtime};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// A job may throw away its own end; after so many of them the time is looked at.
const JOBS: usize = 64;

/// What is run.
pub(super) struct Program {
    pub(super) stripped: Stripped,
    /// JSON text.
    pub(super) arguments: String,
}

/// Where the program comes from. It is asked when the engine is ready for it, and may take its time.
type Source = fn(&mut Pipes) -> Option<std::result::Result<Program, How>>;

/// Makes an engine and runs one program; none when there is none.
pub(super) fn run(limits: Limits, pipes: &mut Pipes, source: Source) -> Option<Said> {
    let work = Work::new(limits);
    let how = live(&work, pipes, source).unwrap_or_else(|error| Some(How::Broken(error.to_string())))?;
    let (how, [stdout, stderr]) = work.end(how);
    Some(Said::Ended { how, stdout, stderr })
}

fn live(work: &Rc<Work>, pipes: &mut Pipes, source: Source) -> Result<Option<How>> {
    let runtime = Runtime::new()?;
    runtime.set_memory_limit(work.limits.memory);
    runtime.set_max_stack_size(CALLS);
    let watched = Rc::clone(work);
    runtime.set_interrupt_handler(Some(Box::new(move || watched.is_over())));
    let rejected = Rejected::default();
    runtime.set_host_promise_rejection_tracker(Some(rejected.tracker()));
    let context = Context::full(&runtime)?;
    let how = context.with(|ctx| {
        let bridge = Bridge::build(&ctx, work)?;
        rejected.told_to(&ctx, &bridge)?;
        let Program { stripped, arguments } = match source(pipes) {
            Some(Ok(program)) => program,
            Some(Err(how)) => return Ok(Some(how)),
            None => return Ok(None),
        };
        work.begin(stripped);
        bridge.given(&arguments)?;
        let promise = match begin(&ctx, work, &bridge) {
            Ok(promise) => promise,
            Err(error) => return Ok(Some(error)),
        };
        turn(&ctx, work, (&bridge, &promise), pipes).map(Some)
    });
    // Its values need not be freed one by one.
    std::mem::forget((context, runtime));
    how
}

/// The promise of the whole run, or how it ended before there was one.
fn begin<'js>(ctx: &Ctx<'js>, work: &Rc<Work>, bridge: &Bridge<'js>) -> std::result::Result<Promise<'js>, How> {
    let begun = || {
        let module = Module::declare(ctx.clone(), FILE, work.code())?;
        let meta: Object<'js> = module.meta()?;
        meta.set("url", format!("file:///{FILE}"))?;
        meta.set("main", true)?;
        let (module, evaluated) = module.eval()?;
        bridge.begin(evaluated, module.namespace()?)
    };
    begun().catch(ctx).map_err(|error| match error {
        rquickjs::CaughtError::Exception(error) => bridge.threw(error.into_value()),
        rquickjs::CaughtError::Value(value) => bridge.threw(value),
        rquickjs::CaughtError::Error(error) => How::Broken(error.to_string()),
    })
}

fn turn<'js>(
    ctx: &Ctx<'js>,
    work: &Rc<Work>,
    (bridge, promise): (&Bridge<'js>, &Promise<'js>),
    pipes: &mut Pipes,
) -> Result<How> {
    loop {
        let mut jobs = 0;
        while ctx.execute_pending_job() {
            jobs += 1;
            if jobs % JOBS == 0 && work.is_over() {
                break;
            }
        }
        if work.is_over() {
            // The reason is known already.
            return Ok(How::Finished);
        }
        if let Some(how) = bridge.unhandled() {
            return Ok(how);
        }
        let finished = match promise.state() {
            PromiseState::Pending => false,
            PromiseState::Resolved | PromiseState::Rejected => match bridge.result(promise) {
                How::Finished => true,
                how => return Ok(how),
            },
        };
        let timer = bridge.next_timer()?;
        match (work.open.get(), timer) {
            (0, None) if finished => return Ok(How::Finished),
            (0, None) => return Ok(How::Stuck),
            (0, Some(due)) => {
                std::thread::sleep(due.min(work.left()));
                bridge.fire()?;
            }
            (_, due) => {
                let begun = Instant::now();
                // A parent that does not answer ends the process itself.
                let wait = due.unwrap_or(Duration::from_secs(3600));
                let reply = pipes.receive_within::<Reply>(wait);
                work.waited(begun.elapsed());
                match reply {
                    Some(reply) => bridge.deliver(reply)?,
                    None => bridge.fire()?,
                }
            }
        }
    }
}
