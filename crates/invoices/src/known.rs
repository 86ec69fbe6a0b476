//! What an account has of the things that the fields of a draft name.

use std::collections::HashMap;

use cfdi::{
    catalogs::countries,
    document::{FOREIGNER, Receiver, is_generic},
    tax::TaxRate,
};
use kernel::{Amount, Currency};

use crate::{
    Branch, CustomerId, Holders, Invoice, InvoiceId, Issuer, OrderId, ProductId,
    credit_notes::Credited, provider::ProviderKind, sales::SoldOrder,
};

/// A product as invoices know it.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownProduct {
    /// Its name.
    pub name: String,
    /// Its SKU.
    pub sku: String,
    /// Its price.
    pub price: Amount,
    /// The currency of its price.
    pub currency: Currency,
    /// Whether the price has the taxes inside.
    pub tax_included: bool,
    /// A code of c_ClaveProdServ.
    pub sat_product_key: Option<String>,
    /// A code of c_ClaveUnidad.
    pub sat_unit_key: Option<String>,
    /// What the merchant calls its unit.
    pub unit: Option<String>,
    /// Whether it is sold by weight or length, rather than by the piece.
    pub is_weighed: bool,
    /// Its taxes; none stated when empty.
    pub taxes: Vec<TaxRate>,
}

/// A customer as invoices know it: whatever is known of its tax data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KnownCustomer {
    /// Its RFC.
    pub rfc: Option<String>,
    /// Its registered name.
    pub legal_name: Option<String>,
    /// A code of c_RegimenFiscal.
    pub tax_regime: Option<String>,
    /// The postal code of its tax address.
    pub tax_zip: Option<String>,
    /// A code of c_UsoCFDI.
    pub cfdi_use: Option<String>,
    /// The country of residence of a foreigner, a code of c_Pais.
    pub tax_residence: Option<String>,
    /// The tax identifier of a foreigner (NumRegIdTrib).
    pub foreign_tax_id: Option<String>,
}

impl From<&crm::Customer> for KnownCustomer {
    fn from(customer: &crm::Customer) -> Self {
        Self {
            rfc: customer.rfc.clone(),
            legal_name: customer.legal_name.clone(),
            tax_regime: customer.tax_regime.clone(),
            tax_zip: customer.tax_zip.clone(),
            cfdi_use: customer.cfdi_use.clone(),
            tax_residence: customer.tax_residence.clone(),
            foreign_tax_id: customer.foreign_tax_id.clone(),
        }
    }
}

impl KnownCustomer {
    /// Whether it has no RFC of its own: the public, or somebody abroad.
    #[must_use]
    pub fn is_generic(&self) -> bool {
        self.rfc.as_deref().is_some_and(is_generic)
    }

    /// Whether it resides abroad, as far as its data tell: by the RFC, or by what only such customers have.
    pub(crate) fn is_abroad(&self) -> bool {
        let is_foreign = |country: &str| country != countries::MEXICO;
        match self.rfc.as_deref() {
            Some(rfc) => rfc == FOREIGNER,
            None => {
                self.foreign_tax_id.is_some()
                    || self.tax_residence.as_deref().is_some_and(is_foreign)
            }
        }
    }

    /// Whether it has none of what SAT registers, an RFC, a tax address and a regime.
    pub(crate) fn is_unregistered(&self) -> bool {
        self.is_generic() || self.is_abroad()
    }

    /// What of the data that every receiver states is missing, but for what [follows](Self::receiver).
    pub(crate) fn missing(&self) -> Vec<&'static str> {
        let follows = self.is_unregistered();
        let parts = [
            ("rfc", &self.rfc, false),
            ("legalName", &self.legal_name, false),
            ("taxZip", &self.tax_zip, follows),
            ("taxRegime", &self.tax_regime, follows),
        ];
        let missing = parts.into_iter().filter(|(_, part, follows)| part.is_none() && !follows);
        missing.map(|(name, ..)| name).collect()
    }

    /// The receiver that it is, as far as that is known. Who has no RFC of their own has neither tax address nor regime nor
    /// use, whatever is on record: these follow from [where the document is issued](crate::receivers::completed), and from
    /// [what it is](crate::receivers::use_of).
    pub(crate) fn receiver(&self) -> Receiver {
        let known = |part: &Option<String>| part.clone().unwrap_or_default();
        let own = |part| if self.is_unregistered() { String::new() } else { known(part) };
        Receiver {
            rfc: known(&self.rfc),
            legal_name: known(&self.legal_name),
            tax_zip: own(&self.tax_zip),
            tax_regime: own(&self.tax_regime),
            cfdi_use: own(&self.cfdi_use),
            tax_residence: self.tax_residence.clone(),
            foreign_tax_id: self.foreign_tax_id.clone(),
        }
    }
}

/// What the account has of the things that fields name.
#[derive(Clone, Debug)]
pub struct Known {
    /// [Who issues it](crate::issuer::of_draft).
    pub issuer: Issuer,
    /// All issuers of the account.
    pub issuers: Vec<Issuer>,
    /// Who issued the draft so far, where that is another.
    pub former: Option<Issuer>,
    /// The branch that is named, or else that of the draft, or that [of a new paper](crate::branch::of_paper), which has it
    /// then; none that is deleted.
    pub branch: Option<Branch>,
    /// Who is to stamp; none while a live account has chosen nobody.
    pub provider: Option<ProviderKind>,
    /// The customers named, by the draft or by its orders.
    pub customers: HashMap<CustomerId, KnownCustomer>,
    /// The products named.
    pub products: HashMap<ProductId, KnownProduct>,
    /// The orders named.
    pub orders: HashMap<OrderId, SoldOrder>,
    /// The own invoices that payments name.
    pub paid: HashMap<InvoiceId, Invoice>,
    /// The own invoices that relations name, by fiscal folio.
    pub related: HashMap<String, Invoice>,
    /// What credit notes have taken off those.
    pub credited: HashMap<InvoiceId, Vec<Credited>>,
    /// Who holds the orders named, now and before.
    pub holders: Holders,
}
