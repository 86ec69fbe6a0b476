//! Adding a product, and changing one.

use accounts::{Right, Scope};
use catalog::{
    Ean, NewProduct, Product, ProductChanges, ProductDetails, ProductError, ProductId,
    ProductStatus, Seen, Tree,
    product::{
        DESCRIPTION_CHARS_MAX, NAME_CHARS_MAX, checked_price, checked_sat_product_key,
        checked_sat_unit_key, checked_sku,
    },
    service::UpdateProduct,
};
use intake::{
    Check, Fields, Form,
    checks::{line, number, one_of, paragraph, text, units, whole_from},
    noun,
};
use inventory::{Level, StockFilter, StockLine, StockQuery};
use kernel::{
    Amount, Currency, Decimals, FieldFault, Language, Measure, Metadata, PageRequest, Quantity,
    message, page::LIMIT_MAX, quantity::QUANTITY_MAX,
};

use super::{PATH, details, status_name};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::quantity,
    layout::Sheet,
    page::Page,
    pages::{
        categories,
        deletion::{DELETION, Going},
        refusals::waits_for_upgrade,
    },
    parts::Field,
    reply::{answered, carried_out, found, whole},
};

pub(super) const WRITE: Right = Right::write(Scope::Products);

/// By what a product is sold.
#[derive(Clone, Copy)]
enum Sold {
    ByPiece,
    ByMeasure,
}

impl Sold {
    const EVERY: &'static [Self] = &[Self::ByPiece, Self::ByMeasure];

    const fn name(self) -> &'static str {
        match self {
            Self::ByPiece => "piece",
            Self::ByMeasure => "measure",
        }
    }
}

/// What a form says of a product.
struct Filled {
    name: String,
    sku: Option<String>,
    ean: Option<Ean>,
    price: Amount,
    status: Option<ProductStatus>,
    description: Option<String>,
    threshold: Option<Measure>,
    sat_product_key: Option<String>,
    sat_unit_key: Option<String>,
    /// Of a new one alone.
    inventory: Option<Measure>,
    sold: Option<Sold>,
    details: details::Filled,
    /// The version that the form was filled in on.
    version: Option<i64>,
}

const FORM: Form<Filled> = Form::body("Product", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Filled> {
    let name = fields.required("name", line(NAME_CHARS_MAX));
    let sku = fields.optional("sku", text(checked_sku));
    let ean = fields.optional("ean", text(Ean::parse));
    let price = fields.required("price", price());
    let status = fields.optional("status", one_of(ProductStatus::EVERY, ProductStatus::name));
    let description = fields.optional("description", paragraph(DESCRIPTION_CHARS_MAX));
    let threshold = fields.optional("lowStockThreshold", units(0..=QUANTITY_MAX));
    let sat_product_key = fields.optional("satProductKey", text(checked_sat_product_key));
    let sat_unit_key = fields.optional("satUnitKey", text(checked_sat_unit_key));
    let inventory = fields.optional("inventory", units(0..=QUANTITY_MAX));
    let sold = fields.optional("sold", one_of(Sold::EVERY, Sold::name));
    let details = details::read(fields);
    let version = fields.optional("version", whole_from(1));
    Some(Filled {
        name: name?,
        sku,
        ean,
        price: price?,
        status,
        description,
        threshold,
        sat_product_key,
        sat_unit_key,
        inventory,
        sold,
        details,
        version,
    })
}

/// A price.
pub(super) fn price() -> impl Check<Value = Amount> {
    number(Some(0), checked_price)
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("products/new", WRITE, show_new),
        Page::post("products/new", WRITE, create),
        Page::get("products/{id}/edit", WRITE, show),
        Page::post("products/{id}/edit", WRITE, change),
        Page::get("products/{id}/delete", WRITE, ask_delete),
        Page::post("products/{id}/delete", WRITE, delete),
    ]
}

async fn show_new(call: Call<Member>) -> Result<Answer, Failure> {
    Ok(page(&call, None, &call.query, &[]))
}

fn page(
    call: &Call<Member>,
    known: Option<(&Product, &Tree)>,
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let (say, product) = (call.say(), known.map(|(product, _)| product));
    let status = |one: &ProductStatus| (one.name().to_owned(), status_name(say, *one).to_owned());
    let statuses = ProductStatus::EVERY.iter().map(status).collect();
    let mut stock = Vec::new();
    let (title, place) = match product {
        None => {
            let sold = [(Sold::ByPiece, say.by_piece()), (Sold::ByMeasure, say.by_measure())];
            let sold = sold.map(|(sold, label)| (sold.name().to_owned(), label.to_owned()));
            stock.push(Field::text("inventory", say.in_stock(), values));
            stock.push(Field::select("sold", say.sold(), Vec::from(sold), values));
            (say.new_product().to_owned(), call.href("products/new"))
        }
        Some(product) => (product.name.clone(), format!("{}/{}/edit", call.href(PATH), product.id)),
    };
    let threshold = Field::text("lowStockThreshold", say.threshold(), values);
    stock.push(threshold.hint(say.threshold_hint()));
    let codes = vec![
        Field::text("sku", say.sku(), values).hint(say.sku_of_product_hint()),
        Field::text("ean", say.ean(), values),
    ];
    let mut fields = vec![
        Field::text("name", say.name(), values),
        Field::area("description", say.description(), 3, values),
        Field::group("codes", say.product_codes(), codes),
    ];
    let price = Field::text("price", say.price(), values);
    let stock = Field::group("stock", say.stock(), stock);
    fields.extend(details::fields(say, price, stock, values));
    fields.push(Field::select("status", say.state(), statuses, values));
    let form = call.form(place, fields, say.save(), faults);
    let form = match known {
        Some((product, tree)) => call.over(form, &values_of(product, tree, call.language)),
        None => form,
    };
    let sheet = Sheet::new(title, &form).wrong_if(!faults.is_empty());
    call.page(match product {
        None => sheet.back(say.products(), call.href(PATH)),
        Some(product) => {
            sheet.back(product.name.clone(), format!("{}/{}", call.href(PATH), product.id))
        }
    })
}

async fn create(call: Call<Member>) -> Result<Answer, Failure> {
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return Ok(page(&call, None, call.sent.values(), &faults)),
    };
    let category_ids = match filled.details.categories(&categories::tree(&call).await?) {
        Ok(ids) => ids,
        Err(fault) => return Ok(page(&call, None, call.sent.values(), &[fault])),
    };
    let decimals = match filled.sold {
        Some(Sold::ByMeasure) => Decimals::of(3).unwrap_or_default(),
        _ => Decimals::default(),
    };
    let command = NewProduct {
        external_id: None,
        name: filled.name,
        sku: filled.sku,
        description: filled.description,
        ean: filled.ean,
        price: filled.price,
        currency: Currency::MXN,
        quantity_decimals: decimals,
        inventory: filled.inventory.unwrap_or_default(),
        status: filled.status.unwrap_or_default(),
        low_stock_threshold: filled.threshold,
        tax_included: filled.details.tax_included.unwrap_or(true),
        taxes: filled.details.taxes,
        sat_product_key: filled.sat_product_key,
        sat_unit_key: filled.sat_unit_key,
        details: filled.details.changes.of(ProductDetails::default()),
        category_ids,
        metadata: Metadata::default(),
        variants: Vec::new(),
    };
    let faults = command.uncountable();
    if !faults.is_empty() {
        return Ok(page(&call, None, call.sent.values(), &faults));
    }
    let creating = call.services().products.create(call.ctx(), command);
    Ok(match carried_out(creating, |error| told(&error)).await? {
        Ok(product) => call.done_at(&format!("{PATH}/{}", product.id), "product.saved"),
        Err(faults) => page(&call, None, call.sent.values(), &faults),
    })
}

/// The product of the path.
pub(super) async fn product(call: &Call<Member>) -> Result<Product, Failure> {
    let id = ProductId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().products.get(call.account(), id)).await
}

/// A product as the form has it.
fn values_of(product: &Product, tree: &Tree, language: Language) -> Values {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let values = [
        ("name", product.name.clone()),
        ("sku", product.sku.clone()),
        ("ean", product.ean.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("price", product.price.to_string()),
        ("status", product.status.name().to_owned()),
        ("description", text(&product.description)),
        (
            "lowStockThreshold",
            product.low_stock_threshold.map(|it| it.to_string()).unwrap_or_default(),
        ),
        ("satProductKey", text(&product.sat_product_key)),
        ("satUnitKey", text(&product.sat_unit_key)),
        ("version", product.version.to_string()),
    ];
    let more = details::values_of(product, tree, language);
    let values = values.iter().chain(&more);
    let values: Vec<_> = values.map(|(name, text)| (*name, text.as_str())).collect();
    Values::with(&values)
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let (product, tree) = (product(&call).await?, categories::tree(&call).await?);
    let values = values_of(&product, &tree, call.language);
    Ok(page(&call, Some((&product, &tree)), &values, &[]))
}

async fn change(call: Call<Member>) -> Result<Answer, Failure> {
    let (product, tree) = (product(&call).await?, categories::tree(&call).await?);
    let again =
        |faults: &[FieldFault]| page(&call, Some((&product, &tree)), call.sent.values(), faults);
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return Ok(again(&faults)),
    };
    let category_ids = match filled.details.categories(&tree) {
        Ok(ids) => ids,
        Err(fault) => return Ok(again(&[fault])),
    };
    // A field that the form leaves empty is cleared; one that cannot be stays.
    let changes = ProductChanges {
        name: Some(filled.name),
        sku: filled.sku,
        description: Some(filled.description),
        ean: Some(filled.ean),
        price: Some(filled.price),
        status: filled.status,
        low_stock_threshold: Some(filled.threshold),
        sat_product_key: Some(filled.sat_product_key),
        sat_unit_key: Some(filled.sat_unit_key),
        tax_included: filled.details.tax_included,
        taxes: Some(filled.details.taxes),
        details: filled.details.changes,
        category_ids: Some(category_ids),
        ..ProductChanges::default()
    };
    let seen = filled.version.map(|version| Seen { version, stock: None });
    let command = UpdateProduct { id: product.id, seen, changes };
    let changing = call.services().products.update(call.ctx(), command);
    Ok(match carried_out(changing, |error| told(&error)).await? {
        Ok(_) => call.done_at(&format!("{PATH}/{}", product.id), "product.saved"),
        Err(faults) => again(&faults),
    })
}

async fn ask_delete(call: Call<Member>) -> Result<Answer, Failure> {
    let product = product(&call).await?;
    deleting(&call, &product, &[]).await
}

async fn deleting(
    call: &Call<Member>,
    product: &Product,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let place = format!("{PATH}/{}", product.id);
    let text = what_goes(call, product).await?;
    let going = Going { place, name: &product.name, version: product.version, text: &text };
    Ok(going.asked(call, faults))
}

/// What goes with a product, which may be in stock and promised to orders.
async fn what_goes(call: &Call<Member>, product: &Product) -> Result<String, Failure> {
    let say = call.say();
    let product = Some(inventory::ProductId::from_u128(product.id.to_u128()));
    let filter = StockFilter { product, ..StockFilter::default() };
    let page = PageRequest { limit: LIMIT_MAX, ..PageRequest::default() };
    let stock = call.services().inventory.stock(call.account(), StockQuery { filter, page });
    let lines = answered(stock).await?.items;
    let sum = |of: fn(&Level) -> Quantity| -> Measure {
        let counted =
            |line: &StockLine| -> Quantity { line.places.iter().map(|(_, level)| of(level)).sum() };
        lines.iter().map(|line| line.sku.measure(counted(line))).sum()
    };
    let [on_hand, committed] = [sum(|level| level.on_hand()), sum(|level| level.committed)];
    let intro = say.delete_product_intro();
    Ok(match on_hand > Measure::ZERO {
        true => {
            let stock = say.delete_product_stock(&quantity(on_hand), &quantity(committed));
            format!("{intro} {stock}")
        }
        false => intro.to_owned(),
    })
}

async fn delete(call: Call<Member>) -> Result<Answer, Failure> {
    let product = product(&call).await?;
    let version = match call.read(&DELETION)? {
        Ok(version) => version,
        Err(faults) => return deleting(&call, &product, &faults).await,
    };
    let going = call.services().products.delete(call.ctx(), product.id, version);
    Ok(match carried_out(going, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "product.deleted"),
        Err(faults) => deleting(&call, &product, &faults).await?,
    })
}

/// Why a product stays as it is.
pub(super) fn told(error: &ProductError) -> FieldFault {
    match error {
        ProductError::DuplicateSku { .. } => FieldFault::new(
            "sku",
            message!(
                "belongs to another product or variant",
                "ya pertenece a otro producto o variante"
            ),
        ),
        ProductError::VariantHoldsStock { on_hand, .. } => whole(message!(
            "There are {on_hand} of the variant, or some are reserved or in transit: bring its stock to 0 first.",
            "Hay {on_hand} de la variante, o hay comprometidos o en camino: lleva antes su existencia a 0."
        )),
        ProductError::UpgradeUnfinished => whole(waits_for_upgrade()),
        ProductError::DuplicateExternalId { .. }
        | ProductError::InsufficientStock { .. }
        | ProductError::QuantityDecimalsFixed { .. }
        | ProductError::HasAverageCost { .. } => whole(message!(
            "The product cannot be changed like this.",
            "El producto no se puede cambiar así."
        )),
    }
}
