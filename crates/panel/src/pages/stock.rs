//! Stock: what there is and where, how it moves, and the lists that goods and customers come from.

mod adjust;
mod counts;
mod imports;
mod movements;
mod receipts;
mod settings;
pub(super) mod shared;
mod transfers;
pub(super) mod view;
mod warehouses;
mod worth;

use catalog::Code;
use inventory::{Level, ProductId, StockFilter, StockLine, StockQuery, VariantId, WarehouseId};
use kernel::{Message, Quantity};

pub(super) use self::{settings::allocation_name, warehouses::kind_name};
use super::lookup;
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv,
    failure::Failure,
    format::{money, quantity},
    list,
    page::{Group, Page},
    parts::{Empty, Pill, Tone},
    reply::answered,
    texts::Say,
};
pub(super) use adjust::cause_name;
use shared::{Places, READ, WRITE, places};
use view::{Cell, Filter, Table, figures, listed, words};

const PATH: &str = "stock";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show).listed(Group::Supply, "layers", Say::stock).key("s").list(),
        Page::get("stock.csv", READ, table),
    ];
    [
        own,
        adjust::pages(),
        movements::pages(),
        transfers::pages(),
        receipts::pages(),
        counts::pages(),
        warehouses::pages(),
        worth::pages(),
        imports::pages(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The pages of settings.
pub(super) fn settings() -> Vec<Page> {
    settings::pages()
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, query) = (call.say(), &call.query);
    let places = places(&call).await?;
    let (filter, problem) = filter(&call).await?;
    let chosen = filter.warehouse;
    let wanted = StockQuery { filter, page: list::asked(query) };
    let mut found = answered(call.services().inventory.stock(call.account(), wanted)).await?;
    let lines = std::mem::take(&mut found.items);
    let product = lines.first().map(|line| line.name.clone());
    let why = problem
        .map(|problem| format!("\"{}\" {}.", query.shown("q"), problem.in_language(call.language)));
    let heads = vec![
        words(say.product()),
        words(say.state()),
        figures(say.available()),
        figures(say.committed()),
        figures(say.on_hand()),
        figures(say.incoming()),
        figures(say.average_cost()),
    ];
    let row = |line: StockLine| row(&call, &places, chosen, &line);
    let table = Table::new(heads, lines.into_iter().map(row));
    let low = [("yes", say.low_only()), ("no", say.not_low())];
    let low = low.map(|(value, label)| (value.to_owned(), label.to_owned()));
    let filters = vec![
        Filter::Words(why),
        Filter::select("warehouse", say.warehouse(), places.choices()),
        Filter::select("low", say.stock_level(), low),
        Filter::Named("product", say.product(), product),
    ];
    let nothing = Empty::new(say.no_stock());
    let sheet = listed(&call, (say.stock(), PATH), filters, (&found, table), nothing);
    let sheet = sheet.quiet(say.valuation(), call.href(worth::VALUATION));
    Ok(call.page(match call.may(WRITE) {
        true => sheet.action(say.adjust_stock(), call.href("stock/adjust")),
        false => sheet,
    }))
}

/// Which stock a query asks for, and why it is none where its words mean no product or several. What else cannot be read
/// of it is left out.
async fn filter(call: &Call<Member>) -> Result<(StockFilter, Option<Message>), Failure> {
    let query = &call.query;
    let filter = StockFilter {
        warehouse: query.read("warehouse", WarehouseId::parse),
        below_threshold: list::named(query, "low", &["yes", "no"], |one| one)
            .map(|low| low == "yes"),
        product: query.read("product", ProductId::parse),
        ..StockFilter::default()
    };
    let Some(words) = query.filled("q") else { return Ok((filter, None)) };
    let meant = match Code::parse(words) {
        Ok(code) => lookup::meant(call, &code).await?,
        Err(_) => Err(lookup::unknown()),
    };
    Ok(match meant {
        Ok((product, variant)) => {
            let product = Some(ProductId::from_u128(product.to_u128()));
            let variant = variant.map(|id| VariantId::from_u128(id.to_u128()));
            (StockFilter { product, variant, ..filter }, None)
        }
        // No product has this identifier.
        Err(problem) => {
            let product = Some(ProductId::from_u128(0));
            (StockFilter { product, ..filter }, Some(problem))
        }
    })
}

async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, (filter, _)) = (call.say(), filter(&call).await?);
    let chosen = filter.warehouse;
    let is_wanted = move |place: WarehouseId| chosen.is_none_or(|chosen| chosen == place);
    let sum = move |line: &StockLine, of: fn(&Level) -> Quantity| {
        let levels = line.places.iter().filter(|(place, _)| is_wanted(*place));
        line.sku.measure(levels.map(|(_, level)| of(level)).sum())
    };
    let incoming = move |line: &StockLine| {
        let incoming = line.incoming.iter().filter(|(place, _)| is_wanted(*place));
        line.sku.measure(incoming.map(|(_, counted)| *counted).sum())
    };
    let table = csv::Table::new(move |services, account, page| {
        services.inventory.stock(account, StockQuery { filter: filter.clone(), page })
    })
    .column(csv::id_of(say.product()), |line: &StockLine| line.sku.product.to_string())
    .optional(csv::id_of(say.variant()), |line| line.sku.variant)
    .column(say.product(), |line| line.name.clone())
    .optional(say.sku(), |line| line.code.clone())
    .column(say.low(), move |line| say.whether(line.available < line.threshold).to_owned())
    .number(say.available(), move |line| sum(line, |level| level.available))
    .number(say.committed(), move |line| sum(line, |level| level.committed))
    .number(say.on_hand(), move |line| sum(line, |level| level.on_hand()))
    .number(say.incoming(), incoming)
    .column(say.currency(), |line| line.currency.to_string())
    .money(say.average_cost(), |line| line.currency, |line| line.average_cost);
    csv::sent(&call, "stock.csv", table)
}

/// What there is of something: in one warehouse, or in all.
fn row(
    call: &Call<Member>,
    places: &Places,
    chosen: Option<WarehouseId>,
    line: &StockLine,
) -> Vec<Cell> {
    let say = call.say();
    let told = |counted: Quantity| quantity(line.sku.measure(counted));
    let is_wanted = |place: WarehouseId| chosen.is_none_or(|chosen| chosen == place);
    let levels: Vec<&(WarehouseId, Level)> =
        line.places.iter().filter(|(place, _)| is_wanted(*place)).collect();
    let sum = |of: fn(&Level) -> Quantity| told(levels.iter().map(|(_, level)| of(level)).sum());
    let incoming = line.incoming.iter().filter(|(place, _)| is_wanted(*place));
    let state = match line.available < line.threshold {
        true => Pill::new(Tone::Waiting, say.low()),
        false => Pill::new(Tone::Good, say.enough()),
    };
    let by_place = levels
        .iter()
        .map(|(place, level)| format!("{}: {}", places.name(*place), told(level.on_hand())));
    let by_place =
        if levels.len() > 1 { by_place.collect::<Vec<_>>().join(" · ") } else { String::new() };
    let ledger = format!("{}?product={}", call.href(movements::PATH), line.sku.product);
    vec![
        Cell::link(line.name.clone(), ledger).hint(line.code.clone().unwrap_or_default()),
        Cell::pill(state),
        Cell::text(sum(|level| level.available)),
        Cell::text(sum(|level| level.committed)),
        Cell::text(sum(|level| level.on_hand())).hint(by_place),
        Cell::text(told(incoming.map(|(_, counted)| *counted).sum())),
        Cell::text(line.average_cost.map(|cost| money(cost, line.currency)).unwrap_or_default()),
    ]
}
