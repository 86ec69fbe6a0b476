//! The use cases of withholdings. They are stamped and cancelled by a [`Certifier`](crate::Certifier).

use kernel::{
    AccountId, Ctx, Fault, Page, PageRequest, Pending, Timestamp, Written,
    page::{RecordSort, Sorting},
};

use super::{Documents, Fields, Withholding, WithholdingId};
use crate::{CustomerId, InvoiceError, IssuerId, Status, Validation};

/// Which withholdings are listed, newest first; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WithholdingFilter {
    /// Their status.
    pub status: Option<Status>,
    /// What is withheld from, a code of c_CveRetenc.
    pub code: Option<String>,
    /// The fiscal year that they are of.
    pub year: Option<u16>,
    /// Who issues them.
    pub issuer: Option<IssuerId>,
    /// From which customer taxes are withheld.
    pub customer: Option<CustomerId>,
    /// Their fiscal folio.
    pub uuid: Option<String>,
    /// Their receiver's RFC.
    pub rfc: Option<String>,
    /// Made at or after.
    pub created_from: Option<Timestamp>,
    /// Made before.
    pub created_to: Option<Timestamp>,
    /// Changed at or after.
    pub updated_since: Option<Timestamp>,
    /// These alone.
    pub ids: Option<Vec<WithholdingId>>,
}

/// A wanted page of withholdings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WithholdingQuery {
    /// Which withholdings.
    pub filter: WithholdingFilter,
    /// In which order.
    pub sort: Sorting<RecordSort>,
    /// Which page of them.
    pub page: PageRequest,
}

/// A withholding to be made.
#[derive(Clone, Debug)]
pub struct NewWithholding {
    /// Its fields.
    pub fields: Fields,
    /// Whether it is going to be stamped at once: then no draft is made of what could not be.
    pub is_to_stamp: bool,
}

/// A change of one draft.
#[derive(Clone, Debug)]
pub struct UpdateWithholding {
    /// Which.
    pub id: WithholdingId,
    /// The version that the caller has seen, when a newer one must not be overwritten.
    pub version: Option<i64>,
    /// What to change.
    pub fields: Fields,
}

/// Withholdings, each method one transaction with its events.
pub trait Withholdings: Send + Sync {
    /// One withholding; `None` when the account has no such one.
    fn get(
        &self,
        account: AccountId,
        id: WithholdingId,
    ) -> Pending<Result<Option<Withholding>, Fault>>;

    /// A page of withholdings.
    fn list(
        &self,
        account: AccountId,
        query: WithholdingQuery,
    ) -> Pending<Result<Page<Withholding>, Fault>>;

    /// Makes a draft.
    fn create(
        &self,
        ctx: Ctx,
        command: NewWithholding,
    ) -> Pending<Written<Withholding, InvoiceError>>;

    /// Changes a draft.
    fn update(
        &self,
        ctx: Ctx,
        command: UpdateWithholding,
    ) -> Pending<Written<Withholding, InvoiceError>>;

    /// Deletes a draft.
    fn delete(
        &self,
        ctx: Ctx,
        id: WithholdingId,
        version: Option<i64>,
    ) -> Pending<Written<WithholdingId, InvoiceError>>;

    /// Everything a draft would be refused for at `now`; nothing is spent. One that is sealed already has no findings.
    fn validate(
        &self,
        account: AccountId,
        id: WithholdingId,
        now: Timestamp,
    ) -> Pending<Result<Option<Validation>, Fault>>;

    /// A withholding with its documents.
    fn documents(
        &self,
        account: AccountId,
        id: WithholdingId,
    ) -> Pending<Result<Option<Documents>, Fault>>;
}
