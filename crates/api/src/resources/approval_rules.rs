//! `/approval-rules`: what needs whose approval.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use actix_web::http::StatusCode;
use approvals::{EntityType, Facts, NewRule, ReviseRule, Rule, RuleChanges, RuleId, required};
use intake::SentBack;
use kernel::{Currency, FieldFault, PageRequest, message};

use crate::{
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    crud::unchanged,
    endpoint::{ANY_KEY, Endpoint, Segment, changes, id, json, query, taking},
    error::{ApiError, Code},
    page::{Way, page_of_all},
    refusals::may_not_approve,
    reply::{answered, found, written},
};
pub(super) use body::{LevelBody, PersonBody, ValueBody, levels_of};
use body::{RuleBody, VerdictBody};
pub(super) use forms::{entity_type, expires_after_hours, levels};

const ALL: &str = RuleBody::PATH;
const ONE: &str = "/approval-rules/{id}";
const EVALUATE: &str = "/approval-rules/evaluate";
const ID: Segment<RuleId> = id(RuleId::PREFIX, RuleId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, ANY_KEY, taking(query(forms::LIST), list))
            .summary("List approval rules")
            .describes("Newest first; those about what the key's scopes cover.")
            .pages::<RuleBody>("A page of rules.", examples::PAGE),
        Endpoint::post(ALL, ANY_KEY, taking(json(forms::CREATE), create))
            .summary("Create an approval rule")
            .describes(
                "From now on calls that meet all `conditions` are answered 202 and wait until enough approvers of every \
                 level have agreed. All rules that a call meets must be satisfied. Takes the scope of `entityType` \
                 and a key that may approve. Approvers are such keys, and users whose role approves what the scope covers; where one of \
                 them is gone when a call is made, owners of the account stand in.",
            )
            .answers::<RuleBody>(201, "The rule.", examples::RULE)
            .refuses(REFUSALS),
        Endpoint::post(EVALUATE, ANY_KEY, taking(json(forms::EVALUATE), evaluate))
            .summary("Try the approval rules")
            .describes(
                "Says which rules something of which these facts are known would have to satisfy. Nothing is asked for. Where \
                 amounts are among the facts, or a rule is for those of one currency, `currency` is required.",
            )
            .answers::<VerdictBody>(200, "The rules that want to be asked.", examples::VERDICT)
            .refuses(&[Code::InsufficientScope]),
        Endpoint::get(ONE, ANY_KEY, taking(ID, show))
            .summary("Get an approval rule")
            .answers::<RuleBody>(200, "The rule.", examples::RULE)
            .refuses(&[Code::InsufficientScope]),
        Endpoint::patch(ONE, ANY_KEY, taking((ID, changes(forms::UPDATE)), update))
            .summary("Update an approval rule")
            .describes(
                "Changes only the fields that are sent; `conditions` and `levels` are each replaced as a whole. Approvals \
                 that were asked for before stay as they are.",
            )
            .answers::<RuleBody>(200, "The updated rule.", examples::RULE)
            .refuses(&[Code::InsufficientScope, Code::NotAnApprover]),
        Endpoint::delete(ONE, ANY_KEY, taking(ID, delete))
            .summary("Delete an approval rule")
            .describes("Approvals that were asked for before stay to be decided.")
            .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED)
            .refuses(&[Code::InsufficientScope, Code::NotAnApprover]),
    ]
}

const REFUSALS: &[Code] = &[Code::InsufficientScope, Code::NotAnApprover, Code::Conflict];

/// The scope that covers what is to be approved.
pub(super) fn scope_of(entity: EntityType) -> Result<Scope, ApiError> {
    let found = Scope::EVERY.iter().copied().find(|scope| scope.name() == entity.scope());
    found.ok_or_else(|| ApiError::internal(format!("no scope covers {}", entity.name())))
}

/// Refuses a key whose scopes do not cover that.
pub(super) fn authorize(call: &Call, entity: EntityType) -> Result<(), ApiError> {
    call.authorize(scope_of(entity)?)
}

/// Refuses a key that may not approve that.
pub(super) fn authorize_approver(call: &Call, entity: EntityType) -> Result<(), ApiError> {
    authorize(call, entity)?;
    may_approve(call)
}

/// Refuses a key that may not approve anything.
pub(super) fn may_approve(call: &Call) -> Result<(), ApiError> {
    if call.key.as_ref().is_some_and(|key| key.may_approve) {
        Ok(())
    } else {
        Err(may_not_approve())
    }
}

/// What is to be approved that the key's scopes cover.
pub(super) fn covered(call: &Call) -> Vec<EntityType> {
    let every = EntityType::EVERY.iter().copied();
    every.filter(|entity| scope_of(*entity).is_ok_and(|scope| call.may(scope))).collect()
}

async fn list(call: Call, asked: PageRequest) -> Result<Answer, ApiError> {
    let covered = covered(&call);
    let rules = answered(call.services().approval_rules.rules(call.account)).await?;
    let rules: Vec<Rule> =
        rules.into_iter().filter(|rule| covered.contains(&rule.entity)).collect();
    let page = page_of_all(rules, &asked, (forms::ORDER, Way::Down), |rule| rule.id.to_string());
    Answer::page::<RuleBody>(page, &asked)
}

async fn create(call: Call, command: NewRule) -> Result<Answer, ApiError> {
    authorize_approver(&call, command.entity)?;
    let rules = &call.services().approval_rules;
    Answer::created::<RuleBody>(written(rules.create_rule(call.ctx()?, command)).await?)
}

/// A rule of the account, if the key covers what it is about.
async fn visible(call: &Call, id: RuleId) -> Result<Rule, ApiError> {
    let rule = found(call.services().approval_rules.rule(call.account, id)).await?;
    authorize(call, rule.entity)?;
    Ok(rule)
}

async fn show(call: Call, id: RuleId) -> Result<Answer, ApiError> {
    Answer::shown::<RuleBody>(call.headers(), visible(&call, id).await?)
}

async fn update(
    call: Call,
    (id, (changes, sent_back)): (RuleId, (RuleChanges, SentBack)),
) -> Result<Answer, ApiError> {
    let rule = visible(&call, id).await?;
    authorize_approver(&call, rule.entity)?;
    unchanged(&call, sent_back, &RuleBody::from(rule))?;
    let command = ReviseRule { id, version: call.expected_version(), changes };
    let done = call.services().approval_rules.update_rule(call.ctx()?, command);
    Answer::changed::<RuleBody>(written(done).await?)
}

async fn delete(call: Call, id: RuleId) -> Result<Answer, ApiError> {
    authorize_approver(&call, visible(&call, id).await?.entity)?;
    let version = call.expected_version();
    let done = call.services().approval_rules.delete_rule(call.ctx()?, id, version);
    Answer::deleted(&written(done).await?)
}

/// A rule that would want to be asked if the facts were in its currency, and they say none.
fn unasked<'a>(rules: &'a [Rule], facts: &Facts) -> Option<(&'a Rule, Currency)> {
    if facts.currency.is_some() {
        return None;
    }
    rules.iter().find_map(|rule| {
        let currency = rule.currency?;
        let known = Facts { currency: Some(currency), ..facts.clone() };
        rule.wants(&known).then_some((rule, currency))
    })
}

async fn evaluate(call: Call, wanted: forms::WantedVerdict) -> Result<Answer, ApiError> {
    authorize(&call, wanted.entity)?;
    // Nothing is done that a key could keep from being done twice, but it must be one.
    let _ = call.ctx()?;
    let rules = answered(call.services().approval_rules.rules(call.account)).await?;
    let about: Vec<Rule> = rules.into_iter().filter(|rule| rule.entity == wanted.entity).collect();
    // A rule for amounts of a currency would be passed over in silence.
    if let Some((rule, currency)) = unasked(&about, &wanted.facts) {
        let problem = message!(
            "is required: the rule {rule} is for amounts in {currency}",
            "es obligatorio: la regla {rule} es para importes en {currency}",
            rule = rule.id
        );
        return Err(ApiError::of_faults(&[FieldFault::new("currency", problem)]));
    }
    let wanting = required(&about, &wanted.facts);
    Answer::json(StatusCode::OK, &VerdictBody::new(&wanting))
}
