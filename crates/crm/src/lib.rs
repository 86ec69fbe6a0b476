//! People: customers, the leads that may become customers, and the deals that open when they do.
//!
//! Plain types and rules; whoever keeps them records what the rules state.

pub mod convert;
pub mod customer;
pub mod deal;
pub mod events;
pub mod lead;
pub mod service;
pub mod tax;

pub use convert::{Conversion, ConvertLead, convert};
pub use customer::{Address, Customer, CustomerChanges, CustomerId, NewCustomer};
pub use deal::{Deal, DealId, DealStatus};
pub use lead::{Lead, LeadChanges, LeadId, LeadStatus, NewLead};
pub use service::{
    CustomerError, CustomerFilter, CustomerQuery, Customers, LeadError, LeadFilter, LeadQuery,
    Leads, UpdateCustomer, UpdateLead,
};
