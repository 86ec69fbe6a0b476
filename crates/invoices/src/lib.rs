//! The life of an invoice: draft, stamping, cancellation, and the credits that stamping costs.
//!
//! Plain types and rules; what a document says and how it is sealed is the matter of the crate `cfdi`.
//!
//! - [`drafting`] makes and changes drafts from [`fields`]; [`build()`] turns a draft into a document; [`global`] makes the
//!   invoices of sales to the general public.
//! - [`stamping`] and [`cancel`] say what is on record before each call to a [`provider`], and what follows from each
//!   answer; [`email`] sends an invoice to its receiver.
//! - [`holders`] keeps orders from being invoiced twice, [`receipts`] says what is owed, [`credits`] what stamping costs.
//!
//! Whoever keeps invoices loads what a rule needs, calls it, and carries out what it answers.

pub mod approved;
pub mod branch;
pub mod build;
pub mod calls;
pub mod cancel;
pub mod certified;
pub mod complements;
pub mod credit_notes;
pub mod credits;
pub mod draft;
pub mod drafting;
pub mod email;
pub mod events;
pub mod export;
pub mod fields;
pub mod filter;
pub mod found;
pub mod global;
pub mod holders;
pub mod invoice;
pub mod issuer;
mod items;
pub mod known;
mod misplaced;
mod mixing;
pub mod one_issuer;
pub mod papers;
mod paying;
mod printer;
pub mod provider;
pub mod receipts;
mod receivers;
pub mod references;
pub mod sales;
pub mod sandbox;
pub mod series;
pub mod service;
pub mod settled;
pub mod sheet;
pub mod stamping;
pub mod sums;
pub mod tax_data;
pub mod testers;
mod unsent;
mod unsold;
pub mod withheld;
pub mod withholding;

pub use approved::ApprovedCancellations;
pub use branch::{Branch, BranchChanges, BranchId, BranchSeries, NewBranch, UpdateBranch};
pub use build::{Debts, build};
pub use calls::ProviderCalls;
pub use cancel::{CancelInvoice, CancelReason, CancelRefusal, Cancellation, CancellationStatus};
pub use certified::Certified;
pub use credit_notes::{Applied, Creditable};
pub use credits::{
    Balance, CreditEntry, CreditEntryId, CreditKind, Ledger, LedgerQuery, STAMP_COST,
};
pub use draft::{Draft, DraftItem, DraftLocalTax, DraftPaid, DraftPayment, Owed, PaidInvoice};
pub use email::{EmailInvoice, EmailQueue, Emailed, Emails, SentEmail};
pub use fields::{Fields, ItemFields};
pub use filter::{InvoiceFilter, InvoiceQuery};
pub use holders::{Holder, HolderChange, Holders};
pub use invoice::{
    CustomerId, Invoice, InvoiceId, LastError, OrderId, PaymentId, ProductId, RefundId, ReturnId,
    Stamped, Status,
};
pub use issuer::{
    CertificateId, Issuer, IssuerCertificate, IssuerFields, IssuerId, NewCertificate,
    OpenedCertificate, ProviderChoice, Series,
};
pub use known::{Known, KnownCustomer, KnownProduct};
pub use paying::{uncollectible, unpayable};
pub use printer::Printer;
pub use service::{
    Branches, Certifier, ChooseProvider, CopyInvoice, Credits, Documents, Findings, InvoiceError,
    Invoices, Issuers, Judged, NewInvoice, Proposed, UpdateInvoice, Validation,
};
pub use sheet::{ItemDetail, LogoPlace, SheetSettings};
pub use unsent::of_order;
pub use unsold::Standing;
