//! Mail that an account sends to people: handed to the mail server, or kept to be read and copied where none is set.

use std::fmt;

use kernel::{AccountId, Ctx, Fault, FieldFault, Page, PageRequest, Pending, Timestamp, Written};

use crate::PeopleError;

kernel::ids! {
    /// The identifier of a mail.
    MailId = "mal";
}

/// How long a mail is kept, in seconds: 30 days.
pub const MAIL_SECONDS: i64 = 30 * 86_400;
/// The most characters of a subject.
pub const SUBJECT_CHARS_MAX: usize = 200;
/// The most characters of a text.
pub const TEXT_CHARS_MAX: usize = 10_000;

/// A mail to be sent. What opens something may be in its text, so it shows itself in no log; a link to set a password anew
/// is never sent by mail.
#[derive(Clone, PartialEq, Eq)]
pub struct NewMail {
    /// A plain address.
    pub recipient: String,
    /// A single line.
    pub subject: String,
    /// Plain text.
    pub text: String,
}

impl fmt::Debug for NewMail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewMail").field("recipient", &self.recipient).finish_non_exhaustive()
    }
}

impl NewMail {
    /// What is wrong with its fields.
    #[must_use]
    pub fn faults(&self) -> Vec<FieldFault> {
        let recipient = kernel::text::deliverable_email(&self.recipient);
        let subject = kernel::text::line(&self.subject, SUBJECT_CHARS_MAX);
        let text = kernel::text::paragraph(&self.text, TEXT_CHARS_MAX);
        let problems =
            [("recipient", recipient.err()), ("subject", subject.err()), ("text", text.err())];
        let faults = problems.into_iter();
        faults.filter_map(|(field, problem)| Some(FieldFault::new(field, problem?))).collect()
    }
}

/// A mail on record.
#[derive(Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Mail {
    pub id: MailId,
    pub account: AccountId,
    pub recipient: String,
    pub subject: String,
    /// Absent in lists, and once the mail server has taken it.
    pub text: Option<String>,
    pub created_at: Timestamp,
    /// When the mail server took it.
    pub sent_at: Option<Timestamp>,
    /// Why the mail server will not take it, in its words.
    pub failure: Option<String>,
}

impl fmt::Debug for Mail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mail").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Mail on record.
pub trait MailQueue: Send + Sync {
    /// Puts a mail on record, and has it handed to the mail server if there `is_server`.
    fn keep(&self, ctx: Ctx, mail: NewMail, is_server: bool)
    -> Pending<Written<Mail, PeopleError>>;

    /// A page of an account's mail, newest first, without texts.
    fn mails(&self, account: AccountId, page: PageRequest) -> Pending<Result<Page<Mail>, Fault>>;

    /// A mail with its text.
    fn mail(&self, account: AccountId, id: MailId) -> Pending<Result<Option<Mail>, Fault>>;

    /// Removes a mail.
    fn forget(&self, ctx: Ctx, id: MailId) -> Pending<Written<MailId, PeopleError>>;

    /// Notes what came of handing it over: that it was taken, whereupon its text is forgotten, or why it will not be.
    fn handed_over(
        &self,
        account: AccountId,
        id: MailId,
        outcome: Result<(), String>,
        now: Timestamp,
    ) -> Pending<Written<(), PeopleError>>;
}

/// Mail, as whoever writes and reads it sees it.
pub trait Mails: Send + Sync {
    /// Whether there is a mail server: without, mail is kept to be read and copied.
    fn has_mail_server(&self) -> bool;

    /// Sends a mail, or keeps it.
    fn post(&self, ctx: Ctx, mail: NewMail) -> Pending<Written<Mail, PeopleError>>;

    /// A page of an account's mail, newest first, without texts.
    fn mails(&self, account: AccountId, page: PageRequest) -> Pending<Result<Page<Mail>, Fault>>;

    /// A mail with its text, if the mail server has not taken it.
    fn mail(&self, account: AccountId, id: MailId) -> Pending<Result<Option<Mail>, Fault>>;

    /// Removes a mail.
    fn forget(&self, ctx: Ctx, id: MailId) -> Pending<Written<MailId, PeopleError>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_has_a_recipient_a_subject_and_a_text() {
        let mail = |recipient: &str, subject: &str, text: &str| NewMail {
            recipient: recipient.to_owned(),
            subject: subject.to_owned(),
            text: text.to_owned(),
        };
        let fields = |mail: &NewMail| -> Vec<String> {
            mail.faults().into_iter().map(|fault| fault.field).collect()
        };
        let fine = mail("ana@example.com", "Invitación", "Hola:\n\nhttps://example.com/secret");
        assert!(fields(&fine).is_empty());
        assert!(!format!("{fine:?}").contains("secret"));
        assert_eq!(fields(&mail("ana", "a\nb", "a\u{7}")), ["recipient", "subject", "text"]);
    }
}
