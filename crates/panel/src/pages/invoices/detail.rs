//! One invoice: what it says, its stamp and balance, its papers, and what has happened.

use actix_web::http::header::REFRESH;
use askama::Template;
use cfdi::{
    catalogs::{countries, regimes, uses, zones::Zone},
    document::DocumentType,
    rules,
    stamp::verification_url,
};
use intake::Faults;
use invoices::{
    Cancellation, CancellationStatus, Invoice, InvoiceId, LastError, STAMP_COST, Status,
    Validation, cancel::acceptance,
};
use kernel::{Amount, FieldFault, Timestamp, reason};

use super::{
    PATH, READ, WRITE,
    belonging::{Referring, folio_place, more_orders, orders, referring, refers_to, replaced},
    cancel::told_acceptance,
    judging::{Rowed, elsewhere},
    names::{
        cancel_name, cancellation_pill, cancelled_name, coded, created_name, failed_name,
        kind_name, number, paid, reason_name, stamped_name, status_pill, told_amount,
    },
    owing,
    sharing::{self, Sharing},
    told::finding,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    format::{amount, moment, money, signed, unit_price},
    layout::Sheet,
    page::Page,
    pages::linked::page_of,
    parts::{ButtonForm, CopyField, Happening, Link, Moment, Pill, Timeline},
    reply::{answered, found},
    texts::Say,
};

/// An invoice that is being stamped is looked at again after so many seconds.
const AGAIN_SECONDS: &str = "3";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("invoices/{id}", READ, show)]
}

#[derive(Template)]
#[template(path = "invoices/detail.html", whitespace = "minimize")]
struct Detail<'a> {
    say: Say,
    invoice: &'a Invoice,
    kind: &'static str,
    made: Moment,
    is_stamping: bool,
    /// What the draft would be refused for, and what is nearly always a mistake.
    findings: Vec<Wrong>,
    warnings: Vec<Wrong>,
    /// Whether it was just refused.
    is_wrong: bool,
    is_draft: bool,
    /// What came of the last attempt to stamp the draft, if it failed, with its code and words.
    refusal: Option<(&'static str, String, String)>,
    credits: String,
    replaced: Option<Link>,
    /// What the columns of its lines are called.
    heads: [&'static str; 4],
    lines: Vec<Line>,
    sums: Vec<(&'static str, String)>,
    total: String,
    /// How it says that it is paid.
    paid: Vec<(&'static str, String)>,
    balance: Option<(String, String)>,
    /// What was paid of it without a stamped receipt yet.
    unreceipted: Option<String>,
    stamp: Option<StampPart>,
    papers: Vec<Link>,
    /// What begins a credit note of it.
    credit: Option<ButtonForm>,
    /// The link to its papers for who has no key.
    sharing: Sharing,
    cancellation: Option<CancellationPart>,
    /// What refers to it, and to what it refers, by their relations.
    referring: Referring,
    refers_to: Vec<(String, Link)>,
    orders: Vec<Link>,
    /// How many more it bills.
    more_orders: Option<String>,
    /// Where who it is for is shown.
    customer: Option<String>,
    receiver: Vec<(&'static str, String)>,
    timeline: Timeline,
}

/// What is wrong, and where it is corrected.
struct Wrong {
    sentence: String,
    href: Option<String>,
}

struct Line {
    name: String,
    /// Where the invoice is found that a receipt is of.
    href: Option<String>,
    keys: String,
    quantity: String,
    unit_price: String,
    amount: String,
}

struct StampPart {
    uuid: CopyField,
    at: Moment,
    provider: &'static str,
    certificate: String,
    verify: String,
}

struct CancellationPart {
    state: Pill,
    reason: String,
    replacement: Option<Link>,
    /// Until when the receiver may decide.
    until: Option<String>,
    /// The tax authority's receipt of the request.
    receipt: Option<Link>,
    /// What the tax authority says of it.
    decision: Option<String>,
    answer: Option<String>,
}

/// The invoice of the path.
pub(super) async fn invoice(call: &Call<Member>) -> Result<Invoice, Failure> {
    let id = InvoiceId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().invoices.get(call.account(), id)).await
}

/// Where a page about it lies.
pub(super) fn place(call: &Call<Member>, id: InvoiceId, path: &str) -> String {
    let slash = if path.is_empty() { "" } else { "/" };
    format!("{}/{id}{slash}{path}", call.href(PATH))
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let invoice = invoice(&call).await?;
    page(&call, &invoice, &[]).await
}

/// An invoice, with what came of stamping it.
pub(super) async fn page(
    call: &Call<Member>,
    invoice: &Invoice,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let say = call.say();
    let zone = call.zone();
    let judged = judged(call, invoice).await?;
    // What came of stamping it, or else what would.
    let findings: Faults = match faults {
        [] => judged.findings.iter().map(finding).collect(),
        faults => faults.to_vec(),
    };
    let may_stamp = invoice.status == Status::Draft && call.may(WRITE);
    let stamping = may_stamp.then(|| {
        let submit = say.stamp_it(&told_amount(invoice, invoice.amount()), STAMP_COST);
        ButtonForm::new(place(call, invoice.id, "stamp"), submit, call.tokens())
            .class("main")
            .version(invoice.version)
    });
    let credits = match may_stamp {
        true => {
            let balance = answered(call.services().credits.balance(call.account())).await?;
            say.credits_left(&signed(balance.available))
        }
        false => String::new(),
    };
    let told = |fault: &FieldFault| wrong(call, invoice, fault);
    let owed = owing::owed(call, std::slice::from_ref(invoice)).await?.get(&invoice.id).copied();
    let sharing = sharing::of(call, invoice).await?;
    let is_open = sharing.link.is_some();
    let body = Detail {
        say,
        invoice,
        kind: kind_name(say, invoice.draft.kind),
        made: moment(invoice.created_at, zone, call.language),
        is_stamping: invoice.status == Status::Stamping,
        findings: findings.iter().map(told).collect(),
        warnings: judged.warnings.iter().map(|one| told(&finding(one))).collect(),
        is_wrong: !faults.is_empty(),
        is_draft: invoice.status == Status::Draft,
        refusal: refusal(call, invoice)
            .filter(|_| invoice.status == Status::Draft && faults.is_empty())
            .map(|(error, words)| (attempted(say, error), error.rejection.code.clone(), words)),
        credits,
        replaced: replaced(call, invoice).await?,
        heads: heads(say, invoice),
        lines: lines(call, invoice),
        sums: sums(say, invoice),
        total: told_amount(invoice, invoice.amount()),
        paid: paid(say, invoice),
        balance: owed.map(|owed| {
            (told_amount(invoice, owed.left), say.installments_of_it(invoice.installments))
        }),
        unreceipted: owed
            .filter(|owed| owed.unreceipted > Amount::ZERO)
            .map(|owed| told_amount(invoice, owed.unreceipted)),
        stamp: stamp(call, invoice, zone),
        papers: papers(call, invoice),
        credit: credit(call, invoice),
        sharing,
        cancellation: invoice
            .cancellation
            .as_ref()
            .map(|asked| cancellation(call, invoice, asked, zone)),
        referring: referring(call, invoice).await?,
        refers_to: refers_to(call, invoice),
        orders: orders(call, invoice).await?,
        more_orders: more_orders(say, invoice),
        customer: invoice.draft.customer.and_then(|id| page_of(call, &id.to_string())),
        receiver: receiver(say, invoice),
        timeline: timeline(call, invoice, zone),
    };
    let sheet = Sheet::new(number(say, invoice), &body).pill(status_pill(say, invoice));
    let sheet = sheet.wrong_if(!faults.is_empty());
    let sheet = match &stamping {
        Some(stamping) => sheet.act(stamping),
        None => sheet,
    };
    let act = |sheet: Sheet, (label, path): (&'static str, &'static str)| {
        sheet.offered(label, &place(call, invoice.id, ""), path)
    };
    let sheet = offered(call, invoice).into_iter().fold(sheet, act);
    let answer = call.page(sheet.back(say.invoices(), call.href(PATH)));
    let answer = if is_open { answer.secret() } else { answer };
    Ok(match invoice.status {
        Status::Stamping => answer.with(REFRESH, AGAIN_SECONDS),
        Status::Draft | Status::Stamped | Status::Cancelled => answer,
    })
}

/// What is wrong with it, which leads to where that is corrected: to its field where the draft has one.
fn wrong(call: &Call<Member>, invoice: &Invoice, fault: &FieldFault) -> Wrong {
    let clause = fault.problem.in_language(call.language);
    let id = invoice.id.to_string();
    let draft = Rowed::as_it_is(&invoice.draft);
    let other = elsewhere(call, Some(draft), Some(&id), fault);
    let sentence = match &other {
        _ if fault.field.is_empty() => clause.to_owned(),
        Some(other) if other.label.is_empty() => clause.to_owned(),
        Some(other) => format!("{} {clause}", other.label),
        None => rules::told(&fault.field, clause, call.language),
    };
    let parts = ["items[", "receiver.", "paymentForm", "paymentMethod"];
    let is_own = parts.iter().any(|part| fault.field.starts_with(part));
    let may_edit = invoice.status == Status::Draft && call.may(WRITE);
    let own = || format!("{}#{}", place(call, invoice.id, "edit"), fault.field);
    let href = match other {
        _ if is_own && may_edit => Some(own()),
        other => other.and_then(|other| other.href),
    };
    Wrong { sentence, href }
}

/// What the member may do about it: what it is called, and its path below that of the invoice.
fn offered(call: &Call<Member>, invoice: &Invoice) -> Vec<(&'static str, &'static str)> {
    let say = call.say();
    if !call.may(WRITE) {
        return Vec::new();
    }
    let asked = invoice.cancellation.as_ref().map(|cancellation| cancellation.status);
    match invoice.status {
        Status::Draft => vec![(say.correct_draft(), "edit"), (say.delete_draft(), "delete")],
        Status::Stamped if asked != Some(CancellationStatus::Requested) => {
            vec![(cancel_name(say, invoice.draft.kind), "cancel")]
        }
        Status::Stamping | Status::Stamped | Status::Cancelled => Vec::new(),
    }
}

/// What is to be said of a draft before it is stamped.
async fn judged(call: &Call<Member>, invoice: &Invoice) -> Result<Validation, Failure> {
    if invoice.status != Status::Draft {
        return Ok(Validation::default());
    }
    let validating = call.services().invoices.validate(call.account(), invoice.id, call.now());
    Ok(answered(validating).await?.unwrap_or_default())
}

/// What the columns of its lines are called: those of a receipt are of documents that were paid.
const fn heads(say: Say, invoice: &Invoice) -> [&'static str; 4] {
    match invoice.draft.kind {
        DocumentType::Payment => {
            [say.paid_document(), say.installment(), say.balance_before(), say.amount_paid()]
        }
        _ => [say.description(), say.quantity(), say.unit_price(), say.amount()],
    }
}

fn lines(call: &Call<Member>, invoice: &Invoice) -> Vec<Line> {
    let currency = invoice.draft.currency;
    let sold = invoice.document.items.iter().map(|item| Line {
        name: item.description.clone(),
        href: None,
        keys: [Some(&item.sat_product_key), Some(&item.sat_unit_key), item.sku.as_ref()]
            .into_iter()
            .flatten()
            .cloned()
            .collect::<Vec<_>>()
            .join(" · "),
        quantity: amount(item.quantity),
        unit_price: unit_price(item.unit_price, currency),
        amount: unit_price(item.amount, currency),
    });
    let paid = invoice.document.payments.iter().flat_map(|payment| {
        payment.documents.iter().map(move |paid| Line {
            name: paid.uuid.clone(),
            href: Some(folio_place(call, &paid.uuid)),
            keys: payment.payment_form.clone(),
            quantity: paid.installment.to_string(),
            unit_price: money(paid.balance_before, paid.currency),
            amount: money(paid.amount, paid.currency),
        })
    });
    match invoice.draft.kind {
        DocumentType::Payment => paid.collect(),
        _ => sold.collect(),
    }
}

/// What stands above the total.
pub(super) fn sums(say: Say, invoice: &Invoice) -> Vec<(&'static str, String)> {
    if invoice.draft.kind == DocumentType::Payment {
        return Vec::new();
    }
    let totals = invoice.totals();
    let told = |amount: Amount| told_amount(invoice, amount);
    let some = |amount: Amount| (amount != Amount::ZERO).then_some(amount);
    let taken_off = |amount: Amount| format!("−{}", told(amount));
    [
        Some((say.subtotal(), told(totals.sub_total))),
        totals.discount.and_then(some).map(|amount| (say.discount(), taken_off(amount))),
        totals.total_transferred.map(|amount| (say.taxes_transferred(), told(amount))),
        totals.total_withheld.map(|amount| (say.taxes_withheld(), taken_off(amount))),
        some(totals.local_charged).map(|amount| (say.local_taxes(), told(amount))),
        some(totals.local_withheld).map(|amount| (say.local_withheld(), taken_off(amount))),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn stamp(call: &Call<Member>, invoice: &Invoice, zone: Zone) -> Option<StampPart> {
    let stamped = invoice.stamp.as_ref()?;
    Some(StampPart {
        uuid: CopyField {
            id: "uuid",
            label: call.say().fiscal_folio().to_owned(),
            text: stamped.stamp.uuid.clone(),
        },
        at: moment(stamped.at, zone, call.language),
        provider: stamped.provider.name(),
        certificate: stamped.stamp.certificate_number.clone(),
        verify: verification_url(&invoice.document, &stamped.stamp),
    })
}

fn papers(call: &Call<Member>, invoice: &Invoice) -> Vec<Link> {
    let say = call.say();
    let has_xml = invoice.status != Status::Draft;
    let receipt = invoice.cancellation.as_ref().and_then(|asked| asked.received_at);
    let is_stamped = invoice.status == Status::Stamped && call.may(WRITE);
    let may_send = is_stamped || invoice.status == Status::Cancelled && call.may(WRITE);
    let known = [
        (true, say.pdf(), "pdf"),
        (has_xml, say.xml(), "xml"),
        (receipt.is_some(), say.cancellation_receipt(), "receipt"),
        (may_send, say.send_by_email(), "email"),
        (is_stamped, say.addenda(), "addenda"),
    ];
    let known = known.into_iter().filter(|(is_there, ..)| *is_there);
    known.map(|(_, label, path)| Link::new(label, place(call, invoice.id, path))).collect()
}

/// What begins a credit note, of what can be credited.
fn credit(call: &Call<Member>, invoice: &Invoice) -> Option<ButtonForm> {
    let is_sale = invoice.draft.kind == DocumentType::Income;
    let may_be_made = is_sale && invoice.status == Status::Stamped && call.may(WRITE);
    let action = place(call, invoice.id, "credit-note");
    may_be_made.then(|| call.button(action, call.say().begin_credit_note()))
}

fn cancellation(
    call: &Call<Member>,
    invoice: &Invoice,
    asked: &Cancellation,
    zone: Zone,
) -> CancellationPart {
    let say = call.say();
    let asked_on = zone.local(asked.requested_at).date();
    let is_open = asked.status == CancellationStatus::Requested;
    let until = is_open.then(|| told_acceptance(say, acceptance(&invoice.document, asked_on)));
    let receipt = asked.received_at.map(|_| place(call, invoice.id, "receipt"));
    let fiscal = asked.fiscal_status.as_ref();
    let words = fiscal.map(|fiscal| {
        let said = [Some(&fiscal.state), fiscal.cancellable.as_ref(), fiscal.cancellation.as_ref()];
        said.into_iter().flatten().cloned().collect::<Vec<_>>().join(" · ")
    });
    let answer = asked.answer.as_ref();
    CancellationPart {
        state: cancellation_pill(say, asked.status),
        reason: format!("{} {}", asked.reason.code(), reason_name(say, asked.reason).0),
        replacement: asked
            .replacement_uuid
            .as_ref()
            .map(|uuid| Link::new(uuid.clone(), format!("{}?uuid={uuid}", call.href(PATH)))),
        until,
        receipt: receipt.map(|href| Link::new(say.cancellation_receipt(), href)),
        decision: words,
        answer: answer.map(|answer| {
            match reason::told(&answer.message).in_language(call.language) {
                "" => answer.code.clone(),
                message => format!("{}: {message}", answer.code),
            }
        }),
    }
}

fn receiver(say: Say, invoice: &Invoice) -> Vec<(&'static str, String)> {
    let receiver = &invoice.document.receiver;
    let regime = regimes::find(&receiver.tax_regime).map(|regime| regime.name);
    let cfdi_use = uses::find(&receiver.cfdi_use).map(|known| known.name);
    let residence = receiver.tax_residence.as_deref();
    let residence = residence.map(|code| coded(code, countries::find(code).map(|row| row.name)));
    let known = [
        (say.rfc(), receiver.rfc.clone()),
        (say.legal_name(), receiver.legal_name.clone()),
        (say.tax_regime(), coded(&receiver.tax_regime, regime)),
        (say.tax_zip(), receiver.tax_zip.clone()),
        (say.cfdi_use(), coded(&receiver.cfdi_use, cfdi_use)),
        (say.tax_residence(), residence.unwrap_or_default()),
        (say.foreign_tax_id(), receiver.foreign_tax_id.clone().unwrap_or_default()),
    ];
    known.into_iter().filter(|(_, text)| !text.is_empty()).collect()
}

/// Why the last attempt to stamp it failed, in the reader's language. What a draft lacks is among its findings, each with its
/// field: no provider was called.
fn refusal<'a>(call: &Call<Member>, invoice: &'a Invoice) -> Option<(&'a LastError, String)> {
    let error = invoice.last_error.as_ref().filter(|error| !error.is_of_findings())?;
    let said = reason::told(&error.rejection.message);
    Some((error, said.in_language(call.language).to_owned()))
}

/// What came of the last attempt.
fn attempted(say: Say, error: &LastError) -> &'static str {
    match error.is_of_absence() {
        true => say.last_unanswered(),
        false => say.last_refusal(),
    }
}

/// What has happened to it, the first thing first.
fn timeline(call: &Call<Member>, invoice: &Invoice, zone: Zone) -> Timeline {
    let say = call.say();
    let kind = invoice.draft.kind;
    let made = Some((invoice.created_at, created_name(say, kind), None));
    let failed = refusal(call, invoice).map(|(error, words)| {
        let why = format!("{}: {words}", error.rejection.code);
        (error.at, failed_name(say, kind), Some(why))
    });
    let stamped = invoice.stamp.as_ref();
    let stamped = stamped.map(|stamped| (stamped.at, stamped_name(say, kind), None));
    let asked = invoice.cancellation.iter().flat_map(|asked| {
        let reason = reason_name(say, asked.reason).0.to_owned();
        let requested = (asked.requested_at, say.cancellation_was_requested(), Some(reason));
        let received = asked.received_at.map(|at| (at, say.cancellation_was_received(), None));
        let resolved = asked.resolved_at.map(|at| {
            let title = match asked.status {
                CancellationStatus::Rejected => say.cancellation_was_rejected(),
                _ => cancelled_name(say, kind),
            };
            (at, title, None)
        });
        std::iter::once(requested).chain(received).chain(resolved)
    });
    let mut known: Vec<(Timestamp, &'static str, Option<String>)> =
        made.into_iter().chain(failed).chain(stamped).chain(asked).collect();
    known.sort_by_key(|(at, ..)| *at);
    let entry = |(at, title, note): (Timestamp, &'static str, Option<String>)| Happening {
        at: moment(at, zone, call.language),
        title: title.to_owned(),
        href: None,
        note,
    };
    Timeline { entries: known.into_iter().map(entry).collect() }
}
