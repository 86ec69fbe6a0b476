//! What a row of a table of customers says, and what it makes of a customer.

mod register;

use std::collections::BTreeMap;

use cfdi::catalogs::{countries, postal_codes, regimes, uses};
use crm::{
    Address, Customer, CustomerChanges, NewCustomer,
    customer::{self, ADDRESS_CHARS_MAX, FOREIGN_ID_CHARS_MAX, NAME_CHARS_MAX, checked_country},
    tax,
};
use kernel::{Timestamp, text};

use crate::{
    Cell, Code, Column, Dialect, Problem, RowKey, RowReader, Verdict, code,
    reader::{Reading, Said, line},
};

pub use register::{Register, Registered};

/// By what a customer is found.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CustomerKey {
    /// By the caller's own identifier.
    ExternalId(String),
    /// By the e-mail address, in lower case.
    Email(String),
    /// By the telephone number, where it has neither.
    Phone(String),
}

/// What a row of a table of customers wants.
#[derive(Clone, Debug)]
pub struct WantedCustomer {
    /// What it says but for addresses.
    pub changes: CustomerChanges,
    /// The name of a new customer where the row has none: of the firm, or the family name alone.
    pub name_if_new: Option<String>,
    /// What it says of the first address.
    pub address: WantedAddress,
    /// What was made of the row that its author may want to know.
    pub warnings: Vec<Problem>,
}

/// What a row says of an address: what is absent stays, and an inner `None` clears.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct WantedAddress {
    pub street: Option<String>,
    pub neighborhood: Option<Option<String>>,
    pub city: Option<Option<String>>,
    pub state: Option<Option<String>>,
    pub zip: Option<Option<String>>,
    pub country: Option<String>,
}

impl WantedCustomer {
    /// What it says, by field: as a dry run shows it.
    #[must_use]
    pub fn shown(&self) -> BTreeMap<String, String> {
        let CustomerChanges { external_id, name, email, phone, rfc, legal_name, .. } =
            &self.changes;
        let CustomerChanges {
            tax_regime, tax_zip, cfdi_use, tax_residence, foreign_tax_id, ..
        } = &self.changes;
        let WantedAddress { street, neighborhood, city, state, zip, country } = &self.address;
        let said = |field: &Option<Option<String>>| field.clone().flatten();
        let fields = [
            (Column::ExternalId, said(external_id)),
            (Column::Name, name.as_ref().or(self.name_if_new.as_ref()).cloned()),
            (Column::Email, said(email)),
            (Column::Phone, said(phone)),
            (Column::Rfc, said(rfc)),
            (Column::LegalName, said(legal_name)),
            (Column::TaxRegime, said(tax_regime)),
            (Column::TaxZip, said(tax_zip)),
            (Column::CfdiUse, said(cfdi_use)),
            (Column::TaxResidence, said(tax_residence)),
            (Column::ForeignTaxId, said(foreign_tax_id)),
            (Column::Street, street.clone()),
            (Column::Neighborhood, said(neighborhood)),
            (Column::City, said(city)),
            (Column::State, said(state)),
            (Column::Zip, said(zip)),
            (Column::Country, country.clone()),
        ];
        let shown = fields.into_iter().filter_map(|(column, value)| Some((column, value?)));
        shown.map(|(column, value)| (column.name().to_owned(), value)).collect()
    }

    /// By what the customer is found, the first that finds one: a telephone number only where the row has nothing else,
    /// for families share theirs.
    #[must_use]
    pub fn keys(&self) -> Vec<CustomerKey> {
        let said = |field: &Option<Option<String>>| field.clone().flatten();
        let id = said(&self.changes.external_id).map(CustomerKey::ExternalId);
        let email = said(&self.changes.email).map(|email| CustomerKey::Email(email.to_lowercase()));
        let keys: Vec<CustomerKey> = id.into_iter().chain(email).collect();
        if !keys.is_empty() {
            return keys;
        }
        said(&self.changes.phone).map(CustomerKey::Phone).into_iter().collect()
    }

    /// The customer that the row adds.
    ///
    /// # Errors
    /// What it lacks.
    pub fn new_customer(&self) -> Result<NewCustomer, Vec<Problem>> {
        let CustomerChanges { external_id, name, email, phone, rfc, legal_name, .. } =
            self.changes.clone();
        let CustomerChanges {
            tax_regime, tax_zip, cfdi_use, tax_residence, foreign_tax_id, ..
        } = self.changes.clone();
        let required = |column| vec![Problem::of(column, Code::Required, "")];
        Ok(NewCustomer {
            external_id: external_id.flatten(),
            name: name
                .or_else(|| self.name_if_new.clone())
                .ok_or_else(|| required(Column::Name))?,
            email: email.flatten(),
            phone: phone.flatten(),
            rfc: rfc.flatten(),
            legal_name: legal_name.flatten(),
            tax_regime: tax_regime.flatten(),
            tax_zip: tax_zip.flatten(),
            cfdi_use: cfdi_use.flatten(),
            tax_residence: tax_residence.flatten(),
            foreign_tax_id: foreign_tax_id.flatten(),
            group: None,
            addresses: self.address.of(None)?.into_iter().collect(),
            metadata: kernel::Metadata::default(),
        })
    }

    /// A customer as the row changes it.
    ///
    /// # Errors
    /// What its address lacks.
    pub fn changed(
        &self,
        before: &Customer,
        now: Timestamp,
    ) -> Result<(Customer, Verdict), Vec<Problem>> {
        let mut changes = self.changes.clone();
        if let Some(first) = self.address.of(before.addresses.first())? {
            let rest = before.addresses.iter().skip(1).cloned();
            changes.addresses = Some(std::iter::once(first).chain(rest).collect());
        }
        let after = customer::update(before, changes, now);
        let verdict = if after == *before { Verdict::Unchanged } else { Verdict::Updated };
        Ok((after, verdict))
    }
}

impl WantedAddress {
    /// The address that it makes of the first one; none if it says nothing.
    fn of(&self, before: Option<&Address>) -> Result<Option<Address>, Vec<Problem>> {
        if *self == Self::default() {
            return Ok(None);
        }
        let Some(street) = self.street.clone().or_else(|| Some(before?.street.clone())) else {
            // A country alone is what many programs fill in for everybody.
            let says_more = [&self.neighborhood, &self.city, &self.state, &self.zip];
            let says_more = says_more.into_iter().any(|field| field.clone().flatten().is_some());
            return match says_more {
                true => Err(vec![Problem::of(Column::Street, Code::Required, "")]),
                false => Ok(None),
            };
        };
        let kept = |said: &Option<Option<String>>, of: fn(&Address) -> &Option<String>| {
            said.clone().unwrap_or_else(|| before.and_then(|before| of(before).clone()))
        };
        let country = self.country.clone();
        Ok(Some(Address {
            label: before.and_then(|before| before.label.clone()),
            street,
            neighborhood: kept(&self.neighborhood, |address| &address.neighborhood),
            city: kept(&self.city, |address| &address.city),
            state: kept(&self.state, |address| &address.state),
            zip: kept(&self.zip, |address| &address.zip),
            country: country
                .or_else(|| Some(before?.country.clone()))
                .unwrap_or_else(|| "MX".to_owned()),
        }))
    }
}

/// What tells the row of a customer from the others.
pub(crate) fn own_key(reader: &RowReader, row: &[Cell<'_>]) -> Option<RowKey> {
    let columns = [Column::ExternalId, Column::Email, Column::Phone, Column::AddressPhone];
    let key = reader.first_code(row, &columns)?;
    let text = match key.column {
        Column::ExternalId => reader.identifier(&key.text).to_owned(),
        Column::Email => key.text.to_lowercase(),
        Column::Phone | Column::AddressPhone => text::written_phone(&key.text).unwrap_or(key.text),
        _ => key.text,
    };
    Some(RowKey { text, ..key })
}

impl RowReader {
    /// An identifier as it is: Shopify writes a mark in front, which keeps a spreadsheet from taking it for a number.
    fn identifier<'t>(&self, text: &'t str) -> &'t str {
        let unmarked = text.strip_prefix('\'').filter(|_| self.layout.dialect == Dialect::Shopify);
        unmarked.unwrap_or(text)
    }
}

impl Reading<'_, '_> {
    /// The whole name, or what it is put together of; and what else names a new customer.
    fn customer_name(&mut self) -> (Option<String>, Option<String>) {
        let [name, first, last] = [Column::Name, Column::FirstName, Column::LastName]
            .map(|column| self.line(column, NAME_CHARS_MAX).flatten());
        let first = name.or(first);
        // A name may be the whole one all the same.
        let has_last = |last: &String| {
            let first = first.as_deref().map(text::folded);
            first.is_some_and(|first| first.contains(&text::folded(last)))
        };
        let last = last.filter(|last| !has_last(last));
        let is_whole = first.is_some();
        let name = first.into_iter().chain(last).collect::<Vec<_>>().join(" ");
        if name.chars().count() > NAME_CHARS_MAX {
            self.refuse(Column::LastName, Code::TooLong, &name);
        }
        let firm = self.line(Column::Company, NAME_CHARS_MAX).flatten();
        let name = Some(name).filter(|name| !name.is_empty());
        if is_whole { (name, None) } else { (None, name.or(firm)) }
    }

    pub(crate) fn customer_row(&mut self) -> Option<Box<WantedCustomer>> {
        let reader = self.reader;
        let external_id = self.external_id();
        let external_id = external_id.map(|id| id.map(|id| reader.identifier(&id).to_owned()));
        let email = self.text(Column::Email, Code::BadEmail, text::email);
        let phone = match self.text(Column::Phone, Code::BadPhone, text::written_phone) {
            None | Some(None) if reader.layout.has(Column::AddressPhone) => {
                self.text(Column::AddressPhone, Code::BadPhone, text::written_phone)
            }
            phone => phone,
        };
        let has_key = [&external_id, &email, &phone]
            .iter()
            .any(|said| said.as_ref().is_some_and(Option::is_some));
        let (name, name_if_new) = self.customer_name();
        // Who has only subscribed to a shop has nothing but an address.
        let is_subscriber = reader.layout.dialect == Dialect::Shopify && name.is_none();
        let address = email.clone().flatten().filter(|_| is_subscriber);
        let address = address.filter(|address| address.chars().count() <= NAME_CHARS_MAX);
        let name_if_new = name_if_new.or(address);
        let changes = CustomerChanges {
            external_id,
            name,
            email,
            phone,
            rfc: self.coded(Column::Rfc, Code::BadRfc, |text| tax::rfc(text).ok()),
            legal_name: self.line(Column::LegalName, NAME_CHARS_MAX),
            tax_regime: self.coded(Column::TaxRegime, Code::BadTaxRegime, |text| {
                regimes::find(first_word(text)).map(|regime| regime.code.to_owned())
            }),
            tax_zip: self.coded(Column::TaxZip, Code::BadTaxZip, |text| {
                // A spreadsheet drops zeros in front.
                let code = format!("{text:0>5}");
                postal_codes::find(&code).map(|_| code)
            }),
            cfdi_use: self.coded(Column::CfdiUse, Code::BadCfdiUse, |text| {
                uses::find(&first_word(text).to_uppercase()).map(|found| found.code.to_owned())
            }),
            tax_residence: self.coded(Column::TaxResidence, Code::BadTaxResidence, |text| {
                countries::find(&first_word(text).to_uppercase()).map(|found| found.code.to_owned())
            }),
            foreign_tax_id: self.said(Column::ForeignTaxId, |_, cell| {
                line(&code::code(cell)?, FOREIGN_ID_CHARS_MAX)
            }),
            group: None,
            addresses: None,
            metadata: None,
        };
        let address = WantedAddress {
            street: self.line(Column::Street, ADDRESS_CHARS_MAX).flatten(),
            neighborhood: self.line(Column::Neighborhood, ADDRESS_CHARS_MAX),
            city: self.line(Column::City, ADDRESS_CHARS_MAX),
            state: self.line(Column::State, ADDRESS_CHARS_MAX),
            zip: self.said(Column::Zip, |_, cell| {
                let zip = code::code(cell)?;
                text::line(reader.identifier(&zip), ADDRESS_CHARS_MAX).map_err(|_| Code::BadText)
            }),
            country: self.coded(Column::Country, Code::BadCountry, country).flatten(),
        };
        if !has_key && self.problems.is_empty() {
            let columns = [Column::Email, Column::ExternalId, Column::Phone];
            let column = columns.into_iter().find(|column| self.reader.layout.has(*column));
            self.problems.push(Problem { column, ..Problem::of_row(Code::Required) });
            return None;
        }
        Some(Box::new(WantedCustomer { changes, name_if_new, address, warnings: Vec::new() }))
    }

    fn coded(
        &mut self,
        column: Column,
        fault: Code,
        known: impl FnOnce(&str) -> Option<String>,
    ) -> Said<String> {
        self.said(column, |_, cell| known(&code::code(cell)?).ok_or(fault))
    }

    fn text(
        &mut self,
        column: Column,
        fault: Code,
        check: impl FnOnce(&str) -> Result<String, kernel::Message>,
    ) -> Said<String> {
        self.said(column, |_, cell| check(cell.plain().trim()).map_err(|_| fault))
    }
}

/// The code of what other programs write as `601 - General de Ley`.
fn first_word(text: &str) -> &str {
    text.split([' ', '-']).next().unwrap_or_default()
}

fn country(text: &str) -> Option<String> {
    match text::folded(text).as_str() {
        "mexico" | "mex" => Some("MX".to_owned()),
        _ => checked_country(&text.to_uppercase()).ok(),
    }
}

#[cfg(test)]
mod tests {
    use crm::CustomerId;

    use super::*;
    use crate::{EmptyCells, ImportKind, Layout, Mode, Others, Wanted};

    fn wanted(table: &str) -> Result<WantedCustomer, String> {
        let mut rows = table.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
        let header: Vec<String> = rows.next().unwrap().into_iter().map(str::to_owned).collect();
        let layout =
            Layout::of(ImportKind::Customers, &header, &BTreeMap::new(), Mode::Upsert).unwrap();
        let reader = RowReader::new(layout, Vec::new(), EmptyCells::Keep);
        let row = rows.next().unwrap();
        let cells: Vec<Cell<'_>> = row.into_iter().map(Cell::Text).collect();
        match reader.read(&cells, &Others::NONE) {
            Ok(Wanted::Customer(wanted)) => Ok(*wanted),
            Ok(other) => panic!("{other:?}"),
            Err(problems) => {
                let one = |problem: &Problem| {
                    let column = problem.column.map_or("row", Column::name);
                    format!("{column} {}", problem.code.name())
                };
                Err(problems.iter().map(one).collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn shown(table: &str) -> Result<String, String> {
        let shown = wanted(table)?.shown();
        let shown: Vec<_> = shown.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Ok(shown.join(" "))
    }

    #[test]
    fn rows_are_read_as_people_write_them() {
        let table = "Nombre|Correo|Teléfono|RFC|Régimen fiscal|C.P. fiscal|Uso CFDI\n\
            Ana|ANA@Example.com|55 1234-5678|xaxx010101000|616 - Sin obligaciones|1000|s01";
        let expected = "cfdiUse=S01 email=ANA@example.com name=Ana phone=+525512345678 rfc=XAXX010101000 \
            taxRegime=616 taxZip=01000";
        assert_eq!(shown(table).as_deref(), Ok(expected));
        let table = "Cliente|Correo|Residencia fiscal|NumRegIdTrib\n\
            Acme|a@b.mx|usa - Estados Unidos|=\"012345678\"";
        let expected = "email=a@b.mx foreignTaxId=012345678 name=Acme taxResidence=USA";
        assert_eq!(shown(table).as_deref(), Ok(expected));
        // As SAT's schema calls it.
        let named = table.replace("NumRegIdTrib", "Número de registro de identidad fiscal");
        assert_eq!(shown(&named).as_deref(), Ok(expected));
        let table = "nombre|email|rfc|uso cfdi|pais|telefono|residencia fiscal\n\
            Ana|ana@|X|Z99|Marte|123|US";
        let expected = "email bad_email, phone bad_phone, rfc bad_rfc, cfdiUse bad_cfdi_use, \
            taxResidence bad_tax_residence, country bad_country";
        assert_eq!(shown(table).unwrap_err(), expected);
        assert_eq!(shown("nombre|email\nAna|").unwrap_err(), "email required");
    }

    #[test]
    fn names_are_put_together() {
        let cases = [
            ("first name|last name|company|email\nAna|Torres|Acme|a@b.mx", "Ana Torres"),
            ("first name|last name|company|email\n|Torres||a@b.mx", "Torres"),
            ("first name|last name|company|email\n||Acme|a@b.mx", "Acme"),
            ("nombre|apellidos|email\nAna Torres|Torres|a@b.mx", "Ana Torres"),
        ];
        for (table, name) in cases {
            let said = wanted(table).unwrap();
            assert_eq!(said.changes.name.or(said.name_if_new).as_deref(), Some(name), "{table}");
        }
    }

    #[test]
    fn what_is_said_twice_is_read_once() {
        let table = "Email|Address1|Province|Province Code|Country|Country Code\na@b.mx|Juárez 1|Jalisco|JAL|Mexico|MX";
        assert_eq!(shown(table).unwrap(), "country=MX email=a@b.mx state=Jalisco street=Juárez 1");
    }

    #[test]
    fn a_telephone_number_finds_only_who_has_nothing_else() {
        let keys = |table: &str| wanted(table).unwrap().keys();
        let both = keys("nombre|email|telefono\nAna|Ana@example.com|5512345678");
        assert_eq!(both, [CustomerKey::Email("ana@example.com".to_owned())]);
        let phone = keys("nombre|telefono\nAna|+52 55 1234 5678");
        assert_eq!(phone, [CustomerKey::Phone("+525512345678".to_owned())]);
    }

    #[test]
    fn a_row_changes_the_first_address_alone() {
        let now = Timestamp::from_micros(1);
        let new = wanted("nombre|email|calle|ciudad\nAna|a@b.mx|Juárez 1|CDMX").unwrap();
        let new = new.new_customer().unwrap();
        assert_eq!(new.addresses[0].country, "MX");
        let (mut ana, _) = customer::create(new, CustomerId::from_u128(1), now);
        let second = Address { street: "Madero 2".to_owned(), ..ana.addresses[0].clone() };
        ana.addresses.push(second.clone());
        let change = wanted("email|c.p.|país\na@b.mx|06600|México").unwrap();
        let (after, verdict) = change.changed(&ana, now).unwrap();
        assert_eq!(verdict, Verdict::Updated);
        assert_eq!(after.addresses[0].zip.as_deref(), Some("06600"));
        assert_eq!(
            (after.addresses[0].street.as_str(), &after.addresses[1]),
            ("Juárez 1", &second)
        );
        assert_eq!(change.changed(&after, now).unwrap().1, Verdict::Unchanged);
        let lacking = wanted("nombre|email|ciudad\nLuz|l@b.mx|CDMX").unwrap();
        assert_eq!(lacking.new_customer().unwrap_err()[0].column, Some(Column::Street));
        let everywhere = wanted("nombre|email|pais\nLuz|l@b.mx|MX").unwrap();
        assert!(everywhere.new_customer().unwrap().addresses.is_empty());
    }
}
