//! Making an invoice: of an order, for a customer, or of items that are filled in.

use accounts::{Right, Scope};
use askama::Template;
use cfdi::document::{DocumentType, Receiver, is_generic};
use crm::Customer;
use intake::{
    Faults, Fields, Form, Unreadable,
    checks::{above_zero, flag, id},
    noun,
};
use invoices::{
    CustomerId, Fields as InvoiceFields, ItemFields, NewInvoice, OrderId, Proposed, STAMP_COST,
    of_order,
};
use kernel::{Amount, Currency, FieldFault, Message, message};
use orders::{Order, number_text};

use super::{
    PATH, WRITE,
    acts::stamped,
    constancia,
    filling::{abroad, items, payment, places, receiver, rows},
    judging::{Rowed, SumsCard, Verdict, elsewhere, judged},
    names::told_amount,
    naming::named,
    reading::{Common, read_common, read_receiver},
    rows::ROWS,
    told::placed,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::{MORE, Values},
    format::money,
    layout::Sheet,
    markup::Markup,
    page::Page,
    pages::reading::row_of,
    parts::{Field, Link},
    reply::{answered, concluded, found},
    texts::Say,
};

/// What a form says of an invoice.
struct Wanted {
    order: Option<OrderId>,
    customer: Option<CustomerId>,
    receiver: Option<Receiver>,
    /// What it is used for, where the rest of the receiver follows from the customer.
    cfdi_use: Option<String>,
    common: Common,
    /// Of an order in another currency, how many pesos one of it is.
    exchange_rate: Option<Amount>,
    is_to_stamp: bool,
}

const FORM: Form<Wanted> = Form::body("NewInvoice", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Wanted> {
    let order = id(noun("an order", "un pedido"), OrderId::PREFIX, OrderId::parse);
    let order = fields.optional("orderId", order);
    let customer = id(noun("a customer", "un cliente"), CustomerId::PREFIX, CustomerId::parse);
    let customer = fields.optional("customerId", customer);
    let (receiver, cfdi_use) = read_receiver(fields);
    let common = read_common(fields);
    let exchange_rate = fields.optional("exchangeRate", above_zero());
    let is_to_stamp = fields.optional("stamp", flag()).unwrap_or_default();
    Some(Wanted { order, customer, receiver, cfdi_use, common, exchange_rate, is_to_stamp })
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("invoices/new", WRITE, show), Page::post("invoices/new", WRITE, create)]
}

/// What it is made of, as far as that is known.
struct Subject {
    order: Option<Order>,
    customer: Option<Customer>,
}

/// The order or the customer that a query or form names.
async fn subject(call: &Call<Member>, values: &Values) -> Result<Subject, Failure> {
    let (services, account) = (call.services(), call.account());
    let order = match values.filled("orderId").or_else(|| values.filled("order")) {
        Some(id) if call.may(Right::read(Scope::Orders)) => {
            let id = orders::OrderId::parse(id).ok_or(Failure::Nothing)?;
            Some(found(services.orders.get(account, id)).await?)
        }
        Some(_) => return Err(Failure::NotAllowed),
        None => None,
    };
    let told = values.filled("customerId").or_else(|| values.filled("customer"));
    let told = told.map(|id| crm::CustomerId::parse(id).ok_or(Failure::Nothing)).transpose()?;
    let buyer = order.as_ref().map(|order| crm::CustomerId::from_u128(order.customer.to_u128()));
    let customer = match buyer.or(told) {
        Some(id) if call.may(Right::read(Scope::Customers)) => {
            answered(services.customers.get(account, id)).await?
        }
        _ => None,
    };
    Ok(Subject { order, customer })
}

#[derive(Template)]
#[template(path = "invoices/new.html", whitespace = "minimize")]
struct New {
    say: Say,
    text: String,
    warnings: Vec<String>,
    /// Where the customer's tax data is kept.
    customer: Option<Link>,
    form: Markup,
    sums: SumsCard,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    if let Some(restored) = call.restored(&call.href("invoices/new")) {
        let subject = subject(&call, &restored.values).await?;
        let verdict = looked_at(&call, read_again(&restored.values)?).await?;
        return page(&call, &subject, &restored.values, &verdict, false).await;
    }
    let subject = subject(&call, &call.query).await?;
    let text = |text: &'_ Option<String>| text.clone().unwrap_or_default();
    let mut values = vec![("taxIncluded", "true".to_owned())];
    if let Some(order) = &subject.order {
        values.push(("orderId", order.id.to_string()));
    }
    if let Some(customer) = &subject.customer {
        if subject.order.is_none() {
            values.push(("customerId", customer.id.to_string()));
        }
        // Who has no RFC of their own has no tax address and no regime: both follow from what the form is yet to tell.
        let follows = customer.rfc.as_deref().is_some_and(is_generic);
        let own = |part: &Option<String>| if follows { String::new() } else { text(part) };
        values.extend([
            ("receiver.rfc", text(&customer.rfc)),
            ("receiver.legalName", text(&customer.legal_name)),
            ("receiver.taxZip", own(&customer.tax_zip)),
            ("receiver.taxRegime", own(&customer.tax_regime)),
            ("receiver.cfdiUse", text(&customer.cfdi_use)),
            ("receiver.taxResidence", text(&customer.tax_residence)),
            ("receiver.foreignTaxId", text(&customer.foreign_tax_id)),
        ]);
    }
    let values: Vec<_> = values.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let values = Values::with(&values);
    // What has items is judged at once; to who has filled in nothing yet, nothing is held against.
    let verdict = match subject.order {
        Some(_) => looked_at(&call, read_again(&values)?).await?,
        None => Verdict::default(),
    };
    page(&call, &subject, &values, &verdict, false).await
}

/// What the texts of a form come to.
fn read_again(values: &Values) -> Result<Result<Wanted, Faults>, Failure> {
    match FORM.read_texts(constancia::others(values)) {
        Ok(wanted) => Ok(Ok(wanted)),
        Err(Unreadable::Faulty(faults)) => Ok(Err(faults)),
        Err(unreadable) => Err(unreadable.into()),
    }
}

/// What would come of a form; nothing is made.
async fn looked_at(
    call: &Call<Member>,
    wanted: Result<Wanted, Faults>,
) -> Result<Verdict, Failure> {
    let wanted = match wanted {
        Ok(wanted) => wanted,
        Err(faults) => return Ok(Verdict::refused(faults)),
    };
    let (command, rows) = match command(call, wanted).await? {
        Ok(made) => made,
        Err(faults) => return Ok(Verdict::refused(faults)),
    };
    let verdict = judged(call, Proposed::New(command)).await?;
    Ok(verdict.placed(rows))
}

async fn page(
    call: &Call<Member>,
    subject: &Subject,
    values: &Values,
    verdict: &Verdict,
    is_wrong: bool,
) -> Result<Answer, Failure> {
    let say = call.say();
    let places = places(call, values, &verdict.issuers).await?;
    let shown = rows(&call.sent, values);
    let items = match subject.order {
        Some(_) => Vec::new(),
        None => items(say, shown, values),
    };
    let fields = places
        .into_iter()
        .chain([receiver(say, values), constancia::field(say, values)])
        .chain(abroad(say, values))
        .chain(items)
        .chain(rate(say, subject, values))
        .chain([payment(say, values)])
        .collect();
    let submit = submit(call, subject, verdict);
    let form = call.unjudged(call.href("invoices/new"), fields, submit);
    let form = form.submit_as("stamp", "true").judged();
    let form = form.or(say.check_it(), "check", "true").or(say.keep_draft(), "stamp", "false");
    let form = match subject.order.is_none() && shown < ROWS.len() {
        true => form.or(say.more_lines(), MORE, "true"),
        false => form,
    };
    let order = subject.order.as_ref().map(|order| order.id.to_string());
    let form = match (&order, &subject.customer) {
        (Some(order), _) => form.hidden("orderId", order.clone()),
        (None, Some(customer)) => form.hidden("customerId", customer.id.to_string()),
        (None, None) => form,
    };
    let draft = verdict.would_be();
    let cure = |fault: &FieldFault| elsewhere(call, draft, order.as_deref(), fault);
    let title = say.to_correct(verdict.findings.len());
    let form = form.faulty_or(title, &verdict.findings, call.language, cure);
    let text = match (&subject.order, &subject.customer) {
        (Some(order), _) => say.invoice_of_order(
            &number_text(order.number),
            &money(order.amount_charged(), order.currency),
        ),
        (None, Some(customer)) => say.invoice_of_customer(&customer.name),
        (None, None) => say.invoice_of_items().to_owned(),
    };
    let sums = SumsCard::of(call, verdict.draft.as_deref()).await?;
    let body = New {
        say,
        text,
        warnings: verdict.warnings.iter().map(|one| told_warning(call, draft, one)).collect(),
        customer: customer(call, subject, order.as_deref()),
        form: Markup::of(&form),
        sums,
    };
    let sheet = Sheet::new(say.new_invoice(), &body).wrong_if(is_wrong);
    // Back to where it was begun.
    Ok(call.page(match &subject.order {
        Some(order) => {
            sheet.back(number_text(order.number), format!("{}/{}", call.href("orders"), order.id))
        }
        None => sheet.back(say.invoices(), call.href(PATH)),
    }))
}

/// How many pesos the currency of the order is, where that is another one.
fn rate(say: Say, subject: &Subject, values: &Values) -> Option<Field> {
    let currency = subject.order.as_ref()?.currency;
    (currency != Currency::MXN).then(|| {
        let rate = Field::text("exchangeRate", say.exchange_rate(), values);
        rate.hint(say.exchange_rate_hint(currency.code()))
    })
}

/// What the button says: what is stamped for how much, as far as that is known.
fn submit(call: &Call<Member>, subject: &Subject, verdict: &Verdict) -> String {
    let say = call.say();
    match (&verdict.draft, &subject.order) {
        (Some(draft), _) => say.stamp_it(&told_amount(draft, draft.amount()), STAMP_COST),
        (None, Some(order)) => {
            say.stamp_it(&money(order.amount_charged(), order.currency), STAMP_COST)
        }
        (None, None) => say.stamp_unknown(STAMP_COST),
    }
}

/// A warning as a sentence.
pub(super) fn told_warning(
    call: &Call<Member>,
    draft: Option<Rowed<'_>>,
    warning: &FieldFault,
) -> String {
    let clause = warning.problem.in_language(call.language);
    match elsewhere(call, draft, None, warning).map(|other| other.label) {
        Some(label) if !label.is_empty() => format!("{label} {clause}"),
        Some(_) => clause.to_owned(),
        None => warning.in_language(call.language),
    }
}

/// Where the tax data of the customer is kept, which leads back to the invoice of the order.
fn customer(call: &Call<Member>, subject: &Subject, order: Option<&str>) -> Option<Link> {
    let customer = subject.customer.as_ref()?;
    if !call.may(Right::write(Scope::Customers)) {
        return None;
    }
    let place = call.href(&format!("customers/{}/edit", customer.id));
    let back = order.map(|id| format!("?back={id}")).unwrap_or_default();
    Some(Link::new(call.say().edit_customer(&customer.name), format!("{place}{back}")))
}

async fn create(call: Call<Member>) -> Result<Answer, Failure> {
    let subject = subject(&call, call.sent.values()).await?;
    if call.sent.wants_more {
        return page(&call, &subject, call.sent.values(), &Verdict::default(), false).await;
    }
    match constancia::taken(call.sent.values()) {
        Some(Ok(read)) => {
            let verdict = looked_at(&call, read_again(&read)?).await?;
            return page(&call, &subject, &read, &verdict, false).await.map(Answer::unsent);
        }
        Some(Err(fault)) => return refused(&call, &subject, vec![fault]).await,
        None => {}
    }
    let wanted = call.read(&FORM)?;
    if matches!(&wanted, Ok(wanted) if wanted.common.is_to_check) {
        let verdict = looked_at(&call, wanted).await?;
        let sent = call.sent.values();
        return page(&call, &subject, sent, &verdict, false).await.map(Answer::unsent);
    }
    let wanted = match wanted {
        Ok(wanted) => wanted,
        Err(faults) => return refused(&call, &subject, faults).await,
    };
    let is_to_stamp = wanted.is_to_stamp;
    let (command, rows) = match command(&call, wanted).await? {
        Ok(made) => made,
        Err(faults) => return refused(&call, &subject, faults).await,
    };
    let making = call.services().invoices.create(call.ctx(), command);
    let draft = match concluded(making, |error| placed(&error)).await? {
        Ok(draft) => draft,
        Err(faults) => {
            let findings = faults.into_iter().map(|fault| as_in_the_form(fault, &rows)).collect();
            // What it would have been tells what it amounts to and what its parts are.
            let looked_at = looked_at(&call, call.read(&FORM)?).await?;
            let verdict = Verdict { findings, ..looked_at };
            return page(&call, &subject, call.sent.values(), &verdict, true).await;
        }
    };
    if !is_to_stamp {
        return Ok(call.done_at(&format!("{PATH}/{}", draft.id), "invoice.made"));
    }
    // Under the same token: who sends the form again makes no other draft, and has this one stamped once.
    let mut ctx = call.ctx();
    if let Some(idempotency) = &mut ctx.idempotency {
        idempotency.operation.push_str(" (stamp)");
    }
    stamped(&call, ctx, (draft.id, Some(draft.version))).await
}

async fn refused(
    call: &Call<Member>,
    subject: &Subject,
    faults: Faults,
) -> Result<Answer, Failure> {
    page(call, subject, call.sent.values(), &Verdict::refused(faults), true).await
}

/// The command behind a form and the places of its rows, or what is wrong with the codes in them.
async fn command(
    call: &Call<Member>,
    wanted: Wanted,
) -> Result<Result<(NewInvoice, Vec<usize>), Faults>, Failure> {
    let (mut items, mut places, mut faults) = (Vec::<ItemFields>::new(), Vec::new(), Faults::new());
    let skus: Vec<_> = wanted.common.items.iter().filter_map(|told| told.sku.as_ref()).collect();
    let named = named(call, &skus).await?;
    for told in &wanted.common.items {
        let mut item = told.item(wanted.common.tax_included);
        if let Some(sku) = &told.sku {
            named.fill(&mut item, (told.place, sku), &mut faults);
        }
        items.push(item);
        places.push(told.place);
    }
    if !faults.is_empty() {
        return Ok(Err(faults));
    }
    let Wanted { order, customer, receiver, cfdi_use, common, exchange_rate, is_to_stamp } = wanted;
    let command = NewInvoice {
        kind: DocumentType::Income,
        fields: InvoiceFields {
            issuer: common.issuer,
            branch: common.branch.map(Some),
            customer: customer.map(Some),
            orders: order.map(|order| vec![order]),
            receiver,
            cfdi_use,
            items: order.is_none().then_some(items),
            payment_form: common.payment_form.map(Some),
            payment_method: common.payment_method.map(Some),
            exchange_rate: exchange_rate.map(Some),
            ..InvoiceFields::default()
        },
        is_to_stamp,
    };
    Ok(Ok((command, places)))
}

/// A fault at the field of the form: rows that were left out count there, and the parts of a whole stand alone.
pub(super) fn as_in_the_form(fault: FieldFault, places: &[usize]) -> FieldFault {
    let of_item = row_of("items", &fault.field)
        .and_then(|(index, rest)| Some(format!("items[{}]{rest}", places.get(index)?)));
    let of_item = of_item.map(|field| field.replace("].productId", "].sku"));
    let of_item = of_item.map(|field| field.replace("].taxObject", "].taxes"));
    let field = match (of_item, fault.field.as_str()) {
        (Some(field), _) => field,
        (None, "receiver" | "customerId") => "receiver.rfc".to_owned(),
        (None, "cfdiUse") => "receiver.cfdiUse".to_owned(),
        (None, "items") => ROWS.first().map_or("items", |row| row.description).to_owned(),
        (None, other) => other.to_owned(),
    };
    let is_lacking = |fault: &FieldFault| of_order(fault.clone()).field.is_empty();
    let problem = match fault.field.as_str() {
        // The API may be told a customer instead; the form has them already.
        "receiver" => missing(),
        // What the customer lacks may be filled in here.
        "customerId" if is_lacking(&fault) => missing(),
        _ => fault.problem,
    };
    FieldFault { field, problem }
}

fn missing() -> Message {
    message!(
        "is missing: it is in the Constancia de Situación Fiscal",
        "falta: está en la Constancia de Situación Fiscal"
    )
}

#[cfg(test)]
mod tests {
    use cfdi::tax::TaxRate;

    use super::{super::reading::ONE, *};

    fn read(body: &str) -> Result<Wanted, Faults> {
        match FORM.read_urlencoded(body.as_bytes()) {
            Ok(wanted) => Ok(wanted),
            Err(Unreadable::Faulty(faults)) => Err(faults),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn rows_may_be_left_out_and_faults_find_theirs() {
        let body = "items%5B1%5D.description=Taza&items%5B1%5D.unitPrice=116&taxIncluded=true\
            &items%5B4%5D.description=Plato&items%5B4%5D.unitPrice=58&items%5B4%5D.quantity=2\
            &items%5B4%5D.taxes=iva8&items%5B4%5D.discount=1.5";
        let wanted = read(body).unwrap_or_else(|faults| panic!("{faults:?}"));
        let places: Vec<_> = wanted.common.items.iter().map(|told| told.place).collect();
        assert_eq!(places, [1, 4]);
        assert!(wanted.receiver.is_none() && !wanted.is_to_stamp && !wanted.common.is_to_check);
        let items: Vec<_> = wanted.common.items.iter().map(|told| told.item(true)).collect();
        assert_eq!((items[0].quantity, items[0].tax_included), (ONE, Some(true)));
        assert_eq!((&items[0].taxes, items[0].discount), (&None, None));
        assert_eq!(items[1].taxes, Some(vec![TaxRate::iva(80_000)]));
        for (given, wanted) in [
            ("items[1].satProductKey", "items[4].satProductKey"),
            ("items[7].satProductKey", "items[7].satProductKey"),
            ("items[0].productId", "items[1].sku"),
            ("items", "items[0].description"),
            ("receiver", "receiver.rfc"),
            ("receiver.taxZip", "receiver.taxZip"),
        ] {
            let fault = FieldFault::new(given, message!("is wrong", "está mal"));
            assert_eq!(as_in_the_form(fault, &places).field, wanted);
        }
    }

    #[test]
    fn a_use_is_kept_where_the_receiver_follows_from_the_customer() {
        let wanted = read("receiver.cfdiUse=G01").unwrap_or_else(|faults| panic!("{faults:?}"));
        assert!(wanted.receiver.is_none());
        assert_eq!(wanted.cfdi_use.as_deref(), Some("G01"));
    }

    #[test]
    fn every_fault_is_told_at_once() {
        let body = "receiver.rfc=EKU&receiver.taxZip=1&items%5B0%5D.unitPrice=-1&paymentForm=00";
        let Err(faults) = read(body) else { panic!("it was read") };
        let fields: Vec<_> = faults.iter().map(|fault| fault.field.trim_matches('"')).collect();
        let wanted = ["receiver.rfc", "receiver.taxZip", "items[0].unitPrice", "paymentForm"];
        assert_eq!(fields, wanted);
    }
}
