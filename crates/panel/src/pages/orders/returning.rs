//! Goods of an order that come back.

use accounts::{Right, Scope};
use approvals::{Passed, Person};
use intake::{
    Fields, Form,
    checks::{flag, line, units, whole_from},
    noun,
};
use kernel::{FieldFault, Measure, message, quantity::QUANTITY_MAX};
use orders::{
    Item, NewReturn, Order, ReturnError, ReturnItems, ReturnLine, number_text,
    order::LINE_CHARS_MAX, returns::RETURNABLE,
};

use super::{PATH, detail::order};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::quantity,
    page::Page,
    pages::{money::asking, reading::row_of},
    parts::{Field, Link},
    reply::{answered, carried_out, whole as sentence},
};

const WRITE: Right = Right::write(Scope::Orders);

/// As many lines as a form has fields for; it is shown again with the others.
const LINES_SHOWN: usize = 100;
/// Says with which of the lines that may come back a form begins, counted from 1.
const BEGIN: &str = "lines";

const RETURN: Form<NewReturn> =
    Form::body("Return", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<NewReturn> {
    let parts = fields.entries("quantity", "quantity[…]", units(0..=QUANTITY_MAX));
    let reason = fields.required("reason", line(LINE_CHARS_MAX));
    let is_restocked = fields.change("restock", flag()).unwrap_or_default();
    let refunds = fields.change("refund", flag()).unwrap_or_default();
    // It only says what the form shows.
    let _ = fields.optional(BEGIN, whole_from(1));
    // What names no line is refused by who records it.
    let back = |(number, quantity): (String, Measure)| {
        let line = number.parse().unwrap_or_default();
        ReturnLine { line, quantity, is_restocked, warehouse: None }
    };
    let mut lines: Vec<_> = parts.into_iter().map(back).collect();
    lines.retain(|line| line.quantity > Measure::ZERO);
    lines.sort_by_key(|line| line.line);
    Some(NewReturn { lines, shipping: None, reason: reason?, refunds, is_unshipped: false })
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
    call.may(WRITE) && RETURNABLE.contains(&order.status) && open(order).next().is_some()
}

/// Lines of which something may still come back, by their numbers, with how much.
fn open(order: &Order) -> impl Iterator<Item = (usize, &Item, Measure)> {
    let lines = order.items.iter().enumerate();
    let lines = lines.map(|(place, item)| (place + 1, item, left(item)));
    lines.filter(|(_, _, left)| *left > Measure::ZERO)
}

/// What of an item may still come back.
fn left(item: &Item) -> Measure {
    item.ordered() - item.measure(item.returned)
}

/// Whether the member may give money back: who only ships may not.
pub(super) fn may_refund(call: &Call<Member>) -> bool {
    call.may(Right::write(Scope::Payments))
}

/// Why somebody gives no money back.
pub(super) fn unpaid() -> FieldFault {
    sentence(message!("Your role cannot refund money.", "Tu rol no permite devolver dinero."))
}

async fn ask_return(call: Call<Member>) -> Result<Answer, Failure> {
    let order = order(&call).await?;
    // Most of what comes back is for sale again, and most of it is one piece.
    let mut values = vec![("restock".to_owned(), "true".to_owned())];
    values.extend(call.query.filled(BEGIN).map(|begin| (BEGIN.to_owned(), begin.to_owned())));
    let mut lines = open(&order);
    if let (Some((number, _, left)), None) = (lines.next(), lines.next())
        && left == Measure::whole(1)
    {
        values.push((format!("quantity[{number}]"), quantity(left)));
    }
    let values: Vec<_> = values.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    Ok(returning(&call, &order, &Values::with(&values), &[]))
}

/// How many of so many lines come before those that a form shows.
fn passed_over(values: &Values, lines: usize) -> usize {
    let begin = values.filled(BEGIN).and_then(|text| text.parse::<usize>().ok()).unwrap_or(1);
    let page = |line: usize| line / LINES_SHOWN * LINES_SHOWN;
    page(begin.saturating_sub(1)).min(page(lines.saturating_sub(1)))
}

fn returning(call: &Call<Member>, order: &Order, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let place = format!("{}/{}", call.href(PATH), order.id);
    let action = format!("{place}/return");
    let values = call.restored(&action).map_or(values, |restored| &restored.values);
    let lines = open(order).count();
    let passed = passed_over(values, lines);
    let input = |(number, item, left): (usize, &Item, Measure)| {
        let name = format!("quantity[{number}]");
        Field::input("text", name, item.name.clone(), values).hint(say.up_to(&quantity(left)))
    };
    let shown = open(order).skip(passed).take(LINES_SHOWN);
    let mut fields: Vec<_> = shown.map(input).collect();
    fields.push(Field::text("reason", say.reason(), values));
    fields.push(Field::tick("restock", say.restock(), values));
    if may_refund(call) {
        fields.push(Field::tick("refund", say.refund_return(), values));
    }
    let form = call.form(action.as_str(), fields, say.take_goods_back(), faults);
    let end = |begin: usize| (begin + LINES_SHOWN).min(lines);
    let form = match passed {
        0 => form,
        _ => form.hidden(BEGIN, (passed + 1).to_string()),
    };
    let others = (0..lines).step_by(LINES_SHOWN).filter(|begin| *begin != passed);
    let form = others.fold(form, |form, begin| {
        let label = say.return_lines(begin + 1, end(begin));
        form.leads_to(label, format!("{action}?{BEGIN}={}", begin + 1))
    });
    let intro = match lines > LINES_SHOWN {
        true => {
            let shown = say.return_lines_shown(passed + 1, end(passed), lines);
            format!("{} {shown}", say.return_intro())
        }
        false => say.return_intro().to_owned(),
    };
    let told = (say.take_goods_back().to_owned(), intro);
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
    if new.lines.is_empty() {
        let nothing = sentence(message!(
            "Say how much of at least one line comes back.",
            "Indica cuánto se devuelve de al menos una partida."
        ));
        return Ok(returning(&call, &order, call.sent.values(), &[nothing]));
    }
    let lines: Vec<_> = new.lines.iter().map(|line| line.line).collect();
    let done = |word: &str| call.done_at(&format!("{PATH}/{}", order.id), word);
    let command = ReturnItems { order: order.id, new };
    let gate = &call.services().returning_gate;
    // What is given back may have to be approved, and what is not may be goods that a return waits with.
    if answered(gate.is_guarded(&call.ctx())).await? {
        let by = Person::User(call.who.person.0.user.id);
        let asked = gate.ask(call.ctx(), by, command.clone());
        match carried_out(asked, |error| told(&error)).await? {
            Ok(Passed::Free) => {}
            Ok(Passed::Asked(_)) => return Ok(done("approval.asked")),
            Ok(Passed::Done(_)) => return Ok(done("order.returned")),
            Err(faults) => {
                let faults = here(faults, &lines);
                return Ok(returning(&call, &order, call.sent.values(), &faults));
            }
        }
    }
    let taking = call.services().orders.take_back(call.ctx(), order.id, command.new);
    Ok(match carried_out(taking, |error| told(&error)).await? {
        Ok(_) => done("order.returned"),
        Err(faults) => returning(&call, &order, call.sent.values(), &here(faults, &lines)),
    })
}

/// Faults at the fields of this form, whose lines have these numbers.
fn here(faults: Vec<FieldFault>, lines: &[usize]) -> Vec<FieldFault> {
    let here = |fault: FieldFault| match row_of("items", &fault.field)
        .and_then(|(row, _)| lines.get(row))
    {
        Some(line) => FieldFault::new(format!("quantity[{line}]"), fault.problem),
        None => fault,
    };
    faults.into_iter().map(here).collect()
}

/// Why nothing comes back.
fn told(error: &ReturnError) -> FieldFault {
    match error {
        ReturnError::WrongStatus { .. } => sentence(message!(
            "Nothing can be returned of an order in this state.",
            "De un pedido en este estado no se puede devolver nada."
        )),
        ReturnError::TooMany { line, left } => FieldFault::new(
            format!("quantity[{line}]"),
            message!(
                "must be at most {left}, what has not come back yet",
                "debe ser a lo más {left}, lo que aún no se devuelve"
            ),
        ),
        ReturnError::ShippingExceeded { .. } => sentence(message!(
            "More of the shipping is refunded than is left of it.",
            "Se reembolsa más del envío de lo que queda."
        )),
        ReturnError::TooManyReturns { max } => sentence(message!(
            "The order has {max} returns, the maximum.",
            "El pedido tiene {max} devoluciones, el máximo."
        )),
    }
}
