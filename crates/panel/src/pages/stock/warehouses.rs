//! Warehouses: listed, opened, and given another name.

use intake::{
    Form,
    checks::{line, one_of, whole},
    noun,
};
use inventory::{
    Kind, NewWarehouse, UpdateWarehouse, Warehouse, WarehouseChanges, WarehouseId,
    warehouse::{LINE_CHARS_MAX, PRIORITY_DEFAULT, PRIORITY_MAX},
};
use kernel::FieldFault;

use super::{
    shared::{READ, WRITE, places, refused},
    view::{Cell, Table, all_of, asking, figures, words},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    page::{Group, Page},
    parts::{Empty, Field},
    reply::{carried_out, found},
    texts::Say,
};

const PATH: &str = "warehouses";

const NEW: Form<NewWarehouse> = Form::body(
    "NewWarehouse",
    noun("this form", "este formulario"),
    |fields| {
        let name = fields.required("name", line(LINE_CHARS_MAX));
        let kind = fields.required("kind", one_of(Kind::EVERY, Kind::name));
        let priority = fields.optional("priority", whole(0..=PRIORITY_MAX));
        let priority = priority.unwrap_or(PRIORITY_DEFAULT);
        Some(NewWarehouse { name: name?, address: None, kind: kind?, priority })
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
            address: None,
            priority: fields.change("priority", whole(0..=PRIORITY_MAX)),
        };
        let version = fields.required("version", whole(1..=i64::MAX));
        Some((changes, version?))
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get(PATH, READ, show).listed(Group::Supply, "warehouse", Say::warehouses).key("b"),
        Page::get("warehouses/new", WRITE, ask_new),
        Page::post("warehouses/new", WRITE, open),
        Page::get("warehouses/{id}", WRITE, ask_change),
        Page::post("warehouses/{id}", WRITE, change),
    ]
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let places = places(&call).await?;
    let heads = vec![words(say.warehouse()), words(say.kind()), figures(say.priority())];
    let may_write = call.may(WRITE);
    let row = |one: &Warehouse| {
        let stock = format!("{}?warehouse={}", call.href(super::PATH), one.id);
        let own = format!("{}/{}", call.href(PATH), one.id);
        let href = if may_write { own } else { stock };
        vec![
            Cell::link(one.name.clone(), href),
            Cell::text(kind_name(say, one.kind)),
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

const fn kind_name(say: Say, kind: Kind) -> &'static str {
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

async fn ask_change(call: Call<Member>) -> Result<Answer, Failure> {
    let known = one(&call).await?;
    let priority = known.priority.to_string();
    let values = Values::with(&[("name", known.name.as_str()), ("priority", priority.as_str())]);
    Ok(changing(&call, &known, &values, &[]))
}

fn changing(
    call: &Call<Member>,
    known: &Warehouse,
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let fields = vec![
        Field::text("name", say.name(), values),
        Field::text("priority", say.priority(), values).hint(say.priority_hint()),
    ];
    let place = format!("{}/{}", call.href(PATH), known.id);
    let form = call.form(place, fields, say.save(), faults);
    let form = form.hidden("version", known.version.to_string());
    let intro = kind_name(say, known.kind);
    let back = (say.warehouses(), PATH);
    asking(call, (known.name.clone(), intro), &form, !faults.is_empty(), back)
}

async fn change(call: Call<Member>) -> Result<Answer, Failure> {
    let known = one(&call).await?;
    let (changes, version) = match call.read(&CHANGES)? {
        Ok(given) => given,
        Err(faults) => return Ok(changing(&call, &known, call.sent.values(), &faults)),
    };
    let command = UpdateWarehouse { id: known.id, version: Some(version), changes };
    let changed = call.services().inventory.update_warehouse(call.ctx(), command);
    Ok(match carried_out(changed, refused).await? {
        Ok(_) => call.done_at(PATH, "stock.saved"),
        Err(faults) => changing(&call, &known, call.sent.values(), &faults),
    })
}
