//! How often payment providers may send notifications, which come without a key.

use kernel::AccountId;
use payments::ProviderKind;

use governor::clock::DefaultClock;
use intake::noun;

use super::{Limit, MINUTE, TRACKED_MAX, used_up};
use crate::{error::ApiError, network::ClientNetwork};

/// Notifications of one provider to one account, a minute.
const OF_ACCOUNT: u32 = 600;
/// Notifications of one address that are none, a minute.
const FORGED: u32 = 30;

/// The limits of notifications.
pub(crate) struct HookLimits {
    of_account: Limit<(AccountId, ProviderKind)>,
    forged: Limit<ClientNetwork>,
}

impl HookLimits {
    /// With nothing used yet.
    pub(crate) fn new() -> Self {
        Self {
            of_account: Limit::new(OF_ACCOUNT, MINUTE, TRACKED_MAX, DefaultClock::default()),
            forged: Limit::new(FORGED, MINUTE, TRACKED_MAX, DefaultClock::default()),
        }
    }

    /// Counts a notification.
    pub(crate) fn count(&self, account: AccountId, kind: ProviderKind) -> Result<(), ApiError> {
        let unit = noun(
            "a minute of one provider for one account",
            "por minuto de un proveedor para una cuenta",
        );
        let counted = self.of_account.check(&(account, kind));
        counted.map(drop).map_err(|exceeded| used_up(unit, exceeded))
    }

    /// Counts what was none. Others who send from the same address are not kept from it: they may be honest, and a
    /// provider sends for many accounts.
    pub(crate) fn count_forged(&self, client: ClientNetwork) -> Result<(), ApiError> {
        let unit = noun(
            "a minute and client that are no notifications",
            "por minuto y cliente que no son notificaciones",
        );
        let counted = self.forged.check(&client);
        counted.map(drop).map_err(|exceeded| used_up(unit, exceeded))
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    #[test]
    fn accounts_and_addresses_are_counted_apart() {
        let limits = HookLimits::new();
        let account = AccountId::from_u128(1);
        let mut allowed = 0;
        while limits.count(account, ProviderKind::Stripe).is_ok() {
            allowed += 1;
        }
        assert!(allowed >= OF_ACCOUNT);
        assert!(limits.count(account, ProviderKind::Sandbox).is_ok());
        assert!(limits.count(AccountId::from_u128(2), ProviderKind::Stripe).is_ok());
        let client = |last| ClientNetwork::from(IpAddr::V4(Ipv4Addr::new(10, 0, 0, last)));
        while limits.count_forged(client(1)).is_ok() {}
        assert!(limits.count_forged(client(2)).is_ok());
    }
}
