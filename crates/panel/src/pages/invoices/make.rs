//! Making an invoice: of an order, for a customer, or of items that are filled in.

use accounts::{Right, Scope};
use askama::Template;
use catalog::{
    Code,
    lookup::Match,
    product::{checked_price, checked_sat_product_key, checked_sat_unit_key},
};
use cfdi::{
    catalogs::{payment_forms, regimes, uses},
    document::{DocumentType, PaymentMethod, Receiver},
};
use crm::{Customer, tax};
use intake::{
    Faults, Fields, Form,
    checks::{above_zero, flag, id, line, number, one_of, text},
    noun,
};
use invoices::{
    BranchId, CustomerId, Fields as InvoiceFields, IssuerId, ItemFields, NewInvoice, OrderId,
    ProductId, STAMP_COST, issuer::LEGAL_NAME_CHARS_MAX,
};
use kernel::{Amount, FieldFault, message};
use orders::{Order, number_text};

use super::{
    PATH, WRITE,
    acts::stamped,
    rows::{ROWS, ROWS_FIRST, ROWS_MORE, Row},
    told::told,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::money,
    layout::Sheet,
    markup::Markup,
    page::Page,
    parts::Field,
    reply::{answered, concluded, found},
    texts::Say,
};

/// Maximum characters of a description (cfdv40).
const DESCRIPTION_CHARS_MAX: usize = 1_000;
/// One unit of what is sold, where no quantity is told.
const ONE: Amount = Amount::from_micros(1_000_000);
const METHODS: &[PaymentMethod] = &[PaymentMethod::Pue, PaymentMethod::Ppd];

/// What a row says: what is sold, by its code or in words.
struct Line {
    code: Option<Code>,
    item: ItemFields,
}

/// What a form says of an invoice.
struct Wanted {
    order: Option<OrderId>,
    customer: Option<CustomerId>,
    issuer: Option<IssuerId>,
    branch: Option<BranchId>,
    receiver: Option<Receiver>,
    /// What it is used for, where the rest of the receiver follows from the customer.
    cfdi_use: Option<String>,
    /// With the place of its row: rows may be left out.
    items: Vec<(usize, Line)>,
    payment_method: Option<PaymentMethod>,
    payment_form: Option<String>,
    is_to_stamp: bool,
}

const FORM: Form<Wanted> = Form::body("NewInvoice", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Wanted> {
    let order = id(noun("an order", "un pedido"), OrderId::PREFIX, OrderId::parse);
    let order = fields.optional("orderId", order);
    let customer = id(noun("a customer", "un cliente"), CustomerId::PREFIX, CustomerId::parse);
    let customer = fields.optional("customerId", customer);
    let issuer = id(noun("an issuer", "un emisor"), IssuerId::PREFIX, IssuerId::parse);
    let issuer = fields.optional("issuerId", issuer);
    let branch = id(noun("a branch", "una sucursal"), BranchId::PREFIX, BranchId::parse);
    let branch = fields.optional("branchId", branch);
    let (receiver, cfdi_use) = read_receiver(fields);
    let tax_included = fields.optional("taxIncluded", flag()).unwrap_or_default();
    let rows = ROWS.iter().enumerate();
    let items =
        rows.filter_map(|(place, row)| Some((place, read_item(fields, row, tax_included)?)));
    let items = items.collect();
    let payment_method = fields.optional("paymentMethod", one_of(METHODS, |method| method.code()));
    let payment_form = fields.optional("paymentForm", text(known_form));
    let is_to_stamp = fields.optional("stamp", flag()).unwrap_or_default();
    Some(Wanted {
        order,
        customer,
        issuer,
        branch,
        receiver,
        cfdi_use,
        items,
        payment_method,
        payment_form,
        is_to_stamp,
    })
}

/// Whom it is made out to; who leaves that out has it follow from the customer, but for what it is used for.
fn read_receiver(fields: &mut Fields<'_>) -> (Option<Receiver>, Option<String>) {
    let rfc = fields.optional("receiver.rfc", text(tax::rfc));
    let legal_name = fields.optional("receiver.legalName", line(LEGAL_NAME_CHARS_MAX));
    let tax_zip = fields.optional("receiver.taxZip", text(tax::zip));
    let tax_regime = fields.optional("receiver.taxRegime", text(tax::regime));
    let cfdi_use = fields.optional("receiver.cfdiUse", text(tax::cfdi_use));
    let is_given = [&rfc, &legal_name, &tax_zip, &tax_regime].into_iter().any(Option::is_some);
    if !is_given {
        return (None, cfdi_use);
    }
    let receiver = Receiver {
        rfc: rfc.unwrap_or_default(),
        legal_name: legal_name.unwrap_or_default(),
        tax_zip: tax_zip.unwrap_or_default(),
        tax_regime: tax_regime.unwrap_or_default(),
        cfdi_use: cfdi_use.unwrap_or_default(),
        tax_residence: None,
        foreign_tax_id: None,
    };
    (Some(receiver), None)
}

fn read_item(fields: &mut Fields<'_>, row: &Row, tax_included: bool) -> Option<Line> {
    let code = fields.optional(row.sku, text(Code::parse));
    let description = fields.optional(row.description, line(DESCRIPTION_CHARS_MAX));
    let quantity = fields.optional(row.quantity, above_zero());
    let unit_price = fields.optional(row.unit_price, number(Some(0), checked_price));
    let sat_product_key = fields.optional(row.sat_product_key, text(checked_sat_product_key));
    let sat_unit_key = fields.optional(row.sat_unit_key, text(checked_sat_unit_key));
    let is_priced = unit_price.is_some() || quantity.is_some();
    let is_told = code.is_some() || description.is_some();
    let is_given = is_told || is_priced || sat_product_key.is_some();
    // A product says itself whether its price has them inside.
    let tax_included = (code.is_none() || unit_price.is_some()).then_some(tax_included);
    is_given.then(|| {
        let item = ItemFields {
            description,
            quantity: quantity.unwrap_or(ONE),
            unit_price,
            sat_product_key,
            sat_unit_key,
            tax_included,
            ..ItemFields::default()
        };
        Line { code, item }
    })
}

fn known_form(code: &str) -> Result<String, kernel::Message> {
    match payment_forms::find(code) {
        Some(form) => Ok(form.code.to_owned()),
        None => Err(message!("is not in SAT's catalog", "no está en el catálogo del SAT")),
    }
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
    /// The same form with more rows.
    more: Option<String>,
    form: Markup,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    if let Some(restored) = call.restored(&call.href("invoices/new")) {
        let subject = subject(&call, &restored.values).await?;
        return page(&call, &subject, &restored.values, &[]).await;
    }
    let subject = subject(&call, &call.query).await?;
    let text = |text: &'_ Option<String>| text.clone().unwrap_or_default();
    let mut values = vec![("stamp", "true".to_owned()), ("taxIncluded", "true".to_owned())];
    if let Some(customer) = &subject.customer {
        values.extend([
            ("receiver.rfc", text(&customer.rfc)),
            ("receiver.legalName", text(&customer.legal_name)),
            ("receiver.taxZip", text(&customer.tax_zip)),
            ("receiver.taxRegime", text(&customer.tax_regime)),
            ("receiver.cfdiUse", text(&customer.cfdi_use)),
        ]);
    }
    let values: Vec<_> = values.iter().map(|(name, text)| (*name, text.as_str())).collect();
    page(&call, &subject, &Values::with(&values), &[]).await
}

async fn page(
    call: &Call<Member>,
    subject: &Subject,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let say = call.say();
    let places = places(call, values).await?;
    let items = match subject.order {
        Some(_) => Vec::new(),
        None => items(call, values),
    };
    let fields = places
        .into_iter()
        .chain([receiver(say, values)])
        .chain(items)
        .chain([payment(say, values), stamping(say, values)])
        .collect();
    let mut form = call.form(call.href("invoices/new"), fields, say.create_invoice(), faults);
    if let Some(order) = &subject.order {
        form = form.hidden("orderId", order.id.to_string());
    } else if let Some(customer) = &subject.customer {
        form = form.hidden("customerId", customer.id.to_string());
    }
    let text = match (&subject.order, &subject.customer) {
        (Some(order), _) => {
            say.invoice_of_order(&number_text(order.number), &money(order.total, order.currency))
        }
        (None, Some(customer)) => say.invoice_of_customer(&customer.name),
        (None, None) => say.invoice_of_items().to_owned(),
    };
    let body = New { say, text, more: more(call, subject, values), form: Markup::of(&form) };
    let sheet = Sheet::new(say.new_invoice(), &body).wrong_if(!faults.is_empty());
    Ok(call.page(sheet.back(say.invoices(), call.href(PATH))))
}

/// Where the form has more rows, if its items are filled in at all.
fn more(call: &Call<Member>, subject: &Subject, values: &Values) -> Option<String> {
    let shown = rows(&call.query, values);
    if subject.order.is_some() || shown == ROWS.len() {
        return None;
    }
    let customer = subject.customer.as_ref().map(|customer| format!("&customer={}", customer.id));
    let place = call.href("invoices/new");
    Some(format!("{place}?rows={}{}", shown + ROWS_MORE, customer.unwrap_or_default()))
}

/// Who issues it and where, as far as there is anything to choose.
async fn places(call: &Call<Member>, values: &Values) -> Result<Vec<Field>, Failure> {
    let (say, services, account) = (call.say(), call.services(), call.account());
    let issuers = answered(services.issuers.issuers(account)).await?;
    let branches = answered(services.branches.branches(account)).await?;
    let usual = || (String::new(), say.as_usual().to_owned());
    let issuer = (issuers.len() > 1).then(|| {
        let known = issuers.iter().map(|issuer| {
            let name = format!("{} {} ({})", issuer.rfc, issuer.legal_name, issuer.tax_regime);
            (issuer.id.to_string(), name)
        });
        let known = std::iter::once(usual()).chain(known).collect();
        Field::select("issuerId", say.issuer(), known, values)
    });
    let branch = (!branches.is_empty()).then(|| {
        let known = branches.iter().map(|branch| (branch.id.to_string(), branch.name.clone()));
        let known = std::iter::once(usual()).chain(known).collect();
        Field::select("branchId", say.branch(), known, values)
    });
    Ok(issuer.into_iter().chain(branch).collect())
}

fn receiver(say: Say, values: &Values) -> Field {
    let none = || (String::new(), say.unknown().to_owned());
    let regimes = regimes::all().iter();
    let regimes = regimes.map(|row| (row.code.to_owned(), format!("{} {}", row.code, row.name)));
    let uses = uses::all().iter();
    let uses = uses.map(|row| (row.code.to_owned(), format!("{} {}", row.code, row.name)));
    let regimes = std::iter::once(none()).chain(regimes).collect();
    let uses = std::iter::once((String::new(), say.as_usual().to_owned())).chain(uses).collect();
    let fields = vec![
        Field::text("receiver.rfc", say.rfc(), values),
        Field::text("receiver.legalName", say.legal_name(), values),
        Field::text("receiver.taxZip", say.tax_zip(), values),
        Field::select("receiver.taxRegime", say.tax_regime(), regimes, values),
        Field::select("receiver.cfdiUse", say.cfdi_use(), uses, values),
    ];
    Field::group("receiver", say.receiver(), fields).hint(say.receiver_hint())
}

fn items(call: &Call<Member>, values: &Values) -> Vec<Field> {
    let say = call.say();
    let row = |(place, row): (usize, &Row)| {
        let keys = vec![
            Field::text(row.sat_product_key, say.sat_product_key(), values),
            Field::text(row.sat_unit_key, say.sat_unit_key(), values),
        ];
        let fields = vec![
            Field::text(row.sku, say.sku_or_ean(), values).autocomplete("off"),
            Field::text(row.description, say.description(), values).autocomplete("off"),
            Field::text(row.quantity, say.quantity(), values).autocomplete("off"),
            Field::text(row.unit_price, say.unit_price(), values).autocomplete("off"),
            Field::behind(row.group, say.sat_keys(), keys),
        ];
        Field::group(row.group, say.item(place + 1), fields).lined()
    };
    let included = Field::tick("taxIncluded", say.tax_included(), values);
    let shown = ROWS.iter().take(rows(&call.query, values));
    shown.enumerate().map(row).chain([included]).collect()
}

/// How many rows are shown: those that are asked for, and all down to the last that is filled in.
fn rows(query: &Values, values: &Values) -> usize {
    let asked = query.filled("rows").and_then(|count| count.parse().ok());
    let is_filled = |row: &Row| {
        [row.sku, row.description, row.quantity, row.unit_price, row.sat_product_key]
            .into_iter()
            .any(|name| values.filled(name).is_some())
    };
    let last = ROWS.iter().rposition(is_filled).map_or(0, |place| place + 1);
    asked.unwrap_or(ROWS_FIRST).max(last).clamp(ROWS_FIRST, ROWS.len())
}

fn payment(say: Say, values: &Values) -> Field {
    let usual = || (String::new(), say.as_usual().to_owned());
    let methods = [("PUE", say.method_pue()), ("PPD", say.method_ppd())];
    let methods = methods.map(|(code, name)| (code.to_owned(), name.to_owned()));
    let methods = std::iter::once(usual()).chain(methods).collect();
    let forms = payment_forms::all().iter();
    let forms = forms.map(|row| (row.code.to_owned(), format!("{} {}", row.code, row.name)));
    let forms = std::iter::once(usual()).chain(forms).collect();
    let fields = vec![
        Field::select("paymentMethod", say.payment_method(), methods, values),
        Field::select("paymentForm", say.payment_form(), forms, values),
    ];
    Field::group("payment", say.payment(), fields)
}

fn stamping(say: Say, values: &Values) -> Field {
    Field::tick("stamp", say.stamp_at_once(STAMP_COST), values).hint(say.stamp_at_once_hint())
}

async fn create(call: Call<Member>) -> Result<Answer, Failure> {
    let mut wanted = match call.read(&FORM)? {
        Ok(wanted) => wanted,
        Err(faults) => return refused(&call, &faults).await,
    };
    let unknown = name_products(&call, &mut wanted.items).await?;
    if !unknown.is_empty() {
        return refused(&call, &unknown).await;
    }
    let places: Vec<_> = wanted.items.iter().map(|(place, _)| *place).collect();
    let is_to_stamp = wanted.is_to_stamp;
    let making = call.services().invoices.create(call.ctx(), command(wanted));
    let draft = match concluded(making, |error| told(&error)).await? {
        Ok(draft) => draft,
        Err(faults) => {
            let faults: Vec<_> =
                faults.into_iter().map(|fault| as_in_the_form(fault, &places)).collect();
            return refused(&call, &faults).await;
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
    stamped(&call, ctx, draft.id).await
}

/// Looks the products up that rows name by their codes; what is wrong with those that name none, or several.
async fn name_products(
    call: &Call<Member>,
    lines: &mut [(usize, Line)],
) -> Result<Faults, Failure> {
    let mut faults = Faults::new();
    for (place, line) in lines {
        let Some(code) = line.code.clone() else { continue };
        if !call.may(Right::read(Scope::Products)) {
            return Err(Failure::NotAllowed);
        }
        let looking = call.services().products.look_up(call.account(), code);
        let matches = answered(looking).await?;
        let problem = match matches.as_slice() {
            [only] => {
                fill(&mut line.item, only);
                continue;
            }
            [] => message!(
                "is none of this account's products",
                "no es de ningún producto de la cuenta"
            ),
            _ => message!(
                "is that of several products: type a SKU",
                "es de varios productos: escribe un SKU"
            ),
        };
        faults.push(FieldFault::new(format!("items[{place}].sku"), problem));
    }
    Ok(faults)
}

/// Fills an item from what a code names; a variant has a name, a SKU and perhaps a price of its own.
fn fill(item: &mut ItemFields, found: &Match) {
    let product = &found.product;
    item.product = Some(ProductId::from_u128(product.id.to_u128()));
    let variant = found.variant.and_then(|id| product.variants.iter().find(|one| one.id == id));
    let Some(variant) = variant else { return };
    item.sku = variant.sku.clone();
    let named = || format!("{} {}", product.name, variant.name);
    item.description = item.description.take().or_else(|| Some(named()));
    if item.unit_price.is_none() && variant.price.is_some() {
        item.unit_price = variant.price;
        item.tax_included = Some(product.tax_included);
    }
}

async fn refused(call: &Call<Member>, faults: &[FieldFault]) -> Result<Answer, Failure> {
    let subject = subject(call, call.sent.values()).await?;
    page(call, &subject, call.sent.values(), faults).await
}

fn command(wanted: Wanted) -> NewInvoice {
    let has_order = wanted.order.is_some();
    let items: Vec<_> = wanted.items.into_iter().map(|(_, line)| line.item).collect();
    NewInvoice {
        kind: DocumentType::Income,
        fields: InvoiceFields {
            issuer: wanted.issuer,
            branch: wanted.branch.map(Some),
            customer: wanted.customer.map(Some),
            orders: wanted.order.map(|order| vec![order]),
            receiver: wanted.receiver,
            cfdi_use: wanted.cfdi_use,
            items: (!has_order).then_some(items),
            payment_form: wanted.payment_form.map(Some),
            payment_method: wanted.payment_method.map(Some),
            ..InvoiceFields::default()
        },
        is_to_stamp: wanted.is_to_stamp,
    }
}

/// A fault at the field of the form: rows that were left out count there, and the parts of a whole stand alone.
fn as_in_the_form(fault: FieldFault, places: &[usize]) -> FieldFault {
    let of_item = fault.field.strip_prefix("items[").and_then(|rest| {
        let (index, rest) = rest.split_once(']')?;
        let place = places.get(index.parse::<usize>().ok()?)?;
        Some(format!("items[{place}]{rest}"))
    });
    let of_item = of_item.map(|field| field.replace("].productId", "].sku"));
    let field = match (of_item, fault.field.as_str()) {
        (Some(field), _) => field,
        (None, "receiver" | "customerId") => "receiver.rfc".to_owned(),
        (None, "cfdiUse") => "receiver.cfdiUse".to_owned(),
        (None, "items") => ROWS.first().map_or("items", |row| row.description).to_owned(),
        (None, other) => other.to_owned(),
    };
    FieldFault { field, ..fault }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<Wanted, Faults> {
        match FORM.read_urlencoded(body.as_bytes()) {
            Ok(wanted) => Ok(wanted),
            Err(intake::Unreadable::Faulty(faults)) => Err(faults),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn rows_may_be_left_out_and_faults_find_theirs() {
        let body = "items%5B1%5D.description=Taza&items%5B1%5D.unitPrice=116&taxIncluded=true\
            &items%5B4%5D.description=Plato&items%5B4%5D.unitPrice=58&items%5B4%5D.quantity=2";
        let wanted = read(body).unwrap_or_else(|faults| panic!("{faults:?}"));
        let places: Vec<_> = wanted.items.iter().map(|(place, _)| *place).collect();
        assert_eq!(places, [1, 4]);
        assert!(wanted.receiver.is_none() && !wanted.is_to_stamp);
        let command = command(wanted);
        let items = command.fields.items.unwrap();
        assert_eq!((items[0].quantity, items[0].tax_included), (ONE, Some(true)));
        for (given, wanted) in [
            ("items[1].satProductKey", "items[4].satProductKey"),
            ("items[7].satProductKey", "items[7].satProductKey"),
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
        let fields = command(wanted).fields;
        assert!(fields.receiver.is_none());
        assert_eq!(fields.cfdi_use.as_deref(), Some("G01"));
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
