//! Warehouses: the places that goods lie at.

use kernel::{AccountId, Refused, Timestamp};

use crate::StockError;

kernel::ids! {
    /// A warehouse's identifier.
    WarehouseId = "whs";
}

/// The most warehouses of an account.
pub const WAREHOUSES_MAX: usize = 100;
/// The most characters of a name or of a line of an address.
pub const LINE_CHARS_MAX: usize = 200;
/// The greatest priority, which comes last.
pub const PRIORITY_MAX: i64 = 1_000;
/// The priority of a warehouse that states none.
pub const PRIORITY_DEFAULT: i64 = 100;
/// What the first warehouse of an account is called until it is given another name.
pub const FIRST_NAME: &str = "Principal";

/// What goods lie in a warehouse for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// To be sold: orders take from it.
    #[default]
    Store,
    /// Kept apart, because they are damaged or not checked yet: no order takes from it.
    Quarantine,
}

impl Kind {
    /// Every kind.
    pub const EVERY: &'static [Self] = &[Self::Store, Self::Quarantine];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Store => "store",
            Self::Quarantine => "quarantine",
        }
    }

    /// Whether orders take from it.
    #[must_use]
    pub const fn is_sellable(self) -> bool {
        matches!(self, Self::Store)
    }
}

/// A postal address.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Address {
    /// Street and number.
    pub street: String,
    /// Colonia.
    pub neighborhood: Option<String>,
    pub city: Option<String>,
    pub state: Option<String>,
    /// Postal code.
    pub zip: Option<String>,
    /// Two letters (ISO 3166-1).
    pub country: String,
    /// Telephone number (E.164).
    pub phone: Option<String>,
}

/// A place that goods lie at.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Warehouse {
    pub id: WarehouseId,
    pub name: String,
    pub address: Option<Address>,
    /// Never changes.
    pub kind: Kind,
    /// Orders that may take from any warehouse take from the one with the least number first.
    pub priority: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Number of changes, starting at 1.
    pub version: i64,
}

impl Warehouse {
    /// Name and address, line by line.
    #[must_use]
    pub fn into_lines(self) -> Vec<String> {
        let Self { name, address, .. } = self;
        let Some(address) = address else { return vec![name] };
        let place = [&address.zip, &address.city, &address.state].into_iter().flatten();
        let place = place.map(String::as_str).collect::<Vec<_>>().join(", ");
        let place = Some(place).filter(|place| !place.is_empty());
        let lines = [Some(name), Some(address.street), address.neighborhood, place, address.phone];
        lines.into_iter().flatten().collect()
    }
}

/// A warehouse to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewWarehouse {
    pub name: String,
    pub address: Option<Address>,
    pub kind: Kind,
    /// 0 to [`PRIORITY_MAX`].
    pub priority: i64,
}

/// Changes of a warehouse: a field that is not given stays as it is, an inner `None` clears.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct WarehouseChanges {
    pub name: Option<String>,
    pub address: Option<Option<Address>>,
    pub priority: Option<i64>,
}

/// A warehouse to be changed.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct UpdateWarehouse {
    pub id: WarehouseId,
    /// Expected version: the command is refused if the resource has a newer one.
    pub version: Option<i64>,
    pub changes: WarehouseChanges,
}

/// The warehouse that every account has from the start: it shares the account's number, so that orders need not look it
/// up.
#[must_use]
pub fn first_of(account: AccountId) -> WarehouseId {
    WarehouseId::from_u128(account.to_u128())
}

/// The first warehouse of an account that was opened at that moment, as long as nobody has changed it.
#[must_use]
pub fn untouched_first(account: AccountId, opened_at: Timestamp) -> Warehouse {
    Warehouse {
        id: first_of(account),
        name: FIRST_NAME.to_owned(),
        address: None,
        kind: Kind::Store,
        priority: PRIORITY_DEFAULT,
        created_at: opened_at,
        updated_at: opened_at,
        version: 1,
    }
}

/// A new warehouse, where the account has `known` ones.
///
/// # Errors
/// [`StockError::TooManyWarehouses`].
pub fn create(
    new: NewWarehouse,
    id: WarehouseId,
    known: usize,
    now: Timestamp,
) -> Result<Warehouse, Refused<StockError>> {
    if known >= WAREHOUSES_MAX {
        return Err(Refused::Rule(StockError::TooManyWarehouses { max: WAREHOUSES_MAX }));
    }
    let NewWarehouse { name, address, kind, priority } = new;
    let (created_at, updated_at) = (now, now);
    Ok(Warehouse { id, name, address, kind, priority, created_at, updated_at, version: 1 })
}

/// A warehouse with changes; nothing changed means no new version.
#[must_use]
pub fn update(before: &Warehouse, changes: WarehouseChanges, now: Timestamp) -> Warehouse {
    let mut after = before.clone();
    after.name = changes.name.unwrap_or(after.name);
    after.address = changes.address.unwrap_or(after.address);
    after.priority = changes.priority.unwrap_or(after.priority);
    if after != *before {
        after.updated_at = now;
        after.version += 1;
    }
    after
}

/// The order in which orders take from warehouses.
pub fn by_priority(warehouses: &mut [Warehouse]) {
    warehouses.sort_by_key(|warehouse| (warehouse.priority, warehouse.id));
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(7);

    #[test]
    fn the_first_warehouse_has_the_account_s_number() {
        let account = AccountId::from_u128(42);
        let first = untouched_first(account, NOW);
        assert_eq!(first.id.to_string().replacen("whs_", "acc_", 1), account.to_string());
        let named = WarehouseChanges { name: Some("Centro".to_owned()), ..Default::default() };
        let after = update(&first, named.clone(), Timestamp::from_micros(9));
        assert_eq!((after.version, after.name.as_str()), (2, "Centro"));
        assert_eq!(update(&after, named, Timestamp::from_micros(10)), after);
    }

    #[test]
    fn an_account_has_only_so_many() {
        let new = NewWarehouse {
            name: "Norte".to_owned(),
            address: None,
            kind: Kind::Store,
            priority: PRIORITY_DEFAULT,
        };
        let id = WarehouseId::from_u128(1);
        assert!(create(new.clone(), id, WAREHOUSES_MAX - 1, NOW).is_ok());
        assert!(create(new, id, WAREHOUSES_MAX, NOW).is_err());
    }
}
