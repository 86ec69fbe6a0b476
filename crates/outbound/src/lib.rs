//! Calls to the outside.
