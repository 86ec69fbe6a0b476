//! Trastienda in one piece: settings, command line, start and stop.
//!
//! The outermost crate. It opens the store, gives it to the API and to the engines, and runs them behind a listener;
//! no rule, no SQL and no route is written here. [`start`] runs the whole service inside the calling
//! process, which is how the program serves and how tests start it.

pub mod certifying;
pub mod cli;
mod collecting;
pub mod delivering;
pub mod demo;
mod first_run;
pub mod keys;
pub mod logging;
pub mod master_key;
pub mod serve;
pub mod service;
pub mod settings;
mod test_accounts;
pub mod worker;
mod working;

mod answers;
mod approving;
mod backend;
mod beside;
mod data_dir;
mod housekeeping;
mod http;
mod mailing;
mod output;
mod paneling;
mod people;
mod printing;
mod signals;
pub mod tls;

pub use certifying::Certifying;
pub use delivering::Delivering;
pub use mailing::Mailing;
pub use service::{Running, Service, start};
pub use settings::Settings;
