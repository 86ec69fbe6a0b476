//! What some kinds of withholding state beside their sums.

use cfdi::{
    tax::Tax,
    withholding::{
        Beneficiary, Complements, Contribution, Distribution, Dividends, Fee, ForeignPayment,
        Interest, NonBeneficiary, Origin, PlatformService, PlatformServices, Prize, Remainder,
        ServiceTax, ShareSale, TrustLease,
    },
};
use kernel::Amount;
use serde::{Deserialize, Serialize};
use time::Date;

use super::{
    complements::DayForm,
    document::TaxForm,
    forms::{Each, Form, Maybe, forms},
};

forms!(
    BeneficiaryForm of Beneficiary,
    ContributionForm of Contribution,
    DistributionForm of Distribution,
    DividendsForm of Dividends,
    FeeForm of Fee,
    ForeignPaymentForm of ForeignPayment,
    InterestForm of Interest,
    NonBeneficiaryForm of NonBeneficiary,
    PlatformServiceForm of PlatformService,
    PlatformServicesForm of PlatformServices,
    PrizeForm of Prize,
    RemainderForm of Remainder,
    ServiceTaxForm of ServiceTax,
    ShareSaleForm of ShareSale,
    TrustLeaseForm of TrustLease,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Complements", rename_all = "camelCase", default = "Complements::default")]
pub(super) struct ComplementsForm {
    #[serde(skip_serializing_if = "Option::is_none", with = "Maybe::<DividendsForm>")]
    dividends: Option<Dividends>,
    #[serde(skip_serializing_if = "Option::is_none", with = "Maybe::<InterestForm>")]
    interest: Option<Interest>,
    #[serde(skip_serializing_if = "Option::is_none", with = "Maybe::<ForeignPaymentForm>")]
    foreign_payment: Option<ForeignPayment>,
    #[serde(skip_serializing_if = "Option::is_none", with = "Maybe::<TrustLeaseForm>")]
    trust_lease: Option<TrustLease>,
    #[serde(skip_serializing_if = "Option::is_none", with = "Maybe::<ShareSaleForm>")]
    share_sale: Option<ShareSale>,
    #[serde(skip_serializing_if = "Option::is_none", with = "Maybe::<PrizeForm>")]
    prize: Option<Prize>,
    #[serde(skip_serializing_if = "Option::is_none", with = "Maybe::<PlatformServicesForm>")]
    platform_services: Option<PlatformServices>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Dividends", rename_all = "camelCase")]
struct DividendsForm {
    #[serde(default, with = "Maybe::<DistributionForm>")]
    distribution: Option<Distribution>,
    #[serde(default, with = "Maybe::<RemainderForm>")]
    remainder: Option<Remainder>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Distribution", rename_all = "camelCase")]
struct DistributionForm {
    kind: String,
    isr_withheld_in_mexico: Amount,
    isr_withheld_abroad: Amount,
    withheld_from_foreign_dividends: Option<Amount>,
    #[serde(with = "OriginForm")]
    company: Origin,
    creditable_isr: Option<Amount>,
    national_income: Option<Amount>,
    foreign_income: Option<Amount>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Origin", rename_all = "snake_case")]
enum OriginForm {
    National,
    Foreign,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Remainder", rename_all = "camelCase")]
struct RemainderForm {
    percentage: Option<Amount>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Interest", rename_all = "camelCase")]
struct InterestForm {
    from_financial_system: bool,
    withdrawn: bool,
    from_derivatives: bool,
    nominal: Amount,
    real: Amount,
    loss: Amount,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ForeignPayment", rename_all = "camelCase")]
enum ForeignPaymentForm {
    Beneficiary(#[serde(with = "BeneficiaryForm")] Beneficiary),
    NonBeneficiary(#[serde(with = "NonBeneficiaryForm")] NonBeneficiary),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Beneficiary", rename_all = "camelCase")]
struct BeneficiaryForm {
    rfc: String,
    curp: String,
    legal_name: String,
    payee: String,
    description: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "NonBeneficiary", rename_all = "camelCase")]
struct NonBeneficiaryForm {
    tax_residence: String,
    payee: String,
    description: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "TrustLease", rename_all = "camelCase")]
struct TrustLeaseForm {
    paid_by_trustee: Amount,
    yielded: Amount,
    deductions: Amount,
    withheld: Option<Amount>,
    distributed_result: Option<Amount>,
    other_distributions: Option<Amount>,
    other_description: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ShareSale", rename_all = "camelCase")]
struct ShareSaleForm {
    contract: String,
    gain: Amount,
    loss: Amount,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Prize", rename_all = "camelCase")]
struct PrizeForm {
    state: String,
    paid: Amount,
    taxed: Amount,
    exempt: Amount,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "PlatformServices", rename_all = "camelCase")]
struct PlatformServicesForm {
    periodicity: String,
    #[serde(with = "Each::<PlatformServiceForm>")]
    services: Vec<PlatformService>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "PlatformService", rename_all = "camelCase")]
struct PlatformServiceForm {
    payment_form: String,
    kind: String,
    subtype: Option<String>,
    helper_rfc: Option<String>,
    #[serde(with = "DayForm")]
    paid_on: Date,
    price: Amount,
    #[serde(default, with = "Maybe::<ServiceTaxForm>")]
    tax: Option<ServiceTax>,
    #[serde(default, with = "Maybe::<ContributionForm>")]
    contribution: Option<Contribution>,
    #[serde(default, with = "Maybe::<FeeForm>")]
    fee: Option<Fee>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ServiceTax", rename_all = "camelCase")]
struct ServiceTaxForm {
    base: Amount,
    #[serde(with = "TaxForm")]
    tax: Tax,
    rate: Amount,
    amount: Amount,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Contribution", rename_all = "camelCase")]
struct ContributionForm {
    amount: Amount,
    state: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Fee", rename_all = "camelCase")]
struct FeeForm {
    base: Option<Amount>,
    rate: Option<Amount>,
    amount: Amount,
}
