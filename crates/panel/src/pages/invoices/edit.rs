//! Correcting a draft: whatever is wrong with it, or with the invoice whose place it is to take.

use askama::Template;
use cfdi::document::{DocumentType, Receiver, is_generic};
use crm::tax;
use intake::{
    Faults, Fields, Form, Unreadable,
    checks::{above_zero, flag, line, paragraph, text, whole_from},
    noun,
};
use invoices::{
    Draft, DraftItem, Fields as InvoiceFields, Invoice, InvoiceId, Proposed, STAMP_COST, Status,
    UpdateInvoice, draft::NOTES_CHARS_MAX, issuer::LEGAL_NAME_CHARS_MAX, series::SERIES_CHARS_MAX,
};
use kernel::{Amount, FieldFault};

use super::{
    PATH, WRITE,
    acts::stamped,
    constancia,
    correcting::{as_it_is, corrected, includes_taxes, unshown},
    detail::{invoice as by_now, place},
    filling::{abroad, items, payment, places, receiver, rows},
    judging::{Rowed, SumsCard, Verdict, elsewhere, judged},
    make::{as_in_the_form, told_warning},
    names::{number, told_amount},
    naming::named,
    reading::{Common, Told, read_abroad, read_common},
    rows::ROWS,
    taxes::ItemTaxes,
    told::placed,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::{MORE, Values},
    layout::Sheet,
    markup::Markup,
    page::Page,
    parts::{Field, FormPart},
    reply::{concluded, found},
    texts::Say,
};

/// Maximum characters of conditions of payment (cfdv40).
const TERMS_CHARS_MAX: usize = 1_000;

/// The field of what the rows of the form do not show of their items.
const SEEN: &str = "itemsSeen";
const SEEN_CHARS_MAX: usize = 64;

/// What the form of a draft says.
struct Edited {
    version: i64,
    receiver: Receiver,
    common: Common,
    series: Option<String>,
    payment_terms: Option<String>,
    exchange_rate: Option<Amount>,
    notes: Option<String>,
    is_to_stamp: bool,
}

const FORM: Form<Edited> =
    Form::body("UpdateInvoice", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Edited> {
    let version = fields.required("version", whole_from(1));
    let receiver = read_receiver(fields);
    let common = read_common(fields);
    let series = fields.optional("series", line(SERIES_CHARS_MAX));
    let payment_terms = fields.optional("paymentTerms", line(TERMS_CHARS_MAX));
    let exchange_rate = fields.optional("exchangeRate", above_zero());
    let notes = fields.optional("notes", paragraph(NOTES_CHARS_MAX));
    let is_to_stamp = fields.optional("stamp", flag()).unwrap_or_default();
    // By which the form tells whether its rows are still about the same items.
    let _ = fields.optional(SEEN, line(SEEN_CHARS_MAX));
    Some(Edited {
        version: version?,
        receiver: receiver?,
        common,
        series,
        payment_terms,
        exchange_rate,
        notes,
        is_to_stamp,
    })
}

/// A draft has a receiver: nothing of it is left out but what follows where there is no RFC of one's own.
fn read_receiver(fields: &mut Fields<'_>) -> Option<Receiver> {
    let rfc = fields.required("receiver.rfc", text(tax::rfc));
    let legal_name = fields.required("receiver.legalName", line(LEGAL_NAME_CHARS_MAX));
    let has_own = !rfc.as_deref().is_some_and(is_generic);
    let tax_zip = fields.required_if(has_own, "receiver.taxZip", text(tax::zip));
    let tax_regime = fields.required_if(has_own, "receiver.taxRegime", text(tax::regime));
    let cfdi_use = fields.optional("receiver.cfdiUse", text(tax::cfdi_use));
    let (tax_residence, foreign_tax_id) = read_abroad(fields);
    Some(Receiver {
        rfc: rfc?,
        legal_name: legal_name?,
        tax_zip: tax_zip?.unwrap_or_default(),
        tax_regime: tax_regime?.unwrap_or_default(),
        cfdi_use: cfdi_use.unwrap_or_default(),
        tax_residence,
        foreign_tax_id,
    })
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("invoices/{id}/edit", WRITE, show),
        Page::post("invoices/{id}/edit", WRITE, change),
    ]
}

#[derive(Template)]
#[template(path = "invoices/edit.html", whitespace = "minimize")]
struct Edit {
    say: Say,
    /// What the form does not show, and keeps.
    kept: Vec<String>,
    warnings: Vec<String>,
    form: Markup,
    sums: SumsCard,
}

/// Whether its items are filled in here: those of receipts of payments are payments.
fn has_items(draft: &Draft) -> bool {
    draft.kind != DocumentType::Payment
}

/// The draft, without what follows from it by now: that is judged.
async fn as_written(call: &Call<Member>) -> Result<Invoice, Failure> {
    let id = InvoiceId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().invoices.as_written(call.account(), id)).await
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let draft = as_written(&call).await?;
    if draft.status != Status::Draft {
        return Ok(Answer::see(&place(&call, draft.id, "")));
    }
    let restored = call.restored(&place(&call, draft.id, "edit"));
    let values = restored.map_or_else(|| values_of(&draft), |restored| restored.values.clone());
    let verdict = looked_at(&call, &draft, read_again(&values)?).await?;
    page(&call, &draft, &values, &verdict, false).await
}

/// What the texts of a form come to.
fn read_again(values: &Values) -> Result<Result<Edited, Faults>, Failure> {
    match FORM.read_texts(constancia::others(values)) {
        Ok(edited) => Ok(Ok(edited)),
        Err(Unreadable::Faulty(faults)) => Ok(Err(faults)),
        Err(unreadable) => Err(unreadable.into()),
    }
}

/// A draft as its form has it.
fn values_of(invoice: &Invoice) -> Values {
    let draft = &invoice.draft;
    let (receiver, text) =
        (&draft.receiver, |text: &Option<String>| text.clone().unwrap_or_default());
    let number = |amount: Option<Amount>| amount.map(|it| it.to_string()).unwrap_or_default();
    let mut values = vec![
        ("version", invoice.version.to_string()),
        ("branchId", draft.branch.map(|id| id.to_string()).unwrap_or_default()),
        ("issuerId", draft.issuer.map(|id| id.to_string()).unwrap_or_default()),
        ("receiver.rfc", receiver.rfc.clone()),
        ("receiver.legalName", receiver.legal_name.clone()),
        ("receiver.taxZip", receiver.tax_zip.clone()),
        ("receiver.taxRegime", receiver.tax_regime.clone()),
        ("receiver.cfdiUse", receiver.cfdi_use.clone()),
        ("receiver.taxResidence", text(&receiver.tax_residence)),
        ("receiver.foreignTaxId", text(&receiver.foreign_tax_id)),
        ("paymentMethod", draft.payment_method.map(|it| it.code().to_owned()).unwrap_or_default()),
        ("paymentForm", text(&draft.payment_form)),
        ("series", draft.series.clone()),
        ("paymentTerms", text(&draft.payment_terms)),
        ("exchangeRate", number(draft.exchange_rate)),
        ("notes", text(&draft.notes)),
        (SEEN, unshown(&draft.items)),
    ];
    if includes_taxes(draft) {
        values.push(("taxIncluded", "true".to_owned()));
    }
    let shown = draft.items.iter().zip(ROWS).enumerate().filter(|_| has_items(draft));
    for (place, (item, row)) in shown {
        let taxes = ItemTaxes::of_item(item).map(ItemTaxes::code).unwrap_or_default();
        values.extend([
            (row.of, (place + 1).to_string()),
            (row.sku, text(&item.sku)),
            (row.description, item.description.clone()),
            (row.quantity, item.quantity.to_string()),
            (row.unit_price, item.unit_price.to_string()),
            (row.discount, number(item.discount)),
            (row.sat_product_key, item.sat_product_key.clone()),
            (row.sat_unit_key, item.sat_unit_key.clone()),
            (row.taxes, taxes.to_owned()),
        ]);
    }
    let values: Vec<_> = values.iter().map(|(name, text)| (*name, text.as_str())).collect();
    Values::with(&values)
}

/// The code in a row, if it is not what its item has already.
fn another<'a>(told: &'a Told, before: Option<&DraftItem>) -> Option<&'a String> {
    let known = before.and_then(|before| before.sku.as_ref());
    told.sku.as_ref().filter(|sku| Some(*sku) != known)
}

/// The change behind a form and the places of its rows, or what is wrong with the codes in them.
async fn command(
    call: &Call<Member>,
    invoice: &Invoice,
    edited: Edited,
) -> Result<Result<(UpdateInvoice, Vec<usize>), Faults>, Failure> {
    let draft = &invoice.draft;
    let (mut items, mut rows, mut faults) = (Vec::new(), Vec::new(), Faults::new());
    // Prices that have taxes inside and prices that have not stay what they are, unless somebody says otherwise.
    let included = edited.common.tax_included;
    let told_included = (included != includes_taxes(draft)).then_some(included);
    let shown = edited.common.items.iter().filter(|told| !told.is_left_out);
    let shown: Vec<_> =
        shown.map(|told| (told, told.of.and_then(|place| draft.items.get(place)))).collect();
    let skus: Vec<_> = shown.iter().filter_map(|(told, before)| another(told, *before)).collect();
    let named = named(call, &skus).await?;
    for (told, before) in shown {
        let mut item = match before {
            Some(before) => corrected(told, before, told_included),
            None => told.item(included),
        };
        if let Some(sku) = another(told, before) {
            named.fill(&mut item, (told.place, sku), &mut faults);
        }
        items.push(item);
        rows.push(told.place);
    }
    if !faults.is_empty() {
        return Ok(Err(faults));
    }
    // More than a form has rows for: the rest stays.
    items.extend(draft.items.iter().skip(ROWS.len()).map(as_it_is));
    rows.extend(ROWS.len()..draft.items.len());
    let is_sale = matches!(draft.kind, DocumentType::Income | DocumentType::Credit);
    let Edited { version, receiver, common, series, payment_terms, exchange_rate, notes, .. } =
        edited;
    let fields = InvoiceFields {
        issuer: common.issuer,
        branch: (common.branch != draft.branch).then_some(common.branch),
        // One that stays follows the branch and the issuer.
        series: series.filter(|series| *series != draft.series),
        receiver: Some(receiver),
        items: has_items(draft).then_some(items),
        payment_form: is_sale.then_some(common.payment_form),
        payment_method: is_sale.then_some(common.payment_method),
        payment_terms: is_sale.then_some(payment_terms),
        exchange_rate: is_sale.then_some(exchange_rate),
        notes: Some(notes),
        ..InvoiceFields::default()
    };
    Ok(Ok((UpdateInvoice { id: invoice.id, version: Some(version), fields }, rows)))
}

/// What would come of a form; nothing is changed.
async fn looked_at(
    call: &Call<Member>,
    invoice: &Invoice,
    edited: Result<Edited, Faults>,
) -> Result<Verdict, Failure> {
    let edited = match edited {
        Ok(edited) => edited,
        Err(faults) => return Ok(Verdict::refused(faults)),
    };
    let (command, rows) = match command(call, invoice, edited).await? {
        Ok(made) => made,
        Err(faults) => return Ok(Verdict::refused(faults)),
    };
    let verdict = judged(call, Proposed::Change(Box::new(invoice.clone()), command)).await?;
    Ok(verdict.placed(rows))
}

async fn page(
    call: &Call<Member>,
    invoice: &Invoice,
    values: &Values,
    verdict: &Verdict,
    is_wrong: bool,
) -> Result<Answer, Failure> {
    let (say, draft) = (call.say(), &invoice.draft);
    let places = places(call, values, &verdict.issuers).await?;
    let shown = rows(&call.sent, values);
    let items = if has_items(draft) { items(say, shown, values) } else { Vec::new() };
    let is_sale = matches!(draft.kind, DocumentType::Income | DocumentType::Credit);
    let paid = is_sale.then(|| payment(say, values));
    let fields = places
        .into_iter()
        .chain([receiver(say, values), constancia::field(say, values)])
        .chain(abroad(say, values))
        .chain(items)
        .chain(paid)
        .chain([further(say, draft, values)])
        .collect();
    let known;
    let amount = match verdict.draft.as_deref() {
        Some(draft) => draft,
        None => {
            known = by_now(call).await?;
            &known
        }
    };
    let submit = say.stamp_it(&told_amount(amount, amount.amount()), STAMP_COST);
    let action = place(call, invoice.id, "edit");
    let form = call.unjudged(action, fields, submit).submit_as("stamp", "true");
    let form = form.judged().or(say.check_it(), "check", "true").or(say.save(), "stamp", "false");
    let form = match has_items(draft) && shown < ROWS.len() {
        true => form.or(say.more_lines(), MORE, "true"),
        false => form,
    };
    let now = values_of(invoice);
    // Each row is about the item of its number: where others stand there by now the form has to be opened anew.
    let form = match values.shown(SEEN) == now.shown(SEEN) {
        true => call.over(form, &now),
        false => form.hidden("version", values.shown("version")),
    };
    let form = form.hidden(SEEN, values.shown(SEEN));
    let of_draft = |form: FormPart, row: &super::rows::Row| match values.filled(row.of) {
        Some(number) => form.hidden(row.of, number),
        None => form,
    };
    let form = ROWS.iter().fold(form, of_draft);
    let would_be = verdict.would_be().unwrap_or(Rowed::as_it_is(draft));
    let id = invoice.id.to_string();
    let cure = |fault: &FieldFault| elsewhere(call, Some(would_be), Some(&id), fault);
    let title = say.to_correct(verdict.findings.len());
    let form = form.faulty_or(title, &verdict.findings, call.language, cure);
    let sums = SumsCard::of(call, Some(amount)).await?;
    let warned = |one: &FieldFault| told_warning(call, Some(would_be), one);
    let body = Edit {
        say,
        kept: kept(say, draft),
        warnings: verdict.warnings.iter().map(warned).collect(),
        form: Markup::of(&form),
        sums,
    };
    let title = format!("{}: {}", say.correct_draft(), number(say, invoice));
    let sheet = Sheet::new(title, &body).wrong_if(is_wrong);
    Ok(call.page(sheet.back(number(say, invoice), place(call, invoice.id, ""))))
}

/// What most drafts leave as it is.
fn further(say: Say, draft: &Draft, values: &Values) -> Field {
    let is_sale = matches!(draft.kind, DocumentType::Income | DocumentType::Credit);
    let mut fields = vec![Field::text("series", say.one_series(), values)];
    if is_sale {
        fields.push(Field::text("exchangeRate", say.exchange_rate(), values));
        fields.push(Field::text("paymentTerms", say.payment_terms(), values));
    }
    fields.push(Field::area("notes", say.notes(), 3, values).hint(say.notes_of_invoice_hint()));
    Field::behind("further", say.further_details(), fields).quiet()
}

/// What the form does not show, and keeps.
fn kept(say: Say, draft: &Draft) -> Vec<String> {
    let hidden = draft.items.len().saturating_sub(ROWS.len());
    let documents = draft.payments.iter().map(|payment| payment.documents.len()).sum::<usize>();
    let others = !draft.local_taxes.is_empty() || !draft.complements.is_empty();
    let known = [
        (has_items(draft) && hidden > 0).then(|| say.items_kept(hidden)),
        (documents > 0).then(|| say.payments_kept(documents)),
        others.then(|| say.complements_kept().to_owned()),
    ];
    known.into_iter().flatten().collect()
}

async fn change(call: Call<Member>) -> Result<Answer, Failure> {
    let invoice = as_written(&call).await?;
    let sent = call.sent.values();
    if call.sent.wants_more {
        return page(&call, &invoice, sent, &Verdict::default(), false).await;
    }
    match constancia::taken(sent) {
        Some(Ok(read)) => {
            let verdict = looked_at(&call, &invoice, read_again(&read)?).await?;
            return page(&call, &invoice, &read, &verdict, false).await.map(Answer::unsent);
        }
        Some(Err(fault)) => {
            return page(&call, &invoice, sent, &Verdict::refused(vec![fault]), true).await;
        }
        None => {}
    }
    let edited = call.read(&FORM)?;
    if matches!(&edited, Ok(edited) if edited.common.is_to_check) {
        let verdict = looked_at(&call, &invoice, edited).await?;
        return page(&call, &invoice, sent, &verdict, false).await.map(Answer::unsent);
    }
    let made = match edited {
        Ok(edited) => {
            let is_to_stamp = edited.is_to_stamp;
            let made = command(&call, &invoice, edited).await?;
            made.map(|(command, rows)| (command, rows, is_to_stamp))
        }
        Err(faults) => Err(faults),
    };
    let (command, rows, is_to_stamp) = match made {
        Ok(made) => made,
        Err(faults) => {
            return page(&call, &invoice, sent, &Verdict::refused(faults), true).await;
        }
    };
    // What SAT would refuse is not saved to be stamped. A form that is sent again has had its effect: it is answered below.
    if is_to_stamp && invoice.status == Status::Draft && command.version == Some(invoice.version) {
        let verdict =
            judged(&call, Proposed::Change(Box::new(invoice.clone()), command.clone())).await?;
        if !verdict.findings.is_empty() {
            return page(&call, &invoice, sent, &verdict.placed(rows), true).await;
        }
    }
    let updating = call.services().invoices.update(call.ctx(), command);
    let changed = match concluded(updating, |error| placed(&error)).await? {
        Ok(changed) => changed,
        Err(faults) => {
            let findings = faults.into_iter().map(|fault| as_in_the_form(fault, &rows)).collect();
            return page(&call, &invoice, sent, &Verdict::refused(findings), true).await;
        }
    };
    if !is_to_stamp {
        return Ok(call.done_at(&format!("{PATH}/{}", changed.id), "invoice.changed"));
    }
    let mut ctx = call.ctx();
    if let Some(idempotency) = &mut ctx.idempotency {
        idempotency.operation.push_str(" (stamp)");
    }
    stamped(&call, ctx, (changed.id, Some(changed.version))).await
}
