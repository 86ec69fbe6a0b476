//! Saying what the columns of a file hold, then trying or importing it.

use std::{collections::BTreeMap, sync::Arc};

use askama::Template;
use aws_lc_rs::digest::{SHA256, digest};
use imports::{
    Column, DecimalMark, ENCODINGS, EmptyCells, Import, ImportId, ImportKind, ImportOptions,
    KeptFile, Layout, Mapping, Mode, NewImport, NotKept, OnError, Peek, REPORT, Upload,
};
use intake::{
    Faults, Form,
    checks::{flag, line, one_of, text},
    noun,
};
use kernel::{Done, FieldFault, Message, Pending, Refused, message};

use super::{Offer, columns, on_disk, refused, sending, view};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::{grouped, size},
    layout::Sheet,
    markup::Markup,
    parts::{ButtonForm, Choice, Field},
    reply::{answered, carried_out, stopped, whole},
    texts::Say,
};

/// The fields that say what columns hold, each with the place of its column.
const COLUMN: &str = "column";
/// What leaves a column alone.
const NOTHING: &str = "none";
/// What tells which columns the page has shown.
const SEEN: &str = "seen";
/// The button that imports; the other one tries.
const WRITE: &str = "write";
/// The most columns of which a page asks; the others are read as recognised.
const COLUMNS_SHOWN_MAX: usize = 150;
/// The most characters of a sheet's name (Excel has 31).
const SHEET_CHARS_MAX: usize = 100;

struct Chosen {
    options: ImportOptions,
    /// What columns hold, by their places.
    columns: Vec<(String, String)>,
    seen: Option<String>,
}

const FORM: Form<Chosen> = Form::body(
    "Mapping",
    noun("this form", "este formulario"),
    |fields| {
        let mode = fields.optional("mode", one_of(Mode::EVERY, Mode::name));
        let on_error = fields.optional("onError", one_of(OnError::EVERY, OnError::name));
        let empty_cells =
            fields.optional("emptyCells", one_of(EmptyCells::EVERY, EmptyCells::name));
        let decimal = fields.optional("decimal", one_of(DecimalMark::EVERY, DecimalMark::name));
        let encoding = fields.optional("encoding", one_of(ENCODINGS, |name| name));
        let sheet = fields.optional("sheet", line(SHEET_CHARS_MAX));
        let writes = fields.optional(WRITE, flag()).unwrap_or_default();
        let own = |text: &str| Ok(text.to_owned());
        let seen = fields.optional(SEEN, text(own));
        let columns = fields.entries(COLUMN, "column[number]", text(own));
        let options = ImportOptions {
            mode: mode.unwrap_or_default(),
            on_error: on_error.unwrap_or_default(),
            dry_run: !writes,
            empty_cells: empty_cells.unwrap_or_default(),
            decimal,
            encoding: encoding.map(str::to_owned),
            sheet,
            mapping: BTreeMap::new(),
        };
        Some(Chosen { options, columns, seen })
    },
    "",
);

pub(super) async fn ask(call: Call<Member>, offer: &'static Offer) -> Result<Answer, Failure> {
    let upload = sending::one(&call, offer).await?;
    let options = as_before(&call, offer).await?;
    Ok(match peeked(&call, &upload, &options).await? {
        Ok(peek) => page(&call, offer, (&upload, &peek), &values_of(&options, &peek), &[]),
        Err(fault) => {
            let none = unread(offer.kind);
            page(&call, offer, (&upload, &none), &values_of(&options, &none), &[fault])
        }
    })
}

/// How an import that the query names was done, or as most are.
async fn as_before(call: &Call<Member>, offer: &Offer) -> Result<ImportOptions, Failure> {
    let Some(id) = call.query.filled("like").and_then(ImportId::parse) else {
        return Ok(ImportOptions::default());
    };
    let import = answered(call.services().imports.get(call.account(), offer.kind, id)).await?;
    Ok(import.map(|import| import.options).unwrap_or_default())
}

/// A file of which no column is known.
fn unread(kind: ImportKind) -> Peek {
    Peek::of(kind, &[], &[])
}

/// The beginning of a file, read as these options say; or why it cannot be.
async fn peeked(
    call: &Call<Member>,
    upload: &Upload,
    options: &ImportOptions,
) -> Result<Result<Peek, FieldFault>, Failure> {
    let files = Arc::clone(&call.services().import_files);
    let (name, kind, options) = (upload.file.name.clone(), upload.kind, options.clone());
    match call.looked(move || files.peek(&name, kind, &options)).await? {
        Ok(Some(peek)) => Ok(Ok(peek)),
        Ok(None) => Ok(Err(whole(gone()))),
        Err(NotKept::Refused(refusal)) => Ok(Err(whole(refusal.message))),
        Err(NotKept::Fault(fault)) => Err(fault.into()),
    }
}

fn gone() -> Message {
    Message::both(|language| Say(language).file_is_gone().to_owned())
}

/// What the fields show for these options; those that most leave as they are stay empty.
fn values_of(options: &ImportOptions, peek: &Peek) -> Values {
    let mut pairs = vec![
        ("mode".to_owned(), options.mode.name().to_owned()),
        ("onError".to_owned(), options.on_error.name().to_owned()),
    ];
    if options.empty_cells != EmptyCells::default() {
        pairs.push(("emptyCells".to_owned(), options.empty_cells.name().to_owned()));
    }
    let decimal = options.decimal.map(|mark| mark.name().to_owned());
    let rest = [
        ("decimal", decimal),
        ("encoding", options.encoding.clone()),
        ("sheet", options.sheet.clone()),
    ];
    pairs.extend(rest.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
    for (place, column) in peek.columns.iter().enumerate() {
        if let Some(held) = options.mapping.get(&column.name).filter(|_| peek.is_named(place)) {
            let held = held.clone().unwrap_or_else(|| NOTHING.to_owned());
            pairs.push((field_of(place), held));
        }
    }
    let pairs: Vec<_> = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    Values::with(&pairs)
}

/// The field that says what the column in a place holds.
fn field_of(place: usize) -> String {
    format!("{COLUMN}[{place}]")
}

/// What tells these columns from others.
fn mark_of(peek: &Peek) -> String {
    let digest = digest(&SHA256, peek.header().join("\n").as_bytes());
    hex::encode(digest.as_ref().get(..8).unwrap_or_default())
}

#[derive(Template)]
#[template(path = "stock/columns.html", whitespace = "minimize")]
struct Columns {
    say: Say,
    lines: Vec<Line>,
    /// What is said of columns that are not shown.
    beyond: Option<String>,
}

struct Line {
    name: String,
    samples: String,
    field: String,
    label: String,
    /// What it can hold; nothing where it has no name of its own.
    choices: Vec<Choice>,
}

#[derive(Template)]
#[template(path = "stock/mapping.html", whitespace = "minimize")]
struct Body {
    say: Say,
    about: String,
    form: Markup,
    forget: ButtonForm,
}

fn page(
    call: &Call<Member>,
    offer: &Offer,
    (upload, peek): (&Upload, &Peek),
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let place = call.href(&offer.file_place(upload.id));
    // What an import has said of rows is no column to be chosen.
    let all = peek.columns.iter().enumerate();
    let all = all.filter(|(_, column)| !REPORT.contains(&column.name.as_str()));
    let beyond = all.clone().skip(COLUMNS_SHOWN_MAX).count();
    let beyond = (beyond > 0).then(|| say.columns_beyond(&grouped(beyond as u64)));
    let lines = all
        .take(COLUMNS_SHOWN_MAX)
        .map(|(place, column)| Line {
            name: column.name.clone(),
            samples: column.samples.join(" · "),
            field: field_of(place),
            label: say.holds_of(&column.name),
            choices: match peek.is_named(place) {
                true => choices(say, offer.kind, column.guess, values.get(&field_of(place))),
                false => Vec::new(),
            },
        })
        .collect();
    let form = call.form(place.clone(), fields(say, offer.kind, values), say.try_import(), faults);
    let form = form
        .or(say.start_import(), WRITE, "true")
        .hidden(SEEN, mark_of(peek))
        .above(&Columns { say, lines, beyond });
    let body = Body {
        say,
        about: format!("{} · {}", sending::name_of(call, upload), size(upload.file.size)),
        form: Markup::of(&form),
        forget: call.button(format!("{place}/forget"), say.forget_file()).class("link"),
    };
    let [files, ..] = offer.files;
    let sheet = Sheet::new(say.map_columns(), &body).wrong_if(!faults.is_empty());
    call.page(sheet.back((offer.files_title)(say), call.href(files)))
}

/// What a column can hold, of which one is chosen.
fn choices(say: Say, kind: ImportKind, guess: Option<Column>, given: Option<&str>) -> Vec<Choice> {
    let fields = Column::fields(kind);
    let is_field = guess.is_some_and(|guess| fields.contains(&guess));
    let guessed = match guess {
        None => NOTHING,
        Some(column) if is_field => column.name(),
        Some(_) => "",
    };
    let chosen = given.unwrap_or(guessed);
    let choice = |value: &str, label: &str| Choice {
        is_chosen: value == chosen,
        ..Choice::new(value, label)
    };
    // What only an export of a shop has.
    let recognised = guess.filter(|_| !is_field).map(|_| choice("", say.as_recognised()));
    let fields = fields.iter().map(|column| choice(column.name(), columns::name(say, *column)));
    let nothing = choice(NOTHING, say.leave_column());
    recognised.into_iter().chain([nothing]).chain(fields).collect()
}

fn fields(say: Say, kind: ImportKind, values: &Values) -> Vec<Field> {
    let own = |(value, label): (&str, &str)| (value.to_owned(), label.to_owned());
    let mode = |mode: &Mode| own((mode.name(), view::mode_name(say, *mode)));
    let on_error = |one: &OnError| match one {
        OnError::Skip => own((one.name(), say.on_error_skip())),
        OnError::Abort => own((one.name(), say.on_error_abort())),
    };
    // Stock is of what is there, and a count cannot be cleared.
    let is_stock = kind == ImportKind::Stock;
    let modes = Mode::EVERY.iter().map(mode).collect();
    let modes = (!is_stock).then(|| Field::select("mode", say.import_mode(), modes, values));
    let on_errors = OnError::EVERY.iter().map(on_error).collect();
    let on_errors = Field::select("onError", say.on_error(), on_errors, values);
    let empty = [("", say.empty_cells_keep()), (EmptyCells::Clear.name(), say.empty_cells_clear())];
    let empty = empty.map(own).to_vec();
    let empty = (!is_stock).then(|| Field::select("emptyCells", say.empty_cells(), empty, values));
    let mark = |mark: &DecimalMark| match mark.character() {
        ',' => own((mark.name(), say.decimal_mark_comma())),
        _ => own((mark.name(), say.decimal_mark_point())),
    };
    let marks = [own(("", say.decimal_mark_told()))].into_iter();
    let marks = marks.chain(DecimalMark::EVERY.iter().map(mark)).collect();
    let encodings = [own(("", say.encoding_recognised()))].into_iter();
    let encodings = encodings.chain(ENCODINGS.iter().map(|name| own((*name, *name)))).collect();
    let read = [
        Field::select("decimal", say.decimal_mark(), marks, values).hint(say.decimal_mark_hint()),
        Field::select("encoding", say.encoding(), encodings, values),
        Field::text("sheet", say.sheet(), values).hint(say.sheet_hint()),
    ];
    let read = empty.into_iter().chain(read).collect();
    let behind = Field::behind("reading", say.how_it_is_read(), read);
    modes.into_iter().chain([on_errors, behind]).collect()
}

pub(super) async fn open(call: Call<Member>, offer: &'static Offer) -> Result<Answer, Failure> {
    let upload = sending::one(&call, offer).await?;
    let values = call.sent.values();
    let none = unread(offer.kind);
    let Chosen { mut options, columns: held, seen } = match call.read(&FORM)? {
        Ok(chosen) => chosen,
        Err(faults) => {
            let peek = peeked(&call, &upload, &ImportOptions::default()).await?;
            let peek = peek.unwrap_or(none);
            return Ok(page(&call, offer, (&upload, &peek), values, &faults));
        }
    };
    if offer.kind == ImportKind::Stock {
        (options.mode, options.empty_cells) = (Mode::default(), EmptyCells::default());
    }
    let peek = match peeked(&call, &upload, &options).await? {
        Ok(peek) => peek,
        Err(fault) => return Ok(page(&call, offer, (&upload, &none), values, &[fault])),
    };
    let again = |values: &Values, faults: &[FieldFault]| {
        Ok(page(&call, offer, (&upload, &peek), values, faults))
    };
    // Read in another way it may have other columns than those that were chosen for.
    if seen != Some(mark_of(&peek)) {
        let changed = Message::both(|language| Say(language).columns_changed().to_owned());
        return again(&values_of(&options, &peek), &[whole(changed)]);
    }
    let mapping = match mapping_of(offer.kind, &peek, &held) {
        Ok(mapping) => mapping,
        Err(faults) => return again(values, &faults),
    };
    if let Err(faults) = Layout::of(offer.kind, &peek.header(), &mapping, options.mode) {
        return again(values, &faults.iter().map(columns::told).collect::<Faults>());
    }
    let named = |column: Column| column.name().to_owned();
    options.mapping = mapping.into_iter().map(|(name, column)| (name, column.map(named))).collect();
    match begin(&call, offer, &upload, options).await? {
        Ok(import) => Ok(call.done_at(&offer.place(import.id), "import.opened")),
        Err(faults) => again(values, &faults),
    }
}

/// What columns hold, by their names.
fn mapping_of(
    kind: ImportKind,
    peek: &Peek,
    chosen: &[(String, String)],
) -> Result<Mapping, Faults> {
    let (mut mapping, mut faults) = (Mapping::new(), Faults::new());
    for (place, held) in chosen {
        let column = place.parse().ok().filter(|place| peek.is_named(*place));
        let column = column.and_then(|place: usize| peek.columns.get(place));
        let named = Column::named(kind, held);
        match (column, held.as_str(), named) {
            (Some(column), NOTHING, _) => drop(mapping.insert(column.name.clone(), None)),
            (Some(column), _, Some(named)) => {
                mapping.insert(column.name.clone(), Some(named));
            }
            _ => faults.push(FieldFault::new(
                format!("{COLUMN}[{place}]"),
                message!("must be one of the list", "debe ser una de la lista"),
            )),
        }
    }
    if faults.is_empty() { Ok(mapping) } else { Err(faults) }
}

/// Keeps a file that waits once more, under a name of its own; `None` when it is gone.
async fn kept_too(
    call: &Call<Member>,
    offer: &Offer,
    upload: &Upload,
) -> Result<Option<String>, Failure> {
    let linked = async |name: String| -> Result<Option<String>, Failure> {
        let files = Arc::clone(&call.services().import_files);
        Ok(on_disk(move || files.keep_too(&name)).await??)
    };
    if let Some(name) = linked(upload.file.name.clone()).await? {
        return Ok(Some(name));
    }
    // Sent again meanwhile, it lies under another name.
    let uploads = &call.services().uploads;
    let anew = answered(uploads.upload(call.account(), offer.kind, upload.id)).await?;
    match anew.filter(|anew| anew.file.name != upload.file.name) {
        Some(anew) => linked(anew.file.name).await,
        None => Ok(None),
    }
}

/// Begins an import of a file that waits, which goes on waiting; or says why not.
pub(super) async fn begin(
    call: &Call<Member>,
    offer: &Offer,
    upload: &Upload,
    options: ImportOptions,
) -> Result<Result<Import, Faults>, Failure> {
    let Some(name) = kept_too(call, offer, upload).await? else {
        return Ok(Err(vec![whole(gone())]));
    };
    let mut ctx = call.ctx();
    // Whoever comes back to a page that has tried sends it once more to import.
    if let Some(idempotency) = ctx.idempotency.as_mut().filter(|_| !options.dry_run) {
        idempotency.operation.push_str(" write");
    }
    let file = KeptFile { name: name.clone(), ..upload.file.clone() };
    let opened = call.services().imports.open(ctx, NewImport { kind: offer.kind, options, file });
    let opened = opened.await;
    let opened = opened.ok_or_else(stopped)?;
    // A repeat has its file already, and what is refused needs none. After a fault the import may be on record all the same.
    if !matches!(&opened, Ok(Done { replayed: false, .. }) | Err(Refused::Fault(_))) {
        let files = Arc::clone(&call.services().import_files);
        on_disk(move || files.remove(&name)).await?;
    }
    carried_out(Pending::ready(opened), |refusal| refused(&refusal)).await
}
