//! Finding what is sold by a code that was scanned or typed.

use kernel::{Message, text};

use crate::{Product, VariantId, product::SKU_CHARS_MAX};

/// The most matches of one code; several products may have the same article number.
pub const MATCHES_MAX: usize = 20;

/// The digits of the longest article number.
const GTIN_DIGITS: usize = 14;

/// A code as it was scanned or typed: a SKU, or an article number in any of its lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code(String);

impl Code {
    /// Reads a code; spaces around it are left out.
    ///
    /// # Errors
    /// A clause that follows the field's name: it is empty, too long or more than a line.
    pub fn parse(given: &str) -> Result<Self, Message> {
        text::line(given, SKU_CHARS_MAX).map(Self)
    }

    /// The code itself, as a SKU.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Every way to write the article number that it is: scanners add zeros in front and leave them out, as a UPC-A is
    /// an EAN-13 that begins with 0 (GS1 General Specifications, §3.2). None where it is no such number.
    #[must_use]
    pub fn gtins(&self) -> Vec<String> {
        let is_number = self.0.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number || !(8..=GTIN_DIGITS).contains(&self.0.len()) {
            return Vec::new();
        }
        let number = self.0.trim_start_matches('0');
        let lengths = [8, 12, 13, GTIN_DIGITS].into_iter();
        lengths
            .filter(|length| number.len() <= *length)
            .map(|length| format!("{number:0>length$}"))
            .collect()
    }
}

/// By what a code matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchedBy {
    /// The SKU of the product or the variant.
    Sku,
    /// Its article number.
    Ean,
}

impl MatchedBy {
    /// Every way.
    pub const EVERY: &'static [Self] = &[Self::Sku, Self::Ean];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sku => "sku",
            Self::Ean => "ean",
        }
    }
}

/// Something that a code names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The product.
    pub product: Product,
    /// The variant of it, unless it is the product itself.
    pub variant: Option<VariantId>,
    /// By what.
    pub by: MatchedBy,
}

/// What of these products a code names: SKUs before article numbers, each product and variant once.
#[must_use]
pub fn matches(products: &[Product], code: &Code) -> Vec<Match> {
    let gtins = code.gtins();
    let mut found: Vec<Match> = Vec::new();
    for by in MatchedBy::EVERY {
        for product in products {
            let own = std::iter::once((None, Some(&product.sku), &product.ean));
            let variants = product.variants.iter();
            let variants = variants.map(|it| (Some(it.id), it.sku.as_ref(), &it.ean));
            for (variant, sku, ean) in own.chain(variants) {
                let is_named = match by {
                    MatchedBy::Sku => sku.is_some_and(|sku| sku == code.as_str()),
                    MatchedBy::Ean => ean
                        .as_ref()
                        .is_some_and(|ean| gtins.iter().any(|gtin| gtin == ean.as_str())),
                };
                let is_new =
                    || found.iter().all(|it| (it.product.id, it.variant) != (product.id, variant));
                if is_named && is_new() {
                    found.push(Match { product: product.clone(), variant, by: *by });
                }
            }
        }
    }
    found.truncate(MATCHES_MAX);
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Ean;

    fn gtins(code: &str) -> Vec<String> {
        Code::parse(code).unwrap().gtins()
    }

    #[test]
    fn an_article_number_is_the_same_in_all_its_lengths() {
        let upc = ["036000291452", "0036000291452", "00036000291452"];
        for code in upc {
            assert_eq!(gtins(code), upc, "{code}");
        }
        assert_eq!(
            gtins("96385074"),
            ["96385074", "000096385074", "0000096385074", "00000096385074"]
        );
        assert_eq!(gtins("10614141000415"), ["10614141000415"]);
        for code in ["TAZA-01", "1234567", "123456789012345", "٩٦٣٨٥٠٧٤"] {
            assert!(gtins(code).is_empty(), "{code}");
        }
    }

    #[test]
    fn codes_are_lines() {
        assert_eq!(Code::parse(" TAZA-01\r\n").unwrap().as_str(), "TAZA-01");
        for wrong in ["", "  ", "a\nb", &"x".repeat(65)] {
            assert!(Code::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn zeros_in_front_change_nothing(number in 1_000_000u64..9_999_999) {
            let digits: Vec<u64> = number.to_string().bytes().map(|b| u64::from(b - b'0')).collect();
            let sum: u64 = digits.iter().rev().zip([3, 1].iter().cycle()).map(|(d, w)| d * w).sum();
            let ean = format!("{number}{}", (10 - sum % 10) % 10);
            prop_assert!(Ean::parse(&ean).is_ok());
            for length in [8, 12, 13, 14] {
                prop_assert_eq!(gtins(&format!("{ean:0>length$}")), gtins(&ean));
            }
        }
    }
}
