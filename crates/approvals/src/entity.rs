//! What approvals are about.

use crate::Field;

/// What is to be approved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntityType {
    /// An order with a discount, or at prices below the products'.
    OrderDiscount,
    /// The cancellation of a paid order.
    OrderCancellation,
    /// The cancellation of an invoice before the tax authority.
    InvoiceCancellation,
    /// Money given back.
    Refund,
    /// Stock corrected by hand, or by a count.
    StockAdjustment,
    /// Stock sent to another warehouse.
    StockTransfer,
}

impl EntityType {
    /// Every one.
    pub const EVERY: &'static [Self] = &[
        Self::OrderDiscount,
        Self::OrderCancellation,
        Self::InvoiceCancellation,
        Self::Refund,
        Self::StockAdjustment,
        Self::StockTransfer,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OrderDiscount => "order_discount",
            Self::OrderCancellation => "order_cancellation",
            Self::InvoiceCancellation => "invoice_cancellation",
            Self::Refund => "refund",
            Self::StockAdjustment => "stock_adjustment",
            Self::StockTransfer => "stock_transfer",
        }
    }

    /// The name of the scope that covers it.
    #[must_use]
    pub const fn scope(self) -> &'static str {
        match self {
            Self::OrderDiscount | Self::OrderCancellation => "orders",
            Self::InvoiceCancellation => "invoices",
            Self::Refund => "payments",
            Self::StockAdjustment | Self::StockTransfer => "warehouses",
        }
    }

    /// What is known of it.
    #[must_use]
    pub const fn fields(self) -> &'static [Field] {
        match self {
            Self::OrderDiscount => &[
                Field::DiscountPct,
                Field::DiscountTotal,
                Field::BelowPricePct,
                Field::Total,
                Field::CustomerId,
                Field::Channel,
            ],
            Self::OrderCancellation => &[Field::Total, Field::Status],
            Self::InvoiceCancellation => &[Field::Total, Field::Motive, Field::AgeDays],
            Self::Refund => &[
                Field::Amount,
                Field::Share,
                Field::Method,
                Field::DaysSincePaid,
                Field::Reason,
                Field::Items,
            ],
            Self::StockAdjustment => &[Field::Units, Field::Value, Field::Reason, Field::Items],
            Self::StockTransfer => &[Field::Units, Field::Value, Field::Items],
        }
    }
}
