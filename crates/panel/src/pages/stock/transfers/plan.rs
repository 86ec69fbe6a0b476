//! Planning a transfer, and planning its draft anew.

use intake::{
    Faults, Fields, Form,
    checks::{flag, line, whole_from},
    noun,
};
use inventory::{
    Kind, StockError, Transfer,
    ledger::NOTE_CHARS_MAX,
    transfer::{NewTransfer, NewTransferLine, ReviseTransfer, TransferStatus, TransferTerms},
};
use kernel::FieldFault;

use super::{
    super::{
        shared::{
            Coded, ITEMS, Places, WRITE, coded, each, goods, of_lines, places, refused, typed,
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
    pages::{money, reading::required},
    parts::Field,
    reply::{answered, carried_out},
    texts::Say,
};

const NEW: &str = "transfers/new";
/// Said of a draft whose lines are not shown.
const KEPT: &str = "keepItems";

/// What a form says of a transfer.
struct Wanted {
    terms: TransferTerms,
    /// Nothing where they stay as they are.
    lines: Option<Vec<Coded>>,
    /// The version that the form was filled in on.
    version: Option<i64>,
}

const FORM: Form<Wanted> =
    Form::body("NewTransfer", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Wanted> {
    let from = fields.required("fromWarehouseId", warehouse());
    let to = fields.required("toWarehouseId", warehouse());
    let quarantine = fields.optional("quarantineId", warehouse());
    let reference = fields.optional("reference", line(NOTE_CHARS_MAX));
    let note = fields.optional("note", line(NOTE_CHARS_MAX));
    let keeps_lines = fields.optional(KEPT, flag()).unwrap_or_default();
    let lines = (!keeps_lines).then(|| fields.required(ITEMS, coded(1)));
    let version = fields.optional("version", whole_from(1));
    let lines = match lines {
        Some(lines) => Some(lines?),
        None => None,
    };
    let terms = TransferTerms { from: from?, to: to?, quarantine, reference, note };
    Some(Wanted { terms, lines, version })
}

impl Wanted {
    /// The lines, if any are said.
    fn lines(&self) -> Result<Option<Vec<NewTransferLine>>, Faults> {
        let line =
            |line: &Coded| Ok(NewTransferLine { named: line.named(), quantity: line.some()? });
        self.lines.as_deref().map(|lines| each(lines, line)).transpose()
    }

    /// Faults of its lines, each with the line that it is of.
    fn told(&self, faults: Faults) -> Faults {
        of_lines(faults, self.lines.as_deref().unwrap_or_default())
    }
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get(NEW, WRITE, ask),
        Page::post(NEW, WRITE, plan),
        Page::get("transfers/{id}/edit", WRITE, ask_change),
        Page::post("transfers/{id}/edit", WRITE, change),
    ]
}

async fn ask(call: Call<Member>) -> Result<Answer, Failure> {
    let places = places(&call).await?;
    let settings = answered(call.services().inventory.settings(call.account())).await?;
    let from = settings.default_warehouse;
    let other = places.all().iter().find(|one| one.id != from && one.kind.is_sellable());
    let mut usual = vec![("fromWarehouseId", from.to_string())];
    usual.extend(other.map(|one| ("toWarehouseId", one.id.to_string())));
    let usual: Vec<_> = usual.iter().map(|(name, id)| (*name, id.as_str())).collect();
    Ok(planning(&call, &places, &Values::with(&usual), &[]))
}

fn fields(say: Say, places: &Places, values: &Values) -> Vec<Field> {
    let apart = places.all().iter().filter(|one| one.kind == Kind::Quarantine);
    let apart = apart.map(|one| (one.id.to_string(), one.name.clone()));
    let written_off = (String::new(), say.written_off().to_owned());
    let quarantine = std::iter::once(written_off).chain(apart).collect();
    let goods = Field::area(ITEMS, say.goods(), 8, values).hint(say.goods_hint()).first();
    let fields = [
        Some(Field::select("fromWarehouseId", say.warehouse_of_origin(), places.choices(), values)),
        Some(Field::select("toWarehouseId", say.to_warehouse(), places.choices(), values)),
        Some(Field::select("quarantineId", say.quarantine(), quarantine, values)),
        Some(goods).filter(|_| !values.has(KEPT)),
        Some(Field::text("reference", say.reference(), values)),
        Some(Field::text("note", say.note(), values)),
    ];
    fields.into_iter().flatten().collect()
}

fn planning(
    call: &Call<Member>,
    places: &Places,
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let fields = fields(say, places, values);
    let form = call.form(call.href(NEW), fields, say.plan_transfer(), faults);
    let title = say.new_transfer().to_owned();
    asking(call, (title, say.transfer_intro()), &form, !faults.is_empty(), (say.transfers(), PATH))
}

async fn plan(call: Call<Member>) -> Result<Answer, Failure> {
    let places = places(&call).await?;
    let again = |faults: &Faults| planning(&call, &places, call.sent.values(), faults);
    let wanted = match call.read(&FORM)? {
        Ok(wanted) => wanted,
        Err(faults) => return Ok(again(&faults)),
    };
    let lines = match wanted.lines() {
        Ok(Some(lines)) => lines,
        // There are none yet that could stay.
        Ok(None) => {
            let faults = vec![FieldFault::new(ITEMS, required())];
            return Ok(planning(&call, &places, &Values::default(), &faults));
        }
        Err(faults) => return Ok(again(&faults)),
    };
    let new = NewTransfer { terms: wanted.terms.clone(), lines };
    let planned = call.services().inventory.plan_transfer(call.ctx(), new);
    Ok(match carried_out(planned, refused).await? {
        Ok(transfer) => call.done_at(&format!("{PATH}/{}", transfer.id), "transfer.planned"),
        Err(faults) => again(&wanted.told(faults)),
    })
}

/// The transfer of the path, of which nothing was sent yet.
async fn draft(call: &Call<Member>) -> Result<Transfer, Failure> {
    let transfer = one(call).await?;
    match transfer.status {
        TransferStatus::Draft => Ok(transfer),
        status => {
            let wanted = &[TransferStatus::Draft];
            Err(money::refused(&[refused(StockError::TransferStatus { status, wanted })]))
        }
    }
}

/// A draft as the form has it. What cannot be typed as a code is not shown, and then no line is.
async fn values_of(call: &Call<Member>, transfer: &Transfer) -> Result<Values, Failure> {
    let goods = goods(call, transfer.lines.iter().map(|line| line.sku)).await?;
    let lines: Option<Vec<String>> = transfer
        .lines
        .iter()
        .map(|line| {
            let (_, code) = goods.name(line.sku);
            typed(&code, line.quantity).filter(|_| goods.has(line.sku))
        })
        .collect();
    let told = match lines {
        Some(lines) => (ITEMS, lines.join("\n")),
        None => (KEPT, "true".to_owned()),
    };
    let quarantine = transfer.quarantine.map(|id| id.to_string());
    let pairs = [
        ("fromWarehouseId", transfer.from.to_string()),
        ("toWarehouseId", transfer.to.to_string()),
        ("quarantineId", quarantine.unwrap_or_default()),
        told,
        ("reference", transfer.reference.clone().unwrap_or_default()),
        ("note", transfer.note.clone().unwrap_or_default()),
        ("version", transfer.version.to_string()),
    ];
    let pairs: Vec<_> = pairs.iter().map(|(name, text)| (*name, text.as_str())).collect();
    Ok(Values::with(&pairs))
}

async fn ask_change(call: Call<Member>) -> Result<Answer, Failure> {
    let transfer = draft(&call).await?;
    let (places, saved) = (places(&call).await?, values_of(&call, &transfer).await?);
    Ok(changing(&call, (&transfer, &saved), &places, &saved, &[]))
}

/// The form of a draft that is saved as it is by now.
fn changing(
    call: &Call<Member>,
    (transfer, saved): (&Transfer, &Values),
    places: &Places,
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let action = format!("{}/edit", place(call, transfer.id));
    let values = call.restored(&action).map_or(values, |restored| &restored.values);
    let form = call.form(action, fields(say, places, values), say.save_draft(), faults);
    let (form, intro) = match values.has(KEPT) {
        true => (form.hidden(KEPT, "true"), say.transfer_keeps_goods()),
        false => (form, say.transfer_intro()),
    };
    let form = call.over(form, saved);
    let back = format!("{PATH}/{}", transfer.id);
    let (title, back) = (say.change_transfer().to_owned(), (say.transfer(), back.as_str()));
    asking(call, (title, intro), &form, !faults.is_empty(), back)
}

async fn change(call: Call<Member>) -> Result<Answer, Failure> {
    let transfer = draft(&call).await?;
    let (places, saved) = (places(&call).await?, values_of(&call, &transfer).await?);
    let again =
        |faults: &Faults| changing(&call, (&transfer, &saved), &places, call.sent.values(), faults);
    let wanted = match call.read(&FORM)? {
        Ok(wanted) => wanted,
        Err(faults) => return Ok(again(&faults)),
    };
    let lines = match wanted.lines() {
        Ok(lines) => lines,
        Err(faults) => return Ok(again(&faults)),
    };
    let command = ReviseTransfer {
        id: transfer.id,
        version: wanted.version,
        terms: wanted.terms.clone(),
        lines,
    };
    let revised = call.services().inventory.revise_transfer(call.ctx(), command);
    Ok(match carried_out(revised, refused).await? {
        Ok(_) => call.done_at(&format!("{PATH}/{}", transfer.id), "transfer.changed"),
        Err(faults) => again(&wanted.told(faults)),
    })
}
