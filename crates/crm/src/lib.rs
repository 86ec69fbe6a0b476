//! People and what may be sold to them: customers, leads that may become customers, deals in their pipelines.
//!
//! Plain types and rules; whoever keeps them records the outcomes that the rules state.

pub mod activity;
pub mod board;
pub mod convert;
pub mod customer;
pub mod deal;
pub mod deals;
pub mod events;
pub mod group;
pub mod history;
pub mod lead;
pub mod merge;
pub mod pipeline;
pub mod rank;
pub mod service;
pub mod tax;

pub use activity::{
    Activities, Activity, ActivityChanges, ActivityError, ActivityFilter, ActivityId, ActivityKind,
    ActivityQuery, ActivitySort, NewActivity, UpdateActivity,
};
pub use board::Board;
pub use convert::{Conversion, ConvertLead, convert};
pub use customer::{Address, Customer, CustomerChanges, CustomerId, NewCustomer};
pub use deal::{Act, Deal, DealChanges, DealId, DealPlace, DealStatus, NewDeal};
pub use deals::{
    ActOnDeal, DealError, DealFilter, DealQuery, DealSort, Deals, Pipelines, UpdateDeal,
    UpdatePipeline,
};
pub use group::{
    CustomerGroup, CustomerGroupChanges, CustomerGroupError, CustomerGroupId, CustomerGroups,
    NewCustomerGroup, UpdateCustomerGroup,
};
pub use history::{HistoryEntry, HistoryId};
pub use lead::{Lead, LeadChanges, LeadId, LeadStatus, NewLead};
pub use merge::{Duplicate, Likeness, MergeLeads};
pub use pipeline::{
    NewPipeline, Pipeline, PipelineChanges, PipelineError, PipelineId, Stage, StageId, WantedStage,
};
pub use rank::Rank;
pub use service::{
    CustomerError, CustomerFilter, CustomerQuery, Customers, LeadError, LeadFilter, LeadQuery,
    Leads, UpdateCustomer, UpdateLead,
};
