//! How the API shows what was sold through a platform.

use cfdi::{
    document::day,
    tax::Tax,
    withholding::{Contribution, Fee, PlatformService, PlatformServices, ServiceTax},
};
use kernel::Amount;
use serde::Serialize;
use utoipa::ToSchema;

use crate::resources::shapes;

/// What somebody sold through a platform in a period.
#[derive(Serialize, ToSchema)]
#[schema(as = PlatformServices)]
pub(super) struct PlatformServicesBody {
    /// How often the platform withholds, see GET /invoices/cfdi/periodicidades-retencion.
    #[schema(example = "02")]
    periodicity: String,
    /// Each sale.
    services: Vec<PlatformServiceBody>,
}

/// A sale of goods or services.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PlatformService)]
struct PlatformServiceBody {
    /// How the customer paid, see GET /invoices/cfdi/formas-pago-plataformas.
    #[schema(example = "03")]
    payment_form: String,
    /// What was sold, see GET /invoices/cfdi/servicios-plataformas.
    #[schema(example = "04")]
    kind: String,
    /// Of which sort, see GET /invoices/cfdi/subtipos-servicio-plataformas.
    subtype: Option<String>,
    /// RFC of a third party who helped to provide it.
    helper_rfc: Option<String>,
    /// When the customer paid.
    #[schema(value_type = shapes::Day)]
    paid_on: String,
    /// Price without IVA.
    #[schema(value_type = shapes::Amount)]
    price: Amount,
    /// Tax that was charged on it.
    tax: Option<ServiceTaxBody>,
    /// What the state levies on it.
    contribution: Option<ContributionBody>,
    /// What the platform keeps for its use.
    fee: Option<FeeBody>,
}

/// A tax that was charged on a sale.
#[derive(Serialize, ToSchema)]
#[schema(as = ServiceTax)]
struct ServiceTaxBody {
    /// Tax base.
    #[schema(value_type = shapes::Amount)]
    base: Amount,
    /// Name of the tax.
    #[schema(value_type = String, example = "IVA")]
    tax: Tax,
    /// Rate as a share: 0.16 is 16 %.
    #[schema(value_type = shapes::Amount)]
    rate: Amount,
    /// Amount of the tax.
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
}

/// What a state levies on a sale.
#[derive(Serialize, ToSchema)]
#[schema(as = StateContribution)]
struct ContributionBody {
    /// Amount levied.
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
    /// State that levies it, see GET /invoices/cfdi/entidades-federativas.
    #[schema(example = "23")]
    state: String,
}

/// What the use of a platform costs.
#[derive(Serialize, ToSchema)]
#[schema(as = PlatformFee)]
struct FeeBody {
    /// What it was calculated on.
    #[schema(value_type = Option<shapes::Amount>)]
    base: Option<Amount>,
    /// Its share of that: 0.155 is 15.5 %.
    #[schema(value_type = Option<shapes::Amount>)]
    rate: Option<Amount>,
    /// Amount of the fee.
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
}

impl From<PlatformServices> for PlatformServicesBody {
    fn from(sold: PlatformServices) -> Self {
        let PlatformServices { periodicity, services } = sold;
        let services = services.into_iter().map(PlatformServiceBody::from).collect();
        Self { periodicity, services }
    }
}

impl From<PlatformService> for PlatformServiceBody {
    fn from(service: PlatformService) -> Self {
        let tax = |tax: ServiceTax| {
            let ServiceTax { base, tax, rate, amount } = tax;
            ServiceTaxBody { base, tax, rate, amount }
        };
        let contribution =
            |Contribution { amount, state }: Contribution| ContributionBody { amount, state };
        let fee = |Fee { base, rate, amount }: Fee| FeeBody { base, rate, amount };
        Self {
            payment_form: service.payment_form,
            kind: service.kind,
            subtype: service.subtype,
            helper_rfc: service.helper_rfc,
            paid_on: day::to_text(service.paid_on),
            price: service.price,
            tax: service.tax.map(tax),
            contribution: service.contribution.map(contribution),
            fee: service.fee.map(fee),
        }
    }
}
