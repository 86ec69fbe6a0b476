//! An archive that is written in one go.

// The archive's library leaves it to us which code compresses: the one that answers are compressed with.
use flate2 as _;
use invoices::Invoice;
use tasks::Why;
use time::PrimitiveDateTime;
use zip::{CompressionMethod, DateTime, ZipWriter, write::SimpleFileOptions, write::StreamWriter};

use super::{Halt, file::Sink};

/// Who may read the files once they are unpacked.
const MODE: u32 = 0o644;

/// A ZIP archive.
pub(super) struct Archive(ZipWriter<StreamWriter<Sink>>);

impl Archive {
    pub(super) fn new(sink: Sink) -> Self {
        Self(ZipWriter::new_stream(sink))
    }

    /// Adds a document of an invoice, dated as it was issued.
    pub(super) fn add(&mut self, invoice: &Invoice, name: &str, bytes: &[u8]) -> Result<(), Halt> {
        // Compressed all of them: who reads an archive as it comes cannot tell where others end.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(dated(invoice.document.issued_at))
            .unix_permissions(MODE);
        let refused = |error: zip::result::ZipError| {
            Halt::failed(Why::FileNotWritten.kept(format_args!("{name}: {error}")))
        };
        self.0.start_file(name, options).map_err(refused)?;
        std::io::Write::write_all(&mut self.0, bytes).map_err(|error| {
            Halt::failed(Why::FileNotWritten.kept(format_args!("{name}: {error}")))
        })
    }

    /// Writes the directory behind the documents.
    pub(super) fn finish(self) -> Result<(), Halt> {
        self.0.finish().map(drop).map_err(|error| Halt::failed(Why::FileNotWritten.kept(error)))
    }
}

/// Archives know dates from 1980 on.
fn dated(issued: PrimitiveDateTime) -> DateTime {
    let year = u16::try_from(issued.year()).unwrap_or(1980);
    let (month, day) = (u8::from(issued.month()), issued.day());
    let (hour, minute, second) = (issued.hour(), issued.minute(), issued.second());
    DateTime::from_date_and_time(year, month, day, hour, minute, second).unwrap_or_default()
}
