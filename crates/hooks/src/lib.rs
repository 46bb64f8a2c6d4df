//! The operator's programs around calls and turns: when they run, what they are told, what they may answer.
