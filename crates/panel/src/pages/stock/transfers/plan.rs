//! Planning a transfer.

use intake::{Faults, Form, checks::line, noun};
use inventory::{
    Kind, WarehouseId,
    ledger::NOTE_CHARS_MAX,
    transfer::{NewTransfer, NewTransferLine},
};
use kernel::FieldFault;

use super::{
    super::{
        shared::{Coded, ITEMS, Places, WRITE, coded, each, of_lines, places, refused, warehouse},
        view::asking,
    },
    PATH,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    page::Page,
    parts::Field,
    reply::{answered, carried_out},
};

const NEW: &str = "transfers/new";

struct Wanted {
    from: WarehouseId,
    to: WarehouseId,
    quarantine: Option<WarehouseId>,
    reference: Option<String>,
    note: Option<String>,
    lines: Vec<Coded>,
}

const PLAN: Form<Wanted> = Form::body(
    "NewTransfer",
    noun("this form", "este formulario"),
    |fields| {
        let from = fields.required("fromWarehouseId", warehouse());
        let to = fields.required("toWarehouseId", warehouse());
        let quarantine = fields.optional("quarantineId", warehouse());
        let reference = fields.optional("reference", line(NOTE_CHARS_MAX));
        let note = fields.optional("note", line(NOTE_CHARS_MAX));
        let lines = fields.required(ITEMS, coded(1));
        Some(Wanted { from: from?, to: to?, quarantine, reference, note, lines: lines? })
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get(NEW, WRITE, ask), Page::post(NEW, WRITE, plan)]
}

async fn ask(call: Call<Member>) -> Result<Answer, Failure> {
    let places = places(&call).await?;
    let settings = answered(call.services().inventory.settings(call.account())).await?;
    let from = settings.default_warehouse;
    let other = places.all().iter().find(|one| one.id != from && one.kind.is_sellable());
    let mut usual = vec![("fromWarehouseId", from.to_string())];
    usual.extend(other.map(|one| ("toWarehouseId", one.id.to_string())));
    let usual: Vec<_> = usual.iter().map(|(name, id)| (*name, id.as_str())).collect();
    Ok(form(&call, &places, &Values::with(&usual), &[]))
}

fn form(call: &Call<Member>, places: &Places, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let apart = places.all().iter().filter(|one| one.kind == Kind::Quarantine);
    let apart = apart.map(|one| (one.id.to_string(), one.name.clone()));
    let written_off = (String::new(), say.written_off().to_owned());
    let quarantine = std::iter::once(written_off).chain(apart).collect();
    let fields = vec![
        Field::select("fromWarehouseId", say.warehouse_of_origin(), places.choices(), values),
        Field::select("toWarehouseId", say.to_warehouse(), places.choices(), values),
        Field::select("quarantineId", say.quarantine(), quarantine, values),
        Field::area(ITEMS, say.goods(), 8, values).hint(say.goods_hint()).first(),
        Field::text("reference", say.reference(), values),
        Field::text("note", say.note(), values),
    ];
    let form = call.form(call.href(NEW), fields, say.plan_transfer(), faults);
    let title = say.new_transfer().to_owned();
    asking(call, (title, say.transfer_intro()), &form, !faults.is_empty(), (say.transfers(), PATH))
}

async fn plan(call: Call<Member>) -> Result<Answer, Failure> {
    let places = places(&call).await?;
    let again = |faults: &Faults| form(&call, &places, call.sent.values(), faults);
    let wanted = match call.read(&PLAN)? {
        Ok(wanted) => wanted,
        Err(faults) => return Ok(again(&faults)),
    };
    let line = |line: &Coded| Ok(NewTransferLine { named: line.named(), quantity: line.some()? });
    let lines = match each(&wanted.lines, line) {
        Ok(lines) => lines,
        Err(faults) => return Ok(again(&faults)),
    };
    let new = NewTransfer {
        from: wanted.from,
        to: wanted.to,
        quarantine: wanted.quarantine,
        reference: wanted.reference.clone(),
        note: wanted.note.clone(),
        lines,
    };
    let planned = call.services().inventory.plan_transfer(call.ctx(), new);
    Ok(match carried_out(planned, refused).await? {
        Ok(transfer) => call.done_at(&format!("{PATH}/{}", transfer.id), "transfer.planned"),
        Err(faults) => again(&of_lines(faults, &wanted.lines)),
    })
}
