//! Whose request it really is behind proxies.

use std::net::{IpAddr, Ipv6Addr};

use actix_web::HttpRequest;
pub use kernel::network::Network;
pub(crate) use kernel::network::{ClientNetwork, client_address};

const X_FORWARDED_FOR: &str = "x-forwarded-for";
/// Whom a request without a peer address (over a Unix socket) is counted for.
const NO_PEER: IpAddr = IpAddr::V6(Ipv6Addr::UNSPECIFIED);

/// Whose request this one is.
pub(crate) fn client_of(request: &HttpRequest, trusted: &[Network]) -> IpAddr {
    let peer = request.peer_addr().map_or(NO_PEER, |peer| peer.ip());
    let lines = request.headers().get_all(X_FORWARDED_FOR);
    // Not legible is not believed, but it must not vanish either.
    let lines: Vec<_> = lines.map(|line| line.to_str().unwrap_or("illegible")).collect();
    client_address(peer, lines.into_iter(), trusted)
}
