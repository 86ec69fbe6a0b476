//! A receiver of webhooks: answers well, slowly, badly or never, as the path of its endpoint says, and
//! remembers what arrived when.
//!
//! It runs in a process of its own, on one thread, so that its processor time is apart from the load
//! generator's and most of the machine is left to the service. Its HTTP is written by hand, because
//! what it spends on a request is taken from what is measured.

pub(crate) mod arrival;
mod behaviour;
mod connection;
mod control;
pub(crate) mod ids;
pub(crate) mod incoming;
pub(crate) mod process;
mod recorder;
pub(crate) mod signature;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::net::TcpListener;
use tokio::runtime::Builder;

pub(crate) use arrival::Arrival;
pub(crate) use process::Receiver;

/// Receives until the process is killed.
pub(crate) fn serve(listen: SocketAddr) -> anyhow::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(listen).await?;
        let recorder = Arc::new(Mutex::new(recorder::Recorder::default()));
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            // How a connection ends is the sender's business, and shows in what arrived.
            drop(tokio::spawn(connection::serve(stream, Arc::clone(&recorder))));
        }
    })
}
