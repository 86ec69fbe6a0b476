//! Asking the system for the addresses of a name.

use std::{
    future::Future,
    io,
    net::{IpAddr, ToSocketAddrs},
    pin::Pin,
    sync::Arc,
};

use tokio::{sync::Semaphore, task::spawn_blocking};

/// Look-ups under way at a time. Each holds a thread of the runtime for as long as the name's servers care
/// to take, even when nobody waits for it any more, and others need such threads too.
pub const LOOKUPS_MAX: usize = 128;

/// A look-up under way.
pub type Looking = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Finds the addresses of a name.
pub type Lookup = Box<dyn Fn(&str) -> Looking + Send + Sync>;

/// The system's way (`getaddrinfo`), on threads that may block.
#[must_use]
pub fn system() -> Lookup {
    let room = Arc::new(Semaphore::new(LOOKUPS_MAX));
    Box::new(move |name| {
        let (room, name) = (Arc::clone(&room), name.to_owned());
        Box::pin(async move {
            let place = room.acquire_owned().await.map_err(io::Error::other)?;
            let look_up = move || {
                // Held by the thread, not by the caller: who gives up does not end the look-up.
                let _place = place;
                let found = (name.as_str(), 0).to_socket_addrs()?;
                Ok(found.map(|address| address.ip()).collect())
            };
            spawn_blocking(look_up).await.map_err(io::Error::other)?
        })
    })
}
