//! What a Constancia de Situación Fiscal says of a taxpayer, read out of its text as people copy it: out of the PDF, out of
//! the page behind its QR code, or out of a mail. Nothing is guessed: what is not found is left to be filled in.

use crate::{
    catalogs::{postal_codes, regimes},
    document::is_generic,
    rules::is_rfc,
};

/// The tax data of a receiver, as far as a text tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaxData {
    /// Tax identifier.
    pub rfc: Option<String>,
    /// Name as registered, without the company's form.
    pub legal_name: Option<String>,
    /// Postal code of the tax address.
    pub tax_zip: Option<String>,
    /// A code of c_RegimenFiscal: the first regime that has not ended and is for that kind of person.
    pub tax_regime: Option<String>,
}

/// The most characters of a text that are looked at; a Constancia has some three thousand.
const CHARS_MAX: usize = 20_000;
/// Characters of the RFC of a company.
const LEGAL_RFC_CHARS: usize = 12;
/// Digits of a postal code.
const ZIP_DIGITS: usize = 5;
/// Characters of a day: `31/03/2009`.
const DAY_CHARS: usize = 10;

const RFC: &[&str] = &["rfc"];
const COMPANY: &[&str] =
    &["denominacion/razon social", "denominacion o razon social", "razon social"];
const GIVEN_NAMES: &[&str] = &["nombre (s)", "nombre(s)", "nombre"];
const FIRST_SURNAME: &[&str] = &["primer apellido", "apellido paterno"];
const SECOND_SURNAME: &[&str] = &["segundo apellido", "apellido materno"];
const ZIP: &[&str] = &["codigo postal", "cp"];
/// What else may stand behind a value on its line.
const OTHERS: &[&str] = &[
    "curp",
    "idcif",
    "nombre comercial",
    "regimen capital",
    "regimen de capital",
    "fecha inicio de operaciones",
    "fecha de inicio de operaciones",
    "estatus en el padron",
    "situacion del contribuyente",
    "fecha de ultimo cambio de estado",
    "fecha de nacimiento",
    "fecha de constitucion",
    "tipo de vialidad",
    "nombre de vialidad",
    "nombre de la vialidad",
    "numero exterior",
    "numero interior",
    "nombre de la colonia",
    "colonia",
    "nombre de la localidad",
    "nombre del municipio o demarcacion territorial",
    "municipio o delegacion",
    "nombre de la entidad federativa",
    "entidad federativa",
    "entre calle",
    "y calle",
    "correo electronico",
];

/// Reads the tax data out of a text.
#[must_use]
pub fn read(text: &str) -> TaxData {
    let lines: Vec<Line> = text.lines().scan(0, bounded).map(Line::of).collect();
    let labelled = value(&lines, RFC).and_then(|value| first_rfc(&value));
    let rfc = labelled.or_else(|| lines.iter().find_map(|line| first_rfc(&line.text())));
    let company = value(&lines, COMPANY);
    let legal_name = company.or_else(|| natural_name(&lines)).map(|name| name.to_uppercase());
    let tax_zip = value(&lines, ZIP).and_then(|value| first_zip(&value));
    let tax_regime = regime(&lines, rfc.as_deref());
    TaxData { rfc, legal_name, tax_zip, tax_regime }
}

/// Lines until so many characters were looked at.
fn bounded<'a>(seen: &mut usize, line: &'a str) -> Option<&'a str> {
    *seen += line.chars().count();
    (*seen <= CHARS_MAX).then_some(line)
}

/// A line as it is, and without capitals and accents, character by character.
struct Line {
    given: Vec<char>,
    plain: Vec<char>,
}

impl Line {
    fn of(text: &str) -> Self {
        let given: Vec<char> =
            text.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect();
        let plain = given.iter().copied().map(plain).collect();
        Self { given, plain }
    }

    fn text(&self) -> String {
        self.given.iter().collect()
    }

    fn plain_text(&self) -> String {
        self.plain.iter().collect()
    }

    /// Where a label ends behind its colon, and where it begins, from a place on.
    fn label(&self, label: &str, from: usize) -> Option<(usize, usize)> {
        let label: Vec<char> = label.chars().collect();
        (from..self.plain.len()).find_map(|start| {
            let is_apart = start == 0 || self.plain.get(start - 1) == Some(&' ');
            let rest = self.plain.get(start..)?.strip_prefix(label.as_slice())?;
            let spaces = rest.iter().take_while(|character| **character == ' ').count();
            let has_colon = rest.get(spaces) == Some(&':');
            (is_apart && has_colon).then_some((start, start + label.len() + spaces + 1))
        })
    }

    /// What stands between a place and the next label.
    fn value_from(&self, from: usize) -> String {
        let labels = [RFC, COMPANY, GIVEN_NAMES, FIRST_SURNAME, SECOND_SURNAME, ZIP, OTHERS];
        let labels = labels.iter().flat_map(|labels| labels.iter());
        let next = labels.filter_map(|label| self.label(label, from)).map(|(start, _)| start).min();
        let until = next.unwrap_or(self.given.len());
        let value: String = self.given.get(from..until).unwrap_or_default().iter().collect();
        value.trim().to_owned()
    }

    /// Whether it has a label of whatever kind.
    fn is_labelled(&self) -> bool {
        self.plain.contains(&':')
    }
}

/// A character without capital and accent; the Ñ stays a letter of its own.
fn plain(character: char) -> char {
    match character {
        'Á' | 'á' => 'a',
        'É' | 'é' => 'e',
        'Í' | 'í' => 'i',
        'Ó' | 'ó' => 'o',
        'Ú' | 'ú' | 'Ü' | 'ü' => 'u',
        other => other.to_lowercase().next().unwrap_or(other),
    }
}

/// What stands behind the first of these labels, on its line or else on the next one.
fn value(lines: &[Line], labels: &[&str]) -> Option<String> {
    labels.iter().find_map(|label| {
        lines.iter().enumerate().find_map(|(place, line)| {
            let (_, end) = line.label(label, 0)?;
            let beside = line.value_from(end);
            if !beside.is_empty() {
                return Some(beside);
            }
            let mut below = lines.iter().skip(place + 1).filter(|line| !line.given.is_empty());
            below.next().filter(|line| !line.is_labelled()).map(Line::text)
        })
    })
}

/// The name of a natural person: given names, then surnames.
fn natural_name(lines: &[Line]) -> Option<String> {
    let given = value(lines, GIVEN_NAMES)?;
    let surnames = [FIRST_SURNAME, SECOND_SURNAME].into_iter().filter_map(|at| value(lines, at));
    Some(std::iter::once(given).chain(surnames).collect::<Vec<_>>().join(" "))
}

/// The first RFC of somebody in a text.
fn first_rfc(text: &str) -> Option<String> {
    let upper = text.to_uppercase();
    let mut words = upper.split(|at: char| !(at.is_alphanumeric() || at == '&'));
    words.find(|word| is_rfc(word) && !is_generic(word)).map(str::to_owned)
}

/// The first postal code of SAT's catalog in a text.
fn first_zip(text: &str) -> Option<String> {
    let mut numbers = text.split(|at: char| !at.is_ascii_digit());
    let number = numbers.find(|number| number.len() == ZIP_DIGITS)?;
    postal_codes::find(number).map(|_| number.to_owned())
}

/// The first regime in the part about regimes that has not ended, of this kind of person if the RFC tells that.
fn regime(lines: &[Line], rfc: Option<&str>) -> Option<String> {
    let is_of_regimes = |line: &String| {
        let is_of_capital = ["regimen capital", "regimen de capital"];
        let is_of_capital = is_of_capital.iter().any(|label| line.starts_with(label));
        (line.starts_with("regimen") && !is_of_capital)
            || line.starts_with("caracteristicas fiscales")
    };
    let texts = lines.iter().map(Line::plain_text).skip_while(|line| !is_of_regimes(line));
    let part = texts.take_while(|line| !line.starts_with("obligaciones"));
    let part = part.collect::<Vec<_>>().join(" ");
    let fits = |row: &regimes::Regime| match rfc.map(|rfc| rfc.chars().count()) {
        Some(LEGAL_RFC_CHARS) => row.legal,
        Some(_) => row.natural,
        None => true,
    };
    let found = regimes::all().iter().filter(|row| fits(row)).filter_map(|row| {
        let name: String = row.name.chars().map(plain).collect();
        let start = part.find(&name)?;
        let rest = part.get(start + name.len()..).unwrap_or_default();
        (!has_ended(rest)).then_some((start, row.code))
    });
    found.min().map(|(_, code)| code.to_owned())
}

/// Whether two days stand behind a regime: that of its beginning, and that of its end.
fn has_ended(rest: &str) -> bool {
    let mut words = rest.split_whitespace().take(2);
    let is_day = |word: &str| {
        word.len() == DAY_CHARS && word.bytes().all(|byte| byte == b'/' || byte.is_ascii_digit())
    };
    words.next().is_some_and(is_day) && words.next().is_some_and(is_day)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPANY_PDF: &str = "\
CÉDULA DE IDENTIFICACIÓN FISCAL
EKU9003173C9
Registro Federal de Contribuyentes
ESCUELA KEMPER URGATE
Nombre, denominación o razón
social
idCIF: 12345678
Lugar y Fecha de Emisión
PACHUCA DE SOTO , HIDALGO A 03 DE AGOSTO DE 2026
Datos de Identificación del Contribuyente:
RFC: EKU9003173C9
Denominación/Razón Social: ESCUELA KEMPER URGATE
Régimen Capital: SOCIEDAD ANONIMA DE CAPITAL VARIABLE
Nombre Comercial: KEMPER
Fecha inicio de operaciones: 31 DE MARZO DE 1990
Datos del domicilio registrado
Código Postal:42501 Tipo de Vialidad: CALLE
Nombre de Vialidad: ARRENDAMIENTO Número Exterior: 10
Actividades Económicas:
1 Escuelas del sector privado 100 31/03/2009
Regímenes:
Régimen Fecha Inicio Fecha Fin
Régimen General de Ley Personas Morales 31/03/2009
Obligaciones:
Descripción de la Obligación Descripción Vencimiento
Entero de retenciones mensuales de ISR por sueldos y salarios e ingresos asimilados a salarios
";

    const PERSON_PDF: &str = "\
RFC: CACX7605101P8\tCURP: CACX760510MDFSHC09
Nombre (s): Xochilt
Primer Apellido: Casas
Segundo Apellido: Chávez
Código Postal: 36257    Tipo de Vialidad: AVENIDA (AV.)
Regímenes:
Régimen Fecha Inicio Fecha Fin
Régimen de Incorporación Fiscal 01/01/2014 31/12/2021
Régimen de las Personas Físicas con Actividades Empresariales y
Profesionales 01/01/2022
Régimen de Arrendamiento 01/01/2023
Obligaciones:
";

    const PERSON_PAGE: &str = "\
El RFC: CACX7605101P8, tiene asociada la siguiente información.
Datos de Identificación
CURP:
CACX760510MDFSHC09
Nombre:
XOCHILT
Apellido Paterno:
CASAS
Apellido Materno:
CHAVEZ
Datos de Ubicación (domicilio fiscal, vigente)
Entidad Federativa:
GUANAJUATO
CP:
36257
Características fiscales (vigente)
Régimen:
Régimen Simplificado de Confianza
Fecha de alta:
01-01-2022
";

    fn data(rfc: &str, name: &str, zip: &str, regime: &str) -> TaxData {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        TaxData {
            rfc: some(rfc),
            legal_name: some(name),
            tax_zip: some(zip),
            tax_regime: some(regime),
        }
    }

    #[test]
    fn a_constancia_is_read_as_people_copy_it() {
        let person = |regime: &str| data("CACX7605101P8", "XOCHILT CASAS CHÁVEZ", "36257", regime);
        for (text, wanted) in [
            (COMPANY_PDF, data("EKU9003173C9", "ESCUELA KEMPER URGATE", "42501", "601")),
            (PERSON_PDF, person("612")),
            (
                PERSON_PAGE,
                TaxData { legal_name: Some("XOCHILT CASAS CHAVEZ".to_owned()), ..person("626") },
            ),
            ("Mi RFC es ure180429tm6, gracias", data("URE180429TM6", "", "", "")),
            (
                "RFC : OÑO120726RX3\r\nRazón Social : ORGANICOS ÑAVEZ OSORIO\r\nC.P. 40501\r\nCP: 40501",
                data("OÑO120726RX3", "ORGANICOS ÑAVEZ OSORIO", "40501", ""),
            ),
            // A natural person is in no regime of companies; a postal code is one that there is.
            (
                "RFC: CACX7605101P8\nCódigo Postal: 00001\nRégimen General de Ley Personas Morales",
                data("CACX7605101P8", "", "", ""),
            ),
            ("Régimen: Sin obligaciones fiscales", data("", "", "", "616")),
            ("RFC: XAXX010101000", TaxData::default()),
            ("Nombre:\nRFC:", TaxData::default()),
            ("", TaxData::default()),
        ] {
            assert_eq!(read(text), wanted, "{text}");
        }
    }

    #[test]
    fn a_text_without_end_is_read_as_far_as_one_is_long() {
        let text = format!("{}RFC: URE180429TM6", "x\n".repeat(CHARS_MAX + 1));
        assert_eq!(read(&text), TaxData::default());
    }

    proptest::proptest! {
        #[test]
        fn whatever_is_pasted_is_read_without_harm(text in "(?s).{0,400}") {
            let data = read(&text);
            proptest::prop_assert!(data.rfc.is_none_or(|rfc| is_rfc(&rfc)));
        }

        #[test]
        fn labels_anywhere_do_no_harm(parts in proptest::collection::vec(
            proptest::sample::select(vec!["RFC", ":", " ", "\n", "Régimen", "CP:", "Nombre", "ñ", "42501"]), 0..40,
        )) {
            let _ = read(&parts.concat());
        }
    }
}
