//! The ledger of stock: every change, why, and what there was afterwards.

use std::collections::HashMap;

use cfdi::catalogs::zones::Zone;
use inventory::{
    Cause, Movement, MovementFilter, MovementQuery, ProductId, Reason, WarehouseId,
    ledger::NOTE_CHARS_MAX,
};
use kernel::Measure;
use orders::{OrderId, ShipmentId};

use super::{
    adjust::cause_name,
    shared::{Goods, Places, READ, catalog_of, goods, goods_among, places},
    view::{Cell, Filter, Table, figures, listed, words},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv,
    failure::Failure,
    form::Values,
    format::{moment, quantity},
    list,
    page::{Group, Page},
    pages::linked::{Ways, order_numbers},
    parts::Empty,
    reply::answered,
    texts::Say,
};

pub(super) const PATH: &str = "movements";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get(PATH, READ, show)
            .listed(Group::Supply, "history", Say::movements)
            .key("m")
            .list(),
        Page::get("movements.csv", READ, table),
    ]
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, query) = (call.say(), &call.query);
    let (zone, places) = (call.zone(), places(&call).await?);
    let wanted = MovementQuery { filter: filter(query, zone), page: list::asked(query) };
    let mut found = answered(call.services().inventory.movements(call.account(), wanted)).await?;
    let moved = std::mem::take(&mut found.items);
    let goods = goods(&call, moved.iter().map(|movement| movement.sku)).await?;
    let numbers = order_numbers(&call, moved.iter().filter_map(order_of)).await?;
    let heads = vec![
        words(say.date()),
        words(say.product()),
        words(say.warehouse()),
        words(say.reason()),
        figures(say.change()),
        figures(say.committed()),
        figures(say.afterwards()),
    ];
    // Where the list is of one thing, its first row names it.
    let product = moved.first().map(|first| goods.name(first.sku).0);
    let reference = moved.first().and_then(order_of).and_then(|id| numbers.get(&id).cloned());
    let known = Known { ways: Ways::of(&call), places, goods, numbers };
    let row = |movement: Movement| row(&call, &known, zone, movement);
    let table = Table::new(heads, moved.into_iter().map(row));
    let reasons = Reason::EVERY
        .iter()
        .map(|reason| (reason.name().to_owned(), reason_name(say, *reason).to_owned()));
    let filters = vec![
        Filter::select("warehouse", say.warehouse(), known.places.choices()),
        Filter::select("reason", say.reason(), reasons),
        Filter::Days,
        Filter::Named("product", say.product(), product),
        Filter::Named("reference", say.reference(), reference),
    ];
    let nothing = Empty::new(say.no_movements());
    let sheet = listed(&call, (say.movements(), PATH), filters, (&found, table), nothing);
    Ok(call.page(sheet))
}

/// Which movements a query asks for; what cannot be read of it is left out.
fn filter(query: &Values, zone: Zone) -> MovementFilter {
    let (created_from, created_to) = list::days(query, zone);
    let fits = |text: &str| text.chars().count() <= NOTE_CHARS_MAX;
    MovementFilter {
        product: query.read("product", ProductId::parse),
        variant: None,
        warehouse: query.read("warehouse", WarehouseId::parse),
        reason: list::named(query, "reason", Reason::EVERY, Reason::name),
        reference: query.read("reference", |text| fits(text).then(|| text.to_owned())),
        created_from,
        created_to,
    }
}

/// A movement, with the name and the SKU of what has moved, as far as it is in the catalog.
struct Moved {
    movement: Movement,
    product: Option<(String, String)>,
}

async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone, places) = (call.say(), call.zone(), places(&call).await?);
    let filter = filter(&call.query, zone);
    let products = catalog_of(&call);
    let table = csv::Table::<Moved>::reading(move |services, account, page| {
        let query = MovementQuery { filter: filter.clone(), page };
        let (listing, products) = (services.inventory.movements(account, query), products.clone());
        Box::pin(async move {
            let moved = answered(listing).await?;
            let skus: Vec<_> = moved.items.iter().map(|movement| movement.sku).collect();
            let goods = goods_among(products, account, say, skus).await?;
            let named = |movement: Movement| {
                let is_known = goods.has(movement.sku);
                Moved { product: is_known.then(|| goods.name(movement.sku)), movement }
            };
            Ok::<_, Failure>(moved.map(named))
        })
    })
    .column(say.identifier(), |Moved { movement, .. }| movement.id.to_string())
    .moment(say.date(), zone, |Moved { movement, .. }| movement.created_at)
    .optional(say.product(), |row| row.product.as_ref().map(|(name, _)| name.clone()))
    .optional(say.sku(), |row| row.product.as_ref().map(|(_, code)| code.clone()))
    .column(csv::id_of(say.product()), |Moved { movement, .. }| movement.sku.product.to_string())
    .optional(csv::id_of(say.variant()), |Moved { movement, .. }| movement.sku.variant)
    .optional(say.warehouse(), move |Moved { movement, .. }| {
        movement.warehouse.map(|place| places.name(place))
    })
    .column(say.reason(), move |Moved { movement, .. }| {
        reason_name(say, movement.reason).to_owned()
    })
    .number(say.change(), |Moved { movement, .. }| movement.sku.measure(movement.delta))
    .number(say.committed(), |Moved { movement, .. }| {
        movement.sku.measure(movement.committed_delta)
    })
    .number(say.afterwards(), |Moved { movement, .. }| {
        movement.sku.measure(movement.quantity_after)
    })
    .optional(say.unit_cost(), |Moved { movement, .. }| movement.unit_cost)
    .optional(say.reference(), |Moved { movement, .. }| movement.reference.clone())
    .column(say.note(), move |Moved { movement, .. }| {
        noted(say, movement.reason, movement.note.clone())
    });
    csv::sent(&call, "movements.csv", table)
}

/// What is known of what has moved.
struct Known<'a> {
    ways: Ways<'a>,
    places: Places,
    goods: Goods,
    /// Of orders.
    numbers: HashMap<u128, String>,
}

fn row(call: &Call<Member>, known: &Known<'_>, zone: Zone, movement: Movement) -> Vec<Cell> {
    let say = call.say();
    let (name, code) = known.goods.name(movement.sku);
    let told = |counted| quantity(movement.sku.measure(counted));
    let place = movement.warehouse.map(|place| known.places.name(place));
    let committed = match movement.committed_delta {
        0 => String::new(),
        counted => signed(movement.sku.measure(counted)),
    };
    let number = order_of(&movement).and_then(|id| known.numbers.get(&id).cloned());
    let why = movement.reference.as_deref().and_then(|id| known.ways.page_of(id));
    let way = known.ways.page_of(&movement.sku.product.to_string());
    let product = match way.filter(|_| known.goods.has(movement.sku)) {
        Some(href) => Cell::link(name, href),
        None => Cell::text(name),
    };
    let label = reason_name(say, movement.reason);
    let why = match why {
        Some(href) => Cell::link(label, href),
        None => Cell::text(label),
    };
    // The shipment is found at the order, whose number says more.
    let note = noted(say, movement.reason, movement.note);
    let note = Some(note).filter(|note| ShipmentId::parse(note).is_none() && !note.is_empty());
    let noted: Vec<_> = number.into_iter().chain(note).collect();
    vec![
        Cell::at(moment(movement.created_at, zone, call.language)),
        product.hint(code),
        Cell::text(place.unwrap_or_else(|| say.on_the_way().to_owned())),
        why.hint(noted.join(" · ")),
        Cell::text(signed(movement.sku.measure(movement.delta))),
        Cell::text(committed),
        Cell::text(told(movement.quantity_after)),
    ]
}

/// The order that a movement is for.
fn order_of(movement: &Movement) -> Option<u128> {
    let order = movement.reference.as_deref().and_then(OrderId::parse);
    order.map(OrderId::to_u128)
}

/// What the ledger notes, the cause of an adjustment in the reader's language.
fn noted(say: Say, reason: Reason, note: Option<String>) -> String {
    let note = note.unwrap_or_default();
    match Cause::noted(&note).filter(|_| reason == Reason::Adjustment) {
        Some((cause, Some(rest))) => format!("{}: {rest}", cause_name(say, cause)),
        Some((cause, None)) => cause_name(say, cause).to_owned(),
        None => note,
    }
}

/// A change, with its sign.
pub(super) fn signed(change: Measure) -> String {
    let sign = if change > Measure::ZERO { "+" } else { "" };
    format!("{sign}{}", quantity(change))
}

const fn reason_name(say: Say, reason: Reason) -> &'static str {
    match reason {
        Reason::Initial => say.moved_initial(),
        Reason::Adjustment => say.moved_adjustment(),
        Reason::Order => say.moved_order(),
        Reason::Cancellation => say.moved_cancellation(),
        Reason::Removal => say.moved_removal(),
        Reason::Shipment => say.moved_shipment(),
        Reason::ShipmentCancelled => say.moved_shipment_cancelled(),
        Reason::Return => say.moved_return(),
        Reason::Receipt => say.moved_receipt(),
        Reason::ReceiptCancelled => say.moved_receipt_cancelled(),
        Reason::Count => say.moved_count(),
        Reason::TransferOut => say.moved_transfer_out(),
        Reason::TransferIn => say.moved_transfer_in(),
        Reason::TransferBack => say.moved_transfer_back(),
        Reason::TransferLost => say.moved_transfer_lost(),
        Reason::TransferDamaged => say.moved_transfer_damaged(),
        Reason::TransferFound => say.moved_transfer_found(),
        Reason::Reallocation => say.moved_reallocation(),
        Reason::Import => say.moved_import(),
        Reason::Migration => say.moved_migration(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_as_long_as_its_letters() {
        let of = |text: &str| {
            let query = Values::with(&[("reference", text)]);
            filter(&query, Zone::Central).reference
        };
        let longest = "ñ".repeat(NOTE_CHARS_MAX);
        assert_eq!(of(&longest), Some(longest.clone()));
        assert_eq!(of(&format!("{longest}ñ")), None);
    }
}
