//! Stock: where it lies, its ledger, and what people do with it. Below the catalog and the orders, which move it.

mod adjusting;
mod costs;
mod counting;
mod counts;
pub(crate) mod ledger;
pub(crate) mod levels;
mod lines;
mod movements;
pub(crate) mod naming;
pub(crate) mod places;
mod receiving;
mod settings;
mod transferring;
mod transfers;
pub(crate) mod units;
mod valuing;
mod warehouses;

use inventory::{
    Adjustment, AdjustmentId, CostChange, CostQuery, Count, CountId, CountLine, CountLineQuery,
    CountQuery, DispatchTransfer, Inventory, Movement, MovementQuery, NewAdjustment, NewReceipt,
    NewWarehouse, PostCount, Receipt, ReceiptId, Revalue, StockError, StockLine, StockQuery,
    StockSettings, Transfer, TransferId, TransferQuery, UpdateWarehouse, Valuation, ValuationQuery,
    Warehouse, WarehouseId,
    count::{NewCount, Scan, Tallies},
    service::SetStockSettings,
    transfer::{Arrival, Arriving, NewTransfer, ReviseTransfer},
};
use kernel::{AccountId, Ctx, Fault, Page, PageRequest, Pending, Timestamp, Written};

use crate::{
    error::Failure,
    readers::{Cost, snapshot},
    store::Store,
};

pub(crate) use adjusting::{adjust, hold as hold_adjusted};
pub(crate) use costs::averages;
pub(crate) use counting::{hold as hold_count, post, posting};
pub(crate) use transferring::{dispatch, hold as hold_transfer};
pub(crate) use transfers::one as transfer_by_id;

/// Open orders that do not commit their stock, in the words of the index that has no others.
pub(crate) const UNCOMMITTED: &str = "NOT orders.commits AND orders.status IN ('pending', 'paid')";

type Outcome<T> = Result<T, Failure<StockError>>;

impl Inventory for Store {
    fn warehouses(&self, account: AccountId) -> Pending<Result<Vec<Warehouse>, Fault>> {
        self.engine.read_of(account, Cost::Small, move |db| places::all(db, account))
    }

    fn warehouse(
        &self,
        account: AccountId,
        id: WarehouseId,
    ) -> Pending<Result<Option<Warehouse>, Fault>> {
        self.engine.read(Cost::Small, move |db| places::one(db, account, id))
    }

    fn create_warehouse(
        &self,
        ctx: Ctx,
        new: NewWarehouse,
    ) -> Pending<Written<Warehouse, StockError>> {
        self.write(ctx, move |tx, ctx| warehouses::create(tx, ctx, &new))
    }

    fn update_warehouse(
        &self,
        ctx: Ctx,
        command: UpdateWarehouse,
    ) -> Pending<Written<Warehouse, StockError>> {
        self.write(ctx, move |tx, ctx| warehouses::update(tx, ctx, &command))
    }

    fn delete_warehouse(
        &self,
        ctx: Ctx,
        id: WarehouseId,
        version: Option<i64>,
    ) -> Pending<Written<WarehouseId, StockError>> {
        self.write(ctx, move |tx, ctx| warehouses::delete(tx, ctx, id, version))
    }

    fn settings(&self, account: AccountId) -> Pending<Result<StockSettings, Fault>> {
        self.engine.read(Cost::Small, move |db| places::settings(db, account))
    }

    fn set_settings(
        &self,
        ctx: Ctx,
        wanted: SetStockSettings,
        version: Option<i64>,
    ) -> Pending<Written<StockSettings, StockError>> {
        self.write(ctx, move |tx, ctx| settings::set(tx, ctx, &wanted, version))
    }

    fn stock(
        &self,
        account: AccountId,
        query: StockQuery,
    ) -> Pending<Result<Page<StockLine>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| lines::stock(db, account, &query))
        })
    }

    fn movements(
        &self,
        account: AccountId,
        query: MovementQuery,
    ) -> Pending<Result<Page<Movement>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| movements::movements(db, account, &query))
        })
    }

    fn adjust(&self, ctx: Ctx, new: NewAdjustment) -> Pending<Written<Adjustment, StockError>> {
        self.write(ctx, move |tx, ctx| {
            adjusting::adjust(tx, ctx, AdjustmentId::from_u128(tx.ids.next()), &new)
        })
    }

    fn adjustment(
        &self,
        account: AccountId,
        id: AdjustmentId,
    ) -> Pending<Result<Option<Adjustment>, Fault>> {
        self.engine.read(Cost::Small, move |db| adjusting::one(db, account, id))
    }

    fn adjustments(
        &self,
        account: AccountId,
        page: PageRequest,
    ) -> Pending<Result<Page<Adjustment>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| adjusting::all(db, account, &page))
        })
    }

    fn receive(&self, ctx: Ctx, new: NewReceipt) -> Pending<Written<Receipt, StockError>> {
        self.write(ctx, move |tx, ctx| receiving::receive(tx, ctx, &new))
    }

    fn cancel_receipt(&self, ctx: Ctx, id: ReceiptId) -> Pending<Written<Receipt, StockError>> {
        self.write(ctx, move |tx, ctx| receiving::cancel(tx, ctx, id))
    }

    fn receipt(
        &self,
        account: AccountId,
        id: ReceiptId,
    ) -> Pending<Result<Option<Receipt>, Fault>> {
        self.engine.read(Cost::Small, move |db| receiving::one(db, account, id))
    }

    fn receipts(
        &self,
        account: AccountId,
        page: PageRequest,
    ) -> Pending<Result<Page<Receipt>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| receiving::all(db, account, &page))
        })
    }

    fn revalue(&self, ctx: Ctx, new: Revalue) -> Pending<Written<Vec<CostChange>, StockError>> {
        self.write(ctx, move |tx, ctx| costs::revalue(tx, ctx, &new))
    }

    fn cost_changes(
        &self,
        account: AccountId,
        query: CostQuery,
    ) -> Pending<Result<Page<CostChange>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| costs::changes(db, account, &query))
        })
    }

    fn valuation(
        &self,
        account: AccountId,
        query: ValuationQuery,
        now: Timestamp,
    ) -> Pending<Result<Valuation, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| valuing::valuation(db, account, query, now))
        })
    }

    fn plan_transfer(&self, ctx: Ctx, new: NewTransfer) -> Pending<Written<Transfer, StockError>> {
        self.write(ctx, move |tx, ctx| transferring::plan(tx, ctx, &new))
    }

    fn revise_transfer(
        &self,
        ctx: Ctx,
        command: ReviseTransfer,
    ) -> Pending<Written<Transfer, StockError>> {
        self.write(ctx, move |tx, ctx| transferring::revise(tx, ctx, &command))
    }

    fn dispatch_transfer(
        &self,
        ctx: Ctx,
        command: DispatchTransfer,
    ) -> Pending<Written<Transfer, StockError>> {
        self.write(ctx, move |tx, ctx| transferring::dispatch(tx, ctx, command))
    }

    fn receive_transfer(
        &self,
        ctx: Ctx,
        id: TransferId,
        arriving: Arriving,
    ) -> Pending<Written<Transfer, StockError>> {
        self.write(ctx, move |tx, ctx| transferring::receive(tx, ctx, id, &arriving))
    }

    fn cancel_transfer(&self, ctx: Ctx, id: TransferId) -> Pending<Written<Transfer, StockError>> {
        self.write(ctx, move |tx, ctx| transferring::cancel(tx, ctx, id))
    }

    fn transfer(
        &self,
        account: AccountId,
        id: TransferId,
    ) -> Pending<Result<Option<Transfer>, Fault>> {
        self.engine.read(Cost::Small, move |db| snapshot(db, |db| transfers::one(db, account, id)))
    }

    fn transfers(
        &self,
        account: AccountId,
        query: TransferQuery,
    ) -> Pending<Result<Page<Transfer>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| transfers::all(db, account, &query))
        })
    }

    fn arrivals(
        &self,
        account: AccountId,
        id: TransferId,
    ) -> Pending<Result<Option<Vec<Arrival>>, Fault>> {
        self.engine.read(Cost::Small, move |db| transfers::arrivals_of(db, account, id))
    }

    fn open_count(&self, ctx: Ctx, new: NewCount) -> Pending<Written<Count, StockError>> {
        self.write(ctx, move |tx, ctx| counting::open(tx, ctx, &new))
    }

    fn tally(
        &self,
        ctx: Ctx,
        id: CountId,
        tallies: Tallies,
    ) -> Pending<Written<Count, StockError>> {
        self.write(ctx, move |tx, ctx| counting::tally(tx, ctx, id, &tallies))
    }

    fn scan(&self, ctx: Ctx, id: CountId, scan: Scan) -> Pending<Written<CountLine, StockError>> {
        self.write(ctx, move |tx, ctx| counting::scan(tx, ctx, id, &scan))
    }

    fn post_count(&self, ctx: Ctx, command: PostCount) -> Pending<Written<Count, StockError>> {
        self.write(ctx, move |tx, ctx| counting::post(tx, ctx, &command))
    }

    fn cancel_count(&self, ctx: Ctx, id: CountId) -> Pending<Written<Count, StockError>> {
        self.write(ctx, move |tx, ctx| counting::cancel(tx, ctx, id))
    }

    fn count(&self, account: AccountId, id: CountId) -> Pending<Result<Option<Count>, Fault>> {
        self.engine.read(Cost::Small, move |db| counts::one(db, account, id))
    }

    fn counts(&self, account: AccountId, query: CountQuery) -> Pending<Result<Page<Count>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| counts::all(db, account, &query))
        })
    }

    fn count_lines(
        &self,
        account: AccountId,
        id: CountId,
        query: CountLineQuery,
    ) -> Pending<Result<Option<Page<CountLine>>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| counts::page_of_lines(db, account, id, &query))
        })
    }
}
