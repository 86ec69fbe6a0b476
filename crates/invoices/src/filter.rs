//! Which invoices are listed.

use cfdi::document::DocumentType;
use kernel::{
    PageRequest, Timestamp,
    page::{RecordSort, Sorting},
    search::Words,
};

use crate::{BranchId, CancellationStatus, CustomerId, InvoiceId, IssuerId, OrderId, Status};

/// Which invoices are listed, newest first; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InvoiceFilter {
    /// Their status.
    pub status: Option<Status>,
    /// What they are.
    pub kind: Option<DocumentType>,
    /// Who issues them.
    pub issuer: Option<IssuerId>,
    /// The branch that they are issued at.
    pub branch: Option<BranchId>,
    /// Who buys.
    pub customer: Option<CustomerId>,
    /// An order they invoice.
    pub order: Option<OrderId>,
    /// Their fiscal folio.
    pub uuid: Option<String>,
    /// Their series.
    pub series: Option<String>,
    /// Their folio within the series.
    pub folio: Option<u64>,
    /// The status of their cancellation; none was asked for where it is `Some(None)`.
    pub cancellation: Option<Option<CancellationStatus>>,
    /// Whether money came for them that no stamped receipt tells of.
    pub receipt_due: Option<bool>,
    /// Stamped at or after.
    pub stamped_from: Option<Timestamp>,
    /// Stamped before.
    pub stamped_to: Option<Timestamp>,
    /// Their receiver's RFC.
    pub rfc: Option<String>,
    /// Made at or after.
    pub created_from: Option<Timestamp>,
    /// Made before.
    pub created_to: Option<Timestamp>,
    /// Changed at or after.
    pub updated_since: Option<Timestamp>,
    /// These alone.
    pub ids: Option<Vec<InvoiceId>>,
    /// Words that are found in their terms, or are their folio, UUID, order or identifier.
    pub search: Option<Words>,
}

/// A wanted page of invoices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InvoiceQuery {
    /// Which invoices.
    pub filter: InvoiceFilter,
    /// In which order.
    pub sort: Sorting<RecordSort>,
    /// Which page of them.
    pub page: PageRequest,
}
