//! `/customers/export`.

use std::borrow::Cow;

use accounts::Scope;
use crm::{Customer, CustomerFilter, CustomerQuery};
use imports::Value;
use intake::{Fields, Form};
use kernel::{
    Page, PageRequest, Timestamp,
    page::{RecordSort, Sorting},
};

use super::{Exported, MEDIA_TYPES, export, format};
use crate::{
    call::Call,
    endpoint::{Endpoint, query, taking},
    error::ApiError,
    filters,
    reply::answered,
    table::Format,
};

const QUERY: Form<(Customers, Format)> = Form::query(read);

/// Which customers.
struct Customers(CustomerFilter);

pub(super) fn endpoint() -> Endpoint {
    let handler = taking(query(QUERY), |call, (wanted, format)| export(call, wanted, format));
    Endpoint::get("/customers/export", Scope::Customers, handler)
        .summary("Export customers")
        .describes(
            "Every customer as a row of one table, the oldest first: CSV for spreadsheets (UTF-8 with a mark), or JSON \
             Lines. Of the addresses it has the first; it has no metadata.",
        )
        .answers_file(MEDIA_TYPES, "The customers.")
}

fn read(fields: &mut Fields<'_>) -> Option<(Customers, Format)> {
    let updated_since = filters::updated_since(fields);
    let filter = CustomerFilter { updated_since, ..CustomerFilter::default() };
    Some((Customers(filter), format(fields)))
}

impl Exported for Customers {
    type Resource = Customer;

    const FILE: &'static str = "customers";

    fn columns() -> Vec<&'static str> {
        vec![
            "id",
            "externalId",
            "name",
            "email",
            "phone",
            "rfc",
            "legalName",
            "taxRegime",
            "taxZip",
            "cfdiUse",
            "taxResidence",
            "foreignTaxId",
            "street",
            "neighborhood",
            "city",
            "state",
            "zip",
            "country",
            "createdAt",
            "updatedAt",
        ]
    }

    async fn read(
        &mut self,
        call: &Call,
        page: PageRequest,
        ascending: bool,
    ) -> Result<Page<Customer>, ApiError> {
        let sort = Sorting { by: RecordSort::CreatedAt, ascending };
        let query = CustomerQuery { filter: self.0.clone(), sort, page };
        answered(call.services().customers.list(call.account, query)).await
    }

    fn number(customer: &Customer) -> u128 {
        customer.id.to_u128()
    }

    fn rows(_: &Customer) -> usize {
        1
    }

    fn row<'r>(&self, customer: &'r Customer, _: usize) -> Vec<Value<'r>> {
        let text = |text: Option<&'_ String>| {
            text.map_or(Value::None, |text| Value::Text(Cow::Owned(text.clone())))
        };
        let code = |code: Option<&'_ String>| {
            code.map_or(Value::None, |code| Value::Code(Cow::Owned(code.clone())))
        };
        let moment = |at: Timestamp| Value::Text(Cow::Owned(at.to_millis().to_string()));
        let address = customer.addresses.first();
        vec![
            Value::Text(Cow::Owned(customer.id.to_string())),
            code(customer.external_id.as_ref()),
            Value::Text(Cow::Borrowed(&customer.name)),
            text(customer.email.as_ref()),
            text(customer.phone.as_ref()),
            text(customer.rfc.as_ref()),
            text(customer.legal_name.as_ref()),
            code(customer.tax_regime.as_ref()),
            code(customer.tax_zip.as_ref()),
            code(customer.cfdi_use.as_ref()),
            code(customer.tax_residence.as_ref()),
            code(customer.foreign_tax_id.as_ref()),
            text(address.map(|address| &address.street)),
            text(address.and_then(|address| address.neighborhood.as_ref())),
            text(address.and_then(|address| address.city.as_ref())),
            text(address.and_then(|address| address.state.as_ref())),
            code(address.and_then(|address| address.zip.as_ref())),
            text(address.map(|address| &address.country)),
            moment(customer.created_at),
            moment(customer.updated_at),
        ]
    }
}
