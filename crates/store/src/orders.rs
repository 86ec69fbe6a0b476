//! Orders: placing, changing, listing.

mod blocks;
mod list;
pub(crate) mod place;
pub(crate) mod progress;
mod promises;
mod reallocating;
mod returns;
mod shipments;
mod states;
mod timeline;
mod update;

pub(crate) use crate::ordering::{
    money::note_credited as note_order_credited,
    rows::{order_by_id, orders_by_key},
};
pub(crate) use blocks::MakeBlocks;
pub(crate) use list::{MINTED_WITHIN, minted};
pub(crate) use returns::{
    by_id as return_by_id, note_credited as note_return_credited,
    note_stands as note_return_stands, note_waits as note_return_waits, of_order as returns_of,
    return_items, wait_no_more as returns_wait_no_more,
};
pub(crate) use states::left_to_invoice;
pub(crate) use update::{order_update, renew_terms};

use std::{collections::BTreeMap, sync::Arc};

use ::orders::{
    NewReturn, NewShipment, Order, OrderFilter, OrderId, OrderQuery, OrderStatus, Orders,
    PlaceError, PlaceOrder, Portion, ReallocateError, Reallocation, Return, ReturnError, ReturnId,
    ReturnItems, ReviseOrder, ReviseShipment, Shipment, ShipmentError, ShipmentId, Taken,
    UpdateError,
    timeline::{Entry, Story},
};
use kernel::{
    AccountId, Ctx, Fault, Page, PageRequest, Pending, Refused, Written,
    page::{LIMIT_DEFAULT, Sorting, Total},
};

use crate::{
    counters::Counter,
    listing,
    ordering::rows::Extent,
    readers::{Cost, snapshot},
    store::Store,
};

/// An order, if the account has it.
pub(crate) fn order_of(
    db: &mut crate::db::Db,
    account: AccountId,
    id: OrderId,
) -> diesel::QueryResult<Option<Order>> {
    order_by_id(db, &account.to_string(), &id.to_string())
}

/// How many orders an account has.
const COUNTER: Counter = Counter("orders");
/// The number of an account's last order. Release 0.1.0 knows only how many there are, which was the same: while it
/// is in use, the greater of the two counts.
const LAST_NUMBER: Counter = Counter("order_number");

/// Orders of more lines are long: a hundred of them keep others waiting.
const LINES_LONG: usize = 100;

/// Whether an order is long.
pub(crate) fn is_long(order: &Order) -> bool {
    order.items.len() > LINES_LONG
}

/// How much reading a page costs, where the account has lately read a long one or not: a hundred orders may have 50,000 lines.
fn list_cost(query: &OrderQuery, has_long: bool) -> Cost {
    let plain = !has_long
        && query.filter == OrderFilter::default()
        && query.page.limit <= LIMIT_DEFAULT
        && query.page.offset() < listing::OFFSET_QUICK;
    match (plain, query.sort == Sorting::default()) {
        (true, true) => Cost::Fixed,
        (true, false) => Cost::Small,
        (false, _) => Cost::Large,
    }
}

impl Store {
    /// Reads a page of orders, as a whole or a portion of it, and gives what is wanted of it.
    fn read_page<T: Send + 'static>(
        &self,
        account: AccountId,
        query: OrderQuery,
        is_whole: bool,
        wanted: fn(Portion) -> T,
    ) -> Pending<Result<T, Fault>> {
        let long = Arc::clone(&self.long_pages);
        let is_long = long.has(account);
        let cost = list_cost(&query, is_long);
        let extent = match is_whole {
            true => Extent::Whole,
            false => Extent::Portion { is_long },
        };
        self.engine.read_of(account, cost, move |db| {
            let read = snapshot(db, |db| list::orders_list(db, account, &query, extent))?;
            long.note(account, &read.page.items);
            Ok(wanted(read))
        })
    }
}

impl Orders for Store {
    fn get(&self, account: AccountId, id: OrderId) -> Pending<Result<Option<Order>, Fault>> {
        let key = (account.to_string(), id.to_string());
        self.engine.look_up(&self.orders, key, |db, (account, id)| order_by_id(db, account, id))
    }

    fn numbers(
        &self,
        account: AccountId,
        ids: Vec<OrderId>,
    ) -> Pending<Result<Vec<(OrderId, i64)>, Fault>> {
        self.engine.read(Cost::Small, move |db| list::numbers(db, account, &ids))
    }

    fn counts(
        &self,
        account: AccountId,
        filter: OrderFilter,
    ) -> Pending<Result<Vec<(OrderStatus, Total)>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| list::counts(db, account, &filter))
        })
    }

    fn list(&self, account: AccountId, query: OrderQuery) -> Pending<Result<Page<Order>, Fault>> {
        self.read_page(account, query, true, |portion| portion.page)
    }

    fn portion(&self, account: AccountId, query: OrderQuery) -> Pending<Result<Portion, Fault>> {
        self.read_page(account, query, false, |portion| portion)
    }

    fn place(&self, ctx: Ctx, command: PlaceOrder) -> Pending<Written<Order, PlaceError>> {
        let account = ctx.account;
        let (job, pending) = place::PlaceJob::new(ctx, command);
        self.engine.together(account, Box::new(job));
        pending
    }

    fn preview(
        &self,
        ctx: Ctx,
        command: PlaceOrder,
    ) -> Pending<Result<Result<Order, Refused<PlaceError>>, Fault>> {
        self.engine.read_of(ctx.account, Cost::Large, move |db| {
            snapshot(db, |db| place::preview(db, &ctx, &command))
        })
    }

    fn take_back(
        &self,
        ctx: Ctx,
        id: OrderId,
        new: NewReturn,
    ) -> Pending<Written<Return, ReturnError>> {
        let command = ReturnItems { order: id, new };
        self.engine.command(Some(ctx.account), move |tx| return_items(tx, &ctx, &command))
    }

    fn one_return(
        &self,
        account: AccountId,
        id: ReturnId,
    ) -> Pending<Result<Option<Return>, Fault>> {
        self.engine.read(Cost::Small, move |db| returns::by_id(db, account, id))
    }

    fn returns(
        &self,
        account: AccountId,
        id: OrderId,
        page: PageRequest,
    ) -> Pending<Result<Option<Page<Return>>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| match returns::is_order(db, account, id)? {
                true => returns::page(db, account, id, &page).map(Some),
                false => Ok(None),
            })
        })
    }

    fn timeline(
        &self,
        account: AccountId,
        id: OrderId,
    ) -> Pending<Result<Option<Vec<Entry>>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| timeline::timeline(db, account, id))
        })
    }

    fn story(&self, account: AccountId, id: OrderId) -> Pending<Result<Option<Story>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| timeline::story(db, account, id))
        })
    }

    fn ship(
        &self,
        ctx: Ctx,
        id: OrderId,
        new: NewShipment,
    ) -> Pending<Written<Shipment, ShipmentError>> {
        self.write(ctx, move |tx, ctx| shipments::ship(tx, ctx, id, &new))
    }

    fn revise_shipment(
        &self,
        ctx: Ctx,
        command: ReviseShipment,
    ) -> Pending<Written<Shipment, ShipmentError>> {
        self.write(ctx, move |tx, ctx| shipments::revise(tx, ctx, &command))
    }

    fn cancel_shipment(
        &self,
        ctx: Ctx,
        id: ShipmentId,
    ) -> Pending<Written<Shipment, ShipmentError>> {
        self.write(ctx, move |tx, ctx| shipments::cancel(tx, ctx, id))
    }

    fn shipment(
        &self,
        account: AccountId,
        id: ShipmentId,
    ) -> Pending<Result<Option<Shipment>, Fault>> {
        self.engine.read(Cost::Small, move |db| snapshot(db, |db| shipments::one(db, account, id)))
    }

    fn shipments(
        &self,
        account: AccountId,
        id: OrderId,
        page: PageRequest,
    ) -> Pending<Result<Option<Page<Shipment>>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| match returns::is_order(db, account, id)? {
                true => shipments::page(db, account, id, &page).map(Some),
                false => Ok(None),
            })
        })
    }

    fn allocations(
        &self,
        account: AccountId,
        ids: Vec<OrderId>,
    ) -> Pending<Result<BTreeMap<OrderId, Vec<Taken>>, Fault>> {
        let cost = if ids.len() == 1 { Cost::Small } else { Cost::Large };
        self.engine
            .read_of(account, cost, move |db| snapshot(db, |db| progress::open(db, account, &ids)))
    }

    fn reallocate(
        &self,
        ctx: Ctx,
        id: OrderId,
        parts: Vec<Reallocation>,
    ) -> Pending<Written<Order, ReallocateError>> {
        self.write(ctx, move |tx, ctx| reallocating::reallocate(tx, ctx, id, &parts))
    }

    fn update(&self, ctx: Ctx, command: ReviseOrder) -> Pending<Written<Order, UpdateError>> {
        self.write(ctx, move |tx, ctx| update::order_update(tx, ctx, &command))
    }
}
