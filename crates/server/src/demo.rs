//! `trastienda serve --demo`: a shop to try the service on, made once, and requests that work as printed.

mod assortment;
mod catalog;
mod key_file;
mod places;
mod sales;
mod shop;
mod trade;

use api::{Clock, SystemClock};
use catalog::ORDERED_QUANTITY;

use crate::{
    beside::{Beside, FOR_LINKS},
    data_dir, output,
    service::Running,
};
use shop::{Shop, USER_EMAIL};

/// Makes what is missing of the demo and prints how to use it.
///
/// # Errors
/// When the database refuses, or the key cannot be kept.
pub(crate) fn show(beside: &Beside<'_>, running: &Running) -> anyhow::Result<()> {
    let settings = beside.settings;
    data_dir::create(&settings.data_dir)?;
    let now = SystemClock.now();
    let file = settings.data_dir.join("demo.key");
    let store = running.store();
    let shop = shop::prepare(store, settings.brand.as_str(), &file, now)?;
    let panel = shop::panel_link(store, shop.account, &running.url(), now)?;
    // Another key for every start: within one, pasting the order twice shows a replay, not a second order.
    let idempotency_key = format!("demo-{}", now.micros() / 1_000_000);
    for line in guide(&running.url(), &shop, &panel, &idempotency_key) {
        output::say(line);
    }
    let reset = beside.command(&format!("users reset-password {USER_EMAIL}"), FOR_LINKS);
    for line in beside.note().into_iter().chain([reset]) {
        output::say(line);
    }
    Ok(())
}

/// Everything that stands between quotes here is letters, digits and punctuation that bash leaves alone.
fn guide(host: &str, shop: &Shop, panel: &str, idempotency_key: &str) -> Vec<String> {
    let Shop { key, customer, product, pay, .. } = shop;
    let base = format!("{host}{}", api::BASE_PATH);
    let auth = format!("-H 'Authorization: Bearer {key}'");
    let order = format!(
        r#"{{"customerId":"{customer}","items":[{{"productId":"{product}","quantity":{ORDERED_QUANTITY}}}]}}"#
    );
    let invoice = format!(
        r#"{{"type":"I","customerId":"{customer}","paymentForm":"01","items":[{{"productId":"{product}","quantity":1}}]}}"#
    );
    vec![
        format!("Base URL: {base}"),
        format!("API key:  {key}"),
        format!("API docs: {host}{}", api::DOCS_PATH),
        format!("Pay page: {host}/pay/{}", pay.reveal()),
        format!("Panel:    {panel} (works once)"),
        String::new(),
        "# Create an order:".to_owned(),
        format!(
            "curl -sS -X POST '{base}/orders' {auth} -H 'Content-Type: application/json' \
             -H 'Idempotency-Key: {idempotency_key}' -d '{order}'"
        ),
        String::new(),
        "# List the products:".to_owned(),
        format!("curl -sS '{base}/products?limit=20' {auth}"),
        String::new(),
        "# Create an invoice, have the sandbox stamp it, and download its PDF:".to_owned(),
        format!(
            "ID=$(curl -sS -X POST '{base}/invoices' {auth} -H 'Content-Type: application/json' \
             -d '{invoice}' | grep -o 'inv_[0-9A-Z]*' | head -n 1)"
        ),
        format!("curl -sS -X POST \"{base}/invoices/$ID/timbrar\" {auth}"),
        format!("curl -sS -o invoice.pdf \"{base}/invoices/$ID/pdf\" {auth}"),
        String::new(),
        "# Make a link that sets a password for the panel: keys, team and the like ask for it."
            .to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guide_is_ready_to_paste() {
        let shop = Shop {
            key: "service_abc".to_owned(),
            account: kernel::AccountId::from_u128(1),
            customer: crm::CustomerId::from_u128(2),
            product: ::catalog::ProductId::from_u128(3),
            pay: links::Token::from_random([7; 18]),
        };
        let guide = guide(
            "http://127.0.0.1:8080",
            &shop,
            "http://127.0.0.1:8080/panel/sign-in/x",
            "demo-1",
        );
        let order = guide.iter().find(|line| line.contains("POST")).unwrap();
        assert!(order.starts_with("curl -sS -X POST 'http://127.0.0.1:8080/api/v1/orders' "));
        assert!(order.contains("-H 'Authorization: Bearer service_abc'"));
        assert!(order.contains("-H 'Idempotency-Key: demo-1'"));
        assert!(order.contains(r#"-d '{"customerId":"cus_00000000000000000000000002","#));
        assert!(guide.iter().all(|line| !line.contains('\n')));
    }
}
