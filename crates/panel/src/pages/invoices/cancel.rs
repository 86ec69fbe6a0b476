//! Cancelling an invoice: for which of the four motives, and what follows.

use std::time::Duration;

use approvals::{Passed, Person};
use askama::Template;
use cfdi::{catalogs::relations, document::DocumentType};
use intake::{
    Form,
    checks::{one_of, text},
    noun,
};
use invoices::{
    CancelInvoice, CancelReason, Invoice, InvoiceId, Status,
    cancel::{Acceptance, Exemption, acceptance, replacement_fault},
    references::{PAID, REPLACES, Referrer},
};
use kernel::{FieldFault, Message, message};
use tokio::time::timeout;

use super::{
    PATH, WRITE,
    detail::{invoice, place},
    names::{cancel_name, did_cancel, kind_name, number, reason_name, status_pill, told_amount},
    told::told,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::day,
    layout::Sheet,
    markup::Markup,
    page::Page,
    parts::{Field, Link, Pill},
    reply::{answered, concluded},
    texts::Say,
};

/// The field of the fiscal folio that takes its place.
const REPLACEMENT: &str = "replacementUuid";
/// So long a page waits for the tax authority.
const PATIENCE: Duration = Duration::from_secs(8);

const FORM: Form<(CancelReason, Option<String>)> = Form::body(
    "InvoiceCancellation",
    noun("this form", "este formulario"),
    |fields| {
        let reason = fields.required("reason", one_of(CancelReason::EVERY, CancelReason::code));
        let replacement = fields.optional(REPLACEMENT, text(fiscal_folio));
        let reason = reason?;
        match replacement_fault(reason, replacement.as_deref()) {
            Some(fault) => fields.refuse(&fault.field, fault.problem),
            None => Some((reason, replacement)),
        }
    },
    "",
);

/// A fiscal folio, as it is copied from somewhere.
fn fiscal_folio(text: &str) -> Result<String, Message> {
    let text = text.trim().to_uppercase();
    let parts: Vec<_> = text.split('-').map(str::len).collect();
    let is_hex = text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit());
    match is_hex && parts == [8, 4, 4, 4, 12] {
        true => Ok(text),
        false => Err(message!(
            "must be a fiscal folio: 32 digits and letters in five groups",
            "debe ser un folio fiscal: 32 dígitos y letras en cinco grupos"
        )),
    }
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("invoices/{id}/cancel", WRITE, ask),
        Page::post("invoices/{id}/cancel", WRITE, cancel),
    ]
}

#[derive(Template)]
#[template(path = "invoices/cancel.html", whitespace = "minimize")]
struct Asked {
    say: Say,
    text: String,
    /// Whether the receiver must accept, and until when.
    acceptance: String,
    /// What refers to it and stands.
    documents: Vec<Living>,
    /// Whether some of that must be cancelled first.
    is_held: bool,
    form: Markup,
    motives: Vec<Motive>,
    /// The form that makes the draft which takes its place.
    copy: Option<Markup>,
}

/// A document that refers to the invoice.
pub(super) struct Living {
    pub(super) number: Link,
    pub(super) kind: &'static str,
    pub(super) relation: String,
    pub(super) total: String,
    pub(super) state: Pill,
}

struct Motive {
    code: &'static str,
    name: &'static str,
    when: &'static str,
}

async fn ask(call: Call<Member>) -> Result<Answer, Failure> {
    let invoice = invoice(&call).await?;
    page(&call, &invoice, &call.query, &[]).await
}

pub(super) async fn page(
    call: &Call<Member>,
    invoice: &Invoice,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let referring = call.services().invoices.sealed_referrers(call.account(), invoice);
    let referrers = answered(referring).await?;
    let living: Vec<_> = referrers.iter().filter(|referrer| referrer.is_active()).collect();
    let today = call.zone().local(call.now()).date();
    // Where another has taken its place there is one motive alone.
    let replaced = living.iter().find(|referrer| referrer.replaces());
    let replacement = replaced.and_then(|referrer| referrer.invoice.uuid());
    let filled = replacement.filter(|_| values.filled("reason").is_none());
    let filled = filled.map(|uuid| {
        values
            .clone()
            .replaced("reason", CancelReason::ErrorsReplaced.code())
            .replaced(REPLACEMENT, uuid)
    });
    let values = filled.as_ref().unwrap_or(values);
    let say = call.say();
    let choice = |reason: &CancelReason| {
        let label = format!("{} {}", reason.code(), reason_name(say, *reason).0);
        (reason.code().to_owned(), label)
    };
    let none = (String::new(), say.choose().to_owned());
    let choices = std::iter::once(none).chain(CancelReason::EVERY.iter().map(choice)).collect();
    let fields = vec![
        Field::select("reason", say.motive(), choices, values),
        Field::text(REPLACEMENT, say.replacement(), values).hint(say.replacement_hint()),
    ];
    let kind = invoice.draft.kind;
    let form = call.form(place(call, invoice.id, "cancel"), fields, cancel_name(say, kind), faults);
    let motive = |reason: &CancelReason| {
        let (name, when) = reason_name(say, *reason);
        Motive { code: reason.code(), name, when }
    };
    let copy = (invoice.status == Status::Stamped).then(|| {
        let action = place(call, invoice.id, "copy");
        Markup::of(&call.form(action, Vec::new(), say.copy_to_replace(), &[]))
    });
    let (receiver, total) =
        (&invoice.document.receiver.legal_name, told_amount(invoice, invoice.amount()));
    let body = Asked {
        say,
        text: match kind {
            DocumentType::Credit => say.cancel_credit_note_intro(receiver, &total),
            DocumentType::Payment => say.cancel_payment_receipt_intro(receiver, &total),
            DocumentType::Income | DocumentType::Transfer => {
                say.cancel_invoice_intro(receiver, &total)
            }
        },
        acceptance: told_acceptance(say, acceptance(&invoice.document, today)),
        is_held: living.iter().any(|referrer| !referrer.replaces()),
        documents: documents(call, living.iter().copied()),
        form: Markup::of(&form.dangerous()),
        motives: CancelReason::EVERY.iter().map(motive).collect(),
        copy,
    };
    let title = format!("{}: {}", cancel_name(say, kind), number(say, invoice));
    let sheet = Sheet::new(title, &body).wrong_if(!faults.is_empty());
    Ok(call.page(sheet.back(number(say, invoice), place(call, invoice.id, ""))))
}

/// Whether a receiver is asked, and until when.
pub(super) fn told_acceptance(say: Say, acceptance: Acceptance) -> String {
    let why = match acceptance {
        Acceptance::Needed { until } => return say.must_accept(&day(until, say.0)),
        Acceptance::NotNeeded(why) => why,
    };
    let why = match why {
        Exemption::SmallAmount => say.exempt_small(),
        Exemption::Credit => say.exempt_credit(),
        Exemption::Transfer => say.exempt_transfer(),
        Exemption::Public => say.exempt_public(),
        Exemption::Foreigner => say.exempt_foreigner(),
        Exemption::Fresh => say.exempt_fresh(),
    };
    say.need_not_accept(why)
}

/// Documents that refer to an invoice. One that does so by two relations comes twice in a row, and is told once.
pub(super) fn documents<'a>(
    call: &Call<Member>,
    referrers: impl IntoIterator<Item = &'a Referrer>,
) -> Vec<Living> {
    let mut told: Vec<(InvoiceId, Living)> = Vec::new();
    for referrer in referrers {
        let id = referrer.invoice.id;
        match told.last_mut() {
            Some((last, living)) if *last == id => {
                let further = relation(call.say(), referrer);
                living.relation = format!("{}; {further}", living.relation);
            }
            _ => told.push((id, document(call, referrer))),
        }
    }
    told.into_iter().map(|(_, living)| living).collect()
}

fn relation(say: Say, referrer: &Referrer) -> String {
    match referrer.relation.as_str() {
        PAID => say.relation_paid().to_owned(),
        REPLACES => say.relation_replaces().to_owned(),
        code => relation_name(code),
    }
}

fn document(call: &Call<Member>, referrer: &Referrer) -> Living {
    let (say, invoice) = (call.say(), &referrer.invoice);
    Living {
        number: Link::new(number(say, invoice), place(call, invoice.id, "")),
        kind: kind_name(say, invoice.draft.kind),
        relation: relation(say, referrer),
        total: told_amount(invoice, invoice.amount()),
        state: status_pill(say, invoice),
    }
}

/// A code of c_TipoRelacion with what it means.
pub(super) fn relation_name(code: &str) -> String {
    let known = relations::find(code).map(|row| row.name).unwrap_or_default();
    format!("{code} {known}")
}

async fn cancel(call: Call<Member>) -> Result<Answer, Failure> {
    let invoice = invoice(&call).await?;
    let (reason, replacement_uuid) = match call.read(&FORM)? {
        Ok(given) => given,
        Err(faults) => return page(&call, &invoice, call.sent.values(), &faults).await,
    };
    let command = CancelInvoice { id: invoice.id, reason, replacement_uuid };
    let services = call.services();
    if answered(services.cancelling_gate.is_guarded(&call.ctx())).await? {
        let by = Person::User(call.who.person.0.user.id);
        let asking = services.cancelling_gate.ask(call.ctx(), by, command.clone());
        match concluded(asking, |error| told(&error)).await? {
            Ok(Passed::Free) => {}
            Ok(Passed::Asked(_)) => return Ok(done(&call, &invoice, "approval.asked")),
            Ok(Passed::Done(cancelled)) => return Ok(asked(&call, &cancelled)),
            Err(faults) => return page(&call, &invoice, call.sent.values(), &faults).await,
        }
    }
    let cancelling = services.certifier.cancel(call.ctx(), command);
    let cancelling = concluded(cancelling, |error| told(&error));
    Ok(match timeout(PATIENCE, cancelling).await {
        Ok(Ok(Ok(cancelled))) => asked(&call, &cancelled),
        Ok(Ok(Err(faults))) => return page(&call, &invoice, call.sent.values(), &faults).await,
        Ok(Err(failure)) => return Err(failure),
        // Who does not wait for the provider stops nothing.
        Err(_) => done(&call, &invoice, "invoice.cancellation_asked"),
    })
}

/// To the invoice, which is cancelled by now or waits for its receiver.
fn asked(call: &Call<Member>, invoice: &Invoice) -> Answer {
    let word = match invoice.status {
        Status::Cancelled => did_cancel(invoice.draft.kind),
        _ => "invoice.cancellation_asked",
    };
    done(call, invoice, word)
}

fn done(call: &Call<Member>, invoice: &Invoice, word: &str) -> Answer {
    call.done_at(&format!("{PATH}/{}", invoice.id), word)
}
