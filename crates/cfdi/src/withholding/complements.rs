//! What some kinds of withholding state beside their sums: SAT's complements, all of version 1.0.

mod dividends;
mod foreign_payment;
mod investments;

use serde::{Deserialize, Serialize};

pub use dividends::{Distribution, Dividends, Origin, Remainder};
pub use foreign_payment::{Beneficiary, ForeignPayment, NonBeneficiary};
pub use investments::{Interest, Prize, ShareSale, TrustLease};

use super::PlatformServices;

/// The complements of a withholding, of which its code needs one at most.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Complements {
    /// What a company distributes among its owners.
    pub dividends: Option<Dividends>,
    /// Interest that was earned.
    pub interest: Option<Interest>,
    /// To whom abroad it was paid.
    pub foreign_payment: Option<ForeignPayment>,
    /// What a trust earned by leases.
    pub trust_lease: Option<TrustLease>,
    /// Shares that were sold.
    pub share_sale: Option<ShareSale>,
    /// A prize that was won.
    pub prize: Option<Prize>,
    /// What was sold through a platform.
    pub platform_services: Option<PlatformServices>,
}
