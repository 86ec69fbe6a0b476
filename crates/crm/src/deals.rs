//! The use cases of deals and their pipelines.

use kernel::{
    AccountId, Ctx, Fault, Page, PageRequest, Pending, Timestamp, Written, page::Sorting,
};

use crate::{
    Act, Board, CustomerId, Deal, DealChanges, DealId, DealStatus, HistoryEntry, LeadId, NewDeal,
    NewPipeline, Pipeline, PipelineChanges, PipelineError, PipelineId, StageId, board::Card,
};

/// Why a command about deals was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DealError {
    /// The deal that another was to be put beside is not in that stage any more.
    NotBeside {
        /// That deal.
        deal: DealId,
    },
    /// The deal has quotes and cannot be deleted.
    HasQuotes,
}

/// The order of a list of deals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DealSort {
    /// When they were opened.
    #[default]
    CreatedAt,
    /// When they were last changed.
    UpdatedAt,
    /// As they stand in their stage.
    Rank,
}

/// Which deals are listed; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct DealFilter {
    /// These alone.
    pub ids: Option<Vec<DealId>>,
    pub pipeline: Option<PipelineId>,
    pub stage: Option<StageId>,
    pub status: Option<DealStatus>,
    pub customer: Option<CustomerId>,
    pub lead: Option<LeadId>,
    pub owner: Option<String>,
    pub updated_since: Option<Timestamp>,
}

/// A wanted page of deals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct DealQuery {
    pub filter: DealFilter,
    pub sort: Sorting<DealSort>,
    pub page: PageRequest,
}

/// A change of one deal.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct UpdateDeal {
    pub id: DealId,
    /// Expected version: the command is refused if the resource has a newer one.
    pub version: Option<i64>,
    pub changes: DealChanges,
}

/// An act on one deal.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ActOnDeal {
    pub id: DealId,
    pub act: Act,
}

/// A change of one pipeline.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct UpdatePipeline {
    pub id: PipelineId,
    /// Expected version: the command is refused if the resource has a newer one.
    pub version: Option<i64>,
    pub changes: PipelineChanges,
}

/// Pipelines, each method one transaction.
pub trait Pipelines: Send + Sync {
    /// Whether the account has a pipeline and every deal is in one.
    fn is_ready(&self, account: AccountId) -> Pending<Result<bool, Fault>>;

    /// Gives the account a default pipeline if it has none, and takes in deals that are in none, so many at a time.
    fn prepare(&self, ctx: Ctx) -> Pending<Written<PipelineId, PipelineError>>;

    /// All of them, oldest first.
    fn all(&self, account: AccountId) -> Pending<Result<Vec<Pipeline>, Fault>>;

    /// Adds a pipeline.
    fn create(&self, ctx: Ctx, command: NewPipeline) -> Pending<Written<Pipeline, PipelineError>>;

    /// Changes a pipeline.
    fn update(
        &self,
        ctx: Ctx,
        command: UpdatePipeline,
    ) -> Pending<Written<Pipeline, PipelineError>>;

    /// Removes a pipeline in which no deal is.
    fn delete(
        &self,
        ctx: Ctx,
        id: PipelineId,
        version: Option<i64>,
    ) -> Pending<Written<PipelineId, PipelineError>>;
}

/// Deals, each method one transaction with its events and sums.
pub trait Deals: Send + Sync {
    /// One deal; `None` when the account has no such deal.
    fn get(&self, account: AccountId, id: DealId) -> Pending<Result<Option<Deal>, Fault>>;

    /// A page of deals.
    fn list(&self, account: AccountId, query: DealQuery) -> Pending<Result<Page<Deal>, Fault>>;

    /// What has happened to a deal, newest first; `None` when the account has no such deal.
    fn history(
        &self,
        account: AccountId,
        id: DealId,
        page: PageRequest,
    ) -> Pending<Result<Option<Page<HistoryEntry>>, Fault>>;

    /// The board of a pipeline, the default one if none is named; `None` when the account has no such pipeline.
    fn board(
        &self,
        account: AccountId,
        pipeline: Option<PipelineId>,
    ) -> Pending<Result<Option<Board>, Fault>>;

    /// The first deals of each stage of a pipeline, so many of each at most, in their order.
    fn cards(
        &self,
        account: AccountId,
        pipeline: PipelineId,
        each: u32,
    ) -> Pending<Result<Vec<Card>, Fault>>;

    /// Opens a deal.
    fn create(&self, ctx: Ctx, command: NewDeal) -> Pending<Written<Deal, DealError>>;

    /// Changes a deal.
    fn update(&self, ctx: Ctx, command: UpdateDeal) -> Pending<Written<Deal, DealError>>;

    /// Wins, loses, moves or reopens a deal.
    fn act(&self, ctx: Ctx, command: ActOnDeal) -> Pending<Written<Deal, DealError>>;

    /// Removes a deal with its history.
    fn delete(
        &self,
        ctx: Ctx,
        id: DealId,
        version: Option<i64>,
    ) -> Pending<Written<DealId, DealError>>;
}
