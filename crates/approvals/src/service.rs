//! The use cases of approvals.

use kernel::{AccountId, Ctx, Fault, Page, PageRequest, Pending, Timestamp, Written};

use crate::{
    AdHoc, Approval, ApprovalId, Decide, EntityType, NewRule, Person, Rule, RuleChanges, RuleId,
    Status, TakeBack,
};

/// Why a command about approvals was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovalError {
    /// The account has as many rules as it may have.
    TooManyRules,
    /// Nothing is to be decided any more.
    Closed(Status),
    /// The same person has decided otherwise before.
    DecidedOtherwise,
    /// Who asks may not agree.
    Requester,
    /// The level that is to be decided names others.
    NotNamed,
    /// Only who has asked, or may approve, may take a request back.
    NotRequester,
}

/// A change of one rule.
#[derive(Clone, Debug)]
pub struct ReviseRule {
    /// Which.
    pub id: RuleId,
    /// The version that the caller has seen, when a newer one must not be overwritten.
    pub version: Option<i64>,
    /// What to change.
    pub changes: RuleChanges,
}

/// The rules of an account.
pub trait Rules: Send + Sync {
    /// Every rule, newest first.
    fn rules(&self, account: AccountId) -> Pending<Result<Vec<Rule>, Fault>>;

    /// One rule; `None` when the account has no such rule.
    fn rule(&self, account: AccountId, id: RuleId) -> Pending<Result<Option<Rule>, Fault>>;

    /// Makes a rule. Its approvers must be keys of the account that may approve, or members whose role does.
    fn create_rule(&self, ctx: Ctx, command: NewRule) -> Pending<Written<Rule, ApprovalError>>;

    /// Changes a rule.
    fn update_rule(&self, ctx: Ctx, command: ReviseRule) -> Pending<Written<Rule, ApprovalError>>;

    /// Deletes a rule. What was asked of it stays to be decided.
    fn delete_rule(
        &self,
        ctx: Ctx,
        id: RuleId,
        version: Option<i64>,
    ) -> Pending<Written<RuleId, ApprovalError>>;
}

/// Which requests are listed, newest first.
#[derive(Clone, Debug)]
pub struct ApprovalQuery {
    /// What they are about: one of these.
    pub entities: Vec<EntityType>,
    /// Their status at [`now`](Self::now).
    pub status: Option<Status>,
    /// The moment at which they have expired or not.
    pub now: Timestamp,
    /// The identifier of what they are about.
    pub entity_id: Option<String>,
    /// Which page of them.
    pub page: PageRequest,
}

/// Requests for approval, each method one transaction with its events and what it has led to.
pub trait Approvals: Send + Sync {
    /// One request as it was last saved; `None` when the account has no such request.
    fn get(&self, account: AccountId, id: ApprovalId) -> Pending<Result<Option<Approval>, Fault>>;

    /// A page of requests.
    fn list(
        &self,
        account: AccountId,
        query: ApprovalQuery,
    ) -> Pending<Result<Page<Approval>, Fault>>;

    /// Asks for an approval of which nothing follows by itself.
    fn ask(&self, ctx: Ctx, command: AdHoc) -> Pending<Written<Approval, ApprovalError>>;

    /// Decides. The last decision that is needed carries the command out. A decision that was made before changes nothing,
    /// whatever version was seen.
    fn decide(&self, ctx: Ctx, command: Decide) -> Pending<Written<Approval, ApprovalError>>;

    /// Takes a request back. Of one that is being decided at the same time either counts, and the other is refused.
    fn take_back(&self, ctx: Ctx, command: TakeBack) -> Pending<Written<Approval, ApprovalError>>;
}

/// What has come of a command at its [`Gate`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passed<T> {
    /// It waits for this request.
    Asked(ApprovalId),
    /// Nobody need be asked, and it was carried out: what it has made.
    Done(T),
    /// It is to be carried out as if there were no gate.
    Free,
}

/// What stands before commands of one kind: it asks for approval where rules want that, and shows what an approved one
/// has led to.
pub trait Gate<C, T, E>: Send + Sync {
    /// Whether [`ask`](Self::ask) is to be called: there are rules that may want to be asked, or an earlier request
    /// with the same idempotency key was answered.
    fn is_guarded(&self, ctx: &Ctx) -> Pending<Result<bool, Fault>>;

    /// Asks for the approval of a command that could be carried out, if any rule wants that. One that no rule wants to be
    /// asked about is carried out in the same transaction, where that needs nobody else. A command that could not be
    /// carried out is refused as if it had been tried.
    fn ask(&self, ctx: Ctx, by: Person, command: C) -> Pending<Written<Passed<T>, E>>;

    /// What an approved command has made.
    ///
    /// # Errors
    /// When that cannot be read.
    fn made(&self, approval: &Approval) -> Result<Option<T>, Fault>;
}
