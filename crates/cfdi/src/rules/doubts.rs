//! What SAT does not refuse by its form, and yet is nearly always a mistake.

use super::{
    finding::{At, Findings, Shown},
    parties, text,
};
use crate::document::{Receiver, is_generic};

/// Forms of companies that are also names: SAT registers a few names that end so.
const AMBIGUOUS_FORMS: [&str; 11] =
    ["SAPI", "SAS", "SAB", "SA", "AC", "SC", "IAP", "ABP", "SPR", "S EN C", "S EN NC"];

/// The characters of an RFC in the order in which SAT numbers them for its check digit.
const NUMBERED: &str = "0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ";

pub(super) fn check(receiver: &Receiver, found: &mut Findings) {
    let at = At::top("receiver");
    if is_generic(&receiver.rfc) {
        return;
    }
    if text::is_rfc(&receiver.rfc) && check_digit(&receiver.rfc) != receiver.rfc.chars().last() {
        let rfc = Shown(&receiver.rfc);
        found.add(
            "CFDI40143",
            &at.field("rfc"),
            format_args!(
                "is {rfc}, whose last character does not fit the others: compare it with the \
                 Constancia de Situación Fiscal, it is probably mistyped",
            ),
            format_args!(
                "es {rfc}, cuyo último carácter no corresponde a los demás: compararlo con la \
                 Constancia de Situación Fiscal, es probable que esté mal escrito",
            ),
        );
    }
    let named = (receiver.legal_name.as_str(), receiver.rfc.as_str());
    if let Some(form) = parties::doubtful_form(named.0, named.1, &AMBIGUOUS_FORMS) {
        let name = Shown(named.0);
        found.add(
            "CFDI40145",
            &at.field("legalName"),
            format_args!(
                "is {name}, which has what looks like a corporate suffix: leave out \"{form}\" unless it is \
                 part of the name in the Constancia de Situación Fiscal",
            ),
            format_args!(
                "es {name}, que lleva lo que parece un régimen societario: quitar \"{form}\" salvo que \
                 sea parte del nombre en la Constancia de Situación Fiscal",
            ),
        );
    }
}

/// The check digit that an RFC should have (SAT, annex of the assignment of RFCs): eleven less the weighted sum of the
/// characters modulo eleven, `A` for ten. A company's begins with a space.
fn check_digit(rfc: &str) -> Option<char> {
    let padding = 13usize.checked_sub(rfc.chars().count())?;
    let characters = std::iter::repeat_n(' ', padding).chain(rfc.chars()).take(12);
    let mut sum = 0;
    for (weight, character) in (2..=13).rev().zip(characters) {
        sum += weight * NUMBERED.chars().position(|known| known == character)?;
    }
    match 11 - sum % 11 {
        11 => Some('0'),
        10 => Some('A'),
        digit => char::from_digit(u32::try_from(digit).ok()?, 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::tests::samples::invoice;

    #[test]
    fn registered_rfcs_have_their_check_digit() {
        for rfc in [
            "EKU9003173C9",
            "CACX7605101P8",
            "URE180429TM6",
            "XIQB891116QE4",
            "OÑO120726RX3",
            "H&E951128469",
            "WMT970714R10",
            "SAT970701NN3",
            "IIA040805DZ4",
        ] {
            assert_eq!(check_digit(rfc), rfc.chars().last(), "{rfc}");
        }
        assert_eq!(check_digit("AAA010101AAA"), Some('1'));
        assert_eq!(check_digit("FOAA900101AB1"), Some('A'));
        assert_eq!(check_digit("aaa010101aaa"), None);
    }

    #[test]
    fn a_mistyped_rfc_and_an_ambiguous_name_are_doubted_and_not_refused() {
        let mut document = invoice();
        let doubts = |document: &crate::document::Document| {
            let doubts = crate::rules::doubts(&document.receiver);
            doubts.iter().map(|doubt| format!("{} {}", doubt.code, doubt.field)).collect::<Vec<_>>()
        };
        assert_eq!(doubts(&document), Vec::<String>::new());
        "URE180429TM7".clone_into(&mut document.receiver.rfc);
        "UNIVERSIDAD ROBOTICA SA".clone_into(&mut document.receiver.legal_name);
        "601".clone_into(&mut document.receiver.tax_regime);
        let expected = ["CFDI40143 receiver.rfc", "CFDI40145 receiver.legalName"];
        assert_eq!(doubts(&document), expected);
        let named = [
            "UNIVERSIDAD ROBOTICA, S.A.",
            "UNIVERSIDAD ROBOTICA SA DE CV SOFOM ENR",
            "ROBOTICA A.C.",
        ];
        for name in named {
            name.clone_into(&mut document.receiver.legal_name);
            assert_eq!(doubts(&document), expected, "{name}");
        }
        let now = kernel::Timestamp::parse("2026-08-03T18:00:00Z").unwrap();
        assert_eq!(crate::rules::check(&document, now), []);
    }
}
