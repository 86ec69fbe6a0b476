//! The customers that some rows are about: who there is of them, what each row makes of that, and what is to be recorded in
//! the end.

use std::collections::HashMap;

use crm::{Customer, CustomerId, customer};
use kernel::{NewEvent, Timestamp, id::IdSource};

use super::{CustomerKey, WantedCustomer};
use crate::{Code, Column, Mode, Problem, Verdict};

/// A customer on the register.
#[derive(Clone, Debug)]
pub struct Registered {
    /// As it was; `None` if it is new.
    pub before: Option<Customer>,
    /// As it is.
    pub customer: Customer,
}

/// The customers that some rows are about.
#[derive(Debug)]
pub struct Register<'a> {
    mode: Mode,
    ids: &'a IdSource,
    now: Timestamp,
    entries: HashMap<CustomerId, Registered>,
    by_key: HashMap<CustomerKey, Vec<CustomerId>>,
    /// Those that are new or changed, in the order in which they first were.
    touched: Vec<CustomerId>,
    /// What subscribers are told, in its order.
    pub events: Vec<NewEvent>,
}

impl<'a> Register<'a> {
    /// With these customers on it: all that the [keys](WantedCustomer::keys) of the rows find.
    #[must_use]
    pub fn new(
        customers: impl IntoIterator<Item = Customer>,
        mode: Mode,
        ids: &'a IdSource,
        now: Timestamp,
    ) -> Self {
        let (entries, by_key) = (HashMap::new(), HashMap::new());
        let (touched, events) = (Vec::new(), Vec::new());
        let mut register = Self { mode, ids, now, entries, by_key, touched, events };
        for customer in customers {
            register.index(&customer);
            let entry = Registered { before: Some(customer.clone()), customer };
            register.entries.insert(entry.customer.id, entry);
        }
        register
    }

    /// The customers that are new or changed.
    pub fn touched(&self) -> impl Iterator<Item = &Registered> {
        self.touched.iter().filter_map(|id| self.entries.get(id))
    }

    /// Makes of a row what it wants.
    ///
    /// # Errors
    /// What is wrong with it; then nothing has been made of it.
    pub fn judge(&mut self, wanted: &WantedCustomer) -> Result<Verdict, Vec<Problem>> {
        let found = self.found(wanted)?;
        match found.and_then(|id| self.entries.get(&id)) {
            Some(_) if self.mode == Mode::Create => Err(key_problem(wanted, Code::AlreadyExists)),
            None if self.mode == Mode::Update => Err(key_problem(wanted, Code::NotFound)),
            Some(entry) => {
                let (after, verdict) = wanted.changed(&entry.customer, self.now)?;
                if verdict == Verdict::Unchanged {
                    return Ok(verdict);
                }
                self.refuse_taken(&after)?;
                self.change(after);
                Ok(verdict)
            }
            None => {
                let new = wanted.new_customer()?;
                let id = CustomerId::from_u128(self.ids.next());
                let (customer, event) = customer::create(new, id, self.now);
                self.refuse_taken(&customer)?;
                self.index(&customer);
                self.entries.insert(id, Registered { before: None, customer });
                self.touched.push(id);
                self.events.push(event);
                Ok(Verdict::Created)
            }
        }
    }

    /// Whom a row is about.
    fn found(&self, wanted: &WantedCustomer) -> Result<Option<CustomerId>, Vec<Problem>> {
        for key in wanted.keys() {
            match self.by_key.get(&key).map(Vec::as_slice) {
                None | Some([]) => {}
                Some([id]) => return Ok(Some(*id)),
                Some(_) => return Err(key_problem(wanted, Code::AmbiguousPhone)),
            }
        }
        Ok(None)
    }

    fn change(&mut self, after: Customer) {
        let id = after.id;
        let Some(entry) = self.entries.get(&id) else { return };
        let is_first = entry.before.as_ref().is_some_and(|before| *before == entry.customer);
        for key in keys_of(&entry.customer) {
            if let Some(holders) = self.by_key.get_mut(&key) {
                holders.retain(|holder| *holder != id);
            }
        }
        self.index(&after);
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.customer = after;
        }
        if is_first {
            self.touched.push(id);
        }
    }

    fn index(&mut self, customer: &Customer) {
        for key in keys_of(customer) {
            self.by_key.entry(key).or_default().push(customer.id);
        }
    }

    /// One address is of one customer, and so is an external identifier.
    fn refuse_taken(&self, customer: &Customer) -> Result<(), Vec<Problem>> {
        let is_taken = |key: &CustomerKey| {
            let holders = self.by_key.get(key);
            holders.is_some_and(|holders| holders.iter().any(|holder| *holder != customer.id))
        };
        let problems: Vec<Problem> = keys_of(customer)
            .filter(|key| is_taken(key))
            .filter_map(|key| match &key {
                CustomerKey::Email(email) => {
                    Some(Problem::of(Column::Email, Code::DuplicateEmail, email))
                }
                CustomerKey::ExternalId(id) => {
                    Some(Problem::of(Column::ExternalId, Code::DuplicateExternalId, id))
                }
                CustomerKey::Phone(_) => None,
            })
            .collect();
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }
}

fn keys_of(customer: &Customer) -> impl Iterator<Item = CustomerKey> {
    let id = customer.external_id.clone().map(CustomerKey::ExternalId);
    let email = customer.email.as_ref().map(|email| CustomerKey::Email(email.to_lowercase()));
    let phone = customer.phone.clone().map(CustomerKey::Phone);
    id.into_iter().chain(email).chain(phone)
}

fn key_problem(wanted: &WantedCustomer, code: Code) -> Vec<Problem> {
    let problem = match wanted.keys().first() {
        Some(CustomerKey::ExternalId(id)) => Problem::of(Column::ExternalId, code, id),
        Some(CustomerKey::Email(email)) => Problem::of(Column::Email, code, email),
        Some(CustomerKey::Phone(phone)) => Problem::of(Column::Phone, code, phone),
        None => Problem::of_row(code),
    };
    vec![problem]
}

#[cfg(test)]
mod tests {
    use crm::CustomerChanges;

    use super::*;
    use crate::customer::WantedAddress;

    fn wanted(id: &str, name: &str, email: &str, phone: &str) -> WantedCustomer {
        let said = |text: &str| (!text.is_empty()).then(|| Some(text.to_owned()));
        let changes = CustomerChanges {
            external_id: said(id),
            name: (!name.is_empty()).then(|| name.to_owned()),
            email: said(email),
            phone: said(phone),
            ..CustomerChanges::default()
        };
        WantedCustomer {
            changes,
            name_if_new: None,
            address: WantedAddress::default(),
            warnings: Vec::new(),
        }
    }

    fn judged(register: &mut Register<'_>, row: &WantedCustomer) -> String {
        match register.judge(row) {
            Ok(verdict) => format!("{verdict:?}"),
            Err(problems) => {
                problems.iter().map(|problem| problem.code.name()).collect::<Vec<_>>().join(" ")
            }
        }
    }

    #[test]
    fn rows_find_who_rows_before_them_have_made() {
        let ids = IdSource::default();
        let mut register = Register::new([], Mode::Upsert, &ids, Timestamp::from_micros(1));
        let rows = [
            (wanted("C1", "Ana", "ana@b.mx", "+525500000001"), "Created"),
            (wanted("", "Ana Torres", "ANA@b.mx", ""), "Updated"),
            (wanted("C1", "", "", ""), "Unchanged"),
            (wanted("C2", "", "luz@b.mx", ""), "required"),
            // An address finds its holder, whatever identifier the row gives her.
            (wanted("C2", "Ana", "ana@b.mx", ""), "Updated"),
            (wanted("", "Beto", "", "+525500000001"), "Updated"),
            (wanted("C3", "Eva", "eva@b.mx", "+525500000001"), "Created"),
            (wanted("", "Eva", "", "+525500000001"), "ambiguous_phone"),
            (wanted("C3", "", "ana@b.mx", ""), "duplicate_email"),
        ];
        for (row, expected) in rows {
            assert_eq!(judged(&mut register, &row), expected, "{row:?}");
        }
        assert_eq!(register.touched().count(), 2);
        assert_eq!(register.events.len(), 2);
    }

    #[test]
    fn modes_refuse_the_other() {
        let (ids, now) = (IdSource::default(), Timestamp::from_micros(1));
        let mut update = Register::new([], Mode::Update, &ids, now);
        assert_eq!(judged(&mut update, &wanted("C1", "Ana", "", "")), "not_found");
        let mut create = Register::new([], Mode::Create, &ids, now);
        assert_eq!(judged(&mut create, &wanted("C1", "Ana", "", "")), "Created");
        assert_eq!(judged(&mut create, &wanted("C1", "Ana", "", "")), "already_exists");
    }
}
