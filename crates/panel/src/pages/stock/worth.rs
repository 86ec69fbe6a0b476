//! What stock is or was worth, what goods have cost on average, and costs that are set by hand.

use intake::{Faults, Form, checks::line, noun};
use inventory::{
    CostQuery, ProductId, Revalue, ValuationQuery, WarehouseId,
    cost::{CostChange, CostFilter, CostReason, NewCost},
    ledger::NOTE_CHARS_MAX,
    valuation::ValuedPlace,
};
use kernel::{Amount, Currency, Day, FieldFault, Measure, message};

use super::{
    PATH as STOCK,
    shared::{Coded, Goods, ITEMS, READ, WRITE, coded, each, goods, of_lines, places, refused},
    view::{Cell, Filter, Table, asking, figures, listed, narrowed, words},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::{moment, money, quantity, worth},
    list,
    page::Page,
    parts::{Empty, Field},
    reply::{answered, carried_out},
    texts::Say,
};

pub(super) const VALUATION: &str = "stock/valuation";
const COSTS: &str = "stock/costs";
const NEW: &str = "stock/costs/new";

struct Wanted {
    note: Option<String>,
    reference: Option<String>,
    lines: Vec<Coded>,
}

const REVALUATION: Form<Wanted> = Form::body(
    "Revaluation",
    noun("this form", "este formulario"),
    |fields| {
        let lines = fields.required(ITEMS, coded(1));
        let reference = fields.optional("reference", line(NOTE_CHARS_MAX));
        let note = fields.optional("note", line(NOTE_CHARS_MAX));
        Some(Wanted { note, reference, lines: lines? })
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get(VALUATION, READ, valuation),
        Page::get(COSTS, READ, costs),
        Page::get(NEW, WRITE, ask),
        Page::post(NEW, WRITE, revalue),
    ]
}

async fn valuation(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, query) = (call.say(), &call.query);
    let (zone, places) = (call.zone(), places(&call).await?);
    let end = query.read("at", Day::parse).map(|day| zone.end(day));
    let wanted = ValuationQuery {
        // Of a day that is not over it is what it is now.
        at: end.filter(|end| *end <= call.now()),
        warehouse: query.read("warehouse", WarehouseId::parse),
    };
    let valued = call.services().inventory.valuation(call.account(), wanted, call.now());
    let valued = answered(valued).await?;
    let heads = vec![
        words(say.warehouse()),
        words(say.currency()),
        figures(say.on_hand()),
        figures(say.value()),
        figures(say.cost_unknown()),
    ];
    let name = |place: &ValuedPlace| match place.warehouse {
        Some(warehouse) => places.name(warehouse),
        None => say.on_the_way().to_owned(),
    };
    let totals = valued.totals();
    let rows = valued.places.iter().map(|place| row(name(place), place));
    let sums = totals.iter().map(|sum| row(say.total().to_owned(), sum));
    let table = Table::new(heads, rows.chain(sums));
    let filters = vec![
        Filter::Day("at", say.at_end_of()),
        Filter::select("warehouse", say.warehouse(), places.choices()),
    ];
    let nothing = Empty::new(say.no_stock());
    let sheet = narrowed(&call, (say.valuation(), VALUATION), filters, table, nothing);
    let sheet = sheet.quiet(say.cost_changes(), call.href(COSTS));
    Ok(call.page(sheet.back(say.stock(), call.href(STOCK))))
}

fn row(name: String, place: &ValuedPlace) -> Vec<Cell> {
    let unknown = match place.unvalued == Measure::ZERO {
        true => String::new(),
        false => quantity(place.unvalued),
    };
    vec![
        Cell::text(name),
        Cell::text(place.currency.to_string()),
        Cell::text(quantity(place.on_hand)),
        Cell::text(worth(place.value, place.currency)),
        Cell::text(unknown),
    ]
}

async fn costs(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, query) = (call.say(), &call.query);
    let zone = call.zone();
    let product = query.read("product", ProductId::parse);
    let filter = CostFilter { product, variant: None };
    let wanted = CostQuery { filter, page: list::asked(query) };
    let changes = call.services().inventory.cost_changes(call.account(), wanted);
    let mut found = answered(changes).await?;
    let changes = std::mem::take(&mut found.items);
    let goods = goods(&call, changes.iter().map(|change| change.sku)).await?;
    let product = changes.first().map(|first| goods.name(first.sku).0);
    let heads = vec![
        words(say.date()),
        words(say.product()),
        words(say.reason()),
        figures(say.on_hand()),
        figures(say.cost_before()),
        figures(say.average_cost()),
    ];
    let at = |change: &CostChange| Cell::at(moment(change.created_at, zone, call.language));
    let row = |change: CostChange| {
        let at = at(&change);
        std::iter::once(at).chain(changed(say, &goods, change)).collect::<Vec<_>>()
    };
    let table = Table::new(heads, changes.into_iter().map(row));
    let filters = vec![Filter::Named("product", say.product(), product)];
    let nothing = Empty::new(say.no_cost_changes());
    let sheet = listed(&call, (say.cost_changes(), COSTS), filters, (&found, table), nothing);
    let sheet = sheet.back(say.valuation(), call.href(VALUATION));
    Ok(call.page(match call.may(WRITE) {
        true => sheet.action(say.set_costs(), call.href(NEW)),
        false => sheet,
    }))
}

/// What stands behind the moment of a change.
fn changed(say: Say, goods: &Goods, change: CostChange) -> [Cell; 5] {
    let (name, code) = goods.name(change.sku);
    let told = |cost: Option<Amount>, currency: Currency| {
        cost.map_or_else(|| say.unknown().to_owned(), |cost| money(cost, currency))
    };
    let noted: Vec<String> = change.reference.into_iter().chain(change.note).collect();
    [
        Cell::text(name).hint(code),
        Cell::text(reason_name(say, change.reason)).hint(noted.join(" · ")),
        Cell::text(quantity(change.on_hand)),
        Cell::text(told(change.before, change.currency)),
        Cell::text(told(change.after, change.currency)),
    ]
}

const fn reason_name(say: Say, reason: CostReason) -> &'static str {
    match reason {
        CostReason::Receipt => say.receipt(),
        CostReason::ReceiptCancelled => say.receipt_was_cancelled(),
        CostReason::Revaluation => say.set_by_hand(),
    }
}

async fn ask(call: Call<Member>) -> Result<Answer, Failure> {
    Ok(form(&call, &Values::default(), &[]))
}

fn form(call: &Call<Member>, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let fields = vec![
        Field::area(ITEMS, say.goods(), 8, values).hint(say.costs_hint()).first(),
        Field::text("reference", say.reference(), values),
        Field::text("note", say.note(), values),
    ];
    let form = call.form(call.href(NEW), fields, say.set_costs(), faults);
    let title = say.set_costs().to_owned();
    let back = (say.cost_changes(), COSTS);
    asking(call, (title, say.set_costs_intro()), &form, !faults.is_empty(), back)
}

async fn revalue(call: Call<Member>) -> Result<Answer, Failure> {
    let again = |faults: &Faults| form(&call, call.sent.values(), faults);
    let wanted = match call.read(&REVALUATION)? {
        Ok(wanted) => wanted,
        Err(faults) => return Ok(again(&faults)),
    };
    let cost = |line: &Coded| match line.numbers.first() {
        None => Err(message!("must have its cost behind it", "debe llevar su costo")),
        Some(cost) if cost.is_negative() => {
            Err(message!("must not cost less than 0", "no debe costar menos de 0"))
        }
        Some(cost) => Ok(NewCost { named: line.named(), average: Some(*cost), currency: None }),
    };
    let lines = match each(&wanted.lines, cost) {
        Ok(lines) => lines,
        Err(faults) => return Ok(again(&faults)),
    };
    let new = Revalue { note: wanted.note, reference: wanted.reference, lines };
    let setting = call.services().inventory.revalue(call.ctx(), new);
    Ok(match carried_out(setting, refused).await? {
        Ok(_) => call.done_at(COSTS, "costs.set"),
        Err(faults) => again(&of_lines(faults, &wanted.lines)),
    })
}
