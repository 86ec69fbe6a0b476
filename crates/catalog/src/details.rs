//! What else describes a product: its brand, what it was sold at and costs, how it looks, and what it measures.

use std::collections::HashSet;

use kernel::{Amount, Message, message};
use serde::{Deserialize, Serialize};

/// The most characters of a brand.
pub const BRAND_CHARS_MAX: usize = 100;
/// The most characters of what a unit is called.
pub const UNIT_CHARS_MAX: usize = 20;
/// The most images of a product.
pub const IMAGES_MAX: usize = 20;
/// The most characters of the address of an image.
pub const IMAGE_CHARS_MAX: usize = 2_000;
/// The greatest weight, in kilograms.
pub const WEIGHT_MAX: i64 = 100_000;
/// The greatest length, width or height, in centimetres.
pub const SIDE_MAX: i64 = 100_000;

/// Millionths in one.
const MICROS: i64 = 1_000_000;
/// A gram, in millionths of a kilogram; a hundredth of a centimetre is ten of them in millionths.
const GRAM_MICROS: i64 = 1_000;

/// What else describes a product.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ProductDetails {
    pub brand: Option<String>,
    /// What people call a unit of it: kg, m, caja.
    pub unit: Option<String>,
    /// Unit price that it was sold at before, in its currency; shown beside the price.
    pub compare_at_price: Option<Amount>,
    /// What a unit costs, in its currency, where no receipt has said it.
    pub cost: Option<Amount>,
    /// Addresses of its images, the main one first; they are never fetched.
    pub images: Vec<String>,
    /// In kilograms, to the gram.
    pub weight: Option<Amount>,
    pub dimensions: Option<Dimensions>,
}

/// How long, wide and high it is, in centimetres.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Dimensions {
    pub length: Amount,
    pub width: Amount,
    pub height: Amount,
}

/// What to change of it; what is absent stays, and an inner `None` clears.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct DetailsChanges {
    pub brand: Option<Option<String>>,
    /// What people call a unit of it.
    pub unit: Option<Option<String>>,
    /// Unit price that it was sold at before.
    pub compare_at_price: Option<Option<Amount>>,
    /// What a unit costs.
    pub cost: Option<Option<Amount>>,
    /// All of them, the main one first.
    pub images: Option<Vec<String>>,
    /// In kilograms.
    pub weight: Option<Option<Amount>>,
    pub dimensions: Option<Option<Dimensions>>,
}

impl DetailsChanges {
    /// Whether nothing is to be changed.
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        let Self { brand, unit, compare_at_price, cost, images, weight, dimensions } = self;
        let money = compare_at_price.is_none() && cost.is_none();
        let words = brand.is_none() && unit.is_none();
        money && words && images.is_none() && weight.is_none() && dimensions.is_none()
    }

    /// The details with these changes.
    #[must_use]
    pub fn of(self, mut details: ProductDetails) -> ProductDetails {
        let Self { brand, unit, compare_at_price, cost, images, weight, dimensions } = self;
        details.unit = unit.unwrap_or(details.unit);
        details.brand = brand.unwrap_or(details.brand);
        details.compare_at_price = compare_at_price.unwrap_or(details.compare_at_price);
        details.cost = cost.unwrap_or(details.cost);
        details.images = images.unwrap_or(details.images);
        details.weight = weight.unwrap_or(details.weight);
        details.dimensions = dimensions.unwrap_or(details.dimensions);
        details
    }
}

/// Checks a weight in kilograms.
///
/// # Errors
/// A clause that follows the field's name.
pub fn checked_weight(weight: Amount) -> Result<Amount, Message> {
    measured(weight, WEIGHT_MAX, GRAM_MICROS).ok_or_else(|| {
        message!(
            "must be a number of kilograms from 0.001 to {WEIGHT_MAX} with at most 3 decimal places",
            "debe ser un número de kilogramos de 0.001 a {WEIGHT_MAX} con 3 decimales como máximo"
        )
    })
}

/// Checks a length, a width or a height in centimetres.
///
/// # Errors
/// A clause that follows the field's name.
pub fn checked_side(side: Amount) -> Result<Amount, Message> {
    measured(side, SIDE_MAX, 10 * GRAM_MICROS).ok_or_else(|| {
        message!(
            "must be a number of centimetres from 0.01 to {SIDE_MAX} with at most 2 decimal places",
            "debe ser un número de centímetros de 0.01 a {SIDE_MAX} con 2 decimales como máximo"
        )
    })
}

/// A measure of at least one step, in whole steps of so many millionths.
fn measured(measure: Amount, most: i64, step: i64) -> Option<Amount> {
    let micros = measure.micros();
    ((step..=most * MICROS).contains(&micros) && micros % step == 0).then_some(measure)
}

/// Checks the address of an image.
///
/// # Errors
/// A clause that follows the field's name.
pub fn checked_image(url: &str) -> Result<String, Message> {
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let is_plain = !url.chars().any(|c| c.is_control() || c.is_whitespace());
    let has_host = host.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric()));
    if url.chars().count() > IMAGE_CHARS_MAX || !is_plain || !has_host {
        return Err(message!(
            "must be a URL such as \"https://example.com/taza.jpg\" of at most {IMAGE_CHARS_MAX} characters",
            "debe ser una URL como \"https://example.com/taza.jpg\" de {IMAGE_CHARS_MAX} caracteres como máximo"
        ));
    }
    Ok(url.to_owned())
}

/// Checks that no image comes twice, and says which does.
///
/// # Errors
/// The place of the image and a clause that follows its name.
pub fn refuse_repeated_images(images: &[String]) -> Result<(), (usize, Message)> {
    let mut seen = HashSet::new();
    match images.iter().position(|image| !seen.insert(image)) {
        Some(place) => Err((place, message!("is in the list already", "ya está en la lista"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_bounded_and_not_too_fine() {
        for (weight, is_right) in [
            ("0.001", true),
            ("0.35", true),
            ("100000", true),
            ("0", false),
            ("-1", false),
            ("0.0005", false),
            ("100000.001", false),
        ] {
            let checked = checked_weight(Amount::parse(weight).unwrap());
            assert_eq!(checked.is_ok(), is_right, "{weight}");
        }
        for (side, is_right) in [("0.01", true), ("30.5", true), ("0.001", false), ("0", false)] {
            assert_eq!(checked_side(Amount::parse(side).unwrap()).is_ok(), is_right, "{side}");
        }
    }

    #[test]
    fn changes_leave_what_they_do_not_name() {
        let before = ProductDetails {
            brand: Some("Talavera".to_owned()),
            cost: Some(Amount::from_micros(5_000_000)),
            ..ProductDetails::default()
        };
        assert!(DetailsChanges::default().is_nothing());
        assert_eq!(DetailsChanges::default().of(before.clone()), before);
        let changes = DetailsChanges { cost: Some(None), ..DetailsChanges::default() };
        assert!(!changes.is_nothing());
        assert_eq!(changes.of(before.clone()), ProductDetails { cost: None, ..before });
    }

    #[test]
    fn images_are_addresses() {
        assert!(checked_image("https://cdn.example.com/taza%20azul.jpg?w=800").is_ok());
        for wrong in ["", "taza.jpg", "//a.example", "ftp://a.example", "https://", "https://a b"] {
            assert!(checked_image(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_image_comes_once() {
        let images = ["https://a.example/1", "https://a.example/2", "https://a.example/1"];
        let images = images.map(str::to_owned);
        assert!(refuse_repeated_images(&images[..2]).is_ok());
        assert_eq!(refuse_repeated_images(&images).unwrap_err().0, 2);
    }
}
