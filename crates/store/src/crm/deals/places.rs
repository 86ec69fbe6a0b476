//! Where in the order of a stage a deal is put. Its account's desk is locked.

use ::crm::{
    Deal, DealError, DealId, DealPlace, PipelineId, Rank, StageId,
    deal::Beside,
    rank::{self, RENEWED_MAX},
};
use diesel::{prelude::*, result::Error as DieselError};
use kernel::{AccountId, FieldFault, Refused, message};

use super::{Outcome, rows};
use crate::{
    db::Db,
    error::Failure,
    rows::{corrupt, read},
    schema::deals::{self as table, dsl},
    tx::Tx,
};

/// A deal of a stage with its rank.
type Ranked = (DealId, Rank);

/// A stage of an account.
struct Stage {
    account: String,
    id: String,
}

impl Stage {
    fn every(&self) -> table::BoxedQuery<'_, <Db as Connection>::Backend> {
        table::table
            .filter(dsl::account_id.eq(&self.account))
            .filter(dsl::stage_id.eq(&self.id))
            .into_boxed()
    }

    /// The nearest ones before a rank, or the last ones; nearest first.
    fn below(&self, db: &mut Db, rank: Option<&Rank>, count: usize) -> QueryResult<Vec<Ranked>> {
        let query = match rank {
            Some(rank) => self.every().filter(dsl::rank.lt(rank.to_string())),
            None => self.every().filter(dsl::rank.is_not_null()),
        };
        ranked(db, query.order(dsl::rank.desc()), count)
    }

    /// The nearest ones behind a rank; nearest first.
    fn above(&self, db: &mut Db, rank: &Rank, count: usize) -> QueryResult<Vec<Ranked>> {
        let query = self.every().filter(dsl::rank.gt(rank.to_string()));
        ranked(db, query.order(dsl::rank.asc()), count)
    }
}

fn ranked(
    db: &mut Db,
    query: table::BoxedQuery<'_, <Db as Connection>::Backend>,
    count: usize,
) -> QueryResult<Vec<Ranked>> {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let rows: Vec<(String, String)> =
        query.limit(count).select((dsl::id, dsl::rank.assume_not_null())).load(db)?;
    rows.into_iter()
        .map(|(id, rank)| Ok((read(&id, DealId::parse)?, read(&rank, Rank::parse)?)))
        .collect()
}

/// The place behind all others of a stage.
pub(super) fn last(
    tx: &mut Tx<'_>,
    account: AccountId,
    (pipeline, stage): (PipelineId, StageId),
) -> QueryResult<DealPlace> {
    let at = Stage { account: account.to_string(), id: stage.to_string() };
    let last = at.below(tx.db, None, 1)?.pop();
    let rank = rank::between(last.as_ref().map(|(_, rank)| rank), None).ok_or_else(full)?;
    Ok(DealPlace { pipeline, stage, rank })
}

/// No rank lies between two that are in order.
fn full() -> DieselError {
    corrupt("ranks that are out of order")
}

/// The place of a deal beside another one in a stage: where it is, if it is there already.
pub(super) fn find(
    tx: &mut Tx<'_>,
    account: AccountId,
    (pipeline, stage): (PipelineId, StageId),
    beside: Beside,
    moving: &Deal,
) -> Outcome<DealPlace> {
    let at = Stage { account: account.to_string(), id: stage.to_string() };
    let own = moving.place.clone().filter(|place| place.stage == stage);
    let mut neighbour = |id: DealId| -> Outcome<Ranked> {
        if id == moving.id {
            return Err(beside_itself(beside));
        }
        let query = at.every().filter(dsl::id.eq(id.to_string()));
        let found = ranked(tx.db, query.filter(dsl::rank.is_not_null()), 1)?.pop();
        match found {
            Some(found) => Ok(found),
            None => Err(not_beside(tx.db, account, id, beside)?),
        }
    };
    let (low, high) = match beside {
        Beside::Last => (at.below(tx.db, None, 1)?.pop(), None),
        Beside::Before(id) => {
            let high = neighbour(id)?;
            (at.below(tx.db, Some(&high.1), 1)?.pop(), Some(high))
        }
        Beside::After(id) => {
            let low = neighbour(id)?;
            let high = at.above(tx.db, &low.1, 1)?.pop();
            (Some(low), high)
        }
    };
    let is_there = |side: &Option<Ranked>| side.as_ref().is_some_and(|(id, _)| *id == moving.id);
    if let Some(own) = own.filter(|_| is_there(&low) || is_there(&high)) {
        return Ok(own);
    }
    let (low, high) = (low.map(|(_, rank)| rank), high.map(|(_, rank)| rank));
    let rank = rank::between(low.as_ref(), high.as_ref()).ok_or_else(full)?;
    let rank = if rank.is_too_long() {
        renewed(tx, &at, (low.as_ref(), high.as_ref()), moving.id)?
    } else {
        rank
    };
    Ok(DealPlace { pipeline, stage, rank })
}

/// Makes the ranks around a gap anew; gives the one for what is put there.
fn renewed(
    tx: &mut Tx<'_>,
    at: &Stage,
    (low, high): (Option<&Rank>, Option<&Rank>),
    moving: DealId,
) -> Result<Rank, Failure<DealError>> {
    let side = RENEWED_MAX / 2;
    let others = |mut side: Vec<Ranked>| {
        side.retain(|(id, _)| *id != moving);
        side
    };
    // One more than is renewed: the bound, which stays. The one that is moved may be among them.
    let mut below = match high {
        Some(high) => others(at.below(tx.db, Some(high), side + 2)?),
        None => others(at.below(tx.db, None, side + 2)?),
    };
    let mut above = match low {
        Some(low) => others(at.above(tx.db, low, side + 2)?),
        None => Vec::new(),
    };
    let bound = |ranks: &mut Vec<Ranked>| {
        let bound = ranks.get(side).map(|(_, rank)| rank.clone());
        ranks.truncate(side);
        bound
    };
    let (first, last) = (bound(&mut below), bound(&mut above));
    let gap = below.len();
    let ids: Vec<String> =
        below.into_iter().rev().chain(above).map(|(id, _)| id.to_string()).collect();
    let mut ranks = rank::spread(first.as_ref(), last.as_ref(), ids.len() + 1).ok_or_else(full)?;
    let own = ranks.remove(gap);
    let of = table::table.filter(dsl::account_id.eq(&at.account));
    // None may have a new rank while another still has it as its old one.
    let old = ids.iter().cloned().chain([moving.to_string()]);
    diesel::update(of.filter(dsl::id.eq_any(old)))
        .set(dsl::rank.eq(None::<String>))
        .execute(tx.db)?;
    for (id, rank) in ids.iter().zip(&ranks) {
        diesel::update(of.filter(dsl::id.eq(id)))
            .set(dsl::rank.eq(rank.as_str()))
            .execute(tx.db)?;
    }
    Ok(own)
}

/// A deal beside which another is to be put is not in that stage, or not there at all.
fn not_beside(
    db: &mut Db,
    account: AccountId,
    deal: DealId,
    beside: Beside,
) -> QueryResult<Failure<DealError>> {
    if rows::by_id(db, account, deal)?.is_some() {
        return Ok(Refused::Rule(DealError::NotBeside { deal }).into());
    }
    let problem = message!(
        "names no deal of this account",
        "no corresponde a ninguna oportunidad de esta cuenta"
    );
    Ok(Refused::Invalid(vec![FieldFault::new(field_of(beside), problem)]).into())
}

/// A deal cannot be put beside itself.
fn beside_itself(beside: Beside) -> Failure<DealError> {
    let problem = message!(
        "must be another deal than the one that is moved",
        "debe ser otra oportunidad y no la que se mueve"
    );
    Refused::Invalid(vec![FieldFault::new(field_of(beside), problem)]).into()
}

const fn field_of(beside: Beside) -> &'static str {
    if matches!(beside, Beside::Before(_)) { "before" } else { "after" }
}
