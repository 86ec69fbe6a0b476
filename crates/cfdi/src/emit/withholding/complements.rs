//! What stands below `retenciones:Complemento`, with its schemas.

use super::{Sink, dividends, foreign_payment, investments, platform_services};
use crate::{
    emit::complements::Schema,
    withholding::{
        Dividends, ForeignPayment, Interest, PlatformServices, PlatformTotals, Prize, ShareSale,
        TrustLease, Withholding,
    },
};

/// A complement that a withholding has.
pub(super) enum Complement<'a> {
    Dividends(&'a Dividends),
    Interest(&'a Interest),
    ForeignPayment(&'a ForeignPayment),
    TrustLease(&'a TrustLease),
    ShareSale(&'a ShareSale),
    Prize(&'a Prize),
    PlatformServices(&'a PlatformServices, PlatformTotals),
}

/// The complements of a withholding, in the order in which they are written.
pub(super) fn of(withholding: &Withholding) -> Vec<Complement<'_>> {
    let complements = &withholding.complements;
    let services = complements.platform_services.as_ref().zip(withholding.platform_totals());
    let parts = [
        complements.dividends.as_ref().map(Complement::Dividends),
        complements.interest.as_ref().map(Complement::Interest),
        complements.foreign_payment.as_ref().map(Complement::ForeignPayment),
        complements.trust_lease.as_ref().map(Complement::TrustLease),
        complements.share_sale.as_ref().map(Complement::ShareSale),
        complements.prize.as_ref().map(Complement::Prize),
        services.map(|(services, totals)| Complement::PlatformServices(services, totals)),
    ];
    parts.into_iter().flatten().collect()
}

impl Complement<'_> {
    pub(super) const fn schema(&self) -> &'static Schema {
        match self {
            Self::Dividends(_) => &dividends::SCHEMA,
            Self::Interest(_) => &investments::INTEREST,
            Self::ForeignPayment(_) => &foreign_payment::SCHEMA,
            Self::TrustLease(_) => &investments::TRUST_LEASE,
            Self::ShareSale(_) => &investments::SHARE_SALE,
            Self::Prize(_) => &investments::PRIZE,
            Self::PlatformServices(..) => &platform_services::SCHEMA,
        }
    }

    pub(super) fn walk(&self, sink: &mut impl Sink) {
        match self {
            Self::Dividends(dividends) => dividends::walk(dividends, sink),
            Self::Interest(interest) => investments::interest(interest, sink),
            Self::ForeignPayment(payment) => foreign_payment::walk(payment, sink),
            Self::TrustLease(lease) => investments::trust_lease(lease, sink),
            Self::ShareSale(sale) => investments::share_sale(sale, sink),
            Self::Prize(prize) => investments::prize(prize, sink),
            Self::PlatformServices(services, totals) => {
                platform_services::walk(services, totals, sink);
            }
        }
    }
}
