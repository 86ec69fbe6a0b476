//! Orders with the customers and products that they name, and with where their goods lie.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use accounts::Scope;
use catalog::{ProductFilter, ProductId, ProductQuery};
use crm::{CustomerFilter, CustomerId, CustomerQuery};
use kernel::{
    AccountId, PageRequest,
    page::{Count, LIMIT_MAX},
};

use super::body::OrderBody;
use crate::{
    call::Call,
    context::Context,
    error::ApiError,
    reply::answered,
    resources::{customers::CustomerBody, products::ProductBody},
    view::View,
};

const CUSTOMER: &str = "customer";
const PRODUCT: &str = "items.product";
const ALLOCATIONS: &str = "items.allocations";

/// What can be shown with an order.
pub(super) const EXPANSIONS: &[&str] = &[CUSTOMER, PRODUCT, ALLOCATIONS];

/// What is shown with orders, on behalf of whom.
#[derive(Clone)]
pub(super) struct Expansion {
    context: Arc<Context>,
    account: AccountId,
    view: View,
}

impl Expansion {
    /// What is asked for.
    ///
    /// # Errors
    /// The refusal of a key that lacks the scope of one of these.
    pub(super) fn of(call: &Call, view: &View) -> Result<Self, ApiError> {
        for (name, scope) in [(CUSTOMER, Scope::Customers), (PRODUCT, Scope::Products)] {
            if view.expands(name) {
                call.authorize(scope)?;
            }
        }
        Ok(Self { context: Arc::clone(&call.context), account: call.account, view: view.clone() })
    }

    /// Adds it to some orders.
    pub(super) async fn add(&self, orders: &mut [OrderBody]) -> Result<(), ApiError> {
        if self.view.expands(CUSTOMER) {
            let ids = orders.iter().map(|order| CustomerId::from_u128(order.customer_id.to_u128()));
            let customers = self.customers(ids.collect()).await?;
            for order in &mut *orders {
                order.customer = customers.get(&order.customer_id.to_u128()).cloned();
            }
        }
        if self.view.expands(PRODUCT) {
            let items = orders.iter().flat_map(|order| &order.items);
            let ids = items.map(|item| ProductId::from_u128(item.product_id.to_u128())).collect();
            let products = self.products(ids).await?;
            for item in orders.iter_mut().flat_map(|order| &mut order.items) {
                item.product = products.get(&item.product_id.to_u128()).cloned();
            }
        }
        if self.view.expands(ALLOCATIONS) {
            let ids = orders.iter().map(|order| order.id).collect();
            let allocations = self.context.services.orders.allocations(self.account, ids);
            let mut allocations = answered(allocations).await?;
            for order in orders {
                order.allocate(allocations.remove(&order.id).unwrap_or_default());
            }
        }
        Ok(())
    }

    async fn customers(
        &self,
        ids: BTreeSet<CustomerId>,
    ) -> Result<HashMap<u128, CustomerBody>, ApiError> {
        let mut found = HashMap::new();
        let ids: Vec<CustomerId> = ids.into_iter().collect();
        for some in ids.chunks(LIMIT_MAX as usize) {
            let filter = CustomerFilter { ids: Some(some.to_vec()), ..CustomerFilter::default() };
            let query = CustomerQuery { filter, page: whole_page(), ..CustomerQuery::default() };
            let page = answered(self.context.services.customers.list(self.account, query)).await?;
            let customers = page.items.into_iter();
            found.extend(customers.map(|customer| (customer.id.to_u128(), customer.into())));
        }
        Ok(found)
    }

    async fn products(
        &self,
        ids: BTreeSet<ProductId>,
    ) -> Result<HashMap<u128, Arc<ProductBody>>, ApiError> {
        let mut found = HashMap::new();
        let ids: Vec<ProductId> = ids.into_iter().collect();
        for some in ids.chunks(LIMIT_MAX as usize) {
            let filter = ProductFilter { ids: Some(some.to_vec()), ..ProductFilter::default() };
            let query = ProductQuery { filter, page: whole_page(), ..ProductQuery::default() };
            let page = answered(self.context.services.products.list(self.account, query)).await?;
            let products = page.items.into_iter();
            found.extend(products.map(|product| (product.id.to_u128(), Arc::new(product.into()))));
        }
        Ok(found)
    }
}

fn whole_page() -> PageRequest {
    PageRequest { limit: LIMIT_MAX, count: Count::Nothing, ..PageRequest::default() }
}
