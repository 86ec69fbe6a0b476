//! Why a document is cancelled, as SAT's cancellation service lists it.

use time::Date;

use super::row::{START, catalog, row};

/// A reason to cancel a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CancellationReason {
    /// What the request says.
    pub code: &'static str,
    /// What SAT calls it.
    pub name: &'static str,
    /// Whether the document that replaces it must be named; otherwise none may be.
    pub requires_replacement: bool,
    /// The first day it may be used.
    pub valid_from: Date,
    /// The last day it may be used.
    pub valid_until: Option<Date>,
}

row!(CancellationReason);

const ROWS: &[CancellationReason] = &[
    CancellationReason {
        requires_replacement: true,
        ..reason("01", "Comprobante emitido con errores con relación")
    },
    reason("02", "Comprobante emitido con errores sin relación"),
    reason("03", "No se llevó a cabo la operación"),
    reason("04", "Operación nominativa relacionada en una factura global"),
];

catalog!(CancellationReason, ROWS);

const fn reason(code: &'static str, name: &'static str) -> CancellationReason {
    CancellationReason {
        code,
        name,
        requires_replacement: false,
        valid_from: START,
        valid_until: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_related_error_names_its_replacement() {
        let with_replacement = all().iter().filter(|reason| reason.requires_replacement);
        assert_eq!(with_replacement.map(|reason| reason.code).collect::<Vec<_>>(), ["01"]);
        assert_eq!(all().len(), 4);
    }
}
