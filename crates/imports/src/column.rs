//! What a column can hold.

use crate::ImportKind;

/// What a column of a table holds.
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
    /// Identifier of a variant, as an export has it.
    VariantId,
    /// Whether it is on sale.
    Status,
    /// Whether the price includes taxes.
    TaxIncluded,
    /// Its taxes.
    Taxes,
    /// SAT product or service key.
    SatProductKey,
    /// SAT unit key.
    SatUnitKey,
    /// What people call a unit.
    Unit,
    /// Decimals of quantities.
    QuantityDecimals,
    /// Price that it was sold at before.
    CompareAtPrice,
    /// What a unit costs.
    Cost,
    /// Brand.
    Brand,
    /// The categories that it is in, by their paths.
    Categories,
    /// Addresses of its images.
    Images,
    /// Weight in kilograms.
    Weight,
    /// Weight in grams.
    Grams,
    /// What Shopify tells products apart by.
    Handle,
    /// The value of one of several options that together distinguish a variant, from 1.
    Option(u8),
    /// What WooCommerce tells products apart by.
    Id,
    /// Whether it is sold by weight, in words.
    SoldBy,
    /// WooCommerce's kind of product, and the merchant's own word for it in Shopify.
    Type,
    /// WooCommerce's price while there is an offer.
    SalePrice,
    /// WooCommerce's price otherwise.
    RegularPrice,
    /// What comes before the last name of a customer.
    FirstName,
    /// The last name of a customer.
    LastName,
    /// The firm that a customer is of: the name of one who has no other.
    Company,
    /// E-mail address.
    Email,
    /// Telephone number.
    Phone,
    /// The telephone number of the first address, for who has no other.
    AddressPhone,
    /// RFC.
    Rfc,
    /// Legal name as registered with SAT.
    LegalName,
    /// Tax regime.
    TaxRegime,
    /// Postal code of the tax address.
    TaxZip,
    /// CFDI use.
    CfdiUse,
    /// Country of residence of a foreigner.
    TaxResidence,
    /// Tax identifier of a foreigner.
    ForeignTaxId,
    /// Street and number of the first address.
    Street,
    /// Colonia of the first address.
    Neighborhood,
    /// City of the first address.
    City,
    /// State of the first address.
    State,
    /// Postal code of the first address.
    Zip,
    /// Country of the first address.
    Country,
    /// Where it lies: name or identifier of a warehouse.
    Warehouse,
    /// How many a person has counted there.
    OnHand,
    /// How many more there are, or fewer.
    Delta,
    /// What an earlier import has added to say what was wrong.
    Report,
}

impl Column {
    /// The columns that a mapping of a kind of table can name.
    #[must_use]
    pub const fn fields(kind: ImportKind) -> &'static [Self] {
        match kind {
            ImportKind::Products => Self::OF_PRODUCTS,
            ImportKind::Customers => Self::OF_CUSTOMERS,
            ImportKind::Stock => Self::OF_STOCK,
        }
    }

    const OF_STOCK: &'static [Self] =
        &[Self::Sku, Self::Ean, Self::Warehouse, Self::OnHand, Self::Delta];

    const OF_CUSTOMERS: &'static [Self] = &[
        Self::ExternalId,
        Self::Name,
        Self::FirstName,
        Self::LastName,
        Self::Company,
        Self::Email,
        Self::Phone,
        Self::Rfc,
        Self::LegalName,
        Self::TaxRegime,
        Self::TaxZip,
        Self::CfdiUse,
        Self::TaxResidence,
        Self::ForeignTaxId,
        Self::Street,
        Self::Neighborhood,
        Self::City,
        Self::State,
        Self::Zip,
        Self::Country,
    ];

    const OF_PRODUCTS: &'static [Self] = &[
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
        Self::VariantId,
        Self::Status,
        Self::TaxIncluded,
        Self::Taxes,
        Self::SatProductKey,
        Self::SatUnitKey,
        Self::Unit,
        Self::QuantityDecimals,
        Self::CompareAtPrice,
        Self::Cost,
        Self::Brand,
        Self::Categories,
        Self::Images,
        Self::Weight,
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
            Self::VariantId => "variantId",
            Self::Status => "status",
            Self::TaxIncluded => "taxIncluded",
            Self::Taxes => "taxes",
            Self::SatProductKey => "satProductKey",
            Self::SatUnitKey => "satUnitKey",
            Self::Unit => "unit",
            Self::QuantityDecimals => "quantityDecimals",
            Self::CompareAtPrice => "compareAtPrice",
            Self::Cost => "cost",
            Self::Brand => "brand",
            Self::Categories => "categories",
            Self::Images => "images",
            Self::Weight => "weight",
            Self::Grams => "grams",
            Self::Handle => "handle",
            Self::Option(_) => "option",
            Self::Id => "id",
            Self::SoldBy => "soldBy",
            Self::Type => "type",
            Self::SalePrice => "salePrice",
            Self::RegularPrice => "regularPrice",
            Self::FirstName => "firstName",
            Self::LastName => "lastName",
            Self::Company => "company",
            Self::Email => "email",
            Self::Phone | Self::AddressPhone => "phone",
            Self::Rfc => "rfc",
            Self::LegalName => "legalName",
            Self::TaxRegime => "taxRegime",
            Self::TaxZip => "taxZip",
            Self::CfdiUse => "cfdiUse",
            Self::TaxResidence => "taxResidence",
            Self::ForeignTaxId => "foreignTaxId",
            Self::Street => "street",
            Self::Neighborhood => "neighborhood",
            Self::City => "city",
            Self::State => "state",
            Self::Zip => "zip",
            Self::Country => "country",
            Self::Warehouse => "warehouse",
            Self::OnHand => "onHand",
            Self::Delta => "delta",
            Self::Report => "_error",
        }
    }

    /// The field of that name, which a mapping of a kind of table can name.
    #[must_use]
    pub fn named(kind: ImportKind, name: &str) -> Option<Self> {
        Self::fields(kind).iter().copied().find(|column| column.name() == name)
    }

    /// Whether it holds codes, which spreadsheets take for numbers.
    pub(crate) const fn is_code(self) -> bool {
        matches!(
            self,
            Self::ExternalId
                | Self::Sku
                | Self::Ean
                | Self::ParentSku
                | Self::Handle
                | Self::SatProductKey
                | Self::SatUnitKey
                | Self::Rfc
                | Self::TaxRegime
                | Self::TaxZip
                | Self::CfdiUse
                | Self::TaxResidence
                | Self::ForeignTaxId
                | Self::Zip
        )
    }

    /// Whether it holds numbers.
    #[must_use]
    pub const fn is_numeric(self) -> bool {
        matches!(
            self,
            Self::Price
                | Self::Inventory
                | Self::LowStockThreshold
                | Self::CompareAtPrice
                | Self::Cost
                | Self::Weight
                | Self::Grams
                | Self::SalePrice
                | Self::OnHand
                | Self::Delta
                | Self::RegularPrice
        )
    }
}
