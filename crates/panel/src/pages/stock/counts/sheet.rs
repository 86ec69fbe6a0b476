//! The sheet of a count: a field that a scanner types into, and the lines, the last one first.

use intake::{
    Form,
    checks::{flag, line, some_units},
    noun,
};
use inventory::{
    Count, CountLine, CountLineQuery, ProductId, Sku, VariantId,
    count::{CountStatus, PERSON_CHARS_MAX, Scan},
    ledger::NOTE_CHARS_MAX,
};
use kernel::{Amount, FieldFault, Measure, Message, quantity::QUANTITY_MAX};

use super::{
    super::{
        movements::signed,
        shared::{READ, WRITE, goods, places, refused},
        view::{Cell, Detail, Table, figures, words},
    },
    PATH, acts, one, place, state,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::quantity,
    layout::Sheet,
    list,
    markup::Markup,
    page::Page,
    parts::Field,
    reply::{carried_out, found},
};

/// What was scanned: its code, how many more there are, and whether to begin anew.
const SCAN: Form<(String, Option<Measure>, bool)> = Form::body(
    "Scan",
    noun("this form", "este formulario"),
    |fields| {
        let code = fields.required("code", line(NOTE_CHARS_MAX));
        let more = fields.optional("quantity", some_units(QUANTITY_MAX));
        let restarts = fields.change("restart", flag()).unwrap_or_default();
        Some((code?, more, restarts))
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("counts/{id}", READ, show),
        Page::post("counts/{id}/scan", WRITE, scan).fleeting(),
    ]
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let count = one(&call).await?;
    sheet(&call, &count, &Values::default(), &[]).await
}

async fn sheet(
    call: &Call<Member>,
    count: &Count,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let say = call.say();
    let places = places(call).await?;
    let wanted = CountLineQuery { counted: None, page: list::asked(&call.query) };
    let lines = call.services().inventory.count_lines(call.account(), count.id, wanted);
    let lines = found(lines).await?;
    let pager = list::pager(say, &place(call, count.id), &call.query, &lines);
    let last = call.query.filled("last").and_then(Last::read);
    let skus = lines.items.iter().map(|line| line.sku);
    let goods = goods(call, skus.chain(last.iter().map(|last| last.sku))).await?;
    let heads = vec![
        words(say.product()),
        figures(say.counted_quantity()),
        figures(say.on_record()),
        figures(say.difference()),
    ];
    let row = |line: CountLine| {
        let (name, code) = goods.name(line.sku);
        let counted = line.counted.as_ref().map(|counted| quantity(counted.quantity));
        let known = line.counted.as_ref().map_or(line.snapshot, |counted| counted.on_hand_then);
        vec![
            Cell::text(name).hint(code),
            Cell::text(counted.unwrap_or_default()),
            Cell::text(quantity(known)),
            Cell::text(difference(&line).map(signed).unwrap_or_default()),
        ]
    };
    let table = Table::new(heads, lines.items.into_iter().map(row));
    let is_open = CountStatus::OPEN.contains(&count.status);
    let may_count = is_open && call.may(WRITE);
    let facts = [
        Some((say.warehouse(), places.name(count.warehouse))),
        Some((
            say.counted_lines(),
            say.of_all(&count.counted.to_string(), &count.lines.to_string()),
        )),
        count.note.clone().map(|note| (say.note(), note)),
        last.map(|last| {
            let (name, code) = goods.name(last.sku);
            (say.scanned_last(), format!("{name} · {code} · {}", quantity(last.quantity)))
        }),
    ];
    let body = Detail {
        progress: None,
        facts: facts.into_iter().flatten().collect(),
        form: may_count.then(|| scanning(call, count, values, faults)),
        tables: vec![(say.lines(), table)],
        pager: Some(pager),
    };
    let sheet = Sheet::new(say.count(), &body).pill(state(say, count.status));
    let sheet = sheet.wrong_if(!faults.is_empty()).back(say.counts(), call.href(PATH));
    let with_act = |sheet: Sheet, (label, path): (&'static str, &'static str)| {
        sheet.offered(label, &place(call, count.id), path)
    };
    Ok(call.page(acts::offered(call, count).into_iter().fold(sheet, with_act)))
}

/// What posting a line has changed, or would.
fn difference(line: &CountLine) -> Option<Measure> {
    let counted = line.counted.as_ref()?;
    let found = counted.quantity.thousandths() - counted.on_hand_then.thousandths();
    Some(line.posted.unwrap_or_else(|| Measure::from_thousandths(found)))
}

/// The field is typed into at once: a scanner sends the form itself. It is empty after a refusal too, so that what is scanned
/// next is not appended.
fn scanning(call: &Call<Member>, count: &Count, values: &Values, faults: &[FieldFault]) -> Markup {
    let say = call.say();
    let fields = vec![
        Field::text("code", say.scan_code(), &Values::default()).hint(say.scan_hint()).first(),
        Field::text("quantity", say.scan_quantity(), values).hint(say.scan_quantity_hint()),
        Field::tick("restart", say.scan_restart(), values),
    ];
    let action = format!("{}/scan", place(call, count.id));
    Markup::of(&call.form(action, fields, say.scan(), faults).scanned())
}

/// What was scanned last, as the address of the sheet says: whoever scans sees that it was the right thing.
struct Last {
    sku: Sku,
    quantity: Measure,
}

impl Last {
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(',');
        let product = ProductId::parse(parts.next()?)?;
        let variant = parts.next().and_then(VariantId::parse);
        let quantity = Measure::read(Amount::parse(parts.next()?).ok()?).ok()?;
        Some(Self { sku: Sku::named(product, variant), quantity })
    }

    fn written(line: &CountLine) -> String {
        let Sku { product, variant, .. } = line.sku;
        let variant = variant.map(|variant| variant.to_string()).unwrap_or_default();
        let counted = line.counted.as_ref().map_or(Measure::ZERO, |counted| counted.quantity);
        format!("{product},{variant},{counted}")
    }
}

/// A problem of a code, which says which: its field is empty again.
fn of_code(code: &str, problem: &Message) -> Message {
    Message::both(|language| format!("“{code}” {}", problem.in_language(language)))
}

async fn scan(call: Call<Member>) -> Result<Answer, Failure> {
    let count = one(&call).await?;
    let (code, quantity, restarts) = match call.read(&SCAN)? {
        Ok(given) => given,
        Err(faults) => return sheet(&call, &count, call.sent.values(), &faults).await,
    };
    let name = call.who.person.0.user.name.chars().take(PERSON_CHARS_MAX).collect();
    let scanned = Scan { code: code.clone(), quantity, restarts, by: Some(name) };
    let scanned = call.services().inventory.scan(call.ctx(), count.id, scanned);
    match carried_out(scanned, refused).await? {
        Ok(line) => {
            let place = format!("{PATH}/{}?last={}", count.id, Last::written(&line));
            Ok(call.done_at(&place, "count.scanned"))
        }
        Err(faults) => {
            let named = |fault: FieldFault| match fault.field.as_str() {
                "code" => FieldFault::new("code", of_code(&code, &fault.problem)),
                _ => fault,
            };
            let faults: Vec<_> = faults.into_iter().map(named).collect();
            sheet(&call, &count, call.sent.values(), &faults).await
        }
    }
}
