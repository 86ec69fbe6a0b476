//! What keeps calls from reaching the inside.
//!
//! A URL that names an address is checked by [`Guard::check`]; the addresses of one that names a host are
//! checked when it is resolved. The connection is made to the addresses that were checked: nobody asks for the
//! name a second time, so an answer that changes in between changes nothing.

use std::{error::Error, fmt, net::SocketAddr, sync::Arc};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use webhooks::{AttemptError, Reach, Target, UrlFault};

use crate::lookup::{self, Lookup};

/// Why a name leads nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It has no address, or nobody could say.
    Unresolved,
    /// One of its addresses may not be called.
    NotPublic,
}

impl Refusal {
    /// What the endpoint's owner is told.
    pub(crate) const fn of_attempt(self) -> AttemptError {
        match self {
            Self::Unresolved => AttemptError::HostUnresolved,
            Self::NotPublic => AttemptError::HostNotPublic,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.of_attempt().fmt(f)
    }
}

impl Error for Refusal {}

/// Checks where calls go; cheap to clone. As a resolver it must be used within a Tokio runtime.
#[derive(Clone)]
pub struct Guard {
    reach: Reach,
    lookup: Arc<Lookup>,
}

impl Guard {
    /// Admits what `reach` does; names are resolved by the system.
    #[must_use]
    pub fn new(reach: Reach) -> Self {
        Self::with_lookup(reach, lookup::system())
    }

    /// The same with another way to resolve names, for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn with_lookup(reach: Reach, lookup: Lookup) -> Self {
        Self { reach, lookup: Arc::new(lookup) }
    }

    /// Checks a URL as far as that goes without resolving its host. One that was kept is checked again: it may
    /// come from a time of other rules, or of another reach.
    ///
    /// # Errors
    /// Why it may not be called.
    pub fn check(&self, url: &str) -> Result<Target, UrlFault> {
        Target::parse(url, self.reach)
    }

    /// Resolves a name to addresses that may all be called.
    ///
    /// # Errors
    /// When there is none, or one of them may not be called.
    pub async fn resolve(&self, name: &str) -> Result<Vec<SocketAddr>, Refusal> {
        let found = (self.lookup)(name).await.map_err(|_| Refusal::Unresolved)?;
        if found.is_empty() {
            return Err(Refusal::Unresolved);
        }
        // A public address among others makes none of them better: a host that gives both is misconfigured,
        // or tries whether the client falls back to the inner one (DNS rebinding).
        if !found.iter().all(|address| self.reach.admits(*address)) {
            return Err(Refusal::NotPublic);
        }
        // Port 0 stands for that of the URL.
        Ok(found.into_iter().map(|address| SocketAddr::new(address, 0)).collect())
    }
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = self.clone();
        Box::pin(async move {
            let addresses = Self::resolve(&guard, name.as_str()).await?;
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    fn guard(reach: Reach, answer: &'static [&'static str]) -> Guard {
        let lookup: Lookup = Box::new(move |_| {
            let found = answer.iter().map(|text| text.parse().unwrap()).collect();
            Box::pin(async move { Ok(found) })
        });
        Guard::with_lookup(reach, lookup)
    }

    #[tokio::test]
    async fn only_names_all_of_whose_addresses_are_admitted_resolve() {
        let public: &[&str] = &["93.184.215.14", "2606:4700:4700::1111"];
        let found = guard(Reach::Public, public).resolve("x.example").await.unwrap();
        assert_eq!(found.len(), 2);
        let cases: &[&[&str]] = &[
            &["127.0.0.1"],
            &["93.184.215.14", "10.0.0.1"],
            &["169.254.169.254", "93.184.215.14"],
            &["93.184.215.14", "::ffff:93.184.215.14"],
            &["0.0.0.0"],
            &["fd00::1"],
        ];
        for answer in cases {
            let refused = guard(Reach::Public, answer).resolve("x.example").await;
            assert_eq!(refused, Err(Refusal::NotPublic), "{answer:?}");
        }
        let local: &[&str] = &["127.0.0.1", "::1"];
        assert!(guard(Reach::Development, local).resolve("x.example").await.is_ok());
        let private: &[&str] = &["127.0.0.1", "192.168.0.1"];
        let refused = guard(Reach::Development, private).resolve("x.example").await;
        assert_eq!(refused, Err(Refusal::NotPublic));
    }

    #[tokio::test]
    async fn a_name_without_an_address_is_unresolved() {
        let refused = guard(Reach::Public, &[]).resolve("x.example").await;
        assert_eq!(refused, Err(Refusal::Unresolved));
        let broken: Lookup = Box::new(|_| Box::pin(async { Err(io::Error::other("no server")) }));
        let refused = Guard::with_lookup(Reach::Public, broken).resolve("x.example").await;
        assert_eq!(refused, Err(Refusal::Unresolved));
    }

    #[tokio::test]
    async fn the_system_resolves_this_machine() {
        let found = Guard::new(Reach::Development).resolve("localhost").await.unwrap();
        assert!(found.iter().all(|address| address.ip().is_loopback()), "{found:?}");
        let refused = Guard::new(Reach::Public).resolve("localhost").await;
        assert_eq!(refused, Err(Refusal::NotPublic));
    }
}
