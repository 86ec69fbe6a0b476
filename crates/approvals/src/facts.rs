//! What is known of something to be approved.

use std::collections::BTreeMap;

use kernel::{Amount, Currency};

use crate::{Field, Value};

/// What is known, by field; what is not known meets no condition but `ne`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The currency of what is money.
    pub currency: Option<Currency>,
    /// What is known.
    pub known: BTreeMap<Field, Value>,
}

impl Facts {
    /// Nothing yet, in this currency.
    #[must_use]
    pub fn new(currency: Option<Currency>) -> Self {
        Self { currency, known: BTreeMap::new() }
    }

    /// With a number, or an amount in their currency.
    #[must_use]
    pub fn number(mut self, field: Field, number: Amount) -> Self {
        self.known.insert(field, Value::Number(number));
        self
    }

    /// With a text, where there is one.
    #[must_use]
    pub fn text(mut self, field: Field, text: Option<String>) -> Self {
        self.known.extend(text.map(|text| (field, Value::Text(text))));
        self
    }
}
