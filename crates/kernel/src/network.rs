//! Networks of addresses, and whose request it really is behind proxies.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
    str::FromStr,
};

/// An address or a block of addresses: `10.0.0.1`, `10.0.0.0/8`, `2001:db8::/32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

impl Network {
    /// Whether `address` lies in it; an IPv4 address mapped into IPv6 counts as the IPv4 address.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        let same = |a: u128, b: u128, bits: u32| {
            let shift = bits - u32::from(self.prefix);
            a.checked_shr(shift).unwrap_or(0) == b.checked_shr(shift).unwrap_or(0)
        };
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                same(own.to_bits().into(), other.to_bits().into(), 32)
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => same(own.to_bits(), other.to_bits(), 128),
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = String;

    /// Reads an address with or without the length of a prefix.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("{text:?} is neither an IP address nor a network such as 10.0.0.0/8");
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let bits = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            Some(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => {
                digits.parse().map_err(|_| wrong())?
            }
            Some(_) => return Err(wrong()),
            None => bits,
        };
        if prefix <= bits { Ok(Self { address, prefix }) } else { Err(wrong()) }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

/// Whose request it is: the peer's, or, when the peer is a trusted proxy, that of the nearest address in
/// `X-Forwarded-For` that is none. Only what trusted proxies wrote is ever read, so nobody can name another
/// as the culprit; what they cannot have written makes the peer answerable.
#[must_use]
pub fn client_address<'a>(
    peer: IpAddr,
    forwarded_for: impl DoubleEndedIterator<Item = &'a str>,
    trusted: &[Network],
) -> IpAddr {
    let is_trusted = |address| trusted.iter().any(|network| network.contains(address));
    if !is_trusted(peer) {
        return peer;
    }
    let mut nearest = peer;
    for hop in forwarded_for.rev().flat_map(|line| line.rsplit(',')) {
        let Ok(address) = hop.trim().parse::<IpAddr>() else { return peer };
        nearest = address;
        if !is_trusted(address) {
            break;
        }
    }
    nearest
}

/// What a limit per client counts as one: an IPv4 address, or an IPv6 /64, which is what one customer of
/// an access provider holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientNetwork(u128);

impl From<IpAddr> for ClientNetwork {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(v4) => Self(v4.to_ipv6_mapped().to_bits()),
            IpAddr::V6(v6) => Self(v6.to_bits() & !u128::from(u64::MAX)),
        }
    }
}

impl fmt::Display for ClientNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Ipv6Addr::from_bits(self.0).to_canonical())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn networks_contain_their_addresses() {
        let cases = [
            ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true),
            ("10.1.2.3", "10.1.2.3", true),
            ("10.1.2.3", "10.1.2.4", false),
            ("0.0.0.0/0", "203.0.113.9", true),
            ("0.0.0.0/0", "2001:db8::1", false),
            ("2001:db8::/32", "2001:db8:ffff::1", true),
            ("::/0", "2001:db8::1", true),
        ];
        for (network, address, inside) in cases {
            let network: Network = network.parse().unwrap();
            assert_eq!(network.contains(ip(address)), inside, "{network} {address}");
        }
        for wrong in ["", "10.0.0", "10.0.0.0/33", "10.0.0.0/+8", "10.0.0.0/", "::/129", "a/8"] {
            assert!(wrong.parse::<Network>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        let trusted: Vec<Network> = vec!["10.0.0.0/8".parse().unwrap()];
        let cases: &[(&str, &[&str], &str)] = &[
            ("203.0.113.1", &["198.51.100.7"], "203.0.113.1"),
            ("10.0.0.1", &[], "10.0.0.1"),
            ("10.0.0.1", &["198.51.100.7"], "198.51.100.7"),
            ("10.0.0.1", &["1.1.1.1, 198.51.100.7, 10.0.0.2"], "198.51.100.7"),
            ("10.0.0.1", &["1.1.1.1", "198.51.100.7", "10.0.0.2"], "198.51.100.7"),
            ("10.0.0.1", &["garbage, 198.51.100.7"], "198.51.100.7"),
            ("10.0.0.1", &["198.51.100.7, garbage"], "10.0.0.1"),
            ("10.0.0.1", &["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
            ("10.0.0.1", &[""], "10.0.0.1"),
        ];
        for (peer, lines, client) in cases {
            let found = client_address(ip(peer), lines.iter().copied(), &trusted);
            assert_eq!(found, ip(client), "{peer} {lines:?}");
        }
    }

    #[test]
    fn an_ipv6_network_counts_as_one_client() {
        let same = |a: &str, b: &str| ClientNetwork::from(ip(a)) == ClientNetwork::from(ip(b));
        assert!(same("2001:db8::1", "2001:db8::ffff:1"));
        assert!(!same("2001:db8::1", "2001:db8:0:1::1"));
        assert!(same("::ffff:203.0.113.9", "203.0.113.9"));
        assert!(!same("203.0.113.8", "203.0.113.9"));
    }
}
