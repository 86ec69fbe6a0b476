//! The forms of what SAT knows a taxpayer by.

use kernel::{Message, message};

/// Checks the form of an RFC: three or four letters, a date, and three characters of homoclave (SAT's
/// schema type `t_RFC`). Lower case is raised.
///
/// # Errors
/// A clause that follows the field's name.
pub fn rfc(text: &str) -> Result<String, Message> {
    let upper = text.trim().to_uppercase();
    let chars: Vec<char> = upper.chars().collect();
    let letters = chars.len().saturating_sub(9);
    let (name, rest) = chars.split_at_checked(letters).unwrap_or_default();
    let (date, homoclave) = rest.split_at_checked(6).unwrap_or_default();
    let number = |range: std::ops::Range<usize>| {
        date.get(range).and_then(|digits| digits.iter().collect::<String>().parse::<u32>().ok())
    };
    let well_formed = (3..=4).contains(&letters)
        && name.iter().all(|c| c.is_ascii_uppercase() || matches!(c, '&' | 'Ñ'))
        && date.iter().all(char::is_ascii_digit)
        && number(2..4).is_some_and(|month| (1..=12).contains(&month))
        && number(4..6).is_some_and(|day| (1..=31).contains(&day))
        && homoclave.iter().all(char::is_ascii_alphanumeric);
    if well_formed {
        Ok(upper)
    } else {
        Err(message!(
            "must be an RFC such as \"XAXX010101000\"",
            "debe ser un RFC como \"XAXX010101000\""
        ))
    }
}

/// Checks the form of a Mexican postal code: five digits.
///
/// # Errors
/// A clause that follows the field's name.
pub fn zip(text: &str) -> Result<String, Message> {
    digits(
        text,
        5,
        message!("must be a postal code of 5 digits", "debe ser un código postal de 5 dígitos"),
    )
}

/// Checks the form of a fiscal regime: three digits (c_RegimenFiscal).
///
/// # Errors
/// A clause that follows the field's name.
pub fn regime(text: &str) -> Result<String, Message> {
    digits(
        text,
        3,
        message!(
            "must be a fiscal regime of 3 digits such as \"601\"",
            "debe ser un régimen fiscal de 3 dígitos, como \"601\""
        ),
    )
}

fn digits(text: &str, count: usize, problem: Message) -> Result<String, Message> {
    let well_formed = text.len() == count && text.bytes().all(|b| b.is_ascii_digit());
    if well_formed { Ok(text.to_owned()) } else { Err(problem) }
}

/// Checks the form of a use of the invoice: `G03`, `CP01` (c_UsoCFDI).
///
/// # Errors
/// A clause that follows the field's name.
pub fn cfdi_use(text: &str) -> Result<String, Message> {
    let letters = text.bytes().take_while(u8::is_ascii_uppercase).count();
    let digits = text.bytes().skip(letters).filter(u8::is_ascii_digit).count();
    let well_formed = (1..=2).contains(&letters) && digits == 2 && text.len() == letters + digits;
    if well_formed {
        Ok(text.to_owned())
    } else {
        Err(message!(
            "must be a use of the invoice such as \"G03\"",
            "debe ser un uso de CFDI como \"G03\""
        ))
    }
}

/// Checks the form of a country of residence: three letters (c_Pais). Lower case is raised.
///
/// # Errors
/// A clause that follows the field's name.
pub fn residence(text: &str) -> Result<String, Message> {
    let upper = text.trim().to_ascii_uppercase();
    let well_formed = upper.len() == 3 && upper.bytes().all(|b| b.is_ascii_uppercase());
    if well_formed {
        Ok(upper)
    } else {
        Err(message!(
            "must be a country of 3 letters such as \"USA\"",
            "debe ser un país de 3 letras, como \"USA\""
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn validates_formats() {
        for good in
            ["XAXX010101000", "EKU9003173C9", "XIQB891116QE4", "ñañ010101abc", "A&B010101AB1"]
        {
            assert!(rfc(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "XAXX",
            "XAXX011301000",
            "XAXX010132000",
            "12XX010101000",
            "XAXX0101010000",
            "😀😀😀010101000",
        ] {
            assert!(rfc(bad).is_err(), "{bad}");
        }
        for good in ["USA", " usa "] {
            assert_eq!(residence(good), Ok("USA".to_owned()));
        }
        assert!(["", "US", "U5A", "ESPA", "áéí"].iter().all(|bad| residence(bad).is_err()));
        assert!(cfdi_use("G03").is_ok() && cfdi_use("CP01").is_ok());
        assert!(cfdi_use("3G0").is_err() && cfdi_use("GGG03").is_err() && cfdi_use("").is_err());
        assert!(
            zip("06600").is_ok()
                && zip("6600").is_err()
                && regime("601").is_ok()
                && regime("6O1").is_err()
        );
    }
}
