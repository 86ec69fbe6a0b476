//! Mail: which server, and what is sent with it.

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use api::Clock;
use dispatch::Emailing;
use kernel::mail::Mailer;
use outbound::mail::Settings;
use store::Store;

use crate::printing::Press;

/// Sends invoices on record in the store, where a mail server is set.
///
/// # Errors
/// When the settings cannot be used.
pub(crate) fn emailing(
    settings: Option<&Settings>,
    store: &Arc<Store>,
    clock: Arc<dyn Clock>,
) -> anyhow::Result<Emailing> {
    let mailer = settings.map(|settings| -> anyhow::Result<(Arc<dyn Mailer>, Duration)> {
        Ok((Arc::new(outbound::Mailer::new(settings)?), settings.timeout))
    });
    let mailer = mailer.transpose();
    let mailer = mailer.context("cannot send mail with the configured smtp_url and mail_from")?;
    Ok(Emailing::new(mailer, store.clone(), store.clone(), Arc::new(Press), clock))
}
