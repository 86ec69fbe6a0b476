//! What is done about a transfer: it is sent, received in parts, or called off.

use std::collections::BTreeMap;

use approvals::{Passed, Person};
use intake::{
    Fields, Form,
    checks::{flag, line, units, whole_from},
    noun,
};
use inventory::{
    DispatchTransfer, Transfer,
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
    pages::reading::row_of,
    parts::Field,
    reply::{answered, carried_out, whole},
};

const ARRIVAL: Form<Arrived> =
    Form::body("Arrival", noun("this form", "este formulario"), read_arrival, "");
/// Of which version all is sent.
const SENDING: Form<Option<i64>> = Form::body(
    "SendTransfer",
    noun("this form", "este formulario"),
    |fields| Some(fields.optional("version", whole_from(1))),
    "",
);
/// As many lines as a form has fields for: it has few fields that are filled in.
const LINES_SHOWN: usize = 25;

/// What a form says of what has arrived.
struct Arrived {
    /// Whether all that is on the way has.
    is_all: bool,
    /// Of lines by their numbers, as the form names them.
    parts: Vec<(String, Part)>,
    /// Whether nothing else will come.
    is_final: bool,
}

enum Part {
    Counted(Kind, Measure),
    Reason(String),
}

#[derive(Clone, Copy)]
enum Kind {
    Received,
    Damaged,
    Lost,
    Found,
}

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
        (is_draft, say.edit(), "edit"),
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
    let form = match path {
        "cancel" => form.dangerous(),
        // What is sent is what was seen.
        _ => form.hidden("version", transfer.version.to_string()),
    };
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
    let version = match call.read(&SENDING)? {
        Ok(version) => version,
        Err(faults) => return Ok(sending(&call, &transfer, &faults)),
    };
    let goods = goods(&call, transfer.lines.iter().map(|line| line.sku)).await?;
    let again =
        |faults: Vec<FieldFault>| sending(&call, &transfer, &named(faults, &transfer, &goods));
    let command = DispatchTransfer { id: transfer.id, version };
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
    let told = |fault: FieldFault| match row_of("items", &fault.field)
        .and_then(|(place, _)| transfer.lines.get(place))
    {
        Some(line) => FieldFault { field: goods.name(line.sku).0, ..fault },
        None => fault,
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

fn read_arrival(fields: &mut Fields<'_>) -> Option<Arrived> {
    let is_all = fields.change("all", flag()).unwrap_or_default();
    let mut parts = Vec::new();
    let mut count = |name, shown, part| {
        let counted = fields.entries(name, shown, units(0..=QUANTITY_MAX));
        parts.extend(
            counted.into_iter().map(|(line, counted)| (line, Part::Counted(part, counted))),
        );
    };
    count("received", "received[…]", Kind::Received);
    count("damaged", "damaged[…]", Kind::Damaged);
    count("lost", "lost[…]", Kind::Lost);
    count("found", "found[…]", Kind::Found);
    let reasons = fields.entries("reason", "reason[…]", line(NOTE_CHARS_MAX));
    parts.extend(reasons.into_iter().map(|(line, reason)| (line, Part::Reason(reason))));
    let is_final = fields.change("final", flag()).unwrap_or_default();
    Some(Arrived { is_all, parts, is_final })
}

impl Arrived {
    /// What has become of each line that something is said of, by its place in the transfer; nothing where there is no such line.
    fn lines(&self, transfer: &Transfer) -> Option<Vec<ArrivedLine>> {
        let mut lines: BTreeMap<usize, ArrivedLine> = BTreeMap::new();
        if self.is_all {
            for (place, sent) in transfer.lines.iter().enumerate() {
                if sent.in_transit > Measure::ZERO {
                    lines.entry(place).or_insert_with(|| nothing_of(place)).received =
                        sent.in_transit;
                }
            }
        }
        for (number, part) in &self.parts {
            let place = number.parse::<usize>().ok()?.checked_sub(1)?;
            transfer.lines.get(place)?;
            let line = lines.entry(place).or_insert_with(|| nothing_of(place));
            match part {
                Part::Counted(Kind::Received, counted) => line.received = *counted,
                Part::Counted(Kind::Damaged, counted) => line.damaged = *counted,
                Part::Counted(Kind::Lost, counted) => line.lost = *counted,
                Part::Counted(Kind::Found, counted) => line.found = *counted,
                Part::Reason(reason) => line.reason = Some(reason.clone()),
            }
        }
        Some(lines.into_values().collect())
    }
}

const fn nothing_of(line: usize) -> ArrivedLine {
    ArrivedLine {
        line,
        received: Measure::ZERO,
        damaged: Measure::ZERO,
        lost: Measure::ZERO,
        found: Measure::ZERO,
        reason: None,
    }
}

async fn ask_receive(call: Call<Member>) -> Result<Answer, Failure> {
    let transfer = one(&call).await?;
    let goods = goods(&call, transfer.lines.iter().map(|line| line.sku)).await?;
    Ok(receiving(&call, (&transfer, &goods), &Values::default(), &[]))
}

/// Whether more is on the way than the form has fields for: then nobody can say there that nothing else will come, which would lose
/// lines that were never seen.
fn has_more_lines(transfer: &Transfer) -> bool {
    let open = transfer.lines.iter().filter(|line| line.in_transit > Measure::ZERO);
    open.count() > LINES_SHOWN
}

/// The form has the fields of each line of which something is on the way, up to so many.
fn receiving(
    call: &Call<Member>,
    (transfer, goods): (&Transfer, &Goods),
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let open = transfer.lines.iter().enumerate();
    let open = open.filter(|(_, line)| line.in_transit > Measure::ZERO);
    let all = Field::tick("all", say.all_has_arrived(), values);
    let has_more = has_more_lines(transfer);
    let mut fields = vec![if has_more { all.hint(say.more_lines_later()) } else { all }];
    for (place, line) in open.take(LINES_SHOWN) {
        let (title, _) = goods.name(line.sku);
        let number = place + 1;
        let input = |part: &str, what: &str| {
            Field::input("text", format!("{part}[{number}]"), what, values)
        };
        let on_the_way = say.still_on_the_way(&quantity(line.in_transit));
        let others = vec![
            input("damaged", say.damaged()),
            input("lost", say.lost()),
            input("found", say.surplus()),
            input("reason", say.reason()),
        ];
        let parts = vec![
            input("received", say.received()).hint(on_the_way),
            Field::behind(format!("others[{number}]"), say.differences(), others),
        ];
        fields.push(Field::group(format!("line[{number}]"), title, parts));
    }
    if !has_more {
        fields.push(Field::tick("final", say.nothing_else_comes(), values));
    }
    let action = format!("{}/receive", place(call, transfer.id));
    let form = call.form(action, fields, say.receive_transfer(), faults);
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
    let arrived = match call.read(&ARRIVAL)? {
        Ok(arrived) => arrived,
        Err(faults) => return Ok(again(&faults)),
    };
    let Some(lines) = arrived.lines(&transfer) else { return Err(Failure::Nothing) };
    if lines.is_empty() && !arrived.is_final {
        let nothing = whole(message!("Say what has arrived.", "Indica qué llegó."));
        return Ok(again(&[nothing]));
    }
    if arrived.is_final && has_more_lines(&transfer) {
        return Ok(again(&[whole(message!(
            "The transfer has lines that do not fit here: say whether they are lost once these are recorded.",
            "El traspaso tiene renglones que no caben aquí: si se perdieron se indica cuando estos estén registrados."
        ))]));
    }
    let places: Vec<usize> = lines.iter().map(|line| line.line).collect();
    let arriving = Arriving { lines, is_final: arrived.is_final };
    let received = call.services().inventory.receive_transfer(call.ctx(), transfer.id, arriving);
    Ok(match carried_out(received, refused).await? {
        Ok(_) => done(&call, &transfer, "transfer.received"),
        Err(faults) => again(&in_form(faults, &places)),
    })
}

/// Faults of lines, at their fields of the form.
fn in_form(faults: Vec<FieldFault>, places: &[usize]) -> Vec<FieldFault> {
    let placed = |fault: FieldFault| {
        let parts = row_of("items", &fault.field)
            .and_then(|(row, part)| Some((*places.get(row)?, part.to_owned())));
        match parts {
            Some((place, part)) => {
                // What is wrong with a line as a whole stands at its first field.
                let part = part.strip_prefix('.').unwrap_or("received");
                FieldFault::new(format!("{part}[{}]", place + 1), fault.problem)
            }
            None => fault,
        }
    };
    faults.into_iter().map(placed).collect()
}
