//! Mail: which server, and what is sent with it.

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use api::Clock;
use dispatch::{Emailing, PeopleMail};
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

/// The mail server, if one is set, and how long it may take for one mail.
type Server = Option<(Arc<dyn Mailer>, Duration)>;

fn server(mailing: &Mailing) -> anyhow::Result<Server> {
    let Some(settings) = &mailing.server else { return Ok(None) };
    let mailer = outbound::Mailer::new(settings);
    let mailer = mailer.context("cannot send mail with the configured smtp_url and mail_from")?;
    Ok(Some((Arc::new(mailer), settings.timeout)))
}

/// Sends invoices on record in the store, where a mail server is set, and mail to people, which is kept otherwise.
///
/// # Errors
/// When the settings cannot be used.
pub(crate) fn emailing(
    mailing: &Mailing,
    store: &Arc<Store>,
    clock: Arc<dyn Clock>,
) -> anyhow::Result<(Emailing, PeopleMail)> {
    let server = server(mailing)?;
    let people = PeopleMail::new(server.clone(), store.clone(), clock.clone());
    let testers = mailing.testers.clone();
    let press = Arc::new(Press);
    let emailing = Emailing::new(server, testers, store.clone(), store.clone(), press, clock);
    Ok((emailing, people))
}
