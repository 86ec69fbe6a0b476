//! The secrets of invoicing, as [`crate::secrets`] sees them.

use diesel::prelude::*;

use super::{certificates, provider, sandbox};
use crate::{
    db::{Db, on},
    schema::{certification_providers as providers, issuer_certificates, sandbox_identity},
    secrets::Secret,
};

/// Every secret with its place and how to replace it.
pub(crate) fn secrets(db: &mut Db, _: Option<&str>) -> QueryResult<Vec<Secret>> {
    let keys: Vec<(String, String, String)> = on!(db, |conn| issuer_certificates::table
        .select((
            issuer_certificates::account_id,
            issuer_certificates::id,
            issuer_certificates::private_key,
        ))
        .load(conn))?;
    let credentials: Vec<(String, Option<String>)> = on!(db, |conn| providers::table
        .select((providers::account_id, providers::credentials))
        .load(conn))?;
    let identity: Vec<String> =
        on!(db, |conn| sandbox_identity::table.select(sandbox_identity::private_key).load(conn))?;
    let keys = keys.into_iter().map(|(account, id, sealed)| Secret {
        place: certificates::place(&account, &id),
        sealed,
        replace: Box::new(move |db, before, after| {
            let row = issuer_certificates::table
                .filter(issuer_certificates::account_id.eq(account))
                .filter(issuer_certificates::id.eq(id))
                .filter(issuer_certificates::private_key.eq(before));
            diesel::update(row).set(issuer_certificates::private_key.eq(after)).execute(db)
        }),
    });
    let credentials = credentials.into_iter().filter_map(|(account, sealed)| {
        Some(Secret {
            place: provider::place(&account),
            sealed: sealed?,
            replace: Box::new(move |db, before, after| {
                let row = providers::table
                    .filter(providers::account_id.eq(account))
                    .filter(providers::credentials.eq(before));
                diesel::update(row).set(providers::credentials.eq(after)).execute(db)
            }),
        })
    });
    let identity = identity.into_iter().map(|sealed| Secret {
        place: sandbox::IDENTITY.to_owned(),
        sealed,
        replace: Box::new(|db, before, after| {
            let row = sandbox_identity::table.filter(sandbox_identity::private_key.eq(before));
            diesel::update(row).set(sandbox_identity::private_key.eq(after)).execute(db)
        }),
    });
    Ok(keys.chain(credentials).chain(identity).collect())
}
