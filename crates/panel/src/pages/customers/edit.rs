//! Adding a customer, and changing one.

use accounts::{Right, Scope};
use cfdi::catalogs::{postal_codes, regimes, uses};
use crm::{
    Customer, CustomerChanges, CustomerError, CustomerId, NewCustomer, UpdateCustomer,
    customer::NAME_CHARS_MAX, tax,
};
use intake::{
    Check, Fields, Form,
    checks::{email, line, phone, text, whole_from},
    noun,
};
use kernel::{FieldFault, Metadata, message};

use super::PATH;
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    layout::Sheet,
    page::Page,
    parts::Field,
    reply::{carried_out, found, whole},
};

pub(super) const WRITE: Right = Right::write(Scope::Customers);

/// What a form says of a customer.
struct Filled {
    name: String,
    email: Option<String>,
    phone: Option<String>,
    rfc: Option<String>,
    legal_name: Option<String>,
    tax_regime: Option<String>,
    tax_zip: Option<String>,
    cfdi_use: Option<String>,
    /// The version that the form was filled in on.
    version: Option<i64>,
}

const FORM: Form<Filled> = Form::body("Customer", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Filled> {
    let name = fields.required("name", line(NAME_CHARS_MAX));
    let email = fields.optional("email", email());
    let phone = fields.optional("phone", phone());
    let rfc = fields.optional("rfc", text(tax::rfc));
    let legal_name = fields.optional("legalName", line(NAME_CHARS_MAX));
    let tax_regime = fields.optional("taxRegime", known(|code| regimes::find(code).is_some()));
    let tax_zip = fields.optional("taxZip", known(|code| postal_codes::find(code).is_some()));
    let cfdi_use = fields.optional("cfdiUse", known(|code| uses::find(code).is_some()));
    let version = fields.optional("version", whole_from(1));
    Some(Filled {
        name: name?,
        email,
        phone,
        rfc,
        legal_name,
        tax_regime,
        tax_zip,
        cfdi_use,
        version,
    })
}

/// A code of one of SAT's catalogs.
fn known(is_one: fn(&str) -> bool) -> impl Check<Value = String> {
    text(move |code| match is_one(code.trim()) {
        true => Ok(code.trim().to_owned()),
        false => Err(message!("is not in SAT's catalog", "no está en el catálogo del SAT")),
    })
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("customers/new", WRITE, show_new),
        Page::post("customers/new", WRITE, create),
        Page::get("customers/{id}/edit", WRITE, show),
        Page::post("customers/{id}/edit", WRITE, change),
    ]
}

async fn show_new(call: Call<Member>) -> Result<Answer, Failure> {
    Ok(page(&call, None, &call.query, &[]))
}

fn page(
    call: &Call<Member>,
    customer: Option<&Customer>,
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let none = || (String::new(), say.unknown().to_owned());
    let regimes = regimes::all().iter();
    let regimes = regimes.map(|row| (row.code.to_owned(), format!("{} {}", row.code, row.name)));
    let uses = uses::all().iter();
    let uses = uses.map(|row| (row.code.to_owned(), format!("{} {}", row.code, row.name)));
    let fields = vec![
        Field::text("name", say.name(), values),
        Field::input("email", "email", say.email(), values),
        Field::input("tel", "phone", say.phone(), values).hint(say.phone_hint()),
        Field::text("rfc", say.rfc(), values),
        Field::text("legalName", say.legal_name(), values).hint(say.legal_name_hint()),
        Field::select(
            "taxRegime",
            say.tax_regime(),
            std::iter::once(none()).chain(regimes).collect(),
            values,
        ),
        Field::text("taxZip", say.tax_zip(), values),
        Field::select(
            "cfdiUse",
            say.cfdi_use(),
            std::iter::once(none()).chain(uses).collect(),
            values,
        ),
    ];
    let (title, place) = match customer {
        None => (say.new_customer().to_owned(), call.href("customers/new")),
        Some(customer) => {
            (customer.name.clone(), format!("{}/{}/edit", call.href(PATH), customer.id))
        }
    };
    let form = call.form(place, fields, say.save(), faults);
    let form = match customer {
        Some(customer) => call.over(form, &values_of(customer)),
        None => form,
    };
    let sheet = Sheet::new(title, &form).wrong_if(!faults.is_empty());
    call.page(match customer {
        None => sheet.back(say.customers(), call.href(PATH)),
        Some(customer) => {
            sheet.back(customer.name.clone(), format!("{}/{}", call.href(PATH), customer.id))
        }
    })
}

async fn create(call: Call<Member>) -> Result<Answer, Failure> {
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return Ok(page(&call, None, call.sent.values(), &faults)),
    };
    let command = NewCustomer {
        external_id: None,
        name: filled.name,
        email: filled.email,
        phone: filled.phone,
        rfc: filled.rfc,
        legal_name: filled.legal_name,
        tax_regime: filled.tax_regime,
        tax_zip: filled.tax_zip,
        cfdi_use: filled.cfdi_use,
        group: None,
        addresses: Vec::new(),
        metadata: Metadata::default(),
    };
    let creating = call.services().customers.create(call.ctx(), command);
    Ok(match carried_out(creating, |error| told(&error)).await? {
        Ok(customer) => call.done_at(&format!("{PATH}/{}", customer.id), "customer.saved"),
        Err(faults) => page(&call, None, call.sent.values(), &faults),
    })
}

/// The customer of the path.
async fn customer(call: &Call<Member>) -> Result<Customer, Failure> {
    let id = CustomerId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().customers.get(call.account(), id)).await
}

/// A customer as the form has it.
fn values_of(customer: &Customer) -> Values {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let values = [
        ("name", customer.name.clone()),
        ("email", text(&customer.email)),
        ("phone", text(&customer.phone)),
        ("rfc", text(&customer.rfc)),
        ("legalName", text(&customer.legal_name)),
        ("taxRegime", text(&customer.tax_regime)),
        ("taxZip", text(&customer.tax_zip)),
        ("cfdiUse", text(&customer.cfdi_use)),
        ("version", customer.version.to_string()),
    ];
    let values: Vec<_> = values.iter().map(|(name, text)| (*name, text.as_str())).collect();
    Values::with(&values)
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let customer = customer(&call).await?;
    Ok(page(&call, Some(&customer), &values_of(&customer), &[]))
}

async fn change(call: Call<Member>) -> Result<Answer, Failure> {
    let customer = customer(&call).await?;
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return Ok(page(&call, Some(&customer), call.sent.values(), &faults)),
    };
    // A field that the form leaves empty is cleared.
    let changes = CustomerChanges {
        name: Some(filled.name),
        email: Some(filled.email),
        phone: Some(filled.phone),
        rfc: Some(filled.rfc),
        legal_name: Some(filled.legal_name),
        tax_regime: Some(filled.tax_regime),
        tax_zip: Some(filled.tax_zip),
        cfdi_use: Some(filled.cfdi_use),
        ..CustomerChanges::default()
    };
    let (id, version) = (customer.id, filled.version);
    let command = UpdateCustomer { id, version, changes, is_submitted: false };
    let changing = call.services().customers.update(call.ctx(), command);
    Ok(match carried_out(changing, |error| told(&error)).await? {
        Ok(_) => call.done_at(&format!("{PATH}/{id}"), "customer.saved"),
        Err(faults) => page(&call, Some(&customer), call.sent.values(), &faults),
    })
}

fn told(error: &CustomerError) -> FieldFault {
    match error {
        CustomerError::DuplicateEmail { .. } => FieldFault::new(
            "email",
            message!("belongs to another customer", "ya pertenece a otro cliente"),
        ),
        CustomerError::DuplicateExternalId { .. } | CustomerError::Referenced => whole(message!(
            "The customer cannot be changed so.",
            "El cliente no se puede cambiar así."
        )),
    }
}
