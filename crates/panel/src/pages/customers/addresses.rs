//! The addresses of a customer.

use crm::{
    Address, Customer, CustomerChanges, UpdateCustomer,
    customer::{ADDRESS_CHARS_MAX, ADDRESSES_MAX, checked_country},
};
use intake::{
    Faults, Fields, Form,
    checks::{line, text, whole_from},
    noun,
};
use kernel::{FieldFault, Message};

use super::{
    PATH,
    edit::{WRITE, customer, told},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    page::Page,
    pages::{deletion::DELETION, stock::view::asking},
    parts::Field,
    reply::{carried_out, whole},
    texts::Say,
};

/// Where an address is that says nothing else.
const MEXICO: &str = "MX";

/// How many addresses there were as the form was shown: its place is one among them.
const COUNT: &str = "count";

/// What a form says of an address.
struct Filled {
    address: Address,
    /// The version of the customer that it was filled in on.
    version: Option<i64>,
    count: Option<i64>,
}

const FORM: Form<Filled> = Form::body("Address", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Filled> {
    let label = fields.optional("label", line(ADDRESS_CHARS_MAX));
    let street = fields.required("street", line(ADDRESS_CHARS_MAX));
    let neighborhood = fields.optional("neighborhood", line(ADDRESS_CHARS_MAX));
    let city = fields.optional("city", line(ADDRESS_CHARS_MAX));
    let state = fields.optional("state", line(ADDRESS_CHARS_MAX));
    let zip = fields.optional("zip", line(ADDRESS_CHARS_MAX));
    let country = fields.optional("country", text(checked_country));
    let country = country.unwrap_or_else(|| MEXICO.to_owned());
    let version = fields.optional("version", whole_from(1));
    let count = fields.optional(COUNT, whole_from(1));
    let address = Address { label, street: street?, neighborhood, city, state, zip, country };
    Some(Filled { address, version, count })
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("customers/{id}/addresses/new", WRITE, ask_new),
        Page::post("customers/{id}/addresses/new", WRITE, add),
        Page::get("customers/{id}/addresses/{place}", WRITE, ask_change),
        Page::post("customers/{id}/addresses/{place}", WRITE, change),
        Page::post("customers/{id}/addresses/{place}/remove", WRITE, remove),
    ]
}

/// An address on one line.
pub(super) fn written(address: &Address) -> String {
    let Address { street, neighborhood, city, state, zip, country, .. } = address;
    let country = Some(country).filter(|country| country.as_str() != MEXICO);
    let rest = [neighborhood, zip, city, state].into_iter().filter_map(Option::as_ref);
    let parts: Vec<&str> =
        std::iter::once(street).chain(rest).chain(country).map(String::as_str).collect();
    parts.join(", ")
}

/// The place of the path, with the address that is there.
fn at<'a>(call: &Call<Member>, customer: &'a Customer) -> Result<(usize, &'a Address), Failure> {
    let place: usize = call.parameter("place").parse().map_err(|_| Failure::Nothing)?;
    let address = customer.addresses.get(place).ok_or(Failure::Nothing)?;
    Ok((place, address))
}

async fn ask_new(call: Call<Member>) -> Result<Answer, Failure> {
    let customer = customer(&call).await?;
    Ok(page(&call, &customer, None, &Values::default(), &[]))
}

fn fields(say: Say, values: &Values) -> Vec<Field> {
    vec![
        Field::text("label", say.address_label(), values).hint(say.address_label_hint()),
        Field::text("street", say.street(), values).autocomplete("off"),
        Field::text("neighborhood", say.neighborhood(), values),
        Field::text("zip", say.zip(), values),
        Field::text("city", say.city(), values),
        Field::text("state", say.state_of_country(), values),
        Field::text("country", say.country(), values).hint(say.country_hint()),
    ]
}

fn page(
    call: &Call<Member>,
    customer: &Customer,
    known: Option<(usize, &Address)>,
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let own = format!("{PATH}/{}", customer.id);
    let (title, action) = match known {
        None => (say.new_address(), format!("{own}/addresses/new")),
        Some((place, _)) => (say.addresses(), format!("{own}/addresses/{place}")),
    };
    let form = call.form(call.href(&action), fields(say, values), say.save(), faults);
    let form = match known {
        Some((_, address)) => {
            let seen = call.sent.values().filled(COUNT).map(str::to_owned);
            let count = seen.unwrap_or_else(|| customer.addresses.len().to_string());
            call.over(form, &values_of(customer, address)).hidden(COUNT, count)
        }
        None => form,
    };
    let back = (customer.name.as_str(), own.as_str());
    asking(call, (title.to_owned(), ""), &form, !faults.is_empty(), back)
}

async fn add(call: Call<Member>) -> Result<Answer, Failure> {
    let customer = customer(&call).await?;
    let again = |faults: &[FieldFault]| page(&call, &customer, None, call.sent.values(), faults);
    let Filled { address, .. } = match call.read(&FORM)? {
        Ok(given) => given,
        Err(faults) => return Ok(again(&faults)),
    };
    if customer.addresses.len() >= ADDRESSES_MAX {
        let full = Message::both(|language| Say(language).too_many_addresses().to_owned());
        return Ok(again(&[whole(full)]));
    }
    let mut addresses = customer.addresses.clone();
    addresses.push(address);
    // It goes beside those that there are by now.
    Ok(match saved(&call, &customer, addresses, Some(customer.version)).await? {
        Ok(answer) => answer,
        Err(faults) => again(&faults),
    })
}

/// An address of a customer as the form has it.
fn values_of(customer: &Customer, address: &Address) -> Values {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let values = [
        ("label", text(&address.label)),
        ("street", address.street.clone()),
        ("neighborhood", text(&address.neighborhood)),
        ("city", text(&address.city)),
        ("state", text(&address.state)),
        ("zip", text(&address.zip)),
        ("country", address.country.clone()),
        ("version", customer.version.to_string()),
    ];
    let values: Vec<_> = values.iter().map(|(name, text)| (*name, text.as_str())).collect();
    Values::with(&values)
}

async fn ask_change(call: Call<Member>) -> Result<Answer, Failure> {
    let customer = customer(&call).await?;
    let (place, address) = at(&call, &customer)?;
    Ok(page(&call, &customer, Some((place, address)), &values_of(&customer, address), &[]))
}

async fn change(call: Call<Member>) -> Result<Answer, Failure> {
    let customer = customer(&call).await?;
    let (place, before) = at(&call, &customer)?;
    let again = |faults: &[FieldFault]| {
        page(&call, &customer, Some((place, before)), call.sent.values(), faults)
    };
    let Filled { address, version, count } = match call.read(&FORM)? {
        Ok(given) => given,
        Err(faults) => return Ok(again(&faults)),
    };
    // Another address may be in its place by now.
    let there_are = i64::try_from(customer.addresses.len()).unwrap_or(i64::MAX);
    if count.is_some_and(|count| count != there_are) {
        let moved = Message::both(|language| Say(language).addresses_moved().to_owned());
        return Ok(again(&[whole(moved)]));
    }
    let mut addresses = customer.addresses.clone();
    if let Some(known) = addresses.get_mut(place) {
        *known = address;
    }
    Ok(match saved(&call, &customer, addresses, version).await? {
        Ok(answer) => answer,
        Err(faults) => again(&faults),
    })
}

async fn remove(call: Call<Member>) -> Result<Answer, Failure> {
    let customer = customer(&call).await?;
    let (place, address) = at(&call, &customer)?;
    let again = |faults: &[FieldFault]| {
        let values = values_of(&customer, address);
        page(&call, &customer, Some((place, address)), &values, faults)
    };
    let version = match call.read(&DELETION)? {
        Ok(version) => version,
        Err(faults) => return Ok(again(&faults)),
    };
    let mut addresses = customer.addresses.clone();
    addresses.remove(place);
    Ok(match saved(&call, &customer, addresses, version).await? {
        Ok(answer) => answer,
        Err(faults) => again(&faults),
    })
}

/// Gives a customer these addresses, if nobody has changed it since.
async fn saved(
    call: &Call<Member>,
    customer: &Customer,
    addresses: Vec<Address>,
    version: Option<i64>,
) -> Result<Result<Answer, Faults>, Failure> {
    let changes = CustomerChanges { addresses: Some(addresses), ..CustomerChanges::default() };
    let id = customer.id;
    let command = UpdateCustomer { id, version, changes, is_submitted: false };
    let changing = call.services().customers.update(call.ctx(), command);
    let changed = carried_out(changing, |error| told(&error)).await?;
    Ok(changed.map(|_| call.done_at(&format!("{PATH}/{id}"), "customer.saved")))
}
