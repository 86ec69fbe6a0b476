//! Writes sample PDFs into a folder and tells how long each took.
//!
//! `cargo run --release -p print --example print -- FOLDER`

mod looks;
mod samples;
mod trades;
mod withholdings;

use std::{
    env,
    error::Error,
    fs,
    io::{Write, stdout},
    path::{Path, PathBuf},
    sync::LazyLock,
    time::Instant,
};

use cfdi::{document::Document, stamp::Stamp};
use kernel::Language;
use print::{Look, PrintError, Sheet, WithholdingSheet};

const ROUNDS: u32 = 20;
const LOGO: &[u8] = include_bytes!("../../fixtures/logo.png");
const NOTES: &str =
    "Gracias por su compra.\nCambios y devoluciones dentro de los 30 días con este comprobante.";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::args().nth(1).ok_or("say which folder")?);
    fs::create_dir_all(&folder)?;
    let stamp = samples::stamp();
    for (name, document) in samples::all() {
        write(&folder, name, &plain(&stamp, &document))?;
    }
    let document = samples::invoice(1);
    let sheet = plain(&stamp, &document);
    write(&folder, "draft", &Sheet { stamp: None, sandbox: true, logo: Some(LOGO), ..sheet })?;
    write(&folder, "sandbox", &Sheet { sandbox: true, logo: Some(LOGO), ..sheet })?;
    write(&folder, "cancelled", &Sheet { cancelled: true, notes: Some(NOTES), ..sheet })?;
    write(&folder, "logo", &Sheet { logo: Some(LOGO), notes: Some(NOTES), ..sheet })?;
    let long = samples::invoice(40);
    write(
        &folder,
        "cancelled_pages",
        &Sheet { cancelled: true, sandbox: true, ..plain(&stamp, &long) },
    )?;
    for (name, look) in looks::all() {
        let name = format!("look_{name}");
        write(
            &folder,
            &name,
            &Sheet { look: &look, logo: Some(LOGO), notes: Some(NOTES), ..sheet },
        )?;
    }
    english(&folder, &stamp)?;
    withheld(&folder, &stamp)
}

/// What goes abroad.
fn english(folder: &Path, stamp: &Stamp) -> Result<(), Box<dyn Error>> {
    let look = Look { contact: looks::contact(), ..Look::default() };
    for (name, document) in samples::all() {
        let sheet = Sheet { language: Language::English, look: &look, ..plain(stamp, &document) };
        write(folder, &format!("english_{name}"), &sheet)?;
        if name == "foreign" {
            let draft = Sheet { stamp: None, sandbox: true, logo: Some(LOGO), ..sheet };
            write(folder, "english_draft", &draft)?;
            let cancelled = Sheet { cancelled: true, sandbox: true, ..sheet };
            write(folder, "english_cancelled", &cancelled)?;
        }
    }
    Ok(())
}

/// Withholdings in both languages, and with each mark.
fn withheld(folder: &Path, stamp: &Stamp) -> Result<(), Box<dyn Error>> {
    let look = Look { contact: looks::contact(), ..Look::default() };
    for (name, withholding) in withholdings::all() {
        let sheet = WithholdingSheet {
            withholding: &withholding,
            stamp: Some(stamp),
            certificate_number: Some("30001000000500003416"),
            sandbox: false,
            cancelled: false,
            logo: Some(LOGO),
            look: &look,
            language: Language::Spanish,
        };
        let english = WithholdingSheet { language: Language::English, ..sheet };
        write_withholding(folder, name, &sheet)?;
        write_withholding(folder, &format!("english_{name}"), &english)?;
        if name == "withholding_fees" {
            let draft = WithholdingSheet { stamp: None, ..sheet };
            write_withholding(folder, "withholding_draft", &draft)?;
            let cancelled = WithholdingSheet { cancelled: true, sandbox: true, ..sheet };
            write_withholding(folder, "withholding_cancelled", &cancelled)?;
            let sandbox = WithholdingSheet { sandbox: true, ..sheet };
            write_withholding(folder, "withholding_sandbox", &sandbox)?;
        }
    }
    Ok(())
}

/// A plain one.
static LOOK: LazyLock<Look> = LazyLock::new(Look::default);

fn plain<'a>(stamp: &'a Stamp, document: &'a Document) -> Sheet<'a> {
    Sheet {
        document,
        stamp: Some(stamp),
        certificate_number: Some("30001000000500003416"),
        sandbox: false,
        cancelled: false,
        logo: None,
        notes: None,
        look: &LOOK,
        language: Language::Spanish,
    }
}

fn write(folder: &Path, name: &str, sheet: &Sheet<'_>) -> Result<(), Box<dyn Error>> {
    keep(folder, name, || print::pdf(sheet))
}

fn write_withholding(
    folder: &Path,
    name: &str,
    sheet: &WithholdingSheet<'_>,
) -> Result<(), Box<dyn Error>> {
    keep(folder, name, || print::withholding_pdf(sheet))
}

fn keep(
    folder: &Path,
    name: &str,
    print: impl Fn() -> Result<Vec<u8>, PrintError>,
) -> Result<(), Box<dyn Error>> {
    let pdf = print()?;
    let start = Instant::now();
    for _ in 0..ROUNDS {
        print()?;
    }
    let milliseconds = start.elapsed().as_secs_f64() * 1_000.0 / f64::from(ROUNDS);
    writeln!(stdout(), "{name}: {milliseconds:.1} ms, {} bytes", pdf.len())?;
    fs::write(folder.join(format!("{name}.pdf")), pdf)?;
    Ok(())
}
