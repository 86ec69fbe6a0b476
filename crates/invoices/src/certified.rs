//! What providers stamp and cancel, whatever it is: an invoice or a withholding.

use std::fmt::{Debug, Display};

use tasks::{
    TaskKind,
    kind::{CANCEL, FOLLOW, STAMP},
};

use crate::{CancelInvoice, Cancellation, Invoice, InvoiceId, Status};

/// What is stamped and cancelled by providers, as the engine that calls them sees it.
pub trait Certified: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// Its identifier.
    type Id: Copy + Debug + Display + Eq + Send + Sync + 'static;
    /// A command to cancel it.
    type Cancel: Clone + Send + 'static;

    /// The task of stamping it.
    const STAMP: &'static TaskKind;
    /// The task of cancelling it.
    const CANCEL: &'static TaskKind;
    /// Every kind of task that calls providers about it.
    const KINDS: &'static [&'static TaskKind];

    /// The identifier that a task names as its subject.
    fn id_of(subject: &str) -> Option<Self::Id>;

    /// Its identifier.
    fn id(&self) -> Self::Id;

    /// Its status.
    fn status(&self) -> Status;

    /// Its cancellation, when one was asked for.
    fn cancellation(&self) -> Option<&Cancellation>;
}

impl Certified for Invoice {
    type Cancel = CancelInvoice;
    type Id = InvoiceId;

    const CANCEL: &'static TaskKind = &CANCEL;
    const KINDS: &'static [&'static TaskKind] = &[&STAMP, &CANCEL, &FOLLOW];
    const STAMP: &'static TaskKind = &STAMP;

    fn id_of(subject: &str) -> Option<InvoiceId> {
        InvoiceId::parse(subject)
    }

    fn id(&self) -> InvoiceId {
        self.id
    }

    fn status(&self) -> Status {
        self.status
    }

    fn cancellation(&self) -> Option<&Cancellation> {
        self.cancellation.as_ref()
    }
}
