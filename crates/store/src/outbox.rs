//! The outbox: events, and the deliveries opened for them in the transaction of their cause.

pub(crate) mod backlogs;
pub(crate) mod deliveries;
pub(crate) mod events;
pub(crate) mod positions;
