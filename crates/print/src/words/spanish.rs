//! Numbers of units of a currency in Spanish.

/// What a currency is called, and whether it is feminine.
#[derive(Clone, Copy)]
struct Unit {
    one: &'static str,
    many: &'static str,
    feminine: bool,
}

/// So many units of the currency of that code: `CIEN PESOS`, `UN MILLÓN DE DÓLARES`.
pub(super) fn units(whole: u64, code: &str) -> String {
    let unit = unit_of(code);
    let of = if whole >= 1_000_000 && whole.is_multiple_of(1_000_000) { "DE " } else { "" };
    let noun = if whole == 1 { unit.one } else { unit.many };
    format!("{} {of}{noun}", cardinal(whole, unit.feminine))
}

/// A number before the noun it counts, upper case: `UN`, `VEINTIÚN`, `DOSCIENTAS`.
fn cardinal(number: u64, feminine: bool) -> String {
    const MILLION: u64 = 1_000_000;
    const BILLION: u64 = MILLION * MILLION;
    let mut words = Vec::new();
    match number / BILLION {
        0 => {}
        1 => words.push("UN BILLÓN".to_owned()),
        billions => words.push(format!("{} BILLONES", below_million(billions, false))),
    }
    match number / MILLION % MILLION {
        0 => {}
        1 => words.push("UN MILLÓN".to_owned()),
        millions => words.push(format!("{} MILLONES", below_million(millions, false))),
    }
    match number % MILLION {
        0 => {}
        rest => words.push(below_million(rest, feminine)),
    }
    if words.is_empty() { "CERO".to_owned() } else { words.join(" ") }
}

fn below_million(number: u64, feminine: bool) -> String {
    let (thousands, rest) = (number / 1_000, number % 1_000);
    let mut words = Vec::new();
    match thousands {
        0 => {}
        1 => words.push("MIL".to_owned()),
        _ => words.push(format!("{} MIL", below_thousand(thousands, feminine))),
    }
    if rest > 0 {
        words.push(below_thousand(rest, feminine));
    }
    words.join(" ")
}

fn below_thousand(number: u64, feminine: bool) -> String {
    if number == 100 {
        return "CIEN".to_owned();
    }
    let hundreds = hundreds(number / 100, feminine);
    let rest = below_hundred(number % 100, feminine);
    let words = [hundreds, rest];
    let words: Vec<_> = words.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

fn hundreds(hundreds: u64, feminine: bool) -> String {
    let stem = match hundreds {
        0 => return String::new(),
        1 => return "CIENTO".to_owned(),
        2 => "DOSCIENT",
        3 => "TRESCIENT",
        4 => "CUATROCIENT",
        5 => "QUINIENT",
        6 => "SEISCIENT",
        7 => "SETECIENT",
        8 => "OCHOCIENT",
        _ => "NOVECIENT",
    };
    format!("{stem}{}", if feminine { "AS" } else { "OS" })
}

fn below_hundred(number: u64, feminine: bool) -> String {
    let (tens, ones) = (number / 10, number % 10);
    match (number, tens) {
        (1, _) => if feminine { "UNA" } else { "UN" }.to_owned(),
        (21, _) => if feminine { "VEINTIUNA" } else { "VEINTIÚN" }.to_owned(),
        (0..=29, _) => up_to_twenty_nine(number).to_owned(),
        _ if ones == 0 => tens_name(tens).to_owned(),
        _ => format!("{} Y {}", tens_name(tens), below_hundred(ones, feminine)),
    }
}

fn up_to_twenty_nine(number: u64) -> &'static str {
    const NAMES: [&str; 30] = [
        "",
        "UNO",
        "DOS",
        "TRES",
        "CUATRO",
        "CINCO",
        "SEIS",
        "SIETE",
        "OCHO",
        "NUEVE",
        "DIEZ",
        "ONCE",
        "DOCE",
        "TRECE",
        "CATORCE",
        "QUINCE",
        "DIECISÉIS",
        "DIECISIETE",
        "DIECIOCHO",
        "DIECINUEVE",
        "VEINTE",
        "VEINTIUNO",
        "VEINTIDÓS",
        "VEINTITRÉS",
        "VEINTICUATRO",
        "VEINTICINCO",
        "VEINTISÉIS",
        "VEINTISIETE",
        "VEINTIOCHO",
        "VEINTINUEVE",
    ];
    usize::try_from(number).ok().and_then(|place| NAMES.get(place)).copied().unwrap_or_default()
}

fn tens_name(tens: u64) -> &'static str {
    match tens {
        3 => "TREINTA",
        4 => "CUARENTA",
        5 => "CINCUENTA",
        6 => "SESENTA",
        7 => "SETENTA",
        8 => "OCHENTA",
        _ => "NOVENTA",
    }
}

const fn he(one: &'static str, many: &'static str) -> Unit {
    Unit { one, many, feminine: false }
}

const fn she(one: &'static str, many: &'static str) -> Unit {
    Unit { one, many, feminine: true }
}

/// The nouns of the currencies that Mexican invoices are made out in; any other counts its units.
fn unit_of(code: &str) -> Unit {
    match code {
        "MXN" => he("PESO", "PESOS"),
        "ARS" => he("PESO ARGENTINO", "PESOS ARGENTINOS"),
        "CLP" => he("PESO CHILENO", "PESOS CHILENOS"),
        "COP" => he("PESO COLOMBIANO", "PESOS COLOMBIANOS"),
        "CUP" => he("PESO CUBANO", "PESOS CUBANOS"),
        "DOP" => he("PESO DOMINICANO", "PESOS DOMINICANOS"),
        "UYU" => he("PESO URUGUAYO", "PESOS URUGUAYOS"),
        "USD" => he("DÓLAR", "DÓLARES"),
        "AUD" => he("DÓLAR AUSTRALIANO", "DÓLARES AUSTRALIANOS"),
        "BZD" => he("DÓLAR DE BELICE", "DÓLARES DE BELICE"),
        "CAD" => he("DÓLAR CANADIENSE", "DÓLARES CANADIENSES"),
        "HKD" => he("DÓLAR DE HONG KONG", "DÓLARES DE HONG KONG"),
        "NZD" => he("DÓLAR NEOZELANDÉS", "DÓLARES NEOZELANDESES"),
        "SGD" => he("DÓLAR DE SINGAPUR", "DÓLARES DE SINGAPUR"),
        "EUR" => he("EURO", "EUROS"),
        "BOB" => he("BOLIVIANO", "BOLIVIANOS"),
        "BRL" => he("REAL", "REALES"),
        "CHF" => he("FRANCO SUIZO", "FRANCOS SUIZOS"),
        "CNY" => he("YUAN", "YUANES"),
        "CRC" => he("COLÓN COSTARRICENSE", "COLONES COSTARRICENSES"),
        "GTQ" => he("QUETZAL", "QUETZALES"),
        "HNL" => he("LEMPIRA", "LEMPIRAS"),
        "JPY" => he("YEN", "YENES"),
        "KRW" => he("WON", "WONES"),
        "KWD" => he("DINAR KUWAITÍ", "DINARES KUWAITÍES"),
        "NIO" => he("CÓRDOBA", "CÓRDOBAS"),
        "PAB" => he("BALBOA", "BALBOAS"),
        "PEN" => he("SOL", "SOLES"),
        "PLN" => he("ESLOTI", "ESLOTIS"),
        "PYG" => he("GUARANÍ", "GUARANÍES"),
        "VES" => he("BOLÍVAR", "BOLÍVARES"),
        "ZAR" => he("RAND", "RANDS"),
        "CZK" => she("CORONA CHECA", "CORONAS CHECAS"),
        "DKK" => she("CORONA DANESA", "CORONAS DANESAS"),
        "GBP" => she("LIBRA ESTERLINA", "LIBRAS ESTERLINAS"),
        "INR" => she("RUPIA INDIA", "RUPIAS INDIAS"),
        "NOK" => she("CORONA NORUEGA", "CORONAS NORUEGAS"),
        "SEK" => she("CORONA SUECA", "CORONAS SUECAS"),
        "TRY" => she("LIRA TURCA", "LIRAS TURCAS"),
        _ => she("UNIDAD", "UNIDADES"),
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Amount, Currency, Language};

    use crate::words::in_words;

    fn words(amount: &str, currency: &str) -> String {
        let (amount, currency) =
            (Amount::parse(amount).unwrap(), Currency::parse(currency).unwrap());
        in_words(amount, currency, Language::Spanish)
    }

    #[test]
    fn pesos() {
        for (amount, expected) in [
            ("0", "CERO PESOS 00/100 M.N."),
            ("0.5", "CERO PESOS 50/100 M.N."),
            ("1", "UN PESO 00/100 M.N."),
            ("1.01", "UN PESO 01/100 M.N."),
            ("2", "DOS PESOS 00/100 M.N."),
            ("16", "DIECISÉIS PESOS 00/100 M.N."),
            ("21", "VEINTIÚN PESOS 00/100 M.N."),
            ("22.22", "VEINTIDÓS PESOS 22/100 M.N."),
            ("30", "TREINTA PESOS 00/100 M.N."),
            ("31", "TREINTA Y UN PESOS 00/100 M.N."),
            ("99", "NOVENTA Y NUEVE PESOS 00/100 M.N."),
            ("100", "CIEN PESOS 00/100 M.N."),
            ("101", "CIENTO UN PESOS 00/100 M.N."),
            ("116", "CIENTO DIECISÉIS PESOS 00/100 M.N."),
            ("200", "DOSCIENTOS PESOS 00/100 M.N."),
            ("500", "QUINIENTOS PESOS 00/100 M.N."),
            ("721", "SETECIENTOS VEINTIÚN PESOS 00/100 M.N."),
            ("1000", "MIL PESOS 00/100 M.N."),
            ("1001", "MIL UN PESOS 00/100 M.N."),
            ("1100", "MIL CIEN PESOS 00/100 M.N."),
            ("2000", "DOS MIL PESOS 00/100 M.N."),
            ("21000", "VEINTIÚN MIL PESOS 00/100 M.N."),
            ("31001", "TREINTA Y UN MIL UN PESOS 00/100 M.N."),
            ("100000", "CIEN MIL PESOS 00/100 M.N."),
            ("101000", "CIENTO UN MIL PESOS 00/100 M.N."),
            ("1000000", "UN MILLÓN DE PESOS 00/100 M.N."),
            ("1000001", "UN MILLÓN UN PESOS 00/100 M.N."),
            ("2000000", "DOS MILLONES DE PESOS 00/100 M.N."),
            ("21000000", "VEINTIÚN MILLONES DE PESOS 00/100 M.N."),
            (
                "999999999.99",
                "NOVECIENTOS NOVENTA Y NUEVE MILLONES NOVECIENTOS NOVENTA Y NUEVE MIL \
                 NOVECIENTOS NOVENTA Y NUEVE PESOS 99/100 M.N.",
            ),
            ("1000000000", "MIL MILLONES DE PESOS 00/100 M.N."),
            ("1000000000000", "UN BILLÓN DE PESOS 00/100 M.N."),
            ("-3.4", "MENOS TRES PESOS 40/100 M.N."),
            ("9.995", "DIEZ PESOS 00/100 M.N."),
        ] {
            assert_eq!(words(amount, "MXN"), expected, "{amount}");
        }
    }

    #[test]
    fn other_currencies_have_their_noun_gender_and_fraction() {
        for (amount, currency, expected) in [
            ("1", "USD", "UN DÓLAR 00/100 USD"),
            ("1000000", "USD", "UN MILLÓN DE DÓLARES 00/100 USD"),
            ("31.5", "EUR", "TREINTA Y UN EUROS 50/100 EUR"),
            ("1", "GBP", "UNA LIBRA ESTERLINA 00/100 GBP"),
            ("21", "GBP", "VEINTIUNA LIBRAS ESTERLINAS 00/100 GBP"),
            ("200201", "GBP", "DOSCIENTAS MIL DOSCIENTAS UNA LIBRAS ESTERLINAS 00/100 GBP"),
            ("200000000", "GBP", "DOSCIENTOS MILLONES DE LIBRAS ESTERLINAS 00/100 GBP"),
            ("1500", "JPY", "MIL QUINIENTOS YENES JPY"),
            ("1.234", "KWD", "UN DINAR KUWAITÍ 234/1000 KWD"),
            ("1", "MUR", "UNA UNIDAD 00/100 MUR"),
        ] {
            assert_eq!(words(amount, currency), expected, "{amount}");
        }
    }
}
