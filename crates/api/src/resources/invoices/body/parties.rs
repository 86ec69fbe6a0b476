//! How the API shows who issues an invoice and who receives it.

use cfdi::document::{Issuer, Receiver, ThirdParty};
use serde::Serialize;
use utoipa::ToSchema;

/// Who issues an invoice.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceIssuer)]
pub(super) struct InvoiceIssuerBody {
    /// Its RFC.
    rfc: String,
    /// Its name as SAT registered it.
    legal_name: String,
    /// Its tax regime.
    tax_regime: String,
}

/// Whom an invoice is made out to.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Receiver)]
pub(super) struct ReceiverBody {
    /// Its RFC; `XAXX010101000` for the general public, `XEXX010101000` for foreigners.
    rfc: String,
    /// Its name as SAT registered it, in capitals and without the company's form.
    legal_name: String,
    /// The postal code of its tax address.
    tax_zip: String,
    /// Its tax regime, see GET /invoices/cfdi/regimenes-fiscales.
    tax_regime: String,
    /// What it uses the invoice for, see GET /invoices/cfdi/usos-cfdi; what is usual for the type of
    /// document and the regime unless given.
    cfdi_use: String,
    /// The country of residence of a foreigner, see GET /invoices/cfdi/paises.
    tax_residence: Option<String>,
    /// The tax identifier of a foreigner in that country.
    foreign_tax_id: Option<String>,
}

/// On whose behalf something is sold.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ThirdParty)]
pub(super) struct ThirdPartyBody {
    /// Its RFC.
    rfc: String,
    /// Its name as SAT registered it.
    legal_name: String,
    /// Its tax regime.
    tax_regime: String,
    /// The postal code of its tax address.
    tax_zip: String,
}

impl From<Issuer> for InvoiceIssuerBody {
    fn from(issuer: Issuer) -> Self {
        let Issuer { rfc, legal_name, tax_regime } = issuer;
        Self { rfc, legal_name, tax_regime }
    }
}

impl From<Receiver> for ReceiverBody {
    fn from(receiver: Receiver) -> Self {
        Self {
            rfc: receiver.rfc,
            legal_name: receiver.legal_name,
            tax_zip: receiver.tax_zip,
            tax_regime: receiver.tax_regime,
            cfdi_use: receiver.cfdi_use,
            tax_residence: receiver.tax_residence,
            foreign_tax_id: receiver.foreign_tax_id,
        }
    }
}

impl From<ThirdParty> for ThirdPartyBody {
    fn from(party: ThirdParty) -> Self {
        let ThirdParty { rfc, legal_name, tax_regime, tax_zip } = party;
        Self { rfc, legal_name, tax_regime, tax_zip }
    }
}
