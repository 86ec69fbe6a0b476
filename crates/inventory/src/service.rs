//! The use cases of the inventory.

use kernel::{
    AccountId, Ctx, Fault, Measure, Page, PageRequest, Pending, ScaleCode, Timestamp, Written,
};

use crate::{
    Adjustment, AdjustmentId, CostChange, CostQuery, Count, CountId, CountLine, CountLineQuery,
    CountQuery, Movement, MovementQuery, NewAdjustment, NewReceipt, NewWarehouse, Receipt,
    ReceiptId, Revalue, StockLine, StockQuery, StockSettings, Transfer, TransferId, TransferQuery,
    UpdateWarehouse, Valuation, ValuationQuery, Warehouse, WarehouseId,
    adjustment::Named,
    count::{CountStatus, NewCount, Scan, Tallies},
    settings::Allocation,
    transfer::{Arrival, Arriving, NewTransfer, ReviseTransfer, TransferStatus},
};

/// Why a command about stock was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum StockError {
    /// The account has as many warehouses as it may have.
    TooManyWarehouses { max: usize },
    /// Other warehouses have to wait until the upgrade to this release is finished.
    UpgradeUnfinished,
    /// The first warehouse of an account stays.
    FirstWarehouse,
    /// Orders take from the warehouse unless they name another one.
    DefaultWarehouse,
    /// There is still something in the warehouse, or promised from it.
    WarehouseHoldsStock { on_hand: Measure },
    /// The transfer has another status than is needed.
    TransferStatus { status: TransferStatus, wanted: &'static [TransferStatus] },
    /// The transfer has arrived in as many parts as it may.
    TooManyArrivals { max: usize },
    /// Goods are on their way to or from the warehouse, or planned to be.
    WarehouseInTransfer,
    /// The warehouse is being counted.
    WarehouseInCount { count: CountId },
    /// The count is over.
    CountStatus { status: CountStatus },
    /// What was scanned so far and what is scanned now are not of one moment.
    CountMoved { code: String, counted: Measure },
    /// Somebody has corrected what was counted since.
    CountStale {
        /// Some of them.
        codes: Vec<String>,
        lines: usize,
    },
    /// More has left since it was counted than was found.
    CountOvertaken { code: String },
    /// More is promised to orders than was counted.
    CountPromised {
        code: String,
        committed: Measure,
        /// Numbers of some of the orders.
        orders: Vec<String>,
        /// Whether there are others.
        more: bool,
    },
    /// More was counted than can be in stock.
    CountTooMany { code: String },
    /// The receipt was cancelled before.
    ReceiptCancelled,
    /// More would be taken than there is.
    BelowZero {
        /// The field that takes it.
        field: String,
        available: Measure,
        committed: Measure,
    },
}

/// Stock settings to be set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct SetStockSettings {
    pub allocation: Allocation,
    /// The first warehouse when absent.
    pub default_warehouse: Option<WarehouseId>,
    /// How its scales write their labels.
    pub scale_codes: Vec<ScaleCode>,
}

/// A transfer to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DispatchTransfer {
    /// Which.
    pub id: TransferId,
    /// The version that was seen, if who sends it says so: another one is not sent.
    pub version: Option<i64>,
}

/// A count to be posted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostCount {
    /// Which.
    pub id: CountId,
    /// Lines of it: at most [`NAMED_MAX`](crate::count::NAMED_MAX); all of them when `None`.
    pub named: Option<Vec<Named>>,
}

/// Warehouses and their stock, each method that writes one transaction with its events.
pub trait Inventory: Send + Sync {
    /// Every warehouse of an account, the newest first.
    fn warehouses(&self, account: AccountId) -> Pending<Result<Vec<Warehouse>, Fault>>;

    /// One warehouse; `None` when the account has no such warehouse.
    fn warehouse(
        &self,
        account: AccountId,
        id: WarehouseId,
    ) -> Pending<Result<Option<Warehouse>, Fault>>;

    /// Adds a warehouse.
    fn create_warehouse(
        &self,
        ctx: Ctx,
        new: NewWarehouse,
    ) -> Pending<Written<Warehouse, StockError>>;

    /// Changes a warehouse.
    fn update_warehouse(
        &self,
        ctx: Ctx,
        command: UpdateWarehouse,
    ) -> Pending<Written<Warehouse, StockError>>;

    /// Removes a warehouse with nothing in it.
    fn delete_warehouse(
        &self,
        ctx: Ctx,
        id: WarehouseId,
        version: Option<i64>,
    ) -> Pending<Written<WarehouseId, StockError>>;

    /// The stock settings.
    fn settings(&self, account: AccountId) -> Pending<Result<StockSettings, Fault>>;

    /// Sets them, if they have the version that the caller expects.
    fn set_settings(
        &self,
        ctx: Ctx,
        wanted: SetStockSettings,
        version: Option<i64>,
    ) -> Pending<Written<StockSettings, StockError>>;

    /// A page of stock, by product and variant.
    fn stock(
        &self,
        account: AccountId,
        query: StockQuery,
    ) -> Pending<Result<Page<StockLine>, Fault>>;

    /// A page of the ledger, newest first.
    fn movements(
        &self,
        account: AccountId,
        query: MovementQuery,
    ) -> Pending<Result<Page<Movement>, Fault>>;

    /// Corrects stock by hand.
    fn adjust(&self, ctx: Ctx, new: NewAdjustment) -> Pending<Written<Adjustment, StockError>>;

    /// One adjustment; `None` when the account has no such adjustment.
    fn adjustment(
        &self,
        account: AccountId,
        id: AdjustmentId,
    ) -> Pending<Result<Option<Adjustment>, Fault>>;

    /// A page of adjustments, newest first.
    fn adjustments(
        &self,
        account: AccountId,
        page: PageRequest,
    ) -> Pending<Result<Page<Adjustment>, Fault>>;

    /// Receives goods from a supplier.
    fn receive(&self, ctx: Ctx, new: NewReceipt) -> Pending<Written<Receipt, StockError>>;

    /// Takes received goods out of stock again.
    fn cancel_receipt(&self, ctx: Ctx, id: ReceiptId) -> Pending<Written<Receipt, StockError>>;

    /// One receipt; `None` when the account has no such receipt.
    fn receipt(&self, account: AccountId, id: ReceiptId)
    -> Pending<Result<Option<Receipt>, Fault>>;

    /// A page of receipts, newest first.
    fn receipts(
        &self,
        account: AccountId,
        page: PageRequest,
    ) -> Pending<Result<Page<Receipt>, Fault>>;

    /// Sets average costs by hand.
    fn revalue(&self, ctx: Ctx, new: Revalue) -> Pending<Written<Vec<CostChange>, StockError>>;

    /// A page of changes of average costs, newest first.
    fn cost_changes(
        &self,
        account: AccountId,
        query: CostQuery,
    ) -> Pending<Result<Page<CostChange>, Fault>>;

    /// What stock is or was worth; nothing in a warehouse that the account does not have.
    fn valuation(
        &self,
        account: AccountId,
        query: ValuationQuery,
        now: Timestamp,
    ) -> Pending<Result<Valuation, Fault>>;

    /// Plans a transfer.
    fn plan_transfer(&self, ctx: Ctx, new: NewTransfer) -> Pending<Written<Transfer, StockError>>;

    /// Plans a draft anew.
    fn revise_transfer(
        &self,
        ctx: Ctx,
        command: ReviseTransfer,
    ) -> Pending<Written<Transfer, StockError>>;

    /// Sends what was planned.
    fn dispatch_transfer(
        &self,
        ctx: Ctx,
        command: DispatchTransfer,
    ) -> Pending<Written<Transfer, StockError>>;

    /// Receives what has arrived of a transfer.
    fn receive_transfer(
        &self,
        ctx: Ctx,
        id: TransferId,
        arriving: Arriving,
    ) -> Pending<Written<Transfer, StockError>>;

    /// Calls a transfer off.
    fn cancel_transfer(&self, ctx: Ctx, id: TransferId) -> Pending<Written<Transfer, StockError>>;

    /// One transfer; `None` when the account has no such transfer.
    fn transfer(
        &self,
        account: AccountId,
        id: TransferId,
    ) -> Pending<Result<Option<Transfer>, Fault>>;

    /// A page of transfers, newest first.
    fn transfers(
        &self,
        account: AccountId,
        query: TransferQuery,
    ) -> Pending<Result<Page<Transfer>, Fault>>;

    /// What was received of a transfer, the oldest first; `None` when the account has no such transfer.
    fn arrivals(
        &self,
        account: AccountId,
        id: TransferId,
    ) -> Pending<Result<Option<Vec<Arrival>>, Fault>>;

    /// Opens a count.
    fn open_count(&self, ctx: Ctx, new: NewCount) -> Pending<Written<Count, StockError>>;

    /// Sets what was counted.
    fn tally(&self, ctx: Ctx, id: CountId, tallies: Tallies)
    -> Pending<Written<Count, StockError>>;

    /// Counts what a scanner has read.
    fn scan(&self, ctx: Ctx, id: CountId, scan: Scan) -> Pending<Written<CountLine, StockError>>;

    /// Posts the lines that are named, or all of them, which completes the count.
    fn post_count(&self, ctx: Ctx, command: PostCount) -> Pending<Written<Count, StockError>>;

    /// Calls a count off.
    fn cancel_count(&self, ctx: Ctx, id: CountId) -> Pending<Written<Count, StockError>>;

    /// One count; `None` when the account has no such count.
    fn count(&self, account: AccountId, id: CountId) -> Pending<Result<Option<Count>, Fault>>;

    /// A page of counts, newest first.
    fn counts(&self, account: AccountId, query: CountQuery) -> Pending<Result<Page<Count>, Fault>>;

    /// A page of the lines of a count, the last one added first; `None` when the account has no such count.
    fn count_lines(
        &self,
        account: AccountId,
        id: CountId,
        query: CountLineQuery,
    ) -> Pending<Result<Option<Page<CountLine>>, Fault>>;
}
