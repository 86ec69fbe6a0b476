//! The printed form of documents.

use kernel::{Language, Message};

use crate::{Documents, withholding};

/// Makes the printed form of documents. It computes for tens of milliseconds and is called where that keeps
/// nobody waiting.
pub trait Printer: Send + Sync {
    /// The PDF of an invoice, in the language that it is wanted in or else of its receiver; a draft's says that it is one.
    ///
    /// # Errors
    /// What went wrong, for the log.
    fn pdf(&self, documents: &Documents, wanted: Option<Language>) -> Result<Vec<u8>, String>;

    /// The PDF of a withholding, as that of an invoice.
    ///
    /// # Errors
    /// What went wrong, for the log.
    fn withholding_pdf(
        &self,
        documents: &withholding::Documents,
        wanted: Option<Language>,
    ) -> Result<Vec<u8>, String>;

    /// The logo to keep of an image: the image, or one with fewer pixels.
    ///
    /// # Errors
    /// Why it cannot be printed, as a clause that follows its name.
    fn logo_to_keep(&self, image: Vec<u8>) -> Result<Vec<u8>, Message>;
}
