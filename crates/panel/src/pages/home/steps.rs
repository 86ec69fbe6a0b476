//! The first steps of a new account, as long as one of them is left.

use accounts::{Access, ApiKeyQuery, Area, Right};
use catalog::ProductQuery;
use kernel::{PageRequest, page::Count};
use orders::OrderQuery;

use crate::{
    call::{Call, Member},
    failure::Failure,
    reply::answered,
};

/// After so many seconds an account is not new any more: two weeks.
const NEW_SECONDS: i64 = 14 * 86_400;

/// Something that a new account needs.
pub(super) struct Step {
    pub(super) label: &'static str,
    pub(super) href: String,
    pub(super) is_done: bool,
}

/// The steps, for whoever governs a new account; none once all are done.
pub(super) async fn of(call: &Call<Member>) -> Result<Vec<Step>, Failure> {
    let new_until = call.who.entry.account.created_at.plus_seconds(NEW_SECONDS);
    if call.now() >= new_until || !call.may(Right::of(Area::Settings, Access::Write)) {
        return Ok(Vec::new());
    }
    let (say, services, account) = (call.say(), call.services(), call.account());
    let page = PageRequest { limit: 1, count: Count::Nothing, ..PageRequest::default() };
    let products = ProductQuery { page: page.clone(), ..ProductQuery::default() };
    let products = answered(services.products.list(account, products)).await?;
    let orders = OrderQuery { page: page.clone(), ..OrderQuery::default() };
    let orders = answered(services.orders.list(account, orders)).await?;
    let issuer = answered(services.issuers.issuer(account, None)).await?;
    let keys = ApiKeyQuery { page, ..ApiKeyQuery::default() };
    let keys = answered(services.api_keys.api_keys(account, keys, call.now())).await?;
    let step = |label, path: &str, is_done| Step { label, href: call.href(path), is_done };
    let steps = vec![
        step(say.step_products(), "products", !products.items.is_empty()),
        step(say.step_issuer(), "settings/invoicing", issuer.is_some()),
        step(say.step_key(), "settings/api-keys", !keys.items.is_empty()),
        step(say.step_order(), "orders/new", !orders.items.is_empty()),
    ];
    let is_any_left = steps.iter().any(|step| !step.is_done);
    Ok(if is_any_left { steps } else { Vec::new() })
}
