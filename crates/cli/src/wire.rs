//! What a command gives to the host: arguments as settings, a person at the terminal, and somewhere to say things.

pub mod asker;
pub mod lookout;
pub mod open;
pub mod runtime;
pub mod settings;
pub mod signals;
