//! Variants of a product: added, changed and removed.

use catalog::{
    Ean, NewVariant, Product, ProductChanges, Seen, Variant, VariantChange, VariantChanges,
    VariantId,
    product::{NAME_CHARS_MAX, checked_sku},
    service::UpdateProduct,
};
use intake::{
    Fields, Form,
    checks::{line, text, units, whole_from},
    noun,
};
use kernel::{Amount, FieldFault, Measure, quantity::QUANTITY_MAX};

use super::{
    PATH,
    edit::{WRITE, price, product, told},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    layout::Sheet,
    page::Page,
    parts::Field,
    reply::carried_out,
};

/// What a form says of a variant.
struct Filled {
    name: String,
    sku: Option<String>,
    ean: Option<Ean>,
    price: Option<Amount>,
    /// Of a new one alone.
    inventory: Option<Measure>,
    /// The version of the product that the form was filled in on.
    version: i64,
}

const FORM: Form<Filled> = Form::body("Variant", noun("this form", "este formulario"), read, "");
/// The version of the product that is seen.
const REMOVAL: Form<i64> = Form::body(
    "VariantRemoval",
    noun("this form", "este formulario"),
    |fields| fields.required("version", whole_from(1)),
    "",
);

fn read(fields: &mut Fields<'_>) -> Option<Filled> {
    let name = fields.required("name", line(NAME_CHARS_MAX));
    let sku = fields.optional("sku", text(checked_sku));
    let ean = fields.optional("ean", text(Ean::parse));
    let price = fields.optional("price", price());
    let inventory = fields.optional("inventory", units(0..=QUANTITY_MAX));
    let version = fields.required("version", whole_from(1));
    Some(Filled { name: name?, sku, ean, price, inventory, version: version? })
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("products/{id}/variants/new", WRITE, show_new),
        Page::post("products/{id}/variants/new", WRITE, add),
        Page::get("products/{id}/variants/{variant}", WRITE, show),
        Page::post("products/{id}/variants/{variant}", WRITE, change),
        Page::get("products/{id}/variants/{variant}/remove", WRITE, ask_remove),
        Page::post("products/{id}/variants/{variant}/remove", WRITE, remove),
    ]
}

/// Where a variant is changed.
pub(super) fn place(call: &Call<Member>, product: &Product, variant: VariantId) -> String {
    format!("{}/{}/variants/{variant}", call.href(PATH), product.id)
}

/// The variant of the path.
fn variant<'a>(call: &Call<Member>, product: &'a Product) -> Result<&'a Variant, Failure> {
    let id = VariantId::parse(call.parameter("variant")).ok_or(Failure::Nothing)?;
    product.variants.iter().find(|one| one.id == id).ok_or(Failure::Nothing)
}

async fn show_new(call: Call<Member>) -> Result<Answer, Failure> {
    let product = product(&call).await?;
    Ok(page(&call, (&product, None), &Values::default(), &[]))
}

fn page(
    call: &Call<Member>,
    (product, variant): (&Product, Option<&Variant>),
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let mut fields = vec![
        Field::text("name", say.name(), values),
        Field::text("sku", say.sku(), values),
        Field::text("ean", say.ean(), values),
        Field::text("price", say.price(), values).hint(say.price_of_variant_hint()),
    ];
    let (title, action) = match variant {
        None => {
            fields.push(Field::text("inventory", say.in_stock(), values));
            let action = format!("{}/{}/variants/new", call.href(PATH), product.id);
            (say.new_variant().to_owned(), action)
        }
        Some(variant) => (variant.name.clone(), place(call, product, variant.id)),
    };
    let form = call.form(action, fields, say.save(), faults);
    let form = match variant {
        Some(variant) => call.over(form, &values_of(product, variant)),
        None => form.hidden("version", version(product, values)),
    };
    let sheet = Sheet::new(title, &form).wrong_if(!faults.is_empty());
    let sheet = match variant {
        None => sheet,
        Some(variant) => {
            let removing = format!("{}/remove", place(call, product, variant.id));
            sheet.grave(say.remove_variant(), removing)
        }
    };
    call.page(sheet.back(product.name.clone(), format!("{}/{}", call.href(PATH), product.id)))
}

/// The version that was seen when the form was filled in, or that is seen now.
fn version(product: &Product, values: &Values) -> String {
    values.filled("version").map_or_else(|| product.version.to_string(), str::to_owned)
}

fn done(call: &Call<Member>, product: &Product) -> Answer {
    call.done_at(&format!("{PATH}/{}", product.id), "product.saved")
}

/// Changes the product, which has the version that was seen.
async fn save(
    call: &Call<Member>,
    product: &Product,
    version: i64,
    changes: ProductChanges,
) -> Result<Result<Product, Vec<FieldFault>>, Failure> {
    let seen = Some(Seen { version, stock: None });
    let command = UpdateProduct { id: product.id, seen, changes };
    let changing = call.services().products.update(call.ctx(), command);
    let changed = carried_out(changing, |error| told(&error)).await?;
    Ok(changed.map_err(|faults| faults.into_iter().map(of_variant).collect()))
}

/// A fault of the only variant that a form is of, at its field.
fn of_variant(fault: FieldFault) -> FieldFault {
    match fault.field.strip_prefix("variants[0].").map(str::to_owned) {
        Some(field) => FieldFault { field, ..fault },
        None => fault,
    }
}

async fn add(call: Call<Member>) -> Result<Answer, Failure> {
    let product = product(&call).await?;
    let again = |faults: &[FieldFault]| page(&call, (&product, None), call.sent.values(), faults);
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return Ok(again(&faults)),
    };
    let new = NewVariant {
        name: filled.name,
        sku: filled.sku,
        ean: filled.ean,
        price: filled.price,
        inventory: filled.inventory.unwrap_or_default(),
    };
    let variants = vec![VariantChange::Add(new)];
    let changes = ProductChanges { variants, ..ProductChanges::default() };
    Ok(match save(&call, &product, filled.version, changes).await? {
        Ok(product) => done(&call, &product),
        Err(faults) => again(&faults),
    })
}

/// A variant as the form has it, with the version of its product.
fn values_of(product: &Product, variant: &Variant) -> Values {
    let values = [
        ("name", variant.name.clone()),
        ("sku", variant.sku.clone().unwrap_or_default()),
        ("ean", variant.ean.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("price", variant.price.map(|price| price.to_string()).unwrap_or_default()),
        ("version", product.version.to_string()),
    ];
    let values: Vec<_> = values.iter().map(|(name, text)| (*name, text.as_str())).collect();
    Values::with(&values)
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let product = product(&call).await?;
    let variant = variant(&call, &product)?;
    Ok(page(&call, (&product, Some(variant)), &values_of(&product, variant), &[]))
}

async fn change(call: Call<Member>) -> Result<Answer, Failure> {
    let product = product(&call).await?;
    let variant = variant(&call, &product)?;
    let again =
        |faults: &[FieldFault]| page(&call, (&product, Some(variant)), call.sent.values(), faults);
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return Ok(again(&faults)),
    };
    // A field that the form leaves empty is cleared.
    let changes = VariantChanges {
        name: Some(filled.name),
        sku: Some(filled.sku),
        ean: Some(filled.ean),
        price: Some(filled.price),
        ..VariantChanges::default()
    };
    let variants = vec![VariantChange::Change { id: variant.id, changes }];
    let changes = ProductChanges { variants, ..ProductChanges::default() };
    Ok(match save(&call, &product, filled.version, changes).await? {
        Ok(product) => done(&call, &product),
        Err(faults) => again(&faults),
    })
}

async fn ask_remove(call: Call<Member>) -> Result<Answer, Failure> {
    let product = product(&call).await?;
    let variant = variant(&call, &product)?;
    Ok(removing(&call, (&product, variant), &[]))
}

fn removing(
    call: &Call<Member>,
    (product, variant): (&Product, &Variant),
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let place = place(call, product, variant.id);
    let form = call.form(format!("{place}/remove"), Vec::new(), say.remove_variant(), faults);
    let form = form.dangerous().hidden("version", version(product, call.sent.values()));
    let title = format!("{}: {}", say.remove_variant(), variant.name);
    let sheet = Sheet::new(title, &form).wrong_if(!faults.is_empty());
    call.page(sheet.back(variant.name.clone(), place))
}

async fn remove(call: Call<Member>) -> Result<Answer, Failure> {
    let product = product(&call).await?;
    let variant = variant(&call, &product)?;
    let version = match call.read(&REMOVAL)? {
        Ok(version) => version,
        Err(faults) => return Ok(removing(&call, (&product, variant), &faults)),
    };
    let remove_variants = vec![variant.id];
    let changes = ProductChanges { remove_variants, ..ProductChanges::default() };
    Ok(match save(&call, &product, version, changes).await? {
        Ok(product) => done(&call, &product),
        Err(faults) => removing(&call, (&product, variant), &faults),
    })
}
