//! Imports of products, customers and stock: files that are sent, what their columns hold, and what becomes of their rows.

mod columns;
mod errors_file;
mod mapping;
mod sending;
mod view;

use accounts::{Right, Scope};
use actix_web::web;
use imports::{Import, ImportId, ImportKind, ImportOptions, ImportQuery, ImportRefusal, UploadId};
use kernel::{FieldFault, message};

use super::{
    shared::CONFIRMED,
    view::{asking, listed},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv,
    failure::Failure,
    layout::Sheet,
    list,
    page::{Group, Page},
    pages::linked::nothing_yet,
    parts::Progress,
    reply::{answered, carried_out, found, whole},
    texts::Say,
};

/// The imports of a kind, and where they lie.
struct Offer {
    kind: ImportKind,
    scope: Scope,
    list: &'static str,
    table: &'static str,
    new: &'static str,
    /// Where the files wait, where one is mapped, and where it is forgotten.
    files: [&'static str; 3],
    one: &'static str,
    errors: &'static str,
    again: &'static str,
    cancel: &'static str,
    title: fn(Say) -> &'static str,
    files_title: fn(Say) -> &'static str,
}

macro_rules! offer {
    ($kind:ident, $scope:ident, $path:literal, $title:ident, $files:ident) => {
        Offer {
            kind: ImportKind::$kind,
            scope: Scope::$scope,
            list: $path,
            table: concat!($path, ".csv"),
            new: concat!($path, "/new"),
            files: [
                concat!($path, "/files"),
                concat!($path, "/files/{id}"),
                concat!($path, "/files/{id}/forget"),
            ],
            one: concat!($path, "/{id}"),
            errors: concat!($path, "/{id}/errors.csv"),
            again: concat!($path, "/{id}/again"),
            cancel: concat!($path, "/{id}/cancel"),
            title: Say::$title,
            files_title: Say::$files,
        }
    };
}

/// All of them; the navigation leads to the first.
static OFFERS: [Offer; 3] = [
    offer!(Products, Products, "imports/products", imports_of_products, import_files_of_products),
    offer!(
        Customers,
        Customers,
        "imports/customers",
        imports_of_customers,
        import_files_of_customers
    ),
    offer!(Stock, Warehouses, "imports/stock", imports_of_stock, import_files_of_stock),
];

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
    let [files, file, forget] = offer.files;
    vec![
        all,
        Page::get(offer.new, write, move |call| sending::ask(call, offer)),
        Page::post(offer.new, write, move |call| sending::receive(call, offer)).with_file(),
        Page::get(files, write, move |call| sending::list(call, offer)),
        Page::get(file, write, move |call| mapping::ask(call, offer)),
        // Its fields are those of the file, which waits.
        Page::post(file, write, move |call| mapping::open(call, offer)).fleeting(),
        Page::post(forget, write, move |call| sending::forget(call, offer)),
        Page::get(offer.one, read, move |call| show_one(call, offer)),
        Page::get(offer.table, read, move |call| table(call, offer)),
        Page::get(offer.errors, read, move |call| errors_file::send(call, offer)),
        Page::post(offer.again, write, move |call| import_now(call, offer)),
        Page::get(offer.cancel, write, move |call| ask_cancel(call, offer)),
        Page::post(offer.cancel, write, move |call| cancel(call, offer)),
    ]
}

impl Offer {
    /// Where one of them lies, below the account.
    fn place(&self, id: ImportId) -> String {
        format!("{}/{id}", self.list)
    }

    /// Where it is said what the columns of a file hold, below the account.
    fn file_place(&self, id: UploadId) -> String {
        let [files, ..] = self.files;
        format!("{files}/{id}")
    }
}

async fn show(call: Call<Member>, offer: &'static Offer) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone());
    let wanted = ImportQuery { kind: offer.kind, state: None, page: list::asked(&call.query) };
    let known = answered(call.services().imports.list(call.account(), wanted)).await?;
    let at = |import: &Import| call.href(&offer.place(import.id));
    let table = view::table(&call, zone, &known.items, at);
    let title = (offer.title)(say);
    let place = (title, offer.list);
    let mut sheet = listed(
        &call,
        place,
        Vec::new(),
        (&known, table),
        nothing_yet(&call, say.no_imports(), (say.new_import(), offer.new)),
    );
    if call.may(Right::write(offer.scope)) {
        let [files, ..] = offer.files;
        sheet = sheet.action(say.new_import(), call.href(offer.new));
        sheet = sheet.action(say.import_files(), call.href(files));
    }
    let others = OFFERS.iter().filter(|other| other.kind != offer.kind);
    for other in others.filter(|other| call.may(Right::read(other.scope))) {
        sheet = sheet.quiet((other.title)(say), call.href(other.list));
    }
    Ok(call.page(sheet))
}

async fn table(call: Call<Member>, offer: &'static Offer) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone());
    let table = csv::Table::new(move |services, account, page| {
        services.imports.list(account, ImportQuery { kind: offer.kind, state: None, page })
    })
    .column(say.identifier(), |import: &Import| import.id.to_string())
    .moment(say.date(), zone, |import| import.created_at)
    .column(say.state(), move |import| view::state(say, import.state).into_word())
    .column(say.dry_run(), move |import| say.whether(import.options.dry_run).to_owned())
    .optional(say.rows(), |import| import.total)
    .column(say.rows_created(), |import| import.counts.created.to_string())
    .column(say.rows_updated(), |import| import.counts.updated.to_string())
    .column(say.rows_unchanged(), |import| import.counts.unchanged.to_string())
    .column(say.rows_refused(), |import| import.counts.failed.to_string())
    .column(say.rows_warned(), |import| import.counts.warned.to_string())
    .moment(say.ended(), zone, |import| import.ended_at);
    csv::sent(&call, "imports.csv", table)
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
            "The maximum of imports is waiting already. Try again when one of them has ended.",
            "Ya espera el máximo de importaciones. Intenta de nuevo cuando termine alguna."
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
    let (say, zone) = (call.say(), call.zone());
    let import = one(&call, offer).await?;
    let (account, asked) = (call.account(), list::asked(&call.query));
    let reading = call.services().imports.errors(account, offer.kind, import.id, asked);
    let errors = found(reading).await?;
    let own = call.href(&offer.place(import.id));
    let body = view::detail(&call, zone, &import, (&errors, own.as_str()));
    let mut sheet = Sheet::new(say.an_import(), &body)
        .pill(view::state(say, import.state))
        .back((offer.title)(say), call.href(offer.list));
    let may_write = call.may(Right::write(offer.scope));
    if !import.state.is_ended() {
        sheet = sheet.action(say.look_again(), own).again(Progress::SECONDS);
        if may_write {
            sheet = sheet.grave(say.cancel_import(), cancelling_place(&call, offer, &import));
        }
        return Ok(call.page(sheet));
    }
    let file = answered(call.services().uploads.upload_of(account, import.id)).await?;
    if let Some(file) = file.filter(|_| may_write) {
        let place = call.href(&offer.file_place(file.id));
        let label = match import.options.dry_run {
            true => {
                sheet =
                    sheet.act(&call.button(format!("{own}/again"), say.import_now()).class("main"));
                say.map_columns()
            }
            false => say.run_again(),
        };
        sheet = sheet.action(label, format!("{place}?like={}", import.id));
    }
    if import.counts.failed > 0 {
        sheet = sheet.quiet(say.correct_rows(), format!("{own}/errors.csv"));
    }
    Ok(call.page(sheet))
}

/// Imports what was tried, in the same way.
async fn import_now(call: Call<Member>, offer: &'static Offer) -> Result<Answer, Failure> {
    let (say, tried) = (call.say(), one(&call, offer).await?);
    let file = call.services().uploads.upload_of(call.account(), tried.id);
    let file = answered(file).await?.ok_or(Failure::Nothing)?;
    let place = offer.place(tried.id);
    let begun = match call.read(&CONFIRMED)? {
        Ok(_) => {
            let options = ImportOptions { dry_run: false, ..tried.options };
            mapping::begin(&call, offer, &file, options).await?
        }
        Err(faults) => Err(faults),
    };
    Ok(match begun {
        Ok(import) => call.done_at(&offer.place(import.id), "import.opened"),
        Err(faults) => {
            let action = call.href(&format!("{place}/again"));
            let form = call.form(action, Vec::new(), say.import_now(), &faults);
            let title = say.import_now().to_owned();
            asking(&call, (title, ""), &form, true, (say.an_import(), place.as_str()))
        }
    })
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
