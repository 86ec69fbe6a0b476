//! A receiver whose Constancia de Situación Fiscal is pasted into a form.

use cfdi::constancia::{self, TaxData};
use kernel::{FieldFault, message};

use crate::{form::Values, parts::Field, texts::Say};

const FIELD: &str = "constancia";
const LINES: u8 = 4;

/// Where it is pasted.
pub(super) fn field(say: Say, values: &Values) -> Field {
    let area = Field::area(FIELD, say.constancia_text(), LINES, values).hint(say.constancia_hint());
    Field::behind(FIELD, say.paste_constancia(), vec![area])
}

/// The form with what a pasted text says of the receiver, or that it says nothing; none where no text is pasted.
pub(super) fn taken(values: &Values) -> Option<Result<Values, FieldFault>> {
    let text = values.filled(FIELD)?;
    let data = constancia::read(text);
    if data == TaxData::default() {
        let problem = message!(
            "has neither RFC, name, postal code nor regime: copy the whole text of the Constancia",
            "no tiene RFC, nombre, código postal ni régimen: copia todo el texto de la constancia"
        );
        return Some(Err(FieldFault::new(FIELD, problem)));
    }
    let found = [
        ("receiver.rfc", data.rfc),
        ("receiver.legalName", data.legal_name),
        ("receiver.taxZip", data.tax_zip),
        ("receiver.taxRegime", data.tax_regime),
    ];
    let found = found.into_iter().filter_map(|(name, text)| Some((name, text?)));
    let values = found.fold(values.clone(), |values, (name, text)| values.replaced(name, &text));
    Some(Ok(values.replaced(FIELD, "")))
}

/// All that is filled in but for the text, as a form is read.
pub(super) fn others(values: &Values) -> Vec<(String, String)> {
    let is_told = |(name, text): &(&str, &str)| *name != FIELD && !text.trim().is_empty();
    let told = values.pairs().filter(is_told);
    told.map(|(name, text)| (name.to_owned(), text.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pasted_takes_the_place_of_what_was_filled_in() {
        let given = [
            ("receiver.rfc", "XAXX010101000"),
            ("receiver.cfdiUse", "G03"),
            (FIELD, "RFC: URE180429TM6\nCódigo Postal: 86991"),
        ];
        let values = taken(&Values::with(&given)).unwrap().unwrap();
        assert_eq!(values.filled("receiver.rfc"), Some("URE180429TM6"));
        assert_eq!(values.filled("receiver.taxZip"), Some("86991"));
        assert_eq!(values.filled("receiver.cfdiUse"), Some("G03"));
        assert_eq!(values.filled(FIELD), None);
        assert!(taken(&Values::with(&[(FIELD, "Hola")])).unwrap().is_err());
        assert!(taken(&Values::with(&[(FIELD, " ")])).is_none());
    }
}
