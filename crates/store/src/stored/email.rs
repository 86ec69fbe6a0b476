//! Emails that invoices are sent with.

use invoices::{InvoiceId, SentEmail, email::EmailRequest};
use kernel::Timestamp;
use serde::{Deserialize, Serialize};
use tasks::TaskId;

use super::{
    Stored,
    forms::{Form, Maybe, forms, from_json},
};

forms!(
    EmailRequestForm of EmailRequest,
    SentEmailForm of SentEmail,
);

/// What the payload of a task that sends an email says.
#[derive(Serialize, Deserialize)]
#[serde(remote = "EmailRequest")]
pub(super) struct EmailRequestForm {
    to: Vec<String>,
    subject: Option<String>,
    message: Option<String>,
}

/// What the outcome of such a task says.
#[derive(Serialize, Deserialize)]
#[serde(remote = "SentEmail")]
pub(super) struct SentEmailForm {
    invoice: InvoiceId,
    to: Vec<String>,
    subject: String,
    attachments: Vec<String>,
    sent_at: Timestamp,
}

/// What is kept for repeats of a request to send an email.
pub(crate) enum KeptEmail {
    /// The email itself, once it was sent: so did release 0.1.0.
    Sent(SentEmail),
    /// The task that sends it.
    Task(TaskId),
}

#[derive(Default, Serialize, Deserialize)]
struct KeptEmailForm {
    #[serde(default, skip_serializing_if = "Option::is_none", with = "Maybe::<SentEmailForm>")]
    sent: Option<SentEmail>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    task: Option<TaskId>,
}

impl Stored for KeptEmail {
    const KIND: &'static str = "kept_email";
    const VERSION: u32 = 2;

    fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(&match self {
            Self::Sent(sent) => KeptEmailForm { sent: Some(sent.clone()), task: None },
            Self::Task(task) => KeptEmailForm { sent: None, task: Some(*task) },
        })
    }

    fn from_json(version: u32, text: &str) -> serde_json::Result<Self> {
        if version == 1 {
            return from_json::<SentEmailForm>(text).map(Self::Sent);
        }
        match serde_json::from_str(text)? {
            KeptEmailForm { task: Some(task), .. } => Ok(Self::Task(task)),
            KeptEmailForm { sent: Some(sent), .. } => Ok(Self::Sent(sent)),
            KeptEmailForm { sent: None, task: None } => {
                Err(serde::de::Error::custom("neither an email nor its task"))
            }
        }
    }
}
