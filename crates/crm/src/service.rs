//! The use cases of customers and leads.

use kernel::{
    AccountId, Ctx, Fault, Page, PageRequest, Pending, Timestamp, Written,
    page::{RecordSort, Sorting},
    search::Words,
};

use crate::{
    Conversion, ConvertLead, Customer, CustomerChanges, CustomerGroupId, CustomerId, DealId,
    Duplicate, Lead, LeadChanges, LeadId, LeadStatus, MergeLeads, NewCustomer, NewLead,
};

/// Why a command about customers was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum CustomerError {
    /// Another customer of the account has this external identifier.
    DuplicateExternalId {
        external_id: String,
        /// Customer that has it.
        holder: CustomerId,
    },
    /// Another customer of the account has this email address.
    DuplicateEmail {
        email: String,
        /// Customer that has it.
        holder: CustomerId,
    },
    /// The customer has orders or deals and cannot be deleted.
    Referenced,
}

/// Why a command about leads was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum LeadError {
    /// Another lead of the account has this external identifier.
    DuplicateExternalId {
        external_id: String,
        /// Lead that has it.
        holder: LeadId,
    },
    /// The lead's current status does not allow this transition.
    InvalidTransition {
        from: LeadStatus,
        /// Requested status.
        to: LeadStatus,
    },
    /// The lead has become part of another one, which is the one to go on with.
    Merged {
        lead: LeadId,
        /// That other one.
        into: LeadId,
    },
    /// More than one of the leads to be merged was converted.
    SeveralConverted {
        /// Those that were.
        leads: Vec<LeadId>,
    },
    /// The lead was converted, and the customer that it became has been deleted since.
    CustomerDeleted {
        /// The deal, which is still there.
        deal: DealId,
        /// The customer that was deleted.
        customer: CustomerId,
    },
}

/// Which customers are listed; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct CustomerFilter {
    /// These alone.
    pub ids: Option<Vec<CustomerId>>,
    /// Words in name, email address, phone number, RFC and legal name.
    pub search: Option<Words>,
    /// Exact external identifier.
    pub external_id: Option<String>,
    /// Exact email address.
    pub email: Option<String>,
    /// Exact phone number.
    pub phone: Option<String>,
    /// Exact RFC.
    pub rfc: Option<String>,
    /// In this group.
    pub group: Option<CustomerGroupId>,
    pub updated_since: Option<Timestamp>,
    /// Entries of metadata that it has, by name and value.
    pub metadata: Vec<(String, String)>,
}

/// A wanted page of customers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct CustomerQuery {
    pub filter: CustomerFilter,
    pub sort: Sorting<RecordSort>,
    pub page: PageRequest,
}

/// A change of one customer.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct UpdateCustomer {
    pub id: CustomerId,
    /// Expected version: the command is refused if the resource has a newer one.
    pub version: Option<i64>,
    pub changes: CustomerChanges,
    /// Whether the customer has given these tax data, by a link: then subscribers are told, also of what changes nothing.
    pub is_submitted: bool,
}

/// Customers, each method one transaction with its events.
pub trait Customers: Send + Sync {
    /// One customer; `None` when the account has no such customer.
    fn get(&self, account: AccountId, id: CustomerId) -> Pending<Result<Option<Customer>, Fault>>;

    /// A page of customers.
    fn list(
        &self,
        account: AccountId,
        query: CustomerQuery,
    ) -> Pending<Result<Page<Customer>, Fault>>;

    /// Adds a customer.
    fn create(&self, ctx: Ctx, command: NewCustomer) -> Pending<Written<Customer, CustomerError>>;

    /// Changes a customer.
    fn update(
        &self,
        ctx: Ctx,
        command: UpdateCustomer,
    ) -> Pending<Written<Customer, CustomerError>>;

    /// Removes a customer that no order or deal names, personal data and all.
    fn delete(
        &self,
        ctx: Ctx,
        id: CustomerId,
        version: Option<i64>,
    ) -> Pending<Written<CustomerId, CustomerError>>;
}

/// Which leads are listed, newest first; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct LeadFilter {
    /// These alone.
    pub ids: Option<Vec<LeadId>>,
    /// Words in name, company, email address, phone number and tags.
    pub search: Option<Words>,
    /// Exact external identifier.
    pub external_id: Option<String>,
    pub status: Option<LeadStatus>,
    /// Exact source.
    pub source: Option<String>,
    pub owner: Option<String>,
    pub updated_since: Option<Timestamp>,
    /// Entries of metadata that it has, by name and value.
    pub metadata: Vec<(String, String)>,
    /// Leaves out those that have become part of another.
    pub without_merged: bool,
}

/// A wanted page of leads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct LeadQuery {
    pub filter: LeadFilter,
    pub sort: Sorting<RecordSort>,
    pub page: PageRequest,
}

/// A change of one lead.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct UpdateLead {
    pub id: LeadId,
    /// Expected version: the command is refused if the resource has a newer one.
    pub version: Option<i64>,
    pub changes: LeadChanges,
}

/// Leads, each method one transaction with its events.
pub trait Leads: Send + Sync {
    /// One lead; `None` when the account has no such lead.
    fn get(&self, account: AccountId, id: LeadId) -> Pending<Result<Option<Lead>, Fault>>;

    /// A page of leads.
    fn list(&self, account: AccountId, query: LeadQuery) -> Pending<Result<Page<Lead>, Fault>>;

    /// Adds a lead.
    fn create(&self, ctx: Ctx, command: NewLead) -> Pending<Written<Lead, LeadError>>;

    /// Changes a lead.
    fn update(&self, ctx: Ctx, command: UpdateLead) -> Pending<Written<Lead, LeadError>>;

    /// Removes a lead; a deal that came of it stays.
    fn delete(
        &self,
        ctx: Ctx,
        id: LeadId,
        version: Option<i64>,
    ) -> Pending<Written<LeadId, LeadError>>;

    /// The leads that may be the same as one, newest first; `None` when the account has no such lead.
    fn duplicates(
        &self,
        account: AccountId,
        id: LeadId,
    ) -> Pending<Result<Option<Vec<Duplicate>>, Fault>>;

    /// Makes one lead of several: the others say which they have become, and what named them names that one.
    fn merge(&self, ctx: Ctx, command: MergeLeads) -> Pending<Written<Lead, LeadError>>;

    /// Makes or links the customer of a lead and opens a deal. A second call answers the same and tells nothing.
    fn convert(&self, ctx: Ctx, command: ConvertLead) -> Pending<Written<Conversion, LeadError>>;
}
