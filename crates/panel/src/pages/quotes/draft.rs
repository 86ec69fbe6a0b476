//! A quote is drafted, and its draft changed.

mod fields;
mod summing;

use accounts::{Right, Scope};
use askama::Template;
use catalog::product::is_sku;
use crm::{DealFilter, DealQuery, DealStatus};
use intake::Faults;
use kernel::{FieldFault, Metadata, PageRequest, message};
use orders::{PlaceDiscount, PlaceItem, PlaceShipping};
use quotes::{CustomerId, NewQuote, Quote, QuoteChanges, QuoteError, Status};

use self::fields::{
    FORM, Filled, Line, ROWS, ROWS_MORE, drawn, has_rows, no_items, of_draft, placed, shown,
};
use super::{
    PATH,
    acts::{self, WRITE, done, place},
    numbered, quote,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::{MORE, Values},
    layout::Sheet,
    markup::Markup,
    page::Page,
    pages::{
        lookup::sold,
        money::refused,
        orders::{SumsCard, meant},
    },
    reply::{answered, carried_out},
};

/// Deals that a form offers, the newest ones.
const DEALS_MAX: u32 = 50;

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("quotes/new", WRITE, show_new),
        Page::post("quotes/new", WRITE, create),
        Page::get("quotes/{id}/edit", WRITE, show),
        Page::post("quotes/{id}/edit", WRITE, change),
    ]
}

/// Where a quote is drafted, for who may do that: of a deal, if one is named.
pub(in crate::pages) fn offered(call: &Call<Member>, deal: Option<&str>) -> Option<String> {
    let place = call.href("quotes/new");
    call.may(WRITE).then(|| match deal {
        Some(deal) => format!("{place}?deal={deal}"),
        None => place,
    })
}

#[derive(Template)]
#[template(path = "quotes/new.html", whitespace = "minimize")]
struct Drafting {
    text: String,
    form: Markup,
    sums: SumsCard,
}

/// Where the form of a draft is sent, or of a new one.
fn action(call: &Call<Member>, quote: Option<&Quote>) -> String {
    match quote {
        Some(quote) => format!("{}/edit", place(call, quote)),
        None => call.href("quotes/new"),
    }
}

async fn show_new(call: Call<Member>) -> Result<Answer, Failure> {
    let customer = call.query.filled("customer").and_then(crm::CustomerId::parse);
    let customer = match customer {
        Some(id) if call.may(Right::read(Scope::Customers)) => {
            answered(call.services().customers.get(call.account(), id)).await?
        }
        _ => None,
    };
    let (name, id) =
        customer.map(|customer| (customer.name, customer.id.to_string())).unwrap_or_default();
    let deal = call.query.filled("deal").unwrap_or_default();
    let values =
        Values::with(&[("customer", name.as_str()), ("customerId", id.as_str()), ("dealId", deal)]);
    page(&call, None, &values, &[]).await
}

/// The form, with what it comes to as far as it is filled in.
async fn page(
    call: &Call<Member>,
    quote: Option<&Quote>,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let restored = call.restored(&action(call, quote));
    let filled = restored.map_or(values, |restored| &restored.values);
    let summed = summing::summed(call, quote, filled).await?;
    with_sums(call, quote, (values, faults), summed.card).await
}

/// The same after *Calculate*, with what is wrong with it so far. Nothing is carried out.
async fn looked_at(call: &Call<Member>, quote: Option<&Quote>) -> Result<Answer, Failure> {
    let values = call.sent.values();
    let summed = summing::summed(call, quote, values).await?;
    let shown = with_sums(call, quote, (values, &summed.faults), summed.card).await;
    shown.map(Answer::unsent)
}

async fn with_sums(
    call: &Call<Member>,
    quote: Option<&Quote>,
    (values, faults): (&Values, &[FieldFault]),
    sums: SumsCard,
) -> Result<Answer, Failure> {
    let say = call.say();
    let action = action(call, quote);
    let now = match quote {
        Some(quote) if call.seen_version().is_some() => Some(values_of(call, quote).await?),
        // They are what is saved as long as nothing was sent.
        Some(_) => Some(values.clone()),
        None => None,
    };
    let values = call.restored(&action).map_or(values, |restored| &restored.values);
    let keeps_items = values.has("keepItems");
    let asked = call.sent.rows_asked(ROWS.iter().map(|row| row.sku), ROWS_MORE);
    let rows = |values: &Values| if keeps_items { 0 } else { shown(asked, values) };
    let rows = rows(values).max(now.as_ref().map_or(0, rows));
    let fields = drawn(say, values, deals(call, values).await?, rows);
    let form = call.form(action, fields, say.save_draft(), faults).judged();
    let form = form.or(say.calculate(), "check", "true");
    let form = match !keeps_items && rows < ROWS.len() {
        true => form.or(say.more_lines(), MORE, "true"),
        false => form,
    };
    // Whoever asks for more lines goes on in the first of them.
    let next = asked.checked_sub(ROWS_MORE).and_then(|had| ROWS.get(had));
    let form = match next {
        Some(row) => form.begun_at(row.sku),
        None => form,
    };
    // Where there are more items by now than rows, or no more than rows again, the form has to be opened anew.
    let now = now.filter(|now| now.has("keepItems") == keeps_items);
    let version = if now.is_none() { values.filled("version") } else { None };
    let hidden = [
        ("customerId", values.filled("customerId")),
        ("keepItems", values.filled("keepItems")),
        ("version", version),
    ];
    let hidden = hidden.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let form = hidden.fold(form, |form, (name, value)| form.hidden(name, value));
    let form = match &now {
        Some(now) => call.over(form, now),
        None => form,
    };
    let text = match keeps_items {
        true => say.quote_keeps_items().to_owned(),
        false => say.quote_draft_intro().to_owned(),
    };
    let body = Drafting { text, form: Markup::of(&form), sums };
    let title = quote.map_or_else(|| say.new_quote().to_owned(), numbered);
    // What is only looked at may still be wrong.
    let is_wrong = !faults.is_empty() && !call.sent.is_look();
    let sheet = Sheet::new(title, &body).wrong_if(is_wrong);
    Ok(call.page(match quote {
        Some(quote) => sheet.back(numbered(quote), place(call, quote)),
        None => sheet.back(say.quotes(), call.href(PATH)),
    }))
}

/// Deals that a quote may be of: none, those that are open, and the one that it is of.
async fn deals(call: &Call<Member>, values: &Values) -> Result<Vec<(String, String)>, Failure> {
    let (deals, account) = (&call.services().deals, call.account());
    let filter = DealFilter { status: Some(DealStatus::Open), ..DealFilter::default() };
    let page = PageRequest { limit: DEALS_MAX, ..PageRequest::default() };
    let query = DealQuery { filter, page, ..DealQuery::default() };
    let open = answered(deals.list(account, query)).await?.items;
    let chosen = values.filled("dealId").and_then(crm::DealId::parse);
    let chosen = match chosen.filter(|id| open.iter().all(|deal| deal.id != *id)) {
        Some(id) => answered(deals.get(account, id)).await?,
        None => None,
    };
    let none = (String::new(), call.say().no_deal().to_owned());
    let named = open.into_iter().chain(chosen).map(|deal| (deal.id.to_string(), deal.title));
    Ok([none].into_iter().chain(named).collect())
}

/// Whom and what a form means.
struct Wanted {
    customer: Option<CustomerId>,
    items: Vec<PlaceItem>,
}

async fn wanted(
    call: &Call<Member>,
    before: Option<&Quote>,
    filled: &Filled,
) -> Result<Result<Wanted, Faults>, Failure> {
    // Without one, it is that of the deal.
    let customer = meant(call, filled.customer.as_deref(), filled.known).await?;
    let customer = customer.map(|id| id.map(|id| CustomerId::from_u128(id.to_u128())));
    let items = items(call, before, &filled.lines).await?;
    Ok(match (customer, items) {
        (Ok(customer), Ok(items)) => Ok(Wanted { customer, items }),
        (customer, items) => {
            Err(customer.err().into_iter().chain(items.err().into_iter().flatten()).collect())
        }
    })
}

async fn items(
    call: &Call<Member>,
    before: Option<&Quote>,
    lines: &[Line],
) -> Result<Result<Vec<PlaceItem>, Faults>, Failure> {
    let (mut items, mut faults) = (Vec::new(), Faults::new());
    let kept = |line: &Line| {
        let item = before.and_then(|quote| quote.offered.items.get(line.place));
        item.filter(|item| is_sku(&item.sku, line.code.as_str())).map(|item| item.sold)
    };
    let others = lines.iter().filter(|line| kept(line).is_none());
    let goods = sold(call, others.map(|line| &line.code)).await?;
    for line in lines {
        match kept(line).map_or_else(|| goods.by(&line.code), Ok) {
            Ok(sold) => items.push(PlaceItem {
                unit_price: line.unit_price,
                discount: line.discount,
                note: line.note.clone(),
                ..PlaceItem::new(sold, line.quantity)
            }),
            Err(problem) => {
                let field = ROWS.get(line.place).map_or("", |row| row.sku);
                faults.push(FieldFault::new(field, problem));
            }
        }
    }
    Ok(if faults.is_empty() { Ok(items) } else { Err(faults) })
}

fn discount(filled: &Filled) -> Option<PlaceDiscount> {
    let asked = filled.discount?;
    Some(PlaceDiscount { asked, reason: filled.discount_reason.clone() })
}

/// Shipping; what was agreed on about its taxes stays.
fn shipping(filled: &Filled, before: Option<&Quote>) -> Option<PlaceShipping> {
    let (name, amount) = filled.shipping.clone()?;
    let before = before.and_then(|quote| quote.offered.shipping.as_ref());
    Some(PlaceShipping { name, amount, taxes: before.map(|before| before.taxes.clone()) })
}

/// The quote that a form means.
fn new_quote(filled: Filled, Wanted { customer, items }: Wanted) -> NewQuote {
    NewQuote {
        customer,
        deal: filled.deal,
        items,
        discount: discount(&filled),
        shipping: shipping(&filled, None),
        title: filled.title,
        notes: filled.notes,
        valid_until: filled.valid_until,
        wants_link: filled.wants_link,
        metadata: Metadata::default(),
    }
}

/// What a form changes of a draft.
fn changes(filled: Filled, Wanted { customer, items }: Wanted, before: &Quote) -> QuoteChanges {
    // Items without rows stay whatever a form says.
    let has_items = has_rows(before) && !filled.keeps_items;
    QuoteChanges {
        customer,
        deal: Some(filled.deal),
        items: has_items.then_some(items),
        discount: Some(discount(&filled)),
        shipping: Some(shipping(&filled, Some(before))),
        title: Some(filled.title),
        notes: Some(filled.notes),
        valid_until: filled.valid_until,
        wants_link: Some(filled.wants_link),
        metadata: None,
    }
}

async fn create(call: Call<Member>) -> Result<Answer, Failure> {
    if call.sent.wants_more {
        return page(&call, None, call.sent.values(), &[]).await;
    }
    if call.sent.is_look() {
        return looked_at(&call, None).await;
    }
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return page(&call, None, call.sent.values(), &faults).await,
    };
    if filled.keeps_items {
        return page(&call, None, &Values::default(), &[no_items()]).await;
    }
    let wanted = match wanted(&call, None, &filled).await? {
        Ok(wanted) => wanted,
        Err(faults) => return page(&call, None, call.sent.values(), &faults).await,
    };
    let places: Vec<_> = filled.lines.iter().map(|line| line.place).collect();
    let creating = call.services().quotes.create(call.ctx(), new_quote(filled, wanted));
    match carried_out(creating, |error| told(&error)).await? {
        Ok(quote) => Ok(done(&call, &quote, "quote.drafted")),
        Err(faults) => {
            let faults: Vec<_> = faults.into_iter().map(|fault| placed(fault, &places)).collect();
            page(&call, None, call.sent.values(), &faults).await
        }
    }
}

/// The draft of the path; what was sent does not change any more.
async fn draft(call: &Call<Member>) -> Result<Quote, Failure> {
    let quote = quote(call).await?;
    match quote.status(call.now()) {
        Status::Draft => Ok(quote),
        status => Err(refused(&[acts::told(&QuoteError::NotDraft { status })])),
    }
}

/// A draft as the form has it.
async fn values_of(call: &Call<Member>, quote: &Quote) -> Result<Values, Failure> {
    let id = crm::CustomerId::from_u128(quote.customer.to_u128());
    let customer = match call.may(Right::read(Scope::Customers)) {
        true => answered(call.services().customers.get(call.account(), id)).await?,
        false => None,
    };
    let name = customer.map(|customer| customer.name).unwrap_or_default();
    let pairs = of_draft(quote, &name);
    let pairs: Vec<_> = pairs.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    Ok(Values::with(&pairs))
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let quote = draft(&call).await?;
    let values = values_of(&call, &quote).await?;
    if call.restored(&action(&call, Some(&quote))).is_some() {
        return page(&call, Some(&quote), &values, &[]).await;
    }
    // What it comes to as it is saved is on record.
    let sums = summing::card(call.say(), &quote.offered);
    with_sums(&call, Some(&quote), (&values, &[]), sums).await
}

async fn change(call: Call<Member>) -> Result<Answer, Failure> {
    let quote = draft(&call).await?;
    if call.sent.wants_more {
        return page(&call, Some(&quote), call.sent.values(), &[]).await;
    }
    if call.sent.is_look() {
        return looked_at(&call, Some(&quote)).await;
    }
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return page(&call, Some(&quote), call.sent.values(), &faults).await,
    };
    let wanted = match wanted(&call, Some(&quote), &filled).await? {
        Ok(wanted) => wanted,
        Err(faults) => return page(&call, Some(&quote), call.sent.values(), &faults).await,
    };
    let places: Vec<_> = filled.lines.iter().map(|line| line.place).collect();
    let (version, changes) = (filled.version, changes(filled, wanted, &quote));
    let changing = call.services().quotes.update(call.ctx(), quote.id, version, changes);
    match carried_out(changing, |error| told(&error)).await? {
        Ok(quote) => Ok(done(&call, &quote, "quote.changed")),
        Err(faults) => {
            let faults: Vec<_> = faults.into_iter().map(|fault| placed(fault, &places)).collect();
            page(&call, Some(&quote), call.sent.values(), &faults).await
        }
    }
}

/// Why nothing came of a form.
fn told(error: &QuoteError) -> FieldFault {
    match error {
        QuoteError::NoProvider { .. } => FieldFault::new(
            "paymentLink",
            message!(
                "needs a payment provider that collects such an amount by a link",
                "necesita un proveedor de pagos que cobre un importe así con una liga"
            ),
        ),
        other => acts::told(other),
    }
}
