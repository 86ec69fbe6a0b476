//! What is done about an order: it is cancelled, or paid in hand.

use accounts::{Right, Scope};
use approvals::{Passed, Person};
use intake::{
    Form,
    checks::{above_zero, flag, line, one_of, whole_from},
    noun,
};
use kernel::{Amount, FieldFault, message};
use orders::{
    Order, OrderChanges, OrderStatus, ReviseOrder, UpdateError, number_text, order::LINE_CHARS_MAX,
};
use payments::{Method, NewPayment, PaymentError};

use super::{
    PATH,
    detail::order,
    returning::{may_refund, may_return, unpaid},
    shipping::WRITE,
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
    pages::money::method_name,
    parts::{Asked, Field, FormPart},
    reply::{answered, carried_out, found, whole},
    texts::Say,
};

const COLLECT: Right = Right::write(Scope::Payments);
/// How money is taken in hand.
pub(super) const IN_HAND: &[Method] =
    &[Method::Cash, Method::Transfer, Method::Check, Method::Other];

/// Why it is cancelled, and whether its money is given back.
const CANCELLATION: Form<(String, bool)> = Form::body(
    "Cancellation",
    noun("this form", "este formulario"),
    |fields| {
        let reason = fields.required("reason", line(LINE_CHARS_MAX));
        let refund = fields.change("refund", flag());
        // Looked at by who carries it out.
        let _: Option<i64> = fields.optional("version", whole_from(1));
        Some((reason?, refund.unwrap_or_default()))
    },
    "",
);
const PAYMENT: Form<(Method, Option<Amount>, Option<String>)> = Form::body(
    "PaymentInHand",
    noun("this form", "este formulario"),
    |fields| {
        let method = fields.required("method", one_of(IN_HAND, Method::name));
        let amount = fields.optional("amount", above_zero());
        let reference = fields.optional("reference", line(LINE_CHARS_MAX));
        Some((method?, amount, reference))
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("orders/{id}/cancel", WRITE, ask_cancel),
        Page::post("orders/{id}/cancel", WRITE, cancel).card_free(),
        Page::get("orders/{id}/pay", COLLECT, ask_pay),
        Page::post("orders/{id}/pay", COLLECT, pay).card_free(),
    ]
}

/// What the member may do about an order as it stands: what it is called, and its path below that of the order.
pub(super) fn offered(call: &Call<Member>, order: &Order) -> Vec<(&'static str, &'static str)> {
    let say = call.say();
    let may_become = |status| order.status.allowed(order.paid_at.is_some()).contains(&status);
    let may_write = call.may(WRITE);
    let is_due = order.amount_due() > Amount::ZERO && order.status != OrderStatus::Cancelled;
    let acts = [
        (may_write && may_become(OrderStatus::Shipped), say.ship(), "ship"),
        (call.may(COLLECT) && is_due, say.pay_in_hand(), "pay"),
        (may_return(call, order), say.take_goods_back(), "return"),
        (may_write && order.status != OrderStatus::Cancelled, say.edit(), "edit"),
        (may_write && may_become(OrderStatus::Cancelled), say.cancel_order(), "cancel"),
    ];
    acts.into_iter().filter(|(may, ..)| *may).map(|(_, label, path)| (label, path)).collect()
}

/// A page that asks before something is done about an order.
pub(super) fn act(
    call: &Call<Member>,
    order: &Order,
    told: (&'static str, String),
    form: &FormPart,
    is_wrong: bool,
) -> Answer {
    call.page(asking(call, order, told, form, is_wrong))
}

/// The same before it is a page.
pub(super) fn asking(
    call: &Call<Member>,
    order: &Order,
    (title, text): (&'static str, String),
    form: &FormPart,
    is_wrong: bool,
) -> Sheet {
    let number = number_text(order.number);
    let title = format!("{title}: {number}");
    let sheet = Sheet::new(title, &Asked { text, form: Markup::of(form) }).wrong_if(is_wrong);
    sheet.back(number, place(call, order, ""))
}

/// The path of an order, or of what lies below it.
pub(super) fn place(call: &Call<Member>, order: &Order, path: &str) -> String {
    let slash = if path.is_empty() { "" } else { "/" };
    format!("{}/{}{slash}{path}", call.href(PATH), order.id)
}

/// Back to the order, which says what was done.
pub(super) fn done(call: &Call<Member>, order: &Order, word: &str) -> Answer {
    call.done_at(&format!("{PATH}/{}", order.id), word)
}

async fn ask_cancel(call: Call<Member>) -> Result<Answer, Failure> {
    let order = order(&call).await?;
    // Nothing that was paid is cancelled without it.
    Ok(cancelling(&call, &order, &Values::with(&[("refund", "true")]), &[]))
}

fn cancelling(
    call: &Call<Member>,
    order: &Order,
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let kept = order.amount_kept();
    let refund = (kept > Amount::ZERO && may_refund(call))
        .then(|| Field::tick("refund", say.refund_it(&money(kept, order.currency)), values));
    let reason = Field::text("reason", say.reason(), values);
    let fields = std::iter::once(reason).chain(refund).collect();
    let form = call.form(place(call, order, "cancel"), fields, say.cancel_order(), faults);
    let form = form.dangerous().hidden("version", order.version.to_string());
    let items = match order.items.len() {
        1 => say.one_item().to_owned(),
        count => say.so_many_items(count),
    };
    let text = say.cancel_intro(&items, &money(order.total, order.currency));
    act(call, order, (say.cancel_order(), text), &form, !faults.is_empty())
}

async fn cancel(call: Call<Member>) -> Result<Answer, Failure> {
    let order = order(&call).await?;
    let (reason, refund) = match call.read(&CANCELLATION)? {
        Ok(given) => given,
        Err(faults) => return Ok(cancelling(&call, &order, call.sent.values(), &faults)),
    };
    if refund && !may_refund(&call) {
        return Ok(cancelling(&call, &order, call.sent.values(), &[unpaid()]));
    }
    let changes = OrderChanges {
        status: Some(OrderStatus::Cancelled),
        reason: Some(reason),
        refund,
        ..OrderChanges::default()
    };
    // What is given back is what was looked at; one that is cancelled already stays so.
    let version = call.seen_version().filter(|_| order.status != OrderStatus::Cancelled);
    let command = ReviseOrder { id: order.id, version, changes };
    let services = call.services();
    if answered(services.changing_gate.is_guarded(&call.ctx())).await? {
        let by = Person::User(call.who.person.0.user.id);
        let asking = services.changing_gate.ask(call.ctx(), by, command.clone());
        match carried_out(asking, |error| unchanged(&error)).await? {
            Ok(Passed::Free) => {}
            Ok(Passed::Asked(_)) => return Ok(done(&call, &order, "approval.asked")),
            Ok(Passed::Done(_)) => return Ok(done(&call, &order, "order.cancelled")),
            Err(faults) => return Ok(cancelling(&call, &order, call.sent.values(), &faults)),
        }
    }
    let changing = services.orders.update(call.ctx(), command);
    Ok(match carried_out(changing, |error| unchanged(&error)).await? {
        Ok(_) => done(&call, &order, "order.cancelled"),
        Err(faults) => cancelling(&call, &order, call.sent.values(), &faults),
    })
}

/// The ways in which money is taken in hand.
pub(super) fn methods(say: Say, values: &Values) -> Field {
    let choice = |method: &Method| (method.name().to_owned(), method_name(say, *method).to_owned());
    let methods = IN_HAND.iter().map(choice).collect();
    Field::select("method", say.method(), methods, values)
}

async fn ask_pay(call: Call<Member>) -> Result<Answer, Failure> {
    let order = order(&call).await?;
    paying(&call, &order, &Values::default(), &[]).await
}

async fn paying(
    call: &Call<Member>,
    order: &Order,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let (say, id) = (call.say(), payments::OrderId::from_u128(order.id.to_u128()));
    let owed = found(call.services().payments.owed(call.account(), id)).await?;
    if owed.asked() == Amount::ZERO && faults.is_empty() {
        return Ok(settled(call, order));
    }
    let due = money(owed.asked(), order.currency);
    let fields = vec![
        methods(say, values),
        Field::input("text", "amount", say.amount(), values).hint(say.amount_hint(&due)),
        Field::text("reference", say.reference(), values),
    ];
    let form = call.form(place(call, order, "pay"), fields, say.pay_in_hand(), faults);
    let told = (say.pay_in_hand(), say.pay_intro(&due));
    Ok(act(call, order, told, &form, !faults.is_empty()))
}

/// Says why nothing is to be paid.
fn settled(call: &Call<Member>, order: &Order) -> Answer {
    let say = call.say();
    let text = match order.status {
        OrderStatus::Cancelled => say.order_is_cancelled(),
        // Of what came back whole nothing is left that was paid.
        _ if order.paid_at.is_some() && order.returned_total < order.total => say.order_is_paid(),
        // Everything came back, or it costs nothing.
        _ if order.amount_due() == Amount::ZERO => say.nothing_is_due(),
        _ => say.order_is_being_paid(),
    };
    let title = format!("{}: {}", say.pay_in_hand(), number_text(order.number));
    let sheet = Sheet::new(title, &Asked { text: text.to_owned(), form: Markup::default() });
    call.page(sheet.back(number_text(order.number), place(call, order, "")))
}

async fn pay(call: Call<Member>) -> Result<Answer, Failure> {
    let order = order(&call).await?;
    let (method, amount, reference) = match call.read(&PAYMENT)? {
        Ok(given) => given,
        Err(faults) => return paying(&call, &order, call.sent.values(), &faults).await,
    };
    let due = payments::OrderId::from_u128(order.id.to_u128());
    let new = NewPayment { amount, reference, ..NewPayment::in_hand(due, method) };
    let collecting = call.services().collector.create(call.ctx(), new);
    match carried_out(collecting, |error| uncollected(&order, &error)).await? {
        Ok(_) => Ok(done(&call, &order, "order.paid")),
        Err(faults) => paying(&call, &order, call.sent.values(), &faults).await,
    }
}

/// Why an order stays as it is.
pub(in crate::pages) fn unchanged(error: &UpdateError) -> FieldFault {
    match error {
        UpdateError::RefundNeeded { .. } => FieldFault::new(
            "refund",
            message!(
                "is needed: money was received for this order",
                "es necesario: se recibió dinero por este pedido"
            ),
        ),
        UpdateError::HasShipments => whole(message!(
            "Goods of the order are on their way: cancel its shipments first.",
            "Hay mercancía del pedido en camino: cancela primero sus envíos."
        )),
        _ => whole(message!(
            "An order in this state cannot be cancelled.",
            "Un pedido en este estado no se puede cancelar."
        )),
    }
}

/// Why no money is recorded.
fn uncollected(order: &Order, error: &PaymentError) -> FieldFault {
    let currency = order.currency;
    match error {
        PaymentError::OrderCancelled => {
            whole(message!("The order is cancelled.", "El pedido está cancelado."))
        }
        PaymentError::NothingDue => whole(message!(
            "Nothing is due for the order.",
            "El pedido ya no tiene saldo por pagar."
        )),
        // Once an invoice states these taxes, they are due no more.
        PaymentError::ExceedsDue { left }
            if order.bears_withheld_taxes() && order.withheld_stated.is_none() =>
        {
            FieldFault::new(
                "amount",
                message!(
                    "must be at most {most}, what is due before withheld taxes",
                    "debe ser a lo más {most}, lo que se debe antes de retenciones",
                    most = money(*left, currency)
                ),
            )
        }
        PaymentError::ExceedsDue { left } => FieldFault::new(
            "amount",
            message!(
                "must be at most {most}, what is due",
                "debe ser a lo más {most}, lo que se debe",
                most = money(*left, currency)
            ),
        ),
        _ => whole(message!(
            "The payment cannot be recorded as it stands. Look at the payments of the order.",
            "El pago no se puede registrar como está. Revisa los pagos del pedido."
        )),
    }
}
