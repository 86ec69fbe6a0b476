//! Price lists: other prices than those of the products, for a group of customers, a currency, a time or a quantity.

use kernel::{Amount, Currency, FieldFault, Measure, PageRequest, Refused, Timestamp, message};

use crate::{ProductId, VariantId};

kernel::ids! {
    /// A price list's identifier.
    PriceListId = "pls";
    /// The identifier of a group of customers, as price lists name it.
    CustomerGroupId = "cgr";
}

/// The most price lists of an account: orders look at all of them.
pub const PRICE_LISTS_MAX: usize = 100;
/// The most characters of a price list's name.
pub const PRICE_LIST_NAME_CHARS_MAX: usize = 100;
/// The greatest priority, which comes last.
pub const PRIORITY_MAX: i64 = 1_000;
/// The priority of a list that states none.
pub const PRIORITY_DEFAULT: i64 = 100;
/// The most prices that are set by one request.
pub const PRICES_SET_MAX: usize = 500;
/// The most prices of one product or variant in a list, from different quantities on.
pub const PRICE_STEPS_MAX: usize = 10;

/// A price list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct PriceList {
    pub id: PriceListId,
    /// Unlike those of the others, accents and case aside.
    pub name: String,
    /// The currency of its prices.
    pub currency: Currency,
    /// The customers that it is for; all of them if absent.
    pub group: Option<CustomerGroupId>,
    /// Of several lists the one with the least number comes first.
    pub priority: i64,
    /// The first moment at which it holds; from ever if absent.
    pub valid_from: Option<Timestamp>,
    /// The first moment at which it does not hold any more; for ever if absent.
    pub valid_until: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Number of changes, starting at 1; prices do not count.
    pub version: i64,
}

/// A price list to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewPriceList {
    pub name: String,
    pub currency: Currency,
    /// The customers that it is for; all of them if absent.
    pub group: Option<CustomerGroupId>,
    pub priority: i64,
    pub valid_from: Option<Timestamp>,
    pub valid_until: Option<Timestamp>,
}

/// Changes of a price list: what is absent stays, and an inner `None` clears. Its currency never changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct PriceListChanges {
    pub name: Option<String>,
    pub group: Option<Option<CustomerGroupId>>,
    pub priority: Option<i64>,
    pub valid_from: Option<Option<Timestamp>>,
    pub valid_until: Option<Option<Timestamp>>,
}

/// A price list to be changed.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct UpdatePriceList {
    pub id: PriceListId,
    /// Expected version: the command is refused if the resource has a newer one.
    pub version: Option<i64>,
    pub changes: PriceListChanges,
}

/// Why a command about price lists was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PriceListError {
    /// The account has as many price lists as it may have.
    TooMany {
        /// So many.
        max: usize,
    },
    /// Another one has this name.
    DuplicateName {
        /// The other one.
        holder: PriceListId,
    },
}

/// What a price is of: the product or variant, or a code of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Priced {
    /// By its identifiers.
    Id(ProductId, Option<VariantId>),
    /// By its SKU.
    Sku(String),
    /// By its barcode number.
    Ean(String),
}

/// A price to be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetPrice {
    /// What it is of.
    pub priced: Priced,
    /// From how many units of it in one order on, above 0; from the least that there can be when absent.
    pub min_quantity: Option<Measure>,
    /// Unit price; none to have it removed.
    pub price: Option<Amount>,
}

/// Prices to be set in a list: those that are not named stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetPrices {
    /// The list.
    pub list: PriceListId,
    /// Expected version: the command is refused if the list has a newer one.
    pub version: Option<i64>,
    /// 1 to [`PRICES_SET_MAX`] prices.
    pub prices: Vec<SetPrice>,
}

/// A price of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ListItem {
    pub product: ProductId,
    /// Variant, if it is of one alone.
    pub variant: Option<VariantId>,
    /// From how many units of it in one order on.
    pub min_quantity: Measure,
    /// Unit price.
    pub price: Amount,
}

/// Which prices of a list are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ListItemQuery {
    pub product: Option<ProductId>,
    pub page: PageRequest,
}

type Judged<T> = Result<T, Refused<PriceListError>>;

/// Makes a price list beside those that are known.
///
/// # Errors
/// There are too many, another one has the name, or it ends before it begins.
pub fn create(
    new: NewPriceList,
    known: &[PriceList],
    id: PriceListId,
    now: Timestamp,
) -> Judged<PriceList> {
    if known.len() >= PRICE_LISTS_MAX {
        return Err(Refused::Rule(PriceListError::TooMany { max: PRICE_LISTS_MAX }));
    }
    let NewPriceList { name, currency, group, priority, valid_from, valid_until } = new;
    let made = PriceList {
        id,
        name,
        currency,
        group,
        priority,
        valid_from,
        valid_until,
        created_at: now,
        updated_at: now,
        version: 1,
    };
    refuse_wrong(&made, known)?;
    Ok(made)
}

/// Changes a price list that is among those known; nothing changed means no new version.
///
/// # Errors
/// There is none of this identifier; another one has the name, or it ends before it begins.
pub fn update(
    known: &[PriceList],
    id: PriceListId,
    changes: PriceListChanges,
    now: Timestamp,
) -> Judged<PriceList> {
    let before = known.iter().find(|list| list.id == id).ok_or(Refused::NotFound)?;
    let mut after = before.clone();
    after.name = changes.name.unwrap_or(after.name);
    after.group = changes.group.unwrap_or(after.group);
    after.priority = changes.priority.unwrap_or(after.priority);
    after.valid_from = changes.valid_from.unwrap_or(after.valid_from);
    after.valid_until = changes.valid_until.unwrap_or(after.valid_until);
    if after == *before {
        return Ok(after);
    }
    refuse_wrong(&after, known)?;
    (after.updated_at, after.version) = (now, after.version + 1);
    Ok(after)
}

/// What is wrong with a list that holds from one moment until the other.
#[must_use]
pub fn ends_too_soon(from: Option<Timestamp>, until: Option<Timestamp>) -> Option<FieldFault> {
    let problem = message!("must be later than validFrom", "debe ser posterior a validFrom");
    let is_backwards = from.zip(until).is_some_and(|(from, until)| until <= from);
    is_backwards.then(|| FieldFault::new("validUntil", problem))
}

fn refuse_wrong(list: &PriceList, known: &[PriceList]) -> Judged<()> {
    if let Some(fault) = ends_too_soon(list.valid_from, list.valid_until) {
        return Err(Refused::Invalid(vec![fault]));
    }
    let name = kernel::text::folded(&list.name);
    let same =
        |other: &&PriceList| other.id != list.id && kernel::text::folded(&other.name) == name;
    match known.iter().find(same) {
        Some(other) => Err(Refused::Rule(PriceListError::DuplicateName { holder: other.id })),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(name: &str) -> NewPriceList {
        NewPriceList {
            name: name.to_owned(),
            currency: Currency::MXN,
            group: None,
            priority: PRIORITY_DEFAULT,
            valid_from: None,
            valid_until: None,
        }
    }

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros)
    }

    fn id(number: u128) -> PriceListId {
        PriceListId::from_u128(number)
    }

    #[test]
    fn names_are_different_and_times_in_order() {
        let first = create(new("Mayoreo"), &[], id(1), at(1)).unwrap();
        let twin = create(new("MAYOREO"), std::slice::from_ref(&first), id(2), at(1)).unwrap_err();
        assert!(
            matches!(twin, Refused::Rule(PriceListError::DuplicateName { holder }) if holder == id(1))
        );
        let backwards =
            NewPriceList { valid_from: Some(at(5)), valid_until: Some(at(5)), ..new("x") };
        let refused = create(backwards, &[], id(2), at(1)).unwrap_err();
        assert!(matches!(refused, Refused::Invalid(faults) if faults[0].field == "validUntil"));
    }

    #[test]
    fn what_stays_makes_no_version() {
        let first = create(new("Mayoreo"), &[], id(1), at(1)).unwrap();
        let known = std::slice::from_ref(&first);
        let same = PriceListChanges { name: Some("Mayoreo".to_owned()), ..Default::default() };
        assert_eq!(update(known, id(1), same, at(2)).unwrap(), first);
        let changes = PriceListChanges { priority: Some(7), ..Default::default() };
        let after = update(known, id(1), changes, at(2)).unwrap();
        assert_eq!((after.version, after.priority, after.updated_at), (2, 7, at(2)));
        let gone = update(known, id(9), PriceListChanges::default(), at(2));
        assert!(matches!(gone, Err(Refused::NotFound)));
    }

    #[test]
    fn there_are_so_many_lists() {
        let known: Vec<PriceList> = (0..PRICE_LISTS_MAX as u128)
            .map(|number| create(new(&number.to_string()), &[], id(number), at(1)).unwrap())
            .collect();
        let one_more = create(new("x"), &known, id(999), at(1)).unwrap_err();
        assert!(matches!(one_more, Refused::Rule(PriceListError::TooMany { .. })));
    }
}
