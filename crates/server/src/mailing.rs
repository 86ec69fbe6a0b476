//! Mail, for the API.

use anyhow::Context;
use api::{Email, Mailer, Sending};
use outbound::mail::{self, Attachment};

/// Hands emails to the mail server that is set, if one is.
#[derive(Clone)]
pub(crate) struct Post(Option<outbound::Mailer>);

impl Post {
    pub(crate) fn new(settings: Option<&mail::Settings>) -> anyhow::Result<Self> {
        let mailer = settings.map(outbound::Mailer::new).transpose();
        mailer.map(Self).context("cannot send mail with the configured smtp_url and mail_from")
    }
}

impl Mailer for Post {
    fn is_configured(&self) -> bool {
        self.0.is_some()
    }

    fn send(&self, email: Email) -> Sending {
        let mailer = self.0.clone();
        let attachment = |one: api::Attachment| Attachment {
            name: one.name,
            content_type: one.content_type.to_owned(),
            bytes: one.bytes,
        };
        let email = mail::Email {
            to: email.to,
            subject: email.subject,
            text: email.text,
            attachments: email.attachments.into_iter().map(attachment).collect(),
        };
        Box::pin(async move {
            let Some(mailer) = mailer else {
                return Err("no mail server is configured".to_owned());
            };
            mailer.send(email).await.map_err(|error| error.to_string())
        })
    }
}
