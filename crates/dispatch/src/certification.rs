//! Stamping and cancelling through providers: for whoever asks, and for what a crash left.
//!
//! Every call is made on this engine's own threads, so that a client who hangs up stops nothing, and under a
//! claim, so that two never work on one invoice. What ends without an answer is taken up again here, by
//! whichever process comes first.

mod gauges;
mod places;
mod run;
mod settings;

use std::{
    io,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread::{self, JoinHandle},
    time::Duration,
};

use invoices::{
    CancelInvoice, Certifier, Invoice, InvoiceError, InvoiceId, Sagas, sagas::Directory,
};
use kernel::{AccountId, Clock, Ctx, Fault, Pending, Refused, Written};
use tokio::{
    runtime::{Builder, Handle, Runtime},
    sync::{Semaphore, watch},
    time::{sleep, timeout},
};

use gauges::Gauges;
use places::{Place, Places};
use run::Shared;
pub use settings::CertificationSettings;

/// Threads on which drafts are sealed and commits waited for.
const BLOCKING_THREADS: usize = 64;
/// Before what is due is looked for again after the store could not be asked.
const FAULT_PAUSE: Duration = Duration::from_secs(5);

/// Stamps and cancels until it is stopped or dropped.
pub struct Certification {
    handle: Handle,
    shared: Arc<Shared>,
    stop: watch::Sender<bool>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Certification {
    /// Begins to take up what is due in `sagas`, and to serve whoever asks.
    ///
    /// # Errors
    /// When the system has no threads or no runtime to give.
    pub fn start(
        settings: CertificationSettings,
        sagas: Arc<dyn Sagas>,
        directory: Arc<dyn Directory>,
        clock: Arc<dyn Clock>,
    ) -> io::Result<Self> {
        let (stop, stopped) = watch::channel(false);
        let slots = Semaphore::new(settings.in_flight_max);
        let gauges = Gauges::default();
        let accounts = Places::default();
        let shared =
            Arc::new(Shared { settings, sagas, directory, clock, slots, accounts, gauges });
        let (tell_handle, handle) = mpsc::channel();
        let swept = Arc::clone(&shared);
        let thread = thread::Builder::new().name("certification".to_owned()).spawn(move || {
            // A runtime is made and dropped here, because neither is allowed inside another.
            match runtime() {
                Ok(runtime) => {
                    drop(tell_handle.send(Ok(runtime.handle().clone())));
                    runtime.block_on(sweep(&swept, stopped));
                    runtime.shutdown_timeout(Duration::from_millis(500));
                }
                Err(error) => drop(tell_handle.send(Err(error))),
            }
        })?;
        let ended = |_| io::Error::other("the certification engine ended before it started");
        let handle = handle.recv().map_err(ended)??;
        Ok(Self { handle, shared, stop, thread: Mutex::new(Some(thread)) })
    }

    /// Figures for monitoring: name, meaning, value.
    #[must_use]
    pub fn gauges(&self) -> Vec<(&'static str, &'static str, f64)> {
        let free = self.shared.slots.available_permits();
        self.shared.gauges.read(self.shared.settings.in_flight_max.saturating_sub(free))
    }

    /// Takes up nothing more, serves nobody who asks from now on, and waits for the calls under way, as long
    /// as they may take.
    pub fn stop(&self) {
        self.stop.send_replace(true);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the certification thread panicked");
        }
    }
}

impl Drop for Certification {
    /// As [`Certification::stop`].
    fn drop(&mut self) {
        self.stop();
    }
}

impl Certifier for Certification {
    fn stamp(&self, ctx: Ctx, id: InvoiceId) -> Pending<Written<Invoice, InvoiceError>> {
        self.serve(ctx.account, move |shared| run::stamp(shared, ctx, id))
    }

    fn cancel(&self, ctx: Ctx, command: CancelInvoice) -> Pending<Written<Invoice, InvoiceError>> {
        self.serve(ctx.account, move |shared| run::cancel(shared, ctx, command))
    }
}

impl Certification {
    fn serve<F>(
        &self,
        account: AccountId,
        work: impl FnOnce(Arc<Shared>) -> F,
    ) -> Pending<Written<Invoice, InvoiceError>>
    where
        F: Future<Output = Written<Invoice, InvoiceError>> + Send + 'static,
    {
        if *self.stop.borrow() {
            let stopping = Fault::Unavailable("the service is shutting down".to_owned());
            return Pending::ready(Err(Refused::Fault(stopping)));
        }
        let Some(place) = Place::take(&self.shared.accounts, account, self.account_places()) else {
            let full = Fault::Unavailable(
                "too many invoices of the account are being processed at once".to_owned(),
            );
            return Pending::ready(Err(Refused::Fault(full)));
        };
        let (answer, pending) = Pending::channel();
        let (work, shared) = (work(Arc::clone(&self.shared)), Arc::clone(&self.shared));
        self.handle.spawn(async move {
            // Held for the whole saga, so that a stop can wait for all of them.
            if let Ok(_slot) = shared.slots.acquire().await {
                answer.send(work.await);
            }
            drop(place);
        });
        pending
    }

    /// One account's callers may have half of all slots, so that a provider that hangs keeps nobody else waiting.
    fn account_places(&self) -> usize {
        self.shared.settings.in_flight_max.div_ceil(2)
    }
}

fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(BLOCKING_THREADS)
        .thread_name("certification-worker")
        .enable_all()
        .build()
}

/// Takes up what is due until it is told to stop, then waits for what is under way.
async fn sweep(shared: &Arc<Shared>, mut stopped: watch::Receiver<bool>) {
    while !*stopped.borrow() {
        let pause = match run::take_up(shared).await {
            Ok(()) => shared.settings.sweep_interval,
            Err(fault) => {
                tracing::warn!(%fault, "cannot look up pending stampings");
                FAULT_PAUSE
            }
        };
        tokio::select! {
            () = sleep(pause) => {}
            changed = stopped.changed() => if changed.is_err() { break },
        }
    }
    let all = u32::try_from(shared.settings.in_flight_max).unwrap_or(u32::MAX);
    if timeout(shared.settings.claim_time(), shared.slots.acquire_many(all)).await.is_err() {
        tracing::warn!("calls to providers were interrupted; they are resumed at the next start");
    }
}
