//! Stock that is corrected by hand.

use approvals::{Passed, Person};
use intake::{
    Faults, Form,
    checks::{line, one_of},
    noun,
};
use inventory::{
    Cause, NewAdjustment, NewLine, WarehouseId, adjustment::Change, ledger::NOTE_CHARS_MAX,
};
use kernel::{FieldFault, Measure, message};

use super::{
    shared::{Coded, ITEMS, Places, WRITE, coded, each, of_lines, places, refused, warehouse},
    view::asking,
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

const PATH: &str = "stock/adjust";
/// How the numbers behind codes are meant.
const MODES: &[Mode] = &[Mode::Counted, Mode::Delta];

#[derive(Clone, Copy)]
enum Mode {
    Counted,
    Delta,
}

impl Mode {
    const fn name(self) -> &'static str {
        match self {
            Self::Counted => "counted",
            Self::Delta => "delta",
        }
    }
}

struct Wanted {
    cause: Cause,
    mode: Mode,
    warehouse: Option<WarehouseId>,
    note: Option<String>,
    lines: Vec<Coded>,
}

const ADJUSTMENT: Form<Wanted> = Form::body(
    "Adjustment",
    noun("this form", "este formulario"),
    |fields| {
        let cause = fields.required("reason", one_of(Cause::EVERY, Cause::name));
        let mode = fields.required("mode", one_of(MODES, Mode::name));
        let warehouse = fields.optional("warehouse", warehouse());
        let note = fields.optional("note", line(NOTE_CHARS_MAX));
        let lines = fields.required(ITEMS, coded(1));
        Some(Wanted { cause: cause?, mode: mode?, warehouse, note, lines: lines? })
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get(PATH, WRITE, ask), Page::post(PATH, WRITE, adjust)]
}

async fn ask(call: Call<Member>) -> Result<Answer, Failure> {
    let places = places(&call).await?;
    // What is most often meant; damage and theft are said on purpose.
    let usual = Values::with(&[("reason", Cause::Correction.name())]);
    Ok(form(&call, &places, &usual, &[]))
}

fn form(call: &Call<Member>, places: &Places, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let cause = |cause: &Cause| (cause.name().to_owned(), cause_name(say, *cause).to_owned());
    let modes = [(Mode::Counted, say.mode_counted()), (Mode::Delta, say.mode_delta())];
    let modes = modes.map(|(mode, label)| (mode.name().to_owned(), label.to_owned()));
    let fields = vec![
        Field::select("mode", say.numbers_mean(), Vec::from(modes), values),
        Field::select("reason", say.reason(), Cause::EVERY.iter().map(cause).collect(), values),
        Field::select(
            "warehouse",
            say.warehouse(),
            places.choices_or(say.default_warehouse()),
            values,
        ),
        Field::area(ITEMS, say.goods(), 8, values).hint(say.goods_with_numbers_hint()).first(),
        Field::text("note", say.note(), values),
    ];
    let form = call.form(call.href(PATH), fields, say.adjust_stock(), faults);
    let title = say.adjust_stock().to_owned();
    let back = (say.stock(), super::PATH);
    asking(call, (title, say.adjust_intro()), &form, !faults.is_empty(), back)
}

async fn adjust(call: Call<Member>) -> Result<Answer, Failure> {
    let places = places(&call).await?;
    let again = |faults: &Faults| form(&call, &places, call.sent.values(), faults);
    let wanted = match call.read(&ADJUSTMENT)? {
        Ok(wanted) => wanted,
        Err(faults) => return Ok(again(&faults)),
    };
    let line = |line: &Coded| {
        let stated = line.stated()?;
        let change = match wanted.mode {
            Mode::Counted if stated.is_negative() => {
                return Err(message!("must not be negative", "no debe ser negativo"));
            }
            Mode::Counted => Change::Counted(stated),
            Mode::Delta if stated == Measure::ZERO => {
                return Err(message!("must not be 0", "no debe ser 0"));
            }
            Mode::Delta => Change::Delta(stated),
        };
        Ok(NewLine { warehouse: wanted.warehouse, named: line.named(), change })
    };
    let lines = match each(&wanted.lines, line) {
        Ok(lines) => lines,
        Err(faults) => return Ok(again(&faults)),
    };
    let new =
        NewAdjustment { cause: wanted.cause, note: wanted.note.clone(), reference: None, lines };
    let services = call.services();
    if answered(services.adjusting_gate.is_guarded(&call.ctx())).await? {
        let by = Person::User(call.who.person.0.user.id);
        let asking = services.adjusting_gate.ask(call.ctx(), by, new.clone());
        match carried_out(asking, refused).await? {
            Ok(Passed::Free) => {}
            Ok(Passed::Asked(_)) => return Ok(call.done_at(super::PATH, "approval.asked")),
            Ok(Passed::Done(_)) => return Ok(call.done_at(super::PATH, "stock.adjusted")),
            Err(faults) => return Ok(again(&of_lines(faults, &wanted.lines))),
        }
    }
    let adjusting = services.inventory.adjust(call.ctx(), new);
    Ok(match carried_out(adjusting, refused).await? {
        Ok(_) => call.done_at(super::PATH, "stock.adjusted"),
        Err(faults) => again(&of_lines(faults, &wanted.lines)),
    })
}

pub(in crate::pages) const fn cause_name(say: Say, cause: Cause) -> &'static str {
    match cause {
        Cause::Damage => say.cause_damage(),
        Cause::Theft => say.cause_theft(),
        Cause::Expired => say.cause_expired(),
        Cause::Found => say.cause_found(),
        Cause::Sample => say.cause_sample(),
        Cause::InternalUse => say.cause_internal_use(),
        Cause::Correction => say.cause_correction(),
        Cause::Other => say.cause_other(),
    }
}
