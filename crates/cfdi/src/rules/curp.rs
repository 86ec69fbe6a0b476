//! The population registry code (CURP) of natural persons (tdCFDI `t_CURP`).

use super::finding::{At, Findings, Shown};

/// The codes of the states where people are born, `NE` abroad.
const STATES: [&str; 33] = [
    "AS", "BC", "BS", "CC", "CH", "CL", "CM", "CS", "DF", "DG", "GR", "GT", "HG", "JC", "MC", "MN",
    "MS", "NE", "NL", "NT", "OC", "PL", "QR", "QT", "SL", "SP", "SR", "TC", "TL", "TS", "VZ", "YN",
    "ZS",
];

/// Checks the form of one (301).
pub(super) fn check(curp: &str, at: &At<'_>, found: &mut Findings) {
    if !is_curp(curp) {
        let value = Shown(curp);
        found.add(
            "301",
            at,
            format_args!("is {value}, which is not a CURP: copy its 18 characters, in capitals"),
            format_args!("es {value}, que no es una CURP: copiar sus 18 caracteres, en mayúsculas"),
        );
    }
}

/// Whether it has the form of one: four letters of the name, the date of birth, sex, state, three consonants of the
/// name and two characters to tell people apart.
fn is_curp(text: &str) -> bool {
    let letter = |byte: &u8| byte.is_ascii_uppercase();
    let consonant = |byte: &u8| letter(byte) && !b"AEIOU".contains(byte);
    let [first, vowel, third, fourth, date @ .., s1, s2, c1, c2, c3, last, check] = text.as_bytes()
    else {
        return false;
    };
    let [y1, y2, m1, m2, d1, d2, sex] = date else { return false };
    let state = [*s1, *s2];
    [first, third, fourth].into_iter().all(letter)
        && b"AEIOUX".contains(vowel)
        && [y1, y2].into_iter().all(u8::is_ascii_digit)
        && is_between([*m1, *m2], 12)
        && is_between([*d1, *d2], 31)
        && b"MHX".contains(sex)
        && STATES.iter().any(|known| known.as_bytes() == state)
        && [c1, c2, c3].into_iter().all(consonant)
        && (letter(last) || last.is_ascii_digit())
        && check.is_ascii_digit()
}

/// Whether two digits are a number from 1 to `last`.
fn is_between(digits: [u8; 2], last: u8) -> bool {
    digits.iter().all(u8::is_ascii_digit)
        && std::str::from_utf8(&digits)
            .ok()
            .and_then(|text| text.parse::<u8>().ok())
            .is_some_and(|number| (1..=last).contains(&number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_told_from_others() {
        for good in ["CACX760510MGTSHC04", "XEXX010101HNEXXXA4", "BXMC991231XDFBNN09"] {
            assert!(is_curp(good), "{good}");
        }
        for bad in [
            "",
            "CACX760510MGTSHC0",
            "CACX760510MGTSHC040",
            "CBCX760510MGTSHC04",
            "CACX761310MGTSHC04",
            "CACX760532MGTSHC04",
            "CACX760500MGTSHC04",
            "CACX760510FGTSHC04",
            "CACX760510MXXSHC04",
            "CACX760510MGTSAC04",
            "CACX760510MGTSHC0A",
            "cacx760510mgtshc04",
            "ÑACX760510MGTSHC0",
        ] {
            assert!(!is_curp(bad), "{bad}");
        }
        assert!(STATES.is_sorted());
    }
}
