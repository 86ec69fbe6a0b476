//! What the products' endpoints read.

use std::collections::HashSet;

use catalog::{
    CategoryId, DetailsChanges, Dimensions, Ean, NewProduct, NewVariant, ProductChanges,
    ProductDetails, ProductFilter, ProductId, ProductQuery, ProductSort, ProductStatus,
    VariantChange, VariantChanges, VariantId,
    category::CATEGORIES_OF_PRODUCT_MAX,
    details::{
        BRAND_CHARS_MAX, IMAGE_CHARS_MAX, IMAGES_MAX, SIDE_MAX, UNIT_CHARS_MAX, WEIGHT_MAX,
        checked_image, checked_side, checked_weight, refuse_repeated_images,
    },
    product::{
        DESCRIPTION_CHARS_MAX, NAME_CHARS_MAX, SKU_CHARS_MAX, VARIANTS_MAX, checked_price,
        checked_sku,
    },
};
use intake::{
    Check, Fields, Form,
    checks::{
        LINE_PATTERN, above_zero_up_to, currency, flag, id, line, list, metadata, number, object,
        objects, one_number_of, one_of, paragraph, text, units,
    },
    noun,
};
use kernel::{
    Amount, Currency, Decimals, FieldFault, Measure, message, quantity::QUANTITY_MAX, search::Words,
};

use super::examples;
use crate::{
    filters,
    page::page_request_of,
    resources::{
        categories::category,
        fiscal::{sat_product_key, sat_unit_key},
        price_lists::price_list,
        taxes::taxes,
    },
};

pub(super) const LIST: Form<ProductQuery> = Form::query(read_query);
pub(super) const CREATE: Form<NewProduct> =
    Form::body("CreateProduct", noun("a product", "un producto"), read_product, examples::CREATE);
pub(super) const PUT: Form<ProductChanges> =
    Form::body("SaveProduct", noun("a product", "un producto"), read_changes, examples::CREATE);
pub(super) const UPDATE: Form<ProductChanges> =
    Form::body("UpdateProduct", noun("a product", "un producto"), read_changes, examples::UPDATE);

pub(super) const ADD_VARIANT: Form<NewVariant> = Form::body(
    "CreateVariant",
    noun("a variant", "una variante"),
    read_variant,
    examples::ADD_VARIANT,
);
pub(super) const CHANGE_VARIANT: Form<VariantChanges> = Form::body(
    "UpdateVariant",
    noun("a variant", "una variante"),
    read_variant_changes,
    examples::CHANGE_VARIANT,
);
pub(super) const REMOVE_VARIANT: Form<bool> = Form::query(read_removal);

/// Fields that the service sets itself.
const READ_ONLY: &[&str] = &["id", "createdAt", "updatedAt"];

/// Sort orders of the list, by value of `sort`.
const SORTS: &[(&str, ProductSort)] = &[
    ("-createdAt", ProductSort::CreatedAt),
    ("createdAt", ProductSort::CreatedAt),
    ("-updatedAt", ProductSort::UpdatedAt),
    ("updatedAt", ProductSort::UpdatedAt),
    ("-name", ProductSort::Name),
    ("name", ProductSort::Name),
    ("-price", ProductSort::Price),
    ("price", ProductSort::Price),
];

fn read_query(fields: &mut Fields<'_>) -> Option<ProductQuery> {
    let filter = ProductFilter {
        ids: filters::ids(
            fields,
            noun("a product", "un producto"),
            ProductId::PREFIX,
            ProductId::parse,
        ),
        search: filters::search(
            fields,
            Words::parse,
            "Words in the name, the SKU and the EAN of the product and its variants. Every word must match the beginning \
             of one, in any order; accents and case are ignored.",
        ),
        external_id: filters::by_external_id(fields),
        sku: fields.change("sku", sku().about("Exact SKU of the product or one of its variants.")),
        ean: fields
            .change(
                "ean",
                ean().about("Exact barcode number of the product or one of its variants."),
            )
            .map(|ean| ean.to_string()),
        status: fields.change("status", status().about("Filter by status.")),
        category: fields.change(
            "categoryId",
            category()
                .about("Products in this category, or in one that is in it at whatever depth."),
        ),
        price_list: fields.change(
            "priceListId",
            price_list().about("Products with a price in this list, of their own or of a variant."),
        ),
        updated_since: filters::updated_since(fields),
        metadata: filters::metadata(fields),
    };
    let (sort, name) = filters::sort(fields, SORTS);
    Some(ProductQuery { filter, sort, page: page_request_of(fields, name, ProductId::PREFIX) })
}

fn read_product(fields: &mut Fields<'_>) -> Option<NewProduct> {
    let name = fields.required("name", line(NAME_CHARS_MAX));
    let price = fields.required("price", price());
    let given = fields.patch(DECIMALS, decimals());
    let decimals = given.map(|count| count.map(i64::from).and_then(Decimals::of));
    let decimals = decimals.map(Option::unwrap_or_default);
    let product = NewProduct {
        external_id: fields.optional("externalId", filters::external_id()),
        name: name.unwrap_or_default(),
        sku: fields.optional("sku", sku()),
        description: fields.optional("description", paragraph(DESCRIPTION_CHARS_MAX)),
        ean: fields.optional("ean", ean()),
        price: price.unwrap_or_default(),
        currency: fields.optional("currency", currency()).unwrap_or(Currency::MXN),
        quantity_decimals: decimals.unwrap_or_default(),
        inventory: fields.optional("inventory", count()).unwrap_or_default(),
        status: fields.optional("status", status()).unwrap_or_default(),
        low_stock_threshold: fields.optional("lowStockThreshold", count()),
        tax_included: fields.optional("taxIncluded", flag()).unwrap_or(true),
        taxes: fields.optional("taxes", taxes()).unwrap_or_default(),
        sat_product_key: fields.optional("satProductKey", sat_product_key()),
        sat_unit_key: fields.optional("satUnitKey", sat_unit_key()),
        details: read_details(fields).of(ProductDetails::default()),
        category_ids: read_categories(fields).unwrap_or_default(),
        metadata: fields.optional("metadata", metadata()).unwrap_or_default(),
        variants: fields
            .optional(
                "variants",
                objects(noun("a variant", "una variante"), 0..=VARIANTS_MAX, read_variant),
            )
            .unwrap_or_default(),
    };
    // Decimals that nobody understands judge nothing.
    if decimals.is_some() || !fields.gives(DECIMALS) {
        refuse_uncountable(fields, product.uncountable());
    }
    fields.read_only(READ_ONLY);
    Some(product)
}

fn refuse_uncountable(fields: &mut Fields<'_>, faults: Vec<FieldFault>) {
    for FieldFault { field, problem } in faults {
        fields.refuse::<()>(&field, problem);
    }
}

/// What else describes a product; what is absent or `null` of a new one is not there.
fn read_details(fields: &mut Fields<'_>) -> DetailsChanges {
    let image = text(checked_image).chars(1, IMAGE_CHARS_MAX).format("uri");
    let images = list(0..=IMAGES_MAX, image)
        .about("URLs of images, the main one first. They are not fetched.");
    let images = fields.patch("images", images).map(Option::unwrap_or_default);
    if let Some(Err((place, problem))) = images.as_deref().map(refuse_repeated_images) {
        fields.refuse::<()>(&format!("images[{place}]"), problem);
    }
    DetailsChanges {
        brand: fields.patch("brand", line(BRAND_CHARS_MAX)),
        unit: fields.patch(
            "unit",
            line(UNIT_CHARS_MAX).about("What people call a unit of it, such as kg or m."),
        ),
        compare_at_price: fields.patch(
            "compareAtPrice",
            price().about("Unit price that it was sold at before, to be shown beside the price."),
        ),
        cost: fields.patch(
            "cost",
            price().about("What a unit costs you, where no receipt of goods has said it."),
        ),
        images,
        weight: fields.patch(
            "weight",
            above_zero_up_to(WEIGHT_MAX, checked_weight)
                .about("Weight in kilograms, with at most 3 decimal places."),
        ),
        dimensions: fields.patch(
            "dimensions",
            object(noun("dimensions", "las dimensiones"), read_dimensions)
                .about("Length, width and height in centimetres, with at most 2 decimal places."),
        ),
    }
}

/// The field that says with how many decimals quantities of a product are kept.
const DECIMALS: &str = "quantityDecimals";

/// With how many decimals quantities of a product are kept.
fn decimals() -> impl Check<Value = u8> {
    one_number_of(Decimals::COUNTS).about(
        "Decimals of its quantities: 0 (default) if it is sold by the piece, 3 if it is sold by weight or length.",
    )
}

/// The categories that a product is to be in, each once.
fn read_categories(fields: &mut Fields<'_>) -> Option<Vec<CategoryId>> {
    let ids = list(0..=CATEGORIES_OF_PRODUCT_MAX, category())
        .about("Categories that it is directly in; all of them, instead of those before.");
    let ids = fields.patch("categoryIds", ids).map(Option::unwrap_or_default)?;
    let mut seen = HashSet::new();
    if let Some(place) = ids.iter().position(|id| !seen.insert(*id)) {
        let problem = message!("is in the list already", "ya está en la lista");
        return fields.refuse(&format!("categoryIds[{place}]"), problem);
    }
    Some(ids)
}

fn read_dimensions(fields: &mut Fields<'_>) -> Option<Dimensions> {
    let mut side = |name| fields.required(name, above_zero_up_to(SIDE_MAX, checked_side));
    let (length, width, height) = (side("length"), side("width"), side("height"));
    Some(Dimensions { length: length?, width: width?, height: height? })
}

fn read_variant(fields: &mut Fields<'_>) -> Option<NewVariant> {
    let name = fields.required("name", line(NAME_CHARS_MAX));
    let variant = NewVariant {
        name: name.unwrap_or_default(),
        sku: fields.optional("sku", sku()),
        ean: fields.optional("ean", ean()),
        price: fields.optional("price", price()),
        inventory: fields.optional("inventory", count()).unwrap_or_default(),
    };
    fields.read_only(&["id"]);
    Some(variant)
}

fn read_changes(fields: &mut Fields<'_>) -> Option<ProductChanges> {
    let changes = ProductChanges {
        external_id: fields.patch("externalId", filters::external_id()),
        name: fields.change("name", line(NAME_CHARS_MAX)),
        sku: fields.change("sku", sku()),
        description: fields.patch("description", paragraph(DESCRIPTION_CHARS_MAX)),
        ean: fields.patch("ean", ean()),
        price: fields.change("price", price()),
        currency: fields.change("currency", currency()),
        quantity_decimals: {
            let count = fields.change(DECIMALS, decimals());
            count.map(i64::from).and_then(Decimals::of)
        },
        inventory: fields.change("inventory", count()),
        inventory_delta: fields.change("inventoryDelta", delta()),
        status: fields.change("status", status()),
        low_stock_threshold: fields.patch("lowStockThreshold", count()),
        tax_included: fields.change("taxIncluded", flag()),
        taxes: fields.change("taxes", taxes()),
        sat_product_key: fields.patch("satProductKey", sat_product_key()),
        sat_unit_key: fields.patch("satUnitKey", sat_unit_key()),
        details: read_details(fields),
        category_ids: read_categories(fields),
        metadata: fields.patch("metadata", metadata()).map(Option::unwrap_or_default),
        variants: fields
            .change(
                "variants",
                objects(noun("a variant", "una variante"), 0..=VARIANTS_MAX, read_variant_change)
                    .about(
                        "Variants to update (with their `id`) and to add (without one). Variants \
                         not listed stay as they are.",
                    ),
            )
            .unwrap_or_default(),
        remove_variants: fields
            .change("removeVariants", removed().about("Variants to remove."))
            .unwrap_or_default(),
        force: fields.optional("force", force()).unwrap_or_default(),
    };
    fields.read_only(READ_ONLY);
    if let Some(decimals) = changes.quantity_decimals {
        refuse_uncountable(fields, changes.uncountable(decimals));
    }
    refuse_both(fields, changes.inventory.is_some() && changes.inventory_delta.is_some());
    Some(changes)
}

fn read_variant_change(fields: &mut Fields<'_>) -> Option<VariantChange> {
    let known = known_variant()
        .about("The variant to update. Omit it to add a variant, which then requires `name`.");
    // A faulty id is a fault, not a new variant.
    let id = fields.patch("id", known);
    let named = fields.gives("name");
    let changes = read_variant_fields(fields);
    if let Some(Some(id)) = id {
        return Some(VariantChange::Change { id, changes });
    }
    if id.is_none() && fields.gives("id") {
        return None;
    }
    if !named {
        return fields.refuse("name", message!("is required", "es obligatorio"));
    }
    if changes.inventory_delta.is_some() {
        return fields.refuse(
            "inventoryDelta",
            message!(
                "cannot be given for a new variant; give its inventory",
                "no se puede indicar para una variante nueva; indique su inventory"
            ),
        );
    }
    Some(VariantChange::Add(NewVariant {
        name: changes.name?,
        sku: changes.sku.flatten(),
        ean: changes.ean.flatten(),
        price: changes.price.flatten(),
        inventory: changes.inventory.unwrap_or_default(),
    }))
}

fn read_variant_changes(fields: &mut Fields<'_>) -> Option<VariantChanges> {
    let changes = read_variant_fields(fields);
    fields.read_only(&["id"]);
    Some(changes)
}

fn read_variant_fields(fields: &mut Fields<'_>) -> VariantChanges {
    let changes = VariantChanges {
        name: fields.change("name", line(NAME_CHARS_MAX)),
        sku: fields.patch("sku", sku()),
        ean: fields.patch("ean", ean()),
        price: fields.patch("price", price()),
        inventory: fields.change("inventory", count()),
        inventory_delta: fields.change("inventoryDelta", delta()),
    };
    refuse_both(fields, changes.inventory.is_some() && changes.inventory_delta.is_some());
    changes
}

/// A count and a difference cannot both hold.
fn refuse_both(fields: &mut Fields<'_>, are_both_given: bool) {
    if are_both_given {
        fields.refuse::<()>(
            "inventoryDelta",
            message!(
                "cannot be given together with inventory",
                "no se puede indicar junto con inventory"
            ),
        );
    }
}

fn read_removal(fields: &mut Fields<'_>) -> Option<bool> {
    Some(fields.change("force", force()).unwrap_or_default())
}

fn known_variant() -> impl Check<Value = VariantId> {
    id(noun("a variant", "una variante"), VariantId::PREFIX, VariantId::parse)
}

fn removed() -> impl Check<Value = Vec<VariantId>> {
    list(0..=VARIANTS_MAX, known_variant())
}

fn force() -> impl Check<Value = bool> {
    flag().about("Whether to remove a variant that still has stock, and the stock with it.")
}

fn delta() -> impl Check<Value = Measure> {
    units(-QUANTITY_MAX..=QUANTITY_MAX)
        .about("Units to add to the stock on hand, or to take from it.")
}

/// A SKU as products and variants have it.
pub(in crate::resources) fn sku() -> impl Check<Value = String> {
    text(checked_sku).chars(1, SKU_CHARS_MAX).pattern(LINE_PATTERN).example("TAZA-01")
}

/// A barcode number.
pub(in crate::resources) fn ean() -> impl Check<Value = Ean> {
    text(Ean::parse).pattern("^([0-9]{8}|[0-9]{12,14})$").example("7501031311309")
}

fn price() -> impl Check<Value = Amount> {
    number(Some(0), checked_price)
}

fn count() -> impl Check<Value = Measure> {
    units(0..=QUANTITY_MAX)
}

fn status() -> impl Check<Value = ProductStatus> {
    one_of(ProductStatus::EVERY, ProductStatus::name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read_and_what_was_read_can_be_sent_back() {
        assert!(CREATE.read_body(examples::CREATE.as_bytes()).is_ok());
        assert!(CREATE.read_body(examples::PRODUCT.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::UPDATE.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::PRODUCT.as_bytes()).is_ok());
    }

    #[test]
    fn what_is_null_of_a_new_product_is_not_there() {
        let null = br#"{"name": "Taza", "price": 1, "quantityDecimals": null, "inventory": null}"#;
        let product = CREATE.read_body(null).unwrap();
        assert_eq!(product.quantity_decimals, Decimals::Zero);
        // What a product has of it is not cleared.
        assert!(UPDATE.read_body(br#"{"quantityDecimals": null}"#).is_err());
    }
}
