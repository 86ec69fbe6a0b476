//! A stamp that an operator brings, because no answer of the provider did.

use cfdi::stamp::{Stamp, StampProblem};
use kernel::Timestamp;

use super::{StampCall, Verdict, settle};
use crate::{
    Invoice, Status,
    provider::ProviderKind,
    settled::{Around, OpenTask, Settled},
};

/// The sealed document that is kept of an invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SealedDocument<'a> {
    /// Its seal.
    pub seal: &'a str,
    /// The sealed XML.
    pub xml: &'a str,
}

/// Why an XML is not taken as the stamp of an invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttachRefusal {
    /// The invoice is not being stamped.
    NotStamping {
        /// Its status.
        status: Status,
    },
    /// There is no stamp in the XML.
    NoStamp(StampProblem),
    /// It is the stamp of other bytes than those that were sealed.
    AnotherDocument {
        /// Its fiscal folio.
        uuid: String,
    },
}

/// Settles an invoice as stamped by the stamp in `xml`. Only the stamp is taken from there: it confirms the seal, and
/// is kept with the very bytes that were sealed.
///
/// # Errors
/// [`AttachRefusal`]; then nothing may be recorded.
pub fn attach(
    invoice: &Invoice,
    xml: &str,
    sealed: SealedDocument<'_>,
    (task, provider): (OpenTask, ProviderKind),
    now: Timestamp,
) -> Result<Settled, AttachRefusal> {
    if invoice.status != Status::Stamping {
        return Err(AttachRefusal::NotStamping { status: invoice.status });
    }
    let stamp = Stamp::read(xml).map_err(AttachRefusal::NoStamp)?;
    let xml = stamp.attached_to(sealed.xml);
    let call = StampCall { task: Some(task), seal: Some(sealed.seal), provider };
    let settled = settle(invoice, &Verdict::Stamped { stamp, xml }, call, &Around::default(), now);
    settled.map_err(|stray| AttachRefusal::AnotherDocument { uuid: stray.uuid })
}
