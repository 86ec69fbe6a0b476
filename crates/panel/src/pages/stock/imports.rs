//! Imports of products, customers and stock: rows that are pasted, and what becomes of them.

mod view;

use std::sync::Arc;

use accounts::{Right, Scope};
use actix_web::web;
use aws_lc_rs::digest::{SHA256, digest};
use imports::{
    Import, ImportError, ImportId, ImportKind, ImportOptions, ImportQuery, ImportRefusal, KeptFile,
    Mode, NewImport, NotKept, OnError,
};
use intake::{
    Faults, Form,
    checks::{flag, one_of, text},
    noun,
};
use kernel::{Done, FieldFault, Pending, Refused, message};

use super::{
    shared::CONFIRMED,
    view::{asking, listed},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv,
    failure::Failure,
    form::Values,
    layout::Sheet,
    list,
    page::{Group, Page},
    parts::{Empty, Field},
    reply::{answered, carried_out, found, whole},
    texts::Say,
};

/// The field that rows are pasted into.
const ROWS: &str = "rows";

/// The imports of a kind, and where they lie.
struct Offer {
    kind: ImportKind,
    scope: Scope,
    list: &'static str,
    table: &'static str,
    new: &'static str,
    one: &'static str,
    errors: &'static str,
    cancel: &'static str,
    title: fn(Say) -> &'static str,
}

macro_rules! offer {
    ($kind:ident, $scope:ident, $path:literal, $title:ident) => {
        Offer {
            kind: ImportKind::$kind,
            scope: Scope::$scope,
            list: $path,
            table: concat!($path, ".csv"),
            new: concat!($path, "/new"),
            one: concat!($path, "/{id}"),
            errors: concat!($path, "/{id}/errors.csv"),
            cancel: concat!($path, "/{id}/cancel"),
            title: Say::$title,
        }
    };
}

/// All of them; the navigation leads to the first.
static OFFERS: [Offer; 3] = [
    offer!(Products, Products, "imports/products", imports_of_products),
    offer!(Customers, Customers, "imports/customers", imports_of_customers),
    offer!(Stock, Warehouses, "imports/stock", imports_of_stock),
];

struct Pasted {
    options: ImportOptions,
    rows: String,
}

const PASTED: Form<Pasted> = Form::body(
    "NewImport",
    noun("this form", "este formulario"),
    |fields| {
        let mode = fields.optional("mode", one_of(Mode::EVERY, Mode::name));
        let on_error = fields.optional("onError", one_of(OnError::EVERY, OnError::name));
        let dry_run = fields.optional("dryRun", flag());
        let rows = fields.required(ROWS, text(|rows| Ok(rows.to_owned())));
        let options = ImportOptions {
            mode: mode.unwrap_or_default(),
            on_error: on_error.unwrap_or_default(),
            dry_run: dry_run.unwrap_or_default(),
            ..ImportOptions::default()
        };
        Some(Pasted { options, rows: rows? })
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    OFFERS.iter().flat_map(pages_of).collect()
}

fn pages_of(offer: &'static Offer) -> Vec<Page> {
    let (read, write) = (Right::read(offer.scope), Right::write(offer.scope));
    let all = Page::get(offer.list, read, move |call| show(call, offer)).list();
    let all = match offer.kind {
        ImportKind::Products => all.listed(Group::Supply, "upload", Say::imports).key("v"),
        ImportKind::Customers | ImportKind::Stock => all,
    };
    vec![
        all,
        Page::get(offer.new, write, move |call| ask_new(call, offer)),
        Page::post(offer.new, write, move |call| open(call, offer)),
        Page::get(offer.one, read, move |call| show_one(call, offer)),
        Page::get(offer.table, read, move |call| table(call, offer)),
        Page::get(offer.errors, read, move |call| table_of_errors(call, offer)),
        Page::get(offer.cancel, write, move |call| ask_cancel(call, offer)),
        Page::post(offer.cancel, write, move |call| cancel(call, offer)),
    ]
}

impl Offer {
    /// Where one of them lies, below the account.
    fn place(&self, id: ImportId) -> String {
        format!("{}/{id}", self.list)
    }
}

async fn show(call: Call<Member>, offer: &'static Offer) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone().await?);
    let wanted = ImportQuery { kind: offer.kind, state: None, page: list::asked(&call.query) };
    let known = answered(call.services().imports.list(call.account(), wanted)).await?;
    let at = |import: &Import| call.href(&offer.place(import.id));
    let table = view::table(&call, zone, &known.items, at);
    let title = (offer.title)(say);
    let place = (title, offer.list);
    let mut sheet = listed(&call, place, Vec::new(), (&known, table), Empty::new(say.no_imports()));
    if call.may(Right::write(offer.scope)) {
        sheet = sheet.action(say.new_import(), call.href(offer.new));
    }
    let others = OFFERS.iter().filter(|other| other.kind != offer.kind);
    for other in others.filter(|other| call.may(Right::read(other.scope))) {
        sheet = sheet.action((other.title)(say), call.href(other.list));
    }
    Ok(call.page(sheet))
}

async fn table(call: Call<Member>, offer: &'static Offer) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone().await?);
    let table = csv::Table::new(move |services, account, page| {
        services.imports.list(account, ImportQuery { kind: offer.kind, state: None, page })
    })
    .column("id", |import: &Import| import.id.to_string())
    .moment(say.date(), zone, |import| import.created_at)
    .column(say.state(), |import| import.state.name().to_owned())
    .column("dryRun", |import| import.options.dry_run.to_string())
    .optional(say.rows(), |import| import.total)
    .column(say.rows_created(), |import| import.counts.created.to_string())
    .column(say.rows_updated(), |import| import.counts.updated.to_string())
    .column(say.rows_unchanged(), |import| import.counts.unchanged.to_string())
    .column(say.rows_refused(), |import| import.counts.failed.to_string())
    .column(say.rows_warned(), |import| import.counts.warned.to_string())
    .moment(say.ended(), zone, |import| import.ended_at);
    csv::sent(&call, "imports.csv", table)
}

/// What was wrong with rows.
async fn table_of_errors(call: Call<Member>, offer: &'static Offer) -> Result<Answer, Failure> {
    let (say, language) = (call.say(), call.language);
    let id = one(&call, offer).await?.id;
    let table = csv::Table::<ImportError>::reading(move |services, account, page| {
        Box::pin(found(services.imports.errors(account, offer.kind, id, page)))
    })
    .column(say.row(), |error| error.row.to_string())
    .optional(say.column(), |error| error.column.clone())
    .column(say.value(), |error| error.value.clone())
    .column("code", |error| error.code.name().to_owned())
    .column(say.what_is_wrong(), move |error| error.code.message().in_language(language).to_owned())
    .column("warning", |error| error.code.is_warning().to_string());
    csv::sent(&call, "errors.csv", table)
}

async fn ask_new(call: Call<Member>, offer: &'static Offer) -> Result<Answer, Failure> {
    Ok(pasting(&call, offer, &Values::default(), &[]))
}

fn pasting(call: &Call<Member>, offer: &Offer, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let mode = |mode: &Mode| (mode.name().to_owned(), view::mode_name(say, *mode).to_owned());
    let on_error = |one: &OnError| {
        let called = match one {
            OnError::Skip => say.on_error_skip(),
            OnError::Abort => say.on_error_abort(),
        };
        (one.name().to_owned(), called.to_owned())
    };
    let hint = match offer.kind {
        ImportKind::Products => say.rows_of_products_hint(),
        ImportKind::Customers => say.rows_of_customers_hint(),
        ImportKind::Stock => say.rows_of_stock_hint(),
    };
    let mut fields = vec![Field::area(ROWS, say.rows(), 12, values).hint(hint).first()];
    // Stock is of what is there.
    if offer.kind != ImportKind::Stock {
        let modes = Mode::EVERY.iter().map(mode).collect();
        fields.push(Field::select("mode", say.import_mode(), modes, values));
    }
    let choices = OnError::EVERY.iter().map(on_error).collect();
    fields.push(Field::select("onError", say.on_error(), choices, values));
    fields.push(Field::tick("dryRun", say.dry_run(), values).hint(say.dry_run_hint()));
    let form = call.form(call.href(offer.new), fields, say.new_import(), faults);
    let back = ((offer.title)(say), offer.list);
    let title = say.new_import().to_owned();
    asking(call, (title, say.import_intro()), &form, !faults.is_empty(), back)
}

async fn open(call: Call<Member>, offer: &'static Offer) -> Result<Answer, Failure> {
    let again = |faults: &Faults| pasting(&call, offer, call.sent.values(), faults);
    let Pasted { mut options, rows } = match call.read(&PASTED)? {
        Ok(pasted) => pasted,
        Err(faults) => return Ok(again(&faults)),
    };
    if offer.kind == ImportKind::Stock {
        options.mode = Mode::default();
    }
    let file = match kept(&call, offer.kind, &options, rows).await? {
        Ok(file) => file,
        Err(faults) => return Ok(again(&faults)),
    };
    let name = file.name.clone();
    let new = NewImport { kind: offer.kind, options, file };
    let opened = call.services().imports.open(call.ctx(), new).await;
    let opened = opened.ok_or_else(|| Failure::Unavailable("the store is gone".to_owned()))?;
    // A repeat has its file already, and what is refused needs none. After a fault the import may be on record all the same.
    if !matches!(&opened, Ok(Done { replayed: false, .. }) | Err(Refused::Fault(_))) {
        let files = Arc::clone(&call.services().import_files);
        on_disk(move || files.remove(&name)).await?;
    }
    Ok(match carried_out(Pending::ready(opened), |refusal| refused(&refusal)).await? {
        Ok(import) => call.done_at(&offer.place(import.id), "import.opened"),
        Err(faults) => again(&faults),
    })
}

/// Keeps pasted rows as the file that they were copied from, or says why that cannot be imported.
async fn kept(
    call: &Call<Member>,
    kind: ImportKind,
    options: &ImportOptions,
    rows: String,
) -> Result<Result<KeptFile, Faults>, Failure> {
    let files = Arc::clone(&call.services().import_files);
    let options = options.clone();
    let keeping = on_disk(move || {
        let mut receiving = files.receive().map_err(NotKept::Fault)?;
        receiving.write(rows.as_bytes()).map_err(NotKept::Fault)?;
        let digest = hex::encode(digest(&SHA256, rows.as_bytes()));
        receiving.keep(kind, &options, digest)
    });
    match keeping.await? {
        Ok(file) => Ok(Ok(file)),
        Err(NotKept::Refused(refusal)) => Ok(Err(vec![whole(refusal.message)])),
        Err(NotKept::Fault(fault)) => Err(fault.into()),
    }
}

/// Waits for a disk, off the threads that answer requests.
async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Failure> {
    let left = |_| Failure::Internal("a file was left without an outcome".to_owned());
    web::block(work).await.map_err(left)
}

/// What a form says of a refusal.
fn refused(refusal: &ImportRefusal) -> FieldFault {
    whole(match refusal {
        ImportRefusal::SameFile(_) => message!(
            "These very rows are being imported already.",
            "Estas mismas filas ya se están importando."
        ),
        ImportRefusal::TooMany => message!(
            "As many imports wait as may. Try again when one of them has ended.",
            "Ya hay tantas importaciones en espera como se permite. Intenta de nuevo cuando termine alguna."
        ),
        ImportRefusal::HasEnded(_) => {
            message!("The import has ended already.", "La importación ya terminó.")
        }
    })
}

/// The import of the path.
async fn one(call: &Call<Member>, offer: &Offer) -> Result<Import, Failure> {
    let id = ImportId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().imports.get(call.account(), offer.kind, id)).await
}

async fn show_one(call: Call<Member>, offer: &'static Offer) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone().await?);
    let import = one(&call, offer).await?;
    let (account, asked) = (call.account(), list::asked(&call.query));
    let reading = call.services().imports.errors(account, offer.kind, import.id, asked);
    let errors = found(reading).await?;
    let own = call.href(&offer.place(import.id));
    let body = view::detail(&call, zone, &import, (&errors, own.as_str()));
    let sheet = Sheet::new(say.an_import(), &body)
        .pill(view::state(say, import.state))
        .back((offer.title)(say), call.href(offer.list));
    let sheet = sheet.quiet(say.export_csv(), format!("{own}/errors.csv"));
    if import.state.is_ended() {
        return Ok(call.page(sheet));
    }
    let sheet = sheet.action(say.look_again(), own);
    Ok(call.page(match call.may(Right::write(offer.scope)) {
        true => sheet.action(say.cancel_import(), cancelling_place(&call, offer, &import)),
        false => sheet,
    }))
}

fn cancelling_place(call: &Call<Member>, offer: &Offer, import: &Import) -> String {
    call.href(&format!("{}/cancel", offer.place(import.id)))
}

async fn ask_cancel(call: Call<Member>, offer: &'static Offer) -> Result<Answer, Failure> {
    let import = one(&call, offer).await?;
    Ok(cancelling(&call, offer, &import, &[]))
}

fn cancelling(
    call: &Call<Member>,
    offer: &Offer,
    import: &Import,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let action = cancelling_place(call, offer, import);
    let form = call.form(action, Vec::new(), say.cancel_import(), faults).dangerous();
    let title = say.cancel_import().to_owned();
    let back = offer.place(import.id);
    let back = (say.an_import(), back.as_str());
    asking(call, (title, say.cancel_import_intro()), &form, !faults.is_empty(), back)
}

async fn cancel(call: Call<Member>, offer: &'static Offer) -> Result<Answer, Failure> {
    let import = one(&call, offer).await?;
    if let Err(faults) = call.read(&CONFIRMED)? {
        return Ok(cancelling(&call, offer, &import, &faults));
    }
    let stopping = call.services().imports.cancel(call.ctx(), offer.kind, import.id);
    Ok(match carried_out(stopping, |refusal| refused(&refusal)).await? {
        Ok(_) => call.done_at(&offer.place(import.id), "import.cancelled"),
        Err(faults) => cancelling(&call, offer, &import, &faults),
    })
}
