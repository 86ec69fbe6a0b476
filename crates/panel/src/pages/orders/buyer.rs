//! Who buys: the customer whom words mean.

use accounts::{Right, Scope};
use crm::{Customer, CustomerFilter, CustomerId, CustomerQuery};
use kernel::{FieldFault, Message, PageRequest, message, page::Total, search::Words};

use crate::{
    call::{Call, Member},
    failure::Failure,
    format::grouped,
    pages::reading::required,
    reply::answered,
};

/// Customers that a name may mean who are told; of others it is said how many they are.
const MEANT_MAX: u32 = 5;

/// The only customer whom an identifier, an address or words mean.
async fn buyer(call: &Call<Member>, words: &str) -> Result<Result<Customer, FieldFault>, Failure> {
    let (services, account) = (call.services(), call.account());
    let fault = |problem| Ok(Err(FieldFault::new("customer", problem)));
    if let Some(id) = CustomerId::parse(words) {
        let found = answered(services.customers.get(account, id)).await?;
        return match found {
            Some(customer) => Ok(Ok(customer)),
            None => fault(message!("is not known", "no existe")),
        };
    }
    let Ok(words) = Words::parse(words) else {
        return fault(required());
    };
    let filter = CustomerFilter { search: Some(words), ..CustomerFilter::default() };
    let page = PageRequest { limit: MEANT_MAX, ..PageRequest::default() };
    let query = CustomerQuery { filter, page, ..CustomerQuery::default() };
    let listed = answered(services.customers.list(account, query)).await?;
    let (mut found, total) = (listed.items, listed.total);
    match (found.pop(), found.is_empty()) {
        (Some(customer), true) => Ok(Ok(customer)),
        (None, _) => fault(message!(
            "is not known: add the customer first",
            "no existe: agrega antes al cliente"
        )),
        (Some(last), false) => {
            found.push(last);
            fault(several(call, &found, total))
        }
    }
}

/// That words mean several customers, with how each of the first is named alone, for who may look at them.
fn several(call: &Call<Member>, found: &[Customer], total: Total) -> Message {
    if !call.may(Right::read(Scope::Customers)) {
        return message!(
            "may be several: type the email address or telephone number",
            "puede ser más de uno: escribe el correo o el teléfono"
        );
    }
    let alone = |customer: &Customer| {
        let contact = customer.email.clone().or_else(|| customer.phone.clone());
        format!("{} ({})", customer.name, contact.unwrap_or_else(|| customer.id.to_string()))
    };
    let those = found.iter().map(alone).collect::<Vec<_>>().join(", ");
    let more = total.rows.saturating_sub(found.len() as u64);
    if more == 0 {
        return message!(
            "may be several: type what stands in brackets: {those}",
            "puede ser más de uno: escribe lo que va entre paréntesis: {those}"
        );
    }
    let more = grouped(more);
    let more = if total.is_exact { more } else { format!("{more}+") };
    message!(
        "may be several: type what stands in brackets: {those}, and {more} more; if it is none of these, type more of the name, or \
         the email address or telephone number",
        "puede ser más de uno: escribe lo que va entre paréntesis: {those} y {more} más; si no es ninguno de estos, escribe más del \
         nombre, o bien el correo o el teléfono"
    )
}

/// Who is meant by words, which may be the name that a form was shown with of a customer who is known.
pub(in crate::pages) async fn meant(
    call: &Call<Member>,
    words: Option<&str>,
    known: Option<CustomerId>,
) -> Result<Result<Option<CustomerId>, FieldFault>, Failure> {
    let Some(words) = words else { return Ok(Ok(None)) };
    let known = match known {
        Some(id) => answered(call.services().customers.get(call.account(), id)).await?,
        None => None,
    };
    match known.filter(|known| known.name == words) {
        Some(known) => Ok(Ok(Some(known.id))),
        None => Ok(buyer(call, words).await?.map(|customer| Some(customer.id))),
    }
}
