//! The engine of durable tasks with every kind of work that there is.

use std::{path::Path, sync::Arc};

use anyhow::Context;
use api::{Clock, told};
use dispatch::{
    ApprovedCancelling, BulkActing, BulkServices, BulkWording, CertificationDesk, Collecting,
    CollectingDesk, EmailDesk, Emailing, Exporting, FileSweep, GlobalInvoicing, Importing,
    KeptFiles, Papers, PeopleMail, TaskEngine, Work,
};
use invoices::{Invoice, withholding::Withholding};
use kernel::Gauge;
use outbound::{SandboxNews, collect};
use store::Store;

use crate::{
    approving,
    certifying::{Certifications, Certifying},
    collecting::collecting,
    mailing::{Mailing, emailing},
    printing::Press,
};

/// Work under way, until it is stopped or dropped.
pub(crate) struct Working {
    engine: Arc<TaskEngine>,
    certifications: Certifications,
    emailing: Emailing,
    people_mail: PeopleMail,
    collecting: Collecting,
    sandbox_news: SandboxNews,
    import_files: Arc<KeptFiles>,
    _file_sweep: FileSweep,
}

impl Working {
    /// Begins to work on what is due.
    pub(crate) fn start(
        certifying: Certifying,
        collectors: &collect::Settings,
        mail: &Mailing,
        files_dir: &Path,
        store: &Arc<Store>,
        clock: Arc<dyn Clock>,
    ) -> anyhow::Result<Arc<Self>> {
        let certifications = certifying.certifications(store, &clock)?;
        let (emailing, people_mail) = emailing(mail, store, clock.clone())?;
        let (collecting, sandbox_news) = collecting(collectors, store, clock.clone())?;
        let press = Arc::new(Press);
        let exporting = Exporting::new(store.clone(), store.clone(), store.clone(), press);
        let exporting: Arc<dyn Work> = Arc::new(exporting);
        let import_files = Arc::new(KeptFiles::new(files_dir));
        let importing = Importing::of_every_kind(store, &import_files, &clock);
        let Certifications { invoices, withholdings } = &certifications;
        let global: Arc<dyn Work> =
            Arc::new(GlobalInvoicing::new(store.clone(), invoices.clone(), clock.clone()));
        let papers: Arc<dyn Work> =
            Arc::new(Papers::new(store.clone(), invoices.clone(), clock.clone()));
        let desk = approving::desk(store);
        let approved: Arc<dyn Work> =
            Arc::new(ApprovedCancelling::new(desk, invoices.clone(), clock.clone()));
        let bulk = BulkActing::of_every_kind(BulkServices {
            queue: store.clone(),
            effects: store.clone(),
            orders: store.clone(),
            invoices: store.clone(),
            changing_gate: store.clone(),
            collecting: collecting.clone(),
            certification: invoices.clone(),
            emailing: emailing.clone(),
            webhooks: store.clone(),
            wording: BulkWording {
                shipping: told,
                changing: told,
                paying: told,
                invoicing: told,
                delivering: told,
            },
            clock: clock.clone(),
        });
        let works = invoices.works().into_iter().chain(withholdings.works());
        let works = works.chain(emailing.work()).chain(people_mail.work());
        let works = works.chain(collecting.works());
        let works = works
            .chain([exporting, global, papers, approved])
            .chain(importing)
            .chain(bulk)
            .collect();
        let engine = TaskEngine::start(certifying.tasks, store.clone(), works, clock)
            .context("cannot start the engine of tasks")?;
        let engine = Arc::new(engine);
        Ok(Arc::new(Self {
            engine,
            certifications,
            emailing,
            people_mail,
            collecting,
            sandbox_news,
            _file_sweep: FileSweep::start(store, &import_files),
            import_files,
        }))
    }

    /// Stamps and cancels invoices for callers.
    pub(crate) fn certifier(&self) -> Arc<CertificationDesk<Invoice>> {
        Arc::new(self.certifications.invoices.on(Arc::clone(&self.engine)))
    }

    /// Stamps and cancels withholdings for callers.
    pub(crate) fn withholding_certifier(&self) -> Arc<CertificationDesk<Withholding>> {
        Arc::new(self.certifications.withholdings.on(Arc::clone(&self.engine)))
    }

    /// Sends invoices by email for callers.
    pub(crate) fn emails(&self) -> Arc<EmailDesk> {
        Arc::new(self.emailing.on(Arc::clone(&self.engine)))
    }

    /// Sends mail to people for callers.
    pub(crate) fn mails(&self) -> Arc<PeopleMail> {
        Arc::new(self.people_mail.clone())
    }

    /// Asks for payments and refunds for callers.
    pub(crate) fn collector(&self) -> Arc<CollectingDesk> {
        Arc::new(self.collecting.on(Arc::clone(&self.engine)))
    }

    /// Where the files of imports are kept.
    pub(crate) fn import_files(&self) -> Arc<KeptFiles> {
        self.import_files.clone()
    }

    /// The service listens at this address.
    pub(crate) fn listens_at(&self, url: &str) {
        self.sandbox_news.listens_at(url);
    }

    /// Figures for monitoring.
    pub(crate) fn gauges(&self) -> Vec<Gauge> {
        let Certifications { invoices, withholdings } = &self.certifications;
        let certified = invoices.gauges().into_iter().chain(withholdings.gauges());
        let certified = certified.chain(self.collecting.gauges());
        self.engine.gauges().into_iter().chain(certified).collect()
    }

    /// Takes up nothing more, and waits for what is under way.
    pub(crate) fn stop(&self) {
        self.engine.stop();
    }
}
