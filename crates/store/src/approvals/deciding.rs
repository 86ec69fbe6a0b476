//! Deciding, each time in one transaction with all that follows.

use ::approvals::{
    AdHoc, Approval, ApprovalError, ApprovalId, Decide, Decided, Status, TakeBack, Verdict,
    ask_ad_hoc as ask,
};
use kernel::{Ctx, FieldFault, Refused, message};

use super::{Wording, approvers, carrying, rows, subjects};
use crate::{
    error::{Failure, refuse_stale},
    events, payments,
    tx::Tx,
};

type Outcome<T> = Result<T, Failure<ApprovalError>>;

/// Asks whom the request names.
pub(super) fn ask_ad_hoc(tx: &mut Tx<'_>, ctx: &Ctx, command: &AdHoc) -> Outcome<Approval> {
    let named = (command.entity, command.entity_id.as_str());
    let subject = subjects::named(tx.db, ctx.account, named, ctx.now)?;
    let subject = subject.ok_or_else(|| {
        Refused::Invalid(vec![FieldFault::new(
            "entityId",
            message!(
                "names nothing of this account that such an approval could be about",
                "no corresponde a nada de esta cuenta a lo que pueda referirse tal aprobación"
            ),
        )])
    })?;
    approvers::refuse_others(tx.db, ctx.account, (command.entity, &command.levels), ctx.now)?;
    let id = ApprovalId::from_u128(tx.ids.next());
    let asked = ask(command.clone(), (subject.facts, subject.digest), id, ctx.now)?;
    let kept = rows::Kept { approval: asked.approval, command: None };
    rows::insert(tx, ctx.account, &kept)?;
    events::append(tx, ctx.account, ctx.now, asked.events)?;
    Ok(kept.approval)
}

/// Counts a decision, and carries out what it was the last one for.
pub(super) fn decide(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    wording: &Wording,
    command: &Decide,
) -> Outcome<Approval> {
    let kept = rows::locked(tx, ctx.account, command.id)?.ok_or(Refused::NotFound)?;
    let (seen, waiting) = (kept.approval, kept.command);
    let (approval, events) = match seen.decide(command, ctx.now) {
        Ok(Decided::Before) => return Ok(seen.at(ctx.now)),
        Ok(Decided::Counted { approval, events }) => {
            refuse_stale(command.version, seen.version)?;
            (*approval, events)
        }
        Err(error) => return Err(Refused::Rule(error).into()),
    };
    let is_approval = command.verdict == Verdict::Approve;
    if is_approval && !carrying::is_unchanged(tx, ctx, &seen, waiting.as_deref())? {
        let superseded = seen.clone().ended(Status::Superseded, ctx.now);
        return saved(tx, ctx, &seen, superseded, waiting);
    }
    events::append(tx, ctx.account, ctx.now, events)?;
    let approval = match approval.status {
        Status::Approved => {
            // What was set aside for it is what it uses.
            payments::release_holds(tx, ctx.account, &approval.id.to_string(), ctx.now)?;
            carrying::carry_out(tx, ctx, wording, (approval, waiting.as_deref()))?
        }
        _ => approval,
    };
    saved(tx, ctx, &seen, approval, waiting)
}

/// Takes a request back.
pub(super) fn take_back(tx: &mut Tx<'_>, ctx: &Ctx, command: &TakeBack) -> Outcome<Approval> {
    let kept = rows::locked(tx, ctx.account, command.id)?.ok_or(Refused::NotFound)?;
    let seen = kept.approval;
    let taken_back = seen.taken_back(command, ctx.now).map_err(Refused::Rule)?;
    if taken_back == seen {
        return Ok(seen);
    }
    refuse_stale(command.version, seen.version)?;
    saved(tx, ctx, &seen, taken_back, kept.command)
}

fn saved(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    seen: &Approval,
    approval: Approval,
    command: Option<String>,
) -> Outcome<Approval> {
    let kept = rows::Kept { approval, command };
    rows::save(tx, ctx.account, seen, &kept)?;
    if kept.approval.status != Status::Pending {
        payments::release_holds(tx, ctx.account, &kept.approval.id.to_string(), ctx.now)?;
    }
    Ok(kept.approval)
}
