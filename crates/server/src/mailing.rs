//! Mail: which server, and what is sent with it.

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use api::Clock;
use dispatch::Emailing;
use invoices::testers::Testers;
use kernel::mail::Mailer;
use outbound::mail::Settings;
use store::Store;

use crate::printing::Press;

/// How mail is sent.
#[derive(Clone, Debug, Default)]
pub struct Mailing {
    /// The mail server, if there is one.
    pub server: Option<Settings>,
    /// Whom test accounts may send mail to.
    pub testers: Testers,
}

/// Sends invoices on record in the store, where a mail server is set.
///
/// # Errors
/// When the settings cannot be used.
pub(crate) fn emailing(
    mailing: &Mailing,
    store: &Arc<Store>,
    clock: Arc<dyn Clock>,
) -> anyhow::Result<Emailing> {
    let mailer =
        mailing.server.as_ref().map(|settings| -> anyhow::Result<(Arc<dyn Mailer>, Duration)> {
            Ok((Arc::new(outbound::Mailer::new(settings)?), settings.timeout))
        });
    let mailer = mailer.transpose();
    let mailer = mailer.context("cannot send mail with the configured smtp_url and mail_from")?;
    let testers = mailing.testers.clone();
    Ok(Emailing::new(mailer, testers, store.clone(), store.clone(), Arc::new(Press), clock))
}
