//! The form of a price list.

use catalog::{
    CustomerGroupId, PriceList,
    price_list::{PRICE_LIST_NAME_CHARS_MAX, PRIORITY_DEFAULT, PRIORITY_MAX},
};
use cfdi::catalogs::zones::Zone;
use intake::{
    Fields, Form,
    checks::{currency, id, line, text, whole, whole_from},
    noun,
};
use kernel::{Currency, Day, Timestamp};

use crate::{form::Values, pages::reading::day, parts::Field, texts::Say};

/// What a form says of a list.
pub(super) struct Filled {
    pub(super) name: String,
    pub(super) currency: Currency,
    pub(super) group: Option<CustomerGroupId>,
    pub(super) priority: i64,
    from: Option<Day>,
    /// The last day on which it holds.
    until: Option<Day>,
    pub(super) version: Option<i64>,
}

pub(super) const FORM: Form<Filled> =
    Form::body("PriceList", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Filled> {
    let name = fields.required("name", line(PRICE_LIST_NAME_CHARS_MAX));
    let currency = fields.optional("currency", currency());
    let noun = noun("a customer group", "un grupo de clientes");
    let group = id(noun, CustomerGroupId::PREFIX, CustomerGroupId::parse);
    let group = fields.optional("customerGroupId", group);
    let priority = fields.optional("priority", whole(0..=PRIORITY_MAX));
    let from = fields.optional("validFrom", text(day));
    let until = fields.optional("validUntil", text(day));
    let version = fields.optional("version", whole_from(1));
    Some(Filled {
        name: name?,
        currency: currency.unwrap_or(Currency::MXN),
        group,
        priority: priority.unwrap_or(PRIORITY_DEFAULT),
        from,
        until,
        version,
    })
}

impl Filled {
    /// The first moment at which the list holds, and the first at which it does not any more.
    pub(super) fn term(&self, zone: Zone) -> (Option<Timestamp>, Option<Timestamp>) {
        let from = self.from.map(|day| zone.utc(day.date().midnight()));
        (from, self.until.map(|day| zone.end(day)))
    }
}

/// The day of a moment on the clocks of a zone.
pub(super) fn day_of(at: Timestamp, zone: Zone) -> String {
    let at = zone.local(at);
    format!("{:04}-{:02}-{:02}", at.year(), u8::from(at.month()), at.day())
}

/// The same, if there is one.
pub(super) fn named_day(at: Option<Timestamp>, zone: Zone) -> Option<String> {
    at.map(|at| day_of(at, zone))
}

/// What the fields show of a list.
pub(super) fn values_of(list: &PriceList, zone: Zone) -> Values {
    let last = list.valid_until.map(|until| until.plus_seconds(-1));
    let values = [
        ("name", list.name.clone()),
        ("customerGroupId", list.group.map(|group| group.to_string()).unwrap_or_default()),
        ("priority", list.priority.to_string()),
        ("validFrom", named_day(list.valid_from, zone).unwrap_or_default()),
        ("validUntil", named_day(last, zone).unwrap_or_default()),
        ("version", list.version.to_string()),
    ];
    let values: Vec<_> = values.iter().map(|(name, text)| (*name, text.as_str())).collect();
    Values::with(&values)
}

/// The fields, of which the currency is that of a new list alone.
pub(super) fn fields(
    say: Say,
    is_new: bool,
    mut groups: Vec<(String, String)>,
    values: &Values,
) -> Vec<Field> {
    // The first choice is none.
    if let Some((_, none)) = groups.first_mut() {
        say.all_customers().clone_into(none);
    }
    let name = Field::text("name", say.name(), values);
    let currency = is_new.then(|| Field::text("currency", say.currency(), values));
    let others = [
        Field::select("customerGroupId", say.is_for(), groups, values),
        Field::text("priority", say.priority(), values).hint(say.list_priority_hint()),
        Field::input("date", "validFrom", say.holds_from(), values),
        Field::input("date", "validUntil", say.holds_until(), values),
    ];
    std::iter::once(name).chain(currency).chain(others).collect()
}
