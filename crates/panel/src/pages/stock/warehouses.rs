//! Warehouses: listed, opened, changed, made the default one, deleted.

use crm::customer::checked_country;
use intake::{
    Fields, Form,
    checks::{line, one_of, text, whole},
    noun,
};
use inventory::{
    Address, Kind, NewWarehouse, UpdateWarehouse, Warehouse, WarehouseChanges, WarehouseId,
    warehouse::{LINE_CHARS_MAX, PRIORITY_DEFAULT, PRIORITY_MAX},
};
use kernel::FieldFault;

use super::{
    settings::with_default,
    shared::{READ, WRITE, places, refused},
    view::{Cell, Table, all_of, asking, figures, words},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    layout::Sheet,
    page::{Group, Page},
    pages::{
        money,
        reading::{phone, required},
    },
    parts::{Empty, Field, Pill, Tone},
    reply::{answered, carried_out, found},
    texts::Say,
};

const PATH: &str = "warehouses";
const COUNTRY: &str = "MX";
/// The fields of an address.
const ADDRESS: [&str; 7] = [
    "address.street",
    "address.neighborhood",
    "address.city",
    "address.state",
    "address.zip",
    "address.country",
    "address.phone",
];

const NEW: Form<NewWarehouse> = Form::body(
    "NewWarehouse",
    noun("this form", "este formulario"),
    |fields| {
        let name = fields.required("name", line(LINE_CHARS_MAX));
        let kind = fields.required("kind", one_of(Kind::EVERY, Kind::name));
        let priority = fields.optional("priority", whole(0..=PRIORITY_MAX));
        let priority = priority.unwrap_or(PRIORITY_DEFAULT);
        let address = read_address(fields);
        Some(NewWarehouse { name: name?, address, kind: kind?, priority })
    },
    "",
);
/// What is changed, and what the caller has seen.
const CHANGES: Form<(WarehouseChanges, i64)> = Form::body(
    "WarehouseChanges",
    noun("this form", "este formulario"),
    |fields| {
        let changes = WarehouseChanges {
            name: fields.required("name", line(LINE_CHARS_MAX)),
            // The form has all of it: what is empty there is cleared.
            address: Some(read_address(fields)),
            priority: fields.change("priority", whole(0..=PRIORITY_MAX)),
        };
        let version = fields.required("version", whole(1..=i64::MAX));
        Some((changes, version?))
    },
    "",
);

/// Where it is, if anything of that is filled in.
fn read_address(fields: &mut Fields<'_>) -> Option<Address> {
    let [street, neighborhood, city, state, zip, country, telephone] = ADDRESS;
    let mut lines = |name| fields.optional(name, line(LINE_CHARS_MAX));
    let (own, neighborhood) = (lines(street), lines(neighborhood));
    let (city, state, zip) = (lines(city), lines(state), lines(zip));
    let country = fields.optional(country, text(checked_country));
    let phone = fields.optional(telephone, phone());
    let is_given =
        [&own, &neighborhood, &city, &state, &zip, &phone].into_iter().any(Option::is_some);
    if is_given && own.is_none() && !fields.gives(street) {
        fields.refuse::<()>(street, required());
    }
    let country = country.unwrap_or_else(|| COUNTRY.to_owned());
    Some(Address { street: own?, neighborhood, city, state, zip, country, phone })
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get(PATH, READ, show).listed(Group::Supply, "warehouse", Say::warehouses).key("b"),
        Page::get("warehouses/new", WRITE, ask_new),
        Page::post("warehouses/new", WRITE, open),
        Page::get("warehouses/{id}", WRITE, ask_change),
        Page::post("warehouses/{id}", WRITE, change),
        Page::post("warehouses/{id}/default", WRITE, make_default),
        Page::get("warehouses/{id}/delete", WRITE, ask_delete),
        Page::post("warehouses/{id}/delete", WRITE, delete),
    ]
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let places = places(&call).await?;
    let settings = answered(call.services().inventory.settings(call.account())).await?;
    let heads = vec![
        words(say.warehouse()),
        words(say.kind()),
        words(say.stock()),
        figures(say.priority()),
    ];
    let may_write = call.may(WRITE);
    let row = |one: &Warehouse| {
        let stock = format!("{}?warehouse={}", call.href(super::PATH), one.id);
        let own = format!("{}/{}", call.href(PATH), one.id);
        let href = if may_write { own } else { stock.clone() };
        let is_default = settings.default_warehouse == one.id;
        let mark = if is_default { say.usual_warehouse() } else { "" };
        vec![
            Cell::link(one.name.clone(), href).hint(mark),
            Cell::text(kind_name(say, one.kind)),
            Cell::link(say.stock(), stock),
            Cell::text(one.priority.to_string()),
        ]
    };
    let table = Table::new(heads, places.all().iter().map(row));
    let sheet = all_of(say.warehouses(), table, Empty::new(say.no_stock()));
    Ok(call.page(match may_write {
        true => sheet.action(say.new_warehouse(), call.href("warehouses/new")),
        false => sheet,
    }))
}

/// What a warehouse is used for.
pub(in crate::pages) const fn kind_name(say: Say, kind: Kind) -> &'static str {
    match kind {
        Kind::Store => say.kind_store(),
        Kind::Quarantine => say.kind_quarantine(),
    }
}

async fn ask_new(call: Call<Member>) -> Result<Answer, Failure> {
    Ok(opening(&call, &Values::default(), &[]))
}

fn opening(call: &Call<Member>, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let kind = |kind: &Kind| (kind.name().to_owned(), kind_name(say, *kind).to_owned());
    let fields = vec![
        Field::text("name", say.name(), values),
        Field::select("kind", say.kind(), Kind::EVERY.iter().map(kind).collect(), values),
        Field::text("priority", say.priority(), values).hint(say.priority_hint()),
        address(say, values),
    ];
    let form = call.form(call.href("warehouses/new"), fields, say.new_warehouse(), faults);
    let title = say.new_warehouse().to_owned();
    let back = (say.warehouses(), PATH);
    asking(call, (title, say.new_warehouse_intro()), &form, !faults.is_empty(), back)
}

async fn open(call: Call<Member>) -> Result<Answer, Failure> {
    let new = match call.read(&NEW)? {
        Ok(new) => new,
        Err(faults) => return Ok(opening(&call, call.sent.values(), &faults)),
    };
    let opened = call.services().inventory.create_warehouse(call.ctx(), new);
    Ok(match carried_out(opened, refused).await? {
        Ok(_) => call.done_at(PATH, "warehouse.opened"),
        Err(faults) => opening(&call, call.sent.values(), &faults),
    })
}

/// The warehouse of the path.
async fn one(call: &Call<Member>) -> Result<Warehouse, Failure> {
    let id = WarehouseId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().inventory.warehouse(call.account(), id)).await
}

/// A warehouse as the form has it.
fn values_of(known: &Warehouse) -> Values {
    let (priority, version) = (known.priority.to_string(), known.version.to_string());
    let mut values = vec![
        ("name", known.name.as_str()),
        ("priority", priority.as_str()),
        ("version", version.as_str()),
    ];
    if let Some(address) = &known.address {
        let lines = [
            Some(&address.street),
            address.neighborhood.as_ref(),
            address.city.as_ref(),
            address.state.as_ref(),
            address.zip.as_ref(),
            Some(&address.country),
            address.phone.as_ref(),
        ];
        let lines = lines.map(|line| line.map_or("", String::as_str));
        values.extend(ADDRESS.into_iter().zip(lines));
    }
    Values::with(&values)
}

async fn ask_change(call: Call<Member>) -> Result<Answer, Failure> {
    let known = one(&call).await?;
    changing(&call, &known, &values_of(&known), &[]).await
}

/// The fields of where a warehouse is.
fn address(say: Say, values: &Values) -> Field {
    let [street, neighborhood, city, state, zip, country, telephone] = ADDRESS;
    let fields = vec![
        Field::text(street, say.street(), values),
        Field::text(neighborhood, say.neighborhood(), values),
        Field::text(city, say.city(), values),
        Field::text(state, say.state_of_country(), values),
        Field::text(zip, say.zip(), values),
        Field::text(country, say.country(), values).hint(say.country_hint()),
        Field::input("tel", telephone, say.phone(), values).hint(say.phone_hint()),
    ];
    Field::behind("address", say.address(), fields)
}

async fn changing(
    call: &Call<Member>,
    known: &Warehouse,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let say = call.say();
    let fields = vec![
        Field::text("name", say.name(), values),
        Field::text("priority", say.priority(), values).hint(say.priority_hint()),
        address(say, values),
    ];
    let place = format!("{}/{}", call.href(PATH), known.id);
    let form = call.form(place.as_str(), fields, say.save(), faults);
    let form = call.over(form, &values_of(known));
    let settings = answered(call.services().inventory.settings(call.account())).await?;
    let is_default = settings.default_warehouse == known.id;
    let pill = match is_default {
        true => Pill::new(Tone::Good, say.default_warehouse()),
        false => Pill::new(Tone::Plain, kind_name(say, known.kind)),
    };
    let sheet = Sheet::new(known.name.clone(), &form).pill(pill).wrong_if(!faults.is_empty());
    let sheet = sheet.back(say.warehouses(), call.href(PATH));
    let sheet = match !is_default && known.kind.is_sellable() {
        true => sheet.act(&call.button(format!("{place}/default"), say.make_default())),
        false => sheet,
    };
    Ok(call.page(sheet.grave(say.delete(), format!("{place}/delete"))))
}

async fn change(call: Call<Member>) -> Result<Answer, Failure> {
    let known = one(&call).await?;
    let (changes, version) = match call.read(&CHANGES)? {
        Ok(given) => given,
        Err(faults) => return changing(&call, &known, call.sent.values(), &faults).await,
    };
    let command = UpdateWarehouse { id: known.id, version: Some(version), changes };
    let changed = call.services().inventory.update_warehouse(call.ctx(), command);
    match carried_out(changed, refused).await? {
        Ok(_) => Ok(call.done_at(PATH, "stock.saved")),
        Err(faults) => changing(&call, &known, call.sent.values(), &faults).await,
    }
}

async fn make_default(call: Call<Member>) -> Result<Answer, Failure> {
    let known = one(&call).await?;
    let inventory = &call.services().inventory;
    let settings = answered(inventory.settings(call.account())).await?;
    let version = settings.version;
    let setting = inventory.set_settings(call.ctx(), with_default(settings, &known), Some(version));
    match carried_out(setting, refused).await? {
        Ok(_) => Ok(call.done_at(&format!("{PATH}/{}", known.id), "stock.set")),
        Err(faults) => Err(money::refused(&faults)),
    }
}

async fn ask_delete(call: Call<Member>) -> Result<Answer, Failure> {
    let known = one(&call).await?;
    Ok(deleting(&call, &known, &[]))
}

fn deleting(call: &Call<Member>, known: &Warehouse, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let place = format!("{}/{}/delete", call.href(PATH), known.id);
    let form = call.form(place, Vec::new(), say.delete(), faults).dangerous();
    let form = form.hidden("version", known.version.to_string());
    let back = format!("{PATH}/{}", known.id);
    let (title, back) = (say.delete_title(&known.name), (known.name.as_str(), back.as_str()));
    asking(call, (title, say.delete_warehouse_intro()), &form, !faults.is_empty(), back)
}

async fn delete(call: Call<Member>) -> Result<Answer, Failure> {
    let known = one(&call).await?;
    let inventory = &call.services().inventory;
    let deleting_it = inventory.delete_warehouse(call.ctx(), known.id, call.seen_version());
    Ok(match carried_out(deleting_it, refused).await? {
        Ok(_) => call.done_at(PATH, "warehouse.deleted"),
        Err(faults) => deleting(&call, &known, &faults),
    })
}
