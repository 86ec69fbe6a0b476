//! Webhooks over HTTP: from the call that makes an event to the request that tells of it.

mod attempts;
pub(crate) mod audience;
mod disabling;
mod events;
mod feed;
mod isolation;
mod log;
mod master_keys;
mod nodes;
mod replays;
mod restarts;
mod retention;
mod retries;
mod secrets;
mod subscriptions;
