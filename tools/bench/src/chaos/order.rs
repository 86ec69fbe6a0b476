//! An order as the API shows it, compared by what a customer cares about.

use serde_json::Value;

use crate::service::client::text_field;

/// How many pieces of which product, by its place in the shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Line {
    pub(crate) product: usize,
    pub(crate) quantity: i64,
}

/// A product that is sold in this run.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    pub(crate) id: String,
    pub(crate) price_cents: i64,
    pub(crate) initial_stock: i64,
}

/// The parts of an order that must survive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShownOrder {
    pub(crate) id: String,
    pub(crate) number: String,
    pub(crate) status: String,
    pub(crate) total_cents: i64,
    /// In the order of the products, as the order of items promises nothing.
    pub(crate) lines: Vec<Line>,
}

impl ShownOrder {
    /// Reads an order; `None` when a part is missing or no product of ours is named.
    pub(crate) fn read(order: &Value, products: &[Product]) -> Option<Self> {
        let text = |name| Some(text_field(order, name)).filter(|text| !text.is_empty());
        let items = order.get("items")?.as_array()?;
        let mut lines: Vec<Line> =
            items.iter().map(|item| read_line(item, products)).collect::<Option<_>>()?;
        lines.sort_unstable();
        Some(Self {
            id: text("id")?,
            number: text("orderNumber")?,
            status: text("status")?,
            total_cents: cents(order.get("totalAmount")?)?,
            lines,
        })
    }
}

/// What the lines cost.
pub(crate) fn total_cents(lines: &[Line], products: &[Product]) -> i64 {
    let price = |line: &Line| products.get(line.product).map_or(0, |product| product.price_cents);
    lines.iter().map(|line| price(line) * line.quantity).sum()
}

fn read_line(item: &Value, products: &[Product]) -> Option<Line> {
    let id = item.get("productId")?.as_str()?;
    let product = products.iter().position(|product| product.id == id)?;
    Some(Line { product, quantity: item.get("quantity")?.as_i64()? })
}

#[expect(clippy::cast_possible_truncation, reason = "the totals of this run are small")]
fn cents(amount: &Value) -> Option<i64> {
    amount.as_f64().map(|amount| (amount * 100.0).round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn products() -> Vec<Product> {
        let product = |id: &str| Product { id: id.into(), price_cents: 1999, initial_stock: 5 };
        vec![product("prd_a"), product("prd_b")]
    }

    #[test]
    fn an_order_is_read_whatever_the_order_of_its_items() {
        let item = |id: &str, quantity: i64| json!({"productId": id, "quantity": quantity});
        let mut order = json!({
            "id": "ord_1", "orderNumber": "ORD-000001", "status": "pending",
            "totalAmount": 59.97, "items": [item("prd_b", 1), item("prd_a", 2)]
        });
        let shown = ShownOrder::read(&order, &products()).unwrap();
        let lines = [Line { product: 0, quantity: 2 }, Line { product: 1, quantity: 1 }];
        assert_eq!(shown.lines, lines);
        assert_eq!(shown.total_cents, total_cents(&lines, &products()));
        order["items"][0]["productId"] = json!("prd_unknown");
        assert_eq!(ShownOrder::read(&order, &products()), None);
    }
}
