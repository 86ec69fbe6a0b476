//! What follows from the end of a step with a provider.

use kernel::NewEvent;

use crate::{HolderChange, Holders, Invoice, credits::CreditChange};

/// A task as it is on record when the end of a step is to be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenTask {
    /// Whether it is still claimed by whoever made the step.
    pub is_held: bool,
    /// How many steps ended before without deciding it.
    pub attempts: u32,
}

/// The own invoices and the orders around one, as they are now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Around {
    /// The invoices whose place it takes.
    pub replaced: Vec<Invoice>,
    /// The stamped ones whose place it has taken, also by taking that of cancelled ones: where it is cancelled itself.
    pub standing: Vec<Invoice>,
    /// The invoices whose balance changes with it (see [`receipts::touched`](crate::receipts::touched)).
    pub owing: Vec<Invoice>,
    /// The other receipts of these that are stamped or being stamped, where their numbers matter: if it takes the place
    /// of another, or what it took off is given back.
    pub receipts: Vec<Invoice>,
    /// Who holds its orders, and those of the invoices whose place it takes.
    pub holders: Holders,
}

/// What becomes of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskChange {
    /// Nothing: another is at it, or has ended it.
    Keep,
    /// It is done.
    End,
    /// It is given back and due again.
    Postpone {
        /// After so many seconds.
        seconds: i64,
        /// Whether the step may have had an effect that nobody has seen.
        is_doubtful: bool,
    },
    /// The request is with the tax authority, which is to be asked for its decision from now on.
    Follow,
}

/// What becomes of the documents kept of an invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentChange {
    /// The stamped XML is kept.
    Stamped(String),
    /// The sealed XML goes, with what it refers to: it will not be stamped.
    Forget,
    /// The authority's receipt (*acuse*) is kept.
    Receipt(String),
    /// The authority's receipt is kept if there is none.
    LateReceipt(String),
}

/// What follows from the end of a step: all of it is recorded together.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// The invoice afterwards; with the version that it had when it is unchanged.
    pub invoice: Invoice,
    /// What becomes of the credits set aside.
    pub credits: Option<CreditChange>,
    /// What becomes of its documents.
    pub documents: Option<DocumentChange>,
    /// Orders that change hands.
    pub orders: Vec<HolderChange>,
    /// Other invoices, of which more is owed now, or less.
    pub owing: Vec<Invoice>,
    /// What to tell.
    pub events: Vec<NewEvent>,
    /// What becomes of the task.
    pub task: TaskChange,
    /// Whether the invoice is the answer of the request that began the task.
    pub is_answer: bool,
}

impl Settled {
    /// Nothing follows.
    pub(crate) fn unchanged(invoice: &Invoice) -> Self {
        Self {
            invoice: invoice.clone(),
            credits: None,
            documents: None,
            orders: Vec::new(),
            owing: Vec::new(),
            events: Vec::new(),
            task: TaskChange::Keep,
            is_answer: false,
        }
    }
}
