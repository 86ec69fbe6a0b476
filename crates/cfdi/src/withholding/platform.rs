//! What people sell through a technology platform, which withholds from them: the complement *Servicios de plataformas
//! tecnológicas* (ServiciosPlataformasTecnologicas10.xsd).

use kernel::Amount;
use serde::{Deserialize, Serialize};
use time::Date;

use crate::{decimal, document::day, tax::Tax};

/// What somebody sold through a platform in a period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlatformServices {
    /// How often the platform withholds, a code of c_Periodicidad of withholdings.
    pub periodicity: String,
    /// Each sale.
    pub services: Vec<PlatformService>,
}

/// A sale of goods or services (`DetallesDelServicio`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlatformService {
    /// How the customer paid, a code of c_FormaPagoServ.
    pub payment_form: String,
    /// What was sold, a code of c_TipoDeServ.
    pub kind: String,
    /// Of which sort, a code of c_SubTipoServ.
    pub subtype: Option<String>,
    /// The RFC of who helped with it.
    pub helper_rfc: Option<String>,
    /// When the customer paid.
    #[serde(with = "day")]
    pub paid_on: Date,
    /// Its price without IVA.
    pub price: Amount,
    /// The tax that was charged on it.
    pub tax: Option<ServiceTax>,
    /// What the state levies on it, such as a tax on lodging.
    pub contribution: Option<Contribution>,
    /// What the platform keeps for its use.
    pub fee: Option<Fee>,
}

/// A tax that was charged (`ImpuestosTrasladadosdelServicio`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServiceTax {
    /// What it was reckoned on.
    pub base: Amount,
    /// Which tax.
    pub tax: Tax,
    /// Its share of the base, a rate of c_TasaCuota of the complement.
    pub rate: Amount,
    /// How much it is.
    pub amount: Amount,
}

/// What a state levies (`ContribucionGubernamental`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Contribution {
    /// How much.
    pub amount: Amount,
    /// Which state, a code of c_EntidadesFederativas.
    pub state: String,
}

/// What the use of the platform costs (`ComisionDelServicio`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fee {
    /// What it was reckoned on.
    pub base: Option<Amount>,
    /// Its share of that, of three decimals: 0.15 is 15 %.
    pub rate: Option<Amount>,
    /// How much it is.
    pub amount: Amount,
}

/// The sums that the complement states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlatformTotals {
    /// How many sales.
    pub count: usize,
    /// Their prices (`MonTotServSIVA`).
    pub price: Amount,
    /// The IVA charged on them (`TotalIVATrasladado`).
    pub iva_charged: Amount,
    /// The IVA withheld (`TotalIVARetenido`).
    pub iva_withheld: Amount,
    /// The income tax withheld (`TotalISRRetenido`).
    pub isr_withheld: Amount,
    /// The IVA that the seller got (`DifIVAEntregadoPrestServ`).
    pub iva_delivered: Amount,
    /// What the platform kept for its use (`MonTotalporUsoPlataforma`).
    pub fees: Amount,
    /// What states levied, if any did (`MonTotalContribucionGubernamental`).
    pub contributions: Option<Amount>,
}

impl PlatformServices {
    /// The sums, given what was withheld in the period.
    #[must_use]
    pub fn totals(&self, iva_withheld: Amount, isr_withheld: Amount) -> PlatformTotals {
        let services = || self.services.iter();
        let iva = services().filter_map(|each| each.tax).filter(|tax| tax.tax == Tax::Iva);
        let iva_charged = decimal::sum(iva.map(|tax| tax.amount));
        let contributions = || services().filter_map(|each| each.contribution.as_ref());
        PlatformTotals {
            count: self.services.len(),
            price: decimal::sum(services().map(|each| each.price)),
            iva_charged,
            iva_withheld,
            isr_withheld,
            iva_delivered: decimal::less(iva_charged, iva_withheld),
            fees: decimal::sum(services().filter_map(|each| each.fee).map(|fee| fee.amount)),
            contributions: contributions()
                .next()
                .map(|_| decimal::sum(contributions().map(|each| each.amount))),
        }
    }
}
