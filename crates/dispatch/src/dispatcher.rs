//! Starting and stopping.

use std::{
    io,
    sync::{Arc, mpsc},
    thread::{self, JoinHandle},
    time::Duration,
};

use kernel::{Clock, Gauge};
use tokio::{
    runtime::{Builder, Runtime},
    sync::watch,
    time::sleep,
};
use webhooks::{Deliveries, Sender, Watcher};

use crate::{
    Settings,
    engine::{Engine, Parts},
    gauges::Gauges,
    hints::Hints,
};

/// Before an engine that broke is started anew.
const RESTART_PAUSE: Duration = Duration::from_secs(1);
/// So long the runtime waits for what senders have left on threads of its own.
const FAREWELL: Duration = Duration::from_millis(500);

/// Delivers events until it is stopped or dropped.
#[derive(Debug)]
pub struct Dispatcher {
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
    hints: Arc<Hints>,
    gauges: Arc<Gauges>,
}

impl Dispatcher {
    /// Begins to deliver what `deliveries` has due through `sender`, on threads of its own.
    ///
    /// # Errors
    /// When the system has no threads or no runtime to give.
    pub fn start(
        settings: Settings,
        deliveries: Arc<dyn Deliveries>,
        sender: Arc<dyn Sender>,
        clock: Arc<dyn Clock>,
    ) -> io::Result<Self> {
        let (hints, gauges) = (Arc::new(Hints::default()), Arc::new(Gauges::default()));
        deliveries.watch(Arc::clone(&hints) as Arc<dyn Watcher>);
        let (stop, stopped) = watch::channel(false);
        let parts = Parts {
            settings,
            deliveries,
            sender,
            clock,
            hints: Arc::clone(&hints),
            gauges: Arc::clone(&gauges),
            stop: stopped,
        };
        let (tell_started, started) = mpsc::channel();
        let thread = thread::Builder::new().name("dispatch".to_owned()).spawn(move || {
            // A runtime is made and dropped here, because neither is allowed inside another.
            match runtime(parts.settings.workers) {
                Ok(runtime) => {
                    drop(tell_started.send(Ok(())));
                    runtime.block_on(run(&parts));
                    runtime.shutdown_timeout(FAREWELL);
                }
                Err(error) => drop(tell_started.send(Err(error))),
            }
        })?;
        started
            .recv()
            .map_err(|_| io::Error::other("the dispatcher ended before it started"))??;
        Ok(Self { stop, thread: Some(thread), hints, gauges })
    }

    /// Claims nothing more, waits for the exchanges under way, records their ends and gives back what was
    /// claimed and not sent. Blocks until that is done, at most a few seconds longer than an exchange.
    pub fn stop(mut self) {
        self.end();
    }

    /// Figures for monitoring.
    #[must_use]
    pub fn gauges(&self) -> Vec<Gauge> {
        self.gauges.read()
    }

    fn end(&mut self) {
        self.stop.send_replace(true);
        self.hints.close();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the dispatcher thread panicked");
        }
    }
}

impl Drop for Dispatcher {
    /// As [`Dispatcher::stop`].
    fn drop(&mut self) {
        self.end();
    }
}

fn runtime(workers: usize) -> io::Result<Runtime> {
    Builder::new_multi_thread()
        .worker_threads(workers.max(1))
        .thread_name("dispatch-worker")
        .enable_all()
        .build()
}

/// Runs an engine until it is told to stop, a new one if it breaks: its claims end by themselves.
async fn run(parts: &Parts) {
    while let Err(error) = tokio::spawn(Engine::new(parts.clone()).run()).await {
        tracing::error!(%error, "the dispatcher panicked and is restarting");
        if *parts.stop.borrow() {
            return;
        }
        sleep(RESTART_PAUSE).await;
    }
}
