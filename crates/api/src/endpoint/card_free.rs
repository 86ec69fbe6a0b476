//! Bodies in which no number of a payment card may stand. One that has it is refused before anything else is made of it:
//! no fault quotes it, no digest is taken of it, and nothing of it is kept.

use payments::card_data;
use serde_json::Value;

use super::takes::{Declared, Takes};
use crate::{call::Call, error::ApiError, refusals};

/// What is taken of a body without the number of a card.
pub(crate) struct CardFree<T> {
    takes: T,
    /// Whether a text holds the number of a card.
    is_in: fn(&str) -> bool,
}

/// What `takes` says, unless the number of a card stands in the body.
pub(crate) const fn card_free<T>(takes: T) -> CardFree<T> {
    CardFree { takes, is_in: card_data::is_in }
}

/// The same of a body that a program has written, in whose identifiers digits mean nothing.
pub(crate) const fn card_free_notice<T>(takes: T) -> CardFree<T> {
    CardFree { takes, is_in: card_data::is_in_program_text }
}

impl<T: Takes> Takes for CardFree<T> {
    type Value = T::Value;

    fn declare(&self, declared: &mut Declared) {
        self.takes.declare(declared);
        declared.is_card_free = true;
    }

    async fn take<A>(&self, call: &mut Call<A>) -> Result<T::Value, ApiError> {
        let is_in = self.is_in;
        let looking = call.read_body(move |body| match holds_card(body, is_in) {
            true => Err(refusals::card_data()),
            false => Ok(()),
        });
        looking.await?;
        self.takes.take(call).await
    }
}

/// Whether the number of a card stands in a body: in its text as it is, or in a text that JSON writes with escapes.
fn holds_card(body: &[u8], is_in: fn(&str) -> bool) -> bool {
    if is_in(&String::from_utf8_lossy(body)) {
        return true;
    }
    body.contains(&b'\\')
        && serde_json::from_slice::<Value>(body).is_ok_and(|value| is_in_value(&value, is_in))
}

fn is_in_value(value: &Value, is_in: fn(&str) -> bool) -> bool {
    match value {
        Value::String(text) => is_in(text),
        Value::Array(elements) => elements.iter().any(|element| is_in_value(element, is_in)),
        Value::Object(fields) => {
            fields.iter().any(|(name, field)| is_in(name) || is_in_value(field, is_in))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_are_found_wherever_they_stand() {
        for body in [
            r#"{"note": "4242 4242 4242 4242"}"#,
            r#"{"card": {"number": 4242424242424242}}"#,
            r#"{"metadata": {"4242-4242-4242-4242": "x"}}"#,
            r#"{"a": [{"b": "\u0034242424242424242"}]}"#,
            r#"{"\u0034242424242424242": 1}"#,
            "card=4242424242424242&amount=1",
            "{\"broken\": \"4242424242424242",
        ] {
            assert!(holds_card(body.as_bytes(), card_data::is_in), "{body}");
        }
        for body in [
            r#"{"orderId": "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF", "amount": 7000.01}"#,
            r#"{"payer": {"phone": "+525512345678"}, "reference": "646180110400000007"}"#,
            r#"{"note": "a \"quoted\" word"}"#,
            "",
        ] {
            assert!(!holds_card(body.as_bytes(), card_data::is_in), "{body}");
        }
    }
}
