//! Series and the folios of their documents.

use cfdi::document::DocumentType;
use kernel::Refused;

use crate::{Branch, InvoiceError, Issuer, IssuerId};

/// The most that the next folio of a series can be set to.
pub const FOLIO_MAX: i64 = 999_999_999_999;

/// Maximum characters of a series (cfdv40).
pub const SERIES_CHARS_MAX: usize = 25;

/// What cursors call the order of a list of series.
pub const ORDER: &str = "issuerId,series";

/// A series, and the folio that its next document gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeriesFolio {
    /// Whose series it is.
    pub issuer: IssuerId,
    /// The series.
    pub series: String,
    /// The next folio.
    pub next_folio: u64,
}

/// The series that an issuer's documents get, or those that it issues at a branch: the branch's own where it has any.
pub fn used<'a>(issuer: &'a Issuer, branch: Option<&'a Branch>) -> impl Iterator<Item = &'a str> {
    let kinds =
        [DocumentType::Income, DocumentType::Credit, DocumentType::Payment, DocumentType::Transfer];
    kinds.into_iter().map(move |kind| {
        let own = branch.and_then(|branch| branch.series.of(kind));
        own.unwrap_or_else(|| issuer.series.of(kind))
    })
}

/// What counts as the `last` folio of a series whose next one is to be `next`, as for an issuer who comes with a series
/// from elsewhere.
///
/// # Errors
/// [`InvoiceError::FolioTaken`] for one that the series has been past.
pub fn continued(last: u64, next: u64) -> Result<u64, Refused<InvoiceError>> {
    let before = next.saturating_sub(1);
    if before < last {
        return Err(Refused::Rule(InvoiceError::FolioTaken { next: last.saturating_add(1) }));
    }
    Ok(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_goes_on_and_never_back() {
        for (last, next, wanted) in [
            (0, 1, Ok(0)),
            (0, 12_345, Ok(12_344)),
            (7, 8, Ok(7)),
            (7, 7, Err(8)),
            (7, 1, Err(8)),
            (7, 0, Err(8)),
        ] {
            let taken = |next| Refused::Rule(InvoiceError::FolioTaken { next });
            assert_eq!(continued(last, next), wanted.map_err(taken), "{last} {next}");
        }
    }
}
