//! Names and texts, with the characters that XML and seals are most easily broken by.

use crate::rng::Rng;

const NOUNS: [&str; 24] = [
    "Café molido",
    "Piñata",
    "Jabón \"Zote\"",
    "Tornillo 1/2'",
    "Niño Jesús",
    "Mole & salsa",
    "Acción <promo>",
    "Güero",
    "Refacción",
    "Lámpara",
    "Té verde",
    "Años 2025/2026",
    "Ropa p/dama",
    "Servicio",
    "Pan",
    "Ñandú",
    "Cable 3×2",
    "50 % de descuento",
    "日本茶",
    "Emoji 🌮",
    "Precio\u{a0}fijo",
    "a=b;c",
    "½ litro",
    "€uro",
];

const NAMES: [&str; 14] = [
    "MUÑOZ & ASOCIADOS",
    "LA CASA D'OR",
    "COMERCIALIZADORA \"EL ÁGUILA\"",
    "GÜEMES",
    "PEÑA NIETO",
    "ABARROTES 3 HERMANOS",
    "ÑANDÚ DEL NORTE",
    "GRUPO A+B",
    "O'FARRILL",
    "DISTRIBUIDORA SÁNCHEZ, HIJOS Y NIETOS",
    "TIENDA #1",
    "CAFÉ <LA PARROQUIA>",
    "INMOBILIARIA @CENTRO",
    "SERVICIOS (MÉXICO)",
];

const LEGENDS: [&str; 3] =
    ["Timbrado en ambiente de prueba", "Leyenda con \"comillas\" & más", "Niño's legend <0>"];

pub(crate) fn description(rng: &mut Rng) -> String {
    let words = rng.weighted(&[(80, 3), (18, 12), (2, 60)]);
    let count = rng.between(1, words);
    let text = (0..count).map(|_| rng.pick(&NOUNS)).collect::<Vec<_>>().join(" ");
    text.chars().take(1_000).collect::<String>().trim_end().to_owned()
}

pub(crate) fn name(rng: &mut Rng) -> String {
    let count = rng.between(1, 4);
    (0..count).map(|_| rng.pick(&NAMES)).collect::<Vec<_>>().join(" ")
}

pub(crate) fn legend(rng: &mut Rng) -> String {
    rng.pick(&LEGENDS).to_owned()
}

/// A number of one's own: of series, folios and products.
pub(crate) fn label(rng: &mut Rng, length_max: i64) -> String {
    let length = rng.between(1, length_max);
    let body = rng.text("ABCDEFGHÑ0123456789-/_.&'\"<>", length);
    body.trim().to_owned()
}
