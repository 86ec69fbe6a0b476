//! The signals that ask the program to stop, or to read its files again.

use std::io;

use tokio::runtime::Runtime;

/// Hears SIGTERM and SIGINT from the moment it is made.
pub(crate) struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    /// SIGHUP, if it is heard; where it is not, it ends the program, as terminals that close expect.
    #[cfg(unix)]
    hangup: Option<tokio::signal::unix::Signal>,
}

impl Signals {
    #[cfg(unix)]
    pub(crate) fn listen(runtime: &Runtime) -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let _context = runtime.enter();
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hangup: None,
        })
    }

    /// Hears SIGHUP too, from now on.
    #[cfg(unix)]
    pub(crate) fn hear_hangup(&mut self, runtime: &Runtime) -> io::Result<()> {
        use tokio::signal::unix::{SignalKind, signal};
        let _context = runtime.enter();
        self.hangup = Some(signal(SignalKind::hangup())?);
        Ok(())
    }

    #[cfg(not(unix))]
    pub(crate) fn hear_hangup(&mut self, _: &Runtime) -> io::Result<()> {
        Ok(())
    }

    #[cfg(not(unix))]
    pub(crate) fn listen(_: &Runtime) -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits for the next signal that asks to stop, and names it; calls `reload` at every SIGHUP until then.
    #[cfg(unix)]
    pub(crate) async fn next_or(&mut self, reload: impl Fn()) -> &'static str {
        loop {
            let hangup = async {
                match &mut self.hangup {
                    Some(hangup) => hangup.recv().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                _ = self.terminate.recv() => return "SIGTERM",
                _ = self.interrupt.recv() => return "SIGINT",
                _ = hangup => reload(),
            }
        }
    }

    #[cfg(not(unix))]
    pub(crate) async fn next_or(&mut self, _: impl Fn()) -> &'static str {
        self.next().await
    }

    /// Waits for the next signal that asks to stop, and names it.
    #[cfg(unix)]
    pub(crate) async fn next(&mut self) -> &'static str {
        self.next_or(|| ()).await
    }

    #[cfg(not(unix))]
    pub(crate) async fn next(&mut self) -> &'static str {
        match tokio::signal::ctrl_c().await {
            Ok(()) => "Ctrl-C",
            Err(_) => std::future::pending().await,
        }
    }
}
