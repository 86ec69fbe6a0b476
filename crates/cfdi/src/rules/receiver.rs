//! Who receives the document.

use super::{
    case::{Case, PUBLIC_NAME, Person},
    finding::{At, Findings, Shown},
    listed, parties, pattern, text,
};
use crate::{
    catalogs::{countries, regimes, uses},
    document::{DocumentType, FOREIGNER, GENERAL_PUBLIC},
};

/// The regime of those who have no obligations, and of generic RFCs.
const WITHOUT_OBLIGATIONS: &str = "616";

pub(super) fn check(case: &Case<'_>, found: &mut Findings) {
    let at = At::top("receiver");
    text::rfc(&case.document.receiver.rfc, &at.field("rfc"), found);
    legal_name(case, &at.field("legalName"), found);
    tax_zip(case, &at.field("taxZip"), found);
    tax_regime(case, &at.field("taxRegime"), found);
    cfdi_use(case, &at.field("cfdiUse"), found);
    tax_residence(case, &at.field("taxResidence"), found);
    foreign_tax_id(case, &at.field("foreignTaxId"), found);
}

/// As registered (40145), so that of the issuer's RFC is the issuer's own; the general public's only with its RFC (40146), and
/// so written (40130).
fn legal_name(case: &Case<'_>, at: &At<'_>, found: &mut Findings) {
    let receiver = &case.document.receiver;
    let name = receiver.legal_name.as_str();
    parties::name((name, &receiver.rfc), ("CFDI40145", at), found);
    let issuer = &case.document.issuer;
    if !issuer.rfc.is_empty() && receiver.rfc == issuer.rfc && name != issuer.legal_name {
        let (value, own) = (Shown(name), Shown(&issuer.legal_name));
        found.add(
            "CFDI40145",
            at,
            format_args!(
                "is {value}, but the RFC is the issuer's own, which is registered as {own}: set \
                 that name or the customer's RFC",
            ),
            format_args!(
                "es {value}, pero el RFC es el del propio emisor, registrado como {own}: usar ese \
                 nombre o el RFC del cliente",
            ),
        );
    }
    let public = name == PUBLIC_NAME;
    if public && !case.document.is_to_the_public() {
        let rfc = Shown(&receiver.rfc);
        found.add(
            "CFDI40146",
            at,
            format_args!(
                "is {PUBLIC_NAME}, which is only allowed with RFC {GENERAL_PUBLIC}, but the RFC is \
                 {rfc}: set that RFC or the customer's own name",
            ),
            format_args!(
                "es {PUBLIC_NAME}, que solo corresponde al RFC {GENERAL_PUBLIC}, pero el RFC es \
                 {rfc}: usar ese RFC o el nombre del cliente",
            ),
        );
    }
    let meant = || kernel::text::folded(name) == "publico en general";
    if !public && case.document.is_to_the_public() && meant() {
        let value = Shown(name);
        found.add(
            "CFDI40130",
            at,
            format_args!(
                "is {value}, but must be written {PUBLIC_NAME}, in capitals and without accents",
            ),
            format_args!(
                "es {value}, pero debe escribirse {PUBLIC_NAME}, en mayúsculas y sin acentos",
            ),
        );
    }
}

/// In the catalog (40147); the place of issue for generic RFCs (40149).
fn tax_zip(case: &Case<'_>, at: &At<'_>, found: &mut Findings) {
    let zip = case.document.receiver.tax_zip.as_str();
    let place = Shown(&case.document.place_of_issue);
    if case.has_generic_receiver() && zip != case.document.place_of_issue {
        found.add(
            "CFDI40149",
            at,
            format_args!(
                "must be {place}, the place of issue, because the RFC is generic: use that postal \
                 code or the customer's own RFC",
            ),
            format_args!(
                "debe ser {place}, el lugar de expedición, porque el RFC es genérico: usar ese \
                 valor o el RFC del cliente",
            ),
        );
    } else {
        parties::zip(zip, ("CFDI40147", at), found);
    }
}

/// In the catalog (40157), for the kind of person (40158), 616 for generic RFCs (40159).
fn tax_regime(case: &Case<'_>, at: &At<'_>, found: &mut Findings) {
    let receiver = &case.document.receiver;
    let regime = parties::regime(&receiver.tax_regime, case.day(), ("CFDI40157", at), found);
    let Some(regime) = regime else { return };
    let code = regime.code;
    if !case.has_generic_receiver() {
        parties::regime_of_person(regime, &receiver.rfc, ("CFDI40158", at), found);
    } else if code != WITHOUT_OBLIGATIONS {
        found.add(
            "CFDI40159",
            at,
            format_args!(
                "is {code}, but must be {WITHOUT_OBLIGATIONS} (without tax obligations), because \
                 the RFC is generic",
            ),
            format_args!(
                "es {code}, pero debe ser {WITHOUT_OBLIGATIONS} (sin obligaciones fiscales), \
                 porque el RFC es genérico",
            ),
        );
    }
}

/// In the catalog (40160); for the person and regime, CP01 for payments, S01 for generic RFCs (40161).
fn cfdi_use(case: &Case<'_>, at: &At<'_>, found: &mut Findings) {
    let receiver = &case.document.receiver;
    let code = receiver.cfdi_use.as_str();
    let row = uses::find(code);
    let Some(row) = listed::check((code, row), &listed::USES, case.day(), ("CFDI40160", at), found)
    else {
        return;
    };
    if case.document.kind == DocumentType::Payment {
        if code != "CP01" {
            found.add(
                "CFDI40161",
                at,
                format_args!("is {code}, but must be CP01 (payments) in a payment receipt"),
                format_args!("es {code}, pero debe ser CP01 (pagos) en un recibo de pago"),
            );
        }
    } else if ["CP01", "CN01"].contains(&code) {
        found.add(
            "CFDI40161",
            at,
            format_args!(
                "is {code}, which is for payment receipts (CP01) and payroll (CN01): ask the \
                 customer for the CFDI use, or set S01",
            ),
            format_args!(
                "es {code}, que es para recibos de pago (CP01) y de nómina (CN01): pedir al cliente \
                 el uso del CFDI, o indicar S01",
            ),
        );
    } else if case.has_generic_receiver() {
        use_of_anybody(case, code, at, found);
    } else if regimes::find(&receiver.tax_regime).is_some() {
        use_of_regime(row, case, at, found);
    }
}

/// S01; SAT's matrix allows credit notes G02 too.
fn use_of_anybody(case: &Case<'_>, code: &str, at: &At<'_>, found: &mut Findings) {
    let refund = code == "G02" && case.document.kind == DocumentType::Credit;
    if code != "S01" && !refund {
        found.add(
            "CFDI40161",
            at,
            format_args!(
                "is {code}, but must be S01 (without tax effects), because the RFC is generic: use \
                 S01 or the customer's own RFC",
            ),
            format_args!(
                "es {code}, pero debe ser S01 (sin efectos fiscales), porque el RFC es genérico: \
                 usar ese valor o el RFC del cliente",
            ),
        );
    }
}

fn use_of_regime(row: &uses::Use, case: &Case<'_>, at: &At<'_>, found: &mut Findings) {
    let receiver = &case.document.receiver;
    let (code, regime) = (row.code, Shown(&receiver.tax_regime));
    let fits_person = match Person::of(&receiver.rfc) {
        Some(Person::Natural) => row.natural,
        Some(Person::Legal) => row.legal,
        None => true,
    };
    if !fits_person || !row.allows(&receiver.tax_regime) {
        let allowed = row.regimes.join(", ");
        found.add(
            "CFDI40161",
            at,
            format_args!(
                "is {code}, which a receiver in tax regime {regime} cannot use: ask the customer \
                 for another CFDI use, such as S01, or correct the regime ({code} is for \
                 {allowed})",
            ),
            format_args!(
                "es {code}, que no puede usar un receptor del régimen {regime}: pedir al cliente \
                 otro uso, por ejemplo S01, o corregir el régimen ({code} es para {allowed})",
            ),
        );
    }
}

/// Only of foreigners (40151), not Mexico (40152), in the catalog (40150); there with a foreign tax
/// identifier (40153).
fn tax_residence(case: &Case<'_>, at: &At<'_>, found: &mut Findings) {
    let receiver = &case.document.receiver;
    let Some(code) = receiver.tax_residence.as_deref() else {
        if receiver.foreign_tax_id.is_some() && receiver.rfc == FOREIGNER {
            found.add(
                "CFDI40153",
                at,
                format_args!(
                    "is missing: set the country that issued the foreign tax ID, such as USA, or \
                     leave both out",
                ),
                format_args!(
                    "falta: indicar el país al que corresponde el registro tributario en el \
                     extranjero, por ejemplo USA, u omitir ambos",
                ),
            );
        }
        return;
    };
    if receiver.rfc != FOREIGNER {
        foreigners_only(case, "CFDI40151", at, found);
    } else if code == countries::MEXICO {
        found.add(
            "CFDI40152",
            at,
            format_args!(
                "is MEX, but a foreign receiver resides abroad: set that country, or use the \
                 receiver's own RFC if they reside in Mexico",
            ),
            format_args!(
                "es MEX, pero la residencia de un extranjero está fuera de México: indicar ese \
                 país, o usar el RFC si reside en México",
            ),
        );
    } else {
        let row = countries::find(code);
        listed::check((code, row), &listed::COUNTRIES, case.day(), ("CFDI40150", at), found);
    }
}

/// Only of foreigners (40154), with the form of its country (40156).
fn foreign_tax_id(case: &Case<'_>, at: &At<'_>, found: &mut Findings) {
    let receiver = &case.document.receiver;
    let Some(id) = receiver.foreign_tax_id.as_deref() else { return };
    text::check(id, 40, at, found);
    if receiver.rfc != FOREIGNER {
        foreigners_only(case, "CFDI40154", at, found);
        return;
    }
    let country = receiver.tax_residence.as_deref().and_then(countries::find);
    if let Some(country) = country.filter(|country| !country.accepts_tax_id(id)) {
        let (english, spanish) = pattern::in_words(country.tax_id_pattern.unwrap_or_default());
        let (value, country) = (Shown(id), country.code);
        found.add(
            "CFDI40156",
            at,
            format_args!(
                "is {value}, which is not a tax ID of {country}: write its {english}, without \
                 hyphens or spaces",
            ),
            format_args!(
                "es {value}, que no es un número de identidad tributaria de {country}: escribir sus \
                 {spanish}, sin guiones ni espacios",
            ),
        );
    }
}

fn foreigners_only(case: &Case<'_>, code: &'static str, at: &At<'_>, found: &mut Findings) {
    let rfc = Shown(&case.document.receiver.rfc);
    found.add(
        code,
        at,
        format_args!(
            "must be left out, because the RFC is {rfc}: it is only for foreign receivers, with \
             RFC {FOREIGNER}",
        ),
        format_args!(
            "debe omitirse, porque el RFC es {rfc}: solo lo llevan los extranjeros, con el RFC \
             {FOREIGNER}",
        ),
    );
}
