//! Events as their account sees them: listed, and one with whom it was sent to.

use diesel::prelude::*;
use kernel::{AccountId, Page, Timestamp, id::EventId};
use orders::OrderId;
use webhooks::{EventDetail, EventFilter, EventQuery, ListedEvent};

use super::deliveries;
use crate::{
    db::Db,
    listing::{self, newest_first},
    lookups::Key,
    rows::read,
    schema::events::{self as table, dsl},
};

/// The event that the index on what events are about leaves out.
const PLACED: &str = "order.created";
/// So far apart are the identifiers of an order and of that event, at most.
const ABOUT_SECONDS: i64 = 3_600;

#[derive(Queryable, Selectable)]
#[diesel(table_name = table)]
struct EventRow {
    account_id: String,
    id: String,
    name: String,
    entity_id: String,
    created_at: i64,
}

impl EventRow {
    fn key(&self) -> Key {
        (self.account_id.clone(), self.id.clone())
    }

    fn event(self) -> QueryResult<ListedEvent> {
        Ok(ListedEvent {
            id: read(&self.id, EventId::parse)?,
            name: self.name,
            entity: self.entity_id,
            created_at: Timestamp::from_micros(self.created_at),
        })
    }
}

type Filtered = table::BoxedQuery<'static, <Db as Connection>::Backend>;

fn matching(account: AccountId, filter: &EventFilter) -> Filtered {
    let mut own = table::table.filter(dsl::account_id.eq(account.to_string())).into_boxed();
    if let Some(name) = &filter.name {
        own = own.filter(dsl::name.eq(name.clone()));
    }
    // Identifiers begin with their moment.
    let least = |moment: Timestamp| EventId::least_at(moment).to_string();
    if let Some(entity) = &filter.entity {
        let of_entity = || dsl::entity_id.eq(entity.clone());
        let later = of_entity().and(dsl::name.ne(PLACED));
        own = match OrderId::parse(entity) {
            // The index leaves out that an order was placed, which was recorded with the order.
            Some(order) => {
                let at = order.minted_at();
                let (from, until) =
                    (at.plus_seconds(-ABOUT_SECONDS), at.plus_seconds(ABOUT_SECONDS));
                let placed = of_entity().and(dsl::name.eq(PLACED));
                let then = dsl::id.ge(least(from)).and(dsl::id.lt(least(until)));
                own.filter(later.or(placed.and(then)))
            }
            None => own.filter(later),
        };
    }
    if let Some(from) = filter.from {
        own = own.filter(dsl::id.ge(least(from)));
    }
    if let Some(to) = filter.to {
        own = own.filter(dsl::id.lt(least(to)));
    }
    own
}

pub(super) fn list(
    db: &mut Db,
    account: AccountId,
    query: &EventQuery,
) -> QueryResult<Page<ListedEvent>> {
    let all = || matching(account, &query.filter);
    let some = |db: &mut Db, at_most| -> QueryResult<Vec<i64>> {
        all().limit(at_most).select(dsl::created_at).load(db)
    };
    let count = |db: &mut Db| all().count().get_result(db);
    let total = listing::bounded_total(db, &query.page, some, count)?;
    let rows = newest_first!(db, EventRow, dsl::id, query.page, all())?;
    listing::newest_page(rows, &query.page, total, "event", EventRow::key, EventRow::event)
}

pub(super) fn detail(
    db: &mut Db,
    account: AccountId,
    id: EventId,
) -> QueryResult<Option<EventDetail>> {
    let own = table::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq(id.to_string()));
    let found: Option<(EventRow, String)> =
        own.select((EventRow::as_select(), dsl::body)).first(db).optional()?;
    let Some((row, body)) = found else { return Ok(None) };
    let event = row.event()?;
    let deliveries = deliveries::of_event(db, account, &event)?;
    Ok(Some(EventDetail { event, body, deliveries }))
}
