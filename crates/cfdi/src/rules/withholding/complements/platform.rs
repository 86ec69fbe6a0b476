//! What is sold through a platform (ServiciosPlataformasTecnologicas10.xsd, and the matrix of errors of the complement as
//! far as it is known).

use kernel::Amount;
use time::Date;

use super::{
    super::amounts::{decimals, not_negative, positive},
    GUIDE,
    investments::STATES,
};
use crate::{
    catalogs::withholdings::{periodicities, service_payments, service_subtypes, services, states},
    document::GENERAL_PUBLIC,
    rules::{
        case::Person,
        finding::{At, Findings, Shown},
        items::is_too_many,
        limits::{Limits, written_decimals},
        listed, text,
    },
    tax::Tax,
    withholding::{
        Fee, PlatformService, PlatformServices, Receiver, ServiceTax, WithheldTax, Withholding,
    },
};

const PERIODICITIES: listed::Catalog =
    listed::named("periods of platforms", "periodicidades", "c_Periodicidad");
const PAYMENT_FORMS: listed::Catalog =
    listed::named("payment forms of platforms", "formas de pago", "c_FormaPagoServ");
const SERVICES: listed::Catalog =
    listed::named("services of platforms", "tipos de servicio", "c_TipoDeServ");
const SUBTYPES: listed::Catalog =
    listed::named("subtypes of services", "subtipos de servicio", "c_SubTipoServ");

/// The rates of c_TasaCuota.
const RATES: [Amount; 4] = [
    Amount::from_micros(0),
    Amount::from_micros(80_000),
    Amount::from_micros(160_000),
    Amount::from_micros(500_000),
];

/// How many decimals amounts are written with at least.
const DECIMALS: u32 = 2;
/// How many decimals the rate of a fee has, which is one at most.
const RATE_DECIMALS: u32 = 3;
const ONE: Amount = Amount::from_micros(1_000_000);

pub(super) fn check(
    withholding: &Withholding,
    platform: &PlatformServices,
    at: &At<'_>,
    found: &mut Findings,
) {
    let day = withholding.issued_at.date();
    let code = (platform.periodicity.as_str(), periodicities::find(&platform.periodicity));
    listed::check(code, &PERIODICITIES, day, ("301", &at.field("periodicity")), found);
    let services = at.field("services");
    if platform.services.is_empty() {
        found.add(
            "301",
            &services,
            format_args!("is empty: add what was sold in the period"),
            format_args!("está vacío: agregar lo que se vendió en el periodo"),
        );
    }
    if is_too_many(platform.services.len(), &services, found) {
        return;
    }
    for (index, each) in platform.services.iter().enumerate() {
        service(each, day, &services.index(index), found);
    }
    sums(withholding, at, found);
    if is_of_a_taxpayer(withholding) {
        for (index, tax) in withholding.taxes.iter().enumerate() {
            iva(tax, &At::top("taxes").index(index).field("amount"), found);
        }
    }
}

fn service(service: &PlatformService, day: Date, at: &At<'_>, found: &mut Findings) {
    let form = (service.payment_form.as_str(), service_payments::find(&service.payment_form));
    listed::check(form, &PAYMENT_FORMS, day, ("301", &at.field("paymentForm")), found);
    let kind = (service.kind.as_str(), services::find(&service.kind));
    listed::check(kind, &SERVICES, day, ("301", &at.field("kind")), found);
    if let Some(subtype) = service.subtype.as_deref() {
        let code = (subtype, service_subtypes::find(subtype));
        listed::check(code, &SUBTYPES, day, ("301", &at.field("subtype")), found);
    }
    if let Some(rfc) = service.helper_rfc.as_deref() {
        helper_rfc(rfc, &at.field("helperRfc"), found);
    }
    paid_on(service.paid_on, &at.field("paidOn"), found);
    not_negative("301", service.price, &at.field("price"), found);
    if let Some(each) = &service.tax {
        tax(each, &at.field("tax"), found);
    }
    if let Some(contribution) = &service.contribution {
        let at = at.field("contribution");
        not_negative("301", contribution.amount, &at.field("amount"), found);
        let code = (contribution.state.as_str(), states::find(&contribution.state));
        listed::check(code, &STATES, day, ("301", &at.field("state")), found);
    }
    if let Some(each) = &service.fee {
        fee(each, &at.field("fee"), found);
    }
}

/// The RFC of a natural person (301).
fn helper_rfc(rfc: &str, at: &At<'_>, found: &mut Findings) {
    text::rfc(rfc, at, found);
    if Person::of(rfc) == Some(Person::Legal) {
        let rfc = Shown(rfc);
        found.add(
            "301",
            at,
            format_args!("is {rfc}, of a legal entity, but must be of a natural person"),
            format_args!("es {rfc}, de una persona moral, pero debe ser de una persona física"),
        );
    }
}

/// A day that can be written (tdCFDI `t_Fecha`, 301).
fn paid_on(day: Date, at: &At<'_>, found: &mut Findings) {
    if !(1900..=2099).contains(&day.year()) {
        found.add(
            "301",
            at,
            format_args!("is {day}, which is no day of a payment: correct it"),
            format_args!("es {day}, que no es la fecha de un pago: corregirlo"),
        );
    }
}

/// At a rate of the catalog on a base above zero (301), and about that share of it.
fn tax(tax: &ServiceTax, at: &At<'_>, found: &mut Findings) {
    let ServiceTax { base, rate, amount, .. } = *tax;
    positive(base, &at.field("base"), found);
    not_negative("301", amount, &at.field("amount"), found);
    if !RATES.contains(&rate) {
        found.add(
            "301",
            &at.field("rate"),
            format_args!("is {rate}, but must be 0.16, 0.08, 0 or, of games with bets, 0.5"),
            format_args!("es {rate}, pero debe ser 0.16, 0.08, 0 o, en juegos con apuestas, 0.5"),
        );
        return;
    }
    let limits = Limits::of_tax(base, rate, DECIMALS, written_decimals(amount, DECIMALS));
    if !limits.include(amount) {
        let (least, most) = limits.ends();
        found.add(
            GUIDE,
            &at.field("amount"),
            format_args!(
                "is {amount}, but {base} at {rate} is between {least} and {most}: correct it",
            ),
            format_args!(
                "es {amount}, pero {base} a la tasa {rate} está entre {least} y {most}: corregirlo",
            ),
        );
    }
}

/// A share of three decimals and one at most, of a base above zero (301).
fn fee(fee: &Fee, at: &At<'_>, found: &mut Findings) {
    if let Some(base) = fee.base {
        positive(base, &at.field("base"), found);
    }
    if let Some(rate) = fee.rate {
        let at = at.field("rate");
        positive(rate, &at, found);
        decimals(rate, RATE_DECIMALS, &at, found);
        if rate > ONE {
            found.add(
                "301",
                &at,
                format_args!("is {rate}, but must be 1 at most: write 15 % as 0.15"),
                format_args!("es {rate}, pero debe ser 1 como máximo: escribir 15 % como 0.15"),
            );
        }
    }
    not_negative("301", fee.amount, &at.field("amount"), found);
}

/// Not beyond what is accepted, and no more IVA withheld than was charged, since none of them can be below zero (301).
fn sums(withholding: &Withholding, at: &At<'_>, found: &mut Findings) {
    let Some(totals) = withholding.platform_totals() else { return };
    let (charged, kept) = (totals.iva_charged, totals.iva_withheld);
    if totals.iva_delivered.is_negative() {
        found.add(
            "301",
            &at.field("services"),
            format_args!(
                "have IVA of {charged}, less than the {kept} that was withheld: correct them",
            ),
            format_args!("suman IVA por {charged}, menos que los {kept} retenidos: corregirlos"),
        );
    }
    let most = Amount::MAX;
    let sums = [Some(totals.price), Some(charged), Some(totals.fees), totals.contributions];
    if sums.into_iter().flatten().any(|sum| sum > most) {
        found.add(
            "301",
            &at.field("services"),
            format_args!("add up to more than {most}: check prices, taxes and fees"),
            format_args!("suman más de {most}: revisar precios, impuestos y comisiones"),
        );
    }
}

/// Whether it is withheld from somebody with an RFC of their own.
fn is_of_a_taxpayer(withholding: &Withholding) -> bool {
    match &withholding.receiver {
        Receiver::National(national) => national.rfc != GENERAL_PUBLIC,
        Receiver::Foreign(_) => false,
    }
}

/// Of IVA one half or all of it is withheld, cut to cents (SPT117).
fn iva(tax: &WithheldTax, at: &At<'_>, found: &mut Findings) {
    const CENT: i64 = 10_000;
    let WithheldTax { tax: Some(Tax::Iva), base: Some(base), amount, .. } = *tax else { return };
    let cut = |micros: i64| Amount::from_micros(micros / CENT * CENT);
    let (half, all) = (cut(base.micros() / 2), cut(base.micros()));
    if amount != half && amount != all {
        found.add(
            "SPT117",
            at,
            format_args!(
                "is {amount}, but of an IVA of {base} a platform withholds one half, {half}, or \
                 all, {all}",
            ),
            format_args!(
                "es {amount}, pero de un IVA de {base} la plataforma retiene la mitad, {half}, o \
                 todo, {all}",
            ),
        );
    }
}
