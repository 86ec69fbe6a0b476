//! Delivers events.
