//! How the API shows the issuer and the receiver of an invoice.

use cfdi::document::{Issuer, Receiver, ThirdParty};
use serde::Serialize;
use utoipa::ToSchema;

/// Issuer of an invoice or a withholding (emisor).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceIssuer)]
pub(in crate::resources) struct InvoiceIssuerBody {
    /// RFC (Mexican tax ID).
    rfc: String,
    /// Legal name as registered with SAT.
    legal_name: String,
    /// Tax regime code.
    tax_regime: String,
}

/// Receiver of an invoice (receptor).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Receiver)]
pub(super) struct ReceiverBody {
    /// RFC (Mexican tax ID); `XAXX010101000` for the general public, `XEXX010101000` for foreigners.
    rfc: String,
    /// Legal name as registered with SAT, in capitals and without the corporate suffix (régimen societario).
    legal_name: String,
    /// Postal code of the tax address (domicilio fiscal).
    tax_zip: String,
    /// Tax regime code, see GET /invoices/cfdi/regimenes-fiscales.
    tax_regime: String,
    /// CFDI use code, see GET /invoices/cfdi/usos-cfdi; defaults to the usual one for the CFDI type and tax
    /// regime.
    cfdi_use: String,
    /// Country of tax residence of a foreign receiver, see GET /invoices/cfdi/paises.
    tax_residence: Option<String>,
    /// Tax ID of a foreign receiver in that country (NumRegIdTrib).
    foreign_tax_id: Option<String>,
}

/// Third party on whose behalf an item is sold (a cuenta de terceros).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ThirdParty)]
pub(super) struct ThirdPartyBody {
    /// RFC (Mexican tax ID).
    rfc: String,
    /// Legal name as registered with SAT.
    legal_name: String,
    /// Tax regime code.
    tax_regime: String,
    /// Postal code of the tax address (domicilio fiscal).
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
