//! What is asked of the server about money, each under a key of its own and the same bytes each time.

use serde_json::json;

use crate::chaos::asked::{Outcome, Reading};
use crate::http::Request;

/// What an ask is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Order,
    Pay,
    Capture,
    Cancel,
    Refund,
    Simulate,
    Resolve,
    Return,
    CancelOrder,
    MarkPaid,
}

impl Kind {
    /// Refusals that the API promises, whatever came first.
    const fn refusals(self) -> &'static [&'static str] {
        match self {
            Self::Order => &["insufficient_stock"],
            Self::Pay => &["amount_exceeds_due", "order_cancelled"],
            Self::Capture => {
                &["invalid_transition", "call_in_progress", "amount_exceeds_authorized"]
            }
            Self::Cancel => &["invalid_transition", "call_in_progress"],
            Self::Refund => {
                &["invalid_transition", "refund_exceeds_refundable", "method_not_refundable"]
            }
            Self::Simulate => &["conflict", "call_in_progress"],
            Self::Resolve => &["conflict"],
            Self::Return | Self::CancelOrder | Self::MarkPaid => {
                &["invalid_transition", "conflict"]
            }
        }
    }

    /// Whether what it makes has an identifier of its own.
    pub(super) const fn makes(self) -> bool {
        matches!(self, Self::Order | Self::Pay | Self::Refund | Self::Return)
    }

    /// Whether its key makes a repetition the same request.
    pub(super) const fn is_keyed(self) -> bool {
        !matches!(self, Self::CancelOrder | Self::MarkPaid)
    }

    /// How an answer is to be taken.
    pub(super) fn reading(self, status: u16, code: &str) -> Reading {
        let done = if self.makes() { 201 } else { 200 };
        match status {
            _ if status == done => Reading::Done,
            409 if code == "idempotency_key_in_use" => Reading::Again,
            503 | 429 => Reading::Again,
            // An attempt of the server that died is waited for until its claim has run out.
            504 if code == "provider_timeout" => Reading::Again,
            409 if self.refusals().contains(&code) => Reading::Refused,
            _ => Reading::Unexpected,
        }
    }
}

/// Something asked for.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    pub(super) kind: Kind,
    pub(super) key: String,
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) body: String,
    /// The order or payment that it is about; what it makes may be about none.
    pub(super) about: Option<String>,
    /// In cents, where one was named.
    pub(super) amount: Option<i64>,
    pub(super) outcome: Outcome,
}

impl Ask {
    pub(super) fn render(&self, api_key: &str) -> Vec<u8> {
        let mut request = Request::with_body(self.method, &self.path, api_key, &self.body);
        request.idempotency_key = Some(&self.key);
        request.render()
    }

    fn new(kind: Kind, method: &'static str, path: String, body: String) -> Self {
        let (key, outcome) = (String::new(), Outcome::Open);
        Self { kind, key, method, path, body, about: None, amount: None, outcome }
    }

    pub(super) fn order(customer: &str, items: &[(String, i64)]) -> Self {
        let item = |(id, quantity): &(String, i64)| json!({"productId": id, "quantity": quantity});
        let items: Vec<_> = items.iter().map(item).collect();
        let body = json!({"customerId": customer, "items": items}).to_string();
        Self::new(Kind::Order, "POST", "/api/v1/orders".to_owned(), body)
    }

    pub(super) fn pay(wanted: &Paying) -> Self {
        let Paying { order, method, amount, captures, overpays, place } = wanted;
        let mut body = format!(r#"{{"method":"{method}""#);
        match order {
            Some(order) => body.push_str(&format!(r#","orderId":"{order}""#)),
            None => body.push_str(r#","currency":"MXN""#),
        }
        if let Some(amount) = amount {
            body.push_str(&format!(r#","amount":{}"#, pesos(*amount)));
        }
        if !captures {
            body.push_str(r#","capture":false"#);
        }
        match place {
            Place::Default => {}
            Place::Outside => body.push_str(r#","provider":"stripe""#),
            Place::PageOutside => {
                body.push_str(r#","provider":"stripe","returnUrl":"https://shop.example/gracias""#);
            }
        }
        if *overpays {
            body.push_str(r#","allowOverpayment":true"#);
        }
        body.push('}');
        let ask = Self::new(Kind::Pay, "POST", "/api/v1/payments".to_owned(), body);
        Self { about: order.clone(), amount: *amount, ..ask }
    }

    /// Something done with a payment, of so much where an amount is named.
    pub(super) fn of_payment(kind: Kind, payment: &str, amount: Option<i64>, more: &str) -> Self {
        let action = match kind {
            Kind::Capture => "capture",
            Kind::Cancel => "cancel",
            Kind::Refund => "refunds",
            Kind::Resolve => "resolve",
            _ => "simulate",
        };
        let amount_text = amount.map(|amount| format!(r#""amount":{}"#, pesos(amount)));
        let parts = [Some(more.to_owned()).filter(|more| !more.is_empty()), amount_text];
        let body = parts.into_iter().flatten().collect::<Vec<_>>().join(",");
        // Calling off takes no body.
        let body = if kind == Kind::Cancel { String::new() } else { format!("{{{body}}}") };
        let ask = Self::new(kind, "POST", format!("/api/v1/payments/{payment}/{action}"), body);
        Self { about: Some(payment.to_owned()), amount, ..ask }
    }

    /// A change of an order.
    pub(super) fn of_order(kind: Kind, order: &str) -> Self {
        let body = match kind {
            Kind::CancelOrder => {
                r#"{"status":"cancelled","reason":"changed their mind","refund":true}"#
            }
            _ => r#"{"status":"paid"}"#,
        };
        let ask = Self::new(kind, "PATCH", format!("/api/v1/orders/{order}"), body.to_owned());
        Self { about: Some(order.to_owned()), ..ask }
    }

    /// A piece of the first line of an order that comes back.
    pub(super) fn return_of(order: &str, refunds: bool) -> Self {
        let body = format!(
            r#"{{"items":[{{"line":1,"quantity":1,"restock":true}}],"reason":"withered","refund":{refunds}}}"#
        );
        let ask = Self::new(Kind::Return, "POST", format!("/api/v1/orders/{order}/returns"), body);
        Self { about: Some(order.to_owned()), ..ask }
    }
}

/// A payment to be asked for.
#[derive(Clone, Debug)]
pub(super) struct Paying {
    pub(super) order: Option<String>,
    pub(super) method: &'static str,
    /// In cents; all that is due if absent.
    pub(super) amount: Option<i64>,
    pub(super) captures: bool,
    pub(super) overpays: bool,
    pub(super) place: Place,
}

/// Where money is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// By whom the account has by default for the method.
    Default,
    Outside,
    /// On a page of the provider outside.
    PageOutside,
}

/// Cents as a decimal.
fn pesos(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asks_are_bodies_of_the_api() {
        let paying = Paying {
            order: Some("ord_1".to_owned()),
            method: "card",
            amount: Some(700_006),
            captures: false,
            overpays: true,
            place: Place::Default,
        };
        let expected = r#"{"method":"card","orderId":"ord_1","amount":7000.06,"capture":false,"allowOverpayment":true}"#;
        assert_eq!(Ask::pay(&paying).body, expected);
        let refund = Ask::of_payment(Kind::Refund, "pay_1", Some(5), r#""manual":true"#);
        assert_eq!(refund.body, r#"{"manual":true,"amount":0.05}"#);
        assert_eq!(refund.path, "/api/v1/payments/pay_1/refunds");
        for ask in [Ask::order("cus_1", &[("prd_1".to_owned(), 2)]), Ask::return_of("ord_1", true)]
        {
            assert!(serde_json::from_str::<serde_json::Value>(&ask.body).is_ok());
        }
    }

    #[test]
    fn only_what_the_api_promises_is_expected() {
        assert_eq!(Kind::Pay.reading(201, ""), Reading::Done);
        assert_eq!(Kind::Capture.reading(200, ""), Reading::Done);
        assert_eq!(Kind::Pay.reading(409, "amount_exceeds_due"), Reading::Refused);
        assert_eq!(Kind::Pay.reading(409, "invalid_transition"), Reading::Unexpected);
        assert_eq!(Kind::Pay.reading(503, "service_unavailable"), Reading::Again);
        assert_eq!(Kind::Pay.reading(500, "internal_error"), Reading::Unexpected);
    }
}
