//! Counts: what people count on the shelves of a warehouse, by scanner or by a list.

mod acts;
mod sheet;

use cfdi::catalogs::zones::Zone;
use inventory::{
    Count, CountId, CountQuery, WarehouseId,
    count::{CountFilter, CountStatus},
};

use super::{
    shared::{Places, READ, WRITE, places},
    view::{Cell, Filter, Table, figures, listed, words},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv,
    failure::Failure,
    form::Values,
    format::moment,
    list,
    page::{Group, Page},
    pages::linked::nothing_yet,
    parts::{Pill, Tone},
    reply::{answered, found},
    texts::Say,
};

const PATH: &str = "counts";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show)
            .listed(Group::Supply, "clipboard-list", Say::counts)
            .key("n")
            .list(),
        Page::get("counts.csv", READ, table),
    ];
    [own, sheet::pages(), acts::pages()].into_iter().flatten().collect()
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, query) = (call.say(), &call.query);
    let (zone, places) = (call.zone(), places(&call).await?);
    let wanted = CountQuery { filter: filter(query), page: list::asked(query) };
    let mut known = answered(call.services().inventory.counts(call.account(), wanted)).await?;
    let rows = std::mem::take(&mut known.items);
    let heads = vec![
        words(say.date()),
        words(say.warehouse()),
        words(say.note()),
        words(say.state()),
        figures(say.counted_lines()),
        figures(say.lines()),
    ];
    let row = |count: Count| row(&call, &places, zone, count);
    let table = Table::new(heads, rows.into_iter().map(row));
    let statuses = CountStatus::EVERY
        .iter()
        .map(|status| (status.name().to_owned(), status_name(say, *status).to_owned()));
    let filters = vec![
        Filter::select("status", say.state(), statuses),
        Filter::select("warehouse", say.warehouse(), places.choices()),
    ];
    let nothing = nothing_yet(&call, say.no_counts(), (say.new_count(), "counts/new"));
    let sheet = listed(&call, (say.counts(), PATH), filters, (&known, table), nothing);
    Ok(call.page(match call.may(WRITE) {
        true => sheet.action(say.new_count(), call.href("counts/new")),
        false => sheet,
    }))
}

/// Which counts a query asks for. What cannot be read of it is left out.
fn filter(query: &Values) -> CountFilter {
    CountFilter {
        status: list::named(query, "status", CountStatus::EVERY, CountStatus::name),
        warehouse: query.read("warehouse", WarehouseId::parse),
    }
}

async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone, places) = (call.say(), call.zone(), places(&call).await?);
    let filter = filter(&call.query);
    let table = csv::Table::new(move |services, account, page| {
        services.inventory.counts(account, CountQuery { filter, page })
    })
    .column(say.identifier(), |count: &Count| count.id.to_string())
    .moment(say.date(), zone, |count| count.created_at)
    .column(say.warehouse(), move |count| places.name(count.warehouse))
    .optional(say.note(), |count| count.note.clone())
    .column(say.state(), move |count| status_name(say, count.status).to_owned())
    .column(say.counted_lines(), |count| count.counted.to_string())
    .column(say.lines(), |count| count.lines.to_string())
    .moment(say.posted(), zone, |count| count.posted_at);
    csv::sent(&call, "counts.csv", table)
}

fn row(call: &Call<Member>, places: &Places, zone: Zone, count: Count) -> Vec<Cell> {
    let at = moment(count.created_at, zone, call.language);
    vec![
        Cell::link(at.text, place(call, count.id)),
        Cell::text(places.name(count.warehouse)),
        Cell::text(count.note.unwrap_or_default()),
        Cell::pill(state(call.say(), count.status)),
        Cell::text(count.counted.to_string()),
        Cell::text(count.lines.to_string()),
    ]
}

fn place(call: &Call<Member>, id: CountId) -> String {
    format!("{}/{id}", call.href(PATH))
}

const fn status_name(say: Say, status: CountStatus) -> &'static str {
    match status {
        CountStatus::Draft => say.draft(),
        CountStatus::Counting => say.counting(),
        CountStatus::Posted => say.posted(),
        CountStatus::Cancelled => say.called_off(),
    }
}

fn state(say: Say, status: CountStatus) -> Pill {
    let tone = match status {
        CountStatus::Draft => Tone::Plain,
        CountStatus::Counting => Tone::Waiting,
        CountStatus::Posted => Tone::Good,
        CountStatus::Cancelled => Tone::Bad,
    };
    Pill::new(tone, status_name(say, status))
}

/// The count of the path.
async fn one(call: &Call<Member>) -> Result<Count, Failure> {
    let id = CountId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().inventory.count(call.account(), id)).await
}
