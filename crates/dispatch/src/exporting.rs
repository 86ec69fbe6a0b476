//! Writing invoices into files: a ZIP of their documents, or a table for an accountant.
//!
//! A file is written from its beginning in every attempt. It leaves this process piece by piece, so that none is ever
//! held whole, and the claim is held with each of them.

mod archive;
mod batches;
mod file;

use std::{sync::Arc, thread, time::Duration};

use invoices::{
    Invoices, Printer,
    export::{self, Content, ExportInvoices, ExportQueue, ExportedInvoices, entry_name},
};
use kernel::{Fault, Language, Pending, threads::give_way};
use tasks::{End, FILE_SECONDS, JobFiles, Task, TaskKind, Why, kind::EXPORT};
use tokio::runtime::Handle;

use crate::{
    halt::{Halt, paused},
    recorded::gone,
    tasks::{Hold, Performed, Performing, Work},
};
use archive::Archive;
use batches::Batches;
use file::File;

/// Between two times that the claim is held, if nothing has gone wrong.
const STEP_TIME: Duration = Duration::from_secs(30);
/// Seconds before each further attempt; after the last of them it is given up.
const PAUSES: &[i64] = &[5, 30, 120, 600, 1_800, 3_600];

/// Writes the files that are on record in a queue.
pub struct Exporting(Arc<Shared>);

struct Shared {
    queue: Arc<dyn ExportQueue>,
    files: Arc<dyn JobFiles>,
    invoices: Arc<dyn Invoices>,
    printer: Arc<dyn Printer>,
}

impl Exporting {
    /// Files on record in `queue`, kept in `files`.
    pub fn new(
        queue: Arc<dyn ExportQueue>,
        files: Arc<dyn JobFiles>,
        invoices: Arc<dyn Invoices>,
        printer: Arc<dyn Printer>,
    ) -> Self {
        Self(Arc::new(Shared { queue, files, invoices, printer }))
    }
}

impl Work for Exporting {
    fn kind(&self) -> &'static TaskKind {
        &EXPORT
    }

    fn attempt_time(&self) -> Duration {
        STEP_TIME
    }

    fn perform(&self, task: Task, hold: Hold) -> Performing {
        let shared = Arc::clone(&self.0);
        Box::pin(async move {
            let (answer, written) = Pending::channel();
            let handle = Handle::current();
            // It computes for minutes, on a thread of its own that lets everybody else go first.
            let thread = thread::Builder::new().name("export".to_owned()).spawn(move || {
                give_way();
                answer.send(handle.block_on(written_by(&shared, &task, hold)));
            });
            let failed = |why: &dyn std::fmt::Display| {
                Performed::Ended(End::Failed(Why::FileNotWritten.kept(why)))
            };
            match thread {
                Err(error) => failed(&format_args!("no thread to write it on: {error}")),
                Ok(_) => written.await.unwrap_or_else(|| failed(&"writing panicked")),
            }
        })
    }
}

async fn written_by(shared: &Shared, task: &Task, hold: Hold) -> Performed {
    match written(shared, task, hold).await {
        Ok(performed) => performed,
        Err(Halt::Fault(fault)) => after(&fault, task.attempts),
        Err(Halt::Because(performed)) => performed,
    }
}

/// What follows from a fault after so many attempts.
fn after(fault: &Fault, attempts: u32) -> Performed {
    let reason = fault.to_string();
    let place = usize::try_from(attempts).unwrap_or(usize::MAX);
    match PAUSES.get(place) {
        Some(seconds) => Performed::Postponed(paused(*seconds, reason)),
        None => Performed::Ended(End::Failed(reason)),
    }
}

async fn written(shared: &Shared, task: &Task, hold: Hold) -> Result<Performed, Halt> {
    let wanted = shared.queue.export_wanted(task)?;
    let mut file = File::new(&*shared.files, hold);
    match wanted.content {
        Content::XmlAndPdf | Content::Xml | Content::Pdf => {
            write_documents(shared, task, &wanted, &mut file).await?;
        }
        Content::Csv => write_table(shared, task, &wanted, &mut file).await?,
    }
    let invoices = file.invoices();
    let (size, pieces) = file.close().await?;
    let expires_at = task.created_at.plus_seconds(FILE_SECONDS);
    let (name, content) = (wanted.file_name(), wanted.content);
    let exported = ExportedInvoices { name, content, invoices, size, pieces, expires_at };
    Ok(Performed::Ended(End::Succeeded(shared.queue.export_outcome(&exported)?)))
}

async fn write_documents(
    shared: &Shared,
    task: &Task,
    wanted: &ExportInvoices,
    file: &mut File<'_>,
) -> Result<(), Halt> {
    // How many there are is told first, since each takes its time.
    let mut batches = Batches::new(&*shared.queue, task.account, wanted);
    let mut ids = Vec::new();
    while let Some(batch) = batches.next().await? {
        ids.extend(batch.iter().map(|invoice| invoice.id));
        file.hold_on().await?;
    }
    file.expect(ids.len());
    let mut archive = Archive::new(file.sink());
    for id in ids {
        let documents = shared.invoices.documents(task.account, id).await;
        let documents = documents.unwrap_or_else(|| Err(gone()))?;
        // A stamped invoice is never deleted.
        let Some(documents) = documents else { continue };
        let invoice = &documents.invoice;
        if wanted.content.has_xml() {
            let receipt = documents.receipt.as_deref().map(|text| ("-acuse.xml", text));
            let texts = documents.xml.as_deref().map(|text| (".xml", text));
            for (ending, text) in texts.into_iter().chain(receipt) {
                archive.add(invoice, &entry_name(invoice, ending), text.as_bytes())?;
            }
        }
        if wanted.content.has_pdf() {
            let printed = shared.printer.pdf(&documents, wanted.language);
            let printed =
                printed.map_err(|problem| not_printed(&format_args!("{id}: {problem}")))?;
            archive.add(invoice, &entry_name(invoice, ".pdf"), &printed)?;
        }
        file.done(1).await?;
    }
    archive.finish()
}

fn not_printed(problem: &dyn std::fmt::Display) -> Halt {
    Halt::failed(Why::NotPrinted.kept(problem))
}

async fn write_table(
    shared: &Shared,
    task: &Task,
    wanted: &ExportInvoices,
    file: &mut File<'_>,
) -> Result<(), Halt> {
    let language = wanted.language.unwrap_or(Language::Spanish);
    let mut sink = file.sink();
    // Excel reads UTF-8 as such only behind this mark.
    sink.mark();
    let mut table = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(sink);
    let refused = |error: csv::Error| Halt::failed(Why::FileNotWritten.kept(error));
    table.write_record(export::heading(language)).map_err(refused)?;
    let mut batches = Batches::new(&*shared.queue, task.account, wanted);
    while let Some(batch) = batches.next().await? {
        for invoice in &batch {
            table.write_record(export::row(invoice, language)).map_err(refused)?;
        }
        table.flush().map_err(|error| Halt::failed(Why::FileNotWritten.kept(error)))?;
        file.done(batch.len()).await?;
    }
    table.flush().map_err(|error| Halt::failed(Why::FileNotWritten.kept(error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_outlasted_for_hours_and_then_told() {
        let fault = Fault::Unavailable("no route to host".to_owned());
        let Performed::Postponed(first) = after(&fault, 0) else { panic!("given up at once") };
        assert_eq!((first.seconds, first.is_doubtful), (5, false));
        assert!(first.reason.contains("no route to host"), "{}", first.reason);
        let tried = u32::try_from(PAUSES.len()).unwrap();
        assert!(matches!(after(&fault, tried - 1), Performed::Postponed(_)));
        assert!(matches!(after(&fault, tried), Performed::Ended(End::Failed(_))));
    }
}
