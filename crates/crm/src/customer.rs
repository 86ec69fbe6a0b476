//! Customers: who buys and to whom invoices are made out.

use kernel::{Message, Metadata, NewEvent, Timestamp, message};
use serde::{Deserialize, Serialize};

use crate::events;

kernel::ids! {
    /// A customer's identifier.
    CustomerId = "cus";
}

/// The most characters of a name.
pub const NAME_CHARS_MAX: usize = 200;
/// The most addresses of one customer.
pub const ADDRESSES_MAX: usize = 20;
/// The most characters of a line of an address.
pub const ADDRESS_CHARS_MAX: usize = 200;

/// Where a customer can be reached by post.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    /// What it is for, e.g. `shipping`.
    pub label: Option<String>,
    /// Street and number.
    pub street: String,
    /// Neighbourhood (colonia).
    pub neighborhood: Option<String>,
    /// City or municipality.
    pub city: Option<String>,
    /// State.
    pub state: Option<String>,
    /// Postal code.
    pub zip: Option<String>,
    /// Country, ISO 3166-1 alpha-2.
    pub country: String,
}

/// A customer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Customer {
    /// Its identifier.
    pub id: CustomerId,
    /// What people call it.
    pub name: String,
    /// Its e-mail address, unique in the account.
    pub email: Option<String>,
    /// Its telephone number, E.164.
    pub phone: Option<String>,
    /// Its RFC.
    pub rfc: Option<String>,
    /// Its name as SAT registered it.
    pub legal_name: Option<String>,
    /// Its fiscal regime (c_RegimenFiscal).
    pub tax_regime: Option<String>,
    /// The postal code of its fiscal domicile.
    pub tax_zip: Option<String>,
    /// What it uses invoices for (c_UsoCFDI).
    pub cfdi_use: Option<String>,
    /// Its addresses.
    pub addresses: Vec<Address>,
    /// The caller's own notes.
    pub metadata: Metadata,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts its changes, from 1.
    pub version: i64,
}

/// A customer to be added; its fields have been checked one by one.
#[derive(Clone, Debug)]
pub struct NewCustomer {
    /// What people call it.
    pub name: String,
    /// Its e-mail address.
    pub email: Option<String>,
    /// Its telephone number.
    pub phone: Option<String>,
    /// Its RFC.
    pub rfc: Option<String>,
    /// Its name as SAT registered it.
    pub legal_name: Option<String>,
    /// Its fiscal regime.
    pub tax_regime: Option<String>,
    /// The postal code of its fiscal domicile.
    pub tax_zip: Option<String>,
    /// What it uses invoices for.
    pub cfdi_use: Option<String>,
    /// Its addresses.
    pub addresses: Vec<Address>,
    /// The caller's own notes.
    pub metadata: Metadata,
}

/// What to change of a customer; what is absent stays, and an inner `None` clears.
#[derive(Clone, Debug, Default)]
pub struct CustomerChanges {
    /// What people call it.
    pub name: Option<String>,
    /// Its e-mail address.
    pub email: Option<Option<String>>,
    /// Its telephone number.
    pub phone: Option<Option<String>>,
    /// Its RFC.
    pub rfc: Option<Option<String>>,
    /// Its name as SAT registered it.
    pub legal_name: Option<Option<String>>,
    /// Its fiscal regime.
    pub tax_regime: Option<Option<String>>,
    /// The postal code of its fiscal domicile.
    pub tax_zip: Option<Option<String>>,
    /// What it uses invoices for.
    pub cfdi_use: Option<Option<String>>,
    /// Its addresses.
    pub addresses: Option<Vec<Address>>,
    /// The caller's own notes.
    pub metadata: Option<Metadata>,
}

/// Adds a customer.
#[must_use]
pub fn create(command: NewCustomer, id: CustomerId, now: Timestamp) -> (Customer, NewEvent) {
    let NewCustomer {
        name,
        email,
        phone,
        rfc,
        legal_name,
        tax_regime,
        tax_zip,
        cfdi_use,
        addresses,
        metadata,
    } = command;
    let (created_at, updated_at, version) = (now, now, 1);
    let customer = Customer {
        id,
        name,
        email,
        phone,
        rfc,
        legal_name,
        tax_regime,
        tax_zip,
        cfdi_use,
        addresses,
        metadata,
        created_at,
        updated_at,
        version,
    };
    let event = events::contact_created(&customer);
    (customer, event)
}

/// Changes a customer; only a real change makes a new version.
#[must_use]
pub fn update(before: &Customer, changes: CustomerChanges, now: Timestamp) -> Customer {
    let mut after = before.clone();
    set(&mut after.name, changes.name);
    set(&mut after.email, changes.email);
    set(&mut after.phone, changes.phone);
    set(&mut after.rfc, changes.rfc);
    set(&mut after.legal_name, changes.legal_name);
    set(&mut after.tax_regime, changes.tax_regime);
    set(&mut after.tax_zip, changes.tax_zip);
    set(&mut after.cfdi_use, changes.cfdi_use);
    set(&mut after.addresses, changes.addresses);
    set(&mut after.metadata, changes.metadata);
    if after != *before {
        after.updated_at = now;
        after.version += 1;
    }
    after
}

/// Sets a field; an equal value in another spelling leaves it alone.
pub(crate) fn set<T: PartialEq>(field: &mut T, change: Option<T>) {
    if let Some(value) = change.filter(|value| value != field) {
        *field = value;
    }
}

/// Checks a country code, ISO 3166-1 alpha-2 in upper case.
///
/// # Errors
/// A clause that follows the field's name.
pub fn checked_country(text: &str) -> Result<String, Message> {
    let well_formed = text.len() == 2 && text.bytes().all(|b| b.is_ascii_uppercase());
    if well_formed {
        Ok(text.to_owned())
    } else {
        Err(message!(
            "must be a country code of two capitals such as \"MX\"",
            "debe ser un código de país de dos mayúsculas, como \"MX\""
        ))
    }
}
