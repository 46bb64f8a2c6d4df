//! What this machine can isolate, found out once for all doors that use the same helper.

use crate::isolation::private::PrivateSettings;
use crate::order::Level;
use crate::probe::{Best, Remembered, best_level_by};
use crate::settings::SandboxSettings;
use parking_lot::Mutex;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::Builder;

pub(crate) struct Machine {
    helper: PathBuf,
    private: PrivateSettings,
    remembered: Option<Remembered>,
    best: Mutex<Option<Best>>,
    /// Held by whoever looks ahead.
    ahead: Mutex<()>,
}

impl Machine {
    /// Remembers for the next process in the state directory of these settings, if they have one.
    pub(super) fn of(settings: &SandboxSettings) -> Self {
        let (helper, state) = (settings.helper.clone(), settings.state_file.as_deref().and_then(Path::parent));
        let private = PrivateSettings::kept_in(state.map(Path::to_owned));
        let remembered = state.and_then(|state| Remembered::kept_in(state, &helper));
        Self { helper, private, remembered, best: Mutex::default(), ahead: Mutex::default() }
    }

    pub(super) fn is_of(&self, settings: &SandboxSettings) -> bool {
        self.helper == settings.helper
    }

    /// The best that it can. Doors that open meanwhile wait for the one answer.
    pub(crate) fn best(&self) -> Best {
        *self.best.lock().get_or_insert_with(|| {
            self.remembered.as_ref().and_then(Remembered::best).unwrap_or_else(|| {
                // What the first program will need is found meanwhile.
                let best = best_level_by(&self.helper, || drop(self.private.found()));
                self.remembered.iter().for_each(|remembered| remembered.learn(best));
                best
            })
        })
    }

    /// Finds all of this out on a thread of its own.
    pub(super) fn look_ahead(self: &Arc<Self>) {
        let machine = Arc::clone(self);
        // ignored: where no thread starts, the first program looks for itself.
        let _ = Builder::new().name("palanca-ahead".to_owned()).spawn(move || {
            let Some(_one) = machine.ahead.try_lock() else { return };
            if machine.best().level > Level::None {
                drop(machine.private());
            }
        });
    }

    /// After a program could not be isolated: the next door asks again.
    pub(crate) fn forget(&self) {
        *self.best.lock() = None;
        self.remembered.iter().for_each(Remembered::forget);
    }

    /// The system's files that programs must not read although this process could.
    pub(crate) fn private(&self) -> Vec<PathBuf> {
        self.private.found()
    }
}
