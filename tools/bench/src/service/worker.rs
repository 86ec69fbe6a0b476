//! Starting and ending a process that only delivers.

use std::process::Child;

use super::process::ServiceOptions;

/// A running worker. It is killed when it goes out of scope.
#[derive(Debug)]
pub(crate) struct Worker {
    child: Child,
}

impl Worker {
    /// Starts a worker; it has no address to ask whether it is ready.
    pub(crate) fn start(options: &ServiceOptions) -> anyhow::Result<Self> {
        Ok(Self { child: options.spawn(&["worker"])? })
    }

    /// Whether the process still runs; it must not have ended by itself.
    pub(crate) fn is_running(&mut self) -> anyhow::Result<bool> {
        Ok(self.child.try_wait()?.is_none())
    }

    /// `kill -9`: the worker gets no chance to finish anything.
    pub(crate) fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Already ended is what we want; nothing else can be done here.
        let _ = self.kill();
    }
}
