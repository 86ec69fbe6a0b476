//! What handlers share, whatever they answer.

use std::sync::{
    Arc, LazyLock, OnceLock,
    atomic::{AtomicBool, Ordering},
};

use reference::Reference;

use crate::{
    Services, Settings,
    alike::Alike,
    neighbours::Neighbours,
    turns::{Turns, WorkTurns},
};

/// Draws the OpenAPI document.
pub(crate) type Draw = Box<dyn FnOnce() -> String + Send>;

/// The services and settings of the API, and what it says of itself.
pub(crate) struct Context {
    pub(crate) settings: Settings,
    pub(crate) services: Services,
    /// The OpenAPI document, as JSON, drawn when somebody asks for it.
    pub(crate) openapi: LazyLock<String, Draw>,
    /// The document for people, once somebody has asked for it.
    reference: OnceLock<Result<Reference, String>>,
    /// Requests for equal pages that wait for one.
    pub(crate) alike: Alike,
    /// Turns at pages of lists.
    pub(crate) pages: Turns,
    /// Places of pages that are on their way.
    pub(crate) on_the_way: Turns,
    /// Places of those among them that hold much.
    pub(crate) heavy_pages: Turns,
    /// Turns at writing long ones.
    pub(crate) writing: Arc<Turns>,
    /// Turns at files that are made while they are sent.
    pub(crate) files: Turns,
    /// Turns at receiving large bodies.
    pub(crate) bodies: Turns,
    /// Turns at reading them.
    pub(crate) reading: Turns,
    /// Who is at work.
    pub(crate) neighbours: Arc<Neighbours>,
    /// Turns at what only the database works on, besides this service.
    pub(crate) work: WorkTurns,
    /// Turns at what waits for others as well.
    pub(crate) calls: WorkTurns,
    /// Turns at computing.
    pub(crate) computing: Turns,
    stopping: AtomicBool,
}

impl Context {
    pub(crate) fn new(settings: Settings, services: Services, openapi: Draw) -> Self {
        let (openapi, reference) = (LazyLock::new(openapi), OnceLock::new());
        let stopping = AtomicBool::new(false);
        let neighbours = Arc::new(Neighbours::new());
        Self {
            settings,
            services,
            openapi,
            reference,
            alike: Alike::default(),
            pages: Turns::at_pages(),
            on_the_way: Turns::on_the_way(),
            heavy_pages: Turns::of_heavy_pages(),
            writing: Arc::new(Turns::at_writing()),
            files: Turns::at_files(),
            bodies: Turns::at_much(),
            reading: Turns::at_reading(),
            work: WorkTurns::beside(Arc::clone(&neighbours)),
            calls: WorkTurns::without_rests(),
            neighbours,
            computing: Turns::at_computing(),
            stopping,
        }
    }

    /// The document for people.
    ///
    /// # Errors
    /// When it cannot be read, and why.
    pub(crate) fn reference(&self) -> Result<&Reference, &String> {
        let read = || Reference::of(&self.openapi).map_err(|error| error.to_string());
        self.reference.get_or_init(read).as_ref()
    }

    /// From now on no more requests should come.
    pub(crate) fn stop_accepting(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }
}
