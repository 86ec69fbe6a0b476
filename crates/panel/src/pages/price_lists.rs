//! Price lists: other prices than those of the products, for a group, a time or a quantity.

mod form;
mod prices;

use accounts::{Right, Scope};
use catalog::{
    ListItem, ListItemQuery, NewPriceList, PriceList, PriceListChanges, PriceListError,
    PriceListId, UpdatePriceList,
};
use cfdi::catalogs::zones::Zone;
use inventory::Sku;
use kernel::{Decimals, FieldFault, Timestamp, message};

use super::{
    customer_groups,
    deletion::{DELETION, Going},
    linked::nothing_yet,
    stock::{
        shared::{Goods, goods},
        view::{Cell, Detail, Table, all_of, asking, figures, words},
    },
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::{money, quantity},
    layout::Sheet,
    list,
    page::Page,
    reply::{answered, carried_out, found, whole},
};
use form::{FORM, Filled, day_of, named_day};

const READ: Right = Right::read(Scope::Products);
const WRITE: Right = Right::write(Scope::Products);
const PATH: &str = "price-lists";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show),
        Page::get("price-lists/new", WRITE, ask_new),
        Page::post("price-lists/new", WRITE, create),
        Page::get("price-lists/{id}", READ, detail),
        Page::get("price-lists/{id}/edit", WRITE, ask_change),
        Page::post("price-lists/{id}/edit", WRITE, change),
        Page::get("price-lists/{id}/delete", WRITE, ask_delete),
        Page::post("price-lists/{id}/delete", WRITE, delete),
    ];
    [own, prices::pages()].into_iter().flatten().collect()
}

/// What a list is for, of these groups.
fn group_name(call: &Call<Member>, groups: &[(String, String)], list: &PriceList) -> String {
    let Some(group) = list.group.map(|group| group.to_string()) else {
        return call.say().all_customers().to_owned();
    };
    let known = groups.iter().find(|(id, _)| *id == group);
    known.map_or(group.clone(), |(_, name)| name.clone())
}

/// From when to when a list holds.
fn term(list: &PriceList, zone: Zone) -> String {
    let (from, until) = (list.valid_from, list.valid_until);
    let from = from.map(|at| day_of(at, zone)).unwrap_or_default();
    let until = until.map(|at| day_of(at.plus_seconds(-1), zone)).unwrap_or_default();
    if from.is_empty() && until.is_empty() { String::new() } else { format!("{from} – {until}") }
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone());
    let lists = answered(call.services().price_lists.all(call.account())).await?;
    let groups = customer_groups::choices(&call).await?;
    let heads = vec![
        words(say.name()),
        words(say.is_for()),
        words(say.currency()),
        figures(say.priority()),
        words(say.holds_from_to()),
    ];
    let row = |list: &PriceList| {
        vec![
            Cell::link(list.name.clone(), call.href(&format!("{PATH}/{}", list.id))),
            Cell::text(group_name(&call, &groups, list)),
            Cell::text(list.currency.code()),
            Cell::text(list.priority.to_string()),
            Cell::text(term(list, zone)),
        ]
    };
    let table = Table::new(heads, lists.iter().map(row));
    let sheet = all_of(
        say.price_lists(),
        table,
        nothing_yet(&call, say.no_price_lists(), (say.new_price_list(), "price-lists/new")),
    );
    let sheet = sheet.back(say.products(), call.href("products"));
    Ok(call.page(match call.may(WRITE) {
        true => sheet.action(say.new_price_list(), call.href("price-lists/new")),
        false => sheet,
    }))
}

async fn ask_new(call: Call<Member>) -> Result<Answer, Failure> {
    let values = Values::with(&[("currency", "MXN")]);
    page(&call, None, &values, &[]).await
}

async fn page(
    call: &Call<Member>,
    list: Option<&PriceList>,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone());
    let groups = customer_groups::choices(call).await?;
    let fields = form::fields(say, list.is_none(), groups, values);
    let (title, place, back) = match list {
        None => {
            let place = call.href("price-lists/new");
            (
                say.new_price_list().to_owned(),
                place,
                (say.price_lists().to_owned(), PATH.to_owned()),
            )
        }
        Some(list) => {
            let own = format!("{PATH}/{}", list.id);
            (list.name.clone(), call.href(&format!("{own}/edit")), (list.name.clone(), own))
        }
    };
    let form = call.form(place, fields, say.save(), faults);
    let form = match list {
        Some(list) => call.over(form, &form::values_of(list, zone)),
        None => form,
    };
    let back = (back.0.as_str(), back.1.as_str());
    Ok(asking(call, (title, say.price_list_intro()), &form, !faults.is_empty(), back))
}

async fn create(call: Call<Member>) -> Result<Answer, Failure> {
    let values = call.sent.values();
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return page(&call, None, values, &faults).await,
    };
    let zone = call.zone();
    let (valid_from, valid_until) = filled.term(zone);
    let Filled { name, currency, group, priority, .. } = filled;
    let new = NewPriceList { name, currency, group, priority, valid_from, valid_until };
    let creating = call.services().price_lists.create(call.ctx(), new);
    match carried_out(creating, |error| told(&error)).await? {
        Ok(list) => Ok(call.done_at(&format!("{PATH}/{}", list.id), "prices.saved")),
        Err(faults) => page(&call, None, values, &faults).await,
    }
}

/// The list of the path.
async fn one(call: &Call<Member>) -> Result<PriceList, Failure> {
    let id = PriceListId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().price_lists.get(call.account(), id)).await
}

async fn detail(call: Call<Member>) -> Result<Answer, Failure> {
    let list = one(&call).await?;
    shown(&call, &list, &Values::default(), &[]).await
}

/// A list with a page of its prices, and the form that sets some.
async fn shown(
    call: &Call<Member>,
    price_list: &PriceList,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone());
    let groups = customer_groups::choices(call).await?;
    let wanted = ListItemQuery { product: None, page: list::asked(&call.query) };
    let reading = call.services().price_lists.items(call.account(), price_list.id, wanted);
    let items = found(reading).await?;
    let sku = |item: &ListItem| Sku {
        product: inventory::ProductId::from_u128(item.product.to_u128()),
        variant: item.variant.map(|id| inventory::VariantId::from_u128(id.to_u128())),
        decimals: Decimals::default(),
    };
    let known = goods(call, items.items.iter().map(sku)).await?;
    let own = format!("{PATH}/{}", price_list.id);
    let mut facts = vec![
        (say.is_for(), group_name(call, &groups, price_list)),
        (say.currency(), price_list.currency.code().to_owned()),
        (say.priority(), price_list.priority.to_string()),
    ];
    let term = term(price_list, zone);
    facts.extend((!term.is_empty()).then_some((say.holds_from_to(), term)));
    let may_write = call.may(WRITE);
    let form = may_write.then(|| prices::form(call, price_list, values, faults));
    let table = table_of(call, price_list, &items.items, (&known, sku));
    let pager = Some(list::pager(say, &call.href(&own), &call.query, &items));
    let tables = vec![(say.prices(), table)];
    let body = Detail { facts, form, tables, pager, ..Detail::default() };
    let sheet = Sheet::new(price_list.name.clone(), &body).wrong_if(!faults.is_empty());
    let sheet = sheet.back(say.price_lists(), call.href(PATH));
    Ok(call.page(match may_write {
        true => sheet
            .action(say.edit(), call.href(&format!("{own}/edit")))
            .grave(say.delete(), call.href(&format!("{own}/delete"))),
        false => sheet,
    }))
}

fn table_of(
    call: &Call<Member>,
    list: &PriceList,
    items: &[ListItem],
    (known, sku): (&Goods, impl Fn(&ListItem) -> Sku),
) -> Table {
    let say = call.say();
    let heads = vec![words(say.product()), figures(say.least_quantity()), figures(say.price())];
    let row = |item: &ListItem| {
        let (name, code) = known.name(sku(item));
        let place = call.href(&format!("products/{}", item.product));
        let from = Cell::text(quantity(item.min_quantity));
        let price = Cell::text(money(item.price, list.currency));
        vec![Cell::link(name, place).hint(code), from, price]
    };
    Table::new(heads, items.iter().map(row))
}

async fn ask_change(call: Call<Member>) -> Result<Answer, Failure> {
    let (list, zone) = (one(&call).await?, call.zone());
    page(&call, Some(&list), &form::values_of(&list, zone), &[]).await
}

async fn change(call: Call<Member>) -> Result<Answer, Failure> {
    let (list, values) = (one(&call).await?, call.sent.values());
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return page(&call, Some(&list), values, &faults).await,
    };
    let zone = call.zone();
    let (from, until) = filled.term(zone);
    // A moment within a day, as a program may have set it, stays while its day does.
    let is_same = |before, after| named_day(before, zone) == named_day(after, zone);
    let last = |until: Option<Timestamp>| until.map(|until| until.plus_seconds(-1));
    let changes = PriceListChanges {
        name: Some(filled.name),
        group: Some(filled.group),
        priority: Some(filled.priority),
        valid_from: (!is_same(list.valid_from, from)).then_some(from),
        valid_until: (!is_same(last(list.valid_until), last(until))).then_some(until),
    };
    let command = UpdatePriceList { id: list.id, version: filled.version, changes };
    let changing = call.services().price_lists.update(call.ctx(), command);
    match carried_out(changing, |error| told(&error)).await? {
        Ok(_) => Ok(call.done_at(&format!("{PATH}/{}", list.id), "prices.saved")),
        Err(faults) => page(&call, Some(&list), values, &faults).await,
    }
}

async fn ask_delete(call: Call<Member>) -> Result<Answer, Failure> {
    let list = one(&call).await?;
    Ok(deleting(&call, &list, &[]))
}

fn deleting(call: &Call<Member>, list: &PriceList, faults: &[FieldFault]) -> Answer {
    let place = format!("{PATH}/{}", list.id);
    let text = call.say().delete_price_list_intro();
    Going { place, name: &list.name, version: list.version, text }.asked(call, faults)
}

async fn delete(call: Call<Member>) -> Result<Answer, Failure> {
    let list = one(&call).await?;
    let version = match call.read(&DELETION)? {
        Ok(version) => version,
        Err(faults) => return Ok(deleting(&call, &list, &faults)),
    };
    let going = call.services().price_lists.delete(call.ctx(), list.id, version);
    Ok(match carried_out(going, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "prices.deleted"),
        Err(faults) => deleting(&call, &list, &faults),
    })
}

fn told(error: &PriceListError) -> FieldFault {
    match error {
        PriceListError::DuplicateName { .. } => FieldFault::new(
            "name",
            message!("is already the name of another list", "ya es de otra lista"),
        ),
        PriceListError::TooMany { max } => whole(message!(
            "The account has {max} price lists, the maximum.",
            "La cuenta tiene {max} listas de precios, el máximo."
        )),
    }
}
