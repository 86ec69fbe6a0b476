//! Codes with the names that SAT's catalogs give them.

use cfdi::{
    catalogs::{
        countries, currencies, document_types, exports, months, payment_forms, payment_methods,
        periodicities, products, regimes, relations, tax_objects, units, uses, withholdings,
    },
    document::Document,
};

use crate::texts::{self, Label};

/// A catalog of which a document shows codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Catalog {
    Country,
    Currency,
    Export,
    DocumentType,
    Months,
    PaymentForm,
    PaymentMethod,
    Periodicity,
    Product,
    Regime,
    Relation,
    TaxObject,
    Unit,
    Use,
    /// Those of withholdings and their complements.
    Dividend,
    ForeignCountry,
    Payee,
    PlatformPeriodicity,
    Service,
    ServicePayment,
    ServiceSubtype,
    State,
    WithheldPayment,
    Withholding,
}

impl Catalog {
    /// What the catalog calls a code.
    pub(crate) fn name(self, code: &str) -> Option<&'static str> {
        match self {
            Self::Country => countries::find(code).map(|row| row.name),
            Self::Currency => currencies::find(code).map(|row| row.name),
            Self::Export => exports::find(code).map(|row| row.name),
            Self::DocumentType => document_types::find(code).map(|row| row.name),
            Self::Months => months::find(code).map(|row| row.name),
            Self::PaymentForm => payment_forms::find(code).map(|row| row.name),
            Self::PaymentMethod => payment_methods::find(code).map(|row| row.name),
            Self::Periodicity => periodicities::find(code).map(|row| row.name),
            Self::Product => products::find(code).map(|row| row.name),
            Self::Regime => regimes::find(code).map(|row| row.name),
            Self::Relation => relations::find(code).map(|row| row.name),
            Self::TaxObject => tax_objects::find(code).map(|row| row.name),
            Self::Unit => units::find(code).map(|row| row.name),
            Self::Use => uses::find(code).map(|row| row.name),
            _ => self.name_in_withholdings(code),
        }
    }

    fn name_in_withholdings(self, code: &str) -> Option<&'static str> {
        use withholdings::{
            countries, dividends, kinds, payees, payment_kinds, periodicities, service_payments,
            service_subtypes, services, states,
        };
        match self {
            Self::Dividend => dividends::find(code).map(|row| row.name),
            Self::ForeignCountry => countries::find(code).map(|row| row.name),
            Self::Payee => payees::find(code).map(|row| row.name),
            Self::PlatformPeriodicity => periodicities::find(code).map(|row| row.name),
            Self::Service => services::find(code).map(|row| row.name),
            Self::ServicePayment => service_payments::find(code).map(|row| row.name),
            // SAT has not named them all.
            Self::ServiceSubtype => {
                service_subtypes::find(code).map(|row| row.name).filter(|name| !name.is_empty())
            }
            Self::State => states::find(code).map(|row| row.name),
            Self::WithheldPayment => payment_kinds::find(code).map(|row| row.name),
            Self::Withholding => kinds::find(code).map(|row| row.name),
            _ => None,
        }
    }

    /// A code and its name: `601 General de Ley Personas Morales`. Just the code when the catalog does not
    /// know it.
    pub(crate) fn labelled(self, code: &str) -> String {
        self.name(code).map_or_else(|| code.to_owned(), |name| format!("{code} {name}"))
    }
}

/// Series and folio: `A-1024`, or whichever of them there is.
pub(crate) fn number(series: Option<&str>, folio: Option<&str>) -> Option<String> {
    match (series, folio) {
        (Some(series), Some(folio)) => Some(format!("{series}-{folio}")),
        (one, other) => one.or(other).map(str::to_owned),
    }
}

/// What people call a document of that kind.
pub(crate) const fn title(document: &Document) -> Label {
    use cfdi::document::DocumentType;
    match document.kind {
        DocumentType::Income => texts::INVOICE,
        DocumentType::Credit => texts::CREDIT_NOTE,
        DocumentType::Payment => texts::PAYMENT_RECEIPT,
        DocumentType::Transfer => texts::TRANSFER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_their_names() {
        for (catalog, code, text) in [
            (Catalog::Regime, "601", "601 General de Ley Personas Morales"),
            (Catalog::Unit, "H87", "H87 Pieza"),
            (Catalog::Use, "G03", "G03 Gastos en general"),
            (Catalog::PaymentForm, "03", "03 Transferencia electrónica de fondos"),
            (Catalog::DocumentType, "I", "I Ingreso"),
            (Catalog::Product, "99999999", "99999999"),
            (Catalog::Withholding, "01", "01 Servicios profesionales"),
            (Catalog::WithheldPayment, "04", "04 Pago provisional ISR"),
            (Catalog::State, "09", "09 CIUDAD DE MEXICO"),
            (Catalog::Service, "04", "04 Hospedaje"),
            (Catalog::ServiceSubtype, "01", "01 Personal"),
            (Catalog::ServiceSubtype, "09", "09"),
            (Catalog::ForeignCountry, "XX", "XX"),
        ] {
            assert_eq!(catalog.labelled(code), text);
        }
    }

    #[test]
    fn numbers_have_what_there_is() {
        assert_eq!(number(Some("A"), Some("7")).as_deref(), Some("A-7"));
        assert_eq!(number(None, Some("7")).as_deref(), Some("7"));
        assert_eq!(number(None, None), None);
    }
}
