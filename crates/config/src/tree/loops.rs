//! Models that repeat themselves: `loops`.

use super::section::section;

section! {
    /// Limits on a model's repetitions of the same call with the same result. 2 <= warn <= refuse <= stop.
    LoopSettings {
        /// From this number of equal calls on, they run with a warning.
        #[schemars(range(min = 2, max = 1000))]
        warn: u32 = 3,
        /// From this number on, they are refused.
        #[schemars(range(min = 2, max = 1000))]
        refuse: u32 = 5,
        /// At this number, the run ends.
        #[schemars(range(min = 2, max = 1000))]
        stop: u32 = 8,
    }
}
