//! Adding a customer, and changing one.

use accounts::{Right, Scope};
use cfdi::catalogs::{countries, postal_codes, regimes, uses};
use crm::{
    Customer, CustomerChanges, CustomerError, CustomerGroupId, CustomerId, NewCustomer,
    UpdateCustomer,
    customer::{FOREIGN_ID_CHARS_MAX, NAME_CHARS_MAX},
    tax,
};
use intake::{
    Check, Fields, Form,
    checks::{email, id, line, one_of, text, whole_from},
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
    pages::{
        customer_groups,
        deletion::{DELETION, Going},
        reading::{not_in_catalog, phone},
    },
    parts::Field,
    reply::{carried_out, found, whole},
};

pub(super) const WRITE: Right = Right::write(Scope::Customers);

/// What the form says that leads on to an order.
const ORDER: &str = "order";

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
    tax_residence: Option<String>,
    foreign_tax_id: Option<String>,
    group: Option<CustomerGroupId>,
    /// Whether an order of the customer is filled in next.
    leads_to_order: bool,
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
    let residence = text(|code| match countries::find(&code.trim().to_ascii_uppercase()) {
        Some(country) => Ok(country.code.to_owned()),
        None => Err(not_in_catalog()),
    });
    let tax_residence = fields.optional("taxResidence", residence);
    let foreign_tax_id = fields.optional("foreignTaxId", line(FOREIGN_ID_CHARS_MAX));
    let group = id(
        noun("a customer group", "un grupo de clientes"),
        CustomerGroupId::PREFIX,
        CustomerGroupId::parse,
    );
    let group = fields.optional("groupId", group);
    let then = fields.optional("then", one_of(&[ORDER], |word| word));
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
        tax_residence,
        foreign_tax_id,
        group,
        leads_to_order: then.is_some(),
        version,
    })
}

/// A code of one of SAT's catalogs.
fn known(is_one: fn(&str) -> bool) -> impl Check<Value = String> {
    text(move |code| match is_one(code.trim()) {
        true => Ok(code.trim().to_owned()),
        false => Err(not_in_catalog()),
    })
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("customers/new", WRITE, show_new),
        Page::post("customers/new", WRITE, create),
        Page::get("customers/{id}/edit", WRITE, show),
        Page::post("customers/{id}/edit", WRITE, change),
        Page::get("customers/{id}/delete", WRITE, ask_delete),
        Page::post("customers/{id}/delete", WRITE, delete),
    ]
}

async fn show_new(call: Call<Member>) -> Result<Answer, Failure> {
    page(&call, None, &call.query, &[]).await
}

async fn page(
    call: &Call<Member>,
    customer: Option<&Customer>,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let say = call.say();
    let groups = customer_groups::choices(call).await?;
    let none = || (String::new(), say.unknown().to_owned());
    let regimes = regimes::all().iter();
    let regimes = regimes.map(|row| (row.code.to_owned(), format!("{} {}", row.code, row.name)));
    let uses = uses::all().iter();
    let uses = uses.map(|row| (row.code.to_owned(), format!("{} {}", row.code, row.name)));
    let countries = countries::all().iter();
    let countries =
        countries.map(|row| (row.code.to_owned(), format!("{} {}", row.code, row.name)));
    let abroad = vec![
        Field::select(
            "taxResidence",
            say.tax_residence(),
            std::iter::once(none()).chain(countries).collect(),
            values,
        ),
        Field::text("foreignTaxId", say.foreign_tax_id(), values),
    ];
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
        Field::behind("abroad", say.resident_abroad(), abroad),
        Field::select("groupId", say.group(), groups, values),
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
    let leads_to_order = customer.is_none() && values.filled("then") == Some(ORDER);
    let form = if leads_to_order { form.hidden("then", ORDER) } else { form };
    let sheet = Sheet::new(title, &form).wrong_if(!faults.is_empty());
    Ok(call.page(match customer {
        None if leads_to_order => sheet.back(say.new_order(), call.href("orders/new")),
        None => sheet.back(say.customers(), call.href(PATH)),
        Some(customer) => {
            sheet.back(customer.name.clone(), format!("{}/{}", call.href(PATH), customer.id))
        }
    }))
}

async fn create(call: Call<Member>) -> Result<Answer, Failure> {
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return page(&call, None, call.sent.values(), &faults).await,
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
        tax_residence: filled.tax_residence,
        foreign_tax_id: filled.foreign_tax_id,
        group: filled.group,
        addresses: Vec::new(),
        metadata: Metadata::default(),
    };
    let creating = call.services().customers.create(call.ctx(), command);
    match carried_out(creating, |error| told(&error)).await? {
        Ok(customer) => {
            let place = match filled.leads_to_order {
                true => format!("orders/new?customer={}", customer.id),
                false => format!("{PATH}/{}", customer.id),
            };
            Ok(call.done_at(&place, "customer.saved"))
        }
        Err(faults) => page(&call, None, call.sent.values(), &faults).await,
    }
}

/// The customer of the path.
pub(super) async fn customer(call: &Call<Member>) -> Result<Customer, Failure> {
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
        ("taxResidence", text(&customer.tax_residence)),
        ("foreignTaxId", text(&customer.foreign_tax_id)),
        ("groupId", customer.group.map(|group| group.to_string()).unwrap_or_default()),
        ("version", customer.version.to_string()),
    ];
    let values: Vec<_> = values.iter().map(|(name, text)| (*name, text.as_str())).collect();
    Values::with(&values)
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let customer = customer(&call).await?;
    page(&call, Some(&customer), &values_of(&customer), &[]).await
}

async fn change(call: Call<Member>) -> Result<Answer, Failure> {
    let customer = customer(&call).await?;
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return page(&call, Some(&customer), call.sent.values(), &faults).await,
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
        tax_residence: Some(filled.tax_residence),
        foreign_tax_id: Some(filled.foreign_tax_id),
        group: Some(filled.group),
        ..CustomerChanges::default()
    };
    let (id, version) = (customer.id, filled.version);
    let command = UpdateCustomer { id, version, changes, is_submitted: false };
    let changing = call.services().customers.update(call.ctx(), command);
    match carried_out(changing, |error| told(&error)).await? {
        Ok(_) => Ok(call.done_at(&format!("{PATH}/{id}"), "customer.saved")),
        Err(faults) => page(&call, Some(&customer), call.sent.values(), &faults).await,
    }
}

async fn ask_delete(call: Call<Member>) -> Result<Answer, Failure> {
    let customer = customer(&call).await?;
    Ok(deleting(&call, &customer, &[]))
}

fn deleting(call: &Call<Member>, customer: &Customer, faults: &[FieldFault]) -> Answer {
    let place = format!("{PATH}/{}", customer.id);
    let text = call.say().delete_customer_intro();
    Going { place, name: &customer.name, version: customer.version, text }.asked(call, faults)
}

async fn delete(call: Call<Member>) -> Result<Answer, Failure> {
    let customer = customer(&call).await?;
    let version = match call.read(&DELETION)? {
        Ok(version) => version,
        Err(faults) => return Ok(deleting(&call, &customer, &faults)),
    };
    let going = call.services().customers.delete(call.ctx(), customer.id, version);
    Ok(match carried_out(going, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "customer.deleted"),
        Err(faults) => deleting(&call, &customer, &faults),
    })
}

pub(super) fn told(error: &CustomerError) -> FieldFault {
    match error {
        CustomerError::DuplicateEmail { .. } => FieldFault::new(
            "email",
            message!("belongs to another customer", "ya pertenece a otro cliente"),
        ),
        CustomerError::Referenced => whole(message!(
            "The customer has orders, deals or invoices, so it cannot be deleted.",
            "El cliente tiene pedidos, oportunidades o facturas, por eso no se puede eliminar."
        )),
        CustomerError::DuplicateExternalId { .. } => whole(message!(
            "The customer cannot be changed like this.",
            "El cliente no se puede cambiar así."
        )),
    }
}
