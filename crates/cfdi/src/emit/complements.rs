//! What stands below `cfdi:Complemento`, with its schemas.

mod address;
mod carta_porte;
mod donation;
mod electoral;
mod foreign_trade;
mod legends;
mod local_taxes;
mod payments;

use super::Sink;
use crate::{
    complements::{CartaPorte, Donation, Electoral, ForeignTrade, Legend},
    document::Document,
    local_taxes::LocalTax,
    payments::Payment,
};

/// A complement that a document has.
pub(super) enum Complement<'a> {
    Payments(&'a [Payment]),
    LocalTaxes(&'a [LocalTax]),
    Legends(&'a [Legend]),
    Donation(&'a Donation),
    Electoral(&'a Electoral),
    ForeignTrade(&'a ForeignTrade),
    CartaPorte(&'a CartaPorte),
}

/// The schema of a complement.
pub(super) struct Schema {
    /// The attribute that declares its prefix.
    pub(super) declaration: &'static str,
    pub(super) namespace: &'static str,
    pub(super) location: &'static str,
}

/// The complements of a document, in the order in which they are written.
pub(super) fn of(document: &Document) -> Vec<Complement<'_>> {
    let Document { payments, local_taxes, complements, .. } = document;
    let legends = &complements.legends;
    let parts = [
        (!payments.is_empty()).then_some(Complement::Payments(payments)),
        (!local_taxes.is_empty()).then_some(Complement::LocalTaxes(local_taxes)),
        (!legends.is_empty()).then_some(Complement::Legends(legends)),
        complements.donation.as_ref().map(Complement::Donation),
        complements.electoral.as_ref().map(Complement::Electoral),
        complements.foreign_trade.as_deref().map(Complement::ForeignTrade),
        complements.carta_porte.as_deref().map(Complement::CartaPorte),
    ];
    parts.into_iter().flatten().collect()
}

impl Complement<'_> {
    pub(super) const fn schema(&self) -> &'static Schema {
        match self {
            Self::Payments(_) => &payments::SCHEMA,
            Self::LocalTaxes(_) => &local_taxes::SCHEMA,
            Self::Legends(_) => &legends::SCHEMA,
            Self::Donation(_) => &donation::SCHEMA,
            Self::Electoral(_) => &electoral::SCHEMA,
            Self::ForeignTrade(_) => &foreign_trade::SCHEMA,
            Self::CartaPorte(_) => &carta_porte::SCHEMA,
        }
    }

    pub(super) fn walk(&self, sink: &mut impl Sink) {
        match self {
            Self::Payments(payments) => payments::walk(payments, sink),
            Self::LocalTaxes(taxes) => local_taxes::walk(taxes, sink),
            Self::Legends(legends) => legends::walk(legends, sink),
            Self::Donation(donation) => donation::walk(donation, sink),
            Self::Electoral(electoral) => electoral::walk(electoral, sink),
            Self::ForeignTrade(trade) => foreign_trade::walk(trade, sink),
            Self::CartaPorte(carta) => carta_porte::walk(carta, sink),
        }
    }
}
