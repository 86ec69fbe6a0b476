//! What a column can hold.

/// What a column of a table of products holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Column {
    /// The caller's own identifier.
    ExternalId,
    /// Stock-keeping unit.
    Sku,
    /// Barcode number.
    Ean,
    /// Name of the product.
    Name,
    /// Description.
    Description,
    /// Unit price.
    Price,
    /// Currency of the price.
    Currency,
    /// Stock on hand.
    Inventory,
    /// Stock level below which it counts as low.
    LowStockThreshold,
    /// SKU of the product that a variant belongs to.
    ParentSku,
    /// What distinguishes a variant.
    VariantName,
    /// Whether it is on sale.
    Status,
    /// Whether the price includes taxes.
    TaxIncluded,
    /// SAT product or service key.
    SatProductKey,
    /// SAT unit key.
    SatUnitKey,
    /// What Shopify tells products apart by.
    Handle,
    /// The value of one of several options that together distinguish a variant, from 1.
    Option(u8),
    /// What WooCommerce tells products apart by.
    Id,
    /// WooCommerce's kind of product.
    Type,
    /// WooCommerce's price while there is an offer.
    SalePrice,
    /// WooCommerce's price otherwise.
    RegularPrice,
    /// What an earlier import has added to say what was wrong.
    Report,
}

impl Column {
    /// The columns that a mapping can name.
    pub const FIELDS: &'static [Self] = &[
        Self::ExternalId,
        Self::Sku,
        Self::Ean,
        Self::Name,
        Self::Description,
        Self::Price,
        Self::Currency,
        Self::Inventory,
        Self::LowStockThreshold,
        Self::ParentSku,
        Self::VariantName,
        Self::Status,
        Self::TaxIncluded,
        Self::SatProductKey,
        Self::SatUnitKey,
    ];

    /// Its name: that of the field of a product, where it is one.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ExternalId => "externalId",
            Self::Sku => "sku",
            Self::Ean => "ean",
            Self::Name => "name",
            Self::Description => "description",
            Self::Price => "price",
            Self::Currency => "currency",
            Self::Inventory => "inventory",
            Self::LowStockThreshold => "lowStockThreshold",
            Self::ParentSku => "parentSku",
            Self::VariantName => "variantName",
            Self::Status => "status",
            Self::TaxIncluded => "taxIncluded",
            Self::SatProductKey => "satProductKey",
            Self::SatUnitKey => "satUnitKey",
            Self::Handle => "handle",
            Self::Option(_) => "option",
            Self::Id => "id",
            Self::Type => "type",
            Self::SalePrice => "salePrice",
            Self::RegularPrice => "regularPrice",
            Self::Report => "_error",
        }
    }

    /// The field of that name, which a mapping can name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::FIELDS.iter().copied().find(|column| column.name() == name)
    }

    /// Whether it holds numbers.
    #[must_use]
    pub const fn is_numeric(self) -> bool {
        matches!(
            self,
            Self::Price
                | Self::Inventory
                | Self::LowStockThreshold
                | Self::SalePrice
                | Self::RegularPrice
        )
    }
}
