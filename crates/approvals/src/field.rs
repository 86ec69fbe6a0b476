//! What may be known of something to be approved.

/// A field of [`Facts`](crate::Facts).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// What all discounts take off, in percent of what the items cost without them.
    DiscountPct,
    /// What all discounts take off.
    DiscountTotal,
    /// How far the unit price of an item lies below the product's, in percent of that: of the item of which it is most.
    BelowPricePct,
    /// What it comes to.
    Total,
    /// Who orders.
    CustomerId,
    /// Where it was sold.
    Channel,
    /// The status of the order.
    Status,
    /// The reason of SAT's catalog.
    Motive,
    /// Whole days since the stamp.
    AgeDays,
    /// What is given back.
    Amount,
    /// What is given back, in percent of what was paid.
    Share,
    /// How it was paid.
    Method,
    /// Whole days since it was paid.
    DaysSincePaid,
    /// Why.
    Reason,
    /// The goods that come back.
    Items,
    /// How many units, pieces or kilograms.
    Units,
    /// What they are worth.
    Value,
}

/// What a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// So much in a currency.
    Money,
    /// A number.
    Number,
    /// A text.
    Text,
}

impl Field {
    /// Every field.
    pub const EVERY: &'static [Self] = &[
        Self::DiscountPct,
        Self::DiscountTotal,
        Self::BelowPricePct,
        Self::Total,
        Self::CustomerId,
        Self::Channel,
        Self::Status,
        Self::Motive,
        Self::AgeDays,
        Self::Amount,
        Self::Share,
        Self::Method,
        Self::DaysSincePaid,
        Self::Reason,
        Self::Items,
        Self::Units,
        Self::Value,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::DiscountPct => "discountPct",
            Self::DiscountTotal => "discountTotal",
            Self::BelowPricePct => "belowPricePct",
            Self::Total => "total",
            Self::CustomerId => "customerId",
            Self::Channel => "channel",
            Self::Status => "status",
            Self::Motive => "motive",
            Self::AgeDays => "ageDays",
            Self::Amount => "amount",
            Self::Share => "share",
            Self::Method => "method",
            Self::DaysSincePaid => "daysSincePaid",
            Self::Reason => "reason",
            Self::Items => "items",
            Self::Units => "units",
            Self::Value => "value",
        }
    }

    /// The field of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::EVERY.iter().copied().find(|field| field.name() == name)
    }

    /// What it is.
    #[must_use]
    pub const fn kind(self) -> FieldKind {
        match self {
            Self::DiscountTotal | Self::Total | Self::Amount | Self::Value => FieldKind::Money,
            Self::DiscountPct
            | Self::BelowPricePct
            | Self::AgeDays
            | Self::Share
            | Self::DaysSincePaid
            | Self::Units => FieldKind::Number,
            Self::CustomerId
            | Self::Channel
            | Self::Status
            | Self::Motive
            | Self::Method
            | Self::Reason
            | Self::Items => FieldKind::Text,
        }
    }
}
