//! Goods of an order that come back.

use accounts::{Right, Scope};
use approvals::{Passed, Person};
use intake::{
    Fields, Form,
    checks::{flag, line, some_units, whole},
    noun,
};
use kernel::{FieldFault, message, quantity::QUANTITY_MAX};
use orders::{
    NewReturn, Order, ReturnError, ReturnItems, ReturnLine, number_text,
    order::{ITEMS_MAX, LINE_CHARS_MAX},
    returns::RETURNABLE,
};

use super::{PATH, detail::order};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::quantity,
    page::Page,
    pages::money::asking,
    parts::{Field, Link},
    reply::{answered, carried_out, whole as sentence},
};

const WRITE: Right = Right::write(Scope::Orders);

/// One line at a time: what comes back of several is recorded one after the other.
const RETURN: Form<NewReturn> =
    Form::body("Return", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<NewReturn> {
    let which = fields.required("line", whole(1..=ITEMS_MAX as i64));
    let quantity = fields.required("quantity", some_units(QUANTITY_MAX));
    let reason = fields.required("reason", line(LINE_CHARS_MAX));
    let is_restocked = fields.change("restock", flag()).unwrap_or_default();
    let refunds = fields.change("refund", flag()).unwrap_or_default();
    let line = usize::try_from(which?).ok()?;
    let back = ReturnLine { line, quantity: quantity?, is_restocked, warehouse: None };
    Some(NewReturn {
        lines: vec![back],
        shipping: None,
        reason: reason?,
        refunds,
        is_unshipped: false,
    })
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("orders/{id}/return", WRITE, ask_return),
        Page::post("orders/{id}/return", WRITE, take_back).card_free(),
    ]
}

/// Whether the member may take goods of an order back as it stands.
pub(super) fn may_return(call: &Call<Member>, order: &Order) -> bool {
    call.may(WRITE) && RETURNABLE.contains(&order.status)
}

/// Whether the member may give money back: who only ships may not.
pub(super) fn may_refund(call: &Call<Member>) -> bool {
    call.may(Right::write(Scope::Payments))
}

/// Why somebody gives no money back.
pub(super) fn unpaid() -> FieldFault {
    sentence(message!("Your role does not give money back.", "Tu rol no permite devolver dinero."))
}

async fn ask_return(call: Call<Member>) -> Result<Answer, Failure> {
    let order = order(&call).await?;
    Ok(returning(&call, &order, &Values::default(), &[]))
}

fn returning(call: &Call<Member>, order: &Order, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let choice = |(place, item): (usize, &orders::Item)| {
        let label = format!("{} · {}", item.name, quantity(item.ordered()));
        ((place + 1).to_string(), label)
    };
    let lines = order.items.iter().enumerate().map(choice).collect();
    let refund = may_refund(call).then(|| Field::tick("refund", say.refund_return(), values));
    let fields = [
        Field::select("line", say.product(), lines, values),
        Field::text("quantity", say.quantity(), values),
        Field::text("reason", say.reason(), values),
        Field::tick("restock", say.restock(), values),
    ];
    let fields = fields.into_iter().chain(refund).collect();
    let place = format!("{}/{}", call.href(PATH), order.id);
    let form = call.form(format!("{place}/return"), fields, say.take_goods_back(), faults);
    let told = (say.take_goods_back().to_owned(), say.return_intro().to_owned());
    asking(call, told, &form, faults, Link::new(number_text(order.number), place))
}

async fn take_back(call: Call<Member>) -> Result<Answer, Failure> {
    let order = order(&call).await?;
    let new = match call.read(&RETURN)? {
        Ok(new) => new,
        Err(faults) => return Ok(returning(&call, &order, call.sent.values(), &faults)),
    };
    if new.refunds && !may_refund(&call) {
        return Ok(returning(&call, &order, call.sent.values(), &[unpaid()]));
    }
    let done = |word: &str| call.done_at(&format!("{PATH}/{}", order.id), word);
    let command = ReturnItems { order: order.id, new };
    let gate = &call.services().returning_gate;
    // Only what is given back may have to be approved.
    if command.new.refunds && answered(gate.is_guarded(&call.ctx())).await? {
        let by = Person::User(call.who.person.0.user.id);
        let asked = gate.ask(call.ctx(), by, command.clone());
        match carried_out(asked, |error| told(&error)).await? {
            Ok(Passed::Free) => {}
            Ok(Passed::Asked(_)) => return Ok(done("approval.asked")),
            Ok(Passed::Done(_)) => return Ok(done("order.returned")),
            Err(faults) => {
                return Ok(returning(&call, &order, call.sent.values(), &here(faults)));
            }
        }
    }
    let taking = call.services().orders.take_back(call.ctx(), order.id, command.new);
    Ok(match carried_out(taking, |error| told(&error)).await? {
        Ok(_) => done("order.returned"),
        Err(faults) => returning(&call, &order, call.sent.values(), &here(faults)),
    })
}

/// Faults at the fields of this form, which has one line.
fn here(faults: Vec<FieldFault>) -> Vec<FieldFault> {
    let here = |fault: FieldFault| match fault.field.strip_prefix("items[0].") {
        Some(field) => FieldFault::new(field.to_owned(), fault.problem),
        None => fault,
    };
    faults.into_iter().map(here).collect()
}

/// Why nothing comes back.
fn told(error: &ReturnError) -> FieldFault {
    match error {
        ReturnError::WrongStatus { .. } => sentence(message!(
            "Of an order in this state nothing comes back.",
            "De un pedido en este estado no vuelve nada."
        )),
        ReturnError::TooMany { left, .. } => FieldFault::new(
            "quantity",
            message!(
                "must be at most {left}, what has not come back yet",
                "debe ser a lo más {left}, lo que aún no vuelve"
            ),
        ),
        ReturnError::ShippingExceeded { .. } => sentence(message!(
            "More of the shipping is given back than is left of it.",
            "Se devuelve más del envío de lo que queda."
        )),
    }
}
