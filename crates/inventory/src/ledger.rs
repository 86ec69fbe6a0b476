//! The ledger of stock: rows are only ever added, and their sums are the stock.

use kernel::{Amount, PageRequest, Quantity, Timestamp};

use crate::{ProductId, Sku, VariantId, WarehouseId};

kernel::ids! {
    /// A row of the ledger.
    MovementId = "mov";
}

/// The most characters of a note or a reference.
pub const NOTE_CHARS_MAX: usize = 500;

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)+) => {
        /// Why stock changed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Reason {
            $($(#[$doc])* $name,)+
        }

        impl Reason {
            /// Every reason.
            pub const EVERY: &'static [Self] = &[$(Self::$name,)+];

            /// Its name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }
        }
    };
}

reasons! {
    /// Initial stock of a product or variant.
    Initial = "initial";
    /// Corrected by hand.
    Adjustment = "adjustment";
    /// Promised to an order.
    Order = "order";
    /// Freed by a cancelled order.
    Cancellation = "cancellation";
    /// The variant or product was removed.
    Removal = "removal";
    /// Left with a shipment.
    Shipment = "shipment";
    /// Back from a shipment that did not leave.
    ShipmentCancelled = "shipment_cancelled";
    /// Came back from a customer, or is not sent any more.
    Return = "return";
    /// Came from a supplier.
    Receipt = "receipt";
    /// Did not come from a supplier after all.
    ReceiptCancelled = "receipt_cancelled";
    /// Found to be other than was on record by a count.
    Count = "count";
    /// Sent to another warehouse.
    TransferOut = "transfer_out";
    /// Received from another warehouse.
    TransferIn = "transfer_in";
    /// Back from a transfer that was cancelled.
    TransferBack = "transfer_back";
    /// Lost on the way to another warehouse.
    TransferLost = "transfer_lost";
    /// Damaged on the way to another warehouse.
    TransferDamaged = "transfer_damaged";
    /// More was received from another warehouse than was sent.
    TransferFound = "transfer_found";
    /// Promised from another warehouse instead.
    Reallocation = "reallocation";
    /// Set by a file.
    Import = "import";
    /// Counted as promised when the release that keeps count of that came.
    Migration = "migration";
}

/// A change of the stock of a product or variant in one warehouse, to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Move {
    pub sku: Sku,
    pub warehouse: WarehouseId,
    /// Change of what is available.
    pub delta: Quantity,
    /// Change of what is committed.
    pub committed_delta: Quantity,
    pub reason: Reason,
    /// Identifier of the cause, e.g. of an order.
    pub reference: String,
    /// What a unit of it costs.
    pub unit_cost: Option<Amount>,
    pub note: Option<String>,
}

impl Move {
    /// Whether it corrects the record, while the goods lie where they lay: what did not leave or come after all, and what was
    /// promised and is not there, among them.
    #[must_use]
    pub const fn is_correction(&self) -> bool {
        match self.reason {
            Reason::Adjustment
            | Reason::Count
            | Reason::Import
            | Reason::Migration
            | Reason::ShipmentCancelled
            | Reason::ReceiptCancelled => true,
            Reason::Return => self.delta == 0 && self.committed_delta < 0,
            _ => false,
        }
    }

    /// A change of what is available.
    #[must_use]
    pub fn new(
        (sku, warehouse): (Sku, WarehouseId),
        delta: Quantity,
        reason: Reason,
        reference: &str,
    ) -> Self {
        let reference = reference.to_owned();
        let (committed_delta, unit_cost, note) = (0, None, None);
        Self { sku, warehouse, delta, committed_delta, reason, reference, unit_cost, note }
    }
}

/// A row of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Movement {
    pub id: MovementId,
    pub sku: Sku,
    /// `None` while it is on the way between two.
    pub warehouse: Option<WarehouseId>,
    /// Change of what is available.
    pub delta: Quantity,
    /// Change of what is committed.
    pub committed_delta: Quantity,
    /// What was available after it.
    pub quantity_after: Quantity,
    pub reason: Reason,
    /// Identifier of the cause; `None` without one.
    pub reference: Option<String>,
    /// What a unit of it costs.
    pub unit_cost: Option<Amount>,
    pub note: Option<String>,
    pub created_at: Timestamp,
}

/// Which rows of the ledger are listed; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct MovementFilter {
    pub product: Option<ProductId>,
    pub variant: Option<VariantId>,
    pub warehouse: Option<WarehouseId>,
    pub reason: Option<Reason>,
    pub reference: Option<String>,
    pub created_from: Option<Timestamp>,
    pub created_to: Option<Timestamp>,
}

/// A wanted page of the ledger.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct MovementQuery {
    pub filter: MovementFilter,
    pub page: PageRequest,
}
