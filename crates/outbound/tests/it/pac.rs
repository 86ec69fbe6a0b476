//! Certification providers that behave and that do not.

mod cancelling;
mod recovery;
mod sessions;
mod stamping;
mod statuses;
mod support;
mod transport;
mod withholdings;
