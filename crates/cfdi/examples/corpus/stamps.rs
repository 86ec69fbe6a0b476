//! Stamps as a provider makes them.

use cfdi::{
    csd::{Csd, SigningFailed},
    stamp::Stamp,
};
use time::PrimitiveDateTime;

use crate::{rng::Rng, words};

/// A stamp of the fixtures' provider, for a document with that seal.
pub(crate) fn stamp(
    rng: &mut Rng,
    issued_at: PrimitiveDateTime,
    issuer_seal: String,
    provider: &Csd,
) -> Result<Stamp, SigningFailed> {
    let certificate = provider.certificate();
    let mut stamp = Stamp {
        uuid: rng.uuid(),
        stamped_at: issued_at + time::Duration::seconds(rng.between(1, 200_000)),
        provider_rfc: certificate.rfc().to_owned(),
        legend: rng.sometimes(30, words::legend),
        issuer_seal,
        certificate_number: certificate.number().to_owned(),
        seal: String::new(),
    };
    stamp.seal = provider.seal(&stamp.cadena())?;
    Ok(stamp)
}
