//! Counting requests for all nodes, in Valkey or Redis.
//!
//! The server keeps one number for each holder, and a script moves it as a node alone does (GCRA). A request waits for it
//! for a few milliseconds at most. Once it was silent, or is not there, nobody waits any more until it has answered in
//! that time again: then each node counts its share by itself, for which it remembers how many nodes there were.

mod address;
mod keeper;
mod link;
mod scripts;
#[cfg(test)]
mod tests;

use std::{
    path::PathBuf,
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use kernel::{
    Gauge,
    rate::{Counting, Quota, SharedCounter, Verdict},
};
use tokio::{runtime, sync::watch, time::timeout};

pub use address::Address;

use crate::SetupError;
use keeper::Keeper;
use link::{State, connector};

/// How long a request waits to be counted.
pub const PATIENCE: Duration = Duration::from_millis(5);
/// How long the start waits for the first answer: requests that come before it are counted by this node alone.
const FIRST_PATIENCE: Duration = Duration::from_secs(1);

/// Where requests are counted for all nodes.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Of the server.
    pub address: Address,
    /// What the names of its keys begin with: installations with one server tell themselves apart by it.
    pub prefix: String,
    /// How long a request waits to be counted.
    pub patience: Duration,
    /// A PEM file of certificate authorities to trust besides those of Mozilla's list, which are compiled in.
    pub ca_file: Option<PathBuf>,
}

/// Counts requests for all nodes.
pub struct Counter {
    state: Arc<State>,
    /// Ends the keeper when it is dropped.
    _stop: watch::Sender<()>,
}

impl Counter {
    /// Begins to count. A server that is not there yet is found once it is.
    ///
    /// # Errors
    /// When the certificate authorities cannot be used, or there is no thread to be had.
    pub fn start(settings: Settings) -> Result<Self, SetupError> {
        let Settings { address, prefix, patience, ca_file } = settings;
        let tls = connector(&address, ca_file.as_deref())?;
        let state = Arc::new(State::new(prefix, patience));
        let runtime = runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(SetupError::Thread)?;
        let (stop, stopped) = watch::channel(());
        let (tell, told) = mpsc::sync_channel(1);
        let keeper = Keeper::new(address, tls, Arc::clone(&state), tell);
        let keep = move || runtime.block_on(keeper.run(stopped));
        let thread = thread::Builder::new().name("limits".to_owned());
        thread.spawn(keep).map_err(SetupError::Thread)?;
        // Whatever it is, the keeper goes on.
        let _ = told.recv_timeout(FIRST_PATIENCE);
        Ok(Self { state, _stop: stop })
    }

    async fn ask(&self, holder: &str, quota: Quota, untold: u32) -> Option<Verdict> {
        let mut connection = self.state.connection()?;
        let name = self.state.name(holder);
        let asking = scripts::count(&mut connection, &name, (quota, untold), None);
        let answer = timeout(self.state.patience, asking).await;
        if let Ok(Ok(verdict)) = answer {
            return Some(verdict);
        }
        // The keeper finds out why.
        self.state.lose();
        answer.is_err().then_some(Verdict::Unanswered)
    }
}

impl SharedCounter for Counter {
    fn count<'a>(&'a self, holder: &'a str, quota: Quota, untold: u32) -> Counting<'a> {
        Box::pin(async move {
            let counted = self.ask(holder, quota, untold).await;
            if matches!(counted, None | Some(Verdict::Unanswered)) {
                self.state.counted_alone();
            }
            counted
        })
    }

    fn nodes(&self) -> u32 {
        self.state.nodes()
    }

    fn gauges(&self) -> Vec<Gauge> {
        self.state.gauges()
    }
}
