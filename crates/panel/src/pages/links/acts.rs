//! A payment link is made, or closed.

use accounts::{Right, Scope};
use intake::{
    Form,
    checks::{above_zero, line},
    noun,
};
use kernel::{Amount, FieldFault, message};
use orders::order::LINE_CHARS_MAX;
use payments::{NewLink, OrderId, PaymentError, link::TITLE_CHARS_MAX};

use super::{PATH, link};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    page::Page,
    pages::{
        linked::{order_meant, order_numbers},
        money::{asking, unpaid},
    },
    parts::{Field, Link},
    reply::{carried_out, whole},
};

pub(super) const WRITE: Right = Right::write(Scope::Payments);

/// What is paid, how much, and for which order.
const NEW: Form<(Option<String>, Option<Amount>, Option<String>)> = Form::body(
    "NewLink",
    noun("this form", "este formulario"),
    |fields| {
        let title = fields.optional("title", line(TITLE_CHARS_MAX));
        let amount = fields.optional("amount", above_zero());
        Some((title, amount, fields.optional("orderId", line(LINE_CHARS_MAX))))
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("links/new", WRITE, ask_new),
        Page::post("links/new", WRITE, make).card_free(),
        Page::get("links/{id}/close", WRITE, ask_close),
        Page::post("links/{id}/close", WRITE, close).card_free(),
    ]
}

async fn ask_new(call: Call<Member>) -> Result<Answer, Failure> {
    let order = call.query.filled("order").unwrap_or_default();
    // As people know it, if it is named by its identifier.
    let id = orders::OrderId::parse(order).map(orders::OrderId::to_u128);
    let number = order_numbers(&call, id).await?.into_values().next();
    let order = number.as_deref().unwrap_or(order);
    Ok(making(&call, &Values::with(&[("orderId", order)]), &[]))
}

fn making(call: &Call<Member>, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let fields = vec![
        Field::text("title", say.what_for(), values).hint(say.link_title_hint()),
        Field::text("amount", say.amount(), values).hint(say.link_amount_hint()),
        Field::text("orderId", say.order(), values)
            .subject(say.the_order())
            .hint(say.link_order_hint()),
    ];
    let form = call.form(call.href("links/new"), fields, say.new_link(), faults);
    let back = Link::new(say.payment_links(), call.href(PATH));
    let told = (say.new_link().to_owned(), say.new_link_intro().to_owned());
    asking(call, told, &form, faults, back)
}

async fn make(call: Call<Member>) -> Result<Answer, Failure> {
    let (title, amount, order) = match call.read(&NEW)? {
        Ok(given) => given,
        Err(faults) => return Ok(making(&call, call.sent.values(), &faults)),
    };
    let order = match order {
        Some(text) => match order_meant(&call, &text).await? {
            Ok(id) => Some(OrderId::from_u128(id.to_u128())),
            Err(problem) => {
                let faults = [FieldFault::new("orderId", problem)];
                return Ok(making(&call, call.sent.values(), &faults));
            }
        },
        None => None,
    };
    let (has_amount, has_order) = (amount.is_some(), order.is_some());
    let new = NewLink { title, amount, order, ..NewLink::default() };
    let making_it = call.services().payment_links.create(call.ctx(), new);
    Ok(match carried_out(making_it, |error| unlinked(&error)).await? {
        Ok(made) => call.done_at(&format!("{PATH}/{}", made.id), "link.made"),
        Err(faults) => {
            let here = |fault: FieldFault| in_form(fault, has_amount, has_order);
            let faults: Vec<_> = faults.into_iter().map(here).collect();
            making(&call, call.sent.values(), &faults)
        }
    })
}

/// Why there is no link: what is in the way of an order at the field that names it.
fn unlinked(error: &PaymentError) -> FieldFault {
    let problem = match error {
        PaymentError::OrderCancelled => message!("is cancelled", "está cancelado"),
        PaymentError::NothingDue => {
            message!("has nothing left to be paid", "ya no tiene saldo por pagar")
        }
        error => return unpaid(error),
    };
    FieldFault::new("orderId", problem)
}

/// A fault in the words of the form: the service names fields that the form does not have, or calls otherwise.
fn in_form(fault: FieldFault, has_amount: bool, has_order: bool) -> FieldFault {
    let problem = match (fault.field.as_str(), has_amount, has_order) {
        ("amount", true, true) => message!(
            "must be empty with an order: the link asks for what is due for it",
            "debe quedar vacío con un pedido: la liga cobra lo que se deba de él"
        ),
        ("amount", false, false) => message!(
            "is required unless the link is for an order",
            "es obligatorio si la liga no es de un pedido"
        ),
        ("title", _, false) => message!(
            "is required unless the link is for an order",
            "es obligatorio si la liga no es de un pedido"
        ),
        ("allowedMethods", ..) => {
            return whole(message!(
                "No payment provider of the account takes this amount.",
                "Ningún proveedor de pagos de la cuenta acepta este importe."
            ));
        }
        _ => return fault,
    };
    FieldFault::new(fault.field, problem)
}

async fn ask_close(call: Call<Member>) -> Result<Answer, Failure> {
    closing(&call, &[]).await
}

async fn closing(call: &Call<Member>, faults: &[FieldFault]) -> Result<Answer, Failure> {
    let (say, link) = (call.say(), link(call).await?);
    let place = format!("{}/{}", call.href(PATH), link.id);
    let form = call.form(format!("{place}/close"), Vec::new(), say.close_link(), faults);
    let told = (say.close_link().to_owned(), say.close_link_intro().to_owned());
    Ok(asking(call, told, &form.dangerous(), faults, Link::new(link.title, place)))
}

async fn close(call: Call<Member>) -> Result<Answer, Failure> {
    let link = link(&call).await?;
    let closing_it = call.services().payment_links.deactivate(call.ctx(), link.id);
    match carried_out(closing_it, |error| unpaid(&error)).await? {
        Ok(_) => Ok(call.done_at(&format!("{PATH}/{}", link.id), "link.closed")),
        Err(faults) => closing(&call, &faults).await,
    }
}
