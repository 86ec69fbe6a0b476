//! What is done about a transfer: it is sent, received in parts, or called off.

use approvals::{Passed, Person};
use intake::{
    Fields, Form,
    checks::{flag, line, objects, units, whole},
    noun,
};
use inventory::{
    DispatchTransfer, Transfer,
    adjustment::LINES_MAX,
    ledger::NOTE_CHARS_MAX,
    transfer::{ArrivedLine, Arriving, TransferStatus},
};
use kernel::{FieldFault, Measure, message, quantity::QUANTITY_MAX};

use super::{
    super::{
        shared::{CONFIRMED, Goods, WRITE, goods, refused},
        view::asking,
    },
    PATH, one, place,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::quantity,
    page::Page,
    parts::Field,
    reply::{answered, carried_out},
};

const ARRIVAL: Form<Arriving> =
    Form::body("Arrival", noun("this form", "este formulario"), read_arrival, "");

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("transfers/{id}/send", WRITE, ask_send),
        Page::post("transfers/{id}/send", WRITE, send),
        Page::get("transfers/{id}/receive", WRITE, ask_receive),
        Page::post("transfers/{id}/receive", WRITE, receive),
        Page::get("transfers/{id}/cancel", WRITE, ask_cancel),
        Page::post("transfers/{id}/cancel", WRITE, cancel),
    ]
}

/// What the member may do about a transfer as it stands: what it is called, and its path below that of the transfer.
pub(super) fn offered(
    call: &Call<Member>,
    transfer: &Transfer,
) -> Vec<(&'static str, &'static str)> {
    let say = call.say();
    let (is_draft, is_sent) =
        (transfer.status == TransferStatus::Draft, transfer.status == TransferStatus::InTransit);
    let acts = [
        (is_draft, say.send_transfer(), "send"),
        (is_sent, say.receive_transfer(), "receive"),
        (is_draft || is_sent, say.cancel_transfer(), "cancel"),
    ];
    let may = call.may(WRITE);
    let acts = acts.into_iter().filter(|(fits, ..)| may && *fits);
    acts.map(|(_, label, path)| (label, path)).collect()
}

fn done(call: &Call<Member>, transfer: &Transfer, word: &str) -> Answer {
    call.done_at(&format!("{PATH}/{}", transfer.id), word)
}

/// A page that asks before something is done with all of a transfer.
fn confirming(
    call: &Call<Member>,
    transfer: &Transfer,
    (title, intro, path): (&'static str, &'static str, &'static str),
    faults: &[FieldFault],
) -> Answer {
    let action = format!("{}/{path}", place(call, transfer.id));
    let form = call.form(action, Vec::new(), title, faults);
    let form = if path == "cancel" { form.dangerous() } else { form };
    let back = format!("{PATH}/{}", transfer.id);
    let back = (call.say().transfer(), back.as_str());
    asking(call, (title.to_owned(), intro), &form, !faults.is_empty(), back)
}

fn sending(call: &Call<Member>, transfer: &Transfer, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let asked = (say.send_transfer(), say.send_transfer_intro(), "send");
    confirming(call, transfer, asked, faults)
}

async fn ask_send(call: Call<Member>) -> Result<Answer, Failure> {
    let transfer = one(&call).await?;
    Ok(sending(&call, &transfer, &[]))
}

async fn send(call: Call<Member>) -> Result<Answer, Failure> {
    let transfer = one(&call).await?;
    if let Err(faults) = call.read(&CONFIRMED)? {
        return Ok(sending(&call, &transfer, &faults));
    }
    let goods = goods(&call, transfer.lines.iter().map(|line| line.sku)).await?;
    let again =
        |faults: Vec<FieldFault>| sending(&call, &transfer, &named(faults, &transfer, &goods));
    let command = DispatchTransfer { id: transfer.id };
    let services = call.services();
    if answered(services.dispatching_gate.is_guarded(&call.ctx())).await? {
        let by = Person::User(call.who.person.0.user.id);
        let asking = services.dispatching_gate.ask(call.ctx(), by, command);
        match carried_out(asking, refused).await? {
            Ok(Passed::Free) => {}
            Ok(Passed::Asked(_)) => return Ok(done(&call, &transfer, "approval.asked")),
            Ok(Passed::Done(_)) => return Ok(done(&call, &transfer, "transfer.sent")),
            Err(faults) => return Ok(again(faults)),
        }
    }
    let sent = services.inventory.dispatch_transfer(call.ctx(), command);
    Ok(match carried_out(sent, refused).await? {
        Ok(_) => done(&call, &transfer, "transfer.sent"),
        Err(faults) => again(faults),
    })
}

/// Faults of lines, each by what the line is of.
fn named(faults: Vec<FieldFault>, transfer: &Transfer, goods: &Goods) -> Vec<FieldFault> {
    let told = |fault: FieldFault| {
        let line = fault.field.strip_prefix("items[").and_then(|rest| rest.split_once(']'));
        let line = line.and_then(|(place, _)| place.parse::<usize>().ok());
        match line.and_then(|place| transfer.lines.get(place)) {
            Some(line) => FieldFault { field: goods.name(line.sku).0, ..fault },
            None => fault,
        }
    };
    faults.into_iter().map(told).collect()
}

fn calling_off(call: &Call<Member>, transfer: &Transfer, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let asked = (say.cancel_transfer(), say.cancel_transfer_intro(), "cancel");
    confirming(call, transfer, asked, faults)
}

async fn ask_cancel(call: Call<Member>) -> Result<Answer, Failure> {
    let transfer = one(&call).await?;
    Ok(calling_off(&call, &transfer, &[]))
}

async fn cancel(call: Call<Member>) -> Result<Answer, Failure> {
    let transfer = one(&call).await?;
    if let Err(faults) = call.read(&CONFIRMED)? {
        return Ok(calling_off(&call, &transfer, &faults));
    }
    let cancelled = call.services().inventory.cancel_transfer(call.ctx(), transfer.id);
    Ok(match carried_out(cancelled, refused).await? {
        Ok(_) => done(&call, &transfer, "transfer.cancelled"),
        Err(faults) => calling_off(&call, &transfer, &faults),
    })
}

fn read_arrival(fields: &mut Fields<'_>) -> Option<Arriving> {
    let lines = objects(noun("an item", "una partida"), 0..=LINES_MAX, read_part);
    let lines = fields.optional("items", lines).unwrap_or_default();
    let is_final = fields.change("final", flag()).unwrap_or_default();
    Some(Arriving { lines, is_final })
}

fn read_part(fields: &mut Fields<'_>) -> Option<ArrivedLine> {
    let number = fields.required("line", whole(1..=LINES_MAX as i64));
    let mut count =
        |name| -> Measure { fields.optional(name, units(0..=QUANTITY_MAX)).unwrap_or_default() };
    let (received, damaged) = (count("received"), count("damaged"));
    let (lost, found) = (count("lost"), count("found"));
    let reason = fields.optional("reason", line(NOTE_CHARS_MAX));
    let line = usize::try_from(number?).ok()?.checked_sub(1)?;
    Some(ArrivedLine { line, received, damaged, lost, found, reason })
}

/// Whether nothing is said of a line.
fn is_empty(line: &ArrivedLine) -> bool {
    [line.received, line.damaged, line.lost, line.found].iter().all(|part| *part == Measure::ZERO)
        && line.reason.is_none()
}

async fn ask_receive(call: Call<Member>) -> Result<Answer, Failure> {
    let transfer = one(&call).await?;
    let goods = goods(&call, transfer.lines.iter().map(|line| line.sku)).await?;
    Ok(receiving(&call, (&transfer, &goods), &Values::default(), &[]))
}

/// The form has the fields of each line of which something is on the way.
fn receiving(
    call: &Call<Member>,
    (transfer, goods): (&Transfer, &Goods),
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let open = transfer.lines.iter().enumerate();
    let open = open.filter(|(_, line)| line.in_transit > Measure::ZERO);
    let (mut fields, mut hidden) = (Vec::new(), Vec::new());
    for (row, (place, line)) in open.enumerate() {
        let name = |part: &str| format!("items[{row}].{part}");
        let (title, _) = goods.name(line.sku);
        let on_the_way = say.still_on_the_way(&quantity(line.in_transit));
        let label = |what: &str| format!("{title}: {what}");
        let input = |part, what| Field::input("text", name(part), label(what), values);
        fields.push(input("received", say.received()).hint(on_the_way));
        fields.push(input("damaged", say.damaged()));
        fields.push(input("lost", say.lost()));
        fields.push(input("found", say.surplus()));
        fields.push(input("reason", say.reason()));
        hidden.push((name("line"), (place + 1).to_string()));
    }
    fields.push(Field::tick("final", say.nothing_else_comes(), values));
    let action = format!("{}/receive", place(call, transfer.id));
    let form = call.form(action, fields, say.receive_transfer(), faults);
    let form = hidden.into_iter().fold(form, |form, (name, value)| form.hidden(name, value));
    let back = format!("{PATH}/{}", transfer.id);
    let title = say.receive_transfer().to_owned();
    let back = (say.transfer(), back.as_str());
    asking(call, (title, say.receive_transfer_intro()), &form, !faults.is_empty(), back)
}

async fn receive(call: Call<Member>) -> Result<Answer, Failure> {
    let transfer = one(&call).await?;
    let goods = goods(&call, transfer.lines.iter().map(|line| line.sku)).await?;
    let again =
        |faults: &[FieldFault]| receiving(&call, (&transfer, &goods), call.sent.values(), faults);
    let arriving = match call.read(&ARRIVAL)? {
        Ok(arriving) => arriving,
        Err(faults) => return Ok(again(&faults)),
    };
    let said: Vec<usize> = (0..arriving.lines.len())
        .filter(|row| arriving.lines.get(*row).is_some_and(|line| !is_empty(line)))
        .collect();
    let Arriving { lines, is_final } = arriving;
    let lines: Vec<_> = lines.into_iter().filter(|line| !is_empty(line)).collect();
    if lines.is_empty() && !is_final {
        let nothing = message!("say what has arrived", "indica qué llegó");
        return Ok(again(&[FieldFault::new("", nothing)]));
    }
    let arriving = Arriving { lines, is_final };
    let received = call.services().inventory.receive_transfer(call.ctx(), transfer.id, arriving);
    Ok(match carried_out(received, refused).await? {
        Ok(_) => done(&call, &transfer, "transfer.received"),
        Err(faults) => again(&in_form(faults, &said)),
    })
}

/// Faults of the lines that were said something of, at their places in the form.
fn in_form(faults: Vec<FieldFault>, said: &[usize]) -> Vec<FieldFault> {
    let placed = |fault: FieldFault| {
        let parts = fault.field.strip_prefix("items[").and_then(|rest| rest.split_once(']'));
        let place = parts.and_then(|(place, rest)| Some((place.parse::<usize>().ok()?, rest)));
        match place.and_then(|(place, rest)| said.get(place).map(|row| (row, rest))) {
            Some((row, rest)) => {
                // What is wrong with a line as a whole stands at its first field.
                let rest = if rest.is_empty() { ".received" } else { rest };
                FieldFault::new(format!("items[{row}]{rest}"), fault.problem.clone())
            }
            None => fault,
        }
    };
    faults.into_iter().map(placed).collect()
}
