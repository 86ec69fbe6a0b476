//! The service as a black box: its processes, its administration, its API.

pub(crate) mod administration;
pub(crate) mod client;
pub(crate) mod panel_session;
pub(crate) mod process;
pub(crate) mod readiness;
pub(crate) mod waits;
pub(crate) mod webhooks;
pub(crate) mod worker;

pub(crate) use administration::{SpareKey, Tenant};
pub(crate) use client::{Answer, ApiClient};
pub(crate) use process::Service;
pub(crate) use waits::Waits;
