//! What is done about a payment: it is captured, called off, given back, or asked about at its provider.

use accounts::{Right, Scope};
use approvals::{Passed, Person};
use intake::{
    Form,
    checks::{above_zero, flag, line},
    noun,
};
use kernel::{Amount, FieldFault};
use payments::{
    NewRefund, Origin, Payment, ProviderKind, RefundPayment, Status, refund::REASON_CHARS_MAX,
};

use super::{PATH, payment};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::money,
    page::Page,
    pages::money::{asking, refused, unpaid_in},
    parts::{Field, FormPart, Link},
    reply::{answered, carried_out},
};

const WRITE: Right = Right::write(Scope::Payments);

const CAPTURE: Form<Option<Amount>> = Form::body(
    "Capture",
    noun("this form", "este formulario"),
    |fields| Some(fields.optional("amount", above_zero())),
    "",
);
const REFUND: Form<NewRefund> = Form::body(
    "Refund",
    noun("this form", "este formulario"),
    |fields| {
        Some(NewRefund {
            amount: fields.optional("amount", above_zero()),
            is_manual: fields.change("manual", flag()).unwrap_or_default(),
            origin: Origin::Api,
            reason: fields.optional("reason", line(REASON_CHARS_MAX)),
            note: None,
        })
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("payments/{id}/capture", WRITE, ask_capture),
        Page::post("payments/{id}/capture", WRITE, capture).card_free(),
        Page::get("payments/{id}/refund", WRITE, ask_refund),
        Page::post("payments/{id}/refund", WRITE, refund).card_free(),
        Page::get("payments/{id}/cancel", WRITE, ask_cancel),
        Page::post("payments/{id}/cancel", WRITE, cancel).card_free(),
        Page::post("payments/{id}/sync", WRITE, sync).card_free(),
    ]
}

/// What the member may do about a payment as it stands: what it is called, and its path below that of the payment.
pub(super) fn offered(call: &Call<Member>, payment: &Payment) -> Vec<(&'static str, &'static str)> {
    let say = call.say();
    if !call.may(WRITE) {
        return Vec::new();
    }
    let acts = [
        (payment.status == Status::Authorized, say.capture(), "capture"),
        (payment.refundable() > Amount::ZERO, say.refund(), "refund"),
        (payment.status.is_open(), say.call_off(), "cancel"),
    ];
    acts.into_iter().filter(|(may, ..)| *may).map(|(_, label, path)| (label, path)).collect()
}

/// Whether its provider can be asked what has become of it.
pub(super) fn may_sync(call: &Call<Member>, payment: &Payment) -> bool {
    call.may(WRITE) && payment.provider != ProviderKind::Manual
}

fn place(call: &Call<Member>, payment: &Payment) -> String {
    format!("{}/{}", call.href(PATH), payment.id)
}

fn amount_of(payment: &Payment, amount: Amount) -> String {
    money(amount, payment.currency)
}

/// Asks before something is done, with the way back to the payment.
fn ask(
    call: &Call<Member>,
    payment: &Payment,
    (title, text): (&'static str, String),
    form: &FormPart,
    faults: &[FieldFault],
) -> Answer {
    let back = Link::new(amount_of(payment, payment.amount), place(call, payment));
    asking(call, (title.to_owned(), text), form, faults, back)
}

fn done(call: &Call<Member>, payment: &Payment, word: &str) -> Answer {
    call.done_at(&format!("{PATH}/{}", payment.id), word)
}

async fn ask_capture(call: Call<Member>) -> Result<Answer, Failure> {
    let payment = payment(&call).await?;
    Ok(capturing(&call, &payment, &Values::default(), &[]))
}

fn capturing(
    call: &Call<Member>,
    payment: &Payment,
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let held = amount_of(payment, payment.authorized);
    let amount = Field::text("amount", say.amount(), values).hint(say.capture_hint(&held));
    let action = format!("{}/capture", place(call, payment));
    let form = call.form(action, vec![amount], say.capture(), faults);
    ask(call, payment, (say.capture(), say.capture_intro(&held)), &form, faults)
}

async fn capture(call: Call<Member>) -> Result<Answer, Failure> {
    let payment = payment(&call).await?;
    let amount = match call.read(&CAPTURE)? {
        Ok(amount) => amount,
        Err(faults) => return Ok(capturing(&call, &payment, call.sent.values(), &faults)),
    };
    let capturing_it = call.services().collector.capture(call.ctx(), payment.id, amount);
    Ok(match carried_out(capturing_it, |error| unpaid_in(payment.currency, &error)).await? {
        Ok(_) => done(&call, &payment, "payment.captured"),
        Err(faults) => capturing(&call, &payment, call.sent.values(), &faults),
    })
}

async fn ask_refund(call: Call<Member>) -> Result<Answer, Failure> {
    let payment = payment(&call).await?;
    Ok(refunding(&call, &payment, &Values::default(), &[]))
}

fn refunding(
    call: &Call<Member>,
    payment: &Payment,
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let left = amount_of(payment, payment.refundable());
    let amount = Field::text("amount", say.amount(), values).hint(say.refund_hint(&left));
    let reason = Field::text("reason", say.reason(), values);
    let by_hand = (payment.provider != ProviderKind::Manual)
        .then(|| Field::tick("manual", say.refund_by_hand(), values));
    let fields = [amount, reason].into_iter().chain(by_hand).collect();
    let action = format!("{}/refund", place(call, payment));
    let form = call.form(action, fields, say.refund(), faults).dangerous();
    ask(call, payment, (say.refund(), say.refund_intro(&left)), &form, faults)
}

async fn refund(call: Call<Member>) -> Result<Answer, Failure> {
    let payment = payment(&call).await?;
    let new = match call.read(&REFUND)? {
        Ok(new) => new,
        Err(faults) => return Ok(refunding(&call, &payment, call.sent.values(), &faults)),
    };
    let command = RefundPayment { payment: payment.id, new };
    let gate = &call.services().refunding_gate;
    if answered(gate.is_guarded(&call.ctx())).await? {
        let by = Person::User(call.who.person.0.user.id);
        let asked = gate.ask(call.ctx(), by, command.clone());
        match carried_out(asked, |error| unpaid_in(payment.currency, &error)).await? {
            Ok(Passed::Free) => {}
            Ok(Passed::Asked(_)) => return Ok(done(&call, &payment, "approval.asked")),
            Ok(Passed::Done(_)) => return Ok(done(&call, &payment, "payment.refunded")),
            Err(faults) => return Ok(refunding(&call, &payment, call.sent.values(), &faults)),
        }
    }
    let refunding_it = call.services().collector.refund(call.ctx(), payment.id, command.new);
    Ok(match carried_out(refunding_it, |error| unpaid_in(payment.currency, &error)).await? {
        Ok(_) => done(&call, &payment, "payment.refunded"),
        Err(faults) => refunding(&call, &payment, call.sent.values(), &faults),
    })
}

async fn ask_cancel(call: Call<Member>) -> Result<Answer, Failure> {
    let payment = payment(&call).await?;
    Ok(cancelling(&call, &payment, &[]))
}

fn cancelling(call: &Call<Member>, payment: &Payment, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let action = format!("{}/cancel", place(call, payment));
    let form = call.form(action, Vec::new(), say.call_off(), faults).dangerous();
    let text = say.call_off_intro(&amount_of(payment, payment.amount));
    ask(call, payment, (say.call_off(), text), &form, faults)
}

async fn cancel(call: Call<Member>) -> Result<Answer, Failure> {
    let payment = payment(&call).await?;
    let cancelling_it = call.services().collector.cancel(call.ctx(), payment.id);
    Ok(match carried_out(cancelling_it, |error| unpaid_in(payment.currency, &error)).await? {
        Ok(_) => done(&call, &payment, "payment.called_off"),
        Err(faults) => cancelling(&call, &payment, &faults),
    })
}

async fn sync(call: Call<Member>) -> Result<Answer, Failure> {
    let payment = payment(&call).await?;
    let asked = call.services().collector.sync(call.ctx(), payment.id);
    match carried_out(asked, |error| unpaid_in(payment.currency, &error)).await? {
        Ok(_) => Ok(done(&call, &payment, "payment.asked")),
        Err(faults) => Err(refused(&faults)),
    }
}
