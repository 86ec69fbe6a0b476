//! The use cases of customers and leads.

use kernel::{AccountId, Ctx, Fault, Page, PageRequest, Pending, Timestamp, Written};

use crate::{
    Conversion, ConvertLead, Customer, CustomerChanges, CustomerId, DealId, Lead, LeadChanges,
    LeadId, LeadStatus, NewCustomer, NewLead,
};

/// Why a command about customers was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CustomerError {
    /// Another customer of the account has this e-mail address.
    DuplicateEmail {
        /// The address.
        email: String,
        /// The customer that has it.
        holder: CustomerId,
    },
    /// Orders or deals name the customer, so it must be kept.
    Referenced,
}

/// Why a command about leads was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeadError {
    /// A lead cannot go there from where it stands.
    InvalidTransition {
        /// Where it stands.
        from: LeadStatus,
        /// Where it should go.
        to: LeadStatus,
    },
    /// The lead was converted, and the customer that it became has been deleted since.
    CustomerDeleted {
        /// The deal, which is still there.
        deal: DealId,
        /// The customer that was deleted.
        customer: CustomerId,
    },
}

/// Which customers are listed, newest first; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CustomerFilter {
    /// Words in name, e-mail address, telephone number, RFC or legal name, accents and case aside.
    pub search: Option<String>,
    /// The e-mail address, exactly.
    pub email: Option<String>,
    /// The telephone number, exactly.
    pub phone: Option<String>,
    /// The RFC, exactly.
    pub rfc: Option<String>,
    /// Changed at or after.
    pub updated_since: Option<Timestamp>,
}

/// A wanted page of customers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CustomerQuery {
    /// Which customers.
    pub filter: CustomerFilter,
    /// Which page of them.
    pub page: PageRequest,
}

/// A change of one customer.
#[derive(Clone, Debug)]
pub struct UpdateCustomer {
    /// Which.
    pub id: CustomerId,
    /// The version that the caller has seen, when a newer one must not be overwritten.
    pub version: Option<i64>,
    /// What to change.
    pub changes: CustomerChanges,
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
pub struct LeadFilter {
    /// Words in name, company, e-mail address or telephone number, accents and case aside.
    pub search: Option<String>,
    /// Where they stand.
    pub status: Option<LeadStatus>,
    /// Where they came from, exactly.
    pub source: Option<String>,
    /// Who looks after them.
    pub owner: Option<String>,
    /// Changed at or after.
    pub updated_since: Option<Timestamp>,
}

/// A wanted page of leads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeadQuery {
    /// Which leads.
    pub filter: LeadFilter,
    /// Which page of them.
    pub page: PageRequest,
}

/// A change of one lead.
#[derive(Clone, Debug)]
pub struct UpdateLead {
    /// Which.
    pub id: LeadId,
    /// The version that the caller has seen, when a newer one must not be overwritten.
    pub version: Option<i64>,
    /// What to change.
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

    /// Makes or links the customer of a lead and opens a deal. A second call answers the same and tells nothing.
    fn convert(&self, ctx: Ctx, command: ConvertLead) -> Pending<Written<Conversion, LeadError>>;
}
