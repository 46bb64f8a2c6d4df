//! Models that repeat themselves: `loops`.

use super::section::section;

section! {
    /// When the same call with the same result, made by a model, is too much. 2 <= warn <= refuse <= stop.
    LoopSettings {
        /// The how-manieth same call is run with a warning.
        #[schemars(range(min = 2, max = 1000))]
        warn: u32 = 3,
        /// From this one on it is refused.
        #[schemars(range(min = 2, max = 1000))]
        refuse: u32 = 5,
        /// This one ends the run.
        #[schemars(range(min = 2, max = 1000))]
        stop: u32 = 8,
    }
}
