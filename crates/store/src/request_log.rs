//! The log of requests as it is read.

use accounts::{LoggedRequest, RequestLineId, RequestLog, RequestQuery, requests::Answered};
use diesel::prelude::*;
use kernel::{AccountId, Fault, Page, Pending, Written};

use crate::{
    db::Db,
    listing::{self, newest_first},
    readers::Cost,
    requests::RequestRow,
    schema::api_requests::{self as table, dsl},
    store::Store,
};

impl RequestLog for Store {
    fn note(&self, request: &Answered<'_>) {
        self.requests.note(&self.engine, request);
    }

    fn write_down(&self) -> Pending<Written<(), ()>> {
        self.requests.write_down(&self.engine)
    }

    fn request(
        &self,
        account: AccountId,
        id: RequestLineId,
    ) -> Pending<Result<Option<LoggedRequest>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            let row: Option<RequestRow> = table::table
                .find((account.to_string(), id.to_string()))
                .select(RequestRow::as_select())
                .first(db)
                .optional()?;
            row.map(RequestRow::request).transpose()
        })
    }

    fn requests(
        &self,
        account: AccountId,
        query: RequestQuery,
    ) -> Pending<Result<Page<LoggedRequest>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| list(db, account, &query))
    }
}

type Filtered = table::BoxedQuery<'static, <Db as Connection>::Backend>;

fn matching(account: AccountId, query: &RequestQuery) -> Filtered {
    let mut own = table::table.filter(dsl::account_id.eq(account.to_string())).into_boxed();
    if let Some(key) = query.key {
        own = own.filter(dsl::key_id.eq(key.to_string()));
    }
    if let Some(method) = &query.method {
        own = own.filter(dsl::method.eq(method.clone()));
    }
    if let Some(route) = &query.route {
        own = own.filter(dsl::route.eq(route.clone()));
    }
    if let Some(status) = query.status {
        own = own.filter(dsl::status.eq(i64::from(status)));
    }
    if query.has_failed {
        own = own.filter(dsl::status.ge(400));
    }
    // A line is written after its request: its identifier is not earlier.
    if let Some(from) = query.from {
        let least = RequestLineId::least_at(from).to_string();
        own = own.filter(dsl::id.ge(least)).filter(dsl::created_at.ge(from.micros()));
    }
    if let Some(to) = query.to {
        own = own.filter(dsl::created_at.lt(to.micros()));
    }
    own
}

fn list(db: &mut Db, account: AccountId, query: &RequestQuery) -> QueryResult<Page<LoggedRequest>> {
    let all = || matching(account, query);
    let some = |db: &mut Db, at_most| -> QueryResult<Vec<i64>> {
        all().limit(at_most).select(dsl::created_at).load(db)
    };
    let count = |db: &mut Db| all().count().get_result(db);
    let total = listing::bounded_total(db, &query.page, some, count)?;
    let rows = newest_first!(db, RequestRow, dsl::id, query.page, all())?;
    listing::newest_page(rows, &query.page, total, "request", RequestRow::key, RequestRow::request)
}
