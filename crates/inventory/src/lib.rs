//! Inventory: where goods lie, how many can be promised, and every change of that as a row of a ledger.
//!
//! What is *available* can be promised to orders; what is *committed* is promised to one and not shipped yet; *on hand*
//! are both together: what a person counts on the shelf.
//!
//! Plain types and rules. Every rule states an outcome that whoever keeps the stock records as a whole.

pub mod adjustment;
pub mod cost;
pub mod count;
pub mod ledger;
pub mod level;
pub mod receipt;
pub mod service;
pub mod settings;
pub mod spread;
pub mod transfer;
pub mod valuation;
pub mod warehouse;

pub use adjustment::{Adjustment, AdjustmentId, AdjustmentLine, Cause, NewAdjustment, NewLine};
pub use cost::{CostChange, CostChangeId, CostQuery, CostReason, NewCost, Revalue, Valued};
pub use count::{Count, CountId, CountLine, CountLineQuery, CountQuery};
pub use ledger::{Move, Movement, MovementFilter, MovementId, MovementQuery, Reason};
pub use level::{Level, Sku, StockFilter, StockLine, StockQuery};
pub use receipt::{NewReceipt, NewReceiptLine, Receipt, ReceiptId, ReceiptLine, ReceiptStatus};
pub use service::{DispatchTransfer, Inventory, PostCount, StockError};
pub use settings::{Allocation, StockSettings};
pub use spread::spread;
pub use transfer::{Transfer, TransferId, TransferQuery};
pub use valuation::{Valuation, ValuationQuery, ValuedPlace};
pub use warehouse::{
    Address, Kind, NewWarehouse, UpdateWarehouse, Warehouse, WarehouseChanges, WarehouseId,
};

kernel::ids! {
    /// The identifier of a product, as the inventory names it.
    ProductId = "prd";
    /// The identifier of a variant, as the inventory names it.
    VariantId = "var";
}
