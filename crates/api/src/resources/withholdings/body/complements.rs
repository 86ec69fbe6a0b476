//! How the API shows what some kinds of withholding state beside their sums.

mod platform;

use cfdi::withholding::{
    Beneficiary, Complements, Distribution, Dividends, ForeignPayment, Interest, NonBeneficiary,
    Origin, Prize, Remainder, ShareSale, TrustLease,
};
use kernel::Amount;
use serde::Serialize;
use utoipa::ToSchema;

use crate::resources::shapes;
use platform::PlatformServicesBody;

/// Complements of a withholding.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WithholdingComplements)]
pub(super) struct ComplementsBody {
    /// Dividends or profits that are distributed (complement Dividendos).
    dividends: Option<DividendsBody>,
    /// Interest that was earned (complement Intereses).
    interest: Option<InterestBody>,
    /// To whom abroad it was paid (complement Pagos a extranjeros).
    foreign_payment: Option<ForeignPaymentBody>,
    /// What a trust earned by leases (complement Arrendamiento en fideicomiso).
    trust_lease: Option<TrustLeaseBody>,
    /// Shares that were sold (complement Enajenación de acciones).
    share_sale: Option<ShareSaleBody>,
    /// A prize that was won (complement Premios).
    prize: Option<PrizeBody>,
    /// Services sold through a platform (complement Plataformas tecnológicas).
    platform_services: Option<PlatformServicesBody>,
}

/// Dividends, or what is left to be distributed.
#[derive(Serialize, ToSchema)]
#[schema(as = Dividends)]
struct DividendsBody {
    /// Dividends or profits that were distributed.
    distribution: Option<DistributionBody>,
    /// What a civil association distributes of its remainder.
    remainder: Option<RemainderBody>,
}

/// Dividends or profits that were distributed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DividendDistribution)]
struct DistributionBody {
    /// What they are paid out of, see GET /invoices/cfdi/tipos-dividendo.
    #[schema(example = "01")]
    kind: String,
    /// Creditable income tax withheld in Mexico.
    #[schema(value_type = shapes::Amount)]
    isr_withheld_in_mexico: Amount,
    /// Creditable income tax withheld abroad.
    #[schema(value_type = shapes::Amount)]
    isr_withheld_abroad: Amount,
    /// Amount withheld abroad from foreign dividends.
    #[schema(value_type = Option<shapes::Amount>)]
    withheld_from_foreign_dividends: Option<Amount>,
    /// Where the company that distributes is from.
    #[schema(value_type = shapes::CompanyOrigin)]
    company: Origin,
    /// Creditable income tax of the company.
    #[schema(value_type = Option<shapes::Amount>)]
    creditable_isr: Option<Amount>,
    /// Taxable income from a Mexican company's dividend.
    #[schema(value_type = Option<shapes::Amount>)]
    national_income: Option<Amount>,
    /// Taxable income from a foreign company's dividend.
    #[schema(value_type = Option<shapes::Amount>)]
    foreign_income: Option<Amount>,
}

/// What a civil association distributes of its remainder.
#[derive(Serialize, ToSchema)]
#[schema(as = DistributedRemainder)]
struct RemainderBody {
    /// The receiver's share, in percent.
    #[schema(value_type = Option<shapes::Amount>)]
    percentage: Option<Amount>,
}

/// Interest that was earned.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InterestEarned)]
struct InterestBody {
    /// Whether the financial system pays it.
    from_financial_system: bool,
    /// Whether it was withdrawn.
    withdrawn: bool,
    /// Whether it is of financial derivatives.
    from_derivatives: bool,
    /// Nominal interest.
    #[schema(value_type = shapes::Amount)]
    nominal: Amount,
    /// Real interest; negative if inflation was higher.
    #[schema(value_type = shapes::Amount)]
    real: Amount,
    /// Loss.
    #[schema(value_type = shapes::Amount)]
    loss: Amount,
}

/// A payment abroad: to the receiver, who benefits, or to somebody else.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ForeignPayment)]
struct ForeignPaymentBody {
    /// Representative in Mexico of the receiver, who benefits.
    beneficiary: Option<BeneficiaryBody>,
    /// Resident abroad who is paid without benefiting.
    non_beneficiary: Option<NonBeneficiaryBody>,
}

/// Representative in Mexico of who benefits from a payment abroad.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PaymentBeneficiary)]
struct BeneficiaryBody {
    /// RFC (Mexican tax ID).
    rfc: String,
    /// CURP.
    curp: String,
    /// Name.
    legal_name: String,
    /// Kind of taxpayer that is paid, see GET /invoices/cfdi/tipos-contribuyente-retencion.
    #[schema(example = "3")]
    payee: String,
    /// What is paid for.
    description: String,
}

/// Resident abroad who is paid without benefiting.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PaymentNonBeneficiary)]
struct NonBeneficiaryBody {
    /// Country of residence, see GET /invoices/cfdi/paises-retencion.
    #[schema(example = "US")]
    tax_residence: String,
    /// Kind of taxpayer that is paid, see GET /invoices/cfdi/tipos-contribuyente-retencion.
    #[schema(example = "3")]
    payee: String,
    /// What is paid for.
    description: String,
}

/// What a trust earned by leases.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TrustLease)]
struct TrustLeaseBody {
    /// Amount that the trustee paid to the lessor.
    #[schema(value_type = shapes::Amount)]
    paid_by_trustee: Amount,
    /// Yield of the trust.
    #[schema(value_type = shapes::Amount)]
    yielded: Amount,
    /// Deductions that correspond to it.
    #[schema(value_type = shapes::Amount)]
    deductions: Amount,
    /// Amount withheld.
    #[schema(value_type = Option<shapes::Amount>)]
    withheld: Option<Amount>,
    /// Fiscal result that a FIBRA distributed.
    #[schema(value_type = Option<shapes::Amount>)]
    distributed_result: Option<Amount>,
    /// Amount of other distributions.
    #[schema(value_type = Option<shapes::Amount>)]
    other_distributions: Option<Amount>,
    /// What the other distributions are.
    other_description: Option<String>,
}

/// Shares or other securities that were sold.
#[derive(Serialize, ToSchema)]
#[schema(as = ShareSale)]
struct ShareSaleBody {
    /// Contract with the broker, in words.
    contract: String,
    /// Gain.
    #[schema(value_type = shapes::Amount)]
    gain: Amount,
    /// Loss.
    #[schema(value_type = shapes::Amount)]
    loss: Amount,
}

/// A prize that was won.
#[derive(Serialize, ToSchema)]
#[schema(as = Prize)]
struct PrizeBody {
    /// State where it is paid, see GET /invoices/cfdi/entidades-federativas.
    #[schema(example = "09")]
    state: String,
    /// Amount paid.
    #[schema(value_type = shapes::Amount)]
    paid: Amount,
    /// Taxed part of it.
    #[schema(value_type = shapes::Amount)]
    taxed: Amount,
    /// Exempt part of it.
    #[schema(value_type = shapes::Amount)]
    exempt: Amount,
}

impl From<Complements> for ComplementsBody {
    fn from(complements: Complements) -> Self {
        Self {
            dividends: complements.dividends.map(DividendsBody::from),
            interest: complements.interest.map(InterestBody::from),
            foreign_payment: complements.foreign_payment.map(ForeignPaymentBody::from),
            trust_lease: complements.trust_lease.map(TrustLeaseBody::from),
            share_sale: complements.share_sale.map(ShareSaleBody::from),
            prize: complements.prize.map(PrizeBody::from),
            platform_services: complements.platform_services.map(PlatformServicesBody::from),
        }
    }
}

impl From<Dividends> for DividendsBody {
    fn from(dividends: Dividends) -> Self {
        let Dividends { distribution, remainder } = dividends;
        let remainder = remainder.map(|Remainder { percentage }| RemainderBody { percentage });
        Self { distribution: distribution.map(DistributionBody::from), remainder }
    }
}

impl From<Distribution> for DistributionBody {
    fn from(distribution: Distribution) -> Self {
        Self {
            kind: distribution.kind,
            isr_withheld_in_mexico: distribution.isr_withheld_in_mexico,
            isr_withheld_abroad: distribution.isr_withheld_abroad,
            withheld_from_foreign_dividends: distribution.withheld_from_foreign_dividends,
            company: distribution.company,
            creditable_isr: distribution.creditable_isr,
            national_income: distribution.national_income,
            foreign_income: distribution.foreign_income,
        }
    }
}

impl From<Interest> for InterestBody {
    fn from(interest: Interest) -> Self {
        let Interest { from_financial_system, withdrawn, from_derivatives, nominal, real, loss } =
            interest;
        Self { from_financial_system, withdrawn, from_derivatives, nominal, real, loss }
    }
}

impl From<ForeignPayment> for ForeignPaymentBody {
    fn from(payment: ForeignPayment) -> Self {
        match payment {
            ForeignPayment::Beneficiary(payment) => {
                let Beneficiary { rfc, curp, legal_name, payee, description } = payment;
                let beneficiary = BeneficiaryBody { rfc, curp, legal_name, payee, description };
                Self { beneficiary: Some(beneficiary), non_beneficiary: None }
            }
            ForeignPayment::NonBeneficiary(payment) => {
                let NonBeneficiary { tax_residence, payee, description } = payment;
                let other = NonBeneficiaryBody { tax_residence, payee, description };
                Self { beneficiary: None, non_beneficiary: Some(other) }
            }
        }
    }
}

impl From<TrustLease> for TrustLeaseBody {
    fn from(lease: TrustLease) -> Self {
        Self {
            paid_by_trustee: lease.paid_by_trustee,
            yielded: lease.yielded,
            deductions: lease.deductions,
            withheld: lease.withheld,
            distributed_result: lease.distributed_result,
            other_distributions: lease.other_distributions,
            other_description: lease.other_description,
        }
    }
}

impl From<ShareSale> for ShareSaleBody {
    fn from(sale: ShareSale) -> Self {
        let ShareSale { contract, gain, loss } = sale;
        Self { contract, gain, loss }
    }
}

impl From<Prize> for PrizeBody {
    fn from(prize: Prize) -> Self {
        let Prize { state, paid, taxed, exempt } = prize;
        Self { state, paid, taxed, exempt }
    }
}
