//! Reading what was sold through a platform.

use cfdi::{
    rules::LINES_MAX,
    tax::Tax,
    withholding::{Contribution, Fee, PlatformService, PlatformServices, ServiceTax},
};
use intake::{
    Check, Fields,
    checks::{object, objects, one_of},
    noun,
};

use super::super::{TAXES, not_negative};
use crate::resources::fiscal::{day, rfc, two_digits};

pub(super) fn read_platform_services(fields: &mut Fields<'_>) -> Option<PlatformServices> {
    let periodicity = two_digits("02").about(
        "How often the platform withholds, see GET /invoices/cfdi/periodicidades-retencion.",
    );
    let periodicity = fields.required("periodicity", periodicity);
    let services =
        objects(noun("a service", "un servicio"), 1..=LINES_MAX, read_service).about("Each sale.");
    let services = fields.required("services", services);
    Some(PlatformServices { periodicity: periodicity?, services: services? })
}

fn read_service(fields: &mut Fields<'_>) -> Option<PlatformService> {
    let form = two_digits("03")
        .about("How the customer paid, see GET /invoices/cfdi/formas-pago-plataformas.");
    let payment_form = fields.required("paymentForm", form);
    let kind =
        two_digits("04").about("What was sold, see GET /invoices/cfdi/servicios-plataformas.");
    let kind = fields.required("kind", kind);
    let subtype = two_digits("01")
        .about("Of which sort, see GET /invoices/cfdi/subtipos-servicio-plataformas.");
    let subtype = fields.optional("subtype", subtype);
    let helper = rfc().about("RFC of a third party who helped to provide it.");
    let helper_rfc = fields.optional("helperRfc", helper);
    let paid_on = fields.required("paidOn", day().about("When the customer paid."));
    let price = fields.required("price", not_negative().about("Price without IVA."));
    let tax = object(noun("a tax", "un impuesto"), read_tax).about("Tax that was charged on it.");
    let tax = fields.optional("tax", tax);
    let contribution = object(noun("a contribution", "una contribución"), read_contribution)
        .about("What the state levies on it, such as a tax on lodging.");
    let contribution = fields.optional("contribution", contribution);
    let fee = object(noun("a fee", "una comisión"), read_fee)
        .about("What the platform keeps for its use.");
    let fee = fields.optional("fee", fee);
    Some(PlatformService {
        payment_form: payment_form?,
        kind: kind?,
        subtype,
        helper_rfc,
        paid_on: paid_on?,
        price: price?,
        tax,
        contribution,
        fee,
    })
}

fn read_tax(fields: &mut Fields<'_>) -> Option<ServiceTax> {
    let base = fields.required("base", not_negative().about("Tax base."));
    let tax = fields.required("tax", one_of(TAXES, Tax::name).about("Name of the tax."));
    let rate = fields.required("rate", not_negative().about("Rate as a share: 0.16 is 16 %."));
    let amount = fields.required("amount", not_negative().about("Amount of the tax."));
    Some(ServiceTax { base: base?, tax: tax?, rate: rate?, amount: amount? })
}

fn read_contribution(fields: &mut Fields<'_>) -> Option<Contribution> {
    let amount = fields.required("amount", not_negative().about("Amount levied."));
    let state = two_digits("23")
        .about("State that levies it, see GET /invoices/cfdi/entidades-federativas.");
    let state = fields.required("state", state);
    Some(Contribution { amount: amount?, state: state? })
}

fn read_fee(fields: &mut Fields<'_>) -> Option<Fee> {
    let base = fields.optional("base", not_negative().about("What it was calculated on."));
    let rate = not_negative().about("Its share of that, of three decimals: 0.155 is 15.5 %.");
    let rate = fields.optional("rate", rate);
    let amount = fields.required("amount", not_negative().about("Amount of the fee."));
    Some(Fee { base, rate, amount: amount? })
}
