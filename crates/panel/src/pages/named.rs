//! What the customers are called that the rows of a list name.

use std::{collections::HashMap, sync::Arc};

use accounts::{Right, Scope};
use crm::{CustomerFilter, CustomerId, CustomerQuery, Customers};
use kernel::{
    AccountId, Page as Rows, PageRequest,
    page::{Count, LIMIT_MAX},
};

use crate::{
    call::{Call, Member},
    failure::Failure,
    reply::answered,
};

/// A row with the name of its customer.
pub(super) struct Named<T> {
    pub(super) row: T,
    pub(super) customer: Option<String>,
}

/// Where customers are looked up, for who may look at them.
pub(super) fn customers_of(call: &Call<Member>) -> Option<Arc<dyn Customers>> {
    let may_look = call.may(Right::read(Scope::Customers));
    may_look.then(|| Arc::clone(&call.services().customers))
}

/// The names of customers, by one question; none for who may not look at them.
pub(super) async fn names(
    call: &Call<Member>,
    account: AccountId,
    ids: Vec<CustomerId>,
) -> Result<HashMap<u128, String>, Failure> {
    names_among(customers_of(call), account, ids).await
}

async fn names_among(
    customers: Option<Arc<dyn Customers>>,
    account: AccountId,
    mut ids: Vec<CustomerId>,
) -> Result<HashMap<u128, String>, Failure> {
    let Some(customers) = customers.filter(|_| !ids.is_empty()) else {
        return Ok(HashMap::new());
    };
    ids.sort_unstable();
    ids.dedup();
    let filter = CustomerFilter { ids: Some(ids), ..CustomerFilter::default() };
    let page = PageRequest { limit: LIMIT_MAX, count: Count::Nothing, ..PageRequest::default() };
    let query = CustomerQuery { filter, page, ..CustomerQuery::default() };
    let found = answered(customers.list(account, query)).await?;
    let named = found.items.into_iter().map(|customer| (customer.id.to_u128(), customer.name));
    Ok(named.collect())
}

/// A page of rows, each with the name of the customer whose number `of` tells; without names where there is nowhere to look
/// them up.
pub(super) async fn named<T>(
    rows: Rows<T>,
    customers: Option<Arc<dyn Customers>>,
    account: AccountId,
    of: fn(&T) -> Option<u128>,
) -> Result<Rows<Named<T>>, Failure> {
    let ids = rows.items.iter().filter_map(of).map(CustomerId::from_u128).collect();
    let names = names_among(customers, account, ids).await?;
    Ok(rows.map(|row| {
        let customer = of(&row).and_then(|id| names.get(&id).cloned());
        Named { row, customer }
    }))
}
