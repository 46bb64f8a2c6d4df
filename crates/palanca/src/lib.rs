//! The library face: re-exports, no logic.
