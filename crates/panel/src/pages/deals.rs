//! Deals: the board of a pipeline, and one deal, which is moved, won, lost and taken up again.

mod acts;
mod opening;
mod pipelines;

use accounts::{Right, Scope};
use askama::Template;
use crm::{
    Board, Deal, DealFilter, DealId, DealQuery, DealSort, DealStatus, PipelineId, Stage, board,
};
use kernel::Ctx;

use super::{
    activities::{self, Subject},
    linked::nothing_yet,
    quotes,
};
use crate::{
    answer::Answer,
    assets,
    call::{Call, Member},
    csv::{self, Table},
    failure::Failure,
    form::Values,
    format::{day, grouped, moment, money, total},
    layout::Sheet,
    list,
    markup::Markup,
    page::{Group, Page},
    parts::{Empty, Filters, Link, Moment, Pager, Pill, Tone},
    reply::{answered, carried_out, changed, found},
    sort::{self, SortHead, Sorted},
    texts::Say,
};

const READ: Right = Right::read(Scope::Deals);
const PATH: &str = "deals";
const LIST: &str = "deals/list";
/// By what the list is sorted; the board is in the order that people gave the deals of a stage.
const SORTS: &[(&str, DealSort)] =
    &[("createdAt", DealSort::CreatedAt), ("updatedAt", DealSort::UpdatedAt)];
/// The deals that a stage shows.
const CARDS_MAX: u32 = 50;

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show_board).listed(Group::Sell, "columns-3", Say::deals).key("d"),
        Page::get(LIST, READ, show_list).list(),
        Page::get("deals/list.csv", READ, table),
        Page::get("deals/{id}", READ, detail),
    ];
    [own, opening::pages(), acts::pages(), pipelines::pages()].into_iter().flatten().collect()
}

const fn status_name(say: Say, status: DealStatus) -> &'static str {
    match status {
        DealStatus::Open => say.deal_open(),
        DealStatus::Won => say.deal_won(),
        DealStatus::Lost => say.deal_lost(),
    }
}

fn status_pill(say: Say, status: DealStatus) -> Pill {
    let tone = match status {
        DealStatus::Open => Tone::Waiting,
        DealStatus::Won => Tone::Good,
        DealStatus::Lost => Tone::Bad,
    };
    Pill::new(tone, status_name(say, status))
}

/// Gives the account its default pipeline, and every deal a place in one, the first time that it looks at them.
async fn ready(call: &Call<Member>) -> Result<(), Failure> {
    let pipelines = &call.services().pipelines;
    while !answered(pipelines.is_ready(call.account())).await? {
        let preparing = pipelines.prepare(Ctx::system(call.account(), call.now()));
        let prepared = carried_out(preparing, |_| changed()).await?;
        if let Err(faults) = prepared {
            return Err(super::money::refused(&faults));
        }
    }
    Ok(())
}

#[derive(Template)]
#[template(path = "deals/board.html", whitespace = "minimize")]
struct Shown {
    say: Say,
    icons: &'static str,
    script: &'static str,
    /// Whether the member may put deals elsewhere.
    can_move: bool,
    path: String,
    pipelines: Vec<(String, String, bool)>,
    columns: Vec<Column>,
}

struct Column {
    id: String,
    name: String,
    href: String,
    /// Whether deals are lost there, which takes a reason.
    is_lost: bool,
    /// Whether more are there than are shown.
    has_more: bool,
    sums: Vec<String>,
    count: String,
    cards: Vec<Card>,
}

struct Card {
    id: String,
    title: String,
    href: String,
    value: String,
    owner: Option<String>,
}

async fn show_board(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    ready(&call).await?;
    let asked = call.query.filled("pipeline").and_then(PipelineId::parse);
    let board = found(call.services().deals.board(call.account(), asked)).await?;
    let pipelines = answered(call.services().pipelines.all(call.account())).await?;
    let Board { pipeline, columns } = board;
    let cards = call.services().deals.cards(call.account(), pipeline.id, CARDS_MAX);
    let cards = answered(cards).await?;
    let shown = pipeline.stages.iter().zip(&columns);
    let shown = shown
        .map(|(stage, column)| one_column(&call, pipeline.id, stage, (column, cards.as_slice())));
    let choice =
        |one: &crm::Pipeline| (one.id.to_string(), one.name.clone(), one.id == pipeline.id);
    let body = Shown {
        say,
        icons: assets::icons(),
        script: assets::board(),
        can_move: call.may(acts::WRITE),
        path: call.href(PATH),
        pipelines: pipelines.iter().map(choice).collect(),
        columns: shown.collect(),
    };
    let sheet = with_new(&call, Sheet::new(say.deals(), &body), Some(pipeline.id));
    let sheet = sheet.quiet(say.as_list(), call.href(LIST));
    Ok(call.page(sheet.quiet(say.pipelines(), pipelines::place(&call))))
}

/// With the way to a new deal, for who may open one.
fn with_new(call: &Call<Member>, sheet: Sheet, pipeline: Option<PipelineId>) -> Sheet {
    match opening::offered(call, pipeline) {
        Some(place) => sheet.action(call.say().new_deal(), place),
        None => sheet,
    }
}

/// A stage with the first of its deals.
fn one_column(
    call: &Call<Member>,
    pipeline: PipelineId,
    stage: &Stage,
    (column, cards): (&board::Column, &[board::Card]),
) -> Column {
    let sums = &column.sums;
    let count: u64 = sums.iter().map(|sum| sum.count).sum();
    let card = |deal: &board::Card| Card {
        id: deal.deal.to_string(),
        href: format!("{}/{}", call.href(PATH), deal.deal),
        value: money(deal.value, deal.currency),
        owner: deal.owner.clone(),
        title: deal.title.clone(),
    };
    Column {
        id: stage.id.to_string(),
        is_lost: stage.kind == DealStatus::Lost,
        has_more: count > u64::from(CARDS_MAX),
        name: stage.name.clone(),
        href: format!("{}?pipeline={pipeline}&stage={}", call.href(LIST), stage.id),
        sums: sums.iter().map(|sum| total(sum.value, sum.currency)).collect(),
        count: grouped(count),
        cards: cards.iter().filter(|deal| deal.stage == stage.id).map(card).collect(),
    }
}

#[derive(Template)]
#[template(path = "deals/list.html", whitespace = "minimize")]
struct Listed {
    say: Say,
    filters: Filters,
    by_date: SortHead,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
}

struct Line {
    title: String,
    href: String,
    opened: Moment,
    owner: String,
    status: Pill,
    value: String,
}

async fn show_list(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    ready(&call).await?;
    let filter = filter(&call.query);
    let asked_pipeline = filter.pipeline;
    let is_filtered = filter != DealFilter::default();
    let sorted = Sorted::asked(&call.query, SORTS);
    let query = DealQuery { filter, sort: sorted.sorting, page: sorted.page(&call.query) };
    let listed = answered(call.services().deals.list(call.account(), query)).await?;
    let zone = call.zone();
    let pager = list::pager(say, &call.href(LIST), &call.query, &listed);
    let line = |deal: Deal| Line {
        href: format!("{}/{}", call.href(PATH), deal.id),
        opened: moment(deal.created_at, zone, call.language),
        owner: deal.owner.unwrap_or_default(),
        status: status_pill(say, deal.status),
        value: money(deal.value, deal.currency),
        title: deal.title,
    };
    let total = list::counted(say, listed.total);
    let lines: Vec<_> = listed.items.into_iter().map(line).collect();
    let empty = lines.is_empty().then(|| match is_filtered {
        true => Empty::unmatched(say, call.href(LIST)),
        false => nothing_yet(&call, say.no_deals(), (say.new_deal(), "deals/new")),
    });
    let query = &call.query;
    let statuses: Vec<_> =
        DealStatus::EVERY.iter().map(|one| (one.name(), status_name(say, *one))).collect();
    let about = |name: &str, label: &'static str| query.filled(name).map(|_| label.to_owned());
    let filters = Filters::without_words(say, call.href(LIST), query, total)
        .choice(query, ("status", say.state()), &statuses)
        .chip(about("pipeline", say.pipeline()), query, "pipeline")
        .chip(about("stage", say.deal_stage()), query, "stage");
    let body = Listed {
        say,
        filters,
        by_date: {
            let by_date = sort::Column::moments("createdAt", say.date());
            sorted.head(&call.href(LIST), &call.query, &by_date)
        },
        lines,
        empty,
        pager,
    };
    let sheet = with_new(&call, Sheet::new(say.deals(), &body), asked_pipeline);
    Ok(call.page(sheet.quiet(say.as_board(), call.href(PATH))))
}

/// Which deals a query asks for. What cannot be read of it is left out.
fn filter(query: &Values) -> DealFilter {
    DealFilter {
        status: list::named(query, "status", DealStatus::EVERY, DealStatus::name),
        pipeline: query.read("pipeline", PipelineId::parse),
        stage: query.read("stage", crm::StageId::parse),
        ..DealFilter::default()
    }
}

async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    ready(&call).await?;
    let (say, zone) = (call.say(), call.zone());
    let filter = filter(&call.query);
    let sort = Sorted::asked(&call.query, SORTS).sorting;
    let table = Table::new(move |services, account, page| {
        services.deals.list(account, DealQuery { filter: filter.clone(), sort, page })
    })
    .column(say.identifier(), |deal: &Deal| deal.id.to_string())
    .column(say.deal(), |deal| deal.title.clone())
    .moment(say.date(), zone, |deal| deal.created_at)
    .column(say.state(), move |deal| status_name(say, deal.status).to_owned())
    .optional(csv::id_of(say.deal_stage()), Deal::stage)
    .column(say.currency(), |deal| deal.currency.to_string())
    .money(say.deal_value(), |deal| deal.currency, |deal| deal.value)
    .optional(say.lead_owner(), |deal| deal.owner.clone())
    .optional(csv::id_of(say.customer()), |deal| deal.customer)
    .optional(csv::id_of(say.lead()), |deal| deal.lead)
    .optional(say.expected_close(), |deal| deal.expected_close)
    .optional(say.reason(), |deal| deal.lost_reason.clone());
    csv::sent(&call, "deals.csv", table)
}

#[derive(Template)]
#[template(path = "deals/detail.html", whitespace = "minimize")]
struct Detail {
    opened: Moment,
    facts: Vec<(&'static str, String)>,
    ways: Vec<Link>,
    activities: Markup,
}

/// The deal of the path.
async fn deal(call: &Call<Member>) -> Result<Deal, Failure> {
    ready(call).await?;
    let id = DealId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().deals.get(call.account(), id)).await
}

async fn detail(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let deal = deal(&call).await?;
    let zone = call.zone();
    let pipelines = answered(call.services().pipelines.all(call.account())).await?;
    let stage = deal.stage();
    let mut stages = pipelines.iter().flat_map(|pipeline| &pipeline.stages);
    let stage = stages.find(|one| Some(one.id) == stage).map(|stage| stage.name.clone());
    let facts = [
        (say.deal_value(), Some(money(deal.value, deal.currency))),
        (say.deal_stage(), stage),
        (say.lead_owner(), deal.owner.clone()),
        (say.expected_close(), deal.expected_close.map(|close| day(close.date(), call.language))),
        (say.reason(), deal.lost_reason.clone()),
    ];
    let about = Subject { deal: Some(deal.id), ..Subject::default() };
    let body = Detail {
        opened: moment(deal.created_at, zone, call.language),
        facts: facts.into_iter().filter_map(|(label, text)| Some((label, text?))).collect(),
        ways: ways(&call, &deal).await?,
        activities: activities::part(&call, about, zone).await?,
    };
    let sheet = Sheet::new(deal.title.clone(), &body).pill(status_pill(say, deal.status));
    let place = format!("{}/{}", call.href(PATH), deal.id);
    let with_act = |sheet: Sheet, (label, path): (&'static str, &'static str)| {
        sheet.offered(label, &place, path)
    };
    let sheet = acts::offered(&call, &deal).into_iter().fold(sheet, with_act);
    let id = deal.id.to_string();
    let offered = quotes::offered(&call, Some(&id)).filter(|_| deal.status == DealStatus::Open);
    let sheet = match offered {
        Some(place) => sheet.action(say.new_quote(), place),
        None => sheet,
    };
    let sheet = sheet.quiet(say.quotes(), format!("{}?deal={id}", call.href("quotes")));
    Ok(call.page(sheet.back(say.deals(), call.href(PATH))))
}

/// To whom it is about, as far as the member may look at that.
async fn ways(call: &Call<Member>, deal: &Deal) -> Result<Vec<Link>, Failure> {
    let say = call.say();
    let may = |scope| call.may(Right::read(scope));
    let customer = match deal.customer.filter(|_| may(Scope::Customers)) {
        Some(id) => answered(call.services().customers.get(call.account(), id)).await?,
        None => None,
    };
    let customer = customer.map(|customer| {
        let href = format!("{}/{}", call.href("customers"), customer.id);
        Link::new(customer.name, href)
    });
    let lead = deal.lead.filter(|_| may(Scope::Leads));
    let lead = lead.map(|id| Link::new(say.lead(), format!("{}/{id}", call.href("leads"))));
    Ok(customer.into_iter().chain(lead).collect())
}
