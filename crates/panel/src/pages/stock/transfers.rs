//! Transfers: goods on their way from one warehouse to another.

mod acts;
mod plan;

use std::rc::Rc;

use cfdi::catalogs::zones::Zone;
use inventory::{
    Transfer, TransferId, TransferQuery, WarehouseId,
    transfer::{Arrival, TransferFilter, TransferLine, TransferStatus},
};
use kernel::Measure;

use super::{
    shared::{Goods, Places, READ, WRITE, goods, places},
    view::{Cell, Detail, Filter, Table, figures, listed, words},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv,
    failure::Failure,
    form::Values,
    format::{moment, quantity},
    layout::Sheet,
    list,
    page::{Group, Page},
    pages::linked::nothing_yet,
    parts::{Pill, Tone},
    reply::{answered, found},
    texts::Say,
};

const PATH: &str = "transfers";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show).listed(Group::Supply, "truck", Say::transfers).key("t").list(),
        Page::get("transfers/{id}", READ, detail),
        Page::get("transfers.csv", READ, table),
    ];
    [own, plan::pages(), acts::pages()].into_iter().flatten().collect()
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, query) = (call.say(), &call.query);
    let (zone, places) = (call.zone(), places(&call).await?);
    let wanted = TransferQuery { filter: filter(query), page: list::asked(query) };
    let mut known = answered(call.services().inventory.transfers(call.account(), wanted)).await?;
    let rows = std::mem::take(&mut known.items);
    let heads = vec![
        words(say.date()),
        words(say.warehouse_of_origin()),
        words(say.to_warehouse()),
        words(say.reference()),
        words(say.state()),
        figures(say.lines()),
    ];
    let row = |transfer: Transfer| row(&call, &places, zone, transfer);
    let table = Table::new(heads, rows.into_iter().map(row));
    let statuses = TransferStatus::EVERY
        .iter()
        .map(|status| (status.name().to_owned(), status_name(say, *status).to_owned()));
    let filters = vec![
        Filter::select("status", say.state(), statuses),
        Filter::select("warehouse", say.warehouse(), places.choices()),
    ];
    let nothing = nothing_yet(&call, say.no_transfers(), (say.new_transfer(), "transfers/new"));
    let sheet = listed(&call, (say.transfers(), PATH), filters, (&known, table), nothing);
    Ok(call.page(match call.may(WRITE) {
        true => sheet.action(say.new_transfer(), call.href("transfers/new")),
        false => sheet,
    }))
}

/// Which transfers a query asks for. What cannot be read of it is left out.
fn filter(query: &Values) -> TransferFilter {
    TransferFilter {
        status: list::named(query, "status", TransferStatus::EVERY, TransferStatus::name),
        warehouse: query.read("warehouse", WarehouseId::parse),
    }
}

async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone());
    let (from, filter) = (Rc::new(places(&call).await?), filter(&call.query));
    let to = Rc::clone(&from);
    let table = csv::Table::new(move |services, account, page| {
        services.inventory.transfers(account, TransferQuery { filter, page })
    })
    .column(say.identifier(), |transfer: &Transfer| transfer.id.to_string())
    .moment(say.date(), zone, |transfer| transfer.created_at)
    .column(say.warehouse_of_origin(), move |transfer| from.name(transfer.from))
    .column(say.to_warehouse(), move |transfer| to.name(transfer.to))
    .optional(say.reference(), |transfer| transfer.reference.clone())
    .column(say.state(), move |transfer| status_name(say, transfer.status).to_owned())
    .column(say.lines(), |transfer| transfer.lines.len().to_string())
    .moment(say.dispatched(), zone, |transfer| transfer.dispatched_at)
    .moment(say.received(), zone, |transfer| transfer.received_at)
    .optional(say.note(), |transfer| transfer.note.clone());
    csv::sent(&call, "transfers.csv", table)
}

fn row(call: &Call<Member>, places: &Places, zone: Zone, transfer: Transfer) -> Vec<Cell> {
    let at = moment(transfer.created_at, zone, call.language);
    vec![
        Cell::link(at.text, place(call, transfer.id)),
        Cell::text(places.name(transfer.from)),
        Cell::text(places.name(transfer.to)),
        Cell::text(transfer.reference.unwrap_or_default()),
        Cell::pill(state(call.say(), transfer.status)),
        Cell::text(transfer.lines.len().to_string()),
    ]
}

fn place(call: &Call<Member>, id: TransferId) -> String {
    format!("{}/{id}", call.href(PATH))
}

const fn status_name(say: Say, status: TransferStatus) -> &'static str {
    match status {
        TransferStatus::Draft => say.draft(),
        TransferStatus::InTransit => say.in_transit(),
        TransferStatus::Received => say.received(),
        TransferStatus::Cancelled => say.called_off(),
    }
}

fn state(say: Say, status: TransferStatus) -> Pill {
    let tone = match status {
        TransferStatus::Draft => Tone::Plain,
        TransferStatus::InTransit => Tone::Waiting,
        TransferStatus::Received => Tone::Good,
        TransferStatus::Cancelled => Tone::Bad,
    };
    Pill::new(tone, status_name(say, status))
}

/// The transfer of the path.
async fn one(call: &Call<Member>) -> Result<Transfer, Failure> {
    let id = TransferId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().inventory.transfer(call.account(), id)).await
}

async fn detail(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let transfer = one(&call).await?;
    let (zone, places) = (call.zone(), places(&call).await?);
    let goods = goods(&call, transfer.lines.iter().map(|line| line.sku)).await?;
    let arrivals = call.services().inventory.arrivals(call.account(), transfer.id);
    let arrivals = answered(arrivals).await?.unwrap_or_default();
    let at = |at| moment(at, zone, call.language).text;
    let facts = [
        Some((say.date(), at(transfer.created_at))),
        Some((say.warehouse_of_origin(), places.name(transfer.from))),
        Some((say.to_warehouse(), places.name(transfer.to))),
        transfer.quarantine.map(|place| (say.quarantine(), places.name(place))),
        transfer.dispatched_at.map(|moment| (say.dispatched(), at(moment))),
        transfer.reference.clone().map(|text| (say.reference(), text)),
        transfer.note.clone().map(|text| (say.note(), text)),
    ];
    let mut tables = vec![(say.goods(), sent(say, &goods, &transfer))];
    if !arrivals.is_empty() {
        tables.push((say.arrivals(), arrived(&call, (&goods, &transfer), zone, &arrivals)));
    }
    let facts = facts.into_iter().flatten().collect();
    let body = Detail { facts, tables, ..Detail::default() };
    let sheet = Sheet::new(say.transfer(), &body).pill(state(say, transfer.status));
    let sheet = sheet.back(say.transfers(), call.href(PATH));
    let with_act = |sheet: Sheet, (label, path): (&'static str, &'static str)| {
        sheet.offered(label, &place(&call, transfer.id), path)
    };
    Ok(call.page(acts::offered(&call, &transfer).into_iter().fold(sheet, with_act)))
}

/// What was sent, and what has become of it.
fn sent(say: Say, goods: &Goods, transfer: &Transfer) -> Table {
    let heads = vec![
        words(say.product()),
        figures(say.quantity()),
        figures(say.in_transit()),
        figures(say.received()),
        figures(say.damaged()),
        figures(say.lost()),
        figures(say.surplus()),
    ];
    let row = |line: &TransferLine| {
        let (name, code) = goods.name(line.sku);
        vec![
            Cell::text(name).hint(code),
            Cell::text(quantity(line.quantity)),
            Cell::text(some(line.in_transit)),
            Cell::text(some(line.received)),
            Cell::text(some(line.damaged)),
            Cell::text(some(line.lost)),
            Cell::text(some(line.found)),
        ]
    };
    Table::new(heads, transfer.lines.iter().map(row))
}

/// Each time that something came.
fn arrived(
    call: &Call<Member>,
    (goods, transfer): (&Goods, &Transfer),
    zone: Zone,
    arrivals: &[Arrival],
) -> Table {
    let say = call.say();
    let heads = vec![
        words(say.date()),
        words(say.product()),
        figures(say.received()),
        figures(say.damaged()),
        figures(say.lost()),
        figures(say.surplus()),
        words(say.reason()),
    ];
    let lines = arrivals.iter().flat_map(|arrival| {
        arrival.lines.iter().map(move |line| {
            let sent = transfer.lines.get(line.line);
            let (name, code) = sent.map(|sent| goods.name(sent.sku)).unwrap_or_default();
            vec![
                Cell::at(moment(arrival.created_at, zone, call.language)),
                Cell::text(name).hint(code),
                Cell::text(some(line.received)),
                Cell::text(some(line.damaged)),
                Cell::text(some(line.lost)),
                Cell::text(some(line.found)),
                Cell::text(line.reason.clone().unwrap_or_default()),
            ]
        })
    });
    Table::new(heads, lines)
}

/// A quantity, unless there is none.
fn some(measure: Measure) -> String {
    if measure == Measure::ZERO { String::new() } else { quantity(measure) }
}
