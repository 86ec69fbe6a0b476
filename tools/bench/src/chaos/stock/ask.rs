//! What is asked of the server about stock, each under a key of its own and the same bytes each time.

use serde_json::{Value, json};

use crate::chaos::asked::{Outcome, Reading};
use crate::http::Request;

/// So much of a product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Goods {
    pub(super) product: String,
    /// In pieces, or in thousandths of what is weighed.
    pub(super) quantity: i64,
    pub(super) is_weighed: bool,
}

impl Goods {
    /// So much of the same.
    pub(super) fn with(&self, quantity: i64) -> Self {
        Self { quantity, ..self.clone() }
    }

    /// The quantity as the API has it.
    pub(super) fn units(&self) -> Value {
        match self.is_weighed {
            true => json!(self.quantity as f64 / 1_000.0),
            false => json!(self.quantity),
        }
    }

    /// What is on hand changes by so much of it.
    fn moved(&self, quantity: i64) -> Vec<(String, i64)> {
        vec![(self.product.clone(), quantity)]
    }
}

/// What an ask is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Order,
    Receipt,
    CancelReceipt,
    Adjust,
    Plan,
    Dispatch,
    Receive,
    CancelTransfer,
    OpenCount,
    Scan,
    PostCount,
    CancelCount,
    Ship,
    CancelShipment,
    Return,
    Reallocate,
}

impl Kind {
    /// Refusals that the API promises, whatever came first.
    const fn refusals(self) -> &'static [&'static str] {
        match self {
            Self::Order | Self::Adjust => &["insufficient_stock"],
            Self::Receipt | Self::Plan | Self::OpenCount => &[],
            Self::CancelReceipt | Self::Dispatch => &["insufficient_stock", "invalid_transition"],
            // More than is on its way is a mistake in the body.
            Self::Receive => &["invalid_transition", "validation_failed"],
            Self::CancelTransfer | Self::CancelCount => &["invalid_transition"],
            Self::Scan => &["invalid_transition", "stock_moved"],
            Self::PostCount => {
                &["invalid_transition", "stock_moved", "conflict", "insufficient_stock"]
            }
            Self::Ship | Self::CancelShipment | Self::Return => &["invalid_transition", "conflict"],
            Self::Reallocate => &["invalid_transition", "conflict", "insufficient_stock"],
        }
    }

    /// Whether what it makes has an identifier of its own.
    pub(super) const fn makes(self) -> bool {
        matches!(
            self,
            Self::Order
                | Self::Receipt
                | Self::Adjust
                | Self::Plan
                | Self::OpenCount
                | Self::Ship
                | Self::Return
        )
    }

    /// How an answer is to be taken.
    pub(super) fn reading(self, status: u16, code: &str) -> Reading {
        let done = if self.makes() { 201 } else { 200 };
        match status {
            _ if status == done => Reading::Done,
            409 if code == "idempotency_key_in_use" => Reading::Again,
            503 | 429 => Reading::Again,
            400 | 409 if self.refusals().contains(&code) => Reading::Refused,
            _ => Reading::Unexpected,
        }
    }
}

/// Something asked for.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    pub(super) kind: Kind,
    pub(super) key: String,
    pub(super) path: String,
    pub(super) body: String,
    /// What it is done to; what it makes may be of nothing.
    pub(super) about: Option<String>,
    /// What it is of.
    pub(super) lines: Vec<Goods>,
    /// How it changes what is on hand of each product, all places together.
    pub(super) moves: Vec<(String, i64)>,
    pub(super) outcome: Outcome,
}

impl Ask {
    pub(super) fn render(&self, api_key: &str) -> Vec<u8> {
        let mut request = Request::with_body("POST", &self.path, api_key, &self.body);
        request.idempotency_key = Some(&self.key);
        request.render()
    }

    /// How much it changes what is on hand, all products together.
    pub(super) fn moved(&self) -> i64 {
        self.moves.iter().map(|(_, quantity)| quantity).sum()
    }

    fn new(kind: Kind, path: &str, body: &Value) -> Self {
        // What takes no body gets none.
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let (key, path) = (String::new(), format!("/api/v1{path}"));
        let (lines, moves) = (Vec::new(), Vec::new());
        Self { kind, key, path, body, about: None, lines, moves, outcome: Outcome::Open }
    }

    pub(super) fn order(customer: &str, lines: Vec<Goods>) -> Self {
        let body = json!({"customerId": customer, "items": items(&lines)});
        Self { lines, ..Self::new(Kind::Order, "/orders", &body) }
    }

    /// Goods that come to a warehouse; some say what they have cost.
    pub(super) fn receipt(warehouse: &str, lines: Vec<Goods>, cost: Option<usize>) -> Self {
        let mut items = items(&lines);
        for item in items.iter_mut().filter_map(Value::as_object_mut) {
            item.insert("warehouseId".to_owned(), json!(warehouse));
            if let Some(cost) = cost {
                item.insert("unitCost".to_owned(), json!(cost));
            }
        }
        let body = json!({"supplier": "Barro SA", "items": items});
        let moves = lines.iter().flat_map(|goods| goods.moved(goods.quantity)).collect();
        Self { lines, moves, ..Self::new(Kind::Receipt, "/stock/receipts", &body) }
    }

    /// So much more in a warehouse, or less where it is negative.
    pub(super) fn adjust(warehouse: &str, goods: &Goods) -> Self {
        let item =
            json!({"productId": goods.product, "warehouseId": warehouse, "delta": goods.units()});
        let body = json!({"reason": "correction", "items": [item]});
        let moves = goods.moved(goods.quantity);
        Self { moves, ..Self::new(Kind::Adjust, "/stock/adjustments", &body) }
    }

    pub(super) fn plan(from: &str, to: &str, goods: Goods) -> Self {
        let lines = vec![goods];
        let body = json!({"fromWarehouseId": from, "toWarehouseId": to, "items": items(&lines)});
        Self { lines, ..Self::new(Kind::Plan, "/transfers", &body) }
    }

    /// Something done to a thing, which says nothing else and changes so much of what is on hand.
    pub(super) fn act(kind: Kind, thing: &str, moves: Vec<(String, i64)>) -> Self {
        let (path, body) = match kind {
            Kind::Dispatch => (format!("/transfers/{thing}/dispatch"), Value::Null),
            Kind::CancelTransfer => (format!("/transfers/{thing}/cancel"), Value::Null),
            Kind::CancelReceipt => (format!("/stock/receipts/{thing}/cancel"), Value::Null),
            Kind::CancelShipment => (format!("/shipments/{thing}/cancel"), Value::Null),
            Kind::CancelCount => (format!("/stock/counts/{thing}/cancel"), Value::Null),
            _ => (format!("/stock/counts/{thing}/post"), json!({})),
        };
        Self { about: Some(thing.to_owned()), moves, ..Self::new(kind, &path, &body) }
    }

    /// What has arrived of the only line of a transfer, which is of such goods.
    pub(super) fn receive(transfer: &str, goods: &Goods, parts: [i64; 4]) -> Self {
        let [_, damaged, lost, found] = parts;
        let moves = goods.moved(found - lost - damaged);
        let [received, damaged, lost, found] = parts.map(|part| goods.with(part).units());
        let item = json!({"line": 1, "received": received, "damaged": damaged, "lost": lost,
            "found": found, "reason": "Caja mojada"});
        let path = format!("/transfers/{transfer}/receive");
        let ask = Self::new(Kind::Receive, &path, &json!({"items": [item]}));
        Self { about: Some(transfer.to_owned()), moves, ..ask }
    }

    pub(super) fn open_count(warehouse: &str) -> Self {
        Self::new(Kind::OpenCount, "/stock/counts", &json!({"warehouseId": warehouse}))
    }

    pub(super) fn scan(count: &str, code: &str, goods: Goods) -> Self {
        let path = format!("/stock/counts/{count}/scan");
        let body = json!({"code": code, "quantity": goods.units()});
        let ask = Self::new(Kind::Scan, &path, &body);
        Self { about: Some(count.to_owned()), lines: vec![goods], ..ask }
    }

    /// Goods of a line of an order, from 1, that leave a warehouse.
    pub(super) fn ship(order: &str, line: usize, warehouse: &str, goods: Goods) -> Self {
        let item = json!({"line": line, "quantity": goods.units()});
        let body = json!({"warehouseId": warehouse, "items": [item]});
        let ask = Self::new(Kind::Ship, &format!("/orders/{order}/shipments"), &body);
        let moves = goods.moved(-goods.quantity);
        Self { about: Some(order.to_owned()), lines: vec![goods], moves, ..ask }
    }

    /// Goods of a line of an order, from 1, that come back or will never leave.
    pub(super) fn give_back(
        order: &str,
        line: usize,
        goods: &Goods,
        (is_unshipped, is_restocked): (bool, bool),
    ) -> Self {
        let item = json!({"line": line, "quantity": goods.units(), "restock": is_restocked});
        let body = json!({"items": [item], "reason": "Rota", "unshipped": is_unshipped});
        let moved = match (is_unshipped, is_restocked) {
            (false, true) => goods.quantity,
            (true, false) => -goods.quantity,
            // It stays where it lies, or comes back to no shelf.
            _ => 0,
        };
        let ask = Self::new(Kind::Return, &format!("/orders/{order}/returns"), &body);
        Self { about: Some(order.to_owned()), moves: goods.moved(moved), ..ask }
    }

    /// Goods of a line of an order, from 1, that are promised from elsewhere.
    pub(super) fn reallocate(
        order: &str,
        line: usize,
        goods: Goods,
        (from, to): (&str, &str),
    ) -> Self {
        let item = json!({"line": line, "quantity": goods.units(), "from": from, "to": to});
        let path = format!("/orders/{order}/reallocate");
        let ask = Self::new(Kind::Reallocate, &path, &json!({"items": [item]}));
        Self { about: Some(order.to_owned()), lines: vec![goods], ..ask }
    }
}

fn items(lines: &[Goods]) -> Vec<Value> {
    let item = |goods: &Goods| json!({"productId": goods.product, "quantity": goods.units()});
    lines.iter().map(item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(quantity: i64) -> Goods {
        Goods { product: "prd_1".to_owned(), quantity, is_weighed: false }
    }

    #[test]
    fn asks_say_what_they_change() {
        for (ask, moved) in [
            (Ask::order("cus_1", vec![pieces(2)]), 0),
            (Ask::receipt("whs_1", vec![pieces(2), pieces(3)], Some(7)), 5),
            (Ask::adjust("whs_1", &pieces(-4)), -4),
            (Ask::plan("whs_1", "whs_2", pieces(3)), 0),
            (Ask::receive("trf_1", &pieces(9), [5, 2, 1, 4]), 1),
            (Ask::scan("cnt_1", "SKU-1", pieces(9)), 0),
            (Ask::ship("ord_1", 1, "whs_1", pieces(2)), -2),
            (Ask::give_back("ord_1", 1, &pieces(2), (false, true)), 2),
            (Ask::give_back("ord_1", 1, &pieces(2), (false, false)), 0),
            (Ask::give_back("ord_1", 1, &pieces(2), (true, true)), 0),
            (Ask::give_back("ord_1", 1, &pieces(2), (true, false)), -2),
            (Ask::reallocate("ord_1", 1, pieces(2), ("whs_1", "whs_2")), 0),
            (Ask::act(Kind::CancelReceipt, "rcp_1", vec![("prd_1".to_owned(), -2)]), -2),
        ] {
            assert_eq!(ask.moved(), moved, "{ask:?}");
        }
        let receipt = Ask::receipt("whs_1", vec![pieces(2)], None);
        assert_eq!(receipt.path, "/api/v1/stock/receipts");
        let body: Value = serde_json::from_str(&receipt.body).unwrap();
        let item = json!({"productId": "prd_1", "quantity": 2, "warehouseId": "whs_1"});
        assert_eq!(body["items"], json!([item]));
        assert_eq!(Ask::act(Kind::Dispatch, "trf_1", Vec::new()).body, "");
        assert_eq!(Ask::act(Kind::PostCount, "cnt_1", Vec::new()).body, "{}");
    }

    #[test]
    fn what_is_weighed_is_sent_in_units_and_counted_in_thousandths() {
        let cheese = Goods { is_weighed: true, ..pieces(350) };
        let adjusted = Ask::adjust("whs_1", &cheese.with(-1_005));
        assert!(adjusted.body.contains(r#""delta":-1.005"#), "{}", adjusted.body);
        assert_eq!(adjusted.moved(), -1_005);
        let arrived = Ask::receive("trf_1", &cheese, [0, 1, 20, 300]);
        assert!(arrived.body.contains(r#""damaged":0.001"#), "{}", arrived.body);
        assert_eq!((arrived.moved(), cheese.units()), (279, json!(0.35)));
    }

    #[test]
    fn only_what_the_api_promises_is_expected() {
        assert_eq!(Kind::Receipt.reading(201, ""), Reading::Done);
        assert_eq!(Kind::Dispatch.reading(200, ""), Reading::Done);
        assert_eq!(Kind::Dispatch.reading(201, ""), Reading::Unexpected);
        assert_eq!(Kind::Order.reading(409, "insufficient_stock"), Reading::Refused);
        assert_eq!(Kind::Order.reading(409, "conflict"), Reading::Unexpected);
        assert_eq!(Kind::Receive.reading(400, "validation_failed"), Reading::Refused);
        assert_eq!(Kind::Plan.reading(400, "validation_failed"), Reading::Unexpected);
        assert_eq!(Kind::Ship.reading(503, "unavailable"), Reading::Again);
        assert_eq!(Kind::Scan.reading(409, "idempotency_key_in_use"), Reading::Again);
        assert_eq!(Kind::Scan.reading(500, "internal_error"), Reading::Unexpected);
    }
}
