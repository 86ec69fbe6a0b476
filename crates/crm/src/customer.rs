//! Customers: who buys and to whom invoices are made out.

use kernel::{Message, Metadata, NewEvent, Timestamp, message, search::Terms};
use serde::{Deserialize, Serialize};

use crate::{CustomerGroupId, events};

kernel::ids! {
    /// A customer's identifier.
    CustomerId = "cus";
}

/// The most characters of a name.
pub const NAME_CHARS_MAX: usize = 200;
/// The most characters of a foreign tax identifier (cfdv40).
pub const FOREIGN_ID_CHARS_MAX: usize = 40;
/// The most addresses of one customer.
pub const ADDRESSES_MAX: usize = 20;
/// The most characters of a line of an address.
pub const ADDRESS_CHARS_MAX: usize = 200;

/// Where a customer can be reached by post.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Address {
    /// Purpose of the address, e.g. `shipping`.
    pub label: Option<String>,
    pub street: String,
    /// Neighborhood (colonia).
    pub neighborhood: Option<String>,
    pub city: Option<String>,
    pub state: Option<String>,
    pub zip: Option<String>,
    /// Country, ISO 3166-1 alpha-2.
    pub country: String,
}

/// A customer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Customer {
    pub id: CustomerId,
    /// The caller's own identifier, unique within the account.
    pub external_id: Option<String>,
    /// Display name.
    pub name: String,
    /// Unique within the account.
    pub email: Option<String>,
    /// E.164 format.
    pub phone: Option<String>,
    pub rfc: Option<String>,
    /// Legal name as registered with SAT.
    pub legal_name: Option<String>,
    /// Tax regime code (c_RegimenFiscal).
    pub tax_regime: Option<String>,
    /// Postal code of the tax address (domicilio fiscal).
    pub tax_zip: Option<String>,
    /// CFDI use code (c_UsoCFDI).
    pub cfdi_use: Option<String>,
    /// Country of residence of a foreigner (c_Pais).
    pub tax_residence: Option<String>,
    /// Tax identifier of a foreigner in that country (NumRegIdTrib).
    pub foreign_tax_id: Option<String>,
    /// The group that it is in.
    pub group: Option<CustomerGroupId>,
    pub addresses: Vec<Address>,
    /// Arbitrary key-value pairs of the caller.
    pub metadata: Metadata,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Number of changes, starting at 1.
    pub version: i64,
}

impl Customer {
    /// The terms under which it is found.
    #[must_use]
    pub fn terms(&self) -> Terms {
        let texts = [
            self.external_id.as_ref(),
            Some(&self.name),
            self.email.as_ref(),
            self.rfc.as_ref(),
            self.legal_name.as_ref(),
        ];
        let terms = Terms::default().texts(texts.into_iter().flatten().map(String::as_str));
        self.phone.iter().fold(terms, |terms, phone| terms.phone(phone)).metadata(&self.metadata)
    }
}

/// A customer to be added; its fields have been checked one by one.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewCustomer {
    /// The caller's own identifier, unique within the account.
    pub external_id: Option<String>,
    /// Display name.
    pub name: String,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub rfc: Option<String>,
    /// Legal name as registered with SAT.
    pub legal_name: Option<String>,
    /// Tax regime code (c_RegimenFiscal).
    pub tax_regime: Option<String>,
    /// Postal code of the tax address (domicilio fiscal).
    pub tax_zip: Option<String>,
    /// CFDI use code (c_UsoCFDI).
    pub cfdi_use: Option<String>,
    /// Country of residence of a foreigner (c_Pais).
    pub tax_residence: Option<String>,
    /// Tax identifier of a foreigner in that country (NumRegIdTrib).
    pub foreign_tax_id: Option<String>,
    /// The group that it is in.
    pub group: Option<CustomerGroupId>,
    pub addresses: Vec<Address>,
    /// Arbitrary key-value pairs of the caller.
    pub metadata: Metadata,
}

/// What to change of a customer; what is absent stays, and an inner `None` clears.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct CustomerChanges {
    /// The caller's own identifier, unique within the account.
    pub external_id: Option<Option<String>>,
    /// Display name.
    pub name: Option<String>,
    pub email: Option<Option<String>>,
    pub phone: Option<Option<String>>,
    pub rfc: Option<Option<String>>,
    /// Legal name as registered with SAT.
    pub legal_name: Option<Option<String>>,
    /// Tax regime code (c_RegimenFiscal).
    pub tax_regime: Option<Option<String>>,
    /// Postal code of the tax address (domicilio fiscal).
    pub tax_zip: Option<Option<String>>,
    /// CFDI use code (c_UsoCFDI).
    pub cfdi_use: Option<Option<String>>,
    /// Country of residence of a foreigner (c_Pais).
    pub tax_residence: Option<Option<String>>,
    /// Tax identifier of a foreigner in that country (NumRegIdTrib).
    pub foreign_tax_id: Option<Option<String>>,
    /// The group that it is in.
    pub group: Option<Option<CustomerGroupId>>,
    pub addresses: Option<Vec<Address>>,
    /// Arbitrary key-value pairs of the caller.
    pub metadata: Option<Metadata>,
}

/// Adds a customer.
#[must_use]
pub fn create(command: NewCustomer, id: CustomerId, now: Timestamp) -> (Customer, NewEvent) {
    let NewCustomer {
        external_id,
        name,
        email,
        phone,
        rfc,
        legal_name,
        tax_regime,
        tax_zip,
        cfdi_use,
        tax_residence,
        foreign_tax_id,
        group,
        addresses,
        metadata,
    } = command;
    let (created_at, updated_at, version) = (now, now, 1);
    let customer = Customer {
        id,
        external_id,
        name,
        email,
        phone,
        rfc,
        legal_name,
        tax_regime,
        tax_zip,
        cfdi_use,
        tax_residence,
        foreign_tax_id,
        group,
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
    set(&mut after.external_id, changes.external_id);
    set(&mut after.name, changes.name);
    set(&mut after.email, changes.email);
    set(&mut after.phone, changes.phone);
    set(&mut after.rfc, changes.rfc);
    set(&mut after.legal_name, changes.legal_name);
    set(&mut after.tax_regime, changes.tax_regime);
    set(&mut after.tax_zip, changes.tax_zip);
    set(&mut after.cfdi_use, changes.cfdi_use);
    set(&mut after.tax_residence, changes.tax_residence);
    set(&mut after.foreign_tax_id, changes.foreign_tax_id);
    set(&mut after.group, changes.group);
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
