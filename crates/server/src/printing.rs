//! The printed form of invoices, for the API.

use invoices::{Documents, Printer, Status, provider::ProviderKind};
use kernel::Language;
use print::{Look, Sheet};

/// Prints with the crate `print`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Press;

impl Printer for Press {
    fn pdf(&self, documents: &Documents) -> Result<Vec<u8>, String> {
        let invoice = &documents.invoice;
        let stamped = invoice.stamp.as_ref();
        let look = Look::default();
        let sheet = Sheet {
            document: &invoice.document,
            stamp: stamped.map(|stamped| &stamped.stamp),
            certificate_number: documents.certificate_number.as_deref(),
            sandbox: stamped.is_some_and(|stamped| stamped.provider == ProviderKind::Sandbox),
            cancelled: invoice.status == Status::Cancelled,
            logo: documents.logo.as_deref(),
            notes: invoice.draft.notes.as_deref(),
            look: &look,
            language: Language::Spanish,
        };
        print::pdf(&sheet).map_err(|error| error.to_string())
    }

    fn logo_to_keep(&self, image: Vec<u8>) -> Result<Vec<u8>, kernel::Message> {
        print::logo_to_keep(image)
    }
}
