//! Receipts: goods that came from suppliers.

use cfdi::catalogs::zones::Zone;
use intake::{Faults, Form, checks::line, noun};
use inventory::{
    NewReceipt, NewReceiptLine, Receipt, ReceiptId, ReceiptLine, ReceiptStatus, WarehouseId,
    ledger::NOTE_CHARS_MAX,
};
use kernel::{FieldFault, message};

use super::{
    shared::{
        CONFIRMED, Coded, ITEMS, Places, READ, WRITE, coded, each, goods, of_lines, places,
        refused, warehouse,
    },
    view::{Cell, Detail, Table, asking, figures, listed, words},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv,
    failure::Failure,
    form::Values,
    format::{moment, money, quantity},
    layout::Sheet,
    list,
    page::{Group, Page},
    pages::linked::nothing_yet,
    parts::{Field, Pill, Tone},
    reply::{answered, carried_out, found},
    texts::Say,
};

const PATH: &str = "receipts";

struct Wanted {
    warehouse: Option<WarehouseId>,
    supplier: Option<String>,
    reference: Option<String>,
    note: Option<String>,
    lines: Vec<Coded>,
}

const NEW: Form<Wanted> = Form::body(
    "NewReceipt",
    noun("this form", "este formulario"),
    |fields| {
        let warehouse = fields.optional("warehouse", warehouse());
        let supplier = fields.optional("supplier", line(NOTE_CHARS_MAX));
        let reference = fields.optional("reference", line(NOTE_CHARS_MAX));
        let note = fields.optional("note", line(NOTE_CHARS_MAX));
        let lines = fields.required(ITEMS, coded(2));
        Some(Wanted { warehouse, supplier, reference, note, lines: lines? })
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get(PATH, READ, show)
            .listed(Group::Supply, "package-plus", Say::receipts)
            .key("r")
            .list(),
        Page::get("receipts.csv", READ, table),
        Page::get("receipts/new", WRITE, ask_new),
        Page::post("receipts/new", WRITE, receive),
        Page::get("receipts/{id}", READ, detail),
        Page::get("receipts/{id}/cancel", WRITE, ask_cancel),
        Page::post("receipts/{id}/cancel", WRITE, cancel),
    ]
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, query, zone) = (call.say(), &call.query, call.zone());
    let wanted = list::asked(query);
    let mut known = answered(call.services().inventory.receipts(call.account(), wanted)).await?;
    let rows = std::mem::take(&mut known.items);
    let heads = vec![
        words(say.date()),
        words(say.supplier()),
        words(say.reference()),
        words(say.state()),
        figures(say.lines()),
    ];
    let row = |receipt: Receipt| row(&call, zone, receipt);
    let table = Table::new(heads, rows.into_iter().map(row));
    let nothing = nothing_yet(&call, say.no_receipts(), (say.new_receipt(), "receipts/new"));
    let sheet = listed(&call, (say.receipts(), PATH), Vec::new(), (&known, table), nothing);
    Ok(call.page(match call.may(WRITE) {
        true => sheet.action(say.new_receipt(), call.href("receipts/new")),
        false => sheet,
    }))
}

async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone());
    let table =
        csv::Table::new(|services, account, page| services.inventory.receipts(account, page))
            .column(say.identifier(), |receipt: &Receipt| receipt.id.to_string())
            .moment(say.date(), zone, |receipt| receipt.created_at)
            .optional(say.supplier(), |receipt| receipt.supplier.clone())
            .optional(say.reference(), |receipt| receipt.reference.clone())
            .column(say.state(), move |receipt| state(say, receipt.status).into_word())
            .column(say.lines(), |receipt| receipt.lines.len().to_string())
            .optional(say.note(), |receipt| receipt.note.clone());
    csv::sent(&call, "receipts.csv", table)
}

fn row(call: &Call<Member>, zone: Zone, receipt: Receipt) -> Vec<Cell> {
    let at = moment(receipt.created_at, zone, call.language);
    vec![
        Cell::link(at.text, place(call, receipt.id)),
        Cell::text(receipt.supplier.unwrap_or_default()),
        Cell::text(receipt.reference.unwrap_or_default()),
        Cell::pill(state(call.say(), receipt.status)),
        Cell::text(receipt.lines.len().to_string()),
    ]
}

fn state(say: Say, status: ReceiptStatus) -> Pill {
    match status {
        ReceiptStatus::Received => Pill::new(Tone::Good, say.received()),
        ReceiptStatus::Cancelled => Pill::new(Tone::Bad, say.called_off()),
    }
}

fn place(call: &Call<Member>, id: ReceiptId) -> String {
    format!("{}/{id}", call.href(PATH))
}

/// The receipt of the path.
async fn one(call: &Call<Member>) -> Result<Receipt, Failure> {
    let id = ReceiptId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().inventory.receipt(call.account(), id)).await
}

async fn detail(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let receipt = one(&call).await?;
    let (zone, places) = (call.zone(), places(&call).await?);
    let goods = goods(&call, receipt.lines.iter().map(|line| line.sku)).await?;
    let facts = [
        Some((say.date(), moment(receipt.created_at, zone, call.language).text)),
        receipt.supplier.clone().map(|text| (say.supplier(), text)),
        receipt.reference.clone().map(|text| (say.reference(), text)),
        receipt.note.clone().map(|text| (say.note(), text)),
    ];
    let heads = vec![
        words(say.product()),
        words(say.warehouse()),
        figures(say.quantity()),
        figures(say.unit_cost()),
    ];
    let row = |line: &ReceiptLine| {
        let (name, code) = goods.name(line.sku);
        let cost = line.unit_cost.map(|cost| money(cost, line.currency));
        vec![
            Cell::text(name).hint(code),
            Cell::text(places.name(line.warehouse)),
            Cell::text(quantity(line.quantity)),
            Cell::text(cost.unwrap_or_default()),
        ]
    };
    let table = Table::new(heads, receipt.lines.iter().map(row));
    let body = Detail {
        facts: facts.into_iter().flatten().collect(),
        tables: vec![(say.goods(), table)],
        ..Detail::default()
    };
    let sheet = Sheet::new(say.receipt(), &body).pill(state(say, receipt.status));
    let sheet = sheet.back(say.receipts(), call.href(PATH));
    let may_cancel = call.may(WRITE) && receipt.status == ReceiptStatus::Received;
    Ok(call.page(match may_cancel {
        true => sheet.grave(say.cancel_receipt(), format!("{}/cancel", place(&call, receipt.id))),
        false => sheet,
    }))
}

async fn ask_new(call: Call<Member>) -> Result<Answer, Failure> {
    let places = places(&call).await?;
    Ok(form(&call, &places, &Values::default(), &[]))
}

fn form(call: &Call<Member>, places: &Places, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let at = places.choices_or(say.default_warehouse());
    let fields = vec![
        Field::text("supplier", say.supplier(), values),
        Field::text("reference", say.reference(), values).hint(say.supplier_reference_hint()),
        Field::select("warehouse", say.warehouse(), at, values),
        Field::area(ITEMS, say.goods(), 8, values).hint(say.goods_with_costs_hint()).first(),
        Field::text("note", say.note(), values),
    ];
    let form = call.form(call.href("receipts/new"), fields, say.record_receipt(), faults);
    let title = say.new_receipt().to_owned();
    asking(call, (title, say.receipt_intro()), &form, !faults.is_empty(), (say.receipts(), PATH))
}

async fn receive(call: Call<Member>) -> Result<Answer, Failure> {
    let places = places(&call).await?;
    let again = |faults: &Faults| form(&call, &places, call.sent.values(), faults);
    let wanted = match call.read(&NEW)? {
        Ok(wanted) => wanted,
        Err(faults) => return Ok(again(&faults)),
    };
    let line = |line: &Coded| {
        let unit_cost = line.numbers.get(1).copied();
        if unit_cost.is_some_and(|cost| cost.is_negative()) {
            let problem = message!("must not cost less than 0", "no debe costar menos de 0");
            return Err(problem);
        }
        let (named, quantity) = (line.named(), line.some()?);
        Ok(NewReceiptLine { warehouse: wanted.warehouse, named, quantity, unit_cost })
    };
    let lines = match each(&wanted.lines, line) {
        Ok(lines) => lines,
        Err(faults) => return Ok(again(&faults)),
    };
    let new = NewReceipt {
        supplier: wanted.supplier.clone(),
        reference: wanted.reference.clone(),
        note: wanted.note.clone(),
        currency: None,
        received_at: None,
        lines,
    };
    let receiving = call.services().inventory.receive(call.ctx(), new);
    Ok(match carried_out(receiving, refused).await? {
        Ok(receipt) => call.done_at(&format!("{PATH}/{}", receipt.id), "receipt.received"),
        Err(faults) => again(&of_lines(faults, &wanted.lines)),
    })
}

async fn ask_cancel(call: Call<Member>) -> Result<Answer, Failure> {
    let receipt = one(&call).await?;
    Ok(cancelling(&call, &receipt, &[]))
}

fn cancelling(call: &Call<Member>, receipt: &Receipt, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let action = format!("{}/cancel", place(call, receipt.id));
    let form = call.form(action, Vec::new(), say.cancel_receipt(), faults).dangerous();
    let back = format!("{PATH}/{}", receipt.id);
    let title = say.cancel_receipt().to_owned();
    let back = (say.receipt(), back.as_str());
    asking(call, (title, say.cancel_receipt_intro()), &form, !faults.is_empty(), back)
}

async fn cancel(call: Call<Member>) -> Result<Answer, Failure> {
    let receipt = one(&call).await?;
    if let Err(faults) = call.read(&CONFIRMED)? {
        return Ok(cancelling(&call, &receipt, &faults));
    }
    let cancelled = call.services().inventory.cancel_receipt(call.ctx(), receipt.id);
    Ok(match carried_out(cancelled, refused).await? {
        Ok(_) => call.done_at(&format!("{PATH}/{}", receipt.id), "receipt.cancelled"),
        Err(faults) => cancelling(&call, &receipt, &faults),
    })
}
