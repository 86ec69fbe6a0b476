//! Finding what is sold by a code that was scanned or typed.

use kernel::{
    Amount, Measure, Message,
    scale::{Label, SCALE_CODE_CHARS, ScaleCode, Weighed},
};

use crate::{
    Product, VariantId,
    product::{checked_sku, is_sku},
};

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
        checked_sku(given).map(Self)
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

    /// What it says as a label of a scale, if it is one by these patterns.
    #[must_use]
    pub fn label(&self, patterns: &[ScaleCode]) -> Option<Label> {
        let digits = self.label_digits()?;
        patterns.iter().find_map(|pattern| pattern.read(&digits))
    }

    /// Its digits as a label of a scale would have them; `None` where it cannot be one.
    #[must_use]
    pub fn label_digits(&self) -> Option<String> {
        self.gtins().into_iter().find(|gtin| gtin.len() == SCALE_CODE_CHARS)
    }
}

/// The SKUs that what a label is of may have: the number on it, with the zeros in front and without.
#[must_use]
pub fn label_skus(label: &Label) -> [&str; 2] {
    let plain = label.product.trim_start_matches('0');
    [&label.product, if plain.is_empty() { "0" } else { plain }]
}

/// By what a code matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchedBy {
    /// The SKU of the product or the variant.
    Sku,
    /// Its article number.
    Ean,
    /// Its SKU in the label of a scale.
    ScaleCode,
}

impl MatchedBy {
    /// Every way.
    pub const EVERY: &'static [Self] = &[Self::Sku, Self::Ean, Self::ScaleCode];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sku => "sku",
            Self::Ean => "ean",
            Self::ScaleCode => "scaleCode",
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
    /// How much of it, where the label of a scale says so.
    pub quantity: Option<Measure>,
    /// What that costs, where the label says so instead.
    pub amount: Option<Amount>,
}

/// What of these products a code names: SKUs before article numbers, these before what the code is a label of, each product
/// and variant once.
#[must_use]
pub fn matches(products: &[Product], code: &Code, label: Option<&Label>) -> Vec<Match> {
    let gtins = code.gtins();
    let labelled = label.map(label_skus);
    let (quantity, amount) = match label.map(|label| label.weighed) {
        Some(Weighed::Quantity(quantity)) => (Some(quantity), None),
        Some(Weighed::Amount(amount)) => (None, Some(amount)),
        None => (None, None),
    };
    // Of those that release 0.1 told apart by their spelling, the one that is spelled so is meant.
    let is_spelled_so = products.iter().flat_map(Product::skus).any(|sku| sku == code.as_str());
    let is_its = |sku: &str| match is_spelled_so {
        true => sku == code.as_str(),
        false => is_sku(sku, code.as_str()),
    };
    // No part of a piece is sold by weight.
    let is_sold_so = |product: &Product| {
        quantity.is_none_or(|quantity| quantity.fits(product.quantity_decimals))
    };
    let mut found: Vec<Match> = Vec::new();
    for by in MatchedBy::EVERY {
        for product in products {
            let own = std::iter::once((None, Some(&product.sku), &product.ean));
            let variants = product.variants.iter();
            let variants = variants.map(|it| (Some(it.id), it.sku.as_ref(), &it.ean));
            for (variant, sku, ean) in own.chain(variants) {
                let is_named = match by {
                    MatchedBy::Sku => sku.is_some_and(|sku| is_its(sku)),
                    MatchedBy::Ean => ean
                        .as_ref()
                        .is_some_and(|ean| gtins.iter().any(|gtin| gtin == ean.as_str())),
                    MatchedBy::ScaleCode => {
                        sku.zip(labelled)
                            .is_some_and(|(sku, labelled)| labelled.contains(&sku.as_str()))
                            && is_sold_so(product)
                    }
                };
                let is_new =
                    || found.iter().all(|it| (it.product.id, it.variant) != (product.id, variant));
                if is_named && is_new() {
                    let is_weighed = *by == MatchedBy::ScaleCode;
                    found.push(Match {
                        product: product.clone(),
                        variant,
                        by: *by,
                        quantity: quantity.filter(|_| is_weighed),
                        amount: amount.filter(|_| is_weighed),
                    });
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
        assert_eq!(Code::parse("CAFE\u{301}"), Code::parse("CAF\u{c9}"));
        for wrong in ["", "  ", "a\nb", &"x".repeat(65)] {
            assert!(Code::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn labels_name_what_they_are_of() {
        let patterns = [ScaleCode::parse("20PPPPPWWWWWC").unwrap()];
        let label = |code: &str| Code::parse(code).unwrap().label(&patterns);
        let read = label("2000042003500").unwrap();
        assert_eq!(label_skus(&read), ["00042", "42"]);
        assert_eq!(label("02000042003500"), Some(read), "as a GTIN of 14 digits");
        assert_eq!(label("7501031311309"), None);
        assert_eq!(Code::parse("2000042003500").unwrap().label(&[]), None);
        let nobody = Label { product: "00000".to_owned(), weighed: Weighed::Amount(Amount::ZERO) };
        assert_eq!(label_skus(&nobody), ["00000", "0"]);
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
