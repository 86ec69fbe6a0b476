//! What is done about a count: it is opened, filled in from a list, posted, or called off.

use approvals::{Passed, Person};
use intake::{
    Faults, Form,
    checks::{line, one_of},
    noun,
};
use inventory::{
    Count, PostCount, WarehouseId,
    count::{CountStatus, NewCount, PERSON_CHARS_MAX, Tallied, Tallies, Tally, Uncounted},
    ledger::NOTE_CHARS_MAX,
};
use kernel::{FieldFault, message};

use super::{
    super::{
        shared::{
            CONFIRMED, Coded, ITEMS, Places, WRITE, coded, each, of_lines, places, refused,
            warehouse,
        },
        view::asking,
    },
    PATH, one, place,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    page::Page,
    parts::Field,
    reply::{answered, carried_out},
    texts::Say,
};

struct Wanted {
    warehouse: Option<WarehouseId>,
    uncounted: Uncounted,
    note: Option<String>,
    lines: Vec<Coded>,
}

const NEW: Form<Wanted> = Form::body(
    "NewCount",
    noun("this form", "este formulario"),
    |fields| {
        let warehouse = fields.optional("warehouse", warehouse());
        let uncounted = fields.required("uncounted", one_of(Uncounted::EVERY, Uncounted::name));
        let note = fields.optional("note", line(NOTE_CHARS_MAX));
        let lines = fields.optional(ITEMS, coded(0)).unwrap_or_default();
        Some(Wanted { warehouse, uncounted: uncounted?, note, lines })
    },
    "",
);
const LIST: Form<Vec<Coded>> = Form::body(
    "CountedList",
    noun("this form", "este formulario"),
    |fields| fields.required(ITEMS, coded(1)),
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("counts/new", WRITE, ask_new),
        Page::post("counts/new", WRITE, open),
        Page::get("counts/{id}/list", WRITE, ask_list),
        Page::post("counts/{id}/list", WRITE, fill_in),
        Page::get("counts/{id}/post", WRITE, ask_post),
        Page::post("counts/{id}/post", WRITE, post),
        Page::get("counts/{id}/cancel", WRITE, ask_cancel),
        Page::post("counts/{id}/cancel", WRITE, cancel),
    ]
}

/// What the member may do about a count as it stands: what it is called, and its path below that of the count.
pub(super) fn offered(call: &Call<Member>, count: &Count) -> Vec<(&'static str, &'static str)> {
    let say = call.say();
    if !call.may(WRITE) || !CountStatus::OPEN.contains(&count.status) {
        return Vec::new();
    }
    let post = (count.counted > 0).then_some((say.post_count(), "post"));
    let others = [(say.fill_in_list(), "list"), (say.cancel_count(), "cancel")];
    post.into_iter().chain(others).collect()
}

fn done(call: &Call<Member>, count: &Count, word: &str) -> Answer {
    call.done_at(&format!("{PATH}/{}", count.id), word)
}

async fn ask_new(call: Call<Member>) -> Result<Answer, Failure> {
    let places = places(&call).await?;
    Ok(opening(&call, &places, &Values::default(), &[]))
}

fn opening(call: &Call<Member>, places: &Places, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let at = places.choices_or(say.default_warehouse());
    let uncounted = Uncounted::EVERY
        .iter()
        .map(|one| (one.name().to_owned(), uncounted_name(say, *one).to_owned()))
        .collect();
    let fields = vec![
        Field::select("warehouse", say.warehouse(), at, values),
        Field::select("uncounted", say.uncounted(), uncounted, values),
        Field::area(ITEMS, say.goods(), 6, values).hint(say.goods_to_count_hint()),
        Field::text("note", say.note(), values),
    ];
    let form = call.form(call.href("counts/new"), fields, say.begin_count(), faults);
    let title = say.new_count().to_owned();
    asking(call, (title, say.count_intro()), &form, !faults.is_empty(), (say.counts(), PATH))
}

const fn uncounted_name(say: Say, uncounted: Uncounted) -> &'static str {
    match uncounted {
        Uncounted::Leave => say.uncounted_leave(),
        Uncounted::Zero => say.uncounted_zero(),
    }
}

async fn open(call: Call<Member>) -> Result<Answer, Failure> {
    let places = places(&call).await?;
    let again = |faults: &Faults| opening(&call, &places, call.sent.values(), faults);
    let wanted = match call.read(&NEW)? {
        Ok(wanted) => wanted,
        Err(faults) => return Ok(again(&faults)),
    };
    let new = NewCount {
        warehouse: wanted.warehouse,
        uncounted: wanted.uncounted,
        note: wanted.note.clone(),
        named: wanted.lines.iter().map(Coded::named).collect(),
    };
    let opened = call.services().inventory.open_count(call.ctx(), new);
    Ok(match carried_out(opened, refused).await? {
        Ok(count) => done(&call, &count, "count.opened"),
        Err(faults) => again(&of_lines(faults, &wanted.lines)),
    })
}

async fn ask_list(call: Call<Member>) -> Result<Answer, Failure> {
    let count = one(&call).await?;
    Ok(filling_in(&call, &count, &Values::default(), &[]))
}

fn filling_in(
    call: &Call<Member>,
    count: &Count,
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let items = Field::area(ITEMS, say.goods(), 12, values);
    let fields = vec![items.hint(say.goods_with_numbers_hint()).first()];
    let action = format!("{}/list", place(call, count.id));
    let form = call.form(action, fields, say.save(), faults);
    let back = format!("{PATH}/{}", count.id);
    let (title, back) = (say.fill_in_list().to_owned(), (say.count(), back.as_str()));
    asking(call, (title, say.fill_in_list_intro()), &form, !faults.is_empty(), back)
}

async fn fill_in(call: Call<Member>) -> Result<Answer, Failure> {
    let count = one(&call).await?;
    let again = |faults: &Faults| filling_in(&call, &count, call.sent.values(), faults);
    let lines = match call.read(&LIST)? {
        Ok(lines) => lines,
        Err(faults) => return Ok(again(&faults)),
    };
    let tallied = |line: &Coded| {
        let quantity = line.stated()?;
        if quantity.is_negative() {
            return Err(message!("must not be negative", "no debe ser negativo"));
        }
        Ok(Tallied { named: line.named(), tally: Tally::Set(quantity) })
    };
    let tallied = match each(&lines, tallied) {
        Ok(tallied) => tallied,
        Err(faults) => return Ok(again(&faults)),
    };
    let by = call.who.person.0.user.name.chars().take(PERSON_CHARS_MAX).collect();
    let tallies = Tallies { lines: tallied, by: Some(by) };
    let set = call.services().inventory.tally(call.ctx(), count.id, tallies);
    Ok(match carried_out(set, refused).await? {
        Ok(_) => done(&call, &count, "stock.saved"),
        Err(faults) => again(&of_lines(faults, &lines)),
    })
}

/// A page that asks before something is done with all of a count.
fn confirming(
    call: &Call<Member>,
    count: &Count,
    (title, intro, path): (&'static str, &str, &'static str),
    faults: &[FieldFault],
) -> Answer {
    let action = format!("{}/{path}", place(call, count.id));
    let form = call.form(action, Vec::new(), title, faults);
    let form = if path == "cancel" { form.dangerous() } else { form };
    let back = format!("{PATH}/{}", count.id);
    let back = (call.say().count(), back.as_str());
    asking(call, (title.to_owned(), intro), &form, !faults.is_empty(), back)
}

fn posting(call: &Call<Member>, count: &Count, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let (counted, left) = (count.counted.to_string(), count.lines - count.counted);
    let intro = match count.uncounted {
        _ if left == 0 => say.post_count_all(&counted),
        Uncounted::Leave => say.post_count_leaving(&counted, &left.to_string()),
        Uncounted::Zero => say.post_count_zero(&counted, &left.to_string()),
    };
    confirming(call, count, (say.post_count(), &intro, "post"), faults)
}

async fn ask_post(call: Call<Member>) -> Result<Answer, Failure> {
    let count = one(&call).await?;
    Ok(posting(&call, &count, &[]))
}

async fn post(call: Call<Member>) -> Result<Answer, Failure> {
    let count = one(&call).await?;
    if let Err(faults) = call.read(&CONFIRMED)? {
        return Ok(posting(&call, &count, &faults));
    }
    let command = PostCount { id: count.id, named: None };
    let services = call.services();
    if answered(services.counting_gate.is_guarded(&call.ctx())).await? {
        let by = Person::User(call.who.person.0.user.id);
        let asking = services.counting_gate.ask(call.ctx(), by, command.clone());
        match carried_out(asking, refused).await? {
            Ok(Passed::Free) => {}
            Ok(Passed::Asked(_)) => return Ok(done(&call, &count, "approval.asked")),
            Ok(Passed::Done(_)) => return Ok(done(&call, &count, "count.posted")),
            Err(faults) => return Ok(posting(&call, &count, &faults)),
        }
    }
    let posted = services.inventory.post_count(call.ctx(), command);
    Ok(match carried_out(posted, refused).await? {
        Ok(_) => done(&call, &count, "count.posted"),
        Err(faults) => posting(&call, &count, &faults),
    })
}

fn calling_off(call: &Call<Member>, count: &Count, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    confirming(call, count, (say.cancel_count(), say.cancel_count_intro(), "cancel"), faults)
}

async fn ask_cancel(call: Call<Member>) -> Result<Answer, Failure> {
    let count = one(&call).await?;
    Ok(calling_off(&call, &count, &[]))
}

async fn cancel(call: Call<Member>) -> Result<Answer, Failure> {
    let count = one(&call).await?;
    if let Err(faults) = call.read(&CONFIRMED)? {
        return Ok(calling_off(&call, &count, &faults));
    }
    let cancelled = call.services().inventory.cancel_count(call.ctx(), count.id);
    Ok(match carried_out(cancelled, refused).await? {
        Ok(_) => done(&call, &count, "count.cancelled"),
        Err(faults) => calling_off(&call, &count, &faults),
    })
}
